// Owns the trajectory: the steps that an agent took, read from its messages, and what is expected of them.

import { EntailError } from "../../core/error.ts";
import { listMember, listOf, member, recordOf, textMember } from "../../core/member.ts";
import type { ScorerRun } from "../../core/scorer.ts";
import { sameJson } from "../../json/write-json.ts";
import { callsIn, requireNames, requireWhole } from "../observed.ts";

export interface TrajectoryStep {
  readonly name: string;
  /** `tool_call`, or one of Mastra's others. */
  readonly stepType: string;
  readonly durationMs?: number | undefined;
  readonly children?: readonly TrajectoryStep[] | undefined;
  readonly toolArgs?: unknown;
  readonly toolResult?: unknown;
  readonly success?: boolean | undefined;
  readonly [member: string]: unknown;
}

export interface Trajectory {
  readonly steps: readonly TrajectoryStep[];
  readonly totalDurationMs?: number | undefined;
  /** The messages that it was read from. */
  readonly rawOutput?: unknown;
}

export type Ordering = "strict" | "relaxed" | "unordered";

/** A step by its name. Where `stepType` is given it must be the same, and so must each further member (`toolArgs`), whatever the order of its own members. */
export interface ExpectedStep {
  readonly name: string;
  readonly stepType?: string | undefined;
  readonly children?: TrajectoryExpectation | undefined;
  readonly [member: string]: unknown;
}

export interface TrajectoryExpectation {
  readonly steps?: readonly ExpectedStep[] | undefined;
  /** `relaxed` when absent: others may stand between. `strict`: these and no others. `unordered`: all of them, in any order. */
  readonly ordering?: Ordering | undefined;
  /** True when absent. */
  readonly allowRepeatedSteps?: boolean | undefined;
  readonly maxSteps?: number | undefined;
  readonly maxTotalTokens?: number | undefined;
  readonly maxTotalDurationMs?: number | undefined;
  /** True when absent: the same call twice in a row costs. */
  readonly noRedundantCalls?: boolean | undefined;
  readonly blacklistedTools?: readonly string[] | undefined;
  /** Names right after one another. */
  readonly blacklistedSequences?: readonly (readonly string[])[] | undefined;
  /** 2 when absent. */
  readonly maxRetriesPerTool?: number | undefined;
}

/**
 * The trajectory of a run: its tool calls as its messages tell them. A run whose output is a trajectory already is read from the messages it came from,
 * so that tracing changes nothing; where there are none, or with `traced`, as it is, but for a model's generations: its steps stand for it, or with `traced`
 * after it. Throws where messages or calls could not be read.
 */
export function trajectoryOf(run: ScorerRun, { traced = false }: { readonly traced?: boolean } = {}): Trajectory {
  const steps = listMember(run.output, "steps");
  if (steps === undefined || textMember(run.output, "role") !== undefined) return fromMessages(run);
  const raw = member(run.output, "rawOutput");
  if (!traced && (listOf(raw)?.length ?? 0) > 0 && steps.every(isAgentStep)) return { ...fromMessages({ ...run, output: raw }), ...durationOf(run.output) };
  return { steps: lifted(steps.map((step, at) => readStep(step, `steps[${at}]`)), traced), ...durationOf(run.output), ...(raw === undefined ? {} : { rawOutput: raw }) };
}

const AGENT_STEPS: ReadonlySet<unknown> = new Set(["tool_call", "mcp_tool_call", "provider_tool_call", "model_generation"]);

function isAgentStep(step: unknown): boolean {
  return AGENT_STEPS.has(member(step, "stepType"));
}

function durationOf(output: unknown): { readonly totalDurationMs?: number } {
  const duration = member(output, "totalDurationMs");
  return typeof duration === "number" ? { totalDurationMs: duration } : {};
}

function fromMessages(run: ScorerRun): Trajectory {
  const seen = callsIn(run);
  requireWhole({ unread: seen.unread, what: "the steps taken" }, run.evidence);
  requireNames(seen.calls, "the steps taken");
  const steps = seen.calls.map((call): TrajectoryStep => ({
    stepType: "tool_call",
    name: call.toolName,
    toolArgs: call.args,
    ...(call.result === undefined ? {} : { toolResult: call.result }),
    success: call.state === "succeeded",
  }));
  return { steps, rawOutput: run.output, ...(run.durationMs === undefined ? {} : { totalDurationMs: run.durationMs }) };
}

function readStep(step: unknown, place: string): TrajectoryStep {
  const name = textMember(step, "name");
  if (name === undefined || recordOf(step) === undefined) throw new EntailError("message_unreadable", `the trajectory's ${place} is no step: it needs a name`, { stage: "score" });
  const children = listMember(step, "children")?.map((child, at) => readStep(child, `${place}.children[${at}]`));
  return { ...(step as object), name, stepType: textMember(step, "stepType") ?? "unknown", ...(children === undefined ? {} : { children }) };
}

/** A trace puts calls below the generation that asked for them; messages know no generations. */
function lifted(steps: readonly TrajectoryStep[], traced: boolean): readonly TrajectoryStep[] {
  return steps.flatMap((step) => (step.stepType === "model_generation" ? [...(traced ? [step] : []), ...lifted(step.children ?? [], traced)] : [step]));
}

/** Messages do not always say who ran a tool. */
function isToolCall(stepType: string): boolean {
  return stepType.endsWith("tool_call");
}

/** True where steps are expected that messages do not tell of. */
export function needsTrace(expected: readonly ExpectedStep[]): boolean {
  return expected.some(({ stepType, children }) => (stepType !== undefined && !isToolCall(stepType)) || children !== undefined);
}

const OWN: ReadonlySet<string> = new Set(["name", "stepType", "children", "durationMs", "metadata"]);

export function matchesStep(expected: ExpectedStep, actual: TrajectoryStep): boolean {
  if (expected.name !== actual.name) return false;
  if (expected.stepType === undefined) return true;
  if (expected.stepType !== actual.stepType && !(isToolCall(expected.stepType) && isToolCall(actual.stepType))) return false;
  return Object.keys(expected).every((name) => OWN.has(name) || expected[name] === undefined || (Object.hasOwn(actual, name) && sameJson(expected[name], actual[name])));
}
