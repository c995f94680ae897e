// Owns what a schema fills in where nothing at all is given.

import type { JsonSchema } from "../core/schema.ts";
import type { Subschema } from "./keyword.ts";
import { followRef } from "./reference.ts";

/** The default for the whole of `part`, followed through references within `root`; `undefined` where it has none. */
export function rootDefault(part: Subschema, root: JsonSchema): { readonly value: unknown } | undefined {
  const seen = new Set<Subschema>();
  for (let at: Subschema | undefined = part; typeof at === "object" && !seen.has(at); ) {
    seen.add(at);
    if (Object.hasOwn(at, "default")) return { value: at["default"] };
    const reference: unknown = at["$ref"];
    at = typeof reference === "string" ? followRef(root, reference) : undefined;
  }
  return undefined;
}
