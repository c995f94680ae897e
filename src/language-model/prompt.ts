// Owns the way from Entail's model request to the options of one call of an AI SDK model.

import type { ModelMessage, ModelRequest } from "../core/model.ts";
import type { LanguageModelCall, PromptMessage, PromptPart } from "./language-model.ts";

/** The arguments of an earlier call: the SDK takes them parsed and writes them itself; text that is not JSON goes as it is. */
function parsedArguments(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function promptMessage(message: ModelMessage, toolNames: Map<string, string>): PromptMessage {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "user":
      return { role: "user", content: [{ type: "text", text: message.content }] };
    case "assistant":
      return {
        role: "assistant",
        content: message.content.map((part): PromptPart => {
          if (part.type === "text") return { type: "text", text: part.text };
          toolNames.set(part.id, part.name);
          return { type: "tool-call", toolCallId: part.id, toolName: part.name, input: parsedArguments(part.arguments) };
        }),
      };
    case "tool":
      return {
        role: "tool",
        content: [{
          type: "tool-result",
          toolCallId: message.toolCallId,
          toolName: toolNames.get(message.toolCallId) ?? message.toolCallId,
          output: { type: "text", value: message.content },
        }],
      };
    default:
      return message satisfies never;
  }
}

/** The options of the call that `request` asks for. Schemas are the request's own objects, unchanged; no setting is added. */
export function languageModelCall(request: ModelRequest, signal: AbortSignal | undefined): LanguageModelCall {
  const toolNames = new Map<string, string>();
  const { toolChoice } = request;
  return {
    prompt: request.messages.map((message) => promptMessage(message, toolNames)),
    maxOutputTokens: request.maxOutputTokens,
    temperature: request.temperature,
    ...(request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map(({ name, description, inputSchema }) => ({ type: "function" as const, name, description, inputSchema })),
          toolChoice: typeof toolChoice === "string" ? { type: toolChoice } : { type: "tool" as const, toolName: toolChoice.tool },
        }),
    ...(signal === undefined ? {} : { abortSignal: signal }),
  };
}
