// Owns the totals of a run as they are counted from its stored scenarios.

import type { SQLInputValue } from "node:sqlite";
import { STAGES, type Stage } from "../core/error.ts";
import { type Outcome, OUTCOMES } from "../core/outcome.ts";
import type { Totals } from "../core/report.ts";

export type Select = (text: string, ...values: readonly SQLInputValue[]) => readonly Readonly<Record<string, unknown>>[];

export function storedTotals(run: number, select: Select): Totals {
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  const errors = Object.fromEntries(STAGES.map((stage) => [stage, 0])) as Record<Stage, number>;
  let scenarios = 0;
  for (const { outcome, n } of select("SELECT outcome, count(*) AS n FROM scenario WHERE run = ? AND outcome IS NOT NULL GROUP BY outcome", run)) {
    counts[outcome as Outcome] = Number(n);
    scenarios += Number(n);
  }
  if (counts.errored > 0) {
    for (const { stage, n } of select("SELECT error_stage AS stage, count(*) AS n FROM scenario WHERE run = ? AND outcome = 'errored' GROUP BY error_stage", run)) {
      if (typeof stage === "string" && Object.hasOwn(errors, stage)) errors[stage as Stage] = Number(n);
    }
  }
  return { scenarios, ...counts, errors };
}
