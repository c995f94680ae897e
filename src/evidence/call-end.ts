// Owns the end of a call: what it says, and whether it is of the call that it names.

import { EntailError } from "../core/error.ts";
import type { Bounds, ResultOmitted, ToolFailure } from "../core/evidence.ts";
import { readBounds, readOmitted } from "./bounds.ts";
import { eventPlace, malformed, optionalText } from "./malformed.ts";
import { catchResult, type Payload } from "./payload.ts";
import { readToolFailure } from "./tool-failure.ts";

/** How a call ended. */
export interface CallEnd {
  readonly result: Payload;
  readonly omitted: ResultOmitted | undefined;
  readonly bounds: Bounds | undefined;
  readonly failure: ToolFailure | undefined;
  /** The end came after the root run's own. */
  readonly late: boolean;
}

/** What the start of a call said. */
export interface Started {
  readonly name: string;
  readonly parent: string | undefined;
  readonly runId: string | undefined;
}

/** Throws `tool_end_mismatch` where an end tells another story than its start. What it leaves out is no contradiction. */
export function requireSameCall(id: string, event: Readonly<Record<string, unknown>>, started: Started): void {
  const name = event["toolName"] as string;
  const differs = (member: string, was: string, is: string): EntailError =>
    new EntailError("tool_end_mismatch", `the end of call ${JSON.stringify(id)} has ${member} ${JSON.stringify(is)}, its start ${JSON.stringify(was)}`);
  if (name !== "" && started.name !== "" && name !== started.name) throw differs("toolName", started.name, name);
  const parent = optionalText(event["parentToolCallId"], "parentToolCallId", "tool_end");
  if (parent !== undefined && parent !== started.parent) throw differs("parentToolCallId", started.parent ?? "", parent);
  const run = optionalText(event["callRunId"], "callRunId", "tool_end");
  if (run !== undefined && started.runId !== undefined && run !== started.runId) throw differs("callRunId", started.runId, run);
}

/** Reads how a call ended. Throws `event_invalid` or `tool_failure_invalid`. */
export function readEnd(event: Readonly<Record<string, unknown>>, id: string, late: boolean): CallEnd {
  const result = catchResult(event["result"], event["resultJson"], "tool_end", id);
  const { failure, bounds, resultOmitted } = event;
  if (failure === undefined || failure === null) {
    return {
      result,
      omitted: resultOmitted === undefined || resultOmitted === null ? undefined : readOmitted(resultOmitted, eventPlace("tool_end", id)),
      bounds: bounds === undefined || bounds === null ? undefined : readBounds(bounds, eventPlace("tool_end", id)),
      failure: undefined,
      late,
    };
  }
  const where = eventPlace("tool_end", id);
  if (result !== "absent") throw malformed(where, "it has a result and a failure; a call ends with one of them");
  return { result, omitted: undefined, bounds: undefined, failure: readToolFailure(failure, where), late };
}
