// Owns the question whether an errored try is worth another, and how long to wait before it.

import type { ErrorCode } from "../core/error.ts";
import { codeOf, memberOf } from "./describe-error.ts";

/** What may be otherwise the next time. Every other code of ours is a fault of the evaluation itself, and stays one. */
const PASSING_CODES = [
  "deadline_exceeded",
  "hook_threw",
  "target_failed",
  "simulated_user_failed",
  "setup_failed",
  "stream_incomplete",
  "evidence_incomplete",
  "provider_failed",
  "provider_response_invalid",
  "judge_failed",
  "judge_invalid_response",
  "judgment_count_differs",
  "judgment_claim_unknown",
  "judgment_duplicate",
  "judgment_label_invalid",
  "judgment_rationale_missing",
  "judgment_quote_missing",
  "judgment_quote_not_found",
] as const satisfies readonly ErrorCode[];

/** What another try cannot mend: the caller is not who it says, or may not. */
const REFUSED = new Set<unknown>([401, 403, "401", "403"]);
const STATUS_MEMBERS = ["status", "statusCode", "httpStatus"] as const;
/** Longer chains of causes are not followed. */
const MAX_CAUSES = 10;

/** True where neither what was thrown nor any cause of it is a refusal (401, 403) or a fault of the evaluation itself. */
export function mayPass(thrown: unknown): boolean {
  let link = thrown;
  for (let depth = 0; depth < MAX_CAUSES && link !== undefined && link !== null; depth++) {
    const code = codeOf(link);
    if (code !== undefined && !(PASSING_CODES as readonly string[]).includes(code)) return false;
    const response = memberOf(link, "response");
    if (STATUS_MEMBERS.some((member) => REFUSED.has(memberOf(link, member)) || REFUSED.has(memberOf(response, member)))) return false;
    link = memberOf(link, "cause");
  }
  return true;
}

/** Half a second before the second try, then twice as long each time; never longer than a minute. */
export function backoffMs(failedTries: number): number {
  return Math.min(60_000, 500 * 2 ** (failedTries - 1));
}
