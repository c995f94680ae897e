// Owns the way back from what an AI SDK model answers, streamed or whole, to Entail's model response.

import { EntailError, messageOf } from "../core/error.ts";
import type { ModelResponse, ModelStreamPart, Part, StopReason } from "../core/model.ts";
import type { Usage } from "../core/usage.ts";
import type { LanguageModel, LanguageModelCall } from "./language-model.ts";
import { isError, member, textMember } from "../core/member.ts";
import { changedSettings } from "./setting.ts";
import { readUsage } from "./usage.ts";

interface OpenCall {
  readonly kind: "call";
  readonly id: string;
  name: string;
  /** The pieces of the arguments, as they came. */
  streamed: string;
  /** The text of the finished call; `undefined` until it is finished. */
  finished: unknown;
  /** False where the pieces are no JSON. */
  readonly json: boolean;
}
interface OpenText {
  readonly kind: "text";
  text: string;
}

/** Collects the parts of one answer. Every method reads untrusted parts. */
export interface Answer {
  warnings(warnings: unknown): void;
  take(part: unknown): ModelStreamPart | undefined;
  /** Throws `provider_failed` where the answer never came to its end. */
  response(): ModelResponse;
}

/** The reason in either shape: v3 and v4 give `{ unified, raw }`, v2 one word. */
function readStopReason(reason: unknown): StopReason | undefined {
  const unified = typeof reason === "string" ? reason : textMember(reason, "unified");
  const raw = textMember(reason, "raw");
  switch (unified) {
    case "stop":
      return "stop";
    case "length":
      return "length";
    case "tool-calls":
      return "tool_calls";
    case "content-filter":
      // The SDK files a refusal here too; only the provider's own word, or that it has none, tells it from a filter.
      return raw === "refusal" || raw === "stop" || (raw === undefined && typeof reason === "object") ? "refusal" : "content_filter";
    case "error":
      return "error";
    case "other":
      return raw === undefined ? undefined : "error";
    case undefined:
    default:
      // `interrupted`, `unknown`, or nothing at all.
      return undefined;
  }
}

function argumentsOf(call: OpenCall): string {
  if (call.json && call.streamed !== "") return call.streamed;
  // What is no text is refused by `createClient`, which says why.
  return call.finished === undefined ? call.streamed : (call.finished as string);
}

/** `requestBody` is what the SDK says it sent, where it says so. */
export function readAnswer(model: LanguageModel, call: LanguageModelCall, requestBody: unknown): Answer {
  const parts: (OpenCall | OpenText)[] = [];
  // Looked at with the first part, when a stream is being read and is cancelled by a throw.
  let changed: readonly string[] | undefined;
  const settings = (warnings: unknown): readonly string[] => changedSettings(model, call, warnings, requestBody);
  let answeredBy: string | undefined;
  let end: { readonly reason: unknown; readonly usage: Usage | undefined } | undefined;
  let textId: string | undefined;

  const callOf = (id: string, name: string | undefined, json: boolean): OpenCall => {
    const known = parts.find((part): part is OpenCall => part.kind === "call" && part.id === id && part.finished === undefined);
    if (known !== undefined) {
      if (name !== undefined) known.name = name;
      return known;
    }
    const taken = parts.some((part) => part.kind === "call" && part.id === id);
    const opened: OpenCall = { kind: "call", id: id === "" || taken ? `call_${parts.length + 1}` : id, name: name ?? "", streamed: "", finished: undefined, json };
    parts.push(opened);
    textId = undefined;
    return opened;
  };

  const text = (id: string, piece: string): ModelStreamPart | undefined => {
    if (piece === "") return undefined;
    const last = parts.at(-1);
    if (last?.kind === "text" && textId === id) last.text += piece;
    else parts.push({ kind: "text", text: piece });
    textId = id;
    return { type: "text_delta", text: piece };
  };

  return {
    warnings(warnings) {
      changed = settings(warnings);
    },
    take(part) {
      changed ??= settings([]);
      switch (member(part, "type")) {
        case "stream-start":
          this.warnings(member(part, "warnings"));
          return undefined;
        case "text":
          return text(`whole:${parts.length}`, textMember(part, "text") ?? "");
        case "text-delta":
          return text(textMember(part, "id") ?? "", textMember(part, "delta") ?? "");
        case "tool-input-start":
          callOf(textMember(part, "id") ?? "", textMember(part, "toolName"), member(part, "inputEncoding") !== "text");
          return undefined;
        case "tool-input-delta": {
          const piece = textMember(part, "delta") ?? "";
          const open = callOf(textMember(part, "id") ?? "", undefined, true);
          open.streamed += piece;
          return piece === "" || open.name === "" ? undefined : { type: "tool_call_delta", id: open.id, name: open.name, arguments: piece };
        }
        case "tool-call": {
          if (member(part, "providerExecuted") === true) return undefined;
          const open = callOf(textMember(part, "toolCallId") ?? "", textMember(part, "toolName"), true);
          open.finished = member(part, "input") ?? "";
          return undefined;
        }
        case "response-metadata":
          answeredBy = textMember(part, "modelId") ?? answeredBy;
          return undefined;
        case "finish":
          end = { reason: member(part, "finishReason"), usage: readUsage(member(part, "usage")) };
          return undefined;
        case "error": {
          const error = member(part, "error");
          throw isError(error) ? error : new EntailError("provider_failed", `the model ${model.modelId} failed: ${messageOf(error)}`, { cause: error });
        }
        default:
          // Reasoning, sources, files, raw chunks and what later versions add are no part of the answer.
          return undefined;
      }
    },
    response() {
      const stopReason = end === undefined ? undefined : readStopReason(end.reason);
      if (end === undefined || stopReason === undefined) {
        throw new EntailError("provider_failed", `the answer of the model ${model.modelId} broke off: it ended without saying why it stopped`);
      }
      const content = parts.map((part): Part =>
        part.kind === "text" ? { type: "text", text: part.text } : { type: "tool_call", id: part.id, name: part.name, arguments: argumentsOf(part) });
      return {
        content,
        stopReason,
        ...(end.usage === undefined ? {} : { usage: end.usage }),
        ...(answeredBy === undefined ? {} : { model: answeredBy }),
        ...(changed === undefined || changed.length === 0 ? {} : { changedSettings: changed }),
      };
    },
  };
}
