// Owns the gate on a comparison: the exit code that it alone decides, and why.

import type { ComparableRun, Comparison } from "../core/comparison.ts";
import { counted } from "./number-text.ts";
import { pointsText } from "./points-text.ts";

/**
 * 1 where it regressed or a scenario is missing; else 3 where it is too few, or something of the second run errored, was cancelled or never ran but for
 * its author; else 0. A scenario that fails as it did, or is new, fails nothing.
 */
export function gateOf(comparison: Pick<Comparison, "verdict" | "missing" | "margin" | "scenarios">, after: readonly ComparableRun[]): Comparison["gate"] {
  const failing: string[] = [];
  if (comparison.verdict === "regressed") failing.push(comparison.margin > 0 ? `the pass rate fell by more than the margin of ${pointsText(comparison.margin)} points` : "the pass rate fell");
  if (comparison.missing.length > 0) failing.push(`${counted(comparison.missing.length, "scenario")} of the first run ${comparison.missing.length === 1 ? "is" : "are"} missing`);
  const unsure: string[] = [];
  if (comparison.verdict === "too few") unsure.push(comparison.scenarios === 0 ? "nothing could be compared" : "there are too few trials to tell");
  for (const { suiteId, error } of after) if (error !== undefined) unsure.push(`the run of ${suiteId} did not come to its end (${error.code})`);
  for (const outcome of ["errored", "cancelled", "skipped"] as const) {
    const count = after.reduce((sum, { scenarios }) => sum + scenarios.filter((scenario) => scenario.outcome === outcome && (outcome !== "skipped" || scenario.skip === undefined)).length, 0);
    if (count > 0) unsure.push(`${counted(count, "scenario")} ${outcome === "errored" ? "errored" : count === 1 ? `was ${outcome}` : `were ${outcome}`}`);
  }
  return { exitCode: failing.length > 0 ? 1 : unsure.length > 0 ? 3 : 0, reasons: [...failing, ...unsure] };
}
