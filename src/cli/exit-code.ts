// Owns the exit code of a run: 130 or 143 where a signal ended it, then 2, then 1, then 3, then 0.

import type { ReportHead } from "../core/report.ts";

export interface Ended {
  /** 130 or 143. */
  readonly interrupted: number | undefined;
  /** Files that could not be run, or a report that could not be written. */
  readonly problems: number;
  readonly runs: readonly { readonly head: ReportHead; readonly strict: boolean }[];
}

/** Ways of stopping that are no mistake of whoever gave the command. */
const STOPPED = new Set(["cancelled", "bail_reached", "max_time_reached"]);

export function exitCodeOf({ interrupted, problems, runs }: Ended): number {
  if (interrupted !== undefined) return interrupted;
  if (problems > 0 || runs.some(({ head }) => isMistake(head))) return 2;
  // A strict run fails by a missed threshold, as by a check.
  if (runs.some(({ head, strict }) => head.totals.failed > 0 || (strict && head.totals.scored > 0))) return 1;
  const concluded = runs.length > 0 && runs.every(({ head }) => head.passed && head.error === undefined && !reporterFailed(head));
  return concluded ? 0 : 3;
}

function isMistake({ error }: ReportHead): boolean {
  return error !== undefined && error.stage === "selection" && !STOPPED.has(error.code);
}

function reporterFailed({ warnings = [] }: ReportHead): boolean {
  return warnings.some(({ code }) => code === "reporter_failed");
}
