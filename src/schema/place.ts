// Owns how a place inside a schema is written for its author: as the place in the values that it describes.

import { itemPath, memberPath } from "../core/json-path.ts";

/**
 * `["properties", "kids", "items", "properties", "v"]` is `kids[].v`. A branch of a union has its union's place, a value of a record is `{}`, and
 * what stands in `$defs` begins with its name there.
 */
export function placeOf(steps: readonly (string | number)[]): string {
  let path = "";
  for (let at = 0; at < steps.length; at++) {
    const step = String(steps[at]);
    const next = steps[at + 1];
    switch (step) {
      case "properties":
        path = memberPath(path, String(next));
        at++;
        break;
      case "$defs":
      case "definitions":
        path = String(next);
        at++;
        break;
      case "prefixItems":
        path = typeof next === "number" ? itemPath(path, next) : `${path}[${String(next)}]`;
        at++;
        break;
      case "patternProperties":
        path = `${path}{}`;
        at++;
        break;
      case "allOf":
      case "anyOf":
      case "oneOf":
      case "dependentSchemas":
        at++;
        break;
      case "items":
      case "contains":
      case "unevaluatedItems":
        path = `${path}[]`;
        break;
      case "additionalProperties":
      case "unevaluatedProperties":
        path = `${path}{}`;
        break;
      default:
    }
  }
  return path;
}

/** `user_id: is …`; for the schema itself the sentence alone. */
export function placed(path: string, sentence: string): string {
  return path === "" ? sentence : `${path}: ${sentence}`;
}
