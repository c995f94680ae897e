// Holds the samples of docs/reference/reports.md equal to what is written from the report that stands in it.
import { type Report, decodeReport, encodeReport } from "entail";
import { csvParts, CSV_COLUMNS, githubParts, jsonlParts, junitParts, markdownParts } from "entail/report";
import { expect, test } from "vitest";
import { REPORTER_NAMES } from "../src/cli/reporters.ts";
import { EVENT_TYPES } from "../src/report/format/jsonl.ts";
import { joined } from "./report-samples.ts";
import { read } from "./source.ts";

const page = read("docs/reference/reports.md");

/** The first block of code below a heading. */
function blockBelow(heading: string): string {
  const body = page.split(`\n## ${heading}\n`)[1] ?? "";
  return /^(````?)\w*\n([^]*?)^\1$/m.exec(body)?.[2] ?? "";
}

const report: Report = decodeReport(blockBelow("JSON"));

test("the sample of the JSON form is what encodeReport writes", () => {
  expect(encodeReport(report)).toBe(blockBelow("JSON"));
});

const FORMS: readonly (readonly [heading: string, parts: () => AsyncIterable<string>])[] = [
  ["JUnit", () => junitParts(report, report.scenarios)],
  ["Markdown", () => markdownParts(report, report.scenarios)],
  ["GitHub", () => githubParts(report, report.scenarios, { file: "evals/chat.eval.ts" })],
  ["JSONL", () => jsonlParts(report, report.scenarios)],
  ["CSV", () => csvParts(report, report.scenarios)],
];

test.each(FORMS)("the sample of the %s form is what is written from that report", async (heading, parts) => {
  expect(blockBelow(heading)).toBe((await joined(parts())).replaceAll("\r\n", "\n"));
});

test("the page names every event, column and reporter", () => {
  expect([...EVENT_TYPES, ...CSV_COLUMNS, ...REPORTER_NAMES].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
