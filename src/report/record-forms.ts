// Owns the forms of the small records within a report: checks, claims, judgments, scores, usage, errors.

import type { Artifact } from "../core/artifact.ts";
import type { Check } from "../core/check.ts";
import type { Claim } from "../core/claim.ts";
import { STAGES } from "../core/error.ts";
import type { Judgment, Vote } from "../core/judgment.ts";
import { LABELS } from "../core/label.ts";
import type { ReportError, ReportJudgment, ReportResult, SplitUsage, Warning } from "../core/report.ts";
import type { HookScore, ScoreRecord } from "../core/score.ts";
import type { Usage } from "../core/usage.ts";
import { memberPath } from "../core/json-path.ts";
import { count, flag, type Form, goa, list, number, objectAt, optional, optionalJson, type OptionalField, plainText, record, required, text, unreadable, word } from "./form.ts";

export const usageForm: Form<Usage> = record<Usage>({
  inputTokens: optional("input_tokens", count),
  outputTokens: optional("output_tokens", count),
  reasoningTokens: optional("reasoning_tokens", count),
  cachedInputTokens: optional("cached_input_tokens", count),
  cost: optional("cost", number),
  requests: optional("requests", count),
  unknownRequests: optional("unknown_requests", count),
});

export const splitUsageForm: Form<SplitUsage> = record<SplitUsage>({
  subject: optional("subject", usageForm),
  judge: optional("judge", usageForm),
});

/** A passed check has no diagnostic, a failed one has. */
const checkForm: Form<Check> = {
  write: (check, options) => {
    const wire = { name: text.write(check.name, options), passed: check.passed };
    return check.passed || check.diagnostic === "" ? wire : { ...wire, diagnostic: text.write(check.diagnostic, options) };
  },
  read: (wire, path) => {
    const object = objectAt(wire, path);
    const name = required("name", text).read(object, path) ?? "";
    const diagnostic = optional("diagnostic", text).read(object, path);
    if (required("passed", flag).read(object, path) !== true) return { name, passed: false, diagnostic: diagnostic ?? "" };
    return diagnostic === undefined ? { name, passed: true } : unreadable(memberPath(path, "diagnostic"), "must not be there: the check passed");
  },
};

export const claimForm: Form<Claim> = record<Claim>({
  id: goa(required("id", text)),
  text: goa(required("text", text)),
  expect: optional("expect", word(LABELS)),
  quote: optional("quote", flag),
});

const artifactForm: Form<Artifact> = record<Artifact>({
  name: goa(required("name", text)),
  uri: goa(required("uri", text)),
});

const hookScoreForm: Form<HookScore> = record<HookScore>({
  id: required("id", text),
  score: required("score", number),
  threshold: optional("threshold", number),
  reason: optional("reason", text),
});

export const scoreForm: Form<ScoreRecord> = record<ScoreRecord>({
  id: required("id", text),
  base: required("base", text),
  kind: required("kind", word(["gate", "scorer"])),
  turn: optional("turn", count),
  score: optional("score", number),
  notScorable: optional("not_scorable", text),
  threshold: optional("threshold", number),
  thresholdMax: optional("threshold_max", number),
  passed: optional("passed", flag),
  reason: optional("reason", text),
  error: optional("error", text),
});

const voteForm = record<Vote>({
  judge: required("judge", text),
  label: required("label", word(LABELS)),
  rationale: required("rationale", text),
  quote: optional("quote", text),
});

export const judgmentForm: Form<Judgment> = record<Judgment>({
  claimId: goa(required("claim_id", text)),
  label: goa(required("label", word(LABELS))),
  rationale: goa(required("rationale", text)),
  quote: optional("quote", text),
  votes: optional("votes", list(voteForm)),
});

const fullJudgmentForm = record<ReportJudgment>({
  claimId: goa(required("claim_id", text)),
  label: goa(required("label", word(LABELS))),
  rationale: goa(required("rationale", text)),
  passed: required("passed", flag),
  expect: optional("expect", word(LABELS)),
  quote: optional("quote", text),
  votes: optional("votes", list(voteForm)),
});

/** Goa-AI does not say whether a judgment passes: only `entailed` does there. */
export const reportJudgmentForm: Form<ReportJudgment> = {
  write: fullJudgmentForm.write,
  read: (wire, path) => {
    const object = objectAt(wire, path);
    const judgment = fullJudgmentForm.read(Object.hasOwn(object, "passed") ? object : { ...object, passed: object["label"] === "entailed" }, path);
    if (judgment.passed === (judgment.label === (judgment.expect ?? "entailed"))) return judgment;
    // An empty output addresses nothing, and fails also the claim that expects just that.
    if (!judgment.passed && judgment.label === "not_addressed") return judgment;
    return unreadable(memberPath(path, "passed"), `must be ${String(!judgment.passed)}: the label is ${judgment.label} and ${judgment.expect ?? "entailed"} passes`);
  },
};

export const resultForm: Form<ReportResult> = record<ReportResult>({
  checks: goa(optional("checks", list(checkForm))),
  claims: goa(optional("claims", list(claimForm))),
  output: goa(optional("output", text)),
  reference: goa(optional("reference", text)),
  artifacts: goa(optional("artifacts", list(artifactForm))),
  scores: optional("scores", list(hookScoreForm)),
  usage: optional("usage", usageForm),
  metadata: { ...optionalJson("metadata"), read: (wire, path) => (Object.hasOwn(wire, "metadata") ? objectAt(wire["metadata"], memberPath(path, "metadata")) : undefined) },
});

export const warningForm: Form<Warning> = record<Warning>({
  code: required("code", plainText),
  message: required("message", text),
  scenario: optional("scenario", text),
});

/** An error stands as three members side by side: Goa-AI's text, and our code and stage beside it. */
export function errorField(): OptionalField<ReportError> {
  return {
    required: false,
    goa: true,
    write: (error, into, options) => {
      if (error === undefined) return;
      // Goa-AI tells an error by its text alone.
      const message = options.goaOnly && error.message === "" ? error.code : error.message;
      if (message !== "") into["error"] = options.mask(message);
      if (options.goaOnly) return;
      into["error_code"] = error.code;
      into["error_stage"] = error.stage;
    },
    read: (wire, path) => {
      const code = optional("error_code", plainText).read(wire, path);
      const message = optional("error", text).read(wire, path);
      if (code === undefined) return message === undefined ? undefined : unreadable(memberPath(path, "error_code"), "is missing beside the error");
      return { code, stage: required("error_stage", word(STAGES)).read(wire, path) ?? "hook", message: message ?? "" };
    },
  };
}

