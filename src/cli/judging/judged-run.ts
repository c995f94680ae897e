// Owns the reading of a run whose judgments are looked at: of the store, or of a report file.

import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { EntailError, isEntailError, messageOf } from "../../core/error.ts";
import type { Evidence } from "../../core/evidence.ts";
import type { ReportHead, ScenarioReport } from "../../core/report.ts";
import type { Store } from "../../core/store.ts";
import { decodeReport } from "../../report/decode-report.ts";
import { findRuns, type LazyStore } from "../compared-run.ts";
import { displayPath } from "../path.ts";
import { inFile } from "../problem.ts";

export interface JudgedRun {
  readonly suiteId: string;
  readonly runId?: string | undefined;
  /** Absent while it runs. */
  readonly head?: ReportHead | undefined;
  readonly scenarios: readonly ScenarioReport[];
  /** Where the scenario stands in the run's plan, where a store knows. */
  readonly positionOf: (scenario: string) => Promise<number | undefined>;
  /** What the store kept of a trial's evidence. */
  readonly evidence: (scenario: string, trial: number) => Promise<Evidence | undefined>;
}

/** Where `text` names runs of which no judgment came: why that may be. */
export function nothingJudged(text: string): EntailError {
  return new EntailError("judge_no_claims", `nothing of ${text} was judged: its scenarios have no claims or no output, or the judge gave no answer`);
}

const nothing = (): Promise<undefined> => Promise.resolve(undefined);

/** A report file, one of several reports too, or a run of the store. Throws `report_unreadable` or `run_unknown`. */
export async function readJudgedRuns(text: string, cwd: string, store: LazyStore): Promise<readonly JudgedRun[]> {
  const file = resolve(cwd, text);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return readReportFile(file, cwd);
  const opened = await store.open();
  return Promise.all((await findRuns(text, opened)).map((run) => storedRun(opened, run.runId, run.suiteId, run.head)));
}

async function storedRun(store: Store, runId: string, suiteId: string, head: ReportHead | undefined): Promise<JudgedRun> {
  const scenarios: ScenarioReport[] = [];
  for await (const scenario of store.scenarioReports(runId)) scenarios.push(scenario);
  return {
    suiteId,
    runId,
    head,
    scenarios,
    positionOf: (scenario) => store.positionOf(runId, scenario),
    async evidence(scenario, trial) {
      const position = await store.positionOf(runId, scenario);
      return position === undefined ? undefined : store.evidence({ runId, position, trial });
    },
  };
}

/** Throws `report_unreadable`, which names the file. */
export function readReportFile(file: string, cwd: string): readonly JudgedRun[] {
  try {
    const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
    const wire = JSON.parse(text) as { readonly reports?: unknown } | null;
    const reports = typeof wire === "object" && wire !== null && Array.isArray(wire.reports) ? (wire.reports as readonly unknown[]) : [text];
    return reports.map((each) => {
      const { scenarios, ...head } = decodeReport(each);
      return { suiteId: head.suiteId, runId: head.runId, head, scenarios, positionOf: nothing, evidence: nothing };
    });
  } catch (thrown) {
    const known = isEntailError(thrown) && thrown.code === "report_unreadable";
    throw inFile(new EntailError("report_unreadable", `${displayPath(file, cwd)}: ${known ? thrown.message : `the report cannot be read: ${messageOf(thrown)}`}`, { cause: thrown }), file);
  }
}
