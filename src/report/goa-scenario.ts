// Owns the understanding of Goa-AI's own reports, which tell an outcome and its cause by nothing but the text of an error.

import type { ErrorCode, Stage } from "../core/error.ts";
import type { WireObject } from "./form.ts";

/** Go's words for a context that ended. */
const CANCELLED = /\bcontext cancell?ed\b/;
const DEADLINE = /\bcontext deadline exceeded\b/;
const NEVER_STARTED = /^0001-01-01T00:00:00(?:\.0+)?Z$/;

/** A scenario with our members beside Goa-AI's; one that has an outcome already is returned as it is. */
export function fromGoa(wire: WireObject): WireObject {
  if (Object.hasOwn(wire, "outcome")) return wire;
  const { error, passed, result } = wire;
  if (typeof error !== "string" || error === "") return { ...wire, outcome: passed === true ? "passed" : "failed" };
  const started = typeof wire["started_at"] === "string" && !NEVER_STARTED.test(wire["started_at"]);
  const cause = causeOf(error, !started, result !== undefined && result !== null);
  // What never started was stopped before it began, whatever stopped the run.
  const outcome = !started || cause.code === "cancelled" ? "cancelled" : "errored";
  return { ...wire, outcome, error_code: cause.code, error_stage: cause.stage };
}

/** The wire form of a whole report with our code and stage beside its error; one that is ours is returned as it is. */
export function headFromGoa(wire: WireObject): WireObject {
  const { error, scenarios } = wire;
  if (Object.hasOwn(wire, "schema_version") || Object.hasOwn(wire, "error_code") || typeof error !== "string" || error === "") return wire;
  const reached = Array.isArray(scenarios) && scenarios.length > 0;
  const cause = suiteCauseOf(error, reached);
  // Goa-AI leaves `passed` true where a cancellation came after the last scenario; an error is never a pass.
  return { ...wire, passed: false, error_code: cause.code, error_stage: cause.stage };
}

interface Cause {
  /** One of ours, or `unclassified` where the text does not say. */
  readonly code: ErrorCode | "unclassified";
  readonly stage: Stage;
}

function causeOf(error: string, neverStarted: boolean, hasResult: boolean): Cause {
  // Only a judge's failure leaves the result in the report.
  const stage = neverStarted ? "selection" : hasResult ? "judge" : "hook";
  if (CANCELLED.test(error)) return { code: "cancelled", stage };
  if (DEADLINE.test(error)) return { code: "deadline_exceeded", stage };
  if (neverStarted) return { code: "unclassified", stage };
  if (hasResult) return { code: /\bjudge\b.*\brequire[sd]?\b|\brequire[sd]?\b.*\bjudge\b/i.test(error) ? "judge_required" : "judge_failed", stage };
  return { code: "hook_threw", stage };
}

/** Texts of a suite's failure before its first scenario, in the order in which they are tried. */
const SELECTION: readonly (readonly [text: RegExp, code: ErrorCode])[] = [
  [/\bno scenarios\b/i, "selection_no_scenarios"],
  [/\bunknown (?:scenario|tag)\b/i, "selector_unknown"],
  [/\bduplicate (?:scenario|tag)\b/i, "selector_duplicate"],
  [/\bselection is empty\b/i, "selection_empty"],
  [/\b(?:scenario|tag) is empty\b/i, "selector_empty"],
];

function suiteCauseOf(error: string, reached: boolean): Cause {
  if (/\bcalibrat/i.test(error)) return { code: "calibration_failed", stage: "calibration" };
  const stage = reached ? "hook" : "selection";
  if (CANCELLED.test(error)) return { code: "cancelled", stage };
  if (DEADLINE.test(error)) return { code: "deadline_exceeded", stage };
  return { code: SELECTION.find(([text]) => text.test(error))?.[1] ?? "unclassified", stage };
}
