// Owns the reporter port: who watches a run go on.

import type { ReportHead, ScenarioReport, TrialReport, Warning } from "./report.ts";

export interface RunStarted {
  readonly runId: string;
  readonly suiteId: string;
  readonly startedAt: string;
  /** How many scenarios were selected. */
  readonly scenarios: number;
  readonly trials: number;
}

/** May be called while other calls of it are still going on; every promise it returns is awaited before the run resolves. */
export interface Reporter {
  readonly name?: string | undefined;
  runStarted?(run: RunStarted): void | Promise<void>;
  scenarioStarted?(id: string, startedAt: string): void | Promise<void>;
  trialFinished?(id: string, trial: TrialReport): void | Promise<void>;
  /** Exactly once for each selected scenario, whatever became of it. */
  scenarioFinished?(report: ScenarioReport): void | Promise<void>;
  warning?(warning: Warning): void | Promise<void>;
  runFinished?(head: ReportHead): void | Promise<void>;
}
