// Owns one call while its run goes on: what the events said so far, and the frozen call that evidence shows.

import type { Approval, ToolCall } from "../core/evidence.ts";
import type { CallEnd } from "./call-end.ts";
import { type Payload, showArguments, showResult } from "./payload.ts";

/** When somebody was asked to allow a call, and when they had decided. */
export interface Asking {
  readonly askedMs: number | undefined;
  readonly decidedMs?: number | undefined;
}

export interface ObservedCall {
  readonly id: string;
  /** Empty where the source does not say it. */
  name: string;
  readonly parent: string | undefined;
  readonly runId: string | undefined;
  readonly args: Payload;
  end: CallEnd | undefined;
  approval: Approval | undefined;
  readonly startedMs: number | undefined;
  endedMs: number | undefined;
  asking: Asking | undefined;
  /** What was made of it last, until something is learnt. */
  shown: ToolCall | undefined;
}

/** The frozen call; the same object as long as nothing was learnt about it. With `timed` it tells its times. */
export function showCall(call: ObservedCall, timed: boolean): ToolCall {
  call.shown ??= makeCall(call, timed);
  return call.shown;
}

// Members are set one by one, not spread: evidence is made of many calls, and this is several times as fast.
function makeCall({ id, name, args, parent, runId, end, approval, startedMs, endedMs, asking }: ObservedCall, timed: boolean): ToolCall {
  const { value, json, argsRaw } = showArguments(args);
  const call: Writable<ToolCall> = { toolCallId: id, toolName: name, args: value, argsJson: json, completed: end !== undefined };
  if (argsRaw !== undefined) call.argsRaw = argsRaw;
  if (approval !== undefined) call.approval = approval;
  if (parent !== undefined) call.parentToolCallId = parent;
  if (runId !== undefined) call.runId = runId;
  if (end !== undefined) addEnd(call, end);
  if (timed) {
    if (startedMs !== undefined) call.startedMs = startedMs;
    if (endedMs !== undefined) call.endedMs = endedMs;
    if (asking?.askedMs !== undefined) call.askedMs = asking.askedMs;
    if (asking?.decidedMs !== undefined) call.decidedMs = asking.decidedMs;
  }
  return Object.freeze(call);
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function addEnd(call: Writable<ToolCall>, { result, omitted, failure, bounds, late }: CallEnd): void {
  const shown = showResult(result);
  if (shown !== undefined) {
    call.result = shown.value;
    call.resultJson = shown.json;
  }
  if (omitted !== undefined) call.resultOmitted = omitted;
  if (failure !== undefined) call.failure = failure;
  if (bounds !== undefined) call.bounds = bounds;
  if (late) call.endedLate = true;
}

/** A call of an earlier run, with the end that it found in this one, and only the times of this one: the clocks of two runs have nothing to do with each other. */
export function completeCall(call: ToolCall, end: CallEnd, approval: Approval | undefined, endedMs: number | undefined): ToolCall {
  const { startedMs: _started, endedMs: _ended, askedMs: _asked, decidedMs: _decided, ...rest } = call;
  const completed: Writable<ToolCall> = { ...rest, completed: true };
  if (endedMs !== undefined) completed.endedMs = endedMs;
  if (approval !== undefined) completed.approval = approval;
  addEnd(completed, end);
  return Object.freeze(completed);
}
