// Owns the reading of a union that did not match: which branch was meant, and what is said when that cannot be told.

import { memberPath } from "../core/json-path.ts";
import type { JsonSchema } from "../core/schema.ts";
import { expectedWords, oneOf } from "./fault-sentence.ts";
import { pathOf, type Finding } from "./finding.ts";
import { isSchemaObject, isSubschema, memberOf, type Subschema } from "./keyword.ts";
import { followRef } from "./reference.ts";
import type { SchemaFault } from "./schema-fault.ts";

interface Branch {
  readonly schema: Subschema;
  readonly findings: readonly Finding[];
}

/**
 * The faults of the branch that the value was meant for. A branch of another type, or of another literal, was not meant; where the branches have a
 * member of literals in common, that member decides; of the others it is the one with the fewest faults, or what they all ask for.
 */
export function unionFaults(union: Finding, root: JsonSchema, sift: (findings: readonly Finding[]) => readonly SchemaFault[]): readonly SchemaFault[] {
  const path = pathOf(union.at);
  const branches = branchesOf(union);
  if (union.keyword === "oneOf" && branches.filter((branch) => branch.findings.length === 0).length > 1) {
    return [{ path, message: "matches more than one of its alternatives" }];
  }
  const near = branches.filter((branch) => otherKind(branch.findings, union.at) === undefined);
  if (near.length === 0) return [{ path, message: `must be ${oneOf(branches.flatMap((branch) => otherKind(branch.findings, union.at) ?? []))}` }];
  const told = toldByLiteral(near, union.value, path, root);
  if ("fault" in told) return [told.fault];
  const faults = told.branches.map((branch) => sift(branch.findings)).sort((a, b) => a.length - b.length);
  const [fewest, next] = faults;
  if (fewest === undefined) return [{ path, message: "matches none of its alternatives" }];
  if (next === undefined || fewest.length < next.length) return fewest;
  const common = fewest.filter((fault) => faults.every((list) => list.some((other) => other.path === fault.path && other.message === fault.message)));
  if (common.length > 0) return common;
  const asked = faults.slice(0, 3).map((list) => list.slice(0, 2).map((fault) => (fault.path === path ? `it ${fault.message}` : `${fault.path} ${fault.message}`)).join(" and "));
  return [{ path, message: `matches none of its alternatives: ${[...new Set(asked)].join("; or ")}` }];
}

function branchesOf(union: Finding): readonly Branch[] {
  const list = memberOf(union.schema, union.keyword);
  return (Array.isArray(list) ? list : []).map((schema: unknown, at) => ({
    schema: isSubschema(schema) ? schema : true,
    findings: union.inner.filter((finding) => finding.steps[union.steps.length] === String(at)),
  }));
}

/** Words for what a branch asks for where the value is of another type or another literal altogether; else `undefined`. */
function otherKind(findings: readonly Finding[], at: readonly (string | number)[]): readonly string[] | undefined {
  let words: readonly string[] | undefined;
  for (const finding of findings) {
    if (finding.at.length !== at.length || typeof finding.schema === "boolean") continue;
    if (finding.keyword === "const" || finding.keyword === "enum") return expectedWords(finding.schema, finding.keyword);
    if (finding.keyword === "type") words = expectedWords(finding.schema, "type");
    if (finding.keyword === "not" && Object.keys(finding.schema["not"] as object).length === 0) words ??= [];
    if (finding.keyword === "anyOf" || finding.keyword === "oneOf") {
      const kinds = branchesOf(finding).map((branch) => otherKind(branch.findings, at));
      if (kinds.length > 0 && kinds.every((kind) => kind !== undefined)) words = kinds.flat();
    }
  }
  return words;
}

/** The branches that a literal of the value chooses, or the one fault of a literal that chooses none. */
function toldByLiteral(branches: readonly Branch[], value: unknown, path: string, root: JsonSchema): { readonly branches: readonly Branch[] } | { readonly fault: SchemaFault } {
  if (branches.length < 2 || !isSchemaObject(value)) return { branches };
  const literals = branches.map((branch) => literalMembers(branch.schema, root));
  const name = [...(literals[0]?.keys() ?? [])].find((candidate) => literals.every((members) => members.has(candidate)));
  if (name === undefined) return { branches };
  if (!Object.hasOwn(value, name)) return { fault: { path: memberPath(path, name), message: "is missing" } };
  const chosen = branches.filter((_, at) => literals[at]?.get(name)?.includes(value[name]) === true);
  if (chosen.length > 0) return { branches: chosen };
  const words = literals.flatMap((members) => expectedWords({ enum: members.get(name) }, "enum"));
  return { fault: { path: memberPath(path, name), message: `must be ${oneOf(words)}` } };
}

/** The members of an object's schema that must be one of a few literals. */
function literalMembers(schema: Subschema, root: JsonSchema, depth = 0): ReadonlyMap<string, readonly unknown[]> {
  const members = new Map<string, readonly unknown[]>();
  if (typeof schema === "boolean" || depth > 20) return members;
  const target = typeof schema["$ref"] === "string" ? followRef(root, schema["$ref"]) : undefined;
  for (const inner of [target, ...(Array.isArray(schema["allOf"]) ? schema["allOf"] : [])]) {
    if (isSubschema(inner)) for (const [name, values] of literalMembers(inner, root, depth + 1)) members.set(name, values);
  }
  for (const [name, member] of Object.entries(isSchemaObject(schema["properties"]) ? schema["properties"] : {})) {
    if (!isSchemaObject(member)) continue;
    if (Object.hasOwn(member, "const")) members.set(name, [member["const"]]);
    else if (Array.isArray(member["enum"])) members.set(name, member["enum"]);
  }
  return members;
}
