// Owns the way from Entail's model request to one of the OpenAI Agents SDK. Borrowed by shape: `openai-agents.test-d.ts` holds it against the real types.

import type { ModelMessage, ModelRequest } from "../../core/model.ts";

interface SdkTool {
  type: "function";
  name: string;
  description: string;
  // `any`: the SDK wants its own JSON Schema type here, and Entail hands on whatever the application declared.
  parameters: any;
  strict: boolean;
}

/** A request in the members that Entail sets. */
export interface SdkModelRequest {
  systemInstructions?: string;
  // `any`: the SDK's items are a union that only its own types can name.
  input: any[];
  modelSettings: { temperature: number; maxTokens: number; toolChoice?: string };
  tools: SdkTool[];
  outputType: "text";
  handoffs: never[];
  tracing: false;
  signal?: AbortSignal;
}

function items(message: ModelMessage, toolNames: Map<string, string>): object[] {
  switch (message.role) {
    case "system":
    case "user":
      return [{ type: "message", role: message.role, content: message.content }];
    case "assistant":
      return message.content.map((part) => {
        if (part.type === "text") return { type: "message", role: "assistant", status: "completed", content: [{ type: "output_text", text: part.text }] };
        toolNames.set(part.id, part.name);
        return { type: "function_call", callId: part.id, name: part.name, arguments: part.arguments, status: "completed" };
      });
    case "tool":
      return [{ type: "function_call_result", callId: message.toolCallId, name: toolNames.get(message.toolCallId) ?? message.toolCallId, status: "completed", output: { type: "text", text: message.content } }];
    default:
      return message satisfies never;
  }
}

/** The request that `request` asks for. Schemas are the request's own objects, unchanged and not made strict; nothing is traced. */
export function modelRequest(request: ModelRequest, signal: AbortSignal | undefined): SdkModelRequest {
  const toolNames = new Map<string, string>();
  const start = request.messages.findIndex(({ role }) => role !== "system");
  const leading = start === -1 ? request.messages : request.messages.slice(0, start);
  const instructions = leading.map(({ content }) => content as string).join("\n\n");
  const { toolChoice } = request;
  return {
    ...(instructions === "" ? {} : { systemInstructions: instructions }),
    input: request.messages.slice(leading.length).flatMap((message) => items(message, toolNames)),
    modelSettings: {
      temperature: request.temperature,
      maxTokens: request.maxOutputTokens,
      ...(request.tools.length === 0 ? {} : { toolChoice: typeof toolChoice === "string" ? toolChoice : toolChoice.tool }),
    },
    tools: request.tools.map(({ name, description, inputSchema }) => ({ type: "function", name, description, parameters: inputSchema, strict: false })),
    outputType: "text",
    handoffs: [],
    tracing: false,
    ...(signal === undefined ? {} : { signal }),
  };
}
