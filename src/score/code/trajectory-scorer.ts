// Owns the trajectory scorer: accuracy, efficiency, failures and forbidden steps in one score.

import { EntailError } from "../../core/error.ts";
import { canonicalJson } from "../../json/write-json.ts";
import { createScorer } from "../create-scorer.ts";
import { notScorable } from "../not-scorable.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { compareTrajectory, type TrajectoryComparison } from "./compare-trajectory.ts";
import { type ExpectedStep, needsTrace, type Trajectory, type TrajectoryExpectation, trajectoryOf, type TrajectoryStep } from "./trajectory.ts";

export interface TrajectoryWeights {
  readonly accuracy?: number | undefined;
  readonly efficiency?: number | undefined;
  readonly toolFailures?: number | undefined;
  readonly blacklist?: number | undefined;
}

export interface TrajectoryScorerOptions {
  /** For every item; what the item itself expects wins member by member. */
  readonly defaults?: TrajectoryExpectation | undefined;
  /** 0.4, 0.3, 0.2 and 0.1 when absent. */
  readonly weights?: TrajectoryWeights | undefined;
  readonly id?: string | undefined;
}

interface Level {
  readonly score: number;
  readonly accuracy?: TrajectoryComparison;
  readonly efficiency?: number;
  readonly toolFailures?: number;
  readonly blacklist?: readonly string[];
  readonly nested?: readonly { readonly stepName: string; readonly score: number }[];
}

/**
 * The weighted mean of those parts that the expectation speaks of; 0 where a forbidden step was taken. Efficiency is the mean of its terms, `1 - overrun / limit`
 * each, and 1 less 0.2 for each call that repeats the one before. Failures cost 0.2 for each retry of a failed call beyond the limit. Expectations of a
 * step's children count 30%. Where nothing is expected, or nothing was done at all, there is nothing to score.
 */
export function createTrajectoryScorerCode({ defaults = {}, weights = {}, id = "code-trajectory-scorer" }: TrajectoryScorerOptions = {}): ScorerBuilder {
  return createScorer({ id, base: "code-trajectory-scorer", name: "Trajectory Scorer", description: "How far the steps taken are the expected ones, how few, how sound, and none forbidden.", type: "trajectory" })
    .preprocess(({ run }) => {
      const expectation: TrajectoryExpectation = { ...defaults, ...(run.expectedTrajectory as TrajectoryExpectation | undefined) };
      if (!speaks(expectation)) return notScorable("no trajectory is expected");
      const trajectory = trajectoryOf(run, { traced: expectation.maxTotalTokens !== undefined || needsTrace(expectation.steps ?? []) });
      const raw = trajectory.rawOutput;
      const idle = trajectory.steps.length === 0 && (raw === undefined || (Array.isArray(raw) && raw.length === 0));
      if (idle && (expectation.steps ?? []).length === 0) return notScorable("there is no step and no message, so nothing was shown");
      return levelOf(expectation, trajectory, weights);
    })
    .generateScore(({ results }) => results.preprocessStepResult.score)
    .generateReason(({ results: { preprocessStepResult: level } }) => reasonOf(level)) as ScorerBuilder;
}

function reasonOf({ accuracy, efficiency, toolFailures, blacklist, nested }: Level): string {
  if (blacklist !== undefined && blacklist.length > 0) return `forbidden: ${blacklist.join(", ")}`;
  const parts = [
    ...(accuracy === undefined ? [] : [`accuracy ${accuracy.score} (${accuracy.matchedSteps} of ${accuracy.totalExpectedSteps})`]),
    ...(efficiency === undefined ? [] : [`efficiency ${Math.round(efficiency * 1000) / 1000}`]),
    ...(toolFailures === undefined ? [] : [`failures ${Math.round(toolFailures * 1000) / 1000}`]),
    ...(blacklist === undefined ? [] : ["nothing forbidden"]),
    ...(nested ?? []).map(({ stepName, score }) => `within ${stepName} ${score}`),
  ];
  return parts.join(", ");
}

function speaks(expectation: TrajectoryExpectation): boolean {
  return (expectation.steps ?? []).length > 0 || budgeted(expectation) || forbids(expectation);
}

function budgeted({ maxSteps, maxTotalTokens, maxTotalDurationMs, noRedundantCalls }: TrajectoryExpectation): boolean {
  return [maxSteps, maxTotalTokens, maxTotalDurationMs].some((limit) => limit !== undefined) || noRedundantCalls !== undefined;
}

function forbids({ blacklistedTools = [], blacklistedSequences = [] }: TrajectoryExpectation): boolean {
  return blacklistedTools.length > 0 || blacklistedSequences.length > 0;
}

function levelOf(expectation: TrajectoryExpectation, trajectory: Trajectory, weights: TrajectoryWeights): Level {
  const { steps: expected = [], ordering = "relaxed", allowRepeatedSteps = true } = expectation;
  const { steps } = trajectory;
  const accuracy = expected.length === 0 ? undefined : compareTrajectory(expected, steps, { ordering, allowRepeatedSteps });
  const efficiency = budgeted(expectation) ? efficiencyOf(expectation, trajectory) : undefined;
  const toolFailures = failuresOf(expectation, steps);
  const blacklist = forbids(expectation) ? forbiddenIn(expectation, steps) : undefined;
  const nested = nestedOf(expected, steps, weights);
  const parts = { ...(accuracy && { accuracy }), ...(efficiency === undefined ? {} : { efficiency }), ...(toolFailures === undefined ? {} : { toolFailures }), ...(blacklist && { blacklist }), ...(nested.length > 0 && { nested }) };
  if (blacklist !== undefined && blacklist.length > 0) return { score: 0, ...parts };
  const terms = [
    [weights.accuracy ?? 0.4, accuracy?.score],
    [weights.efficiency ?? 0.3, efficiency],
    [weights.toolFailures ?? 0.2, toolFailures],
    [weights.blacklist ?? 0.1, blacklist === undefined ? undefined : 1],
  ].filter((term): term is [number, number] => term[1] !== undefined);
  const whole = terms.reduce((sum, [weight]) => sum + weight, 0);
  const here = whole === 0 ? 0 : terms.reduce((sum, [weight, value]) => sum + weight * value, 0) / whole;
  const within = nested.reduce((sum, { score }) => sum + score, 0) / Math.max(1, nested.length);
  return { score: Math.round((nested.length === 0 ? here : 0.7 * here + 0.3 * within) * 100) / 100, ...parts };
}

function efficiencyOf({ maxSteps, maxTotalTokens, maxTotalDurationMs, noRedundantCalls = true }: TrajectoryExpectation, { steps, totalDurationMs }: Trajectory): number {
  const within = (taken: number, limit: number): number => (taken <= limit ? 1 : Math.max(0, 1 - (taken - limit) / Math.max(limit, 1)));
  const terms: number[] = [];
  if (maxSteps !== undefined) terms.push(within(steps.length, maxSteps));
  if (maxTotalTokens !== undefined) terms.push(within(tokensOf(steps), maxTotalTokens));
  if (maxTotalDurationMs !== undefined) {
    if (totalDurationMs === undefined) throw new EntailError("not_observable", "the trajectory does not say how long it took, so maxTotalDurationMs cannot be held against it", { stage: "score" });
    terms.push(within(totalDurationMs, maxTotalDurationMs));
  }
  if (noRedundantCalls) {
    const redundant = steps.filter((step, at) => at > 0 && step.stepType.endsWith("tool_call") && sameCall(step, steps[at - 1])).length;
    terms.push(Math.max(0, 1 - 0.2 * redundant));
  }
  return terms.length === 0 ? 1 : terms.reduce((sum, term) => sum + term, 0) / terms.length;
}

function sameCall(a: TrajectoryStep, b: TrajectoryStep | undefined): boolean {
  return b !== undefined && a.name === b.name && canonicalJson(a.toolArgs ?? null) === canonicalJson(b.toolArgs ?? null);
}

function tokensOf(steps: readonly TrajectoryStep[]): number {
  const counts = steps.filter((step) => step.stepType === "model_generation").map(({ promptTokens, completionTokens }) => [promptTokens, completionTokens]);
  if (counts.length === 0 || counts.flat().some((count) => typeof count !== "number")) {
    throw new EntailError("not_observable", "the trajectory does not say how many tokens it took, so maxTotalTokens cannot be held against it", { stage: "score" });
  }
  return (counts.flat() as number[]).reduce((sum, count) => sum + count, 0);
}

/** `undefined` where no tool was retried more often than allowed. */
function failuresOf({ maxRetriesPerTool = 2 }: TrajectoryExpectation, steps: readonly TrajectoryStep[]): number | undefined {
  const failing = new Set<string>();
  const retries = new Map<string, number>();
  for (const { name, success } of steps) {
    if (failing.has(name)) retries.set(name, (retries.get(name) ?? 0) + 1);
    if (success === false) failing.add(name);
    else failing.delete(name);
  }
  const beyond = [...retries.values()].reduce((sum, count) => sum + Math.max(0, count - maxRetriesPerTool), 0);
  return beyond === 0 ? undefined : Math.max(0, 1 - 0.2 * beyond);
}

function forbiddenIn({ blacklistedTools = [], blacklistedSequences = [] }: TrajectoryExpectation, steps: readonly TrajectoryStep[]): readonly string[] {
  const names = namesIn(steps);
  const tools = blacklistedTools.filter((name) => names.includes(name));
  const calls = steps.filter((step) => step.stepType !== "model_generation").map((step) => step.name);
  const sequences = blacklistedSequences.filter((sequence) => sequence.length > 0 && calls.some((_, at) => sequence.every((name, offset) => calls[at + offset] === name)));
  return [...tools, ...sequences.map((sequence) => sequence.join(" > "))];
}

/** At whatever depth: a forbidden tool is forbidden within a sub-agent too. */
function namesIn(steps: readonly TrajectoryStep[]): readonly string[] {
  return steps.flatMap((step) => [step.name, ...namesIn(step.children ?? [])]);
}

function nestedOf(expected: readonly ExpectedStep[], actual: readonly TrajectoryStep[], weights: TrajectoryWeights): readonly { readonly stepName: string; readonly score: number }[] {
  return expected.flatMap(({ name, stepType, children }) => {
    if (children === undefined || !speaks(children)) return [];
    const step = actual.find((taken) => taken.name === name && (stepType === undefined || taken.stepType === stepType));
    if (step?.children === undefined || step.children.length === 0) return [{ stepName: name, score: 0 }];
    const trajectory: Trajectory = { steps: step.children, ...(step.durationMs === undefined ? {} : { totalDurationMs: step.durationMs }) };
    return [{ stepName: name, score: levelOf(children, trajectory, weights).score }];
  });
}
