import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createJudgedTally, judgedClaims, judgedRates, LABELS, rateLines, ratesFromLabels, sampleJudgments, type Label, type LabelledRow, type MeasuredQuality } from "entail/judge";
import { ppi, roganGladen, verdictAudit } from "entail/stats";
import type { JudgedRate, ScenarioReport } from "../core/report.ts";

const vectors = JSON.parse(readFileSync(new URL("../stats/vectors.json", import.meta.url), "utf8")) as Record<string, Record<string, number | number[]>>;

const scenario = (id: string, labels: readonly Label[], expected?: Label, output = "An answer."): ScenarioReport => ({
  id,
  outcome: "failed",
  passed: false,
  startedAt: "2026-09-10T12:00:00Z",
  durationMs: 1,
  result: { claims: labels.map((_, at) => ({ id: `c${at}`, text: `Claim ${at}.`, ...(expected !== undefined && { expect: expected }) })), ...(output !== "" && { output: `${output} ${id}` }) },
  judgments: labels.map((label, at) => ({ claimId: `c${at}`, label, rationale: "r", passed: label === (expected ?? "entailed"), ...(expected !== undefined && expected !== "entailed" && { expect: expected }) })),
});

const times = (count: number, label: Label): readonly Label[] => Array.from({ length: count }, () => label);
const each = (labels: readonly Label[], expected?: Label): readonly ScenarioReport[] => labels.map((label, at) => scenario(`s${at}`, [label], expected));
const quality = (table: readonly (readonly number[])[]): MeasuredQuality => ({
  version: 1, at: "2026-09-10T12:00:00.000Z", judge: {}, models: [], split: "test", digest: "d", rows: table.flat().reduce((sum, count) => sum + count, 0), unanswered: 0, compromised: 0, unsettled: 0, otherSplit: 0, repeats: 1, table, durationMs: 1,
});
function rates(reports: readonly ScenarioReport[], measured?: MeasuredQuality): readonly JudgedRate[] {
  const tally = createJudgedTally();
  for (const report of reports) tally.add(report);
  return judgedRates(tally.counts(), measured);
}

describe("the rates of a run", () => {
  test("are raw with Wilson's interval, and between bounds where some are indeterminate", () => {
    const [rate] = rates(each([...times(80, "entailed"), ...times(8, "contradicted"), ...times(7, "not_addressed"), ...times(5, "indeterminate")]));
    expect(rate).toMatchObject({ expect: "entailed", labels: { entailed: 80, contradicted: 8, not_addressed: 7, indeterminate: 5 }, judged: 100, passed: 80, effective: 100, bounds: [0.8, 0.85] });
    expect(rate?.raw.rate).toBe(0.8);
    expect(rate).not.toHaveProperty("corrected");
    const [small] = rates(each([...times(7, "entailed"), ...times(3, "contradicted")]));
    expect(small?.raw.interval[0]).toBeCloseTo(0.3967781475, 9);
    expect(small?.raw.interval[1]).toBeCloseTo(0.8922087326, 9);
  });

  test("are corrected by Rogan and Gladen with Lee's interval and the count of labels: the vectors of the anchors", () => {
    // p = .4 of 1000, true negative rate .7 and true positive rate .9, 200 labels each.
    const table = [[180, 20, 0, 0], [60, 140, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]];
    const [rate] = rates(each([...times(400, "entailed"), ...times(600, "contradicted")]), quality(table));
    expect(rate?.corrected?.map(({ method }) => method)).toEqual(["rogan_gladen"]);
    const [corrected] = rate?.corrected ?? [];
    expect(corrected?.labels).toBe(400);
    expect(corrected?.rate).toBeCloseTo(0.1666666667, 9);
    expect(corrected?.interval[0]).toBeCloseTo(0.0563507248, 9);
    expect(corrected?.interval[1]).toBeCloseTo(0.2627330258, 9);
    expect(JSON.stringify(vectors)).toContain("0.0563507248");
  });

  test("are corrected over all four labels once each has rows, with an interval about the estimate", () => {
    const table = [[90, 4, 4, 2], [5, 85, 6, 4], [8, 4, 84, 4], [2, 3, 5, 20]];
    const [rate] = rates(each([...times(300, "entailed"), ...times(60, "contradicted"), ...times(120, "not_addressed"), ...times(20, "indeterminate")]), quality(table));
    const several = rate?.corrected?.find(({ method }) => method === "multi_class");
    expect(several).toMatchObject({ labels: 330 });
    expect(several?.interval[0]).toBeLessThan(several?.rate ?? 0);
    expect(several?.interval[1]).toBeGreaterThan(several?.rate ?? 1);
  });

  test("a judge no better than a coin, or of whom no wrong claim was labelled, corrects nothing", () => {
    for (const table of [[[5, 5, 0, 0], [5, 5, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], [[50, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]]) {
      expect(rates(each(times(10, "entailed")), quality(table))[0]).not.toHaveProperty("corrected");
    }
  });

  test("are apart for each label that claims expect, by the error rates of that label", () => {
    const table = [[90, 10, 0, 0], [4, 80, 16, 0], [0, 5, 95, 0], [0, 0, 0, 0]];
    const found = rates([...each(times(30, "entailed")), scenario("x", ["not_addressed"], "not_addressed"), scenario("y", ["entailed"], "not_addressed")], quality(table));
    expect(found.map((rate) => [rate.expect, rate.judged, rate.passed])).toEqual([["entailed", 30, 30], ["not_addressed", 2, 1]]);
    const corrected = roganGladen({ judged: { count: 1, of: 2 }, sensitivity: { count: 95, of: 100 }, specificity: { count: 184, of: 200 } });
    expect(found[1]?.corrected?.[0]).toMatchObject({ rate: corrected?.estimate, labels: 300 });
  });

  test("leave out what had no output, which no judge saw, and count turns and trials", () => {
    const empty = scenario("empty", ["not_addressed"], undefined, "");
    const turned: ScenarioReport = { ...scenario("t", []), turns: [{ turn: 1, outcome: "passed", claims: [{ id: "a", text: "t" }], output: "o", judgments: [{ claimId: "a", label: "entailed", rationale: "r", passed: true }] }] };
    const [one, two] = [scenario("x", ["entailed"]), scenario("x", ["contradicted"])];
    const trials = { ...two, trials: [{ ...one, trial: 1 }, { ...two, trial: 2 }] } as unknown as ScenarioReport;
    expect(rates([empty, turned, trials])).toMatchObject([{ judged: 3, passed: 2 }]);
    expect(rates([empty])).toEqual([]);
    expect([...judgedClaims(trials)].map(({ trial, judgment }) => [trial, judgment.label])).toEqual([[1, "entailed"], [2, "contradicted"]]);
  });

  test("claims of one scenario that stand and fall together count as the scenarios they are", () => {
    const alike = Array.from({ length: 40 }, (_, at) => scenario(`s${at}`, times(5, at < 30 ? "entailed" : "contradicted")));
    const [rate] = rates(alike);
    expect(rate).toMatchObject({ judged: 200, passed: 150 });
    expect(rate?.effective).toBeCloseTo(39, 0);
    const [single] = rates(each([...times(30, "entailed"), ...times(10, "contradicted")]));
    expect((rate?.raw.interval[1] ?? 0) - (rate?.raw.interval[0] ?? 0)).toBeGreaterThanOrEqual((single?.raw.interval[1] ?? 0) - (single?.raw.interval[0] ?? 0));
    expect(rates([scenario("only", times(50, "entailed"))])[0]?.effective).toBe(1);
    expect(rates(Array.from({ length: 20 }, (_, at) => scenario(`s${at}`, times(3, "entailed"))))[0]?.effective).toBe(20);
  });

  test("never has a rate without its interval about it, more independent judgments than judgments, or bounds that are not in order", () => {
    const label = fc.constantFrom(...LABELS);
    const cell = fc.nat(40);
    const square = fc.array(fc.array(cell, { minLength: 4, maxLength: 4 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.array(label, { minLength: 1, maxLength: 4 }), label), { minLength: 1, maxLength: 20 }), square, (scenarios, table) => {
        for (const rate of rates(scenarios.map(([labels, wanted], at) => scenario(`s${at}`, labels, wanted)), quality(table))) {
          expect(rate.effective).toBeGreaterThanOrEqual(1);
          expect(rate.effective).toBeLessThanOrEqual(rate.judged);
          expect(rate.bounds[0]).toBeLessThanOrEqual(rate.bounds[1]);
          for (const { rate: corrected, interval: [lower, upper], labels } of rate.corrected ?? []) {
            expect(lower).toBeLessThanOrEqual(corrected);
            expect(upper).toBeGreaterThanOrEqual(corrected);
            expect(lower).toBeGreaterThanOrEqual(0);
            expect(upper).toBeLessThanOrEqual(1);
            expect(labels).toBeGreaterThan(0);
          }
        }
      }),
      { seed: 10, numRuns: 25 },
    );
  });
});

describe("labels of the run itself", () => {
  const reports = Array.from({ length: 60 }, (_, at) => scenario(`s${at}`, [at % 3 === 0 ? "contradicted" : "entailed"]));
  const claims = reports.flatMap((report) => [...judgedClaims(report)]);
  const labelled = (row: LabelledRow, label: Label): LabelledRow => ({ ...row, label });

  test("are drawn at random and apart from what passed and what failed, each once, the same for the same seed", () => {
    const rows = sampleJudgments(claims, { count: 20, suiteId: "chat", runId: "r1", fingerprint: "f" });
    expect(rows).toHaveLength(20);
    expect(rows.filter(({ drawn }) => drawn === "random")).toHaveLength(12);
    const byLabel = rows.filter(({ drawn }) => drawn === "by_label").map(({ judged }) => judged?.label);
    expect(byLabel.filter((label) => label === "contradicted")).toHaveLength(4);
    expect(byLabel.filter((label) => label === "entailed")).toHaveLength(4);
    expect(new Set(rows.map(({ from }) => from?.scenario)).size).toBe(20);
    expect(rows[0]).toMatchObject({ reference: "", claim: { id: "c0", text: "Claim 0." }, judged: { rationale: "r", fingerprint: "f" }, from: { suiteId: "chat", runId: "r1", trial: 1 } });
    expect(rows.every(({ label }) => label === undefined)).toBe(true);
    expect(sampleJudgments(claims, { count: 20, suiteId: "chat", runId: "r1", fingerprint: "f" })).toEqual(rows);
    expect(sampleJudgments(claims, { count: 20, suiteId: "chat", seed: 2 })).not.toEqual(sampleJudgments(claims, { count: 20, suiteId: "chat" }));
    expect(sampleJudgments(claims, { count: 900, suiteId: "chat" })).toHaveLength(60);
    expect(() => sampleJudgments(claims, { count: -1, suiteId: "chat" })).toThrow("as a whole number");
  });

  test("correct its rate by PPI++ from the random ones and by an audit from all, each with its interval and its labels", () => {
    const rows = sampleJudgments(claims, { count: 30, suiteId: "chat", runId: "r1" }).map((row, at) => labelled(row, at % 10 === 0 ? "contradicted" : (row.judged?.label as Label)));
    const [found] = ratesFromLabels(claims, rows, "r1");
    expect(found).toMatchObject({ expect: "entailed", labels: 30 });
    const holds = (label: Label | undefined): number => (label === "entailed" ? 1 : 0);
    const random = rows.filter(({ drawn }) => drawn === "random");
    const others = claims.filter(({ scenario: id }) => !random.some(({ from }) => from?.scenario === id));
    const predicted = ppi({ labels: random.map(({ label }) => holds(label)), judged: random.map(({ judged }) => holds(judged?.label)), rest: others.map(({ judgment }) => holds(judgment.label)) });
    expect(found?.corrected[0]).toMatchObject({ method: "ppi", rate: predicted?.estimate, labels: random.length, warnings: ["18 labels are few: the interval may be too narrow"] });
    const passed = rows.filter(({ judged }) => judged?.label === "entailed");
    const failed = rows.filter(({ judged }) => judged?.label !== "entailed");
    const audit = verdictAudit({ judgedPassed: 40, judgedFailed: 20, passedSample: { count: passed.filter(({ label }) => label === "entailed").length, of: passed.length }, failedSample: { count: failed.filter(({ label }) => label !== "entailed").length, of: failed.length } });
    expect(found?.corrected[1]).toMatchObject({ method: "verdict_audit", rate: audit?.estimate, labels: 30 });
    const [rate] = rates(reports);
    const lines = rateLines(rate as JudgedRate, found);
    expect(lines[0]).toBe("40 of 60 judged claims that expect entailed passed: 66.7% (54.1% to 77.3%)");
    expect(lines.join("\n")).toMatch(/corrected by labels of this run drawn at random: .*% \(.*% to .*%, 18 labels\)/);
  });

  test("of another run, of another output, without a label or drawn by nobody say nothing of it", () => {
    const rows = sampleJudgments(claims, { count: 30, suiteId: "chat", runId: "r1" }).map((row) => labelled(row, "entailed"));
    expect(ratesFromLabels(claims, rows, "r2")).toMatchObject([{ labels: 0, corrected: [] }]);
    expect(ratesFromLabels(claims, rows.map((row) => ({ ...row, output: "Another answer." })), "r1")).toMatchObject([{ labels: 0, corrected: [] }]);
    expect(ratesFromLabels(claims, rows.map(({ label: _label, ...row }) => row), "r1")).toMatchObject([{ labels: 0, corrected: [] }]);
    expect(ratesFromLabels(claims, rows.map((row) => ({ ...row, drawn: undefined })), "r1")).toMatchObject([{ labels: 30, corrected: [] }]);
  });
});
