// Owns the stage `score` of a conversation: gates and scorers of the whole first, then those of each turn, one after the other.

import type { Check } from "../core/check.ts";
import type { Claim } from "../core/claim.ts";
import type { Clock } from "../core/clock.ts";
import type { EntailError } from "../core/error.ts";
import type { Evidence } from "../core/evidence.ts";
import type { ReportError } from "../core/report.ts";
import type { Scope } from "../core/scope.ts";
import type { ScoreRecord } from "../core/score.ts";
import type { ResolvedModel, ScorerResult, ScorerRun, ScorerRunOptions } from "../core/scorer.ts";
import type { ScoredTurn, Scoring } from "../core/score-stage.ts";
import { addUsage, type Usage } from "../core/usage.ts";
import { wireSafe } from "../core/wire-safe.ts";
import { gateCheck, recordOutcome, runScorer, type ScorerOutcome } from "../score/run-scorer.ts";
import { scorerRunError } from "../score/scorer-error.ts";
import { timeUntil } from "./join-evidence.ts";
import { inputText } from "./messages.ts";
import type { Measure } from "./measure.ts";
import type { ReadItem } from "./read-data.ts";
import { answered, type AnsweredTurn, runFor, type Scored, turnRun, wholeRun } from "./scorer-run.ts";
import { spentBy } from "./scorer-usage.ts";

/** A measure's answer, for whoever keeps more of it than a report does. */
export interface Measured {
  readonly measure: Measure;
  readonly record: ScoreRecord;
  /** Absent where it broke before it had any. */
  readonly result?: ScorerResult | undefined;
  readonly turn?: AnsweredTurn | undefined;
  /** What broke. */
  readonly error?: EntailError | undefined;
}

export interface ScorePlan {
  readonly gates: readonly Measure[];
  readonly scorers: readonly Measure[];
  readonly compat?: "mastra" | undefined;
  readonly resolveModel: (name: string) => ResolvedModel | Promise<ResolvedModel>;
  /** Keeps answers where the target keeps its own scores. Never rejects. */
  readonly save?: ((scored: Scored, measured: readonly Measured[]) => Promise<void>) | undefined;
}

export interface ScoreContext {
  readonly signal: AbortSignal;
  readonly scope: Scope;
  readonly clock?: Clock | undefined;
}

export interface ScoredConversation {
  readonly scoring: Scoring;
  readonly measured: readonly Measured[];
}

/** `broken`: the conversation ended in an error, so that nothing can be said of the whole; its turns are scored as far as they got an answer. */
export async function scoreConversation(plan: ScorePlan, scored: Scored, context: ScoreContext, broken: boolean): Promise<ScoredConversation> {
  const { item, conversation, speaker } = scored;
  const all: Measured[] = [];
  let usage: Usage | undefined;
  let fault: { readonly thrown: unknown } | undefined;

  async function take(measures: readonly Measure[], run: ScorerRun, raw: unknown, turn?: AnsweredTurn): Promise<readonly Measured[]> {
    const taken: Measured[] = [];
    for (const measure of measures) {
      const outcome = await answerOf(measure, run, raw);
      const record = recordOutcome({ ...measure, turn: turn?.turn }, outcome);
      if (outcome.kind === "errored") fault ??= { thrown: outcome.error };
      usage = addUsage(usage, spentBy(outcome.result));
      taken.push({ measure, record, result: outcome.result, turn, ...(outcome.kind === "errored" && { error: outcome.error }) });
    }
    all.push(...taken);
    return taken;
  }

  async function answerOf(measure: Measure, run: ScorerRun, raw: unknown): Promise<ScorerOutcome> {
    const { signal, scope, clock } = context;
    let given: ScorerRun | { readonly absent: string };
    try {
      given = runFor(measure, run, speaker, raw);
    } catch (cause) {
      return { kind: "errored", error: scorerRunError({ scorerId: measure.scorer.id, cause }) };
    }
    if ("absent" in given) return { kind: "not_scorable", reason: given.absent, result: { notScorable: { reason: given.absent } } };
    const lent: ScorerRunOptions = { signal, scope: { ...scope, purpose: measure.scorer.id }, resolveModel: plan.resolveModel, ...(clock !== undefined && { clock }), ...(plan.compat !== undefined && { compat: plan.compat }) };
    return runScorer(measure.scorer, given, lent);
  }

  const whole: Measured[] = [];
  if (!broken && plan.gates.length + plan.scorers.length > 0) {
    const run = wholeRun(scored);
    const raw = conversation.turns.at(-1)?.answer?.raw;
    whole.push(...(await take(plan.gates, run, raw)), ...(await take(plan.scorers, run, raw)));
  }

  const turns: ScoredTurn[] = [];
  if (item.form !== "input") {
    for (const spoken of conversation.turns) {
      const scripted = item.script[spoken.turn];
      let records: readonly ScoreRecord[] = [];
      if (answered(spoken)) {
        const measured: Measured[] = [];
        if (scripted !== undefined && scripted.gates.length + scripted.scorers.length > 0) {
          const run = turnRun(scored, spoken, scripted);
          measured.push(...(await take(scripted.gates, run, spoken.answer.raw, spoken)), ...(await take(scripted.scorers, run, spoken.answer.raw, spoken)));
          await plan.save?.(scored, measured);
        }
        records = [...stopRecord(spoken.stopped, spoken.turn), ...measured.map(({ record }) => record)];
      }
      turns.push(scoredTurn(scored, spoken.turn, records));
    }
    for (let turn = conversation.turns.length; turn < item.script.length; turn++) turns.push(notReached(item, turn));
  }
  if (whole.length > 0) await plan.save?.(scored, whole);
  const own = item.form === "input" ? stopRecord(conversation.turns[0]?.stopped, undefined) : [];
  const scores = [...own, ...whole.map(({ record }) => record)];
  return { scoring: { checks: checksOf([...scores, ...turns.flatMap((turn) => turn.scores ?? [])]), scores, turns, usage, ...(fault !== undefined && { fault }) }, measured: all };
}

/** The gate that a run must stop for approval. */
function stopRecord(stopped: boolean | undefined, turn: number | undefined): readonly ScoreRecord[] {
  if (stopped === undefined) return [];
  const id = "check-stops-for-approval";
  const reason = stopped ? "the run stopped for approval" : "the run was to stop for approval, and it did not";
  return [{ id, base: id, kind: "gate", ...(turn !== undefined && { turn }), score: stopped ? 1 : 0, passed: stopped, reason }];
}

/** A gate is also a check; one that broke or had nothing to score is none. */
function checksOf(records: readonly ScoreRecord[]): readonly Check[] {
  const checks: Check[] = [];
  const names = new Set<string>();
  for (const record of records) {
    if (record.kind !== "gate" || record.passed === undefined || record.error !== undefined) continue;
    const check = gateCheck(record);
    // A name says which gate; two lists may each have made the same one.
    if (check === undefined || names.has(check.name)) continue;
    names.add(check.name);
    checks.push(check);
  }
  return checks;
}

function notReached({ script }: ReadItem, turn: number): ScoredTurn {
  const { id, input } = script[turn] ?? {};
  return { turn, ...(id !== undefined && { id }), reached: false, ...(typeof input !== "function" && input !== undefined && { input: wireSafe(input) }) };
}

/** A turn as a report holds it, with `records` of its gates and scorers. */
export function scoredTurn({ item, conversation }: Pick<Scored, "item" | "conversation">, turn: number, records: readonly ScoreRecord[]): ScoredTurn {
  const spoken = conversation.turns[turn];
  if (spoken === undefined) return notReached(item, turn);
  const { id, claims = [], reference = item.item.reference } = item.script[turn] ?? {};
  const { answer, durationMs, error, input, played, confirmation } = spoken;
  return {
    turn,
    ...(id !== undefined && { id }),
    reached: true,
    ...(durationMs !== undefined && { durationMs }),
    ...(input !== undefined && { input: wireSafe(input) }),
    ...(played === true && { played }),
    ...(answer !== undefined && { output: answer.text }),
    ...(records.length > 0 && { scores: records }),
    ...(claims.length > 0 && answer !== undefined && judgedOn(claims, referenceOf(conversation.turns.slice(0, turn + 1), reference))),
    ...callsSeen(answer?.evidence),
    ...(answer?.evidence?.durationMs !== undefined && { startedMs: timeUntil(conversation.turns.map((each) => each.answer?.evidence), turn) ?? 0 }),
    ...(confirmation !== undefined && { confirmation }),
    ...(answer?.usage !== undefined && { usage: answer.usage }),
    ...(error !== undefined && { error: reportError(error) }),
  };
}

/** The calls of a conversation's evidence stand turn after turn. */
function callsSeen(evidence: Evidence | undefined): Pick<ScoredTurn, "toolCalls"> {
  if (evidence === undefined || !(evidence.observes.args || evidence.observes.results)) return {};
  return { toolCalls: evidence.toolCalls.length };
}

function judgedOn(claims: readonly Claim[], reference: string): Pick<ScoredTurn, "claims" | "reference"> {
  return { claims, ...(reference !== "" && { reference }) };
}

export function reportError({ code, stage = "hook", message }: EntailError): ReportError {
  return { code, stage, message };
}

/** Facts for the judge: the author's own, and what was said before the answer that is judged, of whom. It can supply nothing that the answer omits. */
export function referenceOf(turns: readonly { readonly input?: unknown; readonly answer?: { readonly text: string } }[], given: string | undefined): string {
  const last = turns.length - 1;
  const lines = turns.flatMap(({ input, answer }, at) => [`User: ${inputText(input)}`, ...(at < last && answer !== undefined ? [`Assistant: ${answer.text}`] : [])]);
  return [given ?? "", lines.length === 0 ? "" : `What was said before the answer:\n${lines.join("\n")}`].filter((part) => part !== "").join("\n\n");
}
