// Owns the forms of scenarios, trials and turns, and what makes one of them hang together.

import { APPROVALS } from "../core/conversation.ts";
import { itemPath, memberPath } from "../core/json-path.ts";
import { OUTCOMES, type Outcome } from "../core/outcome.ts";
import type { AttemptReport, ReportError, ReportJudgment, ReportResult, ScenarioReport, TrialReport, TurnConfirmation, TurnReport } from "../core/report.ts";
import { count, duration, flag, type Form, goa, list, objectAt, optional, optionalJson, type OptionalField, record, required, text, time, unreadable, word } from "./form.ts";
import { fromGoa } from "./goa-scenario.ts";
import { attemptForm } from "./judging-forms.ts";
import { claimForm, errorField, reportJudgmentForm, resultForm, scoreForm, splitUsageForm, usageForm } from "./record-forms.ts";
import { trialCountsForm } from "./trial-forms.ts";

/** What Goa-AI writes for a scenario that never started. */
const ZERO_TIME = "0001-01-01T00:00:00Z";
const ZERO_TIMES = /^0001-01-01T00:00:00(?:\.0+)?Z$/;

/** Absent here, the zero time on the wire, for what never started. */
function startedField(): OptionalField<string> {
  return {
    required: false,
    goa: true,
    write: (value, into) => {
      into["started_at"] = value ?? ZERO_TIME;
    },
    read: (wire, path) => {
      const given = optional("started_at", time).read(wire, path);
      return given === undefined || ZERO_TIMES.test(given) ? undefined : given;
    },
  };
}

const confirmationForm: Form<TurnConfirmation> = record<TurnConfirmation>({
  toolCallId: optional("tool_call_id", text),
  toolName: required("tool_name", text),
  title: optional("title", text),
  prompt: optional("prompt", text),
  state: required("state", word(["pending", "approved", "denied"])),
  policy: optional("policy", word(APPROVALS)),
});

const turnForm: Form<TurnReport> = record<TurnReport>({
  turn: required("turn", count),
  id: optional("id", text),
  outcome: required("outcome", word([...OUTCOMES, "not_reached"])),
  durationMs: optional("duration", duration),
  input: optionalJson("input"),
  played: optional("played", flag),
  output: optional("output", text),
  scores: optional("scores", list(scoreForm)),
  claims: optional("claims", list(claimForm)),
  reference: optional("reference", text),
  judgments: optional("judgments", list(reportJudgmentForm)),
  toolCalls: optional("tool_calls", count),
  startedMs: optional("started_after", duration),
  confirmation: optional("confirmation", confirmationForm),
  usage: optional("usage", usageForm),
  error: errorField(),
});

const tryForm: Form<AttemptReport> = {
  write: (attempt, options) => looseTryForm.write(attempt, options),
  read: (wire, path) => {
    const { error, ...attempt } = looseTryForm.read(wire, path);
    return error === undefined ? unreadable(memberPath(path, "error_code"), "is missing") : { ...attempt, error };
  },
};
const looseTryForm = record<Omit<AttemptReport, "error"> & { readonly error?: ReportError }>({
  attempt: required("attempt", count),
  startedAt: startedField(),
  durationMs: required("duration", duration),
  error: errorField(),
});

/** The members that trials and scenarios share, before it is known that they hang together. */
type Loose<Whole> = Whole extends unknown
  ? Omit<Whole, "startedAt" | "outcome" | "result" | "judgments" | "error" | "passed"> & {
      readonly outcome: Outcome;
      readonly startedAt?: string;
      readonly result?: ReportResult;
      readonly judgments?: readonly ReportJudgment[];
      readonly error?: ReportError;
    }
  : never;
type LooseTrial = Loose<Extract<TrialReport, { outcome: "skipped" }>>;
type LooseScenario = Loose<Extract<ScenarioReport, { outcome: "skipped" }>> & { readonly passed: boolean };

const looseTrialForm = record<LooseTrial>({
  trial: required("trial", count),
  startedAt: startedField(),
  durationMs: required("duration", duration),
  result: optional("result", resultForm),
  judgments: optional("judgments", list(reportJudgmentForm)),
  error: errorField(),
  outcome: required("outcome", word(OUTCOMES)),
  scores: optional("scores", list(scoreForm)),
  turns: optional("turns", list(turnForm)),
  judging: optional("judging", list(attemptForm)),
  usage: optional("usage", splitUsageForm),
  attempts: optional("attempts", list(tryForm)),
  stdout: optional("stdout", text),
});

export const trialForm: Form<TrialReport> = {
  write: (trial, options) => looseTrialForm.write(trial, options),
  read: (wire, path) => {
    const trial = looseTrialForm.read(wire, path);
    hangsTogether(trial, path);
    mustHold(trial, path);
    return trial as TrialReport;
  },
};

const looseScenarioForm = record<LooseScenario>({
  id: goa(required("id", text)),
  startedAt: startedField(),
  durationMs: goa(required("duration", duration)),
  result: goa(optional("result", resultForm)),
  judgments: goa(optional("judgments", list(reportJudgmentForm))),
  error: errorField(),
  passed: goa(required("passed", flag)),
  outcome: required("outcome", word(OUTCOMES)),
  tags: optional("tags", list(text)),
  skip: optional("skip", text),
  knownFailure: optional("known_failure", text),
  scores: optional("scores", list(scoreForm)),
  turns: optional("turns", list(turnForm)),
  trialCounts: optional("trial_counts", trialCountsForm),
  trials: optional("trials", list(trialForm)),
  judging: optional("judging", list(attemptForm)),
  usage: optional("usage", splitUsageForm),
  attempts: optional("attempts", list(tryForm)),
  stdout: optional("stdout", text),
});

/** A scenario on the wire; one without an `outcome` is Goa-AI's own and is understood by its text. */
export const scenarioForm: Form<ScenarioReport> = {
  write: (scenario, options) => looseScenarioForm.write(scenario, options),
  read: (wire, path) => {
    const object = objectAt(wire, path);
    const scenario = looseScenarioForm.read(fromGoa(object), path);
    hangsTogether(scenario, path);
    // Of several trials enough may have passed, and Goa-AI's members name neither them nor the label that a claim expects.
    if (Object.hasOwn(object, "outcome") && scenario.trials === undefined) mustHold(scenario, path);
    if (scenario.passed && scenario.outcome !== "passed" && scenario.outcome !== "scored") unreadable(memberPath(path, "passed"), `must be false: the scenario is ${scenario.outcome}`);
    return scenario as ScenarioReport;
  },
};

/** Throws where an outcome lacks what it comes with, or has what it cannot have. */
function hangsTogether(trial: LooseTrial | LooseScenario, path: string): void {
  const { outcome } = trial;
  const completed = outcome === "passed" || outcome === "scored" || outcome === "failed";
  const must = (name: string, here: unknown): void => void (here === undefined && unreadable(memberPath(path, name), `is missing: the outcome is ${outcome}`));
  const mustNot = (name: string, here: unknown): void => void (here !== undefined && unreadable(memberPath(path, name), `must not be there: the outcome is ${outcome}`));
  if (completed) {
    must("started_at", trial.startedAt);
    must("result", trial.result);
    mustNot("error_code", trial.error);
    return;
  }
  must("error_code", trial.error);
  mustNot("judgments", trial.judgments);
  if (outcome !== "skipped") return;
  mustNot("started_at", trial.startedAt);
  mustNot("result", trial.result);
}

/** Throws where what passed has a check or a claim that did not. */
function mustHold({ outcome, result, judgments = [] }: LooseTrial | LooseScenario, path: string): void {
  if (outcome !== "passed" && outcome !== "scored") return;
  const failed = (result?.checks ?? []).findIndex((check) => !check.passed);
  if (failed !== -1) unreadable(itemPath(memberPath(memberPath(path, "result"), "checks"), failed), `must have passed: the outcome is ${outcome}`);
  const missed = judgments.findIndex((judgment) => !judgment.passed);
  if (missed !== -1) unreadable(itemPath(memberPath(path, "judgments"), missed), `must pass: the outcome is ${outcome}`);
  if (judgments.length < (result?.claims ?? []).length) unreadable(memberPath(path, "judgments"), `must answer every claim: the outcome is ${outcome}`);
}

/** The place of a scenario in a report. */
export function scenarioPath(at: number): string {
  return itemPath("scenarios", at);
}

