// Owns the comparison of two runs from their reports: paired by scenario, clustered by suite where there are several, nothing dropped.

import type { ComparableRun, ComparableScenario, Comparison, ComparisonGroup, ComparisonSide, ScenarioChange, ScenarioRef } from "../core/comparison.ts";
import type { Report, Warning } from "../core/report.ts";
import { compareScenarios } from "../stats/compare-scenarios.ts";
import type { ScenarioPair } from "../stats/comparison.ts";
import { nestedRate } from "../stats/nested.ts";
import { comparableRun, isReport, shownContent } from "./comparable-run.ts";
import { comparisonWords } from "./comparison-words.ts";
import { flipsBetween } from "./flips.ts";
import { gateOf } from "./gate-of.ts";
import { measureChanges } from "./measure-changes.ts";
import { type ComparedPair, pairScenarios, scoredTrials } from "./pair-scenarios.ts";

export interface CompareOptions {
  /** Confidence of the intervals; 0.95 when absent. */
  readonly level?: number | undefined;
  /** The drop of the pass rate that is put up with, as a share; 0 when absent. */
  readonly margin?: number | undefined;
  /** What to call the two: `baseline`, `#412`, a file. */
  readonly names?: { readonly before?: string | undefined; readonly after?: string | undefined } | undefined;
  /** The family of a scenario whose members share something; by suite when absent, where there are several. */
  readonly clusters?: ((scenario: ScenarioRef) => string | undefined) | undefined;
  /** Whether a scenario that the second run lacks was left out on purpose; never when absent. */
  readonly unselected?: ((scenario: ScenarioRef) => boolean) | undefined;
}

/** One run of one suite, or the runs of several. */
export type ComparedRuns = Report | ComparableRun | readonly (Report | ComparableRun)[];

/**
 * Holds `after` against `before`. A trial counts as passed by its outcome alone; what could not be measured is left out of its scenario's trials and
 * named, never counted as a fail. The verdict and its interval are those of `compareScenarios`; tags and suites have intervals that hold together
 * (Bonferroni). Throws `value_invalid` for a level or margin out of range, or a scenario that a run holds twice.
 */
export function compareReports(before: ComparedRuns, after: ComparedRuns, options: CompareOptions = {}): Comparison {
  const { level = 0.95, margin = 0, names = {}, unselected = () => false } = options;
  const [givenFirst, givenSecond] = [listOf(before), listOf(after)];
  const [first, second] = [runsOf(givenFirst, givenSecond), runsOf(givenSecond, givenFirst)];
  const paired = pairScenarios(first, second, unselected);
  const { compared } = paired;
  const suites = new Set(compared.map(({ suite }) => suite));
  const cluster = options.clusters ?? (suites.size > 1 ? ({ suite }: ScenarioRef) => suite : () => undefined);
  const pairs = compared.map((pair) => statisticsOf(pair, cluster));
  const numbers = compareScenarios(pairs, { level, margin });
  const certain = new Set([...numbers.certainlyWorse, ...numbers.certainlyBetter]);
  const changes = compared.map((pair) => changeOf(pair, certain));
  const moved = changes.map(({ before: old, after: now }) => now.passed * old.scored - old.passed * now.scored);
  const { verdict, difference, interval, p, scenarios, worse, better, same, method, unit, units, smallestDrop, trialsNeeded } = numbers;
  const stayed = changes.filter((_, at) => moved[at] === 0);
  const comparison = {
    verdict,
    before: sideOf(first, names.before ?? "before", compared.map((pair) => pair.before), level),
    after: sideOf(second, names.after ?? "after", compared.map((pair) => pair.after), level),
    level,
    margin,
    difference,
    interval,
    p,
    scenarios,
    worse,
    better,
    same,
    method,
    unit,
    units,
    smallestDrop,
    trialsNeeded,
    gotWorse: changes.filter((_, at) => (moved[at] as number) < 0),
    gotBetter: changes.filter((_, at) => (moved[at] as number) > 0),
    alsoChanged: stayed.filter((change) => !isSame(change)),
    unchanged: stayed.filter(isSame).map(({ suite, id }) => ({ suite, id })),
    stillNotPassing: compared.filter((pair) => pair.before.outcome !== "passed" && pair.after.outcome !== "passed").map(refOf),
    renamed: paired.renamed,
    missing: paired.missing,
    new: paired.new,
    revised: compared.filter((pair) => pair.from === undefined && pair.before.revision !== undefined && pair.after.revision !== undefined && pair.before.revision !== pair.after.revision).map(refOf),
    notCompared: paired.notCompared,
    groups: groupsOf(compared, pairs, suites, level, margin),
    measures: measureChanges(compared, level),
    warnings: [...paired.warnings, ...warningsOf(first, second, compared)],
  } satisfies Omit<Comparison, "gate" | "words">;
  const gate = gateOf(comparison, second);
  return { ...comparison, gate, words: comparisonWords(comparison) };
}

function listOf(runs: ComparedRuns): readonly (Report | ComparableRun)[] {
  return Array.isArray(runs) ? (runs as readonly (Report | ComparableRun)[]) : [runs as Report | ComparableRun];
}

/** What a report shows of its scenarios' content is worked out only where an id is on one side alone. */
function runsOf(runs: readonly (Report | ComparableRun)[], others: readonly (Report | ComparableRun)[]): readonly ComparableRun[] {
  const idsOf = (list: readonly (Report | ComparableRun)[]): ReadonlySet<string> => new Set(list.flatMap(({ scenarios }: Report | ComparableRun) => (scenarios as readonly { readonly id: string }[]).map(({ id }) => id)));
  const [own, foreign] = [idsOf(runs), idsOf(others)];
  const alike = own.size === foreign.size && [...own].every((id) => foreign.has(id));
  return runs.map((run) => {
    if (!isReport(run)) return run;
    const contents = new Map(alike ? [] : run.scenarios.map((scenario) => [scenario.id, shownContent(scenario)]));
    return comparableRun(run, run.scenarios, { scenario: (id) => ({ content: contents.get(id) }) });
  });
}

const keyOf = ({ suite, id }: ScenarioRef): string => JSON.stringify([suite, id]);
const refOf = ({ suite, id }: ScenarioRef): ScenarioRef => ({ suite, id });

function statisticsOf(pair: ComparedPair, cluster: (scenario: ScenarioRef) => string | undefined): ScenarioPair {
  const count = (scenario: ComparableScenario): ScenarioPair["before"] => ({ passed: scenario.trials.passed, scored: scoredTrials(scenario) });
  return { id: keyOf(pair), before: count(pair.before), after: count(pair.after), cluster: cluster(refOf(pair)) };
}

function changeOf(pair: ComparedPair, certain: ReadonlySet<string>): ScenarioChange {
  const side = (scenario: ComparableScenario): ScenarioChange["before"] => ({ outcome: scenario.outcome, passed: scenario.trials.passed, scored: scoredTrials(scenario) });
  return { ...refOf(pair), ...(pair.from !== undefined && { from: pair.from }), before: side(pair.before), after: side(pair.after), certain: certain.has(keyOf(pair)), flips: flipsBetween(pair.before, pair.after) };
}

function isSame({ before, after, flips }: ScenarioChange): boolean {
  return flips.length === 0 && before.outcome === after.outcome;
}

function sideOf(runs: readonly ComparableRun[], name: string, compared: readonly ComparableScenario[], level: number): ComparisonSide {
  const rate = nestedRate(compared.map((scenario) => ({ passed: scenario.trials.passed, scored: scoredTrials(scenario) })), level);
  const trials = compared.reduce<readonly [number, number] | undefined>((range, scenario) => {
    const own = scoredTrials(scenario);
    return range === undefined ? [own, own] : [Math.min(range[0], own), Math.max(range[1], own)];
  }, undefined);
  const [first] = runs;
  const common = <Value>(read: (run: ComparableRun) => Value | undefined): Value | undefined => (first !== undefined && runs.every((run) => JSON.stringify(read(run)) === JSON.stringify(read(first))) ? read(first) : undefined);
  const [subject, variant, judge] = [common((run) => run.subject), common((run) => run.variant), common((run) => run.judge)];
  return {
    name,
    suites: runs.map(({ suiteId }) => suiteId),
    runIds: runs.flatMap(({ runId }) => runId ?? []),
    ...(first?.startedAt !== undefined && { startedAt: first.startedAt }),
    ...(subject !== undefined && { subject }),
    ...(variant !== undefined && { variant }),
    ...(judge !== undefined && { judge }),
    scenarios: runs.reduce((sum, run) => sum + run.scenarios.length, 0),
    ...(trials !== undefined && { trials }),
    ...(rate !== null && { rate: { rate: rate.rate, interval: rate.interval, trials: rate.trials } }),
  };
}

/** Tags, and suites where there are several: those that are neither empty nor all. */
function groupsOf(compared: readonly ComparedPair[], pairs: readonly ScenarioPair[], suites: ReadonlySet<string>, level: number, margin: number): readonly ComparisonGroup[] {
  const members = new Map<string, { readonly kind: "tag" | "suite"; readonly name: string; readonly pairs: ScenarioPair[] }>();
  const add = (kind: "tag" | "suite", name: string, pair: ScenarioPair): void => {
    const key = JSON.stringify([kind, name]);
    const group = members.get(key) ?? { kind, name, pairs: [] };
    members.set(key, group);
    group.pairs.push(pair);
  };
  for (const [at, { suite, before, after }] of compared.entries()) {
    const pair = pairs[at] as ScenarioPair;
    if (suites.size > 1) add("suite", suite, pair);
    for (const tag of new Set(after.tags ?? before.tags ?? [])) add("tag", tag, pair);
  }
  const groups = [...members.values()].filter((group) => group.pairs.length < compared.length).toSorted((a, b) => Number(a.kind === "tag") - Number(b.kind === "tag") || (a.name < b.name ? -1 : 1));
  return groups.map(({ kind, name, pairs: own }) => {
    const { verdict, difference, interval, p, scenarios, worse, better, same } = compareScenarios(own, { level: 1 - (1 - level) / groups.length, margin });
    return { kind, name, verdict, difference, interval, p, scenarios, worse, better, same };
  });
}

function warningsOf(before: readonly ComparableRun[], after: readonly ComparableRun[], compared: readonly ComparedPair[]): readonly Warning[] {
  const warnings: Warning[] = [];
  const judges = (runs: readonly ComparableRun[]): string => JSON.stringify([...new Set(runs.flatMap(({ judge }) => (judge === undefined ? [] : [judge.fingerprint ?? judge.model ?? judge.modelClass ?? ""])))].toSorted());
  const judged = compared.some((pair) => pair.before.claims !== undefined || pair.after.claims !== undefined);
  if (judged && judges(before) !== judges(after)) warnings.push({ code: "judge_changed", message: "the two runs were not judged by the same judge, so part of the difference may be its own" });
  const early = compared.filter((pair) => pair.before.stoppedEarly === true || pair.after.stoppedEarly === true).length;
  if (early > 0) warnings.push({ code: "trials_stopped_early", message: `a stopping rule ended the trials of ${early === 1 ? "one scenario" : `${early} scenarios`} early, which pulls their pass rates apart a little` });
  const partly = compared.filter(({ after: { trials } }) => trials.errored + trials.cancelled > 0).length;
  if (partly > 0) warnings.push({ code: "trials_not_measured", message: `${partly === 1 ? "one compared scenario has trials" : `${partly} compared scenarios have trials`} that errored or were cancelled; they are left out of its rate` });
  return warnings;
}
