// Owns the compilation of data: each item becomes a scenario, so that whatever runs scenarios runs conversations.

import type { HookContext } from "../core/context.ts";
import { systemClock, type Clock } from "../core/clock.ts";
import { currentTrial } from "../core/current-trial.ts";
import { EntailError } from "../core/error.ts";
import { isItemId } from "../core/identifier.ts";
import { member, recordOf } from "../core/member.ts";
import type { Result } from "../core/result.ts";
import type { ResolvedModel } from "../core/scorer.ts";
import type { Hooked, ScoredTurn, ScoreStage, Scoring } from "../core/score-stage.ts";
import type { Scenario, Suite } from "../core/suite.ts";
import { addUsage } from "../core/usage.ts";
import { wireSafe } from "../core/wire-safe.ts";
import type { DataItem, ScorerEntry, Scorers } from "./data-item.ts";
import { joinEvidence } from "./join-evidence.ts";
import { noScorers, readMeasures, readScorers, type ReadScorers, type Measure } from "./measure.ts";
import { inputText } from "./messages.ts";
import { type AnyTarget, isWorkflow, openSpeaker } from "./open-speaker.ts";
import { readData, type ReadItem } from "./read-data.ts";
import { savingTo } from "./save-scores.ts";
import { type Measured, referenceOf, scoreConversation, scoredTurn, type ScorePlan } from "./score-conversation.ts";
import { createScoreTally, type ScoreTally } from "./score-tally.ts";
import type { Line, Speaker } from "./speaker.ts";
import { type Conversation, talk } from "./talk.ts";

export interface DataOptions {
  readonly target: AnyTarget;
  /** A list, or what gives one: `dataset("cases.csv")`. */
  readonly data: readonly DataItem[] | PromiseLike<readonly DataItem[]>;
  /** Must score 1 for every item; with a threshold, must meet that. */
  readonly gates?: readonly ScorerEntry[] | undefined;
  readonly scorers?: Scorers | undefined;
  /** The options of each call, in the target's own words. They are never changed. */
  readonly targetOptions?: Readonly<Record<string, any>> | undefined;
  /** The suite's id; `evals` when absent. */
  readonly name?: string | undefined;
  /** For each item; 10 minutes when absent. */
  readonly timeoutMs?: number | undefined;
  readonly trials?: number | undefined;
  /** Decides gates on the mean, compares exactly and looks at last texts alone, as Mastra does. */
  readonly compat?: "mastra" | undefined;
}

/** One attempt at an item, for whoever keeps more of it than a report does. It grows as the attempt goes on. */
export interface Attempt {
  readonly item: ReadItem;
  readonly trial: number;
  readonly speaker: Speaker;
  conversation?: Conversation;
  measured?: readonly Measured[];
  /** What the target or the player threw. */
  thrown?: unknown;
}

export interface CompileOptions {
  /** Told of each attempt as it begins. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** Names the run in the target's own store. */
  readonly runId?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Told of the tally of each run. */
  readonly onTally?: ((tally: ScoreTally) => void) | undefined;
}

export interface CompiledData {
  readonly suite: Suite;
  readonly items: readonly ReadItem[];
  readonly gates: readonly Measure[];
  readonly scorers: ReadScorers;
}

const DEFAULT_NAME = "evals";
const DEFAULT_TIMEOUT_MS = 600_000;
const NO_TAGS: readonly string[] = Object.freeze([]);

/** Rejects, before anything is called, with `data_invalid`, `scorer_invalid` or `option_invalid`; `error.id` is Mastra's, where it has one. */
export async function compileData(options: DataOptions, compiling: CompileOptions = {}): Promise<CompiledData> {
  const { target, name = DEFAULT_NAME, compat, targetOptions = {} } = options;
  if (typeof name !== "string" || !isItemId(name)) throw new EntailError("option_invalid", "name must be a text of 1 to 200 characters without control characters");
  if (recordOf(targetOptions) === undefined) throw new EntailError("option_invalid", "targetOptions must be an object");
  if (compat !== undefined && (compat as unknown) !== "mastra") throw new EntailError("option_invalid", 'compat must be "mastra", or absent');
  const workflow = isWorkflow(target);
  // Mastra looks at thresholds first, then at the data, then at whether there is anything to score.
  const flat = options.scorers === undefined || Array.isArray(options.scorers) ? readScorers(options.scorers, workflow) : undefined;
  const gates = readMeasures(options.gates, "gate", "gates");
  const notes = new Map<string, readonly [code: string, message: string]>();
  const items = readData(await options.data, { workflow, warn: (code, message) => void notes.set(message, [code, message]) });
  const scorers = flat ?? readScorers(options.scorers, workflow);
  if (gates.length + scorers.measures.length === 0 && !items.some(requires)) throw noScorers();
  const speaker = await openSpeaker(target);
  const plan: ScorePlan = { gates, scorers: scorers.measures, compat, resolveModel: modelsOf(speaker), save: savingTo(speaker.owner, compiling.runId) };
  const conversing = createStage({ options, plan, speaker, notes, compiling });
  const suite: Suite = {
    id: name,
    description: "",
    scenarios: items.map((item) => scenarioOf(item, conversing, options)),
    data: {
      tally() {
        const tally = createScoreTally(compat);
        compiling.onTally?.(tally);
        return tally;
      },
    },
  };
  return { suite, items, gates, scorers };
}

function requires({ claims, script, item }: ReadItem): boolean {
  return claims.length > 0 || item.approvals === "expect" || script.some((turn) => turn.gates.length + turn.scorers.length + turn.claims.length > 0 || turn.approvals === "expect");
}

function scenarioOf(item: ReadItem, { run, stage }: Stage, { timeoutMs = DEFAULT_TIMEOUT_MS, trials }: DataOptions): Scenario {
  const { item: given, id, form, script } = item;
  const { description = "", tags = NO_TAGS, skip, knownFailure, require } = given;
  const times = given.trials ?? trials;
  return {
    id,
    description,
    tags,
    timeoutMs: given.timeoutMs ?? timeoutMs,
    input: form === "input" ? script[0]?.input : script.map(({ input }) => input),
    run: (ctx) => run(item, ctx),
    score: stage,
    ...(skip !== undefined && { skip }),
    ...(knownFailure !== undefined && { knownFailure }),
    ...(require !== undefined && { require }),
    ...(times !== undefined && { trials: times }),
  };
}

interface Stage {
  readonly run: (item: ReadItem, ctx: HookContext) => Promise<Result>;
  readonly stage: ScoreStage;
}

interface StageOptions {
  readonly options: DataOptions;
  readonly plan: ScorePlan;
  readonly speaker: Speaker;
  /** What was noticed before the run, to be said in it. */
  readonly notes: Map<string, readonly [code: string, message: string]>;
  readonly compiling: CompileOptions;
}

function createStage({ options, plan, speaker, notes, compiling }: StageOptions): Stage {
  const { clock = systemClock, onAttempt } = compiling;
  // By the context of its hook: whatever runs at once, each attempt has a conversation of its own.
  const attempts = new WeakMap<HookContext, Attempt>();
  let said = false;

  /** Once a run: it is about the target, not about an item. */
  function tellIsolation(line: Line): void {
    if (line.isolated === undefined || said) return;
    said = true;
    currentTrial()?.warn("no_memory", line.isolated);
  }

  async function run(item: ReadItem, ctx: HookContext): Promise<Result> {
    const attempt: Attempt = { item, trial: ctx.trial, speaker };
    attempts.set(ctx, attempt);
    onAttempt?.(attempt);
    for (const [message, [code]] of notes) {
      notes.delete(message);
      currentTrial()?.warn(code, message);
    }
    const { item: given, form, script, player } = item;
    const line = await speaker.open({
      conversation: form !== "input",
      targetOptions: mergedOptions(options.targetOptions, given.targetOptions, speaker.kind === "workflow" ? given.startOptions : undefined),
      requestContext: given.requestContext,
      further: observedBy(given),
      ...ownThread(item),
    });
    const conversation: Conversation = { line, turns: [] };
    attempt.conversation = conversation;
    if (form !== "input") tellIsolation(line);
    try {
      await talk(conversation, { script, player, approvals: given.approvals, signal: ctx.signal, scope: ctx.scope, clock, attach: ctx.attach });
    } catch (thrown) {
      const { claims: _claims, ...known } = resultOf(item, conversation);
      ctx.attach(known);
      throw thrown;
    }
    return resultOf(item, conversation);
  }

  return {
    run,
    stage: {
      async score(ctx, hooked: Hooked): Promise<Scoring> {
        const attempt = attempts.get(ctx);
        if (attempt === undefined) return { scores: [] };
        const { item, conversation } = attempt;
        if (hooked.kind === "threw") attempt.thrown = hooked.thrown;
        if (conversation === undefined) return { scores: [], turns: unreached(item) };
        const { scoring, measured } = await scoreConversation(plan, { item, conversation, speaker }, { signal: ctx.signal, scope: ctx.scope, clock }, hooked.kind === "threw");
        attempt.measured = measured;
        const usage = addUsage(scoring.usage, conversation.playing);
        // A player is paid for once, however often the scoring is repeated.
        conversation.playing = undefined;
        return { ...scoring, usage };
      },
      turns(ctx): readonly ScoredTurn[] {
        const attempt = attempts.get(ctx);
        if (attempt === undefined || attempt.item.form === "input") return [];
        const { item, conversation } = attempt;
        if (conversation === undefined) return unreached(item);
        const known = Math.max(conversation.turns.length, item.script.length);
        return Array.from({ length: known }, (_, turn) => scoredTurn({ item, conversation }, turn, []));
      },
    },
  };
}

function unreached(item: ReadItem): readonly ScoredTurn[] {
  if (item.form === "input") return [];
  return item.script.map(({ id }, turn) => ({ turn, ...(id !== undefined && { id }), reached: false }));
}

/** An item's options over those of the call, and the same for their `memory`. A thread of the whole call would be shared by all items. */
function mergedOptions(all: DataOptions["targetOptions"], own: DataItem["targetOptions"], start: DataItem["startOptions"]): Readonly<Record<string, unknown>> {
  if (own === undefined && start === undefined) return all ?? {};
  const memory = { ...recordOf(member(all, "memory")), ...recordOf(member(own, "memory")) };
  return { ...all, ...own, ...start, ...(Object.keys(memory).length > 0 && { memory }) };
}

/** What an item brings for Mastra's own observability. */
function observedBy({ tracingContext, tracing, loggerVNext, metrics }: DataItem): Readonly<Record<string, unknown>> {
  const given = { tracingContext, tracing, loggerVNext, metrics };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** A thread that one single item names for itself is its own to share. */
function ownThread({ item, form }: ReadItem): { readonly threadId?: string } {
  const thread = member(member(item.targetOptions, "memory"), "thread");
  return form === "input" && typeof thread === "string" ? { threadId: thread } : {};
}

function resultOf({ item, form, claims }: ReadItem, conversation: Conversation): Result {
  const { turns, line, end } = conversation;
  if (form === "input") return singleResult(item, claims, conversation);
  const output = turns.map(({ answer }) => answer?.text ?? "").filter((text) => text !== "").join("\n\n");
  // Of a conversation that broke, what was answered.
  const evidence = joinEvidence(turns.filter(({ answer }) => answer !== undefined).map(({ answer }) => answer?.evidence));
  const usage = addUsage(...turns.map(({ answer }) => answer?.usage));
  const reference = claims.length === 0 ? item.reference : wholeReference(conversation, item.reference);
  return {
    output,
    ...(claims.length > 0 && { claims }),
    ...(reference !== undefined && reference !== "" && { reference }),
    ...(evidence !== undefined && { evidence }),
    ...(usage !== undefined && { usage }),
    metadata: {
      ...(line.threadId !== undefined && { threadId: line.threadId }),
      ...(line.resourceId !== undefined && { resourceId: line.resourceId }),
      ...(end !== undefined && { end }),
    },
  };
}

/** Of one turn. There may be very many of these. */
function singleResult(item: DataItem, claims: ReadItem["claims"], { turns, line }: Conversation): Result {
  const [turn] = turns;
  const { text = "", evidence, usage } = turn?.answer ?? {};
  const reference = claims.length === 0 ? item.reference : referenceOf(turns, item.reference);
  const metadata: Record<string, unknown> = { input: wireSafe(turn?.input) ?? null };
  if (line.threadId !== undefined) metadata["threadId"] = line.threadId;
  if (line.resourceId !== undefined) metadata["resourceId"] = line.resourceId;
  const result: { -readonly [Name in keyof Result]: Result[Name] } = { output: text, metadata };
  if (claims.length > 0) result.claims = claims;
  if (reference !== undefined && reference !== "") result.reference = reference;
  if (evidence !== undefined) result.evidence = evidence;
  if (usage !== undefined) result.usage = usage;
  return result;
}

/** Who said what: the answers alone do not say what they answer. */
function wholeReference({ turns }: Conversation, given: string | undefined): string {
  const lines = turns.flatMap(({ input, answer }) => [`User: ${inputText(input)}`, ...(answer === undefined ? [] : [`Assistant: ${answer.text}`])]);
  return [given ?? "", `The conversation:\n${lines.join("\n")}`].filter((part) => part !== "").join("\n\n");
}

/** Names of models are resolved by the application's own Mastra. */
function modelsOf({ owner }: Speaker): (name: string) => Promise<ResolvedModel> {
  return async (name) => {
    const { resolveModel } = await import("../adapter/mastra/model.ts");
    const getMastra = member(owner, "getMastraInstance");
    const mastra: unknown = typeof getMastra === "function" ? (getMastra as () => unknown).call(owner) : undefined;
    return resolveModel(name, { mastra });
  };
}
