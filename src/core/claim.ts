// Owns the claim: one short sentence that must hold of an output, which only a judge can decide.

import { EntailError } from "./error.ts";
import { isLabel, type Label } from "./label.ts";

export interface Claim {
  readonly id: string;
  readonly text: string;
  /** The label that passes; `entailed` when absent. It changes what passes, never the label. */
  readonly expect?: Label | undefined;
  /** Asks the judge for the words that show it. */
  readonly quote?: boolean | undefined;
}

/** Throws `claim_incomplete`, `claim_duplicate` or `result_member_invalid` for the first claim at fault. */
export function validateClaims(claims: readonly Claim[]): void {
  const seen = new Set<string>();
  for (const claim of claims) {
    if (typeof claim.id !== "string" || claim.id === "" || typeof claim.text !== "string" || claim.text.trim() === "") {
      throw new EntailError("claim_incomplete", `a claim needs an id and a text; this one has id ${JSON.stringify(claim.id)} and text ${JSON.stringify(claim.text)}`, { stage: "result" });
    }
    if (seen.has(claim.id)) throw new EntailError("claim_duplicate", `two claims have the id ${JSON.stringify(claim.id)}`, { stage: "result" });
    seen.add(claim.id);
    if (claim.expect !== undefined && !isLabel(claim.expect)) {
      throw new EntailError("result_member_invalid", `claim ${JSON.stringify(claim.id)} expects ${JSON.stringify(claim.expect)}, which is no label`, { stage: "result" });
    }
    if (claim.quote !== undefined && typeof claim.quote !== "boolean") {
      throw new EntailError("result_member_invalid", `claim ${JSON.stringify(claim.id)}: "quote" must be true or false`, { stage: "result" });
    }
  }
}
