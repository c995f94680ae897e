// Owns stopping the trials of a scenario early: by a rule that may be asked after every trial, never by a look at a rate.

import { EntailError } from "../core/error.ts";
import { didYouMean } from "../core/nearest.ts";
import type { TrialReport, TrialStop } from "../core/report.ts";
import type { StopRule } from "../core/stop-rule.ts";
import { eValue } from "../stats/e-value.ts";
import { sprt } from "../stats/sprt.ts";

export type Stopping = (trials: readonly (TrialReport | undefined)[], asked: number) => TrialStop | undefined;

const MEMBERS = { sprt: ["rule", "p0", "p1", "alpha", "beta"], e_value: ["rule", "p0", "alpha"] } as const;

/** Throws `option_invalid` for a rule that is none. */
export function checkStopRule(rule: unknown, what: string): void {
  const given = rule as { readonly rule?: unknown } | null;
  const known = typeof given === "object" && given !== null && (given.rule === "sprt" || given.rule === "e_value") ? MEMBERS[given.rule] : undefined;
  if (known === undefined) throw new EntailError("option_invalid", `${what} must be { rule: "sprt", p0, p1 } or { rule: "e_value", p0 }`);
  for (const member of Object.keys(given as object)) {
    if (!(known as readonly string[]).includes(member)) throw new EntailError("option_invalid", `${what} has no member ${JSON.stringify(member)}${didYouMean(member, known)}`);
  }
  try {
    stoppingBy(rule as StopRule)([], 1);
  } catch (thrown) {
    throw new EntailError("option_invalid", `${what}: ${thrown instanceof Error ? thrown.message.replace(/^\w+: /, "") : "is no rule"}`, { cause: thrown });
  }
}

/** Errored and cancelled trials say nothing, and are passed over. */
export function stoppingBy(rule: StopRule): Stopping {
  const { alpha = 0.05 } = rule;
  const test = rule.rule === "sprt" ? sprt({ p0: rule.p0, p1: rule.p1, alpha, beta: rule.beta ?? 0.1 }) : undefined;
  if (test === undefined) eValue(0, 0, rule.p0);
  if (!(alpha > 0 && alpha < 1)) throw new EntailError("value_invalid", `eValue: "alpha" must be above 0 and below 1, not ${String(alpha)}`);
  return (trials, asked) => {
    const passed = trials.filter((trial) => trial?.outcome === "passed").length;
    const scored = trials.filter((trial) => trial?.outcome === "passed" || trial?.outcome === "scored" || trial?.outcome === "failed").length;
    if (test !== undefined && rule.rule === "sprt") {
      const answer = test.decide(passed, scored - passed);
      if (answer === "continue") return undefined;
      return { rule: "sprt", asked, decision: answer === "accept_p1" ? "above" : "below", p0: rule.p0, p1: rule.p1, alpha, beta: rule.beta ?? 0.1 };
    }
    if (eValue(passed, scored, rule.p0) < 1 / alpha) return undefined;
    return { rule: "e_value", asked, decision: passed / scored > rule.p0 ? "above" : "below", p0: rule.p0, alpha };
  };
}
