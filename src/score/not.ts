// Owns the negation of a quick check: it passes exactly when the check fails. What could not be measured stays an error.

import { type CheckOptions, quickCheck, type QuickCheck } from "./quick-check.ts";
import { scorerInvalid } from "./scorer-error.ts";

/** 1 less the check's score. Where the assistant said or did nothing, neither a check nor its negation passes. */
export function not(check: QuickCheck, options: CheckOptions = {}): QuickCheck {
  if (typeof (check as { readonly find?: unknown } | null | undefined)?.find !== "function") throw scorerInvalid("checks.not needs a quick check: one of checks.*");
  return quickCheck(
    {
      base: `not-${check.base}`,
      ...(check.id === check.base ? {} : { detail: check.id.startsWith(`${check.base}:`) ? check.id.slice(check.base.length + 1) : check.id }),
      description: `Not so: ${check.description}`,
      find(run, runOptions) {
        const finding = check.find(run, runOptions);
        return finding.nothing === true ? finding : { ...finding, score: 1 - finding.score, reason: `not so: ${finding.reason}` };
      },
    },
    options,
  );
}
