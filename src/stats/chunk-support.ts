// Owns support by chunks: each claim held against each piece of the evidence.

import { requireList, requireShare, requireShares } from "./argument.ts";
import { sum } from "./mean.ts";

export interface ChunkSupport {
  /** The best chunk of each claim. */
  readonly best: readonly number[];
  /** AlignScore: the mean of these. */
  readonly mean: number;
  /** MiniCheck: whether each is above the threshold, and the share that is. */
  readonly supported: readonly boolean[];
  readonly share: number;
}

/**
 * From a row for each claim and a column for each chunk, the support from 0 to 1: `max` over chunks, `mean` over claims. Zha et al. 2023 (arXiv
 * 2305.16739); Tang et al. 2024 (arXiv 2404.10774). `null` without a claim or where one has no chunk. Throws `value_invalid` for a support or
 * threshold outside 0..1.
 */
export function chunkSupport(matrix: readonly (readonly number[])[], threshold = 0.5): ChunkSupport | null {
  requireList("chunkSupport", "matrix", matrix);
  for (const [index, row] of matrix.entries()) requireShares("chunkSupport", `matrix[${index}]`, row);
  requireShare("chunkSupport", "threshold", threshold);
  if (matrix.length === 0 || matrix.some((row) => row.length === 0)) return null;
  const best = matrix.map((row) => row.reduce((most, support) => Math.max(most, support), 0));
  const supported = best.map((support) => support > threshold);
  return { best, mean: sum(best) / best.length, supported, share: supported.filter(Boolean).length / best.length };
}
