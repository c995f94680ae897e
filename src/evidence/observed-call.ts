// Owns one call while its run goes on: what the events said so far, and the frozen call that evidence shows.

import type { Approval, ToolCall } from "../core/evidence.ts";
import type { CallEnd } from "./call-end.ts";
import { type Payload, showArguments, showResult } from "./payload.ts";

export interface ObservedCall {
  readonly id: string;
  /** Empty where the source does not say it. */
  name: string;
  readonly parent: string | undefined;
  readonly runId: string | undefined;
  readonly args: Payload;
  end: CallEnd | undefined;
  approval: Approval | undefined;
  /** What was made of it last, until something is learnt. */
  shown: ToolCall | undefined;
}

/** The frozen call; the same object as long as nothing was learnt about it. */
export function showCall(call: ObservedCall): ToolCall {
  call.shown ??= makeCall(call);
  return call.shown;
}

// Members are set one by one, not spread: evidence is made of many calls, and this is several times as fast.
function makeCall({ id, name, args, parent, runId, end, approval }: ObservedCall): ToolCall {
  const { value, json, argsRaw } = showArguments(args);
  const call: Writable<ToolCall> = { toolCallId: id, toolName: name, args: value, argsJson: json, completed: end !== undefined };
  if (argsRaw !== undefined) call.argsRaw = argsRaw;
  if (approval !== undefined) call.approval = approval;
  if (parent !== undefined) call.parentToolCallId = parent;
  if (runId !== undefined) call.runId = runId;
  if (end !== undefined) addEnd(call, end);
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

/** A call of an earlier run, with the end that it found in this one. */
export function completeCall(call: ToolCall, end: CallEnd, approval: Approval | undefined): ToolCall {
  const completed: Writable<ToolCall> = { ...call, completed: true };
  if (approval !== undefined) completed.approval = approval;
  addEnd(completed, end);
  return Object.freeze(completed);
}
