// Owns the way from Entail's model request to what a chat model of LangChain takes: messages with roles, tools in OpenAI's form, and a choice.

import type { ModelMessage, ModelRequest } from "../../core/model.ts";

/** LangChain takes arguments parsed, and writes them itself. */
function parsedArguments(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function chatMessage(message: ModelMessage): object {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.content };
    case "assistant":
      return {
        role: "assistant",
        content: message.content.map((part) => (part.type === "text" ? part.text : "")).join(""),
        tool_calls: message.content.flatMap((part) => (part.type === "tool_call" ? [{ type: "tool_call", id: part.id, name: part.name, args: parsedArguments(part.arguments) }] : [])),
      };
    case "tool":
      return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
    default:
      return message satisfies never;
  }
}

export function chatMessages({ messages }: ModelRequest): object[] {
  return messages.map(chatMessage);
}

/** Schemas are the request's own objects, unchanged. */
export function chatTools({ tools }: ModelRequest): object[] {
  return tools.map(({ name, description, inputSchema }) => ({ type: "function", function: { name, description, parameters: inputSchema } }));
}

/** LangChain takes the name of the tool that must be called in place of a word. */
export function toolChoice({ toolChoice: choice }: ModelRequest): string {
  return typeof choice === "string" ? choice : choice.tool;
}
