// Owns the ways in which the labels of an answer's claims become one number. Elsewhere they are used by name; here each says what it does with a
// claim that is neither supported nor contradicted.

import { requireAtLeast, requireCount, requirePositiveCount, requireList } from "./argument.ts";
import { requireCounted, type Counted } from "./counted.ts";
import { sum } from "./mean.ts";

export interface ClaimCounts {
  readonly supported: number;
  readonly contradicted: number;
  readonly unknown: number;
}

/**
 * The share of claims that pass, from 0 to 1, with `unknown` ones counted as `failed` (Ragas; and Entail, where only `entailed` passes), as `passed`
 * (DeepEval's default) or `dropped`. Six supported, one contradicted and three unknown are 0.6, 0.9 or 0.857. `null` where nothing is counted. Throws
 * `value_invalid` unless all are whole numbers from 0.
 */
export function claimRate(counts: ClaimCounts, unknown: "failed" | "passed" | "dropped" = "failed"): number | null {
  for (const name of ["supported", "contradicted", "unknown"] as const) requireCount("claimRate", name, counts[name]);
  const of = counts.supported + counts.contradicted + (unknown === "dropped" ? 0 : counts.unknown);
  return of === 0 ? null : (counts.supported + (unknown === "passed" ? counts.unknown : 0)) / of;
}

export interface FactScore {
  /** The mean over answers of the share of their claims that are supported. */
  readonly macro: number;
  /** The same with short answers, of fewer than `gamma` claims, shrunk by `exp(1 - gamma/N)`. */
  readonly penalised: number;
  /** The share over all claims of all answers. */
  readonly micro: number;
  /** The factor of each answer. */
  readonly penalties: readonly number[];
}

/**
 * FActScore of answers, from 0 to 1; each gives its supported claims and how many it makes. Say which of macro and micro a number is. Min et al. 2023
 * (arXiv 2305.14251). `null` without an answer or where one makes no claim. Throws `value_invalid` unless each `count` is whole and at most its `of`,
 * and `gamma` at least 0.
 */
export function factScore(answers: readonly Counted[], gamma = 10): FactScore | null {
  requireList("factScore", "answers", answers);
  requireAtLeast("factScore", "gamma", gamma, 0);
  for (const [index, answer] of answers.entries()) requireCounted("factScore", `answers[${index}]`, answer);
  if (answers.length === 0 || answers.some((answer) => answer.of === 0)) return null;
  const penalties = answers.map((answer) => (answer.of < gamma ? Math.exp(1 - gamma / answer.of) : 1));
  const shares = answers.map((answer) => answer.count / answer.of);
  return {
    macro: sum(shares) / shares.length,
    penalised: sum(shares.map((share, index) => share * (penalties[index] as number))) / shares.length,
    micro: sum(answers.map((answer) => answer.count)) / sum(answers.map((answer) => answer.of)),
    penalties,
  };
}

export interface SafeF1 {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/**
 * SAFE's F1 at `k` facts, from 0 to 1: `P = S/(S + N)`, `R = min(S/k, 1)`, `2PR/(P + R)`, all 0 without a supported fact; irrelevant claims do not
 * count. Wei et al. 2024 (arXiv 2403.18802). `null` without a claim. Throws `value_invalid` unless the counts are whole, from 0, and `k` at least 1.
 */
export function safeF1(supported: number, unsupported: number, k: number): SafeF1 | null {
  requireCount("safeF1", "supported", supported);
  requireCount("safeF1", "unsupported", unsupported);
  requirePositiveCount("safeF1", "k", k);
  if (supported + unsupported === 0) return null;
  const precision = supported / (supported + unsupported);
  const recall = Math.min(supported / k, 1);
  return { precision, recall, f1: supported === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}
