// Owns what else changed between two runs: cost, time, tokens, calls and scores, paired by scenario.

import type { ComparableScenario, MeasureChange } from "../core/comparison.ts";
import { tOf } from "../stats/student.ts";

/** Fewer say nothing of their spread. */
const LEAST_SCENARIOS = 5;

export interface ScenariosOfBoth {
  readonly before: ComparableScenario;
  readonly after: ComparableScenario;
}

/**
 * The change of each measure over the scenarios in which both sides know it. Of a score it is the mean of the paired differences with Student's interval;
 * of the others the ratio of the means less 1, whose error is that of the ratio estimator, `√(Σ (y - R x)² / (n (n - 1))) / mean(x)` (Cochran 1977,
 * section 6.3). Fewer than five scenarios have no interval.
 */
export function measureChanges(pairs: readonly ScenariosOfBoth[], level: number): readonly MeasureChange[] {
  const known = (read: (scenario: ComparableScenario) => number | undefined): readonly (readonly [number, number])[] =>
    pairs.flatMap(({ before, after }) => {
      const [first, second] = [read(before), read(after)];
      return first === undefined || second === undefined ? [] : [[first, second] as const];
    });
  return [
    ...ratio("cost", known(({ cost }) => cost), level),
    ...ratio("duration", known(({ durationMs }) => durationMs), level),
    ...ratio("tokens", known(({ tokens }) => tokens), level),
    ...ratio("tool_calls", known(({ toolCalls }) => toolCalls), level),
    ...scorersOf(pairs).flatMap((base) => difference(base, known((scenario) => scoreOf(scenario, base)), level)),
  ];
}

function ratio(measure: MeasureChange["measure"], values: readonly (readonly [number, number])[], level: number): readonly MeasureChange[] {
  const n = values.length;
  if (n === 0) return [];
  const before = mean(values.map(([first]) => first));
  const after = mean(values.map(([, second]) => second));
  if (before === 0) return [{ measure, before, after, change: after === 0 ? 0 : null, scenarios: n }];
  const rate = after / before;
  const error = Math.sqrt(values.reduce((sum, [first, second]) => sum + (second - rate * first) ** 2, 0) / (n * (n - 1))) / before;
  const change = rate - 1;
  return [{ measure, before, after, change, ...around(change, error, n, level), scenarios: n }];
}

function difference(name: string, values: readonly (readonly [number, number])[], level: number): readonly MeasureChange[] {
  const n = values.length;
  if (n === 0) return [];
  const change = mean(values.map(([first, second]) => second - first));
  const error = Math.sqrt(values.reduce((sum, [first, second]) => sum + (second - first - change) ** 2, 0) / (n * (n - 1)));
  return [{ measure: "score", name, before: mean(values.map(([first]) => first)), after: mean(values.map(([, second]) => second)), change, ...around(change, error, n, level), scenarios: n }];
}

function around(change: number, error: number, n: number, level: number): Pick<MeasureChange, "interval"> {
  if (n < LEAST_SCENARIOS) return {};
  const half = tOf(level, n - 1) * error;
  return { interval: [Math.max(-1, change - half), change + half] };
}

function scorersOf(pairs: readonly ScenariosOfBoth[]): readonly string[] {
  return [...new Set(pairs.flatMap(({ before }) => (before.scores ?? []).filter(({ kind }) => kind === "scorer").map(({ base }) => base)))].toSorted();
}

/** Of all answers of one scorer within a scenario. */
function scoreOf({ scores = [] }: ComparableScenario, base: string): number | undefined {
  const own = scores.filter((score) => score.kind === "scorer" && score.base === base).flatMap(({ score }) => score ?? []);
  return own.length === 0 ? undefined : mean(own);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
