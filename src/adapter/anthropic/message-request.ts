// Owns the way from Entail's model request to one of the Messages API.

import { EntailError } from "../../core/error.ts";
import { textMember } from "../../core/member.ts";
import type { ModelMessage, ModelRequest } from "../../core/model.ts";
import { inputOf } from "./assembly.ts";

/** The messages of a request: the API wants its system text apart, and what follows one another of one side in one message. */
function messagesOf(messages: readonly ModelMessage[]): { readonly system: string; readonly messages: readonly object[] } {
  const system: string[] = [];
  const sides: { role: "user" | "assistant"; content: object[] }[] = [];
  const add = (role: "user" | "assistant", ...blocks: readonly object[]): void => {
    // The API takes no message without content.
    if (blocks.length === 0) return;
    const last = sides.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else sides.push({ role, content: [...blocks] });
  };
  for (const message of messages) {
    switch (message.role) {
      case "system":
        system.push(message.content);
        break;
      case "user":
        add("user", { type: "text", text: message.content });
        break;
      case "assistant":
        add("assistant", ...message.content.map((part) => (part.type === "text" ? { type: "text", text: part.text } : { type: "tool_use", id: part.id, name: part.name, input: inputOf(part.arguments) })));
        break;
      case "tool":
        add("user", { type: "tool_result", tool_use_id: message.toolCallId, content: message.content });
        break;
      default:
        message satisfies never;
    }
  }
  return { system: system.join("\n\n"), messages: sides };
}

/**
 * The body of the request that `request` asks for, but for `stream`; `call` stands before Entail's own members, except for the temperature. Throws
 * `provider_failed` where thinking and a forced tool exclude each other.
 */
export function messageRequest(request: ModelRequest, model: string, call: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { system, messages } = messagesOf(request.messages);
  const { toolChoice } = request;
  const thinking = textMember(call["thinking"], "type");
  if (typeof toolChoice !== "string" && thinking !== undefined && thinking !== "disabled") {
    throw new EntailError(
      "provider_failed",
      `the request of the model ${model} was not sent: it has thinking ${JSON.stringify(thinking)} and the forced tool ${JSON.stringify(toolChoice.tool)}, which exclude each other: leave thinking out of the provider's call`,
    );
  }
  return {
    temperature: request.temperature,
    ...call,
    model,
    max_tokens: request.maxOutputTokens,
    ...(system === "" ? {} : { system }),
    messages,
    ...(request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
          // One call is asked for, so one may come.
          tool_choice: typeof toolChoice === "string" ? { type: toolChoice } : { type: "tool", name: toolChoice.tool, disable_parallel_tool_use: true },
        }),
  };
}
