// Owns the taking in of runs from files: reports of ours and of Goa-AI's, their JSONL form, and spill files.

import { hash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import type { ReportHead, ScenarioReport, TrialReport } from "../core/report.ts";
import type { PlannedScenario, Store } from "../core/store.ts";
import { decodeReport } from "../report/decode-report.ts";
import { fromLine, SPILL_VERSION, type Write } from "../store/spill-line.ts";

export interface Imported {
  /** Runs that the store has now and had not, or had in part. */
  readonly runs: readonly string[];
  /** Runs that it had already, and that were left as they are. */
  readonly known: readonly string[];
  /** What could not be taken, in sentences. */
  readonly faults: readonly string[];
  /** Set where the last line is cut: it stands whole in another file, or its process died while it wrote. */
  readonly cut?: string | undefined;
}

export interface ImportOptions {
  readonly store: Store;
  /** For people: what the invocation of imported reports is called. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly newInvocationId: () => string;
}

/** Throws `report_unreadable` for a file that is none of these. */
export async function importFile(file: string, options: ImportOptions): Promise<Imported> {
  const first = await firstLine(file);
  const opening = objectOf(first);
  if (opening !== undefined && Object.hasOwn(opening, "entail_spill")) {
    if (opening["entail_spill"] !== SPILL_VERSION) throw new EntailError("report_unreadable", `a newer version of Entail wrote this spill file: update Entail`);
    return importSpill(file, options.store);
  }
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  const reports = opening?.["type"] === "run_started" ? reportsOfEvents(text) : reportsOf(text);
  return importReports(reports, options);
}

async function firstLine(file: string): Promise<string> {
  const stream = createReadStream(file, { encoding: "utf8", end: 64 * 1024 });
  try {
    for await (const chunk of stream) return (chunk as string).replace(/^\uFEFF/, "").split("\n", 1)[0] ?? "";
    return "";
  } catch (cause) {
    throw new EntailError("report_unreadable", (cause as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such file" : `it cannot be read: ${messageOf(cause)}`, { cause });
  }
}

function objectOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

interface ImportedReport {
  readonly head: ReportHead;
  readonly scenarios: readonly ScenarioReport[];
  /** What the id is made of where the report has none. */
  readonly text: string;
}

function reportsOf(text: string): readonly ImportedReport[] {
  const wire = objectOf(text);
  const several = wire?.["reports"];
  return (Array.isArray(several) ? (several as readonly unknown[]) : [wire ?? text]).map((each) => {
    const { scenarios, ...head } = decodeReport(each);
    return { head, scenarios, text: JSON.stringify(each) };
  });
}

/** Events of one run or of several that ran side by side: a report each, put together again. */
function reportsOfEvents(text: string): readonly ImportedReport[] {
  const scenarios = new Map<string, unknown[]>();
  const reports: ImportedReport[] = [];
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const event = objectOf(line);
    if (event === undefined) {
      // The last line of a process that died.
      if (at === lines.length - 1) break;
      throw new EntailError("report_unreadable", `line ${at + 1} is no JSON object`);
    }
    const suite = String(event["suite_id"]);
    if (event["type"] === "run_started") scenarios.set(suite, []);
    if (event["type"] === "scenario_finished") scenarios.get(suite)?.push(event["scenario"]);
    if (event["type"] !== "run_finished") continue;
    const { type: _type, ...head } = event;
    const whole = { schema_version: 1, ...head, scenarios: scenarios.get(suite) ?? [] };
    const { scenarios: decoded, ...rest } = decodeReport(whole);
    reports.push({ head: rest, scenarios: decoded, text: JSON.stringify(whole) });
    scenarios.delete(suite);
  }
  if (scenarios.size > 0) throw new EntailError("report_unreadable", `the run of ${[...scenarios.keys()].map((id) => JSON.stringify(id)).join(", ")} has no run_finished: the events of a run that did not end are no report`);
  return reports;
}

async function importReports(reports: readonly ImportedReport[], { store, command, cwd, newInvocationId }: ImportOptions): Promise<Imported> {
  const [runs, known]: [string[], string[]] = [[], []];
  const invocationId = newInvocationId();
  let begun = false;
  for (const { head, scenarios, text } of reports) {
    const runId = head.runId ?? idOf(head.startedAt, text);
    if ((await store.run(runId)) !== undefined) {
      known.push(runId);
      continue;
    }
    if (!begun) await store.beginInvocation({ id: invocationId, startedAt: head.startedAt, command, cwd });
    begun = true;
    await store.beginRun({ runId, invocationId, suiteId: head.suiteId, startedAt: head.startedAt, selected: false, strict: head.strict ?? false, ...(head.variant !== undefined && { variant: head.variant }), note: "imported", scenarios: scenarios.map(plannedOf) });
    for (const [position, report] of scenarios.entries()) {
      for (const trial of trialsOf(report)) await store.putTrial({ runId, position, trial: trial.trial }, trial);
      await store.putScenario(runId, position, report);
    }
    await store.finishRun(runId, { ...head, runId });
    runs.push(runId);
  }
  await store.flush();
  return { runs, known, faults: [] };
}

function plannedOf(report: ScenarioReport, position: number): PlannedScenario {
  const { id, tags = [], skip, knownFailure, trials, trialCounts } = report;
  const planned = trialCounts?.stopped?.asked ?? trials?.length ?? 1;
  return { position, id, description: "", tags, trials: skip === undefined ? planned : 0, ...(skip !== undefined && { skip }), ...(knownFailure !== undefined && { knownFailure }) };
}

/** What ran: a scenario that never began has no trial. */
function trialsOf(report: ScenarioReport): readonly TrialReport[] {
  if (report.trials !== undefined) return report.trials;
  if (report.startedAt === undefined) return [];
  const { id: _id, tags: _tags, passed: _passed, skip: _skip, knownFailure: _known, trials: _trials, trialCounts: _counts, ...members } = report;
  return [{ trial: 1, ...members }];
}

/** A UUID of version 7 made of the report's own time and text, so that the same file imported twice is the same run. */
function idOf(startedAt: string, text: string): string {
  const digest = hash("sha256", text, "hex");
  const time = Math.max(0, Date.parse(startedAt) || 0).toString(16).padStart(12, "0").slice(-12);
  const variant = ((Number.parseInt(digest.slice(3, 4), 16) & 3) | 8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`;
}

/** Line by line, however large the file is. What was taken before is taken again and changes nothing. */
async function importSpill(file: string, store: Store): Promise<Imported> {
  const runs = new Set<string>();
  const faults: string[] = [];
  let number = 0;
  let cut: string | undefined;
  for await (const line of createInterface({ input: createReadStream(file, { encoding: "utf8" }), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    if (number === 1 || line === "") continue;
    if (cut !== undefined) faults.push(cut);
    cut = undefined;
    try {
      const write = fromLine(line);
      await take(write, store);
      const runId = "runId" in write ? write.runId : write.write === "trial" ? write.key.runId : undefined;
      if (runId !== undefined) runs.add(runId);
    } catch (thrown) {
      if (!isEntailError(thrown)) throw thrown;
      cut = `line ${number} was left out: ${thrown.message}`;
    }
  }
  await store.flush();
  return { runs: [...runs], known: [], faults, ...(cut !== undefined && { cut: `${cut} (it is the last one, and was being written when something stopped it)` }) };
}

async function take(write: Write, store: Store): Promise<void> {
  switch (write.write) {
    case "invocation":
      return store.beginInvocation(write.invocation);
    case "run":
      if ((await store.run(write.manifest.runId)) === undefined) await store.beginRun(write.manifest);
      return;
    case "amend":
      return store.amendRun(write.runId, write.change);
    case "reopen":
      return store.reopenRun(write.runId, write.reopening);
    case "trial":
      return store.putTrial(write.key, write.report, write.evidence);
    case "scenario":
      return store.putScenario(write.runId, write.position, write.report);
    case "head":
      return store.finishRun(write.runId, write.head);
    case "event":
      return store.putEvent(write.runId, write.event);
    case "label":
      return store.putLabel(write.label);
    case "label_removed":
      return store.removeLabel(write.id);
    case "measurement":
      return store.putMeasurement(write.measurement);
    default:
      return write satisfies never;
  }
}
