import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../core/schema.ts";
import { readJsonSchema, type SchemaSide } from "./read-schema.ts";
import { compileSchema } from "./validator.ts";

describe("a JSON Schema written by hand", () => {
  const read = (schema: Record<string, unknown>, side: SchemaSide = "input"): readonly string[] => readJsonSchema(schema, side).faults.map((fault) => `${fault.path}: ${fault.message}`);

  test.each([
    ["a type that is none", { properties: { a: { type: "int" } } }, 'a: "type" must be one of string, number, integer, boolean, null, array, object, or a list of them'],
    ["required that is no list", { required: true }, ': "required" must be a list of names'],
    ["properties that are no object", { properties: [] }, ': "properties" must be an object of schemas'],
    ["a schema that is a text", { properties: { a: "string" } }, "a: a schema must be an object or a boolean"],
    ["items as a list", { items: [{ type: "string" }] }, '[]: "items" must be one schema; a list of items is written as prefixItems'],
    ["an empty allOf", { allOf: [] }, ': "allOf" must be a list of schemas that is not empty'],
    ["a negative length", { type: "string", minLength: -1 }, ': "minLength" must be a whole number from 0'],
    ["a pattern that is none", { properties: { a: { pattern: "(" } } }, 'a: the pattern "(" is no regular expression'],
    ["a reference that leads nowhere", { properties: { a: { $ref: "#/$defs/missing" } } }, 'a: the reference "#/$defs/missing" leads nowhere'],
    ["a reference to another file", { $ref: "other.json" }, "only local references are read"],
    ["a dynamic reference", { $dynamicRef: "#node" }, ': "$dynamicRef" is not read; give a plain $ref'],
    ["words of an older draft", { dependencies: { a: ["b"] } }, "write dependentRequired or dependentSchemas"],
  ])("with %s is refused with its place", (_what, schema, says) => {
    expect(read(schema).join("\n")).toContain(says);
  });

  test("may name its definitions by the older word, and refer to any place in itself", () => {
    const { schema, faults: found } = readJsonSchema(
      { type: "object", properties: { a: { $ref: "#/definitions/A~1b" }, b: { $ref: "#/properties/c" }, c: { type: "object", properties: { d: { $ref: "#/properties/c" } } } }, definitions: { "A/b": { type: "string" } } },
      "input",
    );
    expect(found).toEqual([]);
    expect(schema).toEqual({
      type: "object",
      properties: { a: { $ref: "#/$defs/A~1b" }, b: { $ref: "#/$defs/unnamed1" }, c: { $ref: "#/$defs/unnamed1" } },
      additionalProperties: false,
      $defs: { "A/b": { type: "string" }, unnamed1: { type: "object", properties: { d: { $ref: "#/$defs/unnamed1" } }, additionalProperties: false } },
    });
    expect(compileSchema(schema).faults({ a: "x", b: { d: {} }, c: { d: { d: 1 } } })).toEqual([{ path: "c.d.d", message: "must be an object" }]);
  });

  test("means the type that all its words are about", () => {
    const { schema } = readJsonSchema({ properties: { a: { minLength: 1 }, b: { items: { minimum: 1 } } } }, "input");
    expect(schema).toMatchObject({ type: "object", properties: { a: { type: "string" }, b: { type: "array", items: { type: "number" } } } });
  });

  test("that is nullable by OpenAPI's word gets a warning, for the word decides nothing", () => {
    expect(readJsonSchema({ type: "object", properties: { n: { type: "string", nullable: true } } }, "input").warnings.map((warning) => warning.path)).toEqual(["n"]);
  });

  test("is read whatever it holds, and nothing is thrown", () => {
    const cyclic: Record<string, unknown> = { type: "object" };
    cyclic["properties"] = { self: cyclic };
    expect(read(cyclic)).toEqual([": properties.self: refers back to itself"]);
    expect(readJsonSchema(new Proxy({}, { ownKeys: () => { throw new Error("no"); } }), "input").faults).toHaveLength(1);
  });
});

describe("closing where a schema is put together of several", () => {
  const kept = (schema: Record<string, unknown>): ((value: unknown) => boolean) => {
    const reading = readJsonSchema(schema, "input");
    expect(reading.faults).toEqual([]);
    const validator = compileSchema(reading.schema);
    return (value) => validator.faults(value).length === 0;
  };
  const object = (...names: string[]): Record<string, unknown> => ({ type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])), required: names });

  test("members of an object and of a union beside it are all declared", () => {
    const accept = kept({ ...object("k"), anyOf: [object("a"), object("b")] });
    expect([{ k: "1", a: "1" }, { k: "1", b: "1" }, { k: "1", a: "1", b: "1" }, { k: "1" }, { k: "1", a: "1", z: "1" }].map(accept)).toEqual([true, true, true, false, false]);
  });

  test("references beside other words are closed as one object", () => {
    const accept = kept({ ...object("k"), anyOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }], $defs: { A: object("a"), B: { ...object("b"), properties: { b: object("in") } } } });
    expect([{ k: "1", a: "1" }, { k: "1", b: { in: "1" } }, { k: "1", b: { in: "1", z: "1" } }, { k: "1", a: "1", z: 1 }].map(accept)).toEqual([true, true, false, false]);
  });

  test("conditions declare what they speak of", () => {
    const words = '{"if":{"properties":{"k":{"const":"a"}}},"then":{"properties":{"a":{"type":"string"}},"required":["a"]},"else":{"properties":{"b":{"type":"string"}}}}';
    const accept = kept({ ...object("k"), ...(JSON.parse(words) as JsonSchema) });
    expect([{ k: "a", a: "1" }, { k: "a" }, { k: "x", b: "1" }, { k: "x", a: "1" }].map(accept)).toEqual([true, false, true, false]);
  });

  test("a choice of required members closes nothing else", () => {
    const accept = kept({ type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, anyOf: [{ required: ["a"] }, { required: ["b"] }] });
    expect([{ a: "1" }, { b: "1" }, { a: "1", b: "1" }, {}, { a: "1", c: "1" }].map(accept)).toEqual([true, true, true, false, false]);
  });

  test("two closed objects in an allOf accept only what both declare", () => {
    const accept = kept({ allOf: [{ ...object("a"), required: [], additionalProperties: false }, { type: "object", properties: { a: { minLength: 2 }, b: {} }, additionalProperties: false }] });
    expect([{}, { a: "ab" }, { a: "a" }, { b: 1 }, { a: "ab", b: 1 }].map(accept)).toEqual([true, true, false, false, false]);
  });

  test("patterns of names are declared, and the rest is not", () => {
    const accept = kept({ type: "object", properties: { a: { type: "string" } }, patternProperties: { "^x_": { type: "number" } } });
    expect([{ a: "1", x_1: 1 }, { x_1: "1" }, { y: 1 }].map(accept)).toEqual([true, false, false]);
  });

  test("an object within itself beside other words cannot be closed and is refused", () => {
    const { faults: found } = readJsonSchema({ $ref: "#/$defs/A", $defs: { A: { type: "object", properties: { kid: { ...object("z"), anyOf: [{ $ref: "#/$defs/A" }, object("y")] } } } } }, "input");
    expect(found).toMatchObject([{ code: "schema_invalid", path: "A" }]);
  });
});
