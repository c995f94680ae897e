import { XMLParser } from "fast-xml-parser";
import * as fc from "fast-check";
import { junitParts } from "entail/report";
import type { Report } from "entail";
import { expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { hostileReport, joined, reportOf, sample } from "../../../test/report-samples.ts";
import { read } from "../../../test/source.ts";

const SCHEMA = read("test/fixture/report/junit.xsd");

interface Case {
  readonly name: string;
  readonly failure?: readonly { readonly message: string; readonly type: string; readonly text: string }[];
  readonly error?: Case["failure"];
  readonly skipped?: readonly { readonly message: string }[];
}
type Counters = Readonly<Record<"tests" | "failures" | "errors" | "skipped", string>>;
interface Document {
  readonly testsuites: Counters & { readonly testsuite: readonly (Counters & { readonly name: string; readonly timestamp: string; readonly testcase?: readonly Case[] })[] };
}

const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "", textNodeName: "text", parseAttributeValue: false, parseTagValue: false, trimValues: false, htmlEntities: false, processEntities: { enabled: true, maxTotalExpansions: 1e6, maxExpandedLength: 1e9 }, isArray: (name, _path, _leaf, isAttribute) => !isAttribute && ["testcase", "failure", "error", "skipped", "testsuite"].includes(name) });
const written = (report: Report): Promise<string> => joined(junitParts(report, report.scenarios));
const parsed = (xml: string): Document => parser.parse(xml) as Document;

async function faults(...documents: readonly string[]): Promise<readonly string[]> {
  const { errors } = await validateXML({ xml: documents.map((contents, at) => ({ fileName: `${at}.xml`, contents })), schema: [{ fileName: "junit.xsd", contents: SCHEMA }] });
  return errors.map(({ rawMessage }) => rawMessage);
}

const suiteOf = (document: Document): Document["testsuites"]["testsuite"][number] => {
  const [suite] = document.testsuites.testsuite;
  if (suite === undefined) throw new Error("the document has no suite");
  return suite;
};

test("case 195: escape codes, forbidden characters and half an emoji leave the XML valid and are shown", async () => {
  const report = reportOf([sample('tab\tname & <more> "q"', "failed", "expected \u001b[32mok\u001b[39m but got \u0000\b\u000b\uffff bell\u0007"), sample("lone", "errored", "lone \ud83d half")]);
  const xml = await written(report);
  expect(await faults(xml)).toEqual([]);
  const cases = suiteOf(parsed(xml)).testcase ?? [];
  expect(cases[0]?.failure?.[0]?.text).toContain("expected \\u001b[32mok\\u001b[39m but got \\u0000\\u0008\\u000b\\uffff bell\\u0007");
  expect(cases[0]?.name.replace("&#9;", "\t")).toBe('tab\tname & <more> "q"');
  expect(cases[1]?.error?.[0]?.text).toContain("lone \\ud83d half");
});

test("case 197: a failure is a failure, errors and cancellations are errors, a skip is a skip, and all counters agree", async () => {
  const report = reportOf([sample("a"), sample("b", "failed"), sample("c", "errored"), sample("d", "skipped"), sample("e", "errored", "the deadline of 30s passed"), sample("f", "cancelled")]);
  const xml = await written(report);
  const suite = suiteOf(parsed(xml));
  expect([suite.tests, suite.failures, suite.errors, suite.skipped]).toEqual(["6", "1", "3", "1"]);
  expect(parsed(xml).testsuites).toMatchObject({ tests: "6", failures: "1", errors: "3" });
  expect(suite.testcase?.map(({ name, failure, error, skipped }) => [name, failure?.length, error?.length, skipped?.length])).toEqual([
    ["a", undefined, undefined, undefined], ["b", 1, undefined, undefined], ["c", undefined, 1, undefined], ["d", undefined, undefined, 1], ["e", undefined, 1, undefined], ["f", undefined, 1, undefined],
  ]);
  expect(await faults(xml)).toEqual([]);
});

test("kind junit-counting: counters equal the elements they count, and there is a failure or an error exactly when the run did not pass", async () => {
  await fc.assert(
    fc.asyncProperty(hostileReport, async (report) => {
      const document = parsed(await written(report));
      const suite = suiteOf(document);
      const cases = suite.testcase ?? [];
      const count = (kind: "failure" | "error" | "skipped"): number => cases.reduce((sum, each) => sum + (each[kind]?.length ?? 0), 0);
      const counted = { tests: String(cases.length), failures: String(count("failure")), errors: String(count("error")) };
      expect(suite).toMatchObject({ ...counted, skipped: String(count("skipped")) });
      expect(document.testsuites).toMatchObject(counted);
      expect(count("failure") + count("error") > 0).toBe(!report.passed);
    }),
    { numRuns: 60 },
  );
});

test("kind unescaped-output: whatever texts hold, the XML is valid and has exactly the elements of the report", async () => {
  const documents: string[] = [];
  await fc.assert(
    fc.asyncProperty(hostileReport, async (report) => {
      const xml = await written(report);
      const own = report.error === undefined && (report.passed || report.totals.failed + report.totals.errored + report.totals.cancelled + (report.strict === true ? report.totals.scored : 0) > 0) ? 0 : 1;
      expect((suiteOf(parsed(xml)).testcase ?? []).length).toBe(report.scenarios.length + own);
      documents.push(xml);
    }),
    { numRuns: 60 },
  );
  expect(await faults(...documents)).toEqual([]);
});

test("kind lossy-serialisation: names of visible characters come back from the parser as they were", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.stringMatching(/^[\w &<>"'äß日本]{1,20}$/u), { minLength: 1, maxLength: 4 }), async (ids) => {
      const xml = await written(reportOf(ids.map((id) => sample(id))));
      expect(suiteOf(parsed(xml)).testcase?.map(({ name }) => name)).toEqual(ids);
    }),
    { numRuns: 40 },
  );
});

test("a suite that failed its calibration, or of which nothing ran, is never read as passed", async () => {
  const uncalibrated = reportOf([sample("a", "skipped")], { error: { code: "calibration_failed", stage: "calibration", message: "the judge took contradicted for entailed" } });
  expect(suiteOf(parsed(await written(uncalibrated)))).toMatchObject({ tests: "2", errors: "1", skipped: "1", testcase: [{ name: "(suite)", error: [{ type: "calibration_failed" }] }, {}] });
  expect(suiteOf(parsed(await written(reportOf([sample("a", "skipped")]))))).toMatchObject({ errors: "1", testcase: [{ error: [{ message: "no scenario ran" }] }, {}] });
});

test("a missed threshold is a failure in a strict run only", async () => {
  expect(suiteOf(parsed(await written(reportOf([sample("a", "scored")]))))).toMatchObject({ failures: "0" });
  expect(suiteOf(parsed(await written(reportOf([sample("a", "scored")], { strict: true }))))).toMatchObject({ failures: "1", testcase: [{ failure: [{ type: "threshold", message: "similarity: 0.20, below 0.50; wrong answer" }] }] });
});

test("a strict run of data that passed by its verdict has no failure for a threshold that one item missed", async () => {
  expect(suiteOf(parsed(await written(reportOf([sample("a", "scored"), sample("b")], { strict: true, passed: true, verdict: "passed" }))))).toMatchObject({ failures: "0", errors: "0" });
});

test("totals that are not those of the scenarios are refused instead of written", async () => {
  const report = reportOf([sample("a"), sample("b", "failed")]);
  await expect(joined(junitParts(report, report.scenarios.slice(0, 1)))).rejects.toMatchObject({ code: "report_unreadable", message: 'the report of the suite "chat" cannot be written as JUnit: its totals come to 2 tests and its scenarios to 1' });
});

test("case 181: the time of a run is the instant of its report, whatever the zone of the machine", async () => {
  const report = reportOf([sample("a")], { startedAt: "2024-05-01T10:00:00.000Z" });
  expect(suiteOf(parsed(await written(report))).timestamp).toBe("2024-05-01T10:00:00.000Z");
});

test("kind size-limits: 100,000 scenarios come in parts, and a text of megabytes is cut with a word about it", async () => {
  const head = reportOf([], { totals: { ...reportOf([]).totals, scenarios: 100_000, passed: 99_999, failed: 1 }, passed: false });
  let [parts, longest] = [0, 0];
  function* scenarios(): Generator<ReturnType<typeof sample>> {
    for (let at = 1; at < 100_000; at++) yield sample(`s_${at}`);
    yield sample("huge", "failed", "x".repeat(5_000_000));
  }
  for await (const part of junitParts(head, scenarios())) {
    parts += 1;
    longest = Math.max(longest, part.length);
  }
  expect([parts, longest < 50_000]).toEqual([100_002, true]);
});
