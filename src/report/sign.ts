// Owns the signs of outcomes, labels and comparisons where text alone is shown. Families differ by silhouette: outcomes are round (or a diamond, a triangle), labels square.

import type { ComparisonVerdict } from "../core/comparison.ts";
import type { Label } from "../core/label.ts";
import type { Outcome } from "../core/outcome.ts";

export const OUTCOME_SIGNS: Readonly<Record<Outcome, string>> = { passed: "○", scored: "◆", failed: "●", errored: "▲", cancelled: "⊘", skipped: "⊖" };

export const LABEL_SIGNS: Readonly<Record<Label, string>> = { entailed: "□", contradicted: "■", not_addressed: "▫", indeterminate: "◪" };

export const COMPARISON_SIGNS: Readonly<Record<ComparisonVerdict, string>> = { regressed: "▼", improved: "△", "no evidence": "=", "too few": "⋯" };
