// Owns what goes to standard output and to `--output`: one suite's report as it is, several, or one beside a file that did not load, wrapped.

import type { ReportHead, ScenarioReport, Warning } from "../core/report.ts";
import { encodeReportPartsSync } from "../report/encode-report.ts";
import { maskedJson } from "../report/form.ts";
import { comparisonToWire } from "../report/encode-comparison.ts";
import type { Problem } from "./problem.ts";
import type { RunComparison } from "./run-comparison.ts";

export interface SuiteRun {
  readonly head: ReportHead;
  readonly scenarios: () => Iterable<ScenarioReport>;
}

export interface InvocationReport {
  readonly runs: readonly SuiteRun[];
  /** Files that could not be run. */
  readonly problems: readonly Problem[];
  /** Warnings of no one suite. */
  readonly warnings: readonly Warning[];
  readonly mask: (text: string) => string;
  /** What the runs were held against. */
  readonly compared?: RunComparison | undefined;
}

/** Of the wrapper; each report has its own. */
const SCHEMA_VERSION = 1;
/** Larger than what a pipe holds, smaller than what anybody minds. */
const CHUNK = 64 * 1024;

/** An error as JSON has it, and nothing of the machine's that a person did not ask for. */
export function errorBody({ code, message, file, place }: Problem): Readonly<Record<string, string>> {
  return { code, message, ...(file !== undefined && { file }), ...(place !== undefined && { place }) };
}

/** The text in chunks, of which at most one is in memory. */
export function* reportChunks(report: InvocationReport): Generator<string, void, undefined> {
  let chunk = "";
  for (const part of reportParts(report)) {
    chunk += part;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}

function* reportParts({ runs, problems, warnings, mask, compared = {} }: InvocationReport): Generator<string, void, undefined> {
  const [first] = runs;
  const text = (value: unknown): string => JSON.stringify(maskedJson(value, mask), null, 2).replaceAll("\n", "\n  ");
  if (first !== undefined && runs.length === 1 && problems.length === 0 && compared.matrices === undefined) {
    const head = warnings.length === 0 ? first.head : { ...first.head, warnings: [...(first.head.warnings ?? []), ...warnings] };
    let closing = "";
    for (const part of encodeReportPartsSync(head, first.scenarios(), { mask, indent: 2 })) {
      yield closing;
      closing = part;
    }
    // The comparison is the last member of the one report.
    yield compared.comparison === undefined ? closing : `${closing.replace(/\n\}\n$/, "")},\n  "comparison": ${text(comparisonToWire(compared.comparison, { mask }))}\n}\n`;
    return;
  }
  const passed = problems.length === 0 && runs.length > 0 && runs.every(({ head }) => head.passed);
  yield `{\n  "schema_version": ${SCHEMA_VERSION},\n  "passed": ${passed}`;
  if (problems.length > 0) yield `,\n  "errors": ${text(problems.map(errorBody))}`;
  if (warnings.length > 0) yield `,\n  "warnings": ${text(warnings)}`;
  if (compared.comparison !== undefined) yield `,\n  "comparison": ${text(comparisonToWire(compared.comparison, { mask }))}`;
  if (compared.matrices !== undefined) yield `,\n  "matrices": ${text(compared.matrices.map((matrix) => comparisonToWire(matrix, { mask })))}`;
  yield `,\n  "reports": [`;
  for (const [at, { head, scenarios }] of runs.entries()) {
    yield at === 0 ? "\n    " : ",\n    ";
    let held = "";
    for (const part of encodeReportPartsSync(head, scenarios(), { mask, indent: 2 })) {
      // The line break that ends a report by itself is none within another.
      const ends = part.endsWith("\n");
      yield (held + (ends ? part.slice(0, -1) : part)).replaceAll("\n", "\n    ");
      held = ends ? "\n" : "";
    }
  }
  yield runs.length === 0 ? "]\n}\n" : "\n  ]\n}\n";
}
