// Owns the closed set of labels that a judge can give a claim.

export const LABELS = ["entailed", "contradicted", "not_addressed", "indeterminate"] as const;

/**
 * `entailed`: the output establishes the claim. `contradicted`: it establishes that the claim is false. `not_addressed`: it is about
 * something else. `indeterminate`: it is too ambiguous, or contradicts itself, so neither can be said.
 */
export type Label = (typeof LABELS)[number];

export function isLabel(value: unknown): value is Label {
  return (LABELS as readonly unknown[]).includes(value);
}
