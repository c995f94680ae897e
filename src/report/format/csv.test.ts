import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { csvParts, CSV_COLUMNS, encodeReport } from "entail/report";
import type { Report } from "entail";
import { expect, test } from "vitest";
import { HOSTILE, hostileReport, joined, reportOf, sample } from "../../../test/report-samples.ts";

const written = (report: Report): Promise<string> => joined(csvParts(report, report.scenarios));
const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true, record_delimiter: "\r\n" });
const withOutputs = (outputs: readonly string[]): Report => reportOf(outputs.map((output, at) => sample(`s_${at}`, "passed", "", output)));

/** What a spreadsheet may take for a formula, by a reading of its own: the sign, with anything that is not to be seen before it. */
const looksLikeFormula = (text: string): boolean => /^[\t\r]/.test(text) || /^[=+\-@]/.test(text.normalize("NFKC").replace(/^(?:[\s\p{C}\p{M}])+/u, ""));
const isNumber = (text: string): boolean => text !== "" && !/^\s|\s$/.test(text) && Number.isFinite(Number(text));

test("case 199: cells that begin with a sign of a formula begin with an apostrophe, a plain number stays one, and quotes come back", async () => {
  const rows = rowsOf(await written(withOutputs(['=HYPERLINK("http://evil.test","x")', "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-5", 'a,"b"\nc'])));
  expect(rows.map(({ output }) => output)).toEqual(['\'=HYPERLINK("http://evil.test","x")', "'+1+1", "'-2+3", "'@SUM(A1)", "'\t=1", "'\r=1", "-5", 'a,"b"\nc']);
});

test("case 200: a sign behind blanks or invisible characters is as harmless, and the JSON keeps the text as it was", async () => {
  const outputs = ["\u200b=1+1", "\ufeff=1+1", " =1+1", "\u00a0@x", "\uff1d1+1"];
  const report = withOutputs(outputs);
  expect(rowsOf(await written(report)).map(({ output }) => output)).toEqual(["'\\u200b=1+1", "'\\ufeff=1+1", "' =1+1", "'\u00a0@x", "'\uff1d1+1"]);
  const wire = JSON.parse(encodeReport(report)) as { readonly scenarios: { readonly result: { readonly output: string } }[] };
  expect(wire.scenarios.map(({ result }) => result.output)).toEqual(outputs);
});

test("kind unescaped-output: no cell of any report is a formula, and every row has every column", async () => {
  await fc.assert(
    fc.asyncProperty(hostileReport, async (report) => {
      const rows = parse(await written(report), { record_delimiter: "\r\n" });
      expect(rows[0]).toEqual([...CSV_COLUMNS]);
      expect(rows.length).toBe(report.scenarios.length + 1);
      for (const row of rows) {
        expect(row.length).toBe(CSV_COLUMNS.length);
        expect(row.filter((text) => looksLikeFormula(text) && !isNumber(text))).toEqual([]);
      }
    }),
    { numRuns: 80 },
  );
});

test("kind lossy-serialisation: visible texts come back through a parser as they were, line breaks and quotes too", async () => {
  const harmless = fc.stringMatching(/^[a-z0-9äß日本 ,;"'\n.]{1,30}$/u).filter((text) => !looksLikeFormula(text));
  await fc.assert(
    fc.asyncProperty(fc.array(harmless, { minLength: 1, maxLength: 5 }), async (outputs) => {
      expect(rowsOf(await written(withOutputs(outputs))).map(({ output }) => output)).toEqual(outputs);
    }),
    { numRuns: 60 },
  );
});

test("a row tells the outcome, the first reason, and counts only what was there", async () => {
  const [failed, errored, scored] = rowsOf(await written(reportOf([sample("a", "failed"), sample("b", "errored", "no database"), sample("c", "scored")])));
  expect(failed).toMatchObject({ suite: "chat", scenario: "a", outcome: "failed", passed: "false", reason: "right: wrong answer", duration_ms: "12.5", checks: "1", checks_held: "0", claims: "1", claims_held: "0", error_code: "" });
  expect(errored).toMatchObject({ outcome: "errored", reason: "hook: no database", error_code: "hook_threw", error_stage: "hook", checks: "", checks_held: "" });
  expect(scored).toMatchObject({ outcome: "scored", passed: "true", scores: "similarity=0.2 (missed)" });
});

test("kind size-limits: a text longer than a cell of a spreadsheet is cut with a word about it", async () => {
  const [row] = rowsOf(await written(withOutputs(["x".repeat(300_000)])));
  expect(row?.["output"]?.length).toBeLessThan(32_767);
  expect(row?.["output"]).toMatch(/x… \(300000 characters; the JSON report has them all\)$/);
});

test("kind secrets-leak: every text of a row is masked, before anything else is done to it", async () => {
  const secret = "=tok-77777777";
  const report = reportOf(HOSTILE.slice(0, 3).map((_, at) => sample(secret + at, "failed", `it said ${secret}`, secret)), { suiteId: `chat ${secret}` });
  expect(await joined(csvParts(report, report.scenarios, { mask: (text) => text.replaceAll(secret, "‹masked›") }))).not.toContain("77777777");
});
