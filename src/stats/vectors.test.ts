// Every number of `vectors.json` (computed with SciPy, statsmodels and scikit-learn) through the public door, to 1e-9.
import { readFileSync } from "node:fs";
import * as stats from "entail/stats";
import { expect, test } from "vitest";
import { binomialProbability } from "./binomial-probability.ts";
import { normalQuantile, zOf } from "./normal.ts";
import { tOf } from "./student.ts";

const vectors = JSON.parse(readFileSync(new URL("vectors.json", import.meta.url), "utf8")) as Record<string, any>;
const shown = new Set<string>();

/** What differs of a value (a number, a list, `null`) from its vector by more than 1e-9, one line each. */
function near(actual: unknown, wanted: unknown, where = "value"): readonly string[] {
  const wrong = [`${where}: ${JSON.stringify(actual)} is not ${JSON.stringify(wanted)}`];
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual) || actual.length !== wanted.length) return wrong;
    return wanted.flatMap((entry, index) => near(actual[index], entry, `${where}[${index}]`));
  }
  if (typeof wanted !== "number") return actual === wanted ? [] : wrong;
  return typeof actual === "number" && Math.abs(actual - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted)) ? [] : wrong;
}

/** The same for an object in the vector's words; each member of the vector must be there. */
function holds(actual: Record<string, unknown>, vector: Record<string, unknown>): readonly string[] {
  const names = new Set([...Object.keys(actual), ...Object.keys(vector)]);
  return [...names].flatMap((name) => (name in actual && name in vector ? near(actual[name], vector[name], name) : [`${name} is on one side only`]));
}

/** `body` gives what differs. */
function group(name: string, body: (vector: any) => readonly string[]): void {
  shown.add(name);
  test(`the vectors of ${name} hold to 1e-9`, () => {
    expect(body(vectors[name])).toEqual([]);
  });
}

/** What `holds` compares is what we compute; the inputs are given back as they are. */
const given = (vector: Record<string, unknown>, ...names: string[]): Record<string, unknown> => Object.fromEntries(names.map((name) => [name, vector[name]]));

group("binary_mean_n10", (v) => {
  const n = v.scores.length as number;
  const k = 7;
  const half = (stats.wald(k, n)?.[1] ?? 0) - 0.7;
  return holds(
    {
      ...given(v, "scores"),
      mean: stats.mean(v.scores),
      se_ddof1: stats.standardError(v.scores),
      se_bernoulli_plugin: half / zOf(0.95),
      t975_df9: tOf(0.95, 9),
      ci_t: stats.meanInterval(v.scores),
      ci_wald: stats.wald(k, n),
      wilson: stats.wilson(k, n),
      clopper_pearson: stats.clopperPearson(k, n),
      beta_uniform: stats.posterior(k, n).interval,
      jeffreys: stats.posterior(k, n, stats.JEFFREYS_PRIOR).interval,
    },
    v,
  );
});

group("binary_edge", (v) =>
  holds(
    {
      wilson_0_10: stats.wilson(0, 10),
      wilson_10_10: stats.wilson(10, 10),
      cp_0_10: stats.clopperPearson(0, 10),
      cp_10_10: stats.clopperPearson(10, 10),
      wilson_45_50: stats.wilson(45, 50),
      wald_45_50: stats.wald(45, 50),
      t_df: v.t_df,
      z: zOf(0.95),
      rule_of_three_exact_upper_30: stats.zeroFailures(30),
      rule_of_three_approx_30: stats.ruleOfThree(30),
    },
    v,
  ).concat(holds(Object.fromEntries(["1", "2", "3", "5", "9", "29", "100"].map((df) => [df, tOf(0.95, Number(df))])), v.t_df)),
);

group("clustered", (v) => {
  const clusters = Object.entries(v.clusters as Record<string, number[]>).flatMap(([name, values]) => values.map((): string => name));
  const values = Object.values(v.clusters as Record<string, number[]>).flat();
  const miller = stats.clusteredStandardError(values, clusters, { finite: false }) ?? 0;
  const found = stats.clusteredMean(values, clusters);
  return holds(
    {
      ...given(v, "clusters"),
      mean: found?.mean,
      n: values.length,
      sum_sq_cluster_dev: (miller * values.length) ** 2,
      se_iid: stats.standardError(values),
      se_clustered_miller: miller,
      se_clustered_finite: stats.clusteredStandardError(values, clusters),
      t975_df3: tOf(0.95, 3),
      ci_t: found?.interval,
      deff: found?.designEffect,
      n_eff: found?.effectiveSize,
    },
    v,
  );
});

group("paired_diff", (v) => {
  const found = stats.pairedT(v.a, v.b);
  const varianceOfMean = (list: readonly number[]): number => (stats.variance(list) ?? 0) / list.length;
  const unpaired = Math.sqrt(varianceOfMean(v.a) + varianceOfMean(v.b));
  const corr = stats.correlation(v.a, v.b) ?? 0;
  return holds(
    {
      ...given(v, "a", "b"),
      mean_a: stats.mean(v.a),
      mean_b: stats.mean(v.b),
      diff: found?.difference,
      se_paired: found?.standardError,
      se_unpaired: unpaired,
      corr,
      identity_check: Math.sqrt(unpaired ** 2 - 2 * corr * Math.sqrt(varianceOfMean(v.a) * varianceOfMean(v.b))),
      t: found?.t,
      p_t: found?.p,
      ci: found?.interval,
    },
    v,
  );
});

group("paired_clustered", (v) => holds({ ...given(v, "cluster_ids"), se: stats.pairedT(vectors["paired_diff"].a, vectors["paired_diff"].b, { clusters: v.cluster_ids })?.standardError }, v));

group("epochs", (v) => {
  const found = stats.nestedMean(v.matrix);
  return holds(
    {
      ...given(v, "matrix"),
      item_means: v.matrix.map((row: number[]) => stats.mean(row)),
      mean: found?.mean,
      se_over_items: found?.standardError,
      within_var_mean: found?.trialVariance,
      between_var_unbiased: found?.scenarioVariance,
      naive_se_flattened: stats.standardError(v.matrix.flat()),
      var_mean_total: (found?.standardError ?? 0) ** 2,
      prediction_component: found?.fromTrials,
      data_component: found?.fromScenarios,
    },
    v,
  );
});

group("power", (v) =>
  holds(
    {
      z_alpha: zOf(0.95),
      z_beta: normalQuantile(0.8),
      n_delta3_omega1_9_sigma0: stats.sampleSize({ difference: 0.03, scenarioVariance: 1 / 9 }),
      n_delta3_omega1_9_sigma1_6_K1: stats.sampleSize({ difference: 0.03, scenarioVariance: 1 / 9, trialVariance: 1 / 6 }),
      n_K10: stats.sampleSize({ difference: 0.03, scenarioVariance: 1 / 9, trialVariance: [1 / 6, 1 / 6], trials: 10 }),
      mde_n200_sd_d_0_5: stats.minimumDetectableEffect({ n: 200, standardDeviation: 0.5 }),
      mcnemar_n_pd_0_2_diff_0_05: stats.mcnemarSampleSize({ discordant: 0.2, difference: 0.05 }),
    },
    v,
  ),
);

group("pass_at_k", (v) => [
  ...near(v.cases.length, 6, "cases"),
  ...v.cases.flatMap(({ n, c, k, value }: any) => near(stats.passAtK(n, c, k), value, `${n} ${c} ${k}`)),
  ...near(1 - (1 - 3 / 10) ** 5, v.naive_1_minus_1_minus_p_pow_k_10_3_5),
]);

group("pass_hat_k", (v) => {
  const scenarios = v.task_counts.map((passed: number) => ({ passed, scored: 4 }));
  return [
    ...near(v.cases.length, 7, "cases"),
    ...v.cases.flatMap(({ n, c, k, value }: any) => near(stats.passHatK(n, c, k), value, `${n} ${c} ${k}`)),
    ...near((6 / 8) ** 4, v.naive_p_pow_k_8_6_4),
    ...near(stats.meanPassHatK(scenarios, 1)?.mean, v.task_mean_k1),
    ...near(stats.meanPassHatK(scenarios, 2)?.mean, v.task_mean_k2),
    ...near(stats.meanPassHatK(scenarios, 2)?.standardError, v.se_k2),
  ];
});

group("mcnemar", (v) => {
  const cases = v.cases.flatMap((entry: any) => {
    const { b, c } = entry;
    const plain = stats.mcnemarChiSquare(b, c);
    const corrected = stats.mcnemarChiSquare(b, c, { continuity: true });
    return holds({ b, c, p_exact: stats.mcnemarExact(b, c), p_mid: stats.mcnemarMidP(b, c), chi2: plain?.statistic, p_chi2: plain?.p, chi2_cc: corrected?.statistic, p_chi2_cc: corrected?.p, sign_test: stats.mcnemarExact(c, b) }, entry);
  });
  const wald = stats.pairedWald(12, 4, 100);
  const intervals = { ...given(v, "cases", "n"), diff: wald?.difference, se_wald: wald?.standardError, ci_wald: wald?.interval, ci_tango: stats.tango(12, 4, 100), ci_bonett_price: stats.bonettPrice(12, 4, 100) };
  return [...near(v.cases.length, 4, "cases"), ...cases, ...holds(intervals, v)];
});

group("tango_12_2_50", (v) => near(stats.tango(12, 2, 50), v.ci));
group("tango_small", (v) => near(stats.tango(v.b, v.c, v.n), v.ci));
group("newcombe_unpaired", (v) => near([v.k1 / v.n1 - v.k2 / v.n2, ...(stats.newcombe(v.k1, v.n1, v.k2, v.n2) ?? [])], v.result));
group("fisher", (v) => near(stats.fisherExact(v.table), v.p));
group("wilcoxon", (v) => {
  const found = stats.wilcoxonSignedRank(v.d);
  return near([found?.w, found?.p], [v.W, v.p]);
});

group("multiplicity", (v) => holds({ ...given(v, "p"), bh: stats.benjaminiHochberg(v.p), holm: stats.holm(v.p), bh_reject_05: stats.benjaminiHochberg(v.p).filter((p) => p <= 0.05).length }, v));

group("bootstrap_exact", (v) => {
  const found = stats.bootstrap(v.values, { resamples: "all" });
  return [...holds({ ...given(v, "values"), mean: found?.estimate, exact_bootstrap_se: found?.standardError, n_resamples_all: found?.resamples }, v), ...near(found?.random, undefined, "random")];
});

group("design_effect", (v) => near([stats.designEffect(v.m, v.icc), stats.effectiveSize(v.n, v.m, v.icc)], [v.deff, v.n_eff]));

group("group_se", (v) => {
  const strata = (weights: readonly number[]): stats.Stratum[] => v.ses.map((standardError: number, index: number) => ({ mean: 0.5, standardError, weight: weights[index] as number }));
  return holds({ ...given(v, "ses", "sizes"), lm_eval_pooled: stats.pooledStandardError(v.ses, v.sizes), stratified_fixed_weights: stats.stratifiedMean(strata(v.sizes))?.standardError, macro_equal_weight: stats.stratifiedMean(strata([1, 1]))?.standardError }, v);
});

group("sprt", (v) => {
  const plan = stats.sprt({ p0: v.p0, p1: v.p1, alpha: v.alpha, beta: v.beta });
  const first = (decision: stats.SprtDecision, at: (count: number) => stats.SprtDecision): number => {
    let count = 0;
    while (at(count) !== decision) count += 1;
    return count;
  };
  return holds(
    {
      ...given(v, "p0", "p1", "alpha", "beta"),
      lnA: plan.upper,
      lnB: plan.lower,
      llr_pass: plan.passStep,
      llr_fail: plan.failStep,
      min_passes_accept_h1: first("accept_p1", (count) => plan.decide(count, 0)),
      min_fails_accept_h0: first("accept_p0", (count) => plan.decide(0, count)),
    },
    v,
  );
});

group("evalue_beta_binomial", (v) => {
  const sequences = { ...given(v, "cases"), reject_at: 1 / 0.05, cs_7_10: stats.confidenceSequence(7, 10), cs_70_100: stats.confidenceSequence(70, 100), wilson_70_100: stats.wilson(70, 100), cs_20_20: stats.confidenceSequence(20, 20) };
  return [...near(v.cases.length, 5, "cases"), ...v.cases.flatMap(({ s, n, p0, e }: any) => near(stats.eValue(s, n, p0), e, `${s}/${n}`)), ...holds(sequences, v)];
});

group("rogan_gladen", (v) => {
  const counted = (share: number, of: number): stats.Counted => ({ count: Math.round(share * of), of });
  const cases = v.cases.flatMap((entry: any) => {
    const { p, q0, q1, n, m0, m1 } = entry;
    const found = stats.roganGladen({ judged: counted(p, n), sensitivity: counted(q1, m1), specificity: counted(q0, m0) });
    const actual: Record<string, unknown> = { p, q0, q1, n, m0, m1, theta: found?.estimate, delta_se: found?.deltaStandardError, theta_tilde: found?.adjusted.estimate, d_theta: found?.adjusted.shift, se: found?.standardError, ci: found?.interval };
    if (!("delta_se" in entry)) delete actual["delta_se"];
    return holds(actual, entry);
  });
  const { p, q0, q1, theta } = v.clip_case;
  const clipped = stats.roganGladen({ judged: counted(p, 100), sensitivity: counted(q1, 100), specificity: counted(q0, 100) })?.estimate;
  return [...near(v.cases.length, 3, "cases"), ...cases, ...near(clipped, theta, "clip_case")];
});

group("confusion_inverse", (v) => {
  // The vector has a column for each true label; our tables have a row for each.
  const table = v.M.map((_: unknown, human: number) => v.M.map((row: number[]) => row[human]));
  const found = stats.multiClassCorrection(table, v.observed);
  return holds({ ...given(v, "columns_true", "M", "observed", "example_obs"), recovered: found?.shares, det: found?.determinant, example_recovered: stats.multiClassCorrection(table, v.example_obs)?.shares }, v);
});

group("ppi", (v) => {
  const rest = Array.from({ length: v.U_n as number }, (_, index) => (index < v.U_pos ? 1 : 0));
  const sample = { labels: v.Y, judged: v.Yhat, rest };
  const tuned = stats.ppi(sample, { quantile: "normal" });
  const full = stats.ppi(sample, { lambda: 1 });
  return holds(
    {
      ...given(v, "Y", "Yhat", "U_pos", "U_n", "note"),
      classical: [tuned?.human.estimate, tuned?.human.standardError],
      naive_judge: tuned?.judge,
      ppi_lambda1: [full?.estimate, full?.standardError],
      lam: tuned?.lambda,
      ppi_tuned: [tuned?.estimate, tuned?.standardError],
      ci95_tuned: tuned?.interval,
    },
    v,
  );
});

for (const name of ["kappa_2x2", "kappa_4label", "kappa_paradox"]) {
  group(name, (v) => {
    const table = v.table ?? v.table_rows_human_cols_judge;
    const kappa = stats.cohenKappa(table);
    const quality = stats.confusionQuality(table);
    const all: Record<string, unknown> = {
      table,
      table_rows_human_cols_judge: table,
      labels: v.labels,
      n: kappa?.cases,
      po: kappa?.observed,
      pe: kappa?.expected,
      kappa: kappa?.value,
      se_simple: kappa?.standardError,
      gwet_ac1: stats.gwetAc1(table)?.value,
      scott_pi: stats.scottPi(table)?.value,
      tpr_pass: quality.labels[0]?.recall.rate,
      tnr: quality.labels[1]?.recall.rate,
      balanced_acc: quality.balancedAccuracy,
      mcc: stats.matthews(table),
      tpr_wilson: quality.labels[0]?.recall.interval,
      tnr_wilson: quality.labels[1]?.recall.interval,
    };
    return holds(Object.fromEntries(Object.keys(v).map((key) => [key, all[key]])), v);
  });
}

group("fleiss", (v) => near(stats.fleissKappa(v.counts), v.kappa));
group("krippendorff_nominal", (v) => [...near(v.cases.length, 4, "cases"), ...v.cases.flatMap(({ units, alpha }: any) => near(stats.krippendorffAlpha(units), alpha))]);

group("panel3", (v) => {
  const panel = stats.independentPanel([v.p, v.p, v.p]);
  return holds(
    { ...given(v, "p"), majority: panel?.majority, unanimous_correct: panel?.unanimousRight, unanimous_any: panel?.unanimous, split_rate: panel?.split, accuracy_given_unanimous: panel?.accuracyGivenUnanimous, hetero_9_8_7: stats.independentPanel([0.9, 0.8, 0.7])?.majority },
    v,
  );
});

group("safe_f1k", (v) => {
  const cases = v.cases.flatMap(({ S, N, K, P, R, F1 }: any) => {
    const found = stats.safeF1(S, N, K);
    return near([found?.precision, found?.recall, found?.f1], [P, R, F1]);
  });
  return [...near(v.cases.length, 4, "cases"), ...cases];
});

group("factscore", (v) => {
  const found = stats.factScore(v.per_response.map(([count, of]: [number, number]) => ({ count, of })));
  return holds({ ...given(v, "per_response"), mean: found?.macro, length_penalty_gamma10: found?.penalties, penalised: found?.penalised, micro: found?.micro }, v);
});

group("label_semantics", (v) => {
  const counts = { supported: v.yes, contradicted: v.no, unknown: v.idk };
  return holds({ ...given(v, "yes", "no", "idk"), ragas: stats.claimRate(counts), deepeval_default: stats.claimRate(counts, "passed"), deepeval_penalize: stats.claimRate(counts, "failed") }, v);
});

group("alignscore_minicheck", (v) => {
  const found = stats.chunkSupport(v.matrix);
  return holds({ ...given(v, "matrix"), max_per_claim: found?.best, alignscore_mean_max: found?.mean, supported_at_0_5: found?.supported, fraction: found?.share }, v);
});

group("calibration", (v) => {
  const found = stats.calibrationError(v.conf, v.correct, v.bins);
  // The vector's last bin ends a hair above 1, which is how it holds a confidence of 1.
  const detail = found?.bins.map((bin) => [bin.from, bin.to === 1 ? 1.0000001 : bin.to, bin.cases, bin.confidence, bin.accuracy]);
  return holds({ ...given(v, "conf", "correct", "bins"), brier: stats.brier(v.conf, v.correct), ece: found?.error, detail }, v);
});

group("geval_weighted", (v) => near(stats.weightedScore(Object.entries(v.logprobs as Record<string, number>).map(([grade, logProbability]) => ({ grade: Number(grade), logProbability }))), v.score));

group("position_bias", (v) => {
  const found = stats.positionBias({ sameFirst: v.AA, sameSecond: v.BB, firstPlace: v.first_first, secondPlace: v.second_second });
  return near([found?.consistency, found?.preference, found?.p], [v.consistency, v.first_preference, v.p_sign]);
});

group("self_preference_did", (v) => near(stats.selfPreference({ own: { onOwn: v.judge_X_on_X, onOther: v.judge_X_on_Y }, reference: { onOwn: v.ref_on_X, onOther: v.ref_on_Y } }), v.did));

group("flaky", (v) =>
  holds(
    {
      ...given(v, "f", "seq"),
      runs_to_see_failure_95: stats.trialsToSee(v.f),
      zero_of_20_upper95: stats.zeroFailures(20),
      mask_prob_2_retries_p_0_6: stats.maskedPassRate(0.6, 2),
      flip_rate: stats.flipRate(v.seq),
      posterior_mean_uniform: stats.posterior(7, 10).mean,
      beta_ci: stats.posterior(7, 10).interval,
      p_regress_from_95_given_3of10_fail: stats.flakeTail(3, 10, 0.05),
      pass_entropy_bits: stats.passEntropy(0.7),
    },
    v,
  ),
);

group("indeterminate_bounds", (v) => {
  const found = stats.indeterminateBounds({ passed: v.entailed, failed: v.contradicted + v.not_addressed, indeterminate: v.indeterminate });
  return near([...(found?.bounds ?? []), found?.completeCase], [v.lower, v.upper, v.complete_case]);
});

group("turn_survival", (v) => {
  const found = stats.turnSurvival(v.at_risk.map((reached: number, index: number) => ({ reached, failed: v.failed[index] })));
  return holds({ ...given(v, "at_risk", "failed", "censored_after"), hazard: found?.hazards, S: found?.survival, greenwood_se: found?.standardError, naive_drop_censored: found?.droppingUnseen, naive_count_censored_as_fail: found?.unseenAsFailed }, v);
});

group("selective", (v) => {
  const found = stats.selectiveAccuracy({ correct: v.correct, judged: v.judged, of: v.n });
  return near([found?.coverage, found?.accuracy, found?.overall], [v.coverage, v.selective_accuracy, v.overall_if_abstain_wrong]);
});

group("label_stratified_calibration", (v) => {
  const found = stats.verdictAudit({ judgedPassed: v.judge_pass, judgedFailed: v.judge_fail, passedSample: { count: 57, of: 60 }, failedSample: { count: 28, of: 40 } });
  return near([found?.estimate, found?.standardError, 57 / 60, 28 / 40], [v.theta, v.se, v.ppv, v.npv]);
});

test("every group of vectors.json is held", () => {
  expect([...shown].sort()).toEqual(Object.keys(vectors).sort());
  expect(shown.size).toBe(43);
});

test("what the literature states beside the vectors holds too", () => {
  // Krippendorff, ordinal and interval.
  expect(stats.krippendorffAlpha([[1, 1], [3, 4], [5, 5]], "ordinal")).toBeCloseTo(94 / 99, 12);
  expect(stats.krippendorffAlpha([[1, 2], [3, 4], [1, 1]], "interval")).toBeCloseTo(19 / 24, 12);
  // Nine judges whose errors correlate by 0.4375 are two; three by 0.44 are 1.596.
  expect(stats.effectiveVotes(9, 0.4375)).toBeCloseTo(2, 12);
  expect(stats.effectiveVotes(3, 0.44)).toBeCloseTo(1.596, 3);
  // What a class of labels buys.
  expect(stats.wilson(90, 100)?.map((end) => end.toFixed(4))).toEqual(["0.8256", "0.9448"]);
  expect(stats.wilson(180, 200)?.map((end) => end.toFixed(4))).toEqual(["0.8506", "0.9343"]);
  // The exact and the mid-p value differ by the chance of what was seen.
  expect(stats.mcnemarExact(5, 5) - stats.mcnemarMidP(5, 5)).toBeCloseTo(binomialProbability(5, 10, 0.5), 12);
  // 45 of 50 is above 0.85 and decides nothing.
  expect(stats.gateRule(stats.wilson(45, 50), 0.85)).toBe("inconclusive");
});
