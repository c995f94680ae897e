// Owns what the trials of a run come to over its scenarios, counted as they finish so that none need be kept.

import type { PassAt, ScenarioReport, TrialSummary } from "../core/report.ts";
import { stability } from "../stats/flake.ts";
import { nestedRate, type ScenarioCount } from "../stats/nested.ts";
import { meanPassAtK } from "../stats/pass-at-k.ts";
import { meanPassHatK } from "../stats/pass-hat-k.ts";

export interface TrialSumming {
  add(report: ScenarioReport): void;
  /** `undefined` where no scenario was to have more than one trial. */
  summary(): TrialSummary | undefined;
}

/** A smaller `k` beside the largest, whose variance is the greatest. */
const KS = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000];

export function sumTrials(): TrialSumming {
  // By passed and scored trials: how many scenarios have that.
  const seen = new Map<string, { readonly count: ScenarioCount; scenarios: number }>();
  let unscored = 0;
  let several = false;
  return {
    add({ outcome, trialCounts }) {
      if (outcome === "skipped") return;
      several ||= trialCounts !== undefined;
      const { passed, scored, failed } = trialCounts ?? { passed: Number(outcome === "passed"), scored: Number(outcome === "scored"), failed: Number(outcome === "failed") };
      const measured = passed + scored + failed;
      if (measured === 0) {
        unscored += 1;
        return;
      }
      const key = `${passed}/${measured}`;
      const like = seen.get(key) ?? { count: { passed, scored: measured }, scenarios: 0 };
      like.scenarios += 1;
      seen.set(key, like);
    },
    summary() {
      if (!several) return undefined;
      const counts = { stable_pass: 0, flaky: 0, stable_fail: 0, unscored };
      const scenarios: ScenarioCount[] = [];
      for (const { count, scenarios: times } of seen.values()) {
        counts[stability(count.passed, count.scored)] += times;
        for (let time = 0; time < times; time += 1) scenarios.push(count);
      }
      const rate = nestedRate(scenarios);
      return {
        stablePass: counts.stable_pass,
        flaky: counts.flaky,
        stableFail: counts.stable_fail,
        unscored: counts.unscored,
        ...(rate !== null && { passRate: { rate: rate.rate, interval: rate.interval, trials: rate.trials }, passAt: passAt(scenarios) }),
      };
    },
  };
}

function passAt(scenarios: readonly ScenarioCount[]): readonly PassAt[] {
  const least = scenarios.reduce((fewest, { scored }) => Math.min(fewest, scored), Infinity);
  return [...new Set([...KS.filter((k) => k < least), least])].flatMap((k) => {
    const [some, all] = [meanPassAtK(scenarios, k), meanPassHatK(scenarios, k)];
    if (some === null || all === null) return [];
    return [{ k, passAtK: some.mean, passHatK: all.mean, ...(some.standardError !== null && { passAtKError: some.standardError }), ...(all.standardError !== null && { passHatKError: all.standardError }) }];
  });
}
