// Owns the tool calls of a trial: in pages, with their long parts cut.

import type { FailureCause, ToolCall } from "../../core/evidence.ts";
import type { TrialKey } from "../../core/store.ts";
import type { AnswerContext } from "./context.ts";
import type { CallForm, CallsAnswer } from "./form.ts";
import { asText, CALL_INLINE, words } from "./words.ts";

/** Calls in one answer, and how they are read from the store: what a few large results weigh must not be read for nothing. */
const PAGE = 100;
const READ_AT_ONCE = 10;
const READ_AT_MOST = 4_000_000;

export async function callsFrom({ reads }: AnswerContext, key: TrialKey, from: number, path: string): Promise<CallsAnswer> {
  const calls: CallForm[] = [];
  const depths = new Map<string, number>();
  let total = from;
  let read = 0;
  while (calls.length < PAGE && read < READ_AT_MOST) {
    const page = await reads.calls(key, from + calls.length, READ_AT_ONCE);
    total = page.total;
    for (const call of page.calls) {
      const depth = call.parentToolCallId === undefined ? 0 : (depths.get(call.parentToolCallId) ?? 0) + 1;
      depths.set(call.toolCallId, depth);
      read += call.argsJson.length + (call.resultJson?.length ?? 0);
      calls.push(callForm(call, from + calls.length, depth, path));
    }
    if (page.calls.length === 0) break;
  }
  return { calls, from, total };
}

function callForm(call: ToolCall, at: number, depth: number, path: string): CallForm {
  const { toolCallId, toolName, completed, endedLate, approval, bounds, resultOmitted, argsRaw, failure, startedMs, endedMs, askedMs, decidedMs } = call;
  const result = call.resultJson ?? asText(call.result);
  const part = (name: string): string => `${path}/text?part=call.${at}.${name}`;
  return {
    at,
    depth,
    toolCallId,
    toolName,
    completed,
    endedLate,
    approval,
    bounds,
    resultOmitted,
    argsRaw,
    startedMs,
    endedMs,
    askedMs,
    decidedMs,
    args: words(call.argsJson, CALL_INLINE, part("args")),
    result: result === undefined ? undefined : words(result, CALL_INLINE, part("result")),
    failure: failure && {
      kind: failure.kind,
      message: failure.error.message.slice(0, CALL_INLINE),
      causes: causesOf(failure.error.cause),
      recovery: failure.recovery && words(asText(failure.recovery) ?? "", CALL_INLINE, part("recovery")),
    },
  };
}

function causesOf(cause: FailureCause | undefined): readonly string[] {
  const causes: string[] = [];
  for (let each = cause; each !== undefined && causes.length < 5; each = each.cause) causes.push(each.message.slice(0, 500));
  return causes;
}

/** The whole text of a part of one call. */
export async function callText({ reads }: AnswerContext, key: TrialKey, at: number, part: string): Promise<string | undefined> {
  const [call] = (await reads.calls(key, at, 1)).calls;
  if (part === "args") return call?.argsJson;
  if (part === "result") return call?.resultJson ?? asText(call?.result);
  return part === "recovery" ? asText(call?.failure?.recovery) : undefined;
}
