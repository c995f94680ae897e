// The validator's half of the cases of kind codegen-schema: what a schema accepts. The types printed for the same schemas are tested with the printer.

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { JsonSchema } from "../core/schema.ts";
import { readJsonSchema, readSchema, type SchemaSide } from "./read-schema.ts";
import { compileSchema } from "./validator.ts";

function accepted(schema: JsonSchema, side: SchemaSide, values: readonly unknown[]): readonly boolean[] {
  const reading = readJsonSchema(schema, side);
  expect(reading.faults).toEqual([]);
  const validator = compileSchema(reading.schema);
  return values.map((value) => validator.faults(value).length === 0);
}

describe("case 254: enums of mixed types, of names that convert alike, of null and of objects", () => {
  const samples = ["a", 1, null, true, "b", 0, false, {}, [], "1"];
  test.each([
    [{ enum: ["a", 1, null, true] }, samples, [true, true, true, true, false, false, false, false, false, false]],
    [{ enum: ["in-progress", "in_progress", "In Progress"] }, ["in-progress", "in_progress", "In Progress", "in progress", "inProgress", ""], [true, true, true, false, false, false]],
    [{ enum: [1, 2] }, [1, 2, 1.0, "1", 3, true], [true, true, true, false, false, false]],
    [{ const: "x" }, ["x", "X", "", null], [true, false, false, false]],
    [{ enum: [{ a: 1 }] }, [{ a: 1 }, { a: 1, b: 2 }, {}, '{"a":1}'], [true, false, false, false]],
    [{ type: "string", enum: ["x", "x"] }, ["x", "y"], [true, false]],
  ])("%j accepts exactly its values", (schema, values, expected) => {
    expect(accepted(schema, "input", values)).toEqual(expected);
  });

  test("an enum of two equal values keeps one, and one without a value is refused", () => {
    expect(readJsonSchema({ type: "string", enum: ["x", "x"] }, "input").schema["enum"]).toEqual(["x"]);
    expect(readJsonSchema({ enum: [] }, "input").faults).toMatchObject([{ code: "schema_invalid", message: "an enum without a value accepts nothing; declare its values" }]);
  });
});

test("case 255: enum values with blanks and leading digits are kept as they are", () => {
  const schema = { type: "object", required: ["dist"], properties: { dist: { enum: ["10 km", "1e3", "", " "] } } };
  expect(readJsonSchema(schema, "input").schema["properties"]).toEqual({ dist: { enum: ["10 km", "1e3", "", " "] } });
  expect(accepted(schema, "input", [{ dist: "10 km" }, { dist: "" }, { dist: "10km" }, { dist: 1000 }])).toEqual([true, true, false, false]);
});

describe("case 256: a schema that refers to itself", () => {
  test("describes a tree to any depth", () => {
    const node = { type: "object", properties: { v: { type: "string" }, kids: { type: "array", items: { $ref: "#/$defs/node" } } }, required: ["v"] };
    expect(accepted({ $ref: "#/$defs/node", $defs: { node } }, "input", [{ v: "x", kids: [{ v: "y", kids: [] }] }, { v: "x", kids: [{ kids: [] }] }])).toEqual([true, false]);
  });

  test.each([
    ["to the whole of itself", { $ref: "#" }, "# -> #"],
    ["through two definitions", { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" }, "a -> b -> a"],
    ["through a union", { $defs: { a: { anyOf: [{ type: "string" }, { $ref: "#/$defs/a" }] } }, $ref: "#/$defs/a" }, "a -> a"],
    ["through an allOf", { allOf: [{ $ref: "#" }, { type: "object" }] }, "# -> #"],
    ["through a not", { $defs: { a: { not: { $ref: "#/$defs/a" } } }, type: "object", properties: { x: { $ref: "#/$defs/a" } } }, "a -> a"],
  ])("without content, %s, is refused", (_what, schema, says) => {
    const { faults } = readJsonSchema(schema, "input");
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ code: "schema_invalid" });
    expect(faults[0]?.message).toContain(`leads back to itself without content (${says})`);
  });
});

test("case 258: members required in one branch of an allOf and declared in another are required, and a required member is declared by that", () => {
  const schema = {
    allOf: [
      { type: "object", properties: { a: { type: "string" }, b: { type: "number" } } },
      { required: ["a"] },
      { properties: { c: { type: "boolean" } }, required: ["c", "zzz"] },
    ],
  };
  expect(readJsonSchema(schema, "input").schema["allOf"]).toBeUndefined();
  const values = [{ a: "x", c: true, zzz: 1 }, { b: 1, c: true, zzz: 1 }, { a: "x", c: true }, { a: 1, c: true, zzz: 1 }];
  expect(accepted(schema, "input", values)).toEqual([true, false, false, false]);
  expect(accepted(schema, "tool", values)).toEqual([true, false, false, false]);
});

test("case 260: nullable enums and unions take null, formats are decided, and an unknown one is a warning in a tool and a fault in an input", () => {
  const schema = {
    type: "object",
    required: ["s", "d"],
    properties: {
      s: { type: ["string", "null"], enum: ["x", null] },
      d: { type: "string", format: "date-time" },
      u: { anyOf: [{ type: "integer" }, { type: "null" }] },
      n: { type: "string", nullable: true },
      f: { type: "string", format: "no-such-format" },
    },
  };
  const reading = readJsonSchema(schema, "tool");
  expect(reading.warnings.map((warning) => warning.path)).toEqual(["n", "f"]);
  const d = "2024-05-01T10:00:00Z";
  expect(accepted(schema, "tool", [{ s: null, d, u: null, f: "x" }, { s: "y", d }, { s: "x", d, u: 1.5 }, { d }, { s: "x", d: "yesterday" }])).toEqual([true, false, false, false, false]);
  expect(readJsonSchema(schema, "input").faults).toMatchObject([{ code: "input_format_unknown", path: "f" }]);
});

/** A schema described so plainly that zod's and ours can both be made from it. */
type Shape =
  | { readonly kind: "string"; readonly min?: number; readonly max?: number; readonly pattern?: string }
  | { readonly kind: "number"; readonly integer: boolean; readonly min?: number; readonly below?: number; readonly step?: number }
  | { readonly kind: "boolean" }
  | { readonly kind: "null" }
  | { readonly kind: "literal"; readonly values: readonly (string | number | boolean | null)[] }
  | { readonly kind: "list"; readonly item: Shape; readonly min?: number; readonly max?: number }
  | { readonly kind: "tuple"; readonly items: readonly Shape[]; readonly rest?: Shape }
  | { readonly kind: "object"; readonly members: readonly Member[]; readonly open: boolean }
  | { readonly kind: "record"; readonly value: Shape }
  | { readonly kind: "union"; readonly options: readonly Shape[] }
  | { readonly kind: "nullable"; readonly of: Shape }
  | { readonly kind: "both"; readonly left: Shape; readonly right: Shape };
interface Member {
  readonly name: string;
  readonly shape: Shape;
  readonly presence: "required" | "optional" | "default";
}

// Without `constructor` and the like: zod finds an inherited member of that name where the value has none.
const NAMES = ["a", "b", "c", "id", "type", "$ref", "a b", "x/y~z"];
const small = fc.nat({ max: 3 });
const optional = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> => fc.option(value, { nil: undefined, freq: 2 });
const defined = <Value extends object>(value: Value): Value => Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Value;

const { shape } = fc.letrec<{ shape: Shape; object: Shape; left: Shape; right: Shape }>((tie) => {
  const members = (names: readonly string[]): fc.Arbitrary<readonly Member[]> => fc.uniqueArray(fc.record({ name: fc.constantFrom(...names), shape: tie("shape"), presence: fc.constantFrom("required", "optional", "default" as const) }), {
    selector: (member) => member.name,
    maxLength: 4,
  }) as fc.Arbitrary<readonly Member[]>;
  const object = (names: readonly string[]): fc.Arbitrary<Shape> => fc.record({ kind: fc.constant("object" as const), members: members(names), open: fc.boolean() });
  return {
    shape: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.record({ kind: fc.constant("string" as const), min: optional(small), max: optional(small), pattern: optional(fc.constantFrom("^a", "b$", "^[ab]*$")) }).map(defined),
      fc.record({ kind: fc.constant("number" as const), integer: fc.boolean(), min: optional(small), below: optional(small), step: optional(fc.constantFrom(0.5, 2)) }).map(defined),
      fc.constant<Shape>({ kind: "boolean" }),
      fc.constant<Shape>({ kind: "null" }),
      fc.record({ kind: fc.constant("literal" as const), values: fc.uniqueArray(fc.constantFrom("a", "b", "", 0, 1, true, false, null), { minLength: 1, maxLength: 3 }) }),
      fc.record({ kind: fc.constant("list" as const), item: tie("shape"), min: optional(small), max: optional(small) }).map(defined),
      fc.record({ kind: fc.constant("tuple" as const), items: fc.array(tie("shape"), { minLength: 1, maxLength: 3 }), rest: optional(tie("shape")) }).map(defined),
      tie("object"),
      tie("object"),
      fc.record({ kind: fc.constant("record" as const), value: tie("shape") }),
      fc.record({ kind: fc.constant("union" as const), options: fc.array(tie("shape"), { minLength: 2, maxLength: 3 }) }),
      fc.record({ kind: fc.constant("nullable" as const), of: tie("shape") }),
      fc.record({ kind: fc.constant("both" as const), left: tie("left"), right: tie("right") }),
    ) as fc.Arbitrary<Shape>,
    object: object(NAMES),
    // Apart, for where both declare one member zod holds it against each of them, and here it is merged first.
    left: object(NAMES.slice(0, 3)),
    right: object(NAMES.slice(3)),
  };
});

function zodOf(shape: Shape): z.ZodType {
  switch (shape.kind) {
    case "string": {
      let schema = z.string();
      if (shape.min !== undefined) schema = schema.min(shape.min);
      if (shape.max !== undefined) schema = schema.max(shape.max);
      return shape.pattern === undefined ? schema : schema.regex(new RegExp(shape.pattern));
    }
    case "number": {
      let schema: z.ZodNumber = shape.integer ? z.int() : z.number();
      if (shape.min !== undefined) schema = schema.min(shape.min);
      if (shape.below !== undefined) schema = schema.lt(shape.below);
      return shape.step === undefined ? schema : schema.multipleOf(shape.step);
    }
    case "boolean":
      return z.boolean();
    case "null":
      return z.null();
    case "literal":
      return z.literal([...shape.values]);
    case "list": {
      let schema = z.array(zodOf(shape.item));
      if (shape.min !== undefined) schema = schema.min(shape.min);
      return shape.max === undefined ? schema : schema.max(shape.max);
    }
    case "tuple":
      return shape.rest === undefined ? z.tuple(items(shape)) : z.tuple(items(shape), zodOf(shape.rest));
    case "object":
      return (shape.open ? z.looseObject : z.strictObject)(Object.fromEntries(shape.members.map((member) => [member.name, memberOf(member)])));
    case "record":
      return z.record(z.string(), zodOf(shape.value));
    case "union":
      return z.union(shape.options.map(zodOf));
    case "nullable":
      return zodOf(shape.of).nullable();
    case "both":
      return z.intersection(zodOf(shape.left), zodOf(shape.right));
    default:
      return shape satisfies never;
  }
}

function items(shape: Shape & { readonly kind: "tuple" }): [z.ZodType, ...z.ZodType[]] {
  return shape.items.map(zodOf) as [z.ZodType, ...z.ZodType[]];
}

function memberOf(member: Member): z.ZodType {
  const schema = zodOf(member.shape);
  if (member.presence === "required") return schema;
  // A default must fit its own schema; `null` fits this one.
  return member.presence === "optional" ? schema.optional() : schema.nullable().default(null);
}

// Without numbers near 0: zod's own remainder is wrong for them.
const leaf = fc.constantFrom<unknown>("", "a", "zebra", 0, 1, -1, 0.5, 1e6, true, false, null);
const anything = fc.oneof(leaf, fc.array(leaf, { maxLength: 2 }), fc.dictionary(fc.constantFrom(...NAMES), leaf, { maxKeys: 2, noNullPrototype: true }));

/** Values near the shape: mostly right, each part now and then something else. */
function near(shape: Shape): fc.Arbitrary<unknown> {
  const right = (): fc.Arbitrary<unknown> => {
    switch (shape.kind) {
      case "string":
        return fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 4 });
      case "number":
        return fc.oneof(fc.integer({ min: -2, max: 5 }), fc.constantFrom(0.5, 1.5, 2.25));
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      case "literal":
        return fc.constantFrom(...shape.values);
      case "list":
        return fc.array(near(shape.item), { maxLength: 4 });
      case "tuple":
        return fc
          .tuple(fc.tuple(...shape.items.map(near)), fc.array(shape.rest === undefined ? fc.constant(1) : near(shape.rest), { maxLength: shape.rest === undefined ? 0 : 2 }))
          .map(([items, rest]) => [...items, ...rest]);
      case "object":
        return objectNear(shape.members);
      case "record":
        return fc.dictionary(fc.constantFrom(...NAMES), near(shape.value), { maxKeys: 3, noNullPrototype: true });
      case "union":
        return fc.oneof(...shape.options.map(near));
      case "nullable":
        return fc.oneof(near(shape.of), fc.constant(null));
      case "both":
        return fc.tuple(near(shape.left), near(shape.right)).map(([left, right]) => (isObject(left) && isObject(right) ? { ...left, ...right } : left));
      default:
        return shape satisfies never;
    }
  };
  return fc.oneof({ weight: 12, arbitrary: right() }, { weight: 1, arbitrary: anything });
}

function objectNear(members: readonly Member[]): fc.Arbitrary<unknown> {
  const entries = members.map((member) =>
    fc.tuple(fc.constant(member.name), near(member.shape), fc.oneof({ weight: member.presence === "required" ? 12 : 1, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) })),
  );
  const more = fc.oneof({ weight: 6, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(fc.tuple(fc.constantFrom("more", "zebra"), fc.constantFrom(1, "x"), fc.constant(true)), { maxLength: 1 }) });
  return fc.tuple(fc.tuple(...entries), more).map(([own, added]) => Object.fromEntries([...own, ...added].filter(([, , present]) => present).map(([name, value]) => [name, value])));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

test("kind codegen-schema: for any schema and any value, decode accepts exactly what zod accepts, and gives what zod gives", () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(
      shape.chain((made) => fc.tuple(fc.constant(made), fc.array(near(made), { minLength: 1, maxLength: 5 }))),
      ([made, values]) => {
        const schema = zodOf(made);
        // `tool`, for zod says itself which objects are closed; what `input` adds is closing, which has tests of its own.
        const { schema: kept, faults } = readSchema(schema, "tool");
        if (faults.some((fault) => fault.message.startsWith("the default is not what the schema itself accepts"))) return;
        expect(faults).toEqual([]);
        const validator = compileSchema(JSON.parse(JSON.stringify(kept)) as JsonSchema);
        for (const value of values) {
          const theirs = schema.safeParse(value);
          const ours = validator.decode(value);
          expect({ accepts: ours.faults.length === 0, faults: theirs.success ? ours.faults : [] }).toEqual({ accepts: theirs.success, faults: [] });
          expect(theirs.success ? ours.value : undefined).toEqual(theirs.data);
          seen[theirs.success ? "accepted" : "refused"]++;
        }
      },
    ),
    { numRuns: 400 },
  );
  expect(seen.accepted).toBeGreaterThan(100);
  expect(seen.refused).toBeGreaterThan(100);
});

test("kind codegen-schema: an input's objects are closed as zod's strictObject is, wherever they stand", () => {
  const strict = (made: Shape): Shape => JSON.parse(JSON.stringify(made), (_key, part: unknown) => (isObject(part) && part["kind"] === "object" ? { ...part, open: false } : part)) as Shape;
  fc.assert(
    fc.property(
      shape.map(strict).chain((made) => fc.tuple(fc.constant(made), fc.array(near(made), { minLength: 1, maxLength: 5 }))),
      ([made, values]) => {
        const closedByZod = zodOf(made);
        const { schema: kept, faults } = readJsonSchema(openEverywhere(readSchema(closedByZod, "tool").schema), "input");
        if (faults.some((fault) => fault.code === "input_empty" || fault.message.startsWith("the default is not what"))) return;
        expect(faults).toEqual([]);
        const validator = compileSchema(kept);
        for (const value of values) expect(validator.faults(value).length === 0).toBe(closedByZod.safeParse(value).success);
      },
    ),
    { numRuns: 300 },
  );
});

/** The schema as zod writes it for `z.object`: without the words that close it. */
function openEverywhere(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_key, part: unknown) => {
    if (!isObject(part) || part["additionalProperties"] !== false) return part;
    return Object.fromEntries(Object.entries(part).filter(([word]) => word !== "additionalProperties"));
  }) as JsonSchema;
}
