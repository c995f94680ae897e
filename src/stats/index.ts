// Owns the door `entail/stats`: intervals, comparison of runs, agreement, and what a judge's errors do to a rate. A count, rate or list that makes no
// sense throws `value_invalid`; a result that statistics leave undefined is `null`. Intervals are `[lower, upper]`, and `level` is their confidence,
// 0.95 when absent. Random numbers come from a named generator with a seed.

export type { Interval } from "./interval.ts";
export type { Counted } from "./counted.ts";

// One rate
export { wilson } from "./wilson.ts";
export { clopperPearson } from "./clopper-pearson.ts";
export { wald } from "./wald.ts";
export { JEFFREYS_PRIOR, posterior, UNIFORM_PRIOR, type Posterior } from "./posterior.ts";
export { ruleOfThree, zeroFailures } from "./zero-failures.ts";
export { indeterminateBounds, selectiveAccuracy, type IndeterminateBounds, type SelectiveAccuracy } from "./indeterminate.ts";
export { gateRule, type GateAnswer } from "./gate-rule.ts";

// Means, clusters, trials
export { correlation, mean, meanInterval, standardError, variance } from "./mean.ts";
export { bootstrap, type Bootstrap, type BootstrapOptions } from "./bootstrap.ts";
export { clusteredMean, clusteredStandardError, type ClusteredMean, type ClusterId } from "./cluster.ts";
export { designEffect, effectiveSize, intraclassCorrelation } from "./design-effect.ts";
export { nestedMean, nestedRate, type NestedMean, type NestedRate, type ScenarioCount } from "./nested.ts";
export { pooledStandardError, stratifiedMean, type StratifiedMean, type Stratum } from "./stratified.ts";
export { mcnemarMinimumDetectableEffect, mcnemarSampleSize, minimumDetectableEffect, sampleSize, type SampleSizeOptions } from "./sample-size.ts";

// Several trials of one scenario
export { meanPassAtK, passAtK } from "./pass-at-k.ts";
export { meanPassHatK, passHatK } from "./pass-hat-k.ts";
export type { OverScenarios } from "./over-scenarios.ts";
export { flakeTail, flipRate, maskedPassRate, passEntropy, stability, trialsToSee, type Stability } from "./flake.ts";
export { sprt, type Sprt, type SprtDecision, type SprtOptions } from "./sprt.ts";
export { confidenceSequence, eValue, eValueAbove, eValueBelow, logEValue } from "./e-value.ts";
export { curtail } from "./curtailment.ts";
export { turnSurvival, type TurnCount, type TurnSurvival } from "./turn-survival.ts";

// Two runs
export { compareScenarios } from "./compare-scenarios.ts";
export { COMPARISON_VERDICTS, type Comparison, type ComparisonOptions, type ComparisonUnit, type ComparisonVerdict, type ScenarioPair, type TrialsOfRun } from "./comparison.ts";
export { permutationMidP, type TrialPair } from "./permutation.ts";
export { mcnemarChiSquare, mcnemarExact, mcnemarMidP, type ChiSquareTest } from "./mcnemar.ts";
export { tango } from "./tango.ts";
export { bonettPrice, pairedWald, type PairedDifference } from "./paired-wald.ts";
export { pairedT, type PairedT } from "./paired-t.ts";
export { wilcoxonSignedRank, type SignedRank } from "./wilcoxon.ts";
export { newcombe } from "./newcombe.ts";
export { fisherExact } from "./fisher.ts";
export { benjaminiHochberg } from "./benjamini-hochberg.ts";
export { holm } from "./holm.ts";

// A judge's errors
export { roganGladen, type CorrectedRate, type JudgedRun } from "./rogan-gladen.ts";
export { multiClassCorrection, type CorrectedShares, type MultiClassOptions } from "./multi-class.ts";
export { verdictAudit, type AuditedRate, type VerdictAudit } from "./verdict-audit.ts";
export { ppi, type PpiOptions, type PpiRate, type PpiSample } from "./ppi.ts";
export { positionBias, type OrderCounts, type PositionBias } from "./position-bias.ts";
export { selfPreference } from "./self-preference.ts";
export { effectiveVotes, independentPanel, type IndependentPanel } from "./panel.ts";

// Agreement and confidence
export type { Agreement } from "./agreement.ts";
export { confusionQuality, type ConfusionQuality, type ConfusionTable, type LabelQuality, type LabelShare } from "./confusion.ts";
export { cohenKappa, type Kappa } from "./kappa.ts";
export { gwetAc1 } from "./ac1.ts";
export { scottPi } from "./scott-pi.ts";
export { matthews } from "./matthews.ts";
export { fleissKappa } from "./fleiss.ts";
export { krippendorffAlpha, type AlphaMetric } from "./krippendorff.ts";
export { brier } from "./brier.ts";
export { calibrationError, type CalibrationBin, type CalibrationError } from "./calibration-error.ts";

// Scores made of claims
export { claimRate, factScore, safeF1, type ClaimCounts, type FactScore, type SafeF1 } from "./claim-rate.ts";
export { chunkSupport, type ChunkSupport } from "./chunk-support.ts";
export { weightedScore, type GradeChance } from "./weighted-score.ts";
