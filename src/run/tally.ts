// Owns what a run comes to: totals, verdict, usage and whether it passed, counted as scenarios finish so that none need be kept.

import type { Verdict } from "../core/outcome.ts";
import type { ReportError, ReportHead, ScenarioReport, SplitUsage } from "../core/report.ts";
import type { VerdictTally } from "../core/score-stage.ts";
import { addUsage } from "../core/usage.ts";
import { countTotals } from "../report/totals.ts";
import { splitUsage } from "./spent.ts";

export interface Tally {
  /** `required`: whether anything was required of the scenario. */
  add(report: ScenarioReport, required: boolean): void;
  spend(usage: SplitUsage | undefined): void;
  /** Scenarios that failed or errored, but for those known to fail. */
  unexpected(): number;
  cancelled(): number;
  head(error: ReportError | undefined): Pick<ReportHead, "passed" | "verdict" | "strict" | "totals" | "usage">;
}

/** `data`: what says the verdict of a suite of data. Under `strict` such a suite needs the verdict `passed`, any other each scenario passed. */
export function createTally(strict: boolean, data?: VerdictTally): Tally {
  const counter = countTotals();
  let skippedByAuthor = 0;
  let unexpected = 0;
  let required = false;
  let missed = false;
  let usage: SplitUsage | undefined;
  return {
    add(report, wasRequired) {
      counter.add(report);
      if (report.outcome === "skipped" && report.skip !== undefined) skippedByAuthor += 1;
      if ((report.outcome === "failed" || report.outcome === "errored") && report.knownFailure === undefined) unexpected += 1;
      required ||= wasRequired;
      missed ||= report.outcome === "scored" && wasRequired;
    },
    spend(more) {
      if (more !== undefined) usage = splitUsage(addUsage(usage?.subject, more.subject), addUsage(usage?.judge, more.judge));
    },
    unexpected: () => unexpected,
    cancelled: () => counter.totals().cancelled,
    head(error) {
      const totals = counter.totals();
      const measured = totals.passed + totals.scored;
      const whole = error === undefined && measured + totals.failed + skippedByAuthor === totals.scenarios;
      const verdict = ((): Verdict | undefined => {
        if (totals.errored > 0) return "failed";
        if (data !== undefined) {
          const said = data.verdict();
          return whole || said === "failed" ? said : undefined;
        }
        if (totals.failed > 0) return "failed";
        if (!whole || !required) return undefined;
        return missed ? "scored" : "passed";
      })();
      const enough = !strict || (data === undefined ? totals.scored === 0 : verdict === "passed");
      // What its author skips is not missing; every other scenario has to have shown something.
      const passed = whole && measured > 0 && totals.failed === 0 && enough;
      return { passed, ...(verdict !== undefined && { verdict }), ...(strict && { strict: true as const }), totals, ...(usage !== undefined && { usage }) };
    },
  };
}
