// Owns the printing of a JSON Schema as a TypeScript type, equal to what the schema library infers for the same schema.

import type { JsonSchema } from "../core/schema.ts";
import { isSchemaObject, isSubschema, memberOf, type Subschema } from "../schema/keyword.ts";
import { rootDefault } from "../schema/root-default.ts";
import { docComment } from "./comment-text.ts";
import { typeKey } from "./literal-text.ts";
import { literalType } from "./literal-type.ts";

/** `given` is what an application writes, `received` what arrives once defaults are filled in. */
export type TypeSide = "given" | "received";

export interface TypeContext {
  readonly side: TypeSide;
  /** Where references lead. */
  readonly root: JsonSchema;
  /** The name of the type that a reference stands for. */
  readonly nameOf: (reference: string) => string;
}

/** How tightly a printed type holds together: what stands in a list needs parentheses unless it is an atom. */
export interface TypeText {
  readonly text: string;
  readonly holds: "atom" | "intersection" | "union";
  /** What a union is one of. */
  readonly alternatives?: readonly string[];
}

const WIDTH = 100;
const PLAIN = /^(?:(?:string|number|boolean|null|unknown)(?:\[\])*(?: \| |$))+$/;
const OBJECT_KEYWORDS = ["properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties", "maxProperties", "dependentRequired"];
const LIST_KEYWORDS = ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"];

/** The type as the whole of a declaration: an object has a line for each member. */
export function declaredType(schema: Subschema, context: TypeContext): string {
  return typeText(schema, context, "", 0).text;
}

/** The type on lines that start with `indent`; an object of up to `width` characters stands on one. */
export function typeText(schema: Subschema, context: TypeContext, indent = "", width: number = WIDTH): TypeText {
  if (typeof schema === "boolean") return atom(schema ? "unknown" : "never");
  if (isNothing(schema["not"])) return atom("never");
  const parts: TypeText[] = [];
  if (typeof schema["$ref"] === "string") parts.push(atom(context.nameOf(schema["$ref"])));
  const own = ownType(schema, context, indent, width);
  if (own !== undefined) parts.push(own);
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const branches = subschemas(schema[keyword]);
    if (branches.length > 0) parts.push(union(branches.map((branch) => typeText(branch, context, indent))));
  }
  for (const branch of subschemas(schema["allOf"])) parts.push(typeText(branch, context, indent));
  return intersection(parts);
}

/** What the keywords of the schema itself say; `undefined` where they say nothing. */
function ownType(schema: JsonSchema, context: TypeContext, indent: string, width: number): TypeText | undefined {
  const types = typesOf(schema);
  const literals = Object.hasOwn(schema, "const") ? [schema["const"]] : Array.isArray(schema["enum"]) ? (schema["enum"] as readonly unknown[]) : undefined;
  if (literals !== undefined) {
    const fitting = literals.filter((literal) => types === undefined || types.some((type) => isOfType(literal, type)));
    return fitting.length === 0 ? atom("never") : union(fitting.map((literal) => atom(literalType(literal))));
  }
  const named = types ?? impliedTypes(schema);
  return named === undefined ? undefined : union(named.map((type) => typeOfKind(type, schema, context, indent, width)));
}

function typeOfKind(type: string, schema: JsonSchema, context: TypeContext, indent: string, width: number): TypeText {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return atom(type);
    case "number":
    case "integer":
      return atom("number");
    case "array":
      return listType(schema, context, indent);
    case "object":
      return objectType(schema, context, indent, width);
    default:
      return atom("unknown");
  }
}

function listType(schema: JsonSchema, context: TypeContext, indent: string): TypeText {
  const items = schema["items"];
  const prefix = subschemas(schema["prefixItems"]);
  if (prefix.length === 0) return items === false ? atom("[]") : listOf(typeText(isSubschema(items) ? items : true, context, indent));
  const least = typeof schema["minItems"] === "number" ? schema["minItems"] : 0;
  const members = prefix.map((item, at) => {
    const { text } = typeText(item, context, indent);
    const filled = context.side === "received" && rootDefault(item, context.root) !== undefined;
    return at < least || filled ? text : `(${text} | undefined)?`;
  });
  if (isSchemaObject(items)) members.push(`...${listOf(typeText(items, context, indent)).text}`);
  return atom(`[${members.join(", ")}]`);
}

function objectType(schema: JsonSchema, context: TypeContext, indent: string, width: number): TypeText {
  const inner = `${indent}  `;
  const { members, rest } = objectMembers(schema, context, inner);
  if (members.length === 0) {
    if (rest === undefined) return atom(schema["additionalProperties"] === false ? "Record<string, never>" : "Record<string, unknown>");
    // A type may refer to itself within an index signature, but not within `Record`.
    return atom(PLAIN.test(rest.text) ? `Record<string, ${rest.text}>` : `{ [key: string]: ${rest.text} }`);
  }
  // What has an index signature must fit it, so it is as wide as the members need.
  const index = rest === undefined ? [] : [`[key: string]: ${rest.text === "unknown" ? "unknown" : union([rest, ...members.map((member) => member.type), ...optionalOnes(members)]).text}`];
  const lines = [...members.map((member) => `${member.key}: ${member.text}`), ...index];
  const flat = `{ ${lines.join("; ")} }`;
  const commented = members.some((member) => member.comment !== "");
  if (!commented && !flat.includes("\n") && indent.length + flat.length <= width) return atom(flat);
  return atom(`{\n${members.map((member) => `${member.comment}${inner}${member.key}: ${member.text};\n`).join("")}${index.map((line) => `${inner}${line};\n`).join("")}${indent}}`);
}

interface Member {
  readonly comment: string;
  /** With `?` where it may be left out. */
  readonly key: string;
  readonly text: string;
  readonly type: TypeText;
  readonly optional: boolean;
}

function objectMembers(schema: JsonSchema, context: TypeContext, indent: string): { readonly members: readonly Member[]; readonly rest: TypeText | undefined } {
  const properties = isSchemaObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"].filter((name) => typeof name === "string") : [];
  const keys = keysOf(schema["propertyNames"]);
  const rest = restType(schema, context, indent);
  const names = [...new Set([...Object.keys(properties), ...keys, ...required])];
  const members = names.map((name): Member => {
    const declared = memberOf(properties, name);
    const part = isSubschema(declared) ? declared : undefined;
    const type = part === undefined ? (rest ?? atom("unknown")) : typeText(part, context, indent);
    const filled = context.side === "received" && part !== undefined && rootDefault(part, context.root) !== undefined;
    const optional = !required.includes(name) && !filled;
    return {
      comment: docComment(memberOf(part, "description"), indent),
      key: `${typeKey(name)}${optional ? "?" : ""}`,
      // `undefined` counts as absent; a record of listed keys says nothing of it.
      text: optional && part !== undefined && type.text !== "unknown" ? union([type, atom("undefined")]).text : type.text,
      type,
      optional,
    };
  });
  return { members, rest: keys.length > 0 ? undefined : rest };
}

/** The type of the members that are not declared; `undefined` where there are none, or where nobody says. */
function restType(schema: JsonSchema, context: TypeContext, indent: string): TypeText | undefined {
  const patterns = isSchemaObject(schema["patternProperties"]) ? Object.values(schema["patternProperties"]).filter(isSubschema) : [];
  const additional = schema["additionalProperties"];
  const open = additional === true || isSchemaObject(additional) ? [typeText(additional, context, indent)] : [];
  const all = [...patterns.map((part) => typeText(part, context, indent)), ...open];
  if (all.length === 0) return undefined;
  return patterns.length > 0 && additional === undefined ? atom("unknown") : union(all);
}

/** The only keys that an object may have, where `propertyNames` lists them. */
function keysOf(propertyNames: unknown): readonly string[] {
  if (!isSchemaObject(propertyNames)) return [];
  const listed: readonly unknown[] = Object.hasOwn(propertyNames, "const") ? [propertyNames["const"]] : Array.isArray(propertyNames["enum"]) ? propertyNames["enum"] : [];
  return listed.filter((name) => typeof name === "string");
}

function optionalOnes(members: readonly Member[]): readonly TypeText[] {
  return members.some((member) => member.optional) ? [atom("undefined")] : [];
}

function typesOf(schema: JsonSchema): readonly string[] | undefined {
  const { type } = schema;
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((name) => typeof name === "string") : undefined;
}

/** A schema without a `type` whose keywords speak of objects or lists means those. */
function impliedTypes(schema: JsonSchema): readonly string[] | undefined {
  if (OBJECT_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword))) return ["object"];
  return LIST_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword)) ? ["array"] : undefined;
}

function isOfType(literal: unknown, type: string): boolean {
  if (type === "integer") return Number.isInteger(literal);
  if (type === "null") return literal === null;
  if (type === "array") return Array.isArray(literal);
  if (type === "object") return isSchemaObject(literal);
  return typeof literal === type;
}

function isNothing(not: unknown): boolean {
  return not === true || (isSchemaObject(not) && Object.keys(not).length === 0);
}

function subschemas(list: unknown): readonly Subschema[] {
  return Array.isArray(list) ? list.filter(isSubschema) : [];
}

function atom(text: string): TypeText {
  return { text, holds: "atom" };
}

function listOf(item: TypeText): TypeText {
  return atom(item.holds === "atom" ? `${item.text}[]` : `(${item.text})[]`);
}

function union(parts: readonly TypeText[]): TypeText {
  const alternatives = [...new Set(parts.flatMap((part) => part.alternatives ?? [part.text]))].filter((text) => text !== "never");
  if (alternatives.includes("unknown")) return atom("unknown");
  const [only = "never"] = alternatives;
  if (alternatives.length <= 1) return parts.find((part) => part.text === only) ?? atom(only);
  return { text: alternatives.join(" | "), holds: "union", alternatives };
}

function intersection(parts: readonly TypeText[]): TypeText {
  const telling = parts.filter((part, at) => part.text !== "unknown" && parts.findIndex((each) => each.text === part.text) === at);
  // What says only "an object" adds nothing to what says which.
  const wide = "Record<string, unknown>";
  const kept = telling.length > 1 ? telling.filter((part) => part.text !== wide) : telling;
  const [only = atom(telling.length > 0 ? wide : "unknown")] = kept;
  if (kept.length <= 1) return only;
  return { text: kept.map((part) => (part.holds === "union" ? `(${part.text})` : part.text)).join(" & "), holds: "intersection" };
}
