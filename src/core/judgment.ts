// Owns the four labels, the judgment of one claim, and what makes a list of judgments valid for a list of claims.

import { type Claim, validateClaims } from "./claim.ts";
import { EntailError } from "./error.ts";
import { LABELS, isLabel, type Label } from "./label.ts";

export interface Judgment {
  readonly claimId: string;
  readonly label: Label;
  /** Why the judge chose the label; never empty. */
  readonly rationale: string;
  /** The words of what was judged that show it, where the claim asked for them. */
  readonly quote?: string;
  /** What each judge of a panel said, word for word and in the panel's order. */
  readonly votes?: readonly Vote[];
}

/** One judge's part in the judgment of a panel. */
export interface Vote {
  readonly judge: string;
  readonly label: Label;
  readonly rationale: string;
  readonly quote?: string;
}

/**
 * Returns nothing where `judgments` answer exactly `claims`, in any order; else throws an `EntailError` with the first fault:
 * the claims' own (`claim_incomplete`, `claim_duplicate`), then `judgment_count_differs`, then for each judgment
 * `judgment_claim_unknown`, `judgment_duplicate`, `judgment_label_invalid`, `judgment_rationale_missing`, `judgment_quote_missing`.
 */
export function validateJudgments(claims: readonly Claim[], judgments: readonly Judgment[]): void {
  validateClaims(claims);
  if (!Array.isArray(judgments)) {
    throw new EntailError("judgment_count_differs", "the judge returned no list of judgments", { stage: "judge" });
  }
  if (judgments.length !== claims.length) {
    throw new EntailError("judgment_count_differs", `the judge returned ${judgments.length} judgments for ${claims.length} claims`, { stage: "judge" });
  }
  const known = new Map(claims.map((claim) => [claim.id, claim]));
  const judged = new Set<string>();
  for (const judgment of judgments as readonly (Judgment | null | undefined)[]) {
    const id = judgment?.claimId;
    if (judgment === null || judgment === undefined || id === undefined || !known.has(id)) {
      throw new EntailError("judgment_claim_unknown", `a judgment names an unknown claim: ${JSON.stringify(id)}`, { stage: "judge" });
    }
    if (judged.has(id)) throw new EntailError("judgment_duplicate", `claim ${JSON.stringify(id)} was judged twice`, { stage: "judge" });
    judged.add(id);
    if (!isLabel(judgment.label)) {
      throw new EntailError("judgment_label_invalid", `claim ${JSON.stringify(id)} has the label ${JSON.stringify(judgment.label)}; a label is one of ${LABELS.join(", ")}`, { stage: "judge" });
    }
    if (typeof judgment.rationale !== "string" || judgment.rationale === "") {
      throw new EntailError("judgment_rationale_missing", `the judgment of claim ${JSON.stringify(id)} has no rationale`, { stage: "judge" });
    }
    // Where nothing is said there is nothing to quote; a panel's judgment has the quotes of its votes.
    if (known.get(id)?.quote === true && judgment.label !== "not_addressed" && judgment.votes === undefined && (typeof judgment.quote !== "string" || judgment.quote.trim() === "")) {
      throw new EntailError("judgment_quote_missing", `claim ${JSON.stringify(id)} asks for a quote, and its judgment has none`, { stage: "judge" });
    }
  }
}
