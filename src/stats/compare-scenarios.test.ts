// What "worse" means: the four verdicts, and how often they are right when the truth is known.
import { compareScenarios, tango, type Comparison, type ComparisonVerdict, type ScenarioPair } from "entail/stats";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createRandom, type Random } from "./random.ts";

const SEED = { seed: 20261205, numRuns: 200 };

/** `[passed before, passed after]` of `trials` on each side, so many times. */
function scenarios(trials: number, ...groups: readonly (readonly [times: number, before: number, after: number])[]): readonly ScenarioPair[] {
  return groups.flatMap(([times, before, after], group) =>
    Array.from({ length: times }, (_, index) => ({ id: `${group}_${index}`, before: { passed: before, scored: trials }, after: { passed: after, scored: trials } })),
  );
}

test("two runs without a flip are no evidence, never too few, however few they are", () => {
  for (const pairs of [scenarios(1, [1, 1, 1]), scenarios(1, [3, 0, 0]), scenarios(5, [20, 5, 5], [4, 2, 2])]) {
    const found = compareScenarios(pairs);
    expect(found).toMatchObject({ verdict: "no evidence", difference: 0, worse: 0, better: 0, trialsNeeded: null });
    expect(found.p).toBeGreaterThan(0.5);
    expect(found.interval?.[0] ?? 0).toBeLessThan(0);
    expect(found.interval?.[1] ?? 0).toBeGreaterThan(0);
  }
});

test("with one trial each the interval is Tango's, seen from the second run", () => {
  const found = compareScenarios(scenarios(1, [12, 1, 0], [4, 0, 1], [84, 1, 1]));
  const [lower, upper] = tango(4, 12, 100) ?? [0, 0];
  expect(found).toMatchObject({ verdict: "regressed", method: "tango", unit: "scenario", units: 100, difference: -0.08, worse: 12, better: 4, same: 84 });
  expect(found.interval).toEqual([lower, upper]);
  expect(found.p).toBeCloseTo(0.049041748, 9);
});

test("four flips all one way are not enough to be sure, six are", () => {
  expect(compareScenarios(scenarios(1, [4, 1, 0], [96, 1, 1]))).toMatchObject({ verdict: "too few", interval: [expect.any(Number), 0] });
  expect(compareScenarios(scenarios(1, [6, 1, 0], [94, 1, 1])).verdict).toBe("regressed");
  expect(compareScenarios(scenarios(1, [6, 0, 1], [94, 1, 1])).verdict).toBe("improved");
  expect(compareScenarios(scenarios(1, [4, 0, 1], [96, 1, 1])).verdict).toBe("no evidence");
});

test("a drop that the margin allows is no evidence, one beyond it regresses, and one that more trials could settle is too few", () => {
  const drop = scenarios(10, [60, 9, 8], [60, 8, 7]);
  expect(compareScenarios(drop).verdict).toBe("regressed");
  expect(compareScenarios(drop, { margin: 0.2 }).verdict).toBe("no evidence");
  expect(compareScenarios(drop, { margin: 0.05 }).verdict).toBe("regressed");
  const uneven = scenarios(4, [30, 4, 3], [30, 3, 3], [5, 2, 3]);
  const found = compareScenarios(uneven, { margin: 0.08 });
  expect(found).toMatchObject({ verdict: "too few", margin: 0.08 });
  expect(found.trialsNeeded ?? 0).toBeGreaterThan(4);
});

test("the margin does not hide an improvement", () => {
  expect(compareScenarios(scenarios(5, [40, 3, 4], [10, 2, 3]), { margin: 0.3 }).verdict).toBe("improved");
});

test("a difference that is the scenarios' own is no evidence, since more trials would not settle it", () => {
  const found = compareScenarios(scenarios(100, [6, 100, 0], [4, 0, 100], [30, 50, 50]));
  expect(found).toMatchObject({ verdict: "no evidence", trialsNeeded: null, difference: -0.05 });
  expect(found.certainlyWorse).toHaveLength(6);
  expect(found.certainlyBetter).toHaveLength(4);
});

test("a scenario that surely broke is named even where the whole is no evidence", () => {
  const found = compareScenarios(scenarios(20, [1, 20, 0], [99, 20, 20]));
  expect(found).toMatchObject({ verdict: "no evidence", certainlyWorse: ["0_0"], certainlyBetter: [] });
  // Five of five to none of five is one chance in 126 for itself, and to be expected somewhere among 100.
  expect(compareScenarios(scenarios(5, [1, 5, 0], [99, 5, 5])).certainlyWorse).toEqual([]);
  expect(compareScenarios(scenarios(5, [1, 5, 0])).certainlyWorse).toEqual(["0_0"]);
});

test("with fewer than five scenarios the interval speaks of these very ones, by their trials", () => {
  expect(compareScenarios(scenarios(20, [1, 20, 0], [1, 20, 20]))).toMatchObject({ verdict: "regressed", unit: "trial", units: 80, method: "stratified" });
  expect(compareScenarios(scenarios(2, [1, 2, 0]))).toMatchObject({ verdict: "too few", unit: "trial" });
  expect(compareScenarios(scenarios(1, [3, 1, 0]))).toMatchObject({ verdict: "too few", method: "tango" });
  expect(compareScenarios(scenarios(5, [5, 5, 0]))).toMatchObject({ verdict: "regressed", unit: "scenario", difference: -1 });
});

test("clusters are the unit from five of them on; flips of one family count once", () => {
  const pairs = scenarios(3, [10, 3, 2], [50, 3, 3]);
  const families = (size: number): readonly ScenarioPair[] => pairs.map((pair, index) => ({ ...pair, cluster: Math.floor(index / size) }));
  expect(compareScenarios(pairs)).toMatchObject({ verdict: "regressed", unit: "scenario", units: 60 });
  expect(compareScenarios(families(10))).toMatchObject({ verdict: "no evidence", unit: "cluster", units: 6, method: "clustered t" });
  expect(compareScenarios(families(20))).toMatchObject({ unit: "scenario", units: 60 });
  expect(compareScenarios(families(1))).toMatchObject({ unit: "scenario", units: 60 });
  const single = scenarios(1, [6, 1, 0], [4, 0, 1], [50, 1, 1]).map((pair, index) => ({ ...pair, cluster: index % 12 }));
  expect(compareScenarios(single)).toMatchObject({ verdict: "too few", unit: "cluster", units: 12 });
  const partly = pairs.map((pair, index) => (index < 10 ? { ...pair, cluster: "one" } : pair));
  expect(compareScenarios(partly)).toMatchObject({ unit: "cluster", units: 51 });
});

test("an errored trial is no fail, and a scenario without a scored trial on a side is named and left out", () => {
  const pairs: readonly ScenarioPair[] = [
    ...scenarios(1, [10, 1, 1]),
    { id: "half", before: { passed: 3, scored: 3 }, after: { passed: 1, scored: 1 } },
    { id: "gone", before: { passed: 3, scored: 3 }, after: { passed: 0, scored: 0 } },
  ];
  expect(compareScenarios(pairs)).toMatchObject({ verdict: "no evidence", scenarios: 11, unscored: ["gone"], same: 11, before: 1, after: 1 });
});

test("where nothing can be compared it is too few, never no evidence", () => {
  const nothing = { verdict: "too few", difference: null, interval: null, p: null, scenarios: 0, trialsNeeded: null, smallestDrop: null };
  expect(compareScenarios([])).toMatchObject(nothing);
  expect(compareScenarios([{ id: "a", before: { passed: 0, scored: 0 }, after: { passed: 1, scored: 1 } }])).toMatchObject({ ...nothing, unscored: ["a"] });
});

const side = fc.integer({ min: 1, max: 6 }).chain((scored) => fc.record({ passed: fc.integer({ min: 0, max: scored }), scored: fc.constant(scored) }));
const anyPairs = fc.array(fc.record({ before: side, after: side, cluster: fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined }) }), { minLength: 1, maxLength: 30 }).map((list) => list.map((pair, index): ScenarioPair => ({ id: `s${index}`, ...pair })));

test("seen from the other run everything is mirrored, and the order of scenarios does not matter", () => {
  fc.assert(
    fc.property(anyPairs, (pairs) => {
      const found = compareScenarios(pairs);
      const mirrored = compareScenarios(pairs.map(({ before, after, ...pair }) => ({ ...pair, before: after, after: before })));
      expect(mirrored.difference).toBeCloseTo(-(found.difference ?? 0), 10);
      expect(mirrored.interval?.[0]).toBeCloseTo(-(found.interval?.[1] ?? 0), 9);
      expect(mirrored.interval?.[1]).toBeCloseTo(-(found.interval?.[0] ?? 0), 9);
      expect(mirrored.p).toBeCloseTo(found.p ?? -1, 9);
      expect(mirrored.verdict === "improved").toBe(found.verdict === "regressed");
      const turned = compareScenarios(pairs.toReversed());
      expect(turned.verdict).toBe(found.verdict);
      expect(turned.interval?.[0]).toBeCloseTo(found.interval?.[0] ?? 0, 10);
    }),
    SEED,
  );
});

test("the verdict says what the interval says, which holds the difference and lies within -1 and 1", () => {
  fc.assert(
    fc.property(anyPairs, fc.constantFrom(0, 0.05, 0.2), fc.constantFrom(0.8, 0.95, 0.99), (pairs, margin, level) => {
      const { interval, difference, verdict, worse, better, trialsNeeded, smallestDrop } = compareScenarios(pairs, { margin, level });
      const [lower, upper] = interval ?? [2, -2];
      expect(lower).toBeGreaterThanOrEqual(-1);
      expect(upper).toBeLessThanOrEqual(1);
      expect(lower).toBeLessThanOrEqual((difference ?? 0) + 1e-9);
      expect(upper).toBeGreaterThanOrEqual((difference ?? 0) - 1e-9);
      expect(verdict === "regressed").toBe(upper < -margin - 1e-9);
      expect(verdict === "improved").toBe(lower > 1e-9 && verdict !== "regressed");
      expect(worse + better > 0 || verdict === "no evidence").toBe(true);
      expect(trialsNeeded !== null && trialsNeeded > 1).toBe(verdict === "too few");
      expect(verdict !== "too few" || (difference ?? 0) < -margin).toBe(true);
      expect(smallestDrop === null || smallestDrop > margin).toBe(true);
    }),
    SEED,
  );
});

test("each trial more on both sides makes the interval of the same rates narrower, never wider", () => {
  const few = compareScenarios(scenarios(2, [20, 2, 1], [20, 1, 1]));
  const many = compareScenarios(scenarios(20, [20, 20, 10], [20, 10, 10]));
  expect((many.standardError ?? 1) <= (few.standardError ?? 0) + 1e-9).toBe(true);
  expect(many.smallestDrop ?? 1).toBeLessThan(few.smallestDrop ?? 0);
});

test("a scenario given twice, an impossible count and an option out of range are refused", () => {
  const one = scenarios(1, [1, 1, 1]);
  const code = (call: () => unknown): unknown => {
    try {
      return call();
    } catch (error) {
      return (error as { code?: unknown }).code;
    }
  };
  for (const call of [
    () => compareScenarios([...one, ...one]),
    () => compareScenarios([{ id: "a", before: { passed: 2, scored: 1 }, after: { passed: 0, scored: 1 } }]),
    () => compareScenarios([{ id: "a", before: { passed: Number.NaN, scored: 1 }, after: { passed: 0, scored: 1 } }]),
    () => compareScenarios([{ id: "a", before: { passed: 0, scored: 1 } } as never]),
    () => compareScenarios([null as never]),
    () => compareScenarios(one, { level: 5 }),
    () => compareScenarios(one, { level: 0.05 }),
    () => compareScenarios(one, { margin: -0.1 }),
    () => compareScenarios(one, { margin: 1 }),
    () => compareScenarios(one, { power: 1 }),
    () => compareScenarios(one, { maxTrials: 0 }),
    () => compareScenarios([{ ...(one[0] as ScenarioPair), cluster: {} as never }]),
  ]) expect(code(call)).toBe("value_invalid");
});

/** A pass rate of a scenario: Beta with the given mean and intra-class correlation, by Jöhnk's method. */
function scenarioRate(random: Random, mean: number, icc: number): number {
  const weight = (1 - icc) / icc;
  for (;;) {
    const x = random.next() ** (1 / (mean * weight));
    const y = random.next() ** (1 / ((1 - mean) * weight));
    if (x + y > 0 && x + y <= 1) return x / (x + y);
  }
}

interface World {
  readonly scenarios: number;
  readonly trials: number;
  /** The mean pass rate before, and how far it drops. */
  readonly mean: number;
  readonly drop: number;
  /** Whether the second agent has its own good and bad scenarios instead of those of the first. */
  readonly own?: boolean;
  readonly family?: number;
}

function simulate(seed: number, runs: number, world: World): { readonly share: (verdict: ComparisonVerdict) => number; readonly last: Comparison } {
  const random = createRandom(seed);
  const verdicts = new Map<ComparisonVerdict, number>();
  let last: Comparison | undefined;
  for (let run = 0; run < runs; run += 1) {
    let first = 0;
    let second = 0;
    const pairs = Array.from({ length: world.scenarios }, (_, index): ScenarioPair => {
      if (world.family === undefined || index % world.family === 0) {
        first = scenarioRate(random, world.mean, 0.5);
        second = world.own === true ? scenarioRate(random, world.mean - world.drop, 0.5) : first * (1 - world.drop / world.mean);
      }
      const count = (p: number): { readonly passed: number; readonly scored: number } => {
        let passed = 0;
        for (let trial = 0; trial < world.trials; trial += 1) if (random.next() < p) passed += 1;
        return { passed, scored: world.trials };
      };
      return { id: String(index), before: count(first), after: count(second), ...(world.family === undefined ? {} : { cluster: Math.floor(index / world.family) }) };
    });
    last = compareScenarios(pairs);
    verdicts.set(last.verdict, (verdicts.get(last.verdict) ?? 0) + 1);
  }
  return { share: (verdict) => (verdicts.get(verdict) ?? 0) / runs, last: last as Comparison };
}

test("two equal agents over unlike scenarios, five trials each, are called regressed in at most 5 % of 2,000 runs", () => {
  const { share } = simulate(101, 2000, { scenarios: 100, trials: 5, mean: 0.7, drop: 0 });
  expect(share("regressed")).toBeLessThanOrEqual(0.05);
  expect(share("improved")).toBeLessThanOrEqual(0.05);
});

test("so are two agents that are equal on average, each good at scenarios of its own", () => {
  const { share } = simulate(102, 2000, { scenarios: 50, trials: 5, mean: 0.7, drop: 0, own: true });
  expect(share("regressed")).toBeLessThanOrEqual(0.05);
  expect(share("improved")).toBeLessThanOrEqual(0.05);
});

test("few scenarios, rare failures, one trial or families: still at most 5 % of 1,000 runs each", () => {
  for (const [seed, world] of [
    [103, { scenarios: 3, trials: 5, mean: 0.8, drop: 0 }],
    [104, { scenarios: 6, trials: 2, mean: 0.5, drop: 0, own: true }],
    [105, { scenarios: 20, trials: 5, mean: 0.97, drop: 0 }],
    [106, { scenarios: 30, trials: 1, mean: 0.9, drop: 0 }],
    [107, { scenarios: 40, trials: 3, mean: 0.6, drop: 0, own: true, family: 5 }],
    [108, { scenarios: 1, trials: 20, mean: 0.5, drop: 0 }],
  ] as const) {
    const { share } = simulate(seed, 1000, world);
    expect({ world, quiet: share("regressed") <= 0.05 && share("improved") <= 0.05 }).toEqual({ world, quiet: true });
  }
});

test("a drop of 15 points over 100 scenarios with five trials is found in at least 80 % of 500 runs", () => {
  for (const [seed, mean] of [[109, 0.6], [110, 0.75], [111, 0.9]] as const) expect(simulate(seed, 500, { scenarios: 100, trials: 5, mean, drop: 0.15 }).share("regressed")).toBeGreaterThanOrEqual(0.8);
  expect(simulate(112, 500, { scenarios: 100, trials: 5, mean: 0.85, drop: 0.15, own: true }).share("regressed")).toBeGreaterThanOrEqual(0.8);
});

test("the smallest drop that a run says it could have found is found in about 80 % of 600 runs", () => {
  for (const [seed, scenarios, trials, mean] of [[113, 100, 5, 0.7], [114, 100, 1, 0.9], [115, 30, 3, 0.9], [116, 200, 5, 0.98]] as const) {
    const quiet = createRandom(seed);
    let total = 0;
    for (let run = 0; run < 20; run += 1) total += simulate(quiet.below(1_000_000), 1, { scenarios, trials, mean, drop: 0 }).last.smallestDrop ?? 1;
    const found = simulate(seed, 600, { scenarios, trials, mean, drop: total / 20 }).share("regressed");
    expect(found).toBeGreaterThan(0.72);
    expect(found).toBeLessThan(0.9);
  }
});

test("trials needed leave what scenarios differ by themselves as it is: 30 where ten trials each were too few", () => {
  // Changes of -0.4, 0.2 and 0: their variance over 40 is 0.00113846, of which trials 0.00038889, and the wanted one (0.06 / 2.0227)².
  expect(compareScenarios(scenarios(10, [10, 10, 6], [8, 2, 4], [22, 10, 10]))).toMatchObject({ verdict: "too few", trialsNeeded: 30 });
});

test("the trials that too few asks for would settle a difference like the one seen", () => {
  const pairs = scenarios(3, [12, 3, 2], [6, 2, 3], [40, 2, 2]);
  const found = compareScenarios(pairs);
  expect(found.verdict).toBe("too few");
  const times = Math.ceil((found.trialsNeeded ?? 0) / 3);
  // The same rates from so many trials: what scenarios themselves differ by is what remains of the spread.
  const settled = compareScenarios(pairs.map(({ id, before, after }) => ({ id, before: { passed: before.passed * times, scored: 3 * times }, after: { passed: after.passed * times, scored: 3 * times } })));
  expect(settled.difference).toBeCloseTo(found.difference ?? 0, 12);
  expect(times).toBeGreaterThan(1);
});
