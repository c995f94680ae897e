// Owns the check: an exact fact, true or false, that code can decide.

import { EntailError } from "./error.ts";

export interface PassedCheck {
  readonly name: string;
  readonly passed: true;
  readonly diagnostic?: undefined;
}

export interface FailedCheck {
  readonly name: string;
  readonly passed: false;
  /** What was expected and what was seen instead. */
  readonly diagnostic: string;
}

/** Where `passed` is computed, write `check(name, passed, diagnostic)`. */
export type Check = PassedCheck | FailedCheck;

/**
 * Makes a check from a condition. The diagnostic is kept, and a function given for it is called, only when the check failed.
 * Throws `result_member_invalid` where `passed` is no boolean: a forgotten `await` must not pass.
 */
export function check(name: string, passed: boolean, diagnostic: string | (() => string)): Check {
  if (typeof passed !== "boolean") {
    throw new EntailError("result_member_invalid", `check ${JSON.stringify(name)}: "passed" must be true or false, not ${passed === null ? "null" : typeof passed}`);
  }
  if (passed) return { name, passed };
  return { name, passed, diagnostic: typeof diagnostic === "function" ? diagnostic() : diagnostic };
}
