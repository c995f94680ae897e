// Owns what a run is held against: its baselines, which then decide how it ends, and its own variants.

import type { Comparison, Matrix } from "../core/comparison.ts";
import { EntailError } from "../core/error.ts";
import type { EvaluationOptions } from "../evaluation.ts";
import { comparableRun } from "../report/comparable-run.ts";
import { compareVariants } from "../report/compare-variants.ts";
import { baselinesIn } from "./baseline-file.ts";
import { openGate } from "./baseline-gate.ts";
import type { FlagValues } from "./command-line.ts";
import type { Desk } from "./desk.ts";
import type { Project } from "./project.ts";
import type { SuiteRun } from "./report-parts.ts";
import { writeComparison } from "./terminal/comparison-text.ts";
import { writeMatrix } from "./terminal/matrix-text.ts";
import type { EndingComparison } from "./terminal/summary-text.ts";

export interface RunComparison {
  /** With the baselines, where `--baseline` was given; it alone decides the exit code. */
  readonly comparison?: Comparison | undefined;
  /** One a suite that has several variants, with `--matrix`. */
  readonly matrices?: readonly Matrix[] | undefined;
}

export interface RunComparisonOptions {
  readonly flags: FlagValues;
  readonly project: Project;
  readonly desk: Desk;
  readonly suites: readonly { readonly options: EvaluationOptions }[];
  /** Ids of suites of which nothing was selected. */
  readonly left: readonly string[];
  /** Every eval file of the project takes part. */
  readonly whole: boolean;
}

export interface PreparedComparison {
  of(ran: readonly SuiteRun[]): RunComparison;
  /** How it reads at the end of a run. */
  ending(compared: RunComparison): EndingComparison;
}

/** Reads what the run will be compared with, before anything runs. Throws `usage_invalid`, `baseline_missing` or `baseline_unreadable`. */
export function prepareComparison(options: RunComparisonOptions): PreparedComparison {
  return {
    of: preparedOf(options),
    ending: ({ comparison, matrices = [] }) => ({
      gate: comparison?.gate.exitCode,
      write(page, marks, clean) {
        if (comparison !== undefined) writeComparison(page, comparison, marks, clean);
        for (const matrix of matrices) writeMatrix(page, matrix, marks, clean);
      },
    }),
  };
}

function preparedOf({ flags, project, desk, suites, left, whole }: RunComparisonOptions): (ran: readonly SuiteRun[]) => RunComparison {
  const { baseline, matrix, margin, level } = flags as { readonly baseline?: string; readonly matrix?: true; readonly margin?: number; readonly level?: number };
  if (baseline !== undefined && matrix === true) throw new EntailError("usage_invalid", "--baseline and --matrix cannot be given together: a baseline is of one variant");
  if (baseline === undefined && matrix !== true && (margin !== undefined || level !== undefined)) throw new EntailError("usage_invalid", `${margin === undefined ? "--level" : "--margin"} belongs to a comparison: give --baseline or --matrix as well`);
  if (matrix === true) return (ran) => ({ matrices: matricesOf(ran, level, margin) });
  if (baseline === undefined) return () => ({});
  const gate = openGate({
    path: baselinesIn(baseline, desk.cwd, project.root),
    cwd: desk.cwd,
    level,
    margin,
    suites: suites.map(({ options: { suite, subject } }) => ({ suite, subject })),
    left,
    whole,
  });
  for (const id of gate.without) desk.view.warning({ code: "baseline_missing", message: `suite ${id} has no baseline, so all of it counts as new and none of it fails the run; npx entail baseline accept keeps one` });
  return (ran) => ({ comparison: gate.compare(ran) });
}

function matricesOf(ran: readonly SuiteRun[], level: number | undefined, margin: number | undefined): readonly Matrix[] {
  const bySuite = Map.groupBy(ran.filter(({ head }) => head.variant !== undefined), ({ head }) => head.suiteId);
  return [...bySuite.values()].filter((runs) => runs.length > 1).map((runs) => compareVariants(runs.map(({ head, scenarios }) => comparableRun(head, scenarios())), { level, margin }));
}
