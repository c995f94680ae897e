import { describe, expect, test } from "vitest";
import type { Subschema } from "../schema/keyword.ts";
import { declaredType, typeText, type TypeSide } from "./type-text.ts";

function printed(schema: Subschema, side: TypeSide = "given"): string {
  const root = typeof schema === "boolean" ? {} : schema;
  return typeText(schema, { side, root, nameOf: (reference) => reference.slice("#/$defs/".length) }).text;
}

describe("the type of a schema", () => {
  test.each<[Subschema, string]>([
    [true, "unknown"],
    [false, "never"],
    [{}, "unknown"],
    [{ description: "d" }, "unknown"],
    [{ not: {} }, "never"],
    [{ type: "integer" }, "number"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ type: "array" }, "unknown[]"],
    [{ type: "array", items: { type: ["string", "number"] } }, "(string | number)[]"],
    [{ type: "array", items: { type: "array", items: { enum: ["a", 1] } } }, '("a" | 1)[][]'],
    [{ type: "array", prefixItems: [{ type: "string" }, { type: "number" }], minItems: 1 }, "[string, (number | undefined)?]"],
    [{ type: "array", prefixItems: [{ type: "string" }], items: { type: ["number", "null"] }, minItems: 1 }, "[string, ...(number | null)[]]"],
    [{ type: "array", items: false }, "[]"],
    [{ type: "object" }, "Record<string, unknown>"],
    [{ type: "object", additionalProperties: false }, "Record<string, never>"],
    [{ type: "object", additionalProperties: { type: ["string", "null"] } }, "Record<string, string | null>"],
    [{ type: "object", additionalProperties: { $ref: "#/$defs/Node" } }, "{ [key: string]: Node }"],
    [{ type: "object", properties: { a: { type: "string" } }, additionalProperties: {} }, "{ a?: string | undefined; [key: string]: unknown }"],
    [{ type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: { type: "number" } }, "{ a: string; [key: string]: number | string }"],
    [{ type: "object", properties: { a: { type: "string" } }, additionalProperties: { type: "number" } }, "{ a?: string | undefined; [key: string]: number | string | undefined }"],
    [{ type: "object", patternProperties: { "^x": { type: "number" } } }, "Record<string, unknown>"],
    [{ type: "object", patternProperties: { "^x": { type: "number" } }, additionalProperties: false }, "Record<string, number>"],
    [{ type: "object", propertyNames: { enum: ["a", "b c"] }, additionalProperties: { type: "number" }, required: ["a"] }, '{ a: number; "b c"?: number }'],
    [{ properties: { a: {} } }, "{ a?: unknown }"],
    [{ required: ["a"] }, "{ a: unknown }"],
    [{ items: { type: "string" } }, "string[]"],
    [{ type: "string", enum: ["a", 1, null] }, '"a"'],
    [{ type: "number", enum: ["a"] }, "never"],
    [{ enum: ["x", "x", 1] }, '"x" | 1'],
    [{ const: { a: [1, { b: null }], "c d": {} } }, '{ a: [1, { b: null }]; "c d": Record<string, never> }'],
    [{ const: -1.5 }, "-1.5"],
    [{ const: 1e300 }, "1e+300"],
    [{ const: "\u2028*/" }, '"\\u2028*/"'],
    [{ anyOf: [{ type: "string" }, { type: ["string", "null"] }, { const: 1 }] }, "string | null | 1"],
    [{ anyOf: [{ type: "string" }, {}] }, "unknown"],
    [{ oneOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }] }, "A | B"],
    [{ type: "object", oneOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }] }, "A | B"],
    [{ $ref: "#/$defs/A", description: "d" }, "A"],
    [{ $ref: "#/$defs/A", properties: { b: { type: "string" } }, required: ["b"] }, "A & { b: string }"],
    [{ allOf: [{ $ref: "#/$defs/A" }, { anyOf: [{ $ref: "#/$defs/B" }, { type: "null" }] }] }, "A & (B | null)"],
    [{ type: "array", items: { allOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }] } }, "(A & B)[]"],
  ])("%j is %s", (schema, type) => {
    expect(printed(schema)).toBe(type);
  });

  test("a default makes a member optional where it is given and sure where it is received", () => {
    const schema = { type: "object", properties: { a: { type: "string", default: "x" }, b: { $ref: "#/$defs/B" }, c: { type: "string" } }, $defs: { B: { type: "number", default: 1 } } };
    expect(printed(schema)).toBe("{ a?: string | undefined; b?: B | undefined; c?: string | undefined }");
    expect(printed(schema, "received")).toBe("{ a: string; b: B; c?: string | undefined }");
    const pair = { type: "array", prefixItems: [{ type: "string" }, { type: "number", default: 1 }], minItems: 1 };
    expect(printed(pair, "received")).toBe("[string, number]");
  });

  test("an object has a line for each member where it is declared, where a member is described, and where it is long", () => {
    const context = { side: "given", root: {}, nameOf: String } as const;
    expect(declaredType({ type: "object", properties: { a: { type: "string" } }, required: ["a"] }, context)).toBe("{\n  a: string;\n}");
    expect(printed({ type: "object", properties: { a: { type: "string", description: "An a." } }, required: ["a"] })).toBe("{\n  /** An a. */\n  a: string;\n}");
    const long = { type: "object", properties: { inner: { type: "object", properties: Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`member_${at}`, { type: "string" }])) } } };
    expect(printed(long)).toMatch(/^\{\n {2}inner\?: \{\n {4}member_0\?: string \| undefined;\n[\s\S]*\n {2}\} \| undefined;\n\}$/);
  });
});
