// Owns the parts of a streamed run: its items, and what the model's own stream tells of each response. Each is read once, by shape.

import { listMember, member, textMember } from "../../core/member.ts";

export type StreamPart =
  | { readonly kind: "item"; readonly item: unknown }
  | { readonly kind: "response_start" }
  | { readonly kind: "text"; readonly text: string }
  /** An event of the provider's own stream. In a dialect that is known, a response without a `reason` for its end is a broken one. */
  | { readonly kind: "model"; readonly known: boolean; readonly reason?: string | undefined }
  | { readonly kind: "response_end"; readonly usage: unknown }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly type: string };

const NONE: StreamPart = { kind: "none" };

/** Why the model stopped, in the words of Chat Completions, of the Responses API and of the AI SDK. */
function modelPart(event: unknown): StreamPart {
  const type = textMember(event, "type");
  if (textMember(event, "object") === "chat.completion.chunk" || listMember(event, "choices") !== undefined) {
    return { kind: "model", known: true, reason: textMember(listMember(event, "choices")?.[0], "finish_reason") };
  }
  if (type?.startsWith("response.") === true) {
    const response = member(event, "response");
    const why = textMember(member(response, "incomplete_details"), "reason");
    return { kind: "model", known: true, reason: type === "response.completed" ? "stop" : type === "response.incomplete" ? (why ?? "incomplete") : type === "response.failed" ? "error" : undefined };
  }
  if (type === "stream-start" || type === "finish") {
    const reason = member(event, "finishReason");
    return { kind: "model", known: true, reason: textMember(reason, "unified") ?? (typeof reason === "string" ? reason : undefined) };
  }
  return { kind: "model", known: false };
}

function rawPart(data: unknown): StreamPart {
  switch (textMember(data, "type")) {
    case "response_started":
      return { kind: "response_start" };
    case "output_text_delta":
      return { kind: "text", text: textMember(data, "delta") ?? "" };
    case "response_done":
      return { kind: "response_end", usage: member(member(data, "response"), "usage") };
    case "model":
      return modelPart(member(data, "event"));
    case undefined:
    default:
      // Whatever else the model streams is repeated by an item where it matters.
      return NONE;
  }
}

/** Never throws: what cannot be read is an unknown part. */
export function readPart(event: unknown): StreamPart {
  const type = textMember(event, "type");
  switch (type) {
    case "run_item_stream_event":
      return { kind: "item", item: member(event, "item") };
    case "raw_model_stream_event":
      return rawPart(member(event, "data"));
    case "agent_updated_stream_event":
      return NONE;
    case undefined:
      return { kind: "unknown", type: event === null ? "null" : typeof event };
    default:
      return { kind: "unknown", type };
  }
}
