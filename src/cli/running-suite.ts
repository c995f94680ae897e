// Owns what is known of a suite while it runs, for when its end cannot be waited for.

import type { Clock } from "../core/clock.ts";
import type { ReportError, ReportHead, ScenarioReport } from "../core/report.ts";
import type { Reporter } from "../core/reporter.ts";
import type { Scenario } from "../core/suite.ts";
import { totalsOf } from "../report/totals.ts";
import { unstartedReport } from "../run/scenario-report.ts";
import type { SuiteRun } from "./report-parts.ts";
import type { Spool } from "./spool.ts";

export interface RunningSuite {
  /** Sees what the other reporters see. */
  readonly reporter: Reporter;
  /** What finished as it is; what runs is errored, and what has not begun cancelled, with `error`. */
  readonly cutShort: (error: ReportError) => SuiteRun;
}

/** `scenarios` are those that were selected, in their order, which is that of the spool's positions. */
export function watchSuite(suiteId: string, scenarios: readonly Scenario[], spool: Spool, clock: Clock): RunningSuite {
  const begun = new Map<string, { readonly at: string; readonly elapsed: number }>();
  let run: { readonly runId: string; readonly startedAt: string; readonly elapsed: number } | undefined;

  const unfinished = (scenario: Scenario, error: ReportError): ScenarioReport => {
    const start = begun.get(scenario.id);
    if (start === undefined) return unstartedReport(scenario, "cancelled", error);
    return { ...unstartedReport(scenario, "errored", error), startedAt: start.at, durationMs: Math.round(clock.elapsed() - start.elapsed) } as ScenarioReport;
  };

  return {
    reporter: {
      runStarted: ({ runId, startedAt }) => void (run = { runId, startedAt, elapsed: clock.elapsed() }),
      scenarioStarted: (id, at) => void begun.set(id, { at, elapsed: clock.elapsed() }),
      scenarioFinished: ({ id }) => void begun.delete(id),
    },
    cutShort(error) {
      const reports = scenarios.map((scenario, position) => spool.scenario(position) ?? unfinished(scenario, error));
      const now = new Date(clock.now()).toISOString();
      const head: ReportHead = {
        ...(run !== undefined && { runId: run.runId }),
        suiteId,
        startedAt: run?.startedAt ?? now,
        durationMs: run === undefined ? 0 : Math.round(clock.elapsed() - run.elapsed),
        error,
        passed: false,
        totals: totalsOf(reports),
      };
      return { head, scenarios: () => reports };
    },
  };
}
