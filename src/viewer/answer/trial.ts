// Owns one trial as its page shows it: turn by turn, each with what was said of it, long texts cut, and why it did not pass.

import type { Claim } from "../../core/claim.ts";
import { LABELS } from "../../core/label.ts";
import type { EvidenceHead, PlannedScenario, TrialKey } from "../../core/store.ts";
import type { ReportJudgment, TrialReport, TurnConfirmation, TurnReport } from "../../core/report.ts";
import type { ScoreRecord } from "../../core/score.ts";
import type { Usage } from "../../core/usage.ts";
import { type Confirmation, OBSERVABLES } from "../../core/evidence.ts";
import { callsFrom } from "./call.ts";
import type { AnswerContext } from "./context.ts";
import type { ClaimForm, ConfirmationForm, GateForm, ScoreForm, TrialAnswer, TurnForm, Words } from "./form.ts";
import { costOf } from "./run-row.ts";
import { whyOf } from "./why.ts";
import { ANSWER_INLINE, asText, words } from "./words.ts";
import { stepOf } from "./step.ts";

/** `path` is where the rest of a long text is read. */
export async function trialAnswer(context: AnswerContext, key: TrialKey, trial: TrialReport, planned: PlannedScenario | undefined, path: string): Promise<TrialAnswer> {
  const [evidence, calls] = await Promise.all([context.reads.evidenceHead(key), callsFrom(context, key, 0, path)]);
  const claims = new Map(trial.result?.claims?.map((claim) => [claim.id, claim]));
  const text = (part: string, value: unknown): Words | undefined => {
    const whole = asText(value);
    return whole === undefined || whole === "" ? undefined : words(whole, ANSWER_INLINE, `${path}/text?part=${stepOf(part)}`);
  };
  const turns = trial.turns?.map((turn) => turnForm(turn, new Map([...claims, ...(turn.claims ?? []).map((claim) => [claim.id, claim] as const)]), text));
  const single = turns === undefined || turns.length === 0;
  const whole = { claims: claimForms(trial.judgments, claims), gates: gateForms(trial, text), scores: scoreForms(trial.scores) };
  // Without turns the answer is the one turn, and all that was judged stands beside it.
  const only: TurnForm = { turn: 0, outcome: trial.outcome, ms: trial.durationMs, input: text("input", planned?.input), output: text("output", trial.result?.output ?? evidence?.answer), ...whole, calls: [0, calls.total], clock: clockOf(0, evidence?.durationMs), requests: (trial.usage?.subject ?? evidence?.usage)?.requests, confirmation: confirmationForm(evidence?.confirmation) };
  const nothing = { claims: [], gates: [], scores: [] };
  const shape = { outcome: trial.outcome, turns: single ? [only] : placeClocks(placeCalls(turns, trial.turns ?? [], calls.total), trial.turns ?? [], evidence?.durationMs), whole: single ? nothing : whole, error: trial.error };
  return {
    trial: trial.trial,
    at: trial.startedAt,
    ms: trial.durationMs,
    tokens: tokensOf(trial.usage?.subject ?? evidence?.usage),
    cost: costOf(trial.usage),
    session: evidence?.sessionId || undefined,
    ...shape,
    ...whyOf(shape, single),
    calls,
    clock: clockOf(0, evidence?.durationMs),
    confirmation: confirmationForm(evidence?.confirmation),
    reference: text("reference", trial.result?.reference),
    artifacts: (trial.result?.artifacts ?? []).slice(0, 50).map(({ name, uri }) => ({ name, uri: uri.slice(0, 500) })),
    ended: endedOf(evidence),
    unseen: evidence === undefined ? [] : OBSERVABLES.filter((each) => !evidence.observes[each]),
    failure: evidence?.terminalFailure?.message.slice(0, 1000),
    stdout: text("stdout", trial.stdout),
    attempts: (trial.attempts ?? []).slice(0, 20).map(({ attempt, durationMs, error }) => ({ attempt, ms: durationMs, error })),
    judging: judgingOf(trial),
  };
}

function turnForm(turn: TurnReport, claims: ReadonlyMap<string, Claim>, text: (part: string, value: unknown) => Words | undefined): TurnForm {
  return {
    turn: turn.turn,
    id: turn.id,
    outcome: turn.outcome,
    ms: turn.durationMs,
    tokens: tokensOf(turn.usage),
    input: text(`turn.${turn.turn}.input`, turn.input),
    played: turn.played,
    output: text(`turn.${turn.turn}.output`, turn.output),
    claims: claimForms(turn.judgments, claims),
    gates: (turn.scores ?? []).filter(({ kind }) => kind === "gate").map((gate) => gateForm(gate)),
    scores: scoreForms(turn.scores, turn.turn),
    error: turn.error,
    requests: turn.usage?.requests,
    confirmation: confirmationForm(turn.confirmation),
  };
}

function confirmationForm(asked: Confirmation | TurnConfirmation | undefined): ConfirmationForm | undefined {
  if (asked === undefined) return undefined;
  const { toolCallId, toolName, title, prompt, state } = asked;
  return { toolCallId, toolName, says: (title ?? prompt)?.slice(0, 1000), state, policy: "policy" in asked ? asked.policy : undefined };
}

const MAX_VOTES = 9;

/** Failing first, then in the order of the labels. */
function claimForms(judgments: readonly ReportJudgment[] | undefined, claims: ReadonlyMap<string, Claim>): readonly ClaimForm[] {
  const forms = (judgments ?? []).map((each): ClaimForm => ({ id: each.claimId, text: claims.get(each.claimId)?.text, label: each.label, expect: each.expect ?? "entailed", passed: each.passed, rationale: each.rationale, quote: each.quote, votes: each.votes?.slice(0, MAX_VOTES).map(({ judge, label, rationale }) => ({ judge, label, rationale })) }));
  return forms.sort((a, b) => Number(a.passed) - Number(b.passed) || LABELS.indexOf(b.label) - LABELS.indexOf(a.label));
}

/** Checks and gates of the whole. A gate that is also a check stands once. */
function gateForms({ result, scores }: TrialReport, text: (part: string, value: unknown) => Words | undefined): readonly GateForm[] {
  const checks = (result?.checks ?? []).map((check): GateForm => ({ id: check.name, kind: "check", passed: check.passed, diagnostic: check.passed ? undefined : text(`check.${check.name}`, check.diagnostic) }));
  const known = new Set(checks.map(({ id }) => id));
  const gates = (scores ?? []).filter(({ kind, turn, id }) => kind === "gate" && turn === undefined && !known.has(id)).map((gate) => gateForm(gate));
  return [...checks, ...gates].sort((a, b) => Number(a.passed) - Number(b.passed));
}

const gateForm = ({ id, passed, reason, error }: ScoreRecord): GateForm => ({ id, kind: "gate", passed: passed === true, diagnostic: passed === true || reason === undefined ? undefined : { text: reason.slice(0, ANSWER_INLINE) }, error });

function scoreForms(scores: readonly ScoreRecord[] | undefined, turn?: number): readonly ScoreForm[] {
  return (scores ?? [])
    .filter((score) => score.kind === "scorer" && (turn !== undefined || score.turn === undefined))
    .map(({ id, score, threshold, thresholdMax, passed, reason, notScorable, error }) => ({ id, score, threshold, thresholdMax, passed, reason, notScorable, error }));
}

/** Calls stand under their turn where each turn says how many are its own, or one turn alone can have made them; else under the whole. */
function placeCalls(turns: readonly TurnForm[], reports: readonly TurnReport[], total: number): readonly TurnForm[] {
  const reached = reports.filter(({ outcome }) => outcome !== "not_reached");
  const told = reached.every(({ toolCalls }) => toolCalls !== undefined) && reached.reduce((sum, { toolCalls = 0 }) => sum + toolCalls, 0) === total;
  if (total === 0 || (!told && reached.length !== 1)) return turns;
  let from = 0;
  return turns.map((turn, at) => {
    const report = reports[at];
    if (report === undefined || report.outcome === "not_reached") return turn;
    const to = reached.length === 1 ? total : from + (report.toolCalls ?? 0);
    const placed: TurnForm = { ...turn, calls: [from, to] };
    from = to;
    return placed;
  });
}

/** Each turn ends on the clock where the next one begins, the last one where the evidence ends. */
function placeClocks(turns: readonly TurnForm[], reports: readonly TurnReport[], durationMs: number | undefined): readonly TurnForm[] {
  return turns.map((turn, at) => {
    const from = reports[at]?.startedMs;
    const next = reports.slice(at + 1).find(({ startedMs }) => startedMs !== undefined)?.startedMs ?? durationMs;
    return turn.calls === undefined || from === undefined ? turn : { ...turn, clock: clockOf(from, next) };
  });
}

const clockOf = (from: number, to: number | undefined): TurnForm["clock"] => (to !== undefined && to > from ? [from, to - from] : undefined);

function tokensOf(usage: Usage | undefined): number | undefined {
  return usage?.inputTokens === undefined && usage?.outputTokens === undefined ? undefined : (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
}

function endedOf(evidence: EvidenceHead | undefined): string | undefined {
  if (evidence === undefined) return undefined;
  if (!evidence.ended) return "its end was not seen, so that nothing absent proves anything";
  return evidence.terminalPhase ?? "its end was seen, without a phase";
}

function judgingOf({ judging, usage }: TrialReport): TrialAnswer["judging"] {
  if (judging === undefined || judging.length === 0) return undefined;
  return { requests: judging.length, corrections: judging.flatMap(({ cause }) => (cause === undefined ? [] : cause.slice(0, 500))), tokens: tokensOf(usage?.judge), cost: usage?.judge?.cost };
}
