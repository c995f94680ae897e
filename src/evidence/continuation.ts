// Owns evidence that goes on in another run: what is remembered of the runs before, and which evidence may be continued at all.

import { EntailError } from "../core/error.ts";
import type { Evidence, ToolCall } from "../core/evidence.ts";

/** A call that an earlier run started. */
export interface EarlierCall {
  readonly call: ToolCall;
  readonly startedInRunId: string;
  /** False once an end was seen, in whichever run: another end is then one of a call that nobody knows. */
  readonly open: boolean;
}

/** What a run knows of those before it. */
export interface Memory {
  readonly runIds: ReadonlySet<string>;
  readonly calls: ReadonlyMap<string, EarlierCall>;
}

export const NO_MEMORY: Memory = { runIds: new Set(), calls: new Map() };

/** By identity: evidence that was built by hand, copied or read back has no past that could be trusted. */
const pasts = new WeakMap<Evidence, Memory>();

/** Notes what the run of `evidence` knew when it was made. */
export function rememberPast(evidence: Evidence, memory: Memory): void {
  pasts.set(evidence, memory);
}

/**
 * What the successor `rootRunId` of `evidence` must know. Throws `continuation_invalid` where `evidence` did not come from a collector's
 * `finish()`, did not reach its run's end, is of another session than `sessionId`, or where the successor has no id of its own.
 */
export function continuationOf(evidence: Evidence, rootRunId: string | undefined, sessionId: string | undefined): Memory {
  const refuse = (why: string): EntailError => new EntailError("continuation_invalid", `this evidence cannot be continued: ${why}`);
  const past = typeof evidence === "object" && evidence !== null ? pasts.get(evidence) : undefined;
  if (past === undefined) throw refuse("it is not what a collector's finish() or collect() gave, but a copy or made by hand");
  if (!evidence.ended) throw refuse(`the end of its run ${JSON.stringify(evidence.runId)} was not seen`);
  if (rootRunId === undefined || rootRunId === "") throw refuse("the run that goes on needs an id of its own; give rootRunId");
  if (rootRunId === evidence.runId || past.runIds.has(rootRunId)) throw refuse(`the run ${JSON.stringify(rootRunId)} has been before; the run that goes on has another id`);
  if (sessionId !== undefined && sessionId !== evidence.sessionId) {
    throw refuse(`it is of session ${JSON.stringify(evidence.sessionId)}, not ${JSON.stringify(sessionId)}`);
  }
  const calls = new Map(past.calls);
  for (const call of evidence.toolCalls) calls.set(call.toolCallId, { call, startedInRunId: evidence.runId, open: !call.completed });
  for (const { call, startedInRunId } of evidence.completions ?? []) calls.set(call.toolCallId, { call, startedInRunId, open: false });
  return { runIds: new Set([...past.runIds, evidence.runId]), calls };
}
