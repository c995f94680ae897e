// Owns the question whether a result is valid, as an author's own test asks it.

import { readResult } from "./read-result.ts";

/**
 * Returns nothing where `result` may be graded; else throws an `EntailError` with the first fault: `result_not_an_object`,
 * `result_unreadable`, `result_member_unknown`, `result_member_invalid`, then `result_empty`, then those of checks, claims, artifacts and
 * scores. The runner asks the same of what a hook returns.
 */
export function validateResult(result: unknown): void {
  readResult(result);
}
