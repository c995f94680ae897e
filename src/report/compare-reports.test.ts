import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { baselineOf, comparableRun, compareReports, compareVariants, decodeBaseline, encodeBaseline, encodeComparison, type Comparison } from "entail/report";
import { EntailError } from "../core/error.ts";
import type { Label } from "../core/label.ts";
import type { Report, ScenarioReport, TrialReport } from "../core/report.ts";
import { totalsOf } from "./totals.ts";

type Letter = "p" | "s" | "f" | "e" | "c";
const OUTCOMES = { p: "passed", s: "scored", f: "failed", e: "errored", c: "cancelled" } as const;

interface Made {
  readonly tags?: readonly string[];
  readonly label?: Label;
  readonly score?: number;
  readonly ms?: number;
  readonly reference?: string;
  readonly skip?: string;
}

function trialOf(letter: Letter, trial: number, { label, score, ms = 10, reference }: Made): TrialReport {
  const startedAt = "2026-01-01T00:00:00Z";
  const outcome = OUTCOMES[letter];
  if (outcome === "errored" || outcome === "cancelled") return { trial, outcome, startedAt, durationMs: ms, error: { code: "hook_threw", stage: "hook", message: `no route to 10.0.0.${trial}` } };
  return {
    trial,
    outcome,
    startedAt,
    durationMs: ms,
    result: {
      checks: [outcome === "failed" ? { name: "right", passed: false, diagnostic: "wrong" } : { name: "right", passed: true }],
      ...(label !== undefined && { claims: [{ id: "complete", text: "All is there." }] }),
      ...(reference !== undefined && { reference }),
    },
    ...(label !== undefined && { judgments: [{ claimId: "complete", label, rationale: "So it says.", passed: label === "entailed" }] }),
    ...(score !== undefined && { scores: [{ id: "tone", base: "tone", kind: "scorer" as const, score, threshold: 0.7, passed: score >= 0.7 }] }),
  };
}

/** `ppf`: a trial each. One letter is a scenario without trials of its own. */
function scenarioOf(id: string, letters: string, made: Made = {}): ScenarioReport {
  const trials = letters.split("").map((letter, at) => trialOf(letter as Letter, at + 1, made));
  const named = { id, ...(made.tags !== undefined && { tags: made.tags }) };
  if (made.skip !== undefined) return { ...named, outcome: "skipped", passed: false, durationMs: 0, skip: made.skip, error: { code: "scenario_skipped", stage: "selection", message: made.skip } };
  const deciding = trials.find(({ outcome }) => outcome !== "passed") ?? trials[0];
  const { trial: _trial, ...members } = deciding as TrialReport;
  return { ...named, ...members, passed: members.outcome === "passed" || members.outcome === "scored", ...(trials.length > 1 && { trials }) } as ScenarioReport;
}

function reportOf(scenarios: Readonly<Record<string, string>> | readonly ScenarioReport[], more: Partial<Report> = {}): Report {
  const list = Array.isArray(scenarios) ? (scenarios as readonly ScenarioReport[]) : Object.entries(scenarios).map(([id, letters]) => scenarioOf(id, letters));
  return { runId: "run", suiteId: "chat", startedAt: "2026-01-01T00:00:00Z", durationMs: 100, passed: true, totals: totalsOf(list), scenarios: list, ...more };
}

const many = (count: number, letters: (at: number) => string): Readonly<Record<string, string>> => Object.fromEntries(Array.from({ length: count }, (_, at) => [`s_${at}`, letters(at)]));
const flat = (count: number, letters: string): Readonly<Record<string, string>> => many(count, () => letters);

describe("the verdict", () => {
  test("seven of 37 that fall and one that rises are a regression of 16.2 points, whose words, rates and gate say so", () => {
    const comparison = compareReports(reportOf(many(37, (at) => (at < 3 ? "f" : "p"))), reportOf(many(37, (at) => (at >= 1 && at < 3 ? "f" : at >= 30 ? "f" : "p"))));
    expect(comparison).toMatchObject({ verdict: "regressed", scenarios: 37, worse: 7, better: 1, same: 29, method: "tango", gate: { exitCode: 1, reasons: ["the pass rate fell"] } });
    expect(comparison.difference).toBeCloseTo(-6 / 37, 12);
    expect(comparison.before.rate).toMatchObject({ rate: 34 / 37, trials: 37 });
    expect(comparison.words).toEqual([
      "Regressed",
      "Of 37 scenarios that both runs scored, 7 got worse and 1 got better.",
      "The pass rate fell by 16.2 points, from 91.9% to 75.7%; with 95% confidence by 1.5 to 32.2 points.",
    ]);
    expect(comparison.gotWorse.map(({ id }) => id)).toEqual(["s_30", "s_31", "s_32", "s_33", "s_34", "s_35", "s_36"]);
    expect(comparison.gotBetter.map(({ id }) => id)).toEqual(["s_0"]);
    expect(comparison.stillNotPassing).toEqual([{ suite: "chat", id: "s_1" }, { suite: "chat", id: "s_2" }]);
  });

  test("two runs without a flip are no evidence with the smallest drop they could have found, never too few", () => {
    const run = reportOf(flat(40, "ppppp"));
    const comparison = compareReports(run, run);
    expect(comparison).toMatchObject({ verdict: "no evidence", difference: 0, gate: { exitCode: 0, reasons: [] }, trialsNeeded: null });
    expect(comparison.smallestDrop).toBeGreaterThan(0);
    expect(comparison.words[3]).toMatch(/^A drop of \d+\.\d points or more would have been found 4 times in 5; a smaller one may be there\.$/);
    expect(comparison.unchanged).toHaveLength(40);
  });

  test("a drop that chance may explain is too few, and says how many trials would settle it; a margin above it is no evidence", () => {
    const [before, after] = [reportOf(many(20, () => "ppp")), reportOf(many(20, (at) => (at < 2 ? "ppf" : "ppp")))];
    const few = compareReports(before, after);
    expect(few).toMatchObject({ verdict: "too few", gate: { exitCode: 3, reasons: ["there are too few trials to tell"] } });
    expect(few.words.at(-1)).toBe(`About ${few.trialsNeeded} trials of each scenario in each run would settle it; these have 3.`);
    expect(compareReports(before, after, { margin: 0.05 })).toMatchObject({ verdict: "no evidence", gate: { exitCode: 0 } });
  });

  test("a fall that only the margin puts up with is not put down to chance, nor one that its few scenarios did make", () => {
    const [before, after] = [reportOf(flat(20, "ppp")), reportOf(many(20, (at) => (at < 9 ? "pff" : "ppp")))];
    expect(compareReports(before, after, { margin: 0.4 }).words[2]).toBe("The pass rate fell by 30.0 points, from 100% to 70%; with 95% confidence by 14.1 to 45.9 points, which need not be more than the margin.");
    const few = compareReports(reportOf(many(24, (at) => (at < 3 ? "ff" : "pp"))), reportOf(flat(24, "pp")));
    expect([few.verdict, few.words[2]]).toEqual(["no evidence", "The pass rate rose by 12.5 points, from 87.5% to 100%, though not for scenarios in general: with 95% confidence it moved by -1.8 to +26.8 points."]);
  });

  test("where nothing has a scored trial on both sides it is too few, and nothing was compared", () => {
    const comparison = compareReports(reportOf({ a: "e" }), reportOf({ a: "p" }));
    expect(comparison).toMatchObject({ verdict: "too few", difference: null, interval: null, gate: { exitCode: 3, reasons: ["nothing could be compared"] } });
    expect(comparison.words).toEqual(["Too few", "No scenario has a scored trial in both runs, so nothing could be compared."]);
    expect(compareReports(reportOf({}), reportOf({}))).toMatchObject({ verdict: "too few", gate: { exitCode: 3 } });
  });

  test("scenarios of several suites are clustered by suite where there are enough of them", () => {
    const run = (fail: boolean): readonly Report[] => Array.from({ length: 6 }, (_, suite) => reportOf(many(5, () => (fail && suite === 0 ? "f" : "p")), { suiteId: `suite_${suite}` }));
    const comparison = compareReports(run(false), run(true));
    // One suite that fell is one thing that happened, not five.
    expect(comparison).toMatchObject({ unit: "cluster", units: 6, method: "clustered t", verdict: "too few" });
    expect(comparison.groups.map(({ kind, name, difference }) => [kind, name, difference])).toEqual(Array.from({ length: 6 }, (_, at) => ["suite", `suite_${at}`, at === 0 ? -1 : 0]));
    expect(compareReports(run(false), run(true), { clusters: () => undefined })).toMatchObject({ unit: "scenario" });
  });
});

describe("what is paired", () => {
  test("missing, new, skipped, errored and cancelled scenarios are named with why, and only a missing one fails the gate", () => {
    const before = reportOf([scenarioOf("gone", "p"), scenarioOf("broken", "p"), scenarioOf("stopped", "p"), scenarioOf("left", "p"), scenarioOf("was_broken", "e"), scenarioOf("kept", "p")]);
    const after = reportOf([scenarioOf("broken", "e"), scenarioOf("stopped", "c"), scenarioOf("left", "", { skip: "issue 7" }), scenarioOf("was_broken", "p"), scenarioOf("kept", "p"), scenarioOf("young", "f")]);
    const comparison = compareReports(before, after);
    expect(comparison.missing).toEqual([{ suite: "chat", id: "gone", outcome: "passed" }]);
    expect(comparison.new).toEqual([{ suite: "chat", id: "young", outcome: "failed" }]);
    expect(comparison.notCompared).toEqual([
      { suite: "chat", id: "broken", before: "passed", after: "errored", reason: "errored (hook_threw: no route to 10.0.0.1)" },
      { suite: "chat", id: "stopped", before: "passed", after: "cancelled", reason: "cancelled (hook_threw: no route to 10.0.0.1)" },
      { suite: "chat", id: "left", before: "passed", after: "skipped", reason: "skipped: issue 7" },
      { suite: "chat", id: "was_broken", before: "errored", after: "passed", reason: "errored (hook_threw: no route to 10.0.0.1), in the first run" },
    ]);
    expect(comparison.gate).toEqual({ exitCode: 1, reasons: ["1 scenario of the first run is missing", "1 scenario errored", "1 scenario was cancelled"] });
  });

  test("an author's skip, a new failure and a failure that was there before leave the gate at 0; an error makes it 3", () => {
    const base = flat(30, "p");
    const before = reportOf([...Object.entries(base).map(([id, letters]) => scenarioOf(id, letters)), scenarioOf("known", "f"), scenarioOf("left", "p")]);
    const after = (more: readonly ScenarioReport[]): Report => reportOf([...Object.entries(base).map(([id, letters]) => scenarioOf(id, letters)), scenarioOf("known", "f"), scenarioOf("left", "", { skip: "issue 7" }), ...more]);
    expect(compareReports(before, after([scenarioOf("young", "f")])).gate).toEqual({ exitCode: 0, reasons: [] });
    expect(compareReports(before, after([scenarioOf("young", "e")])).gate).toEqual({ exitCode: 3, reasons: ["1 scenario errored"] });
  });

  test("a run that did not come to its end is no pass, whatever its scenarios say", () => {
    const run = reportOf(flat(30, "p"));
    const stopped = { ...run, error: { code: "max_time_reached", stage: "hook" as const, message: "" } };
    expect(compareReports(run, stopped).gate).toEqual({ exitCode: 3, reasons: ["the run of chat did not come to its end (max_time_reached)"] });
  });

  test("what was left out on purpose is not missing", () => {
    const comparison = compareReports(reportOf(flat(30, "p")), reportOf(flat(29, "p")), { unselected: ({ id }) => id === "s_29" });
    expect(comparison).toMatchObject({ missing: [], notCompared: [{ id: "s_29", reason: "not selected this time" }], gate: { exitCode: 0 } });
  });

  test("a scenario under a new id is renamed where its content is the same and no third has it, else missing and new", () => {
    const before = reportOf([scenarioOf("old_name", "p", { reference: "Priya is on call." }), ...Object.entries(flat(29, "p")).map(([id, letters]) => scenarioOf(id, letters))]);
    const rest = Object.entries(flat(29, "p")).map(([id, letters]) => scenarioOf(id, letters));
    const same = compareReports(before, reportOf([scenarioOf("new_name", "p", { reference: "Priya is on call." }), ...rest]));
    expect(same).toMatchObject({ renamed: [{ suite: "chat", from: "old_name", to: "new_name" }], missing: [], new: [], scenarios: 30, gate: { exitCode: 0 } });
    const other = compareReports(before, reportOf([scenarioOf("new_name", "p", { reference: "Nobody is on call." }), ...rest]));
    expect(other).toMatchObject({ renamed: [], missing: [{ id: "old_name" }], new: [{ id: "new_name" }], gate: { exitCode: 1 } });
    const twice = compareReports(before, reportOf([scenarioOf("one", "p", { reference: "Priya is on call." }), scenarioOf("two", "p", { reference: "Priya is on call." }), ...rest]));
    expect(twice).toMatchObject({ renamed: [], missing: [{ id: "old_name" }] });
  });

  test("scenarios that are described alike are never taken for each other", () => {
    const run = (ids: readonly string[]) => {
      const report = reportOf(ids.map((id) => scenarioOf(id, "p")));
      return comparableRun(report, report.scenarios, { scenario: () => ({ content: "A scenario." }) });
    };
    expect(compareReports(run(["a", "b", "c"]), run(["a", "b", "d"]))).toMatchObject({ renamed: [], missing: [{ id: "c" }], new: [{ id: "d" }] });
    const asked = compareReports(reportOf(["a", "b", "c"].map((id) => scenarioOf(id, "p", { reference: "The same." }))), reportOf(["a", "b", "d"].map((id) => scenarioOf(id, "p", { reference: "The same." }))));
    expect(asked).toMatchObject({ renamed: [], missing: [{ id: "c" }] });
  });

  test("a scenario whose content another took over keeps its own history", () => {
    const run = (contents: Readonly<Record<string, string>>) => {
      const report = reportOf(Object.keys(contents).map((id) => scenarioOf(id, "p")));
      return comparableRun(report, report.scenarios, { scenario: (id) => ({ content: contents[id] }) });
    };
    expect(compareReports(run({ a: "X", c: "Z" }), run({ b: "X", a: "Y", c: "Z" }))).toMatchObject({ renamed: [], scenarios: 2, new: [{ id: "b" }], missing: [] });
  });

  test("a changed revision is named and compared all the same", () => {
    const run = reportOf(flat(6, "p"));
    const at = (revision: string) => comparableRun(run, run.scenarios, { scenario: (id) => ({ revision: id === "s_0" ? revision : "same", content: id }) });
    expect(compareReports(at("one"), at("two"))).toMatchObject({ scenarios: 6, revised: [{ suite: "chat", id: "s_0" }], unchanged: { length: 6 } });
  });

  test("one suite under another name is paired by scenario, with a warning", () => {
    const comparison = compareReports(reportOf(flat(6, "p")), reportOf(flat(6, "p"), { suiteId: "talk" }));
    expect(comparison).toMatchObject({ scenarios: 6, missing: [], new: [], warnings: [{ code: "suite_renamed" }] });
  });
});

describe("what flipped", () => {
  const one = (letters: string, made: Made): Report => reportOf([scenarioOf("a", letters, made)]);

  test("a claim, a check and a score that hold no more are told with both sides in words", () => {
    const [change] = compareReports(one("p", { label: "entailed", score: 0.82 }), one("f", { label: "not_addressed", score: 0.64 })).gotWorse;
    expect(change?.flips).toEqual([
      { kind: "claim", id: "complete", direction: "worse", before: { text: "entailed", held: 1, of: 1 }, after: { text: "not addressed", held: 0, of: 1 } },
      { kind: "score", id: "tone", direction: "worse", before: { text: "0.82", held: 1, of: 1, score: 0.82 }, after: { text: "0.64", held: 0, of: 1, score: 0.64 } },
      { kind: "check", id: "right", direction: "worse", before: { text: "holds", held: 1, of: 1 }, after: { text: "fails", held: 0, of: 1 } },
    ]);
  });

  test("over several trials it is told how many held", () => {
    const [change] = compareReports(one("ppppp", {}), one("pppff", {})).gotWorse;
    expect(change).toMatchObject({ before: { passed: 5, scored: 5 }, after: { passed: 3, scored: 5 }, flips: [{ kind: "check", before: { text: "holds 5 of 5" }, after: { text: "holds 3 of 5" } }] });
  });

  test("what changed within a scenario whose rate stayed is named apart from what is unchanged", () => {
    const comparison = compareReports(one("f", { label: "contradicted" }), one("f", { label: "indeterminate" }));
    expect(comparison.alsoChanged).toMatchObject([{ id: "a", flips: [{ kind: "claim", direction: "changed", before: { text: "contradicted" }, after: { text: "indeterminate" } }] }]);
    expect(comparison.unchanged).toEqual([]);
    expect(compareReports(reportOf({ a: "ppe" }), reportOf({ a: "ppp" })).alsoChanged).toMatchObject([{ id: "a", flips: [], before: { outcome: "errored" }, after: { outcome: "passed" } }]);
    expect(compareReports(reportOf({ a: "s" }), reportOf({ a: "f" })).alsoChanged).toMatchObject([{ id: "a", before: { outcome: "scored" }, after: { outcome: "failed" } }]);
  });

  test("a claim that is asked no more is told as removed, not as a gain", () => {
    expect(compareReports(one("p", { label: "entailed" }), one("p", {})).alsoChanged).toMatchObject([{ flips: [{ kind: "claim", id: "complete", direction: "removed" }] }]);
  });

  test("a score that misses its threshold by a hair does not read as if it met it", () => {
    expect(compareReports(one("p", { score: 0.71 }), one("s", { score: 0.6999 })).gotWorse[0]?.flips).toMatchObject([{ kind: "score", after: { text: "0.6999", held: 0 } }]);
  });
});

describe("what else changed", () => {
  test("time is compared in pairs with an interval from five scenarios on, and what is unknown is left out", () => {
    const run = (ms: (at: number) => number, count = 6): Report => reportOf(Array.from({ length: count }, (_, at) => scenarioOf(`s_${at}`, "p", { ms: ms(at) })));
    const [time, ...others] = compareReports(run((at) => 100 + at), run((at) => 120 + at * 1.5)).measures;
    expect(time).toMatchObject({ measure: "duration", before: 102.5, after: 123.75, scenarios: 6 });
    expect(time?.change).toBeCloseTo(123.75 / 102.5 - 1, 12);
    expect(time?.interval?.[0]).toBeGreaterThan(0.19);
    expect(time?.interval?.[1]).toBeLessThan(0.23);
    expect(others).toEqual([]);
    expect(compareReports(run(() => 100, 4), run(() => 120, 4)).measures[0]?.interval).toBeUndefined();
  });

  test("the ratio's error is Cochran's: 1, 2, 3, 4, 5 against 2, 4, 5, 9, 10 is twice as much, by a fifth less or more", () => {
    const run = (values: readonly number[]): Report => reportOf(values.map((ms, at) => scenarioOf(`s_${at}`, "p", { ms })));
    const time = compareReports(run([1, 2, 3, 4, 5]), run([2, 4, 5, 9, 10])).measures[0];
    // Residuals 0, 0, -1, 1, 0: √(2 / 20) / 3, times t of 4 degrees, 2.7764451052.
    expect(time?.change).toBeCloseTo(1, 12);
    expect(time?.interval?.[1]).toBeCloseTo(1 + (2.7764451052 * Math.sqrt(0.1)) / 3, 9);
  });

  test("a cost of which a part is unknown is unknown, and takes part in no mean", () => {
    const run = (usages: readonly (ScenarioReport["usage"] | undefined)[]): Report => reportOf(usages.map((usage, at) => ({ ...scenarioOf(`s_${at}`, "p"), ...(usage !== undefined && { usage }) })));
    const known = { subject: { cost: 0.04, inputTokens: 900, outputTokens: 100 }, judge: { cost: 0.01 } };
    const after = { subject: { cost: 0.06, inputTokens: 1000, outputTokens: 200 }, judge: { cost: 0.01 } };
    const measures = compareReports(run([known, known, known, undefined]), run([after, { subject: { cost: 9, unknownRequests: 1, inputTokens: 1, outputTokens: 1 } }, { ...after, judge: { requests: 1 } }, after])).measures;
    expect(measures.find(({ measure }) => measure === "cost")).toMatchObject({ before: expect.closeTo(0.05, 12) as number, after: expect.closeTo(0.07, 12) as number, scenarios: 1 });
    expect(measures.find(({ measure }) => measure === "tokens")).toMatchObject({ before: 1000, after: 1200, scenarios: 2 });
  });

  test("tool calls are those of all turns that were reached, and unknown where one of them does not tell", () => {
    const run = (...calls: readonly (number | undefined)[]): Report =>
      reportOf([{ ...scenarioOf("a", "p"), turns: [...calls.map((toolCalls, turn) => ({ turn, outcome: "passed" as const, ...(toolCalls !== undefined && { toolCalls }) })), { turn: 9, outcome: "not_reached" as const }] }]);
    const callsOf = (before: Report, after: Report) => compareReports(before, after).measures.find(({ measure }) => measure === "tool_calls");
    expect(callsOf(run(2, 0), run(1, 4))).toMatchObject({ before: 2, after: 5, change: 1.5 });
    expect(callsOf(run(2, 0), run(1, undefined))).toBeUndefined();
  });

  test("a mean score is compared for each scorer", () => {
    const run = (score: number): Report => reportOf(Array.from({ length: 5 }, (_, at) => scenarioOf(`s_${at}`, "p", { score: score + at / 100 })));
    expect(compareReports(run(0.8), run(0.75)).measures.find(({ measure }) => measure === "score")).toMatchObject({ name: "tone", scenarios: 5, change: expect.closeTo(-0.05, 9) as number });
  });

  test("tags have intervals that hold together, so that no tag cries alone for being looked at", () => {
    const run = (fail: boolean, tags = 8): Report => reportOf(Array.from({ length: 48 }, (_, at) => scenarioOf(`s_${at}`, fail && at % 8 === 0 ? "f" : "p", { tags: [`tag_${Math.min(at % 8, tags - 1)}`] })));
    const comparison = compareReports(run(false), run(true));
    expect(comparison.verdict).toBe("regressed");
    // Six flips of six are enough for one tag of two, and not for one of eight.
    expect(compareReports(run(false, 2), run(true, 2)).groups.map(({ verdict }) => verdict)).toEqual(["regressed", "no evidence"]);
    expect(comparison.groups).toHaveLength(8);
    expect(comparison.groups.filter(({ verdict }) => verdict === "regressed")).toEqual([]);
    expect(compareReports(reportOf([scenarioOf("a", "p", { tags: ["all"] })]), reportOf([scenarioOf("a", "p", { tags: ["all"] })])).groups).toEqual([]);
  });

  test("another judge, a stopping rule and trials that were not measured are warned of", () => {
    const run = (model: string, letters: string): Report => reportOf([scenarioOf("a", letters, { label: "entailed" })], { judge: { model, fingerprint: model } });
    expect(compareReports(run("one", "ppp"), run("two", "ppe")).warnings.map(({ code }) => code)).toEqual(["judge_changed", "trials_not_measured"]);
    expect(compareReports(run("one", "ppp"), run("one", "ppp")).warnings).toEqual([]);
  });
});

const letters = fc.array(fc.constantFrom("p", "s", "f", "e", "c"), { minLength: 1, maxLength: 6 }).map((list) => list.join(""));
const pairs = fc.array(fc.tuple(letters, letters), { minLength: 1, maxLength: 25 });
const sides = (made: readonly (readonly [string, string])[]): readonly [Report, Report] => [reportOf(many(made.length, (at) => made[at]?.[0] ?? "")), reportOf(many(made.length, (at) => made[at]?.[1] ?? ""))];
const numbersOf = ({ verdict, difference, interval, p, smallestDrop, trialsNeeded, scenarios, worse, better, same }: Comparison): unknown => ({ verdict, difference, interval, p, smallestDrop, trialsNeeded, scenarios, worse, better, same });
const near = (a: number | null | undefined, b: number | null | undefined): boolean => (a == null || b == null ? a === b : Math.abs(a - b) < 1e-9);

describe("whatever the runs", () => {
  test("swapping the sides turns the estimate and its interval around, and a certain verdict into its opposite", () => {
    fc.assert(
      fc.property(pairs, (made) => {
        const [before, after] = sides(made);
        const [one, other] = [compareReports(before, after), compareReports(after, before)];
        expect(near(one.difference, other.difference === null ? null : -other.difference)).toBe(true);
        expect(near(one.interval?.[0], other.interval === null ? undefined : -other.interval[1])).toBe(true);
        expect(other.verdict === "regressed").toBe(one.verdict === "improved");
        expect(other.gotWorse.map(({ id }) => id)).toEqual(one.gotBetter.map(({ id }) => id));
      }),
      { numRuns: 60 },
    );
  });

  test("kind aggregation-denominator: a scenario that errored, was cancelled, is new or missing never moves the estimate", () => {
    fc.assert(
      fc.property(pairs, fc.constantFrom("e", "c", "ee"), fc.boolean(), (made, broken, first) => {
        const [before, after] = sides(made);
        const extra = scenarioOf("extra", broken);
        const fine = scenarioOf("extra", "f");
        const add = (run: Report, scenario: ScenarioReport): Report => ({ ...run, scenarios: [...run.scenarios, scenario] });
        const plain = compareReports(before, after);
        const more = compareReports(add(before, first ? extra : fine), add(after, first ? fine : extra));
        expect(numbersOf(more)).toEqual(numbersOf(plain));
        expect(more.notCompared.map(({ id }) => id)).toContain("extra");
        expect(numbersOf(compareReports(add(before, fine), after))).toEqual(numbersOf(plain));
        expect(numbersOf(compareReports(before, add(after, fine)))).toEqual(numbersOf(plain));
      }),
      { numRuns: 40 },
    );
  });

  test("an errored trial beside scored ones counts for neither side", () => {
    fc.assert(
      fc.property(pairs, (made) => {
        const [before, after] = sides(made);
        const without = made.map(([a, b]) => [a.replace(/[ec]/g, "") || "e", b.replace(/[ec]/g, "") || "e"] as const);
        expect(numbersOf(compareReports(before, after))).toEqual(numbersOf(compareReports(...sides(without))));
      }),
      { numRuns: 40 },
    );
  });

  test("the order of scenarios and of their trials changes nothing", () => {
    fc.assert(
      fc.property(pairs, (made) => {
        const [before, after] = sides(made);
        const turned = (run: Report): Report => reportOf(run.scenarios.toReversed().map(({ id }) => scenarioOf(id, (made[Number(id.slice(2))]?.[run === before ? 0 : 1] ?? "").split("").toReversed().join(""))));
        const [one, other] = [compareReports(before, after), compareReports(turned(before), turned(after))];
        expect([other.verdict, other.scenarios, other.worse, other.better]).toEqual([one.verdict, one.scenarios, one.worse, one.better]);
        expect(near(one.difference, other.difference) && near(one.interval?.[0], other.interval?.[0]) && near(one.p, other.p)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test("every scenario of either run is in exactly one list, and the JSON holds no number that is none", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("a", "b", "c", "d", "e", "f"), letters), fc.dictionary(fc.constantFrom("a", "b", "c", "d", "g"), letters), (first, second) => {
        const comparison = compareReports(reportOf(first), reportOf(second));
        const { gotWorse, gotBetter, alsoChanged, unchanged, notCompared, missing } = comparison;
        const lists = [gotWorse, gotBetter, alsoChanged, unchanged, notCompared, missing, comparison.new].flatMap((list) => list.map(({ id }) => id));
        expect(lists.toSorted()).toEqual([...new Set([...Object.keys(first), ...Object.keys(second)])].toSorted());
        const text = encodeComparison(comparison);
        expect(text).not.toMatch(/NaN|Infinity/);
        expect(text.endsWith("}\n")).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test("kind vacuous-pass: where no scenario has a scored trial on both sides the gate is never 0, whatever the runs hold", () => {
    const unmeasured = fc.constantFrom("e", "c", "ee", "skip", "gone");
    const report = (made: readonly string[]): Report => reportOf(made.flatMap((how, at) => (how === "gone" ? [] : [how === "skip" ? scenarioOf(`s_${at}`, "", { skip: "issue 7" }) : scenarioOf(`s_${at}`, how)])));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), letters, unmeasured), { maxLength: 8 }), (made) => {
        const [before, after] = [report(made.map(([first, fine, broken]) => (first ? fine : broken))), report(made.map(([first, fine, broken]) => (first ? broken : fine)))];
        expect(compareReports(before, after).gate.exitCode).not.toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test("kind aggregation-denominator: one pass beside 99 errors is neither a rate of 100% alone nor a gate that holds", () => {
    const before = reportOf(flat(100, "p"));
    const comparison = compareReports(before, reportOf(many(100, (at) => (at === 0 ? "p" : "e"))));
    expect(comparison).toMatchObject({ scenarios: 1, notCompared: { length: 99 }, gate: { exitCode: 3, reasons: ["99 scenarios errored"] } });
    // Skipped by its author, a scenario is in no total: the rest decides.
    const skipped = compareReports(before, reportOf([scenarioOf("s_0", "", { skip: "issue 7" }), ...Object.entries(flat(100, "p")).slice(1).map(([id, each]) => scenarioOf(id, each))]));
    expect(skipped).toMatchObject({ scenarios: 99, gate: { exitCode: 0 } });
  });

  test("kind threshold-handling: the gate is 1 exactly where the interval's upper end lies below minus the margin, or a scenario is missing", () => {
    fc.assert(
      fc.property(pairs, fc.double({ min: 0, max: 0.5, noNaN: true }), fc.constantFrom(0.8, 0.9, 0.95, 0.99), (made, margin, level) => {
        const comparison = compareReports(...sides(made), { margin, level });
        expect(comparison.gate.exitCode === 1).toBe(comparison.interval !== null && comparison.interval[1] < -margin - 1e-9);
      }),
      { numRuns: 60 },
    );
  });

  test("kind rounding: no sentence says that a rate is 100% or that nothing changed where it is not so", () => {
    fc.assert(
      fc.property(fc.integer({ min: 30, max: 3000 }), (count) => {
        const comparison = compareReports(reportOf(flat(count, "p")), reportOf(many(count, (at) => (at === 0 ? "f" : "p"))));
        const text = comparison.words.join(" ");
        expect(text).toContain("from 100% to ");
        expect(text).not.toMatch(/to 100%|by 0(?:\.0)? points/);
      }),
      { numRuns: 15 },
    );
  });
});

describe("a baseline", () => {
  const texts = fc.string({ minLength: 1, maxLength: 12 });
  const runs = fc.uniqueArray(fc.tuple(texts, letters, fc.constantFrom<Label>("entailed", "contradicted"), fc.double({ min: 0, max: 1, noNaN: true }), fc.array(texts, { maxLength: 3 })), { maxLength: 8, selector: ([id]) => id });

  test("of the same run is the same bytes, whatever its times, ids, order and messages", () => {
    fc.assert(
      fc.property(runs, (made) => {
        const at = (moment: string, order: readonly (typeof made)[number][]): string => {
          const run = reportOf(order.map(([id, outcomes, label, score, tags]) => scenarioOf(id, outcomes, { label, score, tags })), { startedAt: moment, runId: moment, durationMs: moment.length });
          return encodeBaseline(baselineOf(comparableRun(run, run.scenarios)));
        };
        const text = at("2026-01-01T00:00:00Z", made);
        expect(at("2026-02-02T02:02:02.5Z", made.toReversed())).toBe(text);
        expect(encodeBaseline(decodeBaseline(text))).toBe(text);
        expect(text).not.toContain("10.0.0");
      }),
      { numRuns: 60 },
    );
  });

  test("stands for its run: compared with the run it is made of, nothing moved", () => {
    fc.assert(
      fc.property(runs, (made) => {
        const run = reportOf(made.map(([id, outcomes, label, score, tags]) => scenarioOf(id, outcomes, { label, score, tags })));
        const comparison = compareReports(decodeBaseline(encodeBaseline(baselineOf(comparableRun(run, run.scenarios)))), run);
        expect([comparison.gotWorse, comparison.gotBetter, comparison.alsoChanged, comparison.missing, comparison.new]).toEqual([[], [], [], [], []]);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ["", "the baseline cannot be read: "],
    ["{}", "schema_version is missing: this is no baseline"],
    ['{"schema_version": 2, "suite_id": "a", "scenarios": []}', "schema_version is 2, and this version of Entail reads 1; update Entail"],
    ['{"schema_version": 1, "suite_id": "a"}', "scenarios is missing"],
    ['{"schema_version": 1, "suite_id": "a", "scenarios": [{"id": "x"}]}', "scenarios[0].outcome is missing"],
    ['{"schema_version": 1, "suite_id": "a", "suite_id": "b", "scenarios": []}', "suite_id"],
  ])("that is none is refused: %s", (text, sentence) => {
    let thrown: unknown;
    try {
      decodeBaseline(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(EntailError);
    expect((thrown as EntailError).code).toBe("baseline_unreadable");
    expect((thrown as EntailError).message).toContain(sentence);
  });

  test("that holds a scenario twice after a merge by hand, or more that held than there were, is refused", () => {
    const run = reportOf({ a: "p" });
    const text = encodeBaseline(baselineOf(comparableRun(run, run.scenarios)));
    const twice = JSON.parse(text) as { scenarios: object[] };
    twice.scenarios.push(twice.scenarios[0] as object);
    expect(() => decodeBaseline(JSON.stringify(twice))).toThrow('scenarios[1].id is "a" for the second time');
    expect(() => decodeBaseline(text.replace('"held": 1', '"held": 2'))).toThrow("scenarios[0].checks[0].held must not be more than its of");
  });
});

describe("variants", () => {
  const runs = (letters: readonly ((at: number) => string)[], count = 24): readonly Report[] => letters.map((of, at) => reportOf(many(count, of), { variant: `model=${"abcdefg"[at]}` }));

  test("three variants are compared in three pairs, and a pair is called different by Holm's correction over all of them", () => {
    const matrix = compareVariants(runs([(at) => (at < 12 ? "p" : "f"), (at) => (at < 17 ? "p" : "f"), () => "p"]));
    expect(matrix.variants.map(({ variant, rate }) => [variant, rate?.rate])).toEqual([["model=a", 0.5], ["model=b", 17 / 24], ["model=c", 1]]);
    expect(matrix.pairs.map(({ before, after, verdict }) => [before, after, verdict])).toEqual([["model=a", "model=b", "improved"], ["model=a", "model=c", "improved"], ["model=b", "model=c", "improved"]]);
    // Five flips one way: 0.03125 by the sign test in its mid-p form, the largest of three, so that the correction leaves it as it is.
    expect(matrix.pairs[0]?.p).toBeCloseTo(0.03125, 6);
    expect(matrix.pairs[0]?.adjustedP).toBeCloseTo(0.03125, 6);
  });

  test("what is certain for one pair alone is no evidence among many", () => {
    const two = compareVariants(runs([() => "p", (at) => (at < 5 ? "f" : "p")]));
    const seven = compareVariants(runs([() => "p", (at) => (at < 5 ? "f" : "p"), ...Array.from({ length: 5 }, () => () => "p")]));
    expect([two.pairs[0]?.verdict, seven.pairs[0]?.verdict, seven.pairs.length]).toEqual(["regressed", "no evidence", 21]);
    expect(seven.pairs[0]?.adjustedP).toBeCloseTo(21 * 0.03125, 5);
  });

  test("a variant that could not be measured says so, and no pair with it is decided", () => {
    const matrix = compareVariants(runs([() => "p", () => "e"], 6));
    expect(matrix.variants[1]).toMatchObject({ rate: null, notMeasured: 6 });
    expect(matrix.pairs[0]).toMatchObject({ verdict: "too few", difference: null, p: null, adjustedP: null });
  });

  test("a pair is decided exactly where its adjusted chance is at most 5 %, whatever the runs", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.constantFrom("p", "f", "pp", "ff", "pf"), { minLength: 8, maxLength: 8 }), { minLength: 2, maxLength: 4 }), (all) => {
        for (const { verdict, adjustedP } of compareVariants(runs(all.map((letters) => (at: number) => letters[at] ?? "p"), 8)).pairs) {
          expect(verdict === "regressed" || verdict === "improved").toBe((adjustedP ?? 1) <= 0.05);
        }
      }),
      { numRuns: 25 },
    );
  });
});
