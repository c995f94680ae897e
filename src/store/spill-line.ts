// Owns one write as a line of JSON: what goes into a spill file, and what an import takes back.

import { EntailError } from "../core/error.ts";
import type { Evidence } from "../core/evidence.ts";
import type { ReportHead, ScenarioReport, TrialReport } from "../core/report.ts";
import type { Invocation, JudgeMeasurement, Reopening, RunManifest, StoredLabel, TrialKey } from "../core/store.ts";
import { count, objectAt, plainText, time, type WireObject, type WriteOptions } from "../report/form.ts";
import { afterScenarios, beforeScenarios } from "../report/head-form.ts";
import { scenarioForm, trialForm } from "../report/scenario-form.ts";
import { jsonText } from "./json-text.ts";

/** Everything that is written into a store, in the form in which it is handed over. */
export type Write =
  | { readonly write: "invocation"; readonly invocation: Invocation }
  | { readonly write: "run"; readonly manifest: RunManifest }
  | { readonly write: "amend"; readonly runId: string; readonly change: { readonly subject?: string | undefined; readonly note?: string | undefined } }
  | { readonly write: "reopen"; readonly runId: string; readonly reopening?: Reopening | undefined }
  | { readonly write: "trial"; readonly key: TrialKey; readonly report: TrialReport; readonly evidence?: Evidence | undefined }
  | { readonly write: "scenario"; readonly runId: string; readonly position: number; readonly report: ScenarioReport }
  | { readonly write: "head"; readonly runId: string; readonly head: ReportHead }
  | { readonly write: "event"; readonly runId: string; readonly event: { readonly at: string; readonly type: string; readonly body: unknown } }
  | { readonly write: "label"; readonly label: StoredLabel }
  | { readonly write: "label_removed"; readonly id: string }
  | { readonly write: "measurement"; readonly measurement: JudgeMeasurement };

export const SPILL_VERSION = 1;

/** The first line of a spill file: what it is. */
export const SPILL_OPENING: string = JSON.stringify({ entail_spill: SPILL_VERSION });

const PLAIN: WriteOptions = { goaOnly: false, mask: (text) => text };

/** Reports stand in it as in a JSON report. */
export function toLine(write: Write): string {
  const { write: kind } = write;
  if (kind === "run") return jsonText({ write: kind, manifest: listed(write.manifest) });
  if (kind === "reopen" && write.reopening?.manifest !== undefined) return jsonText({ ...write, reopening: { ...write.reopening, manifest: listed(write.reopening.manifest) } });
  if (kind === "reopen" && write.reopening?.manifest !== undefined) {
    const { manifest } = write.reopening;
    return jsonText({ ...write, reopening: { ...write.reopening, manifest: { ...manifest, scenarios: [...manifest.scenarios] } } });
  }
  if (kind !== "trial" && kind !== "scenario" && kind !== "head") return jsonText(write);
  switch (kind) {
    case "trial":
      return jsonText({ write: "trial", key: write.key, trial: trialForm.write(write.report, PLAIN), evidence: write.evidence });
    case "scenario":
      return jsonText({ write: "scenario", runId: write.runId, position: write.position, scenario: scenarioForm.write(write.report, PLAIN) });
    case "head":
      return jsonText({ write: "head", runId: write.runId, head: { ...(beforeScenarios.write(write.head, PLAIN) as object), ...(afterScenarios.write(write.head, PLAIN) as object) } });
    default:
      return kind satisfies never;
  }
}

/** Throws `report_unreadable` for what is no such line. */
export function fromLine(text: string): Write {
  let wire: WireObject;
  try {
    wire = objectAt(JSON.parse(text), "");
  } catch (cause) {
    return refuse("it is no JSON object", cause);
  }
  switch (wire["write"]) {
    case "trial":
      return { write: "trial", key: keyOf(objectAt(wire["key"], "key")), report: trialForm.read(wire["trial"], "trial"), ...(wire["evidence"] !== undefined && { evidence: evidenceOf(wire["evidence"]) }) };
    case "scenario":
      return { write: "scenario", runId: textAt(wire, "runId"), position: countAt(wire, "position"), report: scenarioForm.read(wire["scenario"], "scenario") };
    case "head": {
      const head = objectAt(wire["head"], "head");
      return { write: "head", runId: textAt(wire, "runId"), head: { ...beforeScenarios.read(head, "head"), ...afterScenarios.read(head, "head") } };
    }
    case "run":
      return { write: "run", manifest: manifestOf(objectAt(wire["manifest"], "manifest")) };
    case "invocation": {
      const invocation = objectAt(wire["invocation"], "invocation");
      if (!Array.isArray(invocation["command"])) refuse("its invocation has no command");
      return { write: "invocation", invocation: { ...(invocation as unknown as Invocation), id: textAt(invocation, "id"), startedAt: time.read(invocation["startedAt"], "startedAt"), cwd: plainText.read(invocation["cwd"], "cwd") } };
    }
    case "amend":
      return { write: "amend", runId: textAt(wire, "runId"), change: objectAt(wire["change"], "change") };
    case "reopen":
      return { write: "reopen", runId: textAt(wire, "runId"), ...(wire["reopening"] !== undefined && { reopening: reopeningOf(objectAt(wire["reopening"], "reopening")) }) };
    case "event": {
      const event = objectAt(wire["event"], "event");
      return { write: "event", runId: textAt(wire, "runId"), event: { at: time.read(event["at"], "at"), type: textAt(event, "type"), body: event["body"] } };
    }
    case "label": {
      const label = objectAt(wire["label"], "label");
      textAt(label, "id");
      return { write: "label", label: label as unknown as StoredLabel };
    }
    case "label_removed":
      return { write: "label_removed", id: textAt(wire, "id") };
    case "measurement": {
      const measurement = objectAt(wire["measurement"], "measurement");
      textAt(measurement, "fingerprint");
      return { write: "measurement", measurement: measurement as unknown as JudgeMeasurement };
    }
    default:
      return refuse("it is of no known kind");
  }
}

/** What goes through its scenarios one by one is no list in JSON. */
function listed(manifest: RunManifest): RunManifest {
  return { ...manifest, scenarios: [...manifest.scenarios] };
}

function refuse(why: string, cause?: unknown): never {
  throw new EntailError("report_unreadable", `a line of a spill file cannot be read: ${why}`, { cause });
}

function textAt(wire: WireObject, member: string): string {
  return plainText.read(wire[member], member);
}

function countAt(wire: WireObject, member: string): number {
  return count.read(wire[member], member);
}

function keyOf(key: WireObject): TrialKey {
  return { runId: textAt(key, "runId"), position: countAt(key, "position"), trial: Math.max(1, countAt(key, "trial")) };
}

function evidenceOf(wire: unknown): Evidence {
  const evidence = objectAt(wire, "evidence");
  if (!Array.isArray(evidence["toolCalls"])) refuse("its evidence has no calls");
  return evidence as unknown as Evidence;
}

function reopeningOf({ manifest, stale, unfinished }: WireObject): Reopening {
  if (!Array.isArray(stale) || !Array.isArray(unfinished)) return refuse("its run goes on in no known way");
  return {
    stale: stale.map((each: unknown) => ({ position: countAt(objectAt(each, "stale"), "position"), trial: countAt(objectAt(each, "stale"), "trial") })),
    unfinished: unfinished.map((each: unknown) => count.read(each, "unfinished")),
    ...(manifest !== undefined && { manifest: manifestOf(objectAt(manifest, "manifest")) }),
  };
}

function manifestOf(wire: WireObject): RunManifest {
  const { scenarios } = wire;
  if (!Array.isArray(scenarios)) return refuse("its run has no scenarios");
  for (const planned of scenarios as readonly unknown[]) {
    const each = objectAt(planned, "scenarios");
    textAt(each, "id");
    countAt(each, "position");
    countAt(each, "trials");
    if (!Array.isArray(each["tags"]) || !each["tags"].every((tag) => typeof tag === "string")) refuse("a scenario has no tags");
  }
  return { ...(wire as unknown as RunManifest), runId: textAt(wire, "runId"), invocationId: textAt(wire, "invocationId"), suiteId: textAt(wire, "suiteId"), startedAt: time.read(wire["startedAt"], "startedAt") };
}
