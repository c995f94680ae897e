// Owns the predicate: a question put to one value, which passes by answering `true` and by nothing else.

import { messageOf } from "../core/error.ts";
import type { Codec } from "../core/tool.ts";

/** `true` passes. `false` fails, and so does a text, which is then the diagnostic. */
export type PredicateVerdict = boolean | string;

/** A throw fails too, with its message; so does any other answer (nothing, a promise, a number), with a diagnostic that says so. */
export type Predicate<Value> = (value: Value) => PredicateVerdict;

/** What a predicate answered, once. */
export type Answer =
  | { readonly passed: true }
  | {
      readonly passed: false;
      readonly reason: string;
      /** False where the question was not answered (a throw, a promise, nothing): then nobody may conclude that the value does not match. */
      readonly decided: boolean;
    };

const PASSED: Answer = { passed: true };
const MISTAKES = [TypeError, ReferenceError, RangeError, SyntaxError] as const;

/** Puts the question. It never throws, and a promise that the predicate returned never becomes an unhandled rejection. */
export function ask<Value>(predicate: Predicate<Value>, value: Value): Answer {
  let verdict: unknown;
  try {
    verdict = predicate(value);
  } catch (thrown) {
    return { passed: false, reason: messageOf(thrown), decided: false };
  }
  if (verdict === true) return PASSED;
  if (verdict === false) return { passed: false, reason: "the predicate answered false", decided: true };
  if (typeof verdict === "string") return { passed: false, reason: verdict === "" ? "the predicate answered an empty text" : verdict, decided: true };
  const reason = settles(verdict)
    ? "the predicate returned a promise; it must answer at once, and only true passes"
    : `the predicate returned ${nameOf(verdict)}; only true passes (is a "return" missing?)`;
  return { passed: false, reason, decided: false };
}

/**
 * Makes a predicate of assertions that return nothing: `asserts((args) => expect(args).toEqual({ window: "24h" }))`. What they throw is the
 * diagnostic. A `false` or a text that they return fails as well, and so does a promise: assertions must be done when they return.
 */
export function asserts<Value>(assertions: (value: Value) => void): Predicate<Value> {
  return (value) => {
    let returned: unknown;
    try {
      returned = assertions(value);
    } catch (thrown) {
      // Not an assertion that failed, but one that could not be made.
      if (MISTAKES.some((mistake) => thrown instanceof mistake)) throw thrown;
      return messageOf(thrown);
    }
    if (returned === false) return "the assertions returned false";
    if (typeof returned === "string") return returned;
    if (settles(returned)) throw new Error("the assertions returned a promise; they must be done when they return");
    return true;
  };
}

/**
 * Decodes a value with a tool's codec, then puts the question to the copy. For a tool without a typed descriptor: `{ name, args: decoded(codec,
 * predicate) }`. A value that cannot be decoded throws, and so fails, with every fault that the codec names.
 */
export function decoded<Value>(codec: Codec<Value>, predicate: Predicate<Value>): Predicate<unknown> {
  return (value) => {
    let copy: Value;
    try {
      copy = codec.decode(value);
    } catch (thrown) {
      throw new Error(`the canonical payload could not be decoded: ${messageOf(thrown).replaceAll("\n", ", ")}`, { cause: thrown });
    }
    return predicate(copy);
  };
}

/** True for a promise and its like; its rejection is then taken in, as nobody else will. */
export function settles(value: unknown): boolean {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  try {
    const then = (value as { then?: unknown }).then;
    if (typeof then !== "function") return false;
    Promise.resolve(value as PromiseLike<unknown>).then(undefined, () => undefined);
    return true;
  } catch {
    return false;
  }
}

/** A value's kind and, where it is short, the value: `undefined`, `null`, `the number 0`, `an object`. */
export function nameOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === "number" || typeof value === "bigint") return `the number ${String(value)}`;
  if (typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  if (typeof value === "function") return "a function";
  if (typeof value === "symbol") return "a symbol";
  return Array.isArray(value) ? "a list" : "an object";
}
