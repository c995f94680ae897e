// Owns patterns as JSON Schema reads them: regular expressions under the `u` flag.

import { messageOf } from "../core/error.ts";

/** What is wrong with a pattern, or `undefined`. */
export function patternFault(pattern: string): string | undefined {
  try {
    void new RegExp(pattern, "u");
    return undefined;
  } catch (thrown) {
    return `the pattern ${JSON.stringify(pattern)} is no regular expression under the "u" flag, as JSON Schema reads patterns (${messageOf(thrown)})`;
  }
}
