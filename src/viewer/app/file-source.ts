// Owns the answers of an exported file: its page reads the report that stands beside it, with the functions that the server has.

import type { Evidence } from "../../core/evidence.ts";
import { decodeReport } from "../../report/decode-report.ts";
import { answer } from "../answer/answers.ts";
import { openContext } from "../answer/context.ts";
import { isMissing } from "../answer/missing.ts";
import { type CarriedRun, reportReads } from "../answer/report-reads.ts";
import type { AskError, Source } from "./source.ts";

interface Beside {
  readonly ordinal?: number;
  readonly branch?: string;
  readonly note?: string;
  readonly cut?: number;
}

/** Throws where the blocks are not those that `exportHtml` wrote. */
export function fileSource(): Source & { readonly runs: readonly string[]; readonly cut: number | undefined } {
  const [reports, besides, planned, evidence] = ["report", "beside", "planned", "evidence"].map(blocks) as [readonly unknown[], readonly Beside[], readonly CarriedRun["planned"][], readonly (readonly (readonly [string, Evidence] | null)[])[]];
  const carried = reports.map((report, at): CarriedRun => ({
    report: decodeReport(report),
    ordinal: besides[at]?.ordinal,
    branch: besides[at]?.branch,
    note: besides[at]?.note,
    planned: (planned[at] ?? []).map((each) => each ?? {}),
    evidence: new Map((evidence[at] ?? []).flatMap((each) => (each === null ? [] : [each]))),
  }));
  const context = openContext({ reads: reportReads(carried, "this file"), now: Date.now });
  return {
    served: false,
    runs: carried.map(({ report }, at) => report.runId ?? `run-${at + 1}`),
    cut: besides[0]?.cut,
    get: async (path) => {
      try {
        return await answer(context, path);
      } catch (thrown) {
        const message = thrown instanceof Error ? thrown.message : String(thrown);
        return Promise.reject<unknown>({ status: isMissing(thrown) ? 404 : 500, code: "unknown", message } satisfies AskError);
      }
    },
    label: () => Promise.reject({ status: 405, code: "read_only", message: "this file cannot keep a label" } satisfies AskError),
    removeLabel: () => Promise.resolve(),
    follow: () => () => undefined,
  };
}

function blocks(name: string): readonly unknown[] {
  return [...document.querySelectorAll(`script.${name}`)].map(({ textContent }) => JSON.parse(textContent) as unknown);
}
