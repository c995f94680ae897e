// What the intervals and tests promise, held against thousands of seeded runs whose truth is known.
import { clusteredMean, confidenceSequence, eValue, mcnemarExact, meanInterval, multiClassCorrection, nestedMean, ppi, roganGladen, sprt, verdictAudit, wilson, type Interval } from "entail/stats";
import { expect, test } from "vitest";
import { createRandom, type Random } from "./random.ts";

const holds = (interval: Interval | null | undefined, truth: number): boolean => interval !== null && interval !== undefined && interval[0] <= truth && truth <= interval[1];

function successes(random: Random, n: number, p: number): number {
  let count = 0;
  for (let trial = 0; trial < n; trial += 1) if (random.next() < p) count += 1;
  return count;
}

/** The share of `runs` of which `body` says yes. */
function rate(seed: number, runs: number, body: (random: Random) => boolean): number {
  const random = createRandom(seed);
  let yes = 0;
  for (let run = 0; run < runs; run += 1) if (body(random)) yes += 1;
  return yes / runs;
}

test("Wilson's interval of 50 cases covers a rate of 0.85 in 93 to 97 % of 5,000 runs", () => {
  const covered = rate(1, 5000, (random) => holds(wilson(successes(random, 50, 0.85), 50), 0.85));
  expect(covered).toBeGreaterThan(0.93);
  expect(covered).toBeLessThan(0.97);
});

test("with a judge of known errors Lee's interval covers the truth in at least 93 % of 1,000 runs, where the raw one covers under 50 %", () => {
  for (const [seed, theta, tpr, tnr] of [[2, 0.85, 0.92, 0.8], [3, 0.6, 0.85, 0.9], [4, 0.95, 0.9, 0.7]] as const) {
    let raw = 0;
    const corrected = rate(seed, 1000, (random) => {
      let passed = 0;
      for (let judgment = 0; judgment < 500; judgment += 1) if (random.next() < (random.next() < theta ? tpr : 1 - tnr)) passed += 1;
      if (holds(wilson(passed, 500), theta)) raw += 1;
      const found = roganGladen({ judged: { count: passed, of: 500 }, sensitivity: { count: successes(random, 100, tpr), of: 100 }, specificity: { count: successes(random, 100, tnr), of: 100 } });
      return holds(found?.interval, theta);
    });
    expect(corrected).toBeGreaterThanOrEqual(0.93);
    expect(raw / 1000).toBeLessThan(0.5);
  }
});

test("the bootstrapped shares of three labels cover the truth in at least 90 % of 150 runs", () => {
  const truth = [0.6, 0.1, 0.3];
  const judge = [[0.9, 0.04, 0.06], [0.05, 0.85, 0.1], [0.1, 0.05, 0.85]];
  const draw = (random: Random, n: number, chances: readonly number[]): number[] => {
    const counts = [0, 0, 0];
    for (let trial = 0; trial < n; trial += 1) {
      const place = random.next();
      const label = place < (chances[0] as number) ? 0 : place < (chances[0] as number) + (chances[1] as number) ? 1 : 2;
      counts[label] = (counts[label] as number) + 1;
    }
    return counts;
  };
  const observed = [0, 1, 2].map((label) => truth.reduce((sum, share, human) => sum + share * ((judge[human] as number[])[label] as number), 0));
  const covered = rate(5, 150, (random) => {
    const found = multiClassCorrection(judge.map((row) => draw(random, 60, row)), draw(random, 300, observed), { resamples: 200, seed: 9 });
    return holds(found?.intervals?.[0], truth[0] as number);
  });
  expect(covered).toBeGreaterThanOrEqual(0.9);
});

test("PPI with 50 labels covers the truth in at least 92 % of 2,000 runs and is narrower than the labels alone", () => {
  let narrower = 0;
  const covered = rate(6, 2000, (random) => {
    const one = (): readonly [number, number] => {
      const label = random.next() < 0.7 ? 1 : 0;
      return [label, random.next() < (label === 1 ? 0.92 : 0.2) ? 1 : 0];
    };
    const labelled = Array.from({ length: 50 }, one);
    const found = ppi({ labels: labelled.map(([label]) => label), judged: labelled.map(([, judged]) => judged), rest: Array.from({ length: 400 }, () => one()[1]) });
    if ((found?.standardError ?? 1) < (found?.human.standardError ?? 0)) narrower += 1;
    return holds(found?.interval, 0.7);
  });
  expect(covered).toBeGreaterThanOrEqual(0.92);
  expect(narrower / 2000).toBeGreaterThan(0.95);
});

test("an audit of 60 and 40 labels by verdict covers the truth in at least 93 % of 2,000 runs", () => {
  const truth = 0.8 * 0.95 + 0.2 * 0.3;
  const covered = rate(7, 2000, (random) => holds(verdictAudit({ judgedPassed: 400, judgedFailed: 100, passedSample: { count: successes(random, 60, 0.95), of: 60 }, failedSample: { count: successes(random, 40, 0.7), of: 40 } })?.interval, truth));
  expect(covered).toBeGreaterThanOrEqual(0.93);
});

test("looking after every flip up to 60, an e-value cries wrongly in at most 5 % of 4,000 runs, a test of fixed size in more than 15 %", () => {
  let peeked = 0;
  const alarms = rate(8, 4000, (random) => {
    let heads = 0;
    let fixed = false;
    let anytime = false;
    for (let flip = 1; flip <= 60; flip += 1) {
      if (random.next() < 0.5) heads += 1;
      if (mcnemarTable(heads, flip - heads) <= 0.05) fixed = true;
      if (eValue(heads, flip, 0.5) >= 20) anytime = true;
    }
    if (fixed) peeked += 1;
    return anytime;
  });
  expect(alarms).toBeLessThanOrEqual(0.05);
  expect(peeked / 4000).toBeGreaterThan(0.15);
});

const known = new Map<string, number>();
function mcnemarTable(b: number, c: number): number {
  const key = `${Math.min(b, c)}/${b + c}`;
  const p = known.get(key) ?? mcnemarExact(b, c);
  known.set(key, p);
  return p;
}

test("a confidence sequence holds the rate after each of 200 trials at once, in at least 95 % of 400 runs", () => {
  const ends = new Map<string, Interval>();
  const covered = rate(9, 400, (random) => {
    let passed = 0;
    for (let trial = 1; trial <= 200; trial += 1) {
      if (random.next() < 0.8) passed += 1;
      const key = `${passed}/${trial}`;
      const interval = ends.get(key) ?? confidenceSequence(passed, trial);
      ends.set(key, interval);
      if (!holds(interval, 0.8)) return false;
    }
    return true;
  });
  expect(covered).toBeGreaterThanOrEqual(0.95);
});

test("SPRT accepts the wrong rate in at most 5 and 10 % of 2,000 runs each, after far fewer trials than a fixed test", () => {
  const plan = sprt({ p0: 0.5, p1: 0.8 });
  let trials = 0;
  const play = (random: Random, p: number): string => {
    let passed = 0;
    for (let trial = 1; ; trial += 1) {
      if (random.next() < p) passed += 1;
      const decision = plan.decide(passed, trial - passed);
      if (decision === "continue") continue;
      trials += trial;
      return decision;
    }
  };
  expect(rate(10, 2000, (random) => play(random, 0.5) === "accept_p1")).toBeLessThanOrEqual(0.05);
  expect(rate(11, 2000, (random) => play(random, 0.8) === "accept_p0")).toBeLessThanOrEqual(0.1);
  expect(trials / 4000).toBeLessThan(15);
});

test("five trials each of 40 unlike scenarios: the nested interval covers in at least 93 % of 1,500 runs, the flattened one in under 85 %", () => {
  let flattened = 0;
  const covered = rate(12, 1500, (random) => {
    const rows = Array.from({ length: 40 }, () => {
      const p = random.next() < 0.5 ? 0.95 : 0.25;
      return Array.from({ length: 5 }, () => (random.next() < p ? 1 : 0));
    });
    if (holds(meanInterval(rows.flat()), 0.6)) flattened += 1;
    return holds(nestedMean(rows)?.interval, 0.6);
  });
  expect(covered).toBeGreaterThanOrEqual(0.93);
  expect(flattened / 1500).toBeLessThan(0.85);
});

test("scenarios in 20 families: the clustered interval covers in at least 92 % of 1,500 runs, the plain one in under 85 %", () => {
  let plain = 0;
  const covered = rate(13, 1500, (random) => {
    const values: number[] = [];
    const clusters: number[] = [];
    for (let family = 0; family < 20; family += 1) {
      const p = random.next() < 0.5 ? 0.9 : 0.3;
      for (let scenario = 0; scenario < 5; scenario += 1) {
        values.push(random.next() < p ? 1 : 0);
        clusters.push(family);
      }
    }
    if (holds(meanInterval(values), 0.6)) plain += 1;
    return holds(clusteredMean(values, clusters)?.interval, 0.6);
  });
  expect(covered).toBeGreaterThanOrEqual(0.92);
  expect(plain / 1500).toBeLessThan(0.85);
});
