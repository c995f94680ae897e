// Owns the JSONL form: the events of a run, one JSON object a line, as they happen or read back from its report.

import type { ReportHead, ScenarioReport, TrialReport, Warning } from "../../core/report.ts";
import type { Reporter } from "../../core/reporter.ts";
import type { WriteOptions } from "../form.ts";
import { afterScenarios, beforeScenarios } from "../head-form.ts";
import { warningForm } from "../record-forms.ts";
import { scenarioForm, trialForm } from "../scenario-form.ts";
import { type FormatOptions, joinParts, type ReportParts } from "./parts.ts";

/** The names of the events, in the order in which a run makes them. */
export const EVENT_TYPES = ["run_started", "scenario_started", "trial_finished", "scenario_finished", "warning", "run_finished"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The events of a finished run: its start, each scenario, its warnings, its end. Members are named as in the JSON report. */
export function jsonlParts(head: ReportHead, scenarios: Iterable<ScenarioReport> | AsyncIterable<ScenarioReport>, options: FormatOptions = {}): AsyncGenerator<string, void, undefined> {
  return joinParts(jsonlRun(head, options), scenarios);
}

export function jsonlRun(head: ReportHead, options: FormatOptions = {}): ReportParts {
  const lines = linesOf(options);
  const suiteId = head.suiteId;
  return {
    opening: () => lines.line("run_started", suiteId, { ...runIdOf(head.runId), started_at: head.startedAt, scenarios: head.totals.scenarios }),
    scenario: (report) => lines.scenarioFinished(suiteId, report),
    closing: () => (head.warnings ?? []).map((warning) => lines.warning(suiteId, warning)).join("") + lines.runFinished(suiteId, head),
  };
}

/** A reporter of one run that hands each event on as a line, line break included, the moment it happens. What `write` promises is waited for before the run ends. */
export function jsonlReporter(write: (line: string) => void | Promise<void>, options: FormatOptions = {}): Reporter {
  const lines = linesOf(options);
  let suiteId = "";
  return {
    name: "jsonl",
    runStarted(run) {
      suiteId = run.suiteId;
      return write(lines.line("run_started", suiteId, { run_id: run.runId, started_at: run.startedAt, scenarios: run.scenarios, trials: run.trials }));
    },
    scenarioStarted: (id, startedAt) => write(lines.scenarioStarted(suiteId, id, startedAt)),
    trialFinished: (id, trial) => write(lines.trialFinished(suiteId, id, trial)),
    scenarioFinished: (report) => write(lines.scenarioFinished(suiteId, report)),
    warning: (warning) => write(lines.warning(suiteId, warning)),
    runFinished: (head) => write(lines.runFinished(suiteId, head)),
  };
}

interface EventLines {
  line(type: EventType, suiteId: string, members: object): string;
  scenarioStarted(suiteId: string, id: string, startedAt: string): string;
  trialFinished(suiteId: string, id: string, trial: TrialReport): string;
  scenarioFinished(suiteId: string, report: ScenarioReport): string;
  warning(suiteId: string, warning: Warning): string;
  runFinished(suiteId: string, head: ReportHead): string;
}

function linesOf({ mask = (text) => text }: FormatOptions): EventLines {
  const write: WriteOptions = { goaOnly: false, mask };
  const line: EventLines["line"] = (type, suiteId, members) => `${oneLine({ type, suite_id: mask(suiteId), ...members })}\n`;
  return {
    line,
    scenarioStarted: (suiteId, id, startedAt) => line("scenario_started", suiteId, { id: mask(id), started_at: startedAt }),
    trialFinished: (suiteId, id, trial) => line("trial_finished", suiteId, { id: mask(id), trial: trialForm.write(trial, write) }),
    scenarioFinished: (suiteId, report) => line("scenario_finished", suiteId, { scenario: scenarioForm.write(report, write) }),
    warning: (suiteId, warning) => line("warning", suiteId, { warning: warningForm.write(warning, write) }),
    runFinished: (suiteId, head) => line("run_finished", suiteId, { ...(beforeScenarios.write(head, write) as object), ...(afterScenarios.write(head, write) as object) }),
  };
}

function runIdOf(runId: string | undefined): object {
  return runId === undefined ? {} : { run_id: runId };
}

/** Some readers of lines take these two for line ends as well. */
function oneLine(value: unknown): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
