// Owns the recording reporter: it remembers every call, and does nothing else unless a test tells it to.

import type { ReportHead, ScenarioReport, TrialReport, Warning } from "../core/report.ts";
import type { Reporter, RunStarted } from "../core/reporter.ts";

export type ReporterCall =
  | { readonly call: "runStarted"; readonly run: RunStarted }
  | { readonly call: "scenarioStarted"; readonly id: string; readonly startedAt: string }
  | { readonly call: "trialFinished"; readonly id: string; readonly trial: TrialReport }
  | { readonly call: "scenarioFinished"; readonly report: ScenarioReport }
  | { readonly call: "warning"; readonly warning: Warning }
  | { readonly call: "runFinished"; readonly head: ReportHead };

export interface RecordingReporter extends Required<Omit<Reporter, "name">> {
  readonly name: string;
  /** All calls in their order. */
  readonly calls: readonly ReporterCall[];
  /** The ids of `scenarioStarted`, in the order of the calls. */
  readonly started: readonly string[];
  /** The reports of `scenarioFinished`, in the order of the calls. */
  readonly finished: readonly ScenarioReport[];
  readonly warnings: readonly Warning[];
}

/** `also` is called after each call was recorded; what it throws or rejects with is the reporter's. */
export function recordingReporter(also?: (call: ReporterCall) => void | Promise<void>, name = "recording"): RecordingReporter {
  const calls: ReporterCall[] = [];
  const started: string[] = [];
  const finished: ScenarioReport[] = [];
  const warnings: Warning[] = [];
  const record = (call: ReporterCall): void | Promise<void> => {
    calls.push(call);
    return also?.(call);
  };
  return {
    name,
    calls,
    started,
    finished,
    warnings,
    runStarted: (run) => record({ call: "runStarted", run }),
    scenarioStarted(id, startedAt) {
      started.push(id);
      return record({ call: "scenarioStarted", id, startedAt });
    },
    trialFinished: (id, trial) => record({ call: "trialFinished", id, trial }),
    scenarioFinished(report) {
      finished.push(report);
      return record({ call: "scenarioFinished", report });
    },
    warning(warning) {
      warnings.push(warning);
      return record({ call: "warning", warning });
    },
    runFinished: (head) => record({ call: "runFinished", head }),
  };
}
