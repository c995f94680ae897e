// Owns the engine's findings as a tree: what was found, in which schema and about which part of the value.

import type { OutputUnit } from "@cfworker/json-schema";
import { itemPath, memberPath } from "../core/json-path.ts";
import type { JsonSchema } from "../core/schema.ts";
import { has, isSubschema, LIST_OF_SCHEMAS, MAP_OF_SCHEMAS, memberOf, type Subschema } from "./keyword.ts";
import { followRef } from "./reference.ts";

/** One finding, with what it was found about. */
export interface Finding {
  readonly keyword: string;
  /** Keywords, names and indexes from the root of the schema, through references as if they were members; the keyword comes last. */
  readonly steps: readonly string[];
  /** The schema that holds the keyword. */
  readonly schema: Subschema;
  /** Names and indexes from the root of the value. */
  readonly at: readonly (string | number)[];
  readonly value: unknown;
  /** The findings of a union's branches, or of a member's name. */
  readonly inner: readonly Finding[];
}

/** Where in the value, as an author writes it. */
export function pathOf(at: readonly (string | number)[]): string {
  return at.reduce<string>((path, step) => (typeof step === "number" ? itemPath(path, step) : memberPath(path, step)), "");
}

/** The schema at a finding's steps. */
export function schemaAt(root: JsonSchema, steps: readonly string[]): Subschema {
  let schema: unknown = root;
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at] ?? "";
    if (step === "$ref") {
      const ref = memberOf(schema, "$ref");
      schema = typeof ref === "string" ? followRef(root, ref) : undefined;
    } else if (has(MAP_OF_SCHEMAS, step) || has(LIST_OF_SCHEMAS, step)) {
      // What follows is a name or an index, even where it reads like a keyword.
      const held = memberOf(schema, step);
      const next = steps[++at] ?? "";
      schema = Array.isArray(held) ? held[Number(next)] : memberOf(held, next);
    } else schema = memberOf(schema, step);
  }
  return isSubschema(schema) ? schema : true;
}

/** The engine gives one flat list, in which the findings of a union's branches follow the union's own. */
const HOLDERS = ["anyOf", "oneOf", "propertyNames"] as const;

/** Reads the engine's flat list. */
export function readFindings(errors: readonly OutputUnit[], root: JsonSchema, value: unknown): readonly Finding[] {
  const findings: Finding[] = [];
  for (let next = 0; next < errors.length; ) {
    const error = errors[next++];
    if (error === undefined) break;
    const steps = pointerSteps(error.keywordLocation);
    if (isInContains(steps)) continue;
    const inner: OutputUnit[] = [];
    if (has(HOLDERS, error.keyword)) {
      for (let follower = errors[next]; follower !== undefined && isBelow(follower, error); follower = errors[++next]) inner.push(follower);
    }
    findings.push({ keyword: error.keyword, steps, schema: schemaAt(root, steps.slice(0, -1)), ...placeIn(value, error.instanceLocation), inner: readFindings(inner, root, value) });
  }
  return findings;
}

function isBelow(follower: OutputUnit, holder: OutputUnit): boolean {
  const inside = follower.instanceLocation === holder.instanceLocation || follower.instanceLocation.startsWith(`${holder.instanceLocation}/`);
  return inside && follower.keywordLocation.startsWith(`${holder.keywordLocation}/`);
}

/** What an item lacks to be the one that must be contained is of no interest: another item may be. */
function isInContains(steps: readonly string[]): boolean {
  for (let at = 0; at < steps.length - 1; at++) {
    const step = steps[at] ?? "";
    if (step === "contains") return true;
    if (has(MAP_OF_SCHEMAS, step) || has(LIST_OF_SCHEMAS, step)) at++;
  }
  return false;
}

function placeIn(value: unknown, pointer: string): { readonly at: readonly (string | number)[]; readonly value: unknown } {
  const at: (string | number)[] = [];
  let found = value;
  for (const step of pointerSteps(pointer)) {
    if (Array.isArray(found)) {
      at.push(Number(step));
      found = found[Number(step)] as unknown;
    } else {
      at.push(step);
      found = memberOf(found, step);
    }
  }
  return { at, value: found };
}

function pointerSteps(pointer: string): readonly string[] {
  if (pointer === "#") return [];
  // `#/a/b`, each step written by the engine with `encodeURI`, and `#` as `%23`.
  return pointer
    .slice(2)
    .split("/")
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}
