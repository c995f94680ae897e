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

/** US dollars in plain digits, above 0. */
export const dollars: ReadValue<number> = (flag, text) => {
  const value = /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  return value > 0 ? value : refuse(flag, text, "an amount of US dollars above 0, such as 5 or 0.25");
};

/** Points of a pass rate in plain digits, from 0 to below 100, as a share: `3` is 0.03. */
export const points: ReadValue<number> = (flag, text) => {
  const value = /^\d{1,2}(\.\d{1,4})?$/.test(text) ? Number(text) : Number.NaN;
  return value >= 0 ? value / 100 : refuse(flag, text, "points of the pass rate from 0 to below 100, such as 3 or 2.5");
};

/** A confidence in percent, from 50 to below 100, as a share: `95` is 0.95. */
export const confidence: ReadValue<number> = (flag, text) => {
  const value = /^\d{2}(\.\d{1,4})?$/.test(text) ? Number(text) : Number.NaN;
  return value >= 50 ? value / 100 : refuse(flag, text, "a confidence in percent from 50 to below 100, such as 95 (which calls at most 5 in 100 unchanged agents regressed)");
};

/** A duration above 0 and of at most 24 days, in milliseconds. */
export const duration: ReadValue<number> = (flag, text) => {
  const ms = parseDuration(text);
  return ms !== undefined && ms > 0 && ms <= MAX_DURATION_MS ? ms : refuse(flag, text, `a duration such as 90s, 1h30m or 500ms, above 0 and at most ${formatDuration(MAX_DURATION_MS)} (24 days)`);
};

/** An age in milliseconds: a duration, or days and weeks in plain digits, `30d`, `2w`. */
export const age: ReadValue<number> = (flag, given) => {
  const days = /^(\d{1,5})([dw])$/.exec(given);
  const ms = days === null ? parseDuration(given) : Number(days[1]) * (days[2] === "w" ? 7 : 1) * 86_400_000;
  return ms !== undefined && ms > 0 && Number.isFinite(ms) ? ms : refuse(flag, given, "an age such as 30d, 2w or 12h");
};

export const text: ReadValue<string> = (flag, given) => (given === "" ? refuse(flag, given, "a text that is not empty") : given);

export function oneOf<const Word extends string>(words: readonly Word[]): ReadValue<Word> {
  return (flag, given) => {
    const word = words.find((each) => each === given);
    return word ?? refuse(flag, given, `one of ${words.join(", ")}${didYouMean(given, words).replace(/\?$/, "")}`);
  };
}
