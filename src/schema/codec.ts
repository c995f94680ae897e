// Owns the codec: a JSON Schema as something that decodes values, with one error for all that is wrong.

import { EntailError } from "../core/error.ts";
import type { JsonSchema } from "../core/schema.ts";
import type { Codec } from "../core/tool.ts";
import { everySchema, isSchemaObject, isSubschema, memberOf, type Subschema, withMembers } from "./keyword.ts";
import { refSteps } from "./reference.ts";
import { compileSchema, type SchemaFault, type Validator } from "./validator.ts";

/** A codec of `schema`, which is compiled at its first use. */
export function codec<Value>(schema: JsonSchema): Codec<Value> {
  return lateCodec(() => schema);
}

/** The same for a schema that is still to be read; `read` is called once, at the first use, and may throw. */
export function lateCodec<Value>(read: () => JsonSchema): Codec<Value> {
  let schema: JsonSchema | undefined;
  let validator: Validator | undefined;
  const known = (): JsonSchema => (schema ??= withoutStrangers(read()));
  return {
    get schema() {
      return known();
    },
    decode(value) {
      validator ??= compileSchema(known());
      const decoded = validator.decode(value);
      if (decoded.faults.length > 0) throw valueError(decoded.faults);
      return decoded.value as Value;
    },
  };
}

function valueError(faults: readonly SchemaFault[]): EntailError {
  const lines = faults.map((fault) => `${fault.path === "" ? "the value" : fault.path} ${fault.message}`);
  return new EntailError("value_invalid", lines.join("\n"), {
    faults: faults.map(({ path, message }) => ({ code: "value_invalid", place: path, message })),
  });
}

/**
 * Without the definitions that it does not lead to: a generated file hands all its definitions to each of its codecs, and compiling them all
 * for each would grow with the square of the suite. A schema with references of another form is left as it is.
 */
function withoutStrangers(schema: JsonSchema): JsonSchema {
  const { $defs: definitions, ...own } = schema;
  if (!isSchemaObject(definitions)) return schema;
  const led = new Set<string>();
  const waiting: Subschema[] = [own];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [, part] of everySchema(next)) {
      if (typeof part === "boolean" || typeof part["$ref"] !== "string") continue;
      const [home, name, ...further] = refSteps(part["$ref"]) ?? [];
      const definition = home === "$defs" && name !== undefined && further.length === 0 ? memberOf(definitions, name) : undefined;
      if (name === undefined || !isSubschema(definition)) return schema;
      if (!led.has(name)) waiting.push(definition);
      led.add(name);
    }
  }
  if (led.size === 0) return own;
  return { ...own, $defs: withMembers(Object.entries(definitions).filter(([name]) => led.has(name))) };
}
