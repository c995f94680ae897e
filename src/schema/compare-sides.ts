// Owns the comparison of a schema's two sides, what it takes and what it gives: where they differ, the schema changes its value.

import { deepCompareStrict } from "@cfworker/json-schema";
import type { JsonSchema } from "../core/schema.ts";
import { annotationsOf, without } from "./copy-schema.ts";
import { everySchema, mapWithin, type Subschema } from "./keyword.ts";
import type { Steps } from "./reading-notes.ts";

/**
 * The first place at which the sides differ, or `undefined`. What may differ: `required` and `default` (a default is filled in), closing, and what
 * decides nothing. A default that is another one on each side differs.
 */
export function firstDifference(input: JsonSchema, output: JsonSchema): { readonly steps: Steps; readonly what: "value" | "default" } | undefined {
  const outputs = new Map([...everySchema(output)].map(([steps, schema]) => [JSON.stringify(steps), schema]));
  for (const [steps, schema] of everySchema(input)) {
    const other = outputs.get(JSON.stringify(steps));
    if (isClosing(schema, steps)) continue;
    if (other === undefined || !deepCompareStrict(own(schema), own(other))) return { steps, what: "value" };
    if (hasDefault(schema) && hasDefault(other) && !deepCompareStrict(schema["default"], other["default"])) return { steps, what: "default" };
    outputs.delete(JSON.stringify(steps));
  }
  for (const [key, schema] of outputs) {
    const steps = JSON.parse(key) as Steps;
    if (!isClosing(schema, steps)) return { steps, what: "value" };
  }
  return undefined;
}

function isClosing(schema: Subschema, steps: Steps): boolean {
  return schema === false && ["additionalProperties", "unevaluatedProperties", "items"].includes(String(steps.at(-1)));
}

/** What the schema itself decides, without the schemas within it: they are compared at their own places. */
function own(schema: Subschema): unknown {
  if (typeof schema === "boolean") return schema;
  const bare = without(mapWithin(schema, () => true), "required", "additionalProperties", "unevaluatedProperties", "items", ...Object.keys(annotationsOf(schema)));
  return bare;
}

function hasDefault(schema: Subschema): schema is JsonSchema {
  return typeof schema !== "boolean" && Object.hasOwn(schema, "default");
}
