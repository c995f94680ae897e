import type { ReportHead, Result, Scenario, ScenarioReport, StopRule, TrialReport } from "entail";
import { fakeClock, scriptedJudge } from "entail/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { execute } from "./execute.ts";
import type { Plan } from "./plan.ts";

interface Ran {
  readonly head: ReportHead;
  readonly scenarios: readonly ScenarioReport[];
  readonly trials: ReadonlyMap<string, TrialReport>;
  /** `scenario/trial` of every call of a hook. */
  readonly called: readonly string[];
}

const KINDS = ["passes", "fails", "misses", "requires nothing", "throws", "is judged well", "is judged badly", "empty", "flaky"] as const;
type Kind = (typeof KINDS)[number];

const RESULTS: Record<Kind, (trial: number) => Result> = {
  "passes": () => ({ checks: [{ name: "a", passed: true }], usage: { inputTokens: 3, cost: 0.25 } }),
  "fails": () => ({ checks: [{ name: "a", passed: false, diagnostic: "x" }] }),
  "misses": () => ({ scores: [{ id: "s", score: 0.1, threshold: 0.5 }] }),
  "requires nothing": () => ({ scores: [{ id: "s", score: 0.1 }] }),
  "throws": () => { throw new Error("x"); },
  "is judged well": () => ({ output: "x", claims: [{ id: "good", text: "x" }] }),
  "is judged badly": () => ({ output: "x", claims: [{ id: "bad", text: "x" }], metadata: { model: "m" } }),
  "empty": () => ({ output: "", claims: [{ id: "good", text: "x" }] }),
  "flaky": (trial) => ({ checks: [trial % 2 === 0 ? { name: "a", passed: true } : { name: "a", passed: false, diagnostic: "x" }] }),
};

interface Given {
  readonly kinds: readonly { readonly kind: Kind; readonly trials: number; readonly passRate: number | undefined; readonly skip: boolean; readonly known: boolean }[];
  readonly maxConcurrency: number;
  readonly strict: boolean;
  readonly stopEarly: StopRule | undefined;
}

async function run({ kinds, maxConcurrency, strict, stopEarly }: Given, more: Pick<Plan, "stored" | "startedBefore" | "judge"> = {}): Promise<Ran> {
  const [scenarios, trials, called]: [ScenarioReport[], Map<string, TrialReport>, string[]] = [[], new Map(), []];
  const suite = kinds.map(({ kind, trials: times, passRate, skip, known }, at): Scenario => ({
    id: `s${at}`,
    description: "A scenario.",
    tags: [],
    timeoutMs: 1_000,
    trials: times,
    ...(passRate !== undefined && { require: { passRate } }),
    ...(skip && { skip: "x" }),
    ...(known && { knownFailure: "x" }),
    run({ scenario, trial }) {
      called.push(`${scenario}/${trial}`);
      return RESULTS[kind](trial);
    },
  }));
  const judge = Object.assign(scriptedJudge({ good: "entailed", bad: "contradicted" }), { identity: { model: "m" } });
  const plan: Plan = { suite: { id: "chat", description: "A suite.", scenarios: suite }, selection: { kind: "all" }, judge, maxConcurrency, strict, stopEarly, clock: fakeClock({ auto: true }), newRunId: () => "run", reporters: [], ...more };
  const head = await execute(plan, {
    trialFinished: (position, _id, report) => void trials.set(`${position}/${report.trial}`, report),
    scenarioFinished: (position, report) => void (scenarios[position] = report),
  });
  return { head, scenarios, trials, called };
}

const given = fc.record({
  kinds: fc.array(fc.record({ kind: fc.constantFrom(...KINDS), trials: fc.integer({ min: 1, max: 5 }), passRate: fc.constantFrom(undefined, 0.5), skip: fc.boolean(), known: fc.boolean() }), { minLength: 1, maxLength: 8 }),
  maxConcurrency: fc.integer({ min: 1, max: 4 }),
  strict: fc.boolean(),
  stopEarly: fc.constantFrom<StopRule | undefined>(undefined, { rule: "sprt", p0: 0.2, p1: 0.9 }),
});

test("kind resume: whichever trials are stored, none of them runs again, all others do once, and report, totals, usage and verdict are those of a run that did them all", async () => {
  await fc.assert(
    fc.asyncProperty(given, fc.infiniteStream(fc.boolean()), async (suite, coin) => {
      const whole = await run(suite);
      const kept = new Map([...whole.trials].filter(() => coin.next().value));
      const resumed = await run(suite, { stored: (position, _id, trial) => ((report) => report && { report })(kept.get(`${position}/${trial}`)) });
      const expected = [...whole.trials.keys()].filter((key) => !kept.has(key)).map((key) => `s${key}`);
      expect(resumed.called.toSorted()).toEqual(expected.toSorted());
      expect([...resumed.trials.keys()].map((key) => `s${key}`).toSorted()).toEqual(expected.toSorted());
      const timeless = (value: unknown): unknown => JSON.parse(JSON.stringify(value), (name, each: unknown) => (name === "startedAt" || name === "durationMs" || name === "warnings" ? undefined : each));
      expect(timeless(resumed.scenarios)).toEqual(timeless(whole.scenarios));
      expect(timeless(resumed.head)).toEqual(timeless(whole.head));
      // What is worked out of all results is the same; what is said while a hook or a judge runs is handed over by whoever stored it.
      const codes = ({ head }: Ran): readonly string[] => (head.warnings ?? []).map(({ code }) => code).filter((code) => code !== "judge_is_subject");
      expect(new Set(codes(resumed))).toEqual(new Set(codes(whole)));
    }),
    { numRuns: 200 },
  );
}, 60_000);

const ONE: Given = { kinds: [{ kind: "passes", trials: 1, passRate: undefined, skip: false, known: false }], maxConcurrency: 1, strict: false, stopEarly: undefined };

test("a run that goes on began when it began, and its duration is the sum over its processes", async () => {
  const { head } = await run(ONE, { startedBefore: { at: "2026-11-30T10:00:00Z", durationMs: 5_000, warnings: [{ code: "said", message: "before", scenario: "s0" }] } });
  expect([head.startedAt, head.durationMs >= 5_000, head.durationMs < 6_000, head.warnings]).toEqual(["2026-11-30T10:00:00Z", true, true, [{ code: "said", message: "before", scenario: "s0" }]]);
});

test("a stored result that cannot be read is an error at store: never run again, never passed over", async () => {
  const { head, scenarios, called } = await run(ONE, { stored: () => Promise.reject(new Error("the disk is gone")) });
  expect([called, head.passed, scenarios[0]?.outcome, scenarios[0]?.error?.stage]).toEqual([[], false, "errored", "store"]);
});

test("a judge that fails its calibration leaves what was stored as it is, and skips the rest", async () => {
  const kinds = (["is judged well", "is judged well"] as const).map((kind) => ({ kind, trials: 1, passRate: undefined, skip: false, known: false }));
  const whole = await run({ ...ONE, kinds });
  const stored: Plan["stored"] = (position) => ((report) => (position === 0 ? report && { report } : undefined))(whole.trials.get("0/1"));
  const { head, scenarios, called } = await run({ ...ONE, kinds }, { stored, judge: scriptedJudge(() => "entailed", { calibrates: false }) });
  expect([called, scenarios.map(({ outcome }) => outcome), head.error?.code, head.passed]).toEqual([[], ["passed", "skipped"], "calibration_failed", false]);
});
