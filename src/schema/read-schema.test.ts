import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { scope, type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { readSchema, type SchemaSide } from "./read-schema.ts";
import { compileSchema } from "./validator.ts";

/** Each fault as `code path`. */
function faults(schema: unknown, side: SchemaSide = "input"): readonly string[] {
  return readSchema(schema, side).faults.map((fault) => `${fault.code} ${fault.path}`.trimEnd());
}

/** What a schema of a library makes of values: `true` where it accepts. */
function accepts(schema: unknown, ...values: readonly unknown[]): readonly boolean[] {
  const reading = readSchema(schema, "input");
  expect(reading.faults).toEqual([]);
  const validator = compileSchema(reading.schema);
  return values.map((value) => validator.faults(value).length === 0);
}

const uuid = "0f8fad5b-d9cb-469f-a165-70867728950e";

describe.each([
  [
    "zod",
    {
      formats: z.object({ id: z.uuid(), at: z.iso.datetime(), mail: z.email(), link: z.url() }),
      list: z.array(z.string()),
      text: z.string().min(2),
      number: z.int().min(1),
      record: z.record(z.string(), z.number()),
      pair: z.tuple([z.string(), z.number()]),
      union: z.union([z.string(), z.object({ a: z.number() })]),
      nullable: z.object({ a: z.string().nullable(), b: z.string().optional() }),
      enumeration: z.enum(["a", "b"]),
      both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
      withDefault: z.object({ a: z.string(), b: z.string().default("x") }),
    },
  ],
  [
    "valibot",
    {
      formats: toStandardJsonSchema(v.object({ id: v.pipe(v.string(), v.uuid()), at: v.pipe(v.string(), v.isoTimestamp()), mail: v.pipe(v.string(), v.email()), link: v.pipe(v.string(), v.url()) })),
      list: toStandardJsonSchema(v.array(v.string())),
      text: toStandardJsonSchema(v.pipe(v.string(), v.minLength(2))),
      number: toStandardJsonSchema(v.pipe(v.number(), v.integer(), v.minValue(1))),
      record: toStandardJsonSchema(v.record(v.string(), v.number())),
      pair: toStandardJsonSchema(v.tuple([v.string(), v.number()])),
      union: toStandardJsonSchema(v.union([v.string(), v.object({ a: v.number() })])),
      nullable: toStandardJsonSchema(v.object({ a: v.nullable(v.string()), b: v.optional(v.string()) })),
      enumeration: toStandardJsonSchema(v.picklist(["a", "b"])),
      both: toStandardJsonSchema(v.intersect([v.object({ a: v.string() }), v.object({ b: v.number() })])),
      withDefault: toStandardJsonSchema(v.object({ a: v.string(), b: v.optional(v.string(), "x") })),
    },
  ],
  [
    "arktype",
    {
      formats: type({ id: "string.uuid", at: "string.date.iso", mail: "string.email", link: "string.url" }),
      list: type("string[]"),
      text: type("string >= 2"),
      number: type("number.integer >= 1"),
      record: type("Record<string, number>"),
      pair: type(["string", "number"]),
      union: type("string").or({ a: "number" }),
      nullable: type({ a: "string | null", "b?": "string" }),
      enumeration: type("'a' | 'b'"),
      both: type({ a: "string" }).and({ b: "number" }),
      withDefault: type({ a: "string", b: "string = 'x'" }),
    },
  ],
])("%s", (_library, schemas) => {
  test("uuid, date-time, e-mail and URI are decided", () => {
    const good = { id: uuid, at: "2024-05-01T10:00:00Z", mail: "a@example.org", link: "https://example.org/x" };
    expect(accepts(schemas.formats, good, ...(["id", "at", "mail", "link"] as const).map((name) => ({ ...good, [name]: "nothing of the kind" })))).toEqual([true, false, false, false, false]);
  });

  test("a list, a text, a number, a record and an enumeration are inputs as they are", () => {
    expect(accepts(schemas.list, [], ["a"], [1], {})).toEqual([true, true, false, false]);
    expect(accepts(schemas.text, "ab", "a", 1)).toEqual([true, false, false]);
    expect(accepts(schemas.number, 1, 0, 1.5, "1")).toEqual([true, false, false, false]);
    expect(accepts(schemas.record, {}, { a: 1 }, { a: "1" })).toEqual([true, true, false]);
    expect(accepts(schemas.enumeration, "a", "b", "A", "")).toEqual([true, true, false, false]);
  });

  test("a tuple is closed", () => {
    expect(accepts(schemas.pair, ["a", 1], ["a"], ["a", 1, 2], [1, "a"])).toEqual([true, false, false, false]);
  });

  test("an object is closed, in a union and in an intersection too", () => {
    expect(accepts(schemas.nullable, { a: null }, { a: "x", b: "y" }, {}, { a: 1 }, { a: "x", c: 1 })).toEqual([true, true, false, false, false]);
    expect(accepts(schemas.union, "x", { a: 1 }, { a: "1" }, { a: 1, b: 2 }, 1)).toEqual([true, true, false, false, false]);
    expect(accepts(schemas.both, { a: "x", b: 1 }, { a: "x" }, { a: "x", b: 1, c: 1 })).toEqual([true, false, false]);
    expect(readSchema(schemas.both, "input").schema["allOf"]).toBeUndefined();
  });

  test("a default is filled in", () => {
    const { schema } = readSchema(schemas.withDefault, "input");
    expect(compileSchema(schema).decode({ a: "y" })).toStrictEqual({ value: { a: "y", b: "x" }, faults: [] });
    expect(compileSchema(schema).decode({ a: "y", b: "z" })).toStrictEqual({ value: { a: "y", b: "z" }, faults: [] });
  });

  test("the arguments and the result of a tool stay open", () => {
    for (const schema of [schemas.nullable, schemas.both]) {
      const { schema: kept } = readSchema(schema, "tool");
      expect(compileSchema(kept).faults({ a: "x", b: schema === schemas.both ? 1 : "y", more: true })).toEqual([]);
    }
  });
});

describe("recursion", () => {
  interface Node {
    v: string;
    kids: Node[];
  }
  const zod: z.ZodType<Node> = z.object({
    v: z.string(),
    get kids() {
      return z.array(zod);
    },
  });
  const valibot: v.GenericSchema<Node> = v.object({ v: v.string(), kids: v.array(v.lazy(() => valibot)) });
  const { node } = scope({ node: { v: "string", kids: "node[]" } }).export();
  const plain = { type: "object", properties: { v: { type: "string" }, kids: { type: "array", items: { $ref: "#/$defs/unnamed1" } } }, required: ["v", "kids"], additionalProperties: false };
  const sorted = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (_key, item: unknown) => (Array.isArray(item) ? item.toSorted((a, b) => (String(a) < String(b) ? -1 : 1)) : item)));

  test.each([
    ["zod's getter", zod, z.object({ n: zod, m: zod })],
    ["valibot's lazy", toStandardJsonSchema(valibot), toStandardJsonSchema(v.object({ n: valibot, m: valibot }))],
    ["arktype's scope", node, type({ n: node, m: node })],
  ])("by %s gives one definition, named by us in the order of use", (_library, root, within) => {
    expect(readSchema(root, "input")).toMatchObject({ schema: { $ref: "#/$defs/unnamed1" }, unnamed: ["unnamed1"], faults: [] });
    expect(sorted(readSchema(root, "input").schema["$defs"])).toEqual(sorted({ unnamed1: plain }));
    const { schema } = readSchema(within, "input");
    expect(schema["properties"]).toEqual({ n: { $ref: "#/$defs/unnamed1" }, m: { $ref: "#/$defs/unnamed1" } });
    expect(sorted(schema["$defs"])).toEqual(sorted({ unnamed1: plain }));
    expect(accepts(root, { v: "a", kids: [{ v: "b", kids: [] }] }, { v: "a", kids: [{ v: "b" }] }, { v: "a", kids: [{ v: "b", kids: [], x: 1 }] })).toEqual([true, false, false]);
  });

  test("with a name of the author's own keeps that name, and so does a title", () => {
    const named: z.ZodType<Node> = z.object({ v: z.string(), get kids() { return z.array(named); } }).meta({ id: "Tree" });
    expect(readSchema(named, "input")).toMatchObject({ schema: { $ref: "#/$defs/Tree" }, name: "Tree", unnamed: [] });
    const titled: z.ZodType<Node> = z.object({ v: z.string(), get kids() { return z.array(titled); } }).meta({ title: "Tree" });
    expect(readSchema(titled, "input")).toMatchObject({ schema: { $ref: "#/$defs/Tree" }, name: "Tree", unnamed: [] });
  });

  test("does not depend on schemas made elsewhere", () => {
    const before = readSchema(scope({ item: { v: "string", kids: "item[]" } }).export().item, "input").schema;
    for (let count = 0; count < 50; count++) type({ [`k${count}`]: "string | number" });
    expect(readSchema(scope({ item: { v: "string", kids: "item[]" } }).export().item, "input").schema).toEqual(before);
  });

  test("with a default inside it is filled in, arktype's included", () => {
    const { link } = scope({ link: { v: "string = 'q'", "next?": "link" } }).export();
    const { schema } = readSchema(link, "input");
    expect(compileSchema(schema).decode({ next: {} })).toStrictEqual({ value: { v: "q", next: { v: "q" } }, faults: [] });
  });
});

describe("an input that changes its value or checks more than JSON Schema can say is refused, at any depth", () => {
  const refused: readonly (readonly [what: string, schema: unknown, path: string])[] = [
    ["a transform", z.object({ a: z.array(z.string().transform(Number)) }), "a[]"],
    ["a pipe", z.object({ a: z.string().pipe(z.string().min(2)) }), "a"],
    ["preprocess", z.preprocess((value) => value, z.string()), ""],
    ["coercion", z.object({ n: z.coerce.number() }), "n"],
    ["coercion of a text", z.coerce.string(), ""],
    ["a codec", z.codec(z.string(), z.number(), { decode: Number, encode: String }), ""],
    ["stringbool", z.object({ yes: z.stringbool() }), "yes"],
    ["a date", z.object({ at: z.date() }), "at"],
    ["a bigint", z.object({ n: z.bigint() }), "n"],
    ["a map", z.map(z.string(), z.string()), ""],
    ["a set", z.set(z.string()), ""],
    ["a file", z.object({ f: z.file() }), "f"],
    ["a promise", z.promise(z.string()), ""],
    ["a custom schema", z.object({ c: z.custom(() => true) }), "c"],
    ["instanceof", z.instanceof(Map), ""],
    ["catch", z.object({ a: z.string().catch("x") }), "a"],
    ["trim", z.object({ a: z.string().trim() }), "a"],
    ["toLowerCase", z.string().toLowerCase(), ""],
    ["overwrite", z.string().overwrite((text) => `${text}!`), ""],
    ["a refinement of the whole", z.object({ a: z.string() }).refine(() => true), ""],
    ["superRefine", z.object({ a: z.object({ b: z.string() }).superRefine(() => {}) }), "a"],
    ["check", z.object({ a: z.string().check(() => {}) }), "a"],
    ["a refinement in a list", z.array(z.number().refine(() => true)), "[]"],
    ["a refinement in an optional", z.object({ a: z.string().refine(() => true).optional() }), "a"],
    ["a refinement around an optional", z.object({ a: z.string().optional().refine(() => true) }), "a"],
    ["a refinement in a nullable", z.object({ a: z.string().refine(() => true).nullable() }), "a"],
    ["a refinement in a default", z.object({ a: z.string().refine(() => true).default("x") }), "a"],
    ["a refinement in a union", z.union([z.number(), z.object({ a: z.string().refine(() => true) })]), "a"],
    ["a refinement in a discriminated union", z.discriminatedUnion("k", [z.object({ k: z.literal("a"), v: z.string().refine(() => true) }), z.object({ k: z.literal("b") })]), "v"],
    ["a refinement in an intersection", z.intersection(z.object({ a: z.string().refine(() => true) }), z.object({ b: z.string() })), "a"],
    ["a refinement of a record's values", z.record(z.string(), z.number().refine(() => true)), "{}"],
    ["a refinement of a record's keys", z.record(z.string().refine(() => true), z.number()), ""],
    ["a refinement in a tuple", z.tuple([z.string(), z.string().refine(() => true)]), "[1]"],
    ["a refinement behind lazy", z.object({ a: z.lazy(() => z.object({ b: z.string().refine(() => true) })) }), "a.b"],
    ["a refinement in a recursive getter", z.object({ v: z.string().refine(() => true), get kids(): z.ZodArray { return z.array(z.lazy(() => z.string())); } }), "v"],
    ["a refinement in a named type", z.object({ a: z.object({ b: z.string().refine(() => true) }).meta({ id: "RefinedInner" }) }), "a.b"],
    ["a pattern with a flag", z.object({ a: z.string().regex(/^yes$/i) }), "a"],
    ["an address of one protocol", z.object({ a: z.url({ protocol: /^https$/ }) }), "a"],
    ["a default that is another one each time", z.object({ a: z.string().default(() => String(Math.random())) }), "a"],
    ["valibot's check", toStandardJsonSchema(v.object({ a: v.pipe(v.string(), v.check(() => true)) })), ""],
    ["valibot's transform", toStandardJsonSchema(v.object({ a: v.pipe(v.string(), v.transform(Number)) })), ""],
    ["valibot's trim", toStandardJsonSchema(v.pipe(v.string(), v.trim())), ""],
    ["valibot's date", toStandardJsonSchema(v.object({ a: v.date() })), ""],
    ["valibot's flags", toStandardJsonSchema(v.pipe(v.string(), v.regex(/x/i))), ""],
    ["arktype's Date", type({ a: "Date" }), ""],
    ["arktype's morph", type({ a: "string.numeric.parse" }), ""],
    ["arktype's pipe", type("string").pipe((text) => text.length), ""],
    ["arktype's trim", type({ a: "string.trim" }), ""],
    ["arktype's narrow", type({ a: type("string").narrow(() => true) }), "a"],
    ["arktype's narrow of a format", type({ a: type("string.url").narrow(() => true) }), "a"],
    ["arktype's flags", type({ a: /x/i }), ""],
    ["arktype's bigint", type({ a: "bigint" }), ""],
    ["arktype's items at the end", type(["...", "number[]", "string"]), ""],
    ["a library whose output differs", { "~standard": { version: 1, vendor: "own", validate: () => ({ value: 1 }), jsonSchema: { input: () => ({ type: "string" }), output: () => ({ type: "number" }) } } }, ""],
  ];
  test.each(refused)("%s", (_what, schema, path) => {
    expect(faults(schema)).toEqual([`input_not_expressible ${path}`.trimEnd()]);
    // A tool's schema declares plain data as well.
    expect(faults(schema, "tool")).toEqual([`schema_invalid ${path}`.trimEnd()]);
  });

  test("the sentence says what would be lost and what to do instead", () => {
    expect(readSchema(z.object({ a: z.string().refine(() => true) }), "input").faults).toEqual([
      { code: "input_not_expressible", path: "a", message: "a refinement is not part of the JSON Schema and would be lost; express it by the schema's own words, or check it in the hook" },
    ]);
  });

  test("two predicates are more than one format can stand for", () => {
    type Fallback = (lost: { code: string; base: object }) => object;
    const written = (times: number) => ({ fallback }: { fallback: Fallback }): object => ({
      ...Array.from({ length: times }).reduce<object>((base) => fallback({ code: "predicate", base }), { type: "string" }),
      format: "uri",
    });
    const made = (times: number): object => ({ "~standard": { version: 1, vendor: "arktype", jsonSchema: { input: () => ({}), output: () => ({}) } }, toJsonSchema: written(times) });
    expect(faults(made(1))).toEqual([]);
    expect(faults(made(2))).toEqual(["input_not_expressible"]);
  });

  test("a zod that cannot be looked into is refused, for its refinements would be lost", () => {
    const blind = { "~standard": { version: 1, vendor: "zod", jsonSchema: { input: () => ({ type: "string" }), output: () => ({ type: "string" }) } } };
    expect(readSchema(blind, "input").faults).toMatchObject([{ code: "input_not_expressible", message: expect.stringContaining("update zod") as string }]);
  });

  test("and all of them are named together", () => {
    expect(faults(z.object({ a: z.coerce.number(), b: z.string().refine(() => true), c: z.object({ d: z.date() }) })).toSorted()).toEqual([
      "input_not_expressible a",
      "input_not_expressible b",
      "input_not_expressible c.d",
    ]);
  });
});

describe("what is no change of the value is kept", () => {
  test.each([
    ["readonly", z.object({ a: z.string() }).readonly()],
    ["a brand", z.string().brand("x")],
    ["prefault", z.object({ a: z.string().prefault("x") })],
    ["nonoptional", z.object({ a: z.string().optional().nonoptional() })],
    ["lengths and ranges", z.object({ a: z.string().min(1).max(3), b: z.number().gt(1).lte(5).multipleOf(0.5), c: z.array(z.string()).length(2) })],
    ["several patterns", z.string().startsWith("a").includes("b").endsWith("c").regex(/x/)],
    ["lower case", z.string().lowercase()],
    ["a template literal", z.templateLiteral(["a", z.number()])],
    ["a literal of several values", z.literal(["a", 1, null])],
    ["any JSON", z.json()],
    ["a partial record", z.partialRecord(z.enum(["a", "b"]), z.number())],
    ["a message of its own", z.string({ error: "no" }).min(1, "too short")],
    ["metadata", z.string().meta({ title: "T", description: "d", examples: ["x"], other: 1 })],
    ["arktype's intersection of patterns", type("string & /a/ & /b/")],
    ["valibot's metadata", toStandardJsonSchema(v.pipe(v.object({ a: v.string() }), v.title("T"), v.description("d")))],
  ])("%s", (_what, schema) => {
    expect(faults(schema)).toEqual([]);
  });

  const formats = { cuid: z.cuid(), cuid2: z.cuid2(), e164: z.e164(), emoji: z.emoji(), nanoid: z.nanoid(), ulid: z.ulid(), xid: z.xid(), ksuid: z.ksuid(), base64: z.base64(), base64url: z.base64url() };
  const more = { cidrv4: z.cidrv4(), cidrv6: z.cidrv6(), ipv4: z.ipv4(), ipv6: z.ipv6(), guid: z.guid(), uuid: z.uuid(), email: z.email(), hostname: z.hostname(), hex: z.hex(), mac: z.mac() };
  test.each(Object.entries({ ...formats, ...more }))("zod's format %s, whose pattern decides", (_name, schema) => {
    expect(faults(schema)).toEqual([]);
    expect(accepts(schema, "§ nothing of the kind §")).toEqual([false]);
  });

  test.each([
    ["e164", z.e164(), "+4915112345678"],
    ["cuid", z.cuid(), "cjld2cjxh0000qzrmn831i7rn"],
    ["emoji", z.emoji(), "\u{1f600}"],
    ["date", z.iso.date(), "2024-02-29"],
    ["time", z.iso.time(), "10:00:00"],
    ["duration", z.iso.duration(), "P1DT2H"],
    ["date-time", z.iso.datetime(), "2024-05-01T10:00:00Z"],
    ["date-time with an offset", z.iso.datetime({ offset: true }), "2024-05-01T10:00:00+02:00"],
  ])("zod's format %s accepts what zod accepts", (_name, schema, value) => {
    expect(schema.safeParse(value).success).toBe(true);
    expect(accepts(schema, value, `${value} no`)).toEqual([true, false]);
  });
});

describe("a format that cannot be decided", () => {
  test("is a fault in an input and a warning in a tool", () => {
    expect(faults(z.object({ t: z.jwt() }))).toEqual(["input_format_unknown t"]);
    expect(readSchema(z.object({ t: z.jwt() }), "tool")).toMatchObject({ faults: [], warnings: [{ path: "t", message: 'the format "jwt" cannot be decided and is not checked' }] });
  });
});

describe("an input stays open by its own words", () => {
  test.each([
    ["zod's looseObject", z.looseObject({ a: z.string() })],
    ["zod's catchall", z.object({ a: z.string() }).catchall(z.number())],
    ["valibot's looseObject", toStandardJsonSchema(v.looseObject({ a: v.string() }))],
    ["valibot's objectWithRest", toStandardJsonSchema(v.objectWithRest({ a: v.string() }, v.number()))],
    ["arktype's index", type({ a: "string", "[string]": "unknown" })],
  ])("%s", (_what, schema) => {
    expect(accepts(schema, { a: "x", more: 1 }, { more: 1 })).toEqual([true, false]);
  });

  test("and a loose object within a closed one", () => {
    expect(accepts(z.object({ in: z.looseObject({ a: z.string() }) }), { in: { a: "x", more: 1 } }, { in: { a: "x" }, more: 1 })).toEqual([true, false]);
    expect(accepts(toStandardJsonSchema(v.object({ in: v.looseObject({}), t: v.looseTuple([v.string()]) })), { in: { more: 1 }, t: ["a", 1] }, { in: {}, t: ["a"], more: 1 })).toEqual([true, false]);
  });
});

describe("what is no schema, or declares nothing, is refused", () => {
  test.each([
    ["a text", "hello", "input_not_a_schema"],
    ["null", null, "input_not_a_schema"],
    ["a number", 1, "input_not_a_schema"],
    ["a plain JSON Schema", { type: "string" }, "input_not_a_schema"],
    ["a valibot schema without its JSON Schema side", v.string(), "input_not_a_schema"],
    ["a proxy that throws", new Proxy({}, { get: () => { throw new Error("no"); } }), "input_not_a_schema"],
    ["an object without members", z.object({}), "input_empty"],
    ["any", z.any(), "input_empty"],
    ["unknown", z.unknown(), "input_empty"],
    ["never", z.never(), "schema_invalid"],
    ["an object whose default does not fit it", z.object({ a: z.string().min(3).default("x") }), "schema_invalid"],
  ])("%s", (_what, schema, code) => {
    expect(faults(schema).map((fault) => fault.split(" ")[0])).toEqual([code]);
  });

  test("and the sentence says what to do", () => {
    expect(readSchema(v.string(), "input").faults[0]?.message).toBe(
      "the schema of valibot has no JSON Schema side; give a Standard Schema with a JSON Schema side: zod 4.2 or later, arktype, or valibot wrapped by toStandardJsonSchema of @valibot/to-json-schema",
    );
  });

  test("an object that is open by its own words is an input", () => {
    expect(faults(z.looseObject({}))).toEqual([]);
    expect(faults(z.record(z.string(), z.unknown()))).toEqual([]);
  });
});
