// Owns the matcher: the three ways to say what a value must be (a predicate, a plain value, a schema), each made into a predicate.

import { EntailError, messageOf } from "../core/error.ts";
import type { Codec } from "../core/tool.ts";
import { memberPath, itemPath } from "../core/json-path.ts";
import { canonicalJson, sameJson } from "../json/write-json.ts";
import { differences } from "./difference.ts";
import { nameOf, type Predicate, settles } from "./predicate.ts";

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: JsonValue | undefined;
}

/** A Standard Schema of whatever library; it must answer at once. */
export interface ValueSchema {
  // `any`: libraries differ in the type of `validate`, and a schema is looked at by shape only.
  readonly "~standard": { readonly version: 1; readonly vendor: string; readonly validate: any };
}

/**
 * A value to be equal to, to its depth. Where a type would let a function in (`{}`, `unknown`, a record of `any`), plain JSON stands for it:
 * else a predicate that forgets its answer would compile as a value.
 */
export type PlainValue<Value> = unknown extends Value
  ? JsonValue
  : Value extends object
    ? keyof Value extends never
      ? { readonly [member: string]: never }
      : string extends keyof Value
        ? JsonObject
        : Value
    : Value;

/** What a value must be. An empty plain object is equal to an empty object alone. */
export type Matcher<Value> = Predicate<Value> | PlainValue<Value> | ValueSchema;

/** On the predicate of a plain value: the value, so that numbers can be compared digit for digit. */
export const PLAIN: unique symbol = Symbol("entail.plain");
export interface PlainPredicate extends Predicate<unknown> {
  readonly [PLAIN]: unknown;
}

/**
 * The predicate of a matcher. Throws `expectation_invalid` where the matcher can match nothing: a value that JSON cannot hold, a typed tool's
 * codec. The value is copied: what becomes of it later does not count.
 */
export function predicateOf(matcher: unknown, place: string): Predicate<unknown> {
  if (isSchema(matcher)) return schemaPredicate(matcher);
  if (typeof matcher === "function") return matcher as Predicate<unknown>;
  if (isCodec(matcher)) throw new EntailError("expectation_invalid", `${place} is a codec, which asks nothing; for a typed tool write expectCall(tool), for another decoded(codec, predicate)`);
  if (settles(matcher)) throw new EntailError("expectation_invalid", `${place} is a promise; await it first`);
  let text: string;
  try {
    text = canonicalJson(matcher);
  } catch (thrown) {
    throw new EntailError("expectation_invalid", `${place} must be a predicate, a JSON value or a schema: ${messageOf(thrown)}`, { cause: thrown });
  }
  return plainPredicate(JSON.parse(text));
}

/** The plain value that a predicate compares with, where it is the predicate of one. */
export function plainOf(predicate: Predicate<unknown>): { readonly value: unknown } | undefined {
  return Object.hasOwn(predicate, PLAIN) ? { value: (predicate as PlainPredicate)[PLAIN] } : undefined;
}

/** Marks a predicate made around that of a plain value as one of the same plain value. */
export function plainLike(predicate: Predicate<unknown>, inner: Predicate<unknown>): Predicate<unknown> {
  const plain = plainOf(inner);
  return plain === undefined ? predicate : Object.assign(predicate, { [PLAIN]: plain.value });
}

function plainPredicate(expected: unknown): Predicate<unknown> {
  const predicate = (value: unknown): true | string => sameJson(expected, value) || differences(expected, value);
  return Object.assign(predicate, { [PLAIN]: expected });
}

function schemaPredicate(schema: ValueSchema): Predicate<unknown> {
  return (value) => {
    const result = schema["~standard"].validate(value) as unknown;
    if (settles(result)) throw new Error("the schema answers with a promise; only a schema that validates at once can be used here");
    if (typeof result !== "object" || result === null) throw new Error(`the schema answered ${nameOf(result)}, which is no result of a Standard Schema`);
    const { issues } = result as { readonly issues?: unknown };
    if (issues === undefined) return true;
    if (!Array.isArray(issues)) throw new Error("the schema answered with issues that are no list");
    return `does not match the schema: ${issues.length === 0 ? "it names no issue" : issues.map(issueText).join(", ")}`;
  };
}

function issueText(issue: { readonly message?: unknown; readonly path?: readonly unknown[] }): string {
  let path = "";
  for (const step of issue.path ?? []) {
    const key = typeof step === "object" && step !== null ? (step as { readonly key?: unknown }).key : step;
    path = typeof key === "number" ? itemPath(path, key) : memberPath(path, String(key));
  }
  return path === "" ? String(issue.message) : `${path}: ${String(issue.message)}`;
}

/** True for a Standard Schema; some libraries' schemas are functions. */
export function isSchema(value: unknown): value is ValueSchema {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const standard = (value as { readonly "~standard"?: unknown })["~standard"];
  return typeof standard === "object" && standard !== null && typeof (standard as { readonly validate?: unknown }).validate === "function";
}

/** True for a typed tool's codec. A schema of zod has a `decode` too. */
export function isCodec(value: unknown): value is Codec<unknown> {
  return typeof value === "object" && value !== null && !isSchema(value) && "schema" in value && typeof (value as { readonly decode?: unknown }).decode === "function";
}
