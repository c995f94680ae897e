// Owns what a run comes to: totals, verdict, usage and whether it passed, counted as scenarios finish so that none need be kept.

import type { Verdict } from "../core/outcome.ts";
import type { ReportError, ReportHead, ScenarioReport, SplitUsage } from "../core/report.ts";
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
  head(error: ReportError | undefined): Pick<ReportHead, "passed" | "verdict" | "totals" | "usage">;
}

export function createTally(strict: boolean): Tally {
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
      // What its author skips is not missing; every other scenario has to have shown something.
      const passed = error === undefined && measured > 0 && measured + skippedByAuthor === totals.scenarios && (!strict || totals.scored === 0);
      const verdict = ((): Verdict | undefined => {
        if (totals.failed > 0 || totals.errored > 0) return "failed";
        if (error !== undefined || measured + skippedByAuthor !== totals.scenarios || !required) return undefined;
        return missed ? "scored" : "passed";
      })();
      return { passed, ...(verdict !== undefined && { verdict }), totals, ...(usage !== undefined && { usage }) };
    },
  };
}
