// Owns the forms that `entail export` writes: one row each, loaded only where it is asked for.

import type { ReportHead, ScenarioReport } from "../core/report.ts";
import type { HtmlRun } from "../viewer/export-html.ts";

/** A run to be exported; its scenarios are read as they are written. */
export interface ExportedRun {
  readonly head: ReportHead;
  readonly scenarios: () => AsyncIterable<ScenarioReport>;
  /** What stands beside a report in a store, for forms that show it. */
  readonly beside?: Pick<HtmlRun, "ordinal" | "branch" | "note" | "planned" | "evidence"> | undefined;
}

export type WriteExport = (runs: readonly ExportedRun[], options: { readonly mask: (text: string) => string }) => AsyncIterable<string>;

export const EXPORT_FORMATS: Readonly<Record<string, () => Promise<WriteExport>>> = {
  json: async () => {
    const { encodeReportParts } = await import("../report/encode-report.ts");
    return async function* (runs, { mask }) {
      const [first] = runs;
      if (runs.length === 1 && first !== undefined) {
        yield* encodeReportParts(first.head, first.scenarios(), { mask });
        return;
      }
      yield `{\n  "schema_version": 1,\n  "passed": ${runs.every(({ head }) => head.passed)},\n  "reports": [`;
      for (const [at, { head, scenarios }] of runs.entries()) {
        yield at === 0 ? "\n    " : ",\n    ";
        let held = "";
        for await (const part of encodeReportParts(head, scenarios(), { mask })) {
          // The line break that ends a report by itself is none within another.
          const ends = part.endsWith("\n");
          yield (held + (ends ? part.slice(0, -1) : part)).replaceAll("\n", "\n    ");
          held = ends ? "\n" : "";
        }
      }
      yield runs.length === 0 ? "]\n}\n" : "\n  ]\n}\n";
    };
  },
  jsonl: async () => {
    const { jsonlParts } = await import("../report/format/jsonl.ts");
    return async function* (runs, options) {
      for (const { head, scenarios } of runs) yield* jsonlParts(head, scenarios(), options);
    };
  },
  csv: async () => {
    const [{ csvRun }, { joinParts }] = await Promise.all([import("../report/format/csv.ts"), import("../report/format/parts.ts")]);
    return async function* (runs, options) {
      for (const [at, { head, scenarios }] of runs.entries()) yield* joinParts(csvRun(head, options, at === 0), scenarios());
    };
  },
  junit: async () => {
    const [{ JUNIT_END, junitOpening, junitSuite }, { joinParts }] = await Promise.all([import("../report/format/junit.ts"), import("../report/format/parts.ts")]);
    return async function* (runs, options) {
      yield junitOpening(runs.map(({ head }) => head));
      for (const { head, scenarios } of runs) yield* joinParts(junitSuite(head, options), scenarios());
      yield JUNIT_END;
    };
  },
  markdown: async () => {
    const { COMMENT_BYTES, markdownParts } = await import("../report/format/markdown.ts");
    return async function* (runs, options) {
      for (const [at, { head, scenarios }] of runs.entries()) {
        if (at > 0) yield "\n";
        yield* markdownParts(head, scenarios(), { ...options, maxBytes: Math.floor(COMMENT_BYTES / runs.length) });
      }
    };
  },
  html: async () => {
    const { exportHtml } = await import("../viewer/export-html.ts");
    return (runs, options) => exportHtml(runs.map(({ beside, ...run }) => ({ ...run, ...beside })), options);
  },
};
