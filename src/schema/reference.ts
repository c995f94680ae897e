// Owns references within a schema: where `#/$defs/Node` leads.

import type { JsonSchema } from "../core/schema.ts";
import { isSubschema, memberOf, type Subschema } from "./keyword.ts";

/** What a local reference names, or `undefined` where it leads nowhere or out of the schema. */
export function followRef(root: JsonSchema, ref: string): Subschema | undefined {
  const steps = refSteps(ref);
  if (steps === undefined) return undefined;
  let at: unknown = root;
  for (const step of steps) at = Array.isArray(at) ? (/^\d+$/.test(step) ? at[Number(step)] : undefined) : memberOf(at, step);
  return isSubschema(at) ? at : undefined;
}

/** The names that a local reference goes through; `undefined` for any other. */
export function refSteps(ref: string): readonly string[] | undefined {
  if (ref === "#" || ref === "#/") return ref === "#" ? [] : [""];
  if (!ref.startsWith("#/")) return undefined;
  try {
    return ref
      .slice(2)
      .split("/")
      .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
  } catch {
    return undefined;
  }
}

/** The reference to a member of `$defs`. */
export function refTo(name: string): string {
  return `#/$defs/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`;
}
