// Owns the counting of a run's judged claims, scenario by scenario, so that none need be kept.

import { isLabel, type Label } from "../core/label.ts";
import type { ScenarioReport } from "../core/report.ts";
import { judgedClaims } from "./judged-claim.ts";

/** Counts the judged claims of scenarios as they finish, and keeps none of them. */
export interface JudgedTally {
  add(report: ScenarioReport): void;
  /** Trials whose judge got its control claim wrong. */
  compromised(): number;
  /** By the label that claims expect; empty where nothing was judged. */
  counts(): ReadonlyMap<Label, JudgedCounts>;
}

export interface JudgedCounts {
  readonly labels: Record<Label, number>;
  /** Sums over scenarios of passed², passed × judged and judged²: what their likeness follows from. */
  readonly squares: { passed: number; both: number; judged: number };
  scenarios: number;
}

export function createJudgedTally(): JudgedTally {
  const groups = new Map<Label, JudgedCounts>();
  let compromised = 0;
  return {
    add(report) {
      compromised += (report.trials ?? [report]).filter(({ error }) => error?.code === "judge_compromised").length;
      const own = new Map<Label, { passed: number; judged: number }>();
      for (const { expect, judgment } of judgedClaims(report)) {
        if (!isLabel(judgment.label)) continue;
        const group = groups.get(expect) ?? { labels: { entailed: 0, contradicted: 0, not_addressed: 0, indeterminate: 0 }, squares: { passed: 0, both: 0, judged: 0 }, scenarios: 0 };
        groups.set(expect, group);
        group.labels[judgment.label] += 1;
        const counts = own.get(expect) ?? { passed: 0, judged: 0 };
        own.set(expect, { passed: counts.passed + (judgment.label === expect ? 1 : 0), judged: counts.judged + 1 });
      }
      for (const [expect, { passed, judged }] of own) {
        const { squares } = groups.get(expect) as JudgedCounts;
        squares.passed += passed ** 2;
        squares.both += passed * judged;
        squares.judged += judged ** 2;
        (groups.get(expect) as JudgedCounts).scenarios += 1;
      }
    },
    compromised: () => compromised,
    counts: () => groups,
  };
}
