// Owns the forms of what trials come to: those of one scenario, and those of a run.

import { STABILITIES, type PassAt, type TrialCounts, type TrialStop, type TrialSummary } from "../core/report.ts";
import { count, type Form, list, number, optional, record, required, word } from "./form.ts";
import { intervalForm } from "./rate-forms.ts";

const trialStopForm = record<TrialStop>({
  rule: required("rule", word(["sprt", "e_value"])),
  asked: required("asked", count),
  decision: required("decision", word(["above", "below"])),
  p0: required("p0", number),
  p1: optional("p1", number),
  alpha: required("alpha", number),
  beta: optional("beta", number),
});

export const trialCountsForm: Form<TrialCounts> = record<TrialCounts>({
  passed: required("passed", count),
  scored: required("scored", count),
  failed: required("failed", count),
  errored: required("errored", count),
  cancelled: required("cancelled", count),
  passRate: optional("pass_rate", number),
  stability: optional("stability", word(STABILITIES)),
  stopped: optional("stopped", trialStopForm),
});

const passAtForm = record<PassAt>({
  k: required("k", count),
  passAtK: required("pass_at_k", number),
  passHatK: required("pass_hat_k", number),
  passAtKError: optional("pass_at_k_error", number),
  passHatKError: optional("pass_hat_k_error", number),
});

export const trialSummaryForm: Form<TrialSummary> = record<TrialSummary>({
  stablePass: required("stable_pass", count),
  flaky: required("flaky", count),
  stableFail: required("stable_fail", count),
  unscored: required("unscored", count),
  passRate: optional("pass_rate", record<NonNullable<TrialSummary["passRate"]>>({ rate: required("rate", number), interval: required("interval", intervalForm), trials: required("trials", count) })),
  passAt: optional("pass_at", list(passAtForm)),
});
