// Owns the form of a report without its scenarios: what stands before them on the wire, and what stands after.

import { STAGES, type Stage } from "../core/error.ts";
import { memberPath } from "../core/json-path.ts";
import { VERDICTS } from "../core/outcome.ts";
import type { ReportHead, Totals } from "../core/report.ts";
import { count, duration, flag, type Form, goa, list, objectAt, optional, plainText, record, required, text, time, unreadable, word } from "./form.ts";
import { judgeForm } from "./judging-forms.ts";
import { errorField, splitUsageForm, warningForm } from "./record-forms.ts";
import { trialSummaryForm } from "./trial-forms.ts";

const stagesForm: Form<Readonly<Record<Stage, number>>> = {
  write: (errors) => ({ ...errors }),
  read: (wire, path) => {
    const object = objectAt(wire, path);
    // A stage that an older report does not know had no error.
    return Object.fromEntries(STAGES.map((stage) => [stage, Object.hasOwn(object, stage) ? count.read(object[stage], memberPath(path, stage)) : 0])) as Record<Stage, number>;
  },
};

export const totalsForm: Form<Totals> = record<Totals>({
  scenarios: required("scenarios", count),
  passed: required("passed", count),
  scored: required("scored", count),
  failed: required("failed", count),
  errored: required("errored", count),
  cancelled: required("cancelled", count),
  skipped: required("skipped", count),
  errors: required("errors", stagesForm),
});

/** Written only where it holds. */
const holds: Form<true> = {
  write: (value) => value,
  read: (wire, path) => (wire === true ? wire : unreadable(path, "must be true, or be left out")),
};

type Before = Pick<ReportHead, "suiteId" | "startedAt" | "durationMs">;

export const beforeScenarios: Form<Before> = record<Before>({
  suiteId: goa(required("suite_id", text)),
  startedAt: goa(required("started_at", time)),
  durationMs: goa(required("duration", duration)),
});

export const afterScenarios: Form<Omit<ReportHead, keyof Before>> = record<Omit<ReportHead, keyof Before>>({
  error: errorField(),
  passed: goa(required("passed", flag)),
  runId: optional("run_id", plainText),
  verdict: optional("verdict", word(VERDICTS)),
  strict: optional("strict", holds),
  variant: optional("variant", text),
  rejudgedFrom: optional("rejudged_from", text),
  totals: required("totals", totalsForm),
  trials: optional("trials", trialSummaryForm),
  judge: optional("judge", judgeForm),
  usage: optional("usage", splitUsageForm),
  warnings: optional("warnings", list(warningForm)),
  hooksRunning: optional("hooks_running", count),
});
