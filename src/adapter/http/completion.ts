// Owns one answer of the chat protocol, streamed or whole: its text, its calls put together from their pieces, why it stopped, what it cost.

import { countMember, listMember, member, recordMember, textMember } from "../../core/member.ts";
import type { Usage } from "../../core/usage.ts";
import { plainText } from "../../message/text-part.ts";
import { thrownBody } from "./endpoint.ts";

export interface CompletionCall {
  /** Empty where the endpoint gives none. */
  readonly id: string;
  readonly name: string;
  /** The text that the model wrote; whatever stands there where it is no text. */
  readonly arguments: unknown;
}

export interface Completion {
  readonly text: string;
  readonly refusal: string;
  readonly calls: readonly CompletionCall[];
  /** `undefined` where the answer never said why it stopped. */
  readonly finishReason: string | undefined;
  readonly usage: Usage | undefined;
  readonly model: string | undefined;
  /** What the endpoint says went wrong, in the middle of an answer. */
  readonly error: string | undefined;
}

/** What a piece adds that is worth telling at once. */
export type CompletionPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "arguments"; readonly id: string; readonly name: string; readonly text: string };

export interface CompletionReader {
  /** Takes a chunk of a stream, or a whole answer. */
  take(chunk: unknown): readonly CompletionPiece[];
  readonly completion: Completion;
}

interface OpenCall {
  id: string;
  name: string;
  arguments: string;
  /** Arguments that came as a value. */
  value: unknown;
}

export function createCompletionReader(): CompletionReader {
  let text = "";
  let refusal = "";
  let finishReason: string | undefined;
  let usage: Usage | undefined;
  let model: string | undefined;
  let error: string | undefined;
  const calls: OpenCall[] = [];
  const byIndex = new Map<number, OpenCall>();

  /** Some endpoints number every call 0, or none: another id is another call. */
  const callOf = (part: unknown, place: number | undefined): OpenCall => {
    const id = textMember(part, "id") ?? "";
    const index = countMember(part, "index") ?? place;
    const known = index === undefined ? (id === "" ? calls.at(-1) : calls.findLast((call) => call.id === id)) : byIndex.get(index);
    if (known !== undefined && (id === "" || known.id === "" || known.id === id)) {
      if (known.id === "") known.id = id;
      return known;
    }
    const call: OpenCall = { id, name: "", arguments: "", value: undefined };
    calls.push(call);
    if (index !== undefined) byIndex.set(index, call);
    return call;
  };

  /** `place` is that of a whole call in its list. */
  const takeCall = (part: unknown, place?: number): CompletionPiece[] => {
    const call = callOf(part, place);
    const called = recordMember(part, "function") ?? recordMember(part, "custom");
    // The name comes once; an endpoint that repeats it with every piece does not mean a longer one.
    if (call.name === "") call.name = textMember(called, "name") ?? "";
    const given = member(called, "arguments") ?? member(called, "input");
    if (typeof given === "string") call.arguments += given;
    else if (given !== undefined && given !== null) call.value = given;
    return typeof given === "string" && given !== "" ? [{ kind: "arguments", id: call.id, name: call.name, text: given }] : [];
  };

  return {
    take(chunk) {
      const failed = member(chunk, "error");
      if (failed !== undefined && failed !== null) error ??= thrownBody(failed);
      usage = readUsage(member(chunk, "usage")) ?? usage;
      model ??= textMember(chunk, "model");
      const choice = listMember(chunk, "choices")?.find((one) => (countMember(one, "index") ?? 0) === 0);
      finishReason = textMember(choice, "finish_reason") ?? finishReason;
      const whole = recordMember(choice, "delta") === undefined;
      const said = recordMember(choice, whole ? "message" : "delta");
      const pieces: CompletionPiece[] = [];
      const words = plainText(member(said, "content")) ?? "";
      if (words !== "") {
        text += words;
        pieces.push({ kind: "text", text: words });
      }
      refusal += textMember(said, "refusal") ?? "";
      (listMember(said, "tool_calls") ?? []).forEach((part, at) => pieces.push(...takeCall(part, whole ? at : undefined)));
      const legacy = recordMember(said, "function_call");
      if (legacy !== undefined) pieces.push(...takeCall({ index: 0, function: legacy }));
      return pieces;
    },
    get completion() {
      return { text, refusal, calls: calls.map((call) => ({ id: call.id, name: call.name, arguments: call.value ?? call.arguments })), finishReason, usage, model, error };
    },
  };
}

/** What is known; `undefined` where nothing is. A missing count stays unknown. */
function readUsage(usage: unknown): Usage | undefined {
  const counts = {
    inputTokens: countMember(usage, "prompt_tokens"),
    outputTokens: countMember(usage, "completion_tokens"),
    reasoningTokens: countMember(member(usage, "completion_tokens_details"), "reasoning_tokens"),
    cachedInputTokens: countMember(member(usage, "prompt_tokens_details"), "cached_tokens"),
  };
  if (counts.inputTokens === undefined && counts.outputTokens === undefined) return undefined;
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}
