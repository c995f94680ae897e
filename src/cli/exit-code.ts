// Owns the exit code of a run: 130 or 143 where a signal ended it, then 2, then 1, then 3, then 0.

import type { ReportHead } from "../core/report.ts";

export interface Ended {
  /** 130 or 143. */
  readonly interrupted: number | undefined;
  /** Files that could not be run, or a report that could not be written. */
  readonly problems: number;
  /** What a gate says, where the run was compared with its baseline: it alone decides then. */
  readonly gate?: 0 | 1 | 3 | undefined;
  readonly runs: readonly Ran[];
}

interface Ran {
  readonly head: ReportHead;
  readonly strict: boolean;
  /** A suite of data: its verdict says whether a threshold is missed, not each of its items. */
  readonly data?: boolean | undefined;
}

const missed = ({ head, data = false }: Ran): boolean => (data ? head.verdict === "scored" : head.totals.scored > 0);

/** Ways of stopping that are no mistake of whoever gave the command. */
const STOPPED = new Set(["cancelled", "bail_reached", "max_time_reached", "budget_reached"]);

export function exitCodeOf({ interrupted, problems, gate, runs }: Ended): number {
  if (interrupted !== undefined) return interrupted;
  if (problems > 0 || runs.some(({ head }) => isMistake(head))) return 2;
  if (gate !== undefined) return gate === 0 && runs.some(({ head }) => reporterFailed(head)) ? 3 : gate;
  // A strict run fails by a missed threshold, as by a check.
  if (runs.some((run) => run.head.totals.failed > 0 || (run.strict && missed(run)))) return 1;
  const concluded = runs.length > 0 && runs.every(({ head }) => head.passed && head.error === undefined && !reporterFailed(head));
  return concluded ? 0 : 3;
}

/** A suite that could not begin, for a mistake in what it declares. */
export function isMistake({ error }: ReportHead): boolean {
  return error !== undefined && error.stage === "selection" && !STOPPED.has(error.code);
}

function reporterFailed({ warnings = [] }: ReportHead): boolean {
  return warnings.some(({ code }) => code === "reporter_failed");
}
