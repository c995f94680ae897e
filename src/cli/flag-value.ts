// Owns the reading of flag values: what is not exactly a value of its kind is refused, with the flag, what was given and what is accepted.

import { formatDuration, MAX_DURATION_MS, parseDuration } from "../core/duration.ts";
import { EntailError } from "../core/error.ts";
import { didYouMean } from "../core/nearest.ts";

/** Reads the text given for `flag`, or throws `usage_invalid`. */
export type ReadValue<Value> = (flag: string, text: string) => Value;

function refuse(flag: string, text: string, accepted: string): never {
  throw new EntailError("usage_invalid", `${flag} takes ${accepted}, not ${JSON.stringify(text)}`);
}

/** A whole number in plain digits, so that `NaN`, `1e9x`, `2.5` and the empty text never become one. */
export function wholeNumber(least: number, most: number = 1_000_000): ReadValue<number> {
  return (flag, text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most ? value : refuse(flag, text, `a whole number from ${least} to ${most}`);
  };
}

/** A duration above 0 and of at most 24 days, in milliseconds. */
export const duration: ReadValue<number> = (flag, text) => {
  const ms = parseDuration(text);
  return ms !== undefined && ms > 0 && ms <= MAX_DURATION_MS ? ms : refuse(flag, text, `a duration such as 90s, 1h30m or 500ms, above 0 and at most ${formatDuration(MAX_DURATION_MS)} (24 days)`);
};

export const text: ReadValue<string> = (flag, given) => (given === "" ? refuse(flag, given, "a text that is not empty") : given);

export function oneOf<const Word extends string>(words: readonly Word[]): ReadValue<Word> {
  return (flag, given) => {
    const word = words.find((each) => each === given);
    return word ?? refuse(flag, given, `one of ${words.join(", ")}${didYouMean(given, words).replace(/\?$/, "")}`);
  };
}
