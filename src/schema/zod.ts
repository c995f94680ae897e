// Owns what zod knows of its schemas and leaves out of their JSON Schema: refinements, coercion, transforms, the flags of patterns.

import type { Notes, SchemaSide, Steps } from "./reading-notes.ts";
import { notExpressible } from "./not-expressible.ts";

/** Kinds of schemas that are plain data, and say all of it in JSON Schema. */
const PLAIN_TYPES = new Set(
  (
    "string number int boolean null any unknown never literal enum template_literal " +
    "object array tuple record union intersection nullable optional nonoptional default prefault readonly lazy"
  ).split(" "),
);

const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ["date", "a Date"],
  ["map", "a Map"],
  ["set", "a Set"],
  ["nan", "NaN"],
  ["undefined", "undefined"],
  ["void", "undefined"],
]);

/** Checks that JSON Schema has a word for. */
const PLAIN_CHECKS = new Set(["less_than", "greater_than", "multiple_of", "number_format", "min_length", "max_length", "length_equals", "string_format", "describe", "meta"]);

/** What is read of a zod schema's own definition. */
interface Definition {
  readonly type?: unknown;
  readonly check?: string;
  readonly checks?: readonly { readonly _zod?: { readonly def?: Definition } }[];
  readonly coerce?: unknown;
  readonly pattern?: unknown;
  readonly protocol?: unknown;
  readonly hostname?: unknown;
  readonly normalize?: unknown;
}

/** Options for zod's own writing of JSON Schema: each schema in it is looked at, and nothing unknown ends the writing. `looked` says whether one was. */
export function zodOptions(side: SchemaSide, notes: Notes): { readonly options: Readonly<Record<string, unknown>>; looked(): boolean } {
  let schemas = 0;
  const options = {
    unrepresentable: "any",
    override: (context: { readonly zodSchema?: { readonly _zod?: { readonly def?: Definition } }; readonly path?: Steps }) => {
      const def = context.zodSchema?.["_zod"]?.def;
      if (def === undefined) return;
      schemas++;
      look(def, context.path ?? [], side, notes);
    },
  };
  return { options, looked: () => schemas > 0 };
}

function look(def: Definition, steps: Steps, side: SchemaSide, notes: Notes): void {
  const refuse = (what: string): void => notes.fault(notExpressible(side), steps, what);
  const type = String(def.type);
  if (type === "pipe" || type === "transform") refuse("a transform, pipe, preprocess or codec changes the value; declare the plain value and change it in the hook");
  else if (type === "catch") refuse("catch replaces a wrong value instead of refusing it; declare the plain value");
  else if (type === "custom") refuse("a custom check is not part of the JSON Schema and would be lost; declare a text, a number, a list or an object");
  else if (!PLAIN_TYPES.has(type)) refuse(`${TYPE_WORDS.get(type) ?? `a ${type}`} is no plain data that JSON Schema can express; declare a text, a number, a list or an object`);
  if (!PLAIN_TYPES.has(type)) return;
  if (def.coerce === true) refuse("coercion changes the value; declare the plain value");
  for (const rule of [def, ...(def.checks ?? []).map((check) => check["_zod"]?.def ?? {})]) lookAtRule(rule, refuse);
}

function lookAtRule(rule: Definition, refuse: (what: string) => void): void {
  const { check } = rule;
  if (check === "custom") refuse("a refinement is not part of the JSON Schema and would be lost; express it by the schema's own words, or check it in the hook");
  else if (check === "overwrite") refuse("a check that changes the value (trim, toLowerCase, normalize …) cannot be expressed; declare the plain value");
  else if (check !== undefined && !PLAIN_CHECKS.has(check)) refuse(`the check ${JSON.stringify(check)} is not part of the JSON Schema and would be lost`);
  const flags = rule.pattern instanceof RegExp ? rule.pattern.flags.replace(/[dguv]/g, "") : "";
  if (flags !== "") refuse(`the flag ${JSON.stringify(flags)} of the pattern ${String(rule.pattern)} is not part of the JSON Schema and would be lost; write the pattern without it`);
  if (rule.protocol !== undefined || rule.hostname !== undefined) refuse("the protocol and the host name asked of an address are not part of the JSON Schema and would be lost; write a pattern");
  if (rule.normalize === true) refuse("normalize changes the address; declare the plain value");
}
