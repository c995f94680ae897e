// Owns the writing of a report: Goa-AI's members, field for field, with our own beside them, in parts that can be written as they come.

import type { Report, ReportHead, ScenarioReport } from "../core/report.ts";
import type { WriteOptions } from "./form.ts";
import { afterScenarios, beforeScenarios } from "./head-form.ts";
import { scenarioForm } from "./scenario-form.ts";

/** Of our own members; Goa-AI's are as they ever were. */
export const SCHEMA_VERSION = 1;

export interface EncodeOptions {
  /** `goa-ai` writes that system's members alone, for its strict readers. */
  readonly profile?: "entail" | "goa-ai" | undefined;
  /** Applied to every text that a person, a model or a program wrote: secrets go before anything is written. */
  readonly mask?: ((text: string) => string) | undefined;
  /** Spaces a level; 2 when absent, 0 for one line. */
  readonly indent?: number | undefined;
}

/** The report as JSON text that ends with a line break. `decodeReport` gives the same report back. */
export function encodeReport(report: Report, options: EncodeOptions = {}): string {
  return [...encodeReportPartsSync(report, report.scenarios, options)].join("");
}

/** The same text in parts, one a scenario, so that a run of any size is written without being held. */
export async function* encodeReportParts(
  head: ReportHead,
  scenarios: Iterable<ScenarioReport> | AsyncIterable<ScenarioReport>,
  options: EncodeOptions = {},
): AsyncGenerator<string, void, undefined> {
  const parts = startParts(head, options);
  yield parts.opening;
  for await (const scenario of scenarios) yield parts.scenario(scenario);
  yield parts.closing();
}

/** `encodeReportParts` for scenarios that are at hand. */
export function* encodeReportPartsSync(head: ReportHead, scenarios: Iterable<ScenarioReport>, options: EncodeOptions = {}): Generator<string, void, undefined> {
  const parts = startParts(head, options);
  yield parts.opening;
  for (const scenario of scenarios) yield parts.scenario(scenario);
  yield parts.closing();
}

/** A scenario as it stands in the wire form of a report. */
export function scenarioToWire(scenario: ScenarioReport, options: EncodeOptions = {}): unknown {
  return scenarioForm.write(scenario, writeOptionsOf(options));
}

interface Parts {
  readonly opening: string;
  scenario(scenario: ScenarioReport): string;
  closing(): string;
}

function startParts(head: ReportHead, options: EncodeOptions): Parts {
  const write = writeOptionsOf(options);
  const indent = options.indent ?? 2;
  const line = (level: number): string => (indent === 0 ? "" : `\n${" ".repeat(indent * level)}`);
  const space = indent === 0 ? "" : " ";
  const text = (value: unknown, level: number): string => JSON.stringify(value, null, indent).replaceAll("\n", line(level));
  const members = (values: object): string =>
    Object.entries(values)
      .map(([name, value]) => `${line(1)}${JSON.stringify(name)}:${space}${text(value, 1)}`)
      .join(",");

  const version = write.goaOnly ? {} : { schema_version: SCHEMA_VERSION };
  const { error, error_code, error_stage, passed, ...ours } = afterScenarios.write(head, write) as Record<string, unknown>;
  const after = Object.fromEntries(Object.entries({ error, error_code, error_stage, passed, ...version, ...ours }).filter(([, value]) => value !== undefined));
  let written = 0;
  return {
    opening: `{${members(beforeScenarios.write(head, write) as object)},${line(1)}"scenarios":${space}[`,
    scenario: (scenario) => `${written++ === 0 ? "" : ","}${line(2)}${text(scenarioForm.write(scenario, write), 2)}`,
    closing: () => `${written === 0 ? "" : line(1)}],${members(after)}${line(0)}}\n`,
  };
}

function writeOptionsOf(options: EncodeOptions): WriteOptions {
  return { goaOnly: options.profile === "goa-ai", mask: options.mask ?? ((text) => text) };
}
