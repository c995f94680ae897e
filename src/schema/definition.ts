// Owns the definitions of a schema: every reference made one to a member of `$defs`, and the definitions that only a library counted out named by
// the order of their first use, so that unrelated code changes nothing.

import type { JsonSchema } from "../core/schema.ts";
import { annotationsOf, decidesNothing, without } from "./copy-schema.ts";
import { everySchema, isSchemaObject, mapWithin, type Subschema, within, withMembers } from "./keyword.ts";
import type { Notes } from "./reading-notes.ts";
import { followRef, refSteps, refTo } from "./reference.ts";

/** A schema with its definitions apart. */
export interface Definitions {
  readonly root: Subschema;
  readonly defs: ReadonlyMap<string, Subschema>;
  /** Names that no author gave. */
  readonly machineMade: ReadonlySet<string>;
}

/** Begins the name of a definition that no author named, while it is read and after. */
const UNNAMED = "unnamed";

/** Takes the definitions out of a copied schema. What a reference names beside them (the root itself, a property) becomes one. Notes a reference that leads nowhere. */
export function gatherDefinitions(schema: JsonSchema, isMachineMade: (name: string) => boolean, notes: Notes): Definitions {
  const named = new Map<object, string>();
  const given = isSchemaObject(schema["$defs"]) ? schema["$defs"] : {};
  for (const [name, body] of Object.entries(given)) if (isSchemaObject(body)) named.set(body, name);
  const machineMade = new Set(Object.keys(given).filter(isMachineMade));
  for (const [steps, inner] of everySchema(schema)) {
    if (typeof inner === "boolean" || typeof inner["$ref"] !== "string") continue;
    const target = refSteps(inner["$ref"]) === undefined ? undefined : followRef(schema, inner["$ref"]);
    if (target === undefined) notes.fault("schema_invalid", steps, `the reference ${JSON.stringify(inner["$ref"])} leads nowhere in its schema; only local references are read`);
    else if (isSchemaObject(target) && !named.has(target)) {
      // The root goes by the name it has in references; both kinds of names are gone once the schema is assembled.
      const name = target === schema ? "#" : freshName(new Set([...named.values(), ...Object.keys(given)]), "#");
      named.set(target, name);
      machineMade.add(name);
    }
  }

  const rebuild = (part: Subschema): Subschema => {
    if (typeof part === "boolean") return part;
    const name = named.get(part);
    return name === undefined ? body(part) : { $ref: refTo(name) };
  };
  const body = (part: JsonSchema): Subschema => {
    const ref = part["$ref"];
    const target = typeof ref === "string" ? followRef(schema, ref) : undefined;
    if (typeof target === "boolean") return target ? without(part, "$ref", "$defs") : false;
    const rebuilt = mapWithin(without(part, "$defs"), rebuild);
    const name = target === undefined ? undefined : named.get(target);
    return name === undefined ? rebuilt : { ...rebuilt, $ref: refTo(name) };
  };
  const defs = new Map<string, Subschema>();
  for (const [target, name] of named) defs.set(name, body(target as JsonSchema));
  return { root: rebuild(schema), defs, machineMade };
}

/** Drops aliases, puts definitions that no author named and that are used once back where they are used, and gives each recursive shape one name. */
export function simplify(definitions: Definitions): Definitions {
  const { machineMade } = definitions;
  let { root } = definitions;
  const defs = new Map(definitions.defs);
  const replaceAll = (change: (schema: Subschema) => Subschema): void => {
    root = change(root);
    for (const [name, body] of defs) defs.set(name, change(body));
  };

  for (;;) {
    const uses = countUses(root, defs);
    const gone = [...machineMade].find((name) => {
      const body = defs.get(name);
      return body !== undefined && (uses.get(name) === undefined || isAlias(body) || isLeaf(body) || (uses.get(name) === 1 && !refersTo(body, name)));
    });
    if (gone === undefined) break;
    const body = defs.get(gone) ?? true;
    defs.delete(gone);
    replaceAll((schema) => substitute(schema, refTo(gone), body));
  }

  for (const name of machineMade) {
    const body = defs.get(name);
    if (body === undefined || typeof body === "boolean") continue;
    const text = JSON.stringify(body);
    const ref = { $ref: refTo(name) };
    const collapse = (schema: Subschema): Subschema => {
      if (typeof schema === "boolean") return schema;
      return JSON.stringify(schema) === text ? ref : mapWithin(schema, collapse);
    };
    root = collapse(root);
    for (const [other, inner] of defs) {
      if (other !== name) defs.set(other, collapse(inner));
      else if (typeof inner !== "boolean") defs.set(name, mapWithin(inner, collapse));
    }
  }
  return { root, defs, machineMade };
}

/** The schema as it is kept: definitions that are used, in the order of their first use, with names of ours where no author gave one. */
export function assemble(definitions: Definitions): { readonly schema: JsonSchema; readonly unnamed: readonly string[] } {
  const order: string[] = [];
  const visit = (schema: Subschema): void => {
    for (const [, inner] of everySchema(schema)) {
      const name = nameIn(inner);
      if (name === undefined || order.includes(name)) continue;
      order.push(name);
      visit(definitions.defs.get(name) ?? true);
    }
  };
  visit(definitions.root);

  const names = new Map<string, string>();
  const taken = new Set(order.filter((name) => !definitions.machineMade.has(name)));
  const unnamed: string[] = [];
  for (const name of order) {
    if (!definitions.machineMade.has(name)) {
      names.set(name, name);
      continue;
    }
    // A title is the author's word.
    const title = titleOf(definitions.defs.get(name));
    const chosen = title !== undefined && !taken.has(title) ? title : freshName(taken, UNNAMED);
    if (chosen !== title) unnamed.push(chosen);
    taken.add(chosen);
    names.set(name, chosen);
  }
  const rename = (schema: Subschema): Subschema => {
    if (typeof schema === "boolean") return schema;
    const name = nameIn(schema);
    const renamed = mapWithin(schema, rename);
    return name === undefined ? renamed : withMembers(Object.entries(renamed).map(([keyword, value]) => [keyword, keyword === "$ref" ? refTo(names.get(name) ?? name) : value]));
  };
  const root = rename(definitions.root);
  const schema = typeof root === "boolean" ? (root ? {} : { not: {} }) : root;
  if (order.length === 0) return { schema, unnamed };
  return { schema: { ...schema, $defs: withMembers(order.map((name) => [names.get(name) ?? name, rename(definitions.defs.get(name) ?? true)])) }, unnamed };
}

/** The definition that a schema refers to. */
export function nameIn(schema: Subschema): string | undefined {
  if (typeof schema === "boolean" || typeof schema["$ref"] !== "string") return undefined;
  return refSteps(schema["$ref"])?.[1];
}

export function titleOf(schema: Subschema | undefined): string | undefined {
  return typeof schema === "object" && typeof schema["title"] === "string" && schema["title"] !== "" ? schema["title"] : undefined;
}

function freshName(taken: ReadonlySet<string>, word: string): string {
  for (let count = 1; ; count++) if (!taken.has(`${word}${count}`)) return `${word}${count}`;
}

function countUses(root: Subschema, defs: ReadonlyMap<string, Subschema>): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const schema of [root, ...defs.values()]) {
    for (const [, inner] of everySchema(schema)) {
      const name = nameIn(inner);
      if (name !== undefined) uses.set(name, (uses.get(name) ?? 0) + 1);
    }
  }
  return uses;
}

function isAlias(body: Subschema): boolean {
  return typeof body === "boolean" || decidesNothing(body) || (typeof body["$ref"] === "string" && decidesNothing(without(body, "$ref")));
}

/** A text, a number, a list of literals: shorter than its name. */
function isLeaf(body: Subschema): boolean {
  return typeof body === "boolean" || (titleOf(body) === undefined && within(body).next().done === true && body["$ref"] === undefined && body["type"] !== "object");
}

function refersTo(body: Subschema, name: string): boolean {
  for (const [, inner] of everySchema(body)) if (nameIn(inner) === name) return true;
  return false;
}

function substitute(schema: Subschema, ref: string, body: Subschema): Subschema {
  if (typeof schema === "boolean") return schema;
  const inner = mapWithin(schema, (part) => substitute(part, ref, body));
  if (inner["$ref"] !== ref) return inner;
  const beside = without(inner, "$ref");
  if (typeof body === "boolean") return body ? beside : false;
  if (decidesNothing(beside)) return { ...body, ...annotationsOf(beside) };
  return { ...beside, allOf: [body, ...(Array.isArray(beside["allOf"]) ? beside["allOf"] : [])] };
}
