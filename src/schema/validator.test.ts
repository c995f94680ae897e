import { describe, expect, test } from "vitest";
import { EntailError } from "../core/error.ts";
import type { JsonSchema } from "../core/schema.ts";
import { compileSchema } from "./validator.ts";

/** Each fault as `path message`. */
function faults(schema: JsonSchema, value: unknown): readonly string[] {
  return compileSchema(schema)
    .faults(value)
    .map((fault) => (fault.path === "" ? fault.message : `${fault.path} ${fault.message}`));
}

describe("a fault says in our own words what the value must be", () => {
  const sentences: readonly (readonly [schema: JsonSchema, value: unknown, sentence: string])[] = [
    [{ type: "string" }, 1, "must be a string"],
    [{ type: "number" }, "1", "must be a number"],
    [{ type: "integer" }, 1.5, "must be an integer"],
    [{ type: "boolean" }, "true", "must be true or false"],
    [{ type: "null" }, 0, "must be null"],
    [{ type: "array" }, {}, "must be a list"],
    [{ type: "object" }, [], "must be an object"],
    [{ type: ["string", "null"] }, 1, "must be a string or null"],
    [{ const: "x" }, "y", 'must be "x"'],
    [{ enum: ["a", 1, null] }, "b", 'must be "a", 1 or null'],
    [{ minLength: 1 }, "", "must have at least 1 character"],
    [{ maxLength: 2 }, "abc", "must have at most 2 characters"],
    [{ pattern: "^a+$" }, "b", "must match the pattern ^a+$"],
    [{ format: "uuid" }, "x", "must be a UUID"],
    [{ format: "date-time" }, "yesterday", "must be a date and time such as 2024-05-01T10:00:00Z"],
    [{ format: "email" }, "x", "must be an e-mail address"],
    [{ format: "uri" }, "x", "must be a URI"],
    [{ minimum: 3 }, 2, "must be at least 3"],
    [{ maximum: 3 }, 4, "must be at most 3"],
    [{ exclusiveMinimum: 3 }, 3, "must be greater than 3"],
    [{ exclusiveMaximum: 3 }, 3, "must be less than 3"],
    [{ multipleOf: 0.1 }, 0.25, "must be a multiple of 0.1"],
    [{ minItems: 2 }, [1], "must have at least 2 items"],
    [{ maxItems: 1 }, [1, 2], "must have at most 1 item"],
    [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], "must hold no item twice"],
    [{ contains: { const: 1 } }, [2, 3], "must hold an item of the kind that the schema asks for"],
    [{ contains: { const: 1 }, minContains: 2 }, [1, 3], "must hold at least 2 items of the kind that the schema asks for"],
    [{ contains: { const: 1 }, maxContains: 1 }, [1, 1], "must hold at most 1 item of the kind that the schema asks for"],
    [{ minProperties: 1 }, {}, "must have at least 1 member"],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, "must have at most 1 member"],
    [{ not: { type: "string" } }, "x", "must not be what the schema excludes"],
    [{ required: ["a"] }, {}, "a is missing"],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, 'b is missing, though "a" is given'],
    [{ properties: { user_id: {} }, additionalProperties: false }, { userid: 1 }, 'userid is not declared; did you mean "user_id"?'],
    [{ properties: { a: {} }, unevaluatedProperties: false }, { zebra: 1 }, "zebra is not declared"],
    [{ properties: { a: false } }, { a: 1 }, "a must not be given"],
    [{ prefixItems: [{}], items: false }, [1, 2], "[1] is more than the list may hold"],
    [{ propertyNames: { pattern: "^[a-z]+$" } }, { A1: 1 }, "A1 has a name that must match the pattern ^[a-z]+$"],
    [JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}') as JsonSchema, { a: 1 }, "b is missing"],
    [{ allOf: [{ type: "object" }, { required: ["a"] }] }, {}, "a is missing"],
    [{ dependentSchemas: { a: { required: ["b"] } } }, { a: 1 }, "b is missing"],
    [{ not: {} }, 1, "must not be given"],
  ];
  test.each(sentences)("%j refuses %j: %s", (schema, value, sentence) => {
    expect(faults(schema, value)).toEqual([sentence]);
  });
});

describe("every fault is named with its path", () => {
  test("in members, items, records and behind references", () => {
    const schema = {
      type: "object",
      properties: {
        user_id: { type: "string" },
        "a key": { type: "number" },
        items: { type: "array", items: { $ref: "#/$defs/item" } },
        scores: { type: "object", additionalProperties: { type: "number" } },
      },
      required: ["user_id", "when"],
      additionalProperties: false,
      $defs: { item: { type: "object", properties: { name: { type: "string" } }, required: ["name"], additionalProperties: false } },
    };
    expect(faults(schema, { "a key": "x", items: [{ name: "ok" }, { name: 1, extra: true }, {}], scores: { anna: "1", "b/~c%#": "2" }, other: 1 })).toEqual([
      "user_id is missing",
      "when is missing",
      '["a key"] must be a number',
      "items[1].name must be a string",
      "items[1].extra is not declared",
      "items[2].name is missing",
      "scores.anna must be a number",
      'scores["b/~c%#"] must be a number',
      "other is not declared",
    ]);
  });

  test("ten thousand of them included; half a million are too many to name, and never none", () => {
    const validator = compileSchema({ type: "object", properties: { list: { type: "array", items: { type: "string" } } } });
    const wrong = (length: number): unknown => ({ list: Array.from({ length }, () => 1) });
    expect(validator.faults(wrong(10_000)).length).toBe(10_000);
    expect(validator.faults(wrong(500_000)).map((fault) => fault.message)).toEqual([expect.stringContaining("has too many faults to be checked")]);
  });

  test("members named __proto__, constructor and toString are members like any other", () => {
    const schema = { type: "object", properties: JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}') as JsonSchema, required: ["constructor"], additionalProperties: false };
    expect(faults(schema, JSON.parse('{"__proto__":1,"toString":2}'))).toEqual(["constructor is missing", "__proto__ must be a string", "toString is not declared"]);
    expect(faults(schema, JSON.parse('{"__proto__":"a","constructor":"b"}'))).toEqual([]);
  });
});

describe("of a union only the branch that was meant is reported", () => {
  const shape = (kind: string, member: string, type: string): JsonSchema => ({
    type: "object",
    properties: { kind: { const: kind }, [member]: { type } },
    required: ["kind", member],
    additionalProperties: false,
  });
  const discriminated = { oneOf: [shape("circle", "radius", "number"), shape("square", "side", "number")] };

  test("the one of the value's type", () => {
    const schema = { anyOf: [{ type: "string" }, { type: "null" }, { type: "object", properties: { a: { type: "number" } }, required: ["a"], additionalProperties: false }] };
    expect(faults(schema, { a: "x", b: 1 })).toEqual(["a must be a number", "b is not declared"]);
    expect(faults(schema, 1)).toEqual(["must be a string, null or an object"]);
  });

  test("the one of the value's literal", () => {
    expect(faults(discriminated, { kind: "square", side: "2", radius: 1 })).toEqual(["side must be a number", "radius is not declared"]);
    expect(faults(discriminated, { kind: "triangle" })).toEqual(['kind must be "circle" or "square"']);
    expect(faults(discriminated, { radius: 1 })).toEqual(["kind is missing"]);
    expect(faults({ type: "array", items: discriminated }, [{ kind: "circle", radius: 1 }, { kind: "circle" }])).toEqual(["[1].radius is missing"]);
  });

  test("the one with the fewest faults", () => {
    const schema = { anyOf: [shape("a", "x", "string"), { type: "object", properties: { y: { type: "string" }, z: { type: "string" } }, required: ["y", "z"], additionalProperties: false }] };
    expect(faults(schema, { y: "1" })).toEqual(["z is missing"]);
  });

  test("and where none is nearer, what all of them ask for, or what each asks", () => {
    const schema = (first: readonly string[], second: readonly string[]): JsonSchema => ({ anyOf: [{ type: "object", required: first }, { type: "object", required: second }] });
    expect(faults(schema(["id", "a"], ["id", "b"]), {})).toEqual(["id is missing"]);
    expect(faults(schema(["a"], ["b"]), {})).toEqual(["matches none of its alternatives: a is missing; or b is missing"]);
  });

  test("literals, unions of unions and formats", () => {
    expect(faults({ anyOf: [{ const: "a" }, { anyOf: [{ const: "b" }, { type: "number" }] }] }, "c")).toEqual(['must be "a", "b" or a number']);
    expect(faults({ anyOf: [{ type: "string", format: "uuid" }, { type: "number" }] }, "c")).toEqual(["must be a UUID"]);
    expect(faults({ oneOf: [{ type: "number" }, { type: "integer" }] }, 1)).toEqual(["matches more than one of its alternatives"]);
  });
});

describe("only plain data passes", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  const anything = {};
  const values: readonly (readonly [what: string, value: unknown, fault: string])[] = [
    ["undefined", undefined, "is missing"],
    ["NaN", Number.NaN, "must be a finite number, not NaN"],
    ["an infinity", { a: -Infinity }, "a must be a finite number, not -Infinity"],
    ["a bigint", [1n], "[0] must be plain data, not a bigint"],
    ["a function", { f: () => 1 }, "f must be plain data, not a function"],
    ["a symbol", { s: Symbol("s") }, "s must be plain data, not a symbol"],
    ["a date", { at: new Date(0) }, "at must be plain data, not a Date"],
    ["a map", new Map(), "must be plain data, not a Map"],
    ["an instance of a class", new (class Alarm { readonly id = 1; })(), "must be plain data, not an Alarm"],
    ["a promise, which a forgotten await leaves", { a: Promise.resolve(1) }, "a must be plain data, not a Promise"],
    ["a cycle", cyclic, "self refers back to itself"],
    ["a hole in a list", { l: Object.assign(Array.from({ length: 3 }), { 0: 1, 2: 2 }) }, "l[1] is missing"],
    ["a throwing getter", { get a() { throw new Error("not for you"); } }, "a cannot be read (not for you)"],
    ["a proxy without keys", new Proxy({}, { ownKeys: () => { throw new Error("no keys"); } }), "cannot be read (no keys)"],
    ["a name that is half a surrogate pair", { "\ud800": 1 }, '["\\ud800"] has a name that holds half a surrogate pair'],
  ];
  test.each(values)("%s does not", (_what, value, fault) => {
    expect(faults(anything, value)).toEqual([fault]);
  });

  test("an object without a prototype and one object in two places do", () => {
    const shared = { x: 1 };
    expect(faults(anything, Object.assign(Object.create(null), { a: shared, b: shared }))).toEqual([]);
  });

  test("and what is no plain data is named once, beside the other faults", () => {
    expect(faults({ type: "object", properties: { at: { type: "string" }, n: { type: "number" } } }, { at: new Date(0), n: "1" })).toEqual([
      "at must be plain data, not a Date",
      "n must be a number",
    ]);
  });

  test("a value 5,000 levels deep is refused, whatever the schema", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 5000; level++) deep = [deep];
    expect(faults(anything, deep)[0]).toContain("is nested more than 100 levels deep");
    const tree = { $ref: "#/$defs/n", $defs: { n: { anyOf: [{ type: "number" }, { type: "array", items: { $ref: "#/$defs/n" } }] } } };
    expect(faults(tree, deep)[0]).toContain("is nested more than 100 levels deep");
    let fits: unknown = 1;
    for (let level = 0; level < 95; level++) fits = [fits];
    expect(faults(tree, fits)).toEqual([]);
  });
});

describe("decode", () => {
  const schema = {
    type: "object",
    properties: {
      limit: { type: "integer", default: 10 },
      filter: { type: "object", properties: { tags: { type: "array", items: { type: "string" }, default: [] } }, default: {} },
      rows: { type: "array", items: { type: "object", properties: { n: { type: "number", default: 1 } } } },
      by: { type: "object", additionalProperties: { type: "object", properties: { n: { type: "number", default: 2 } } } },
      pick: { anyOf: [{ type: "object", properties: { a: { type: "string" }, d: { default: "of a" } }, required: ["a"] }, { type: "object", properties: { b: { type: "string" }, d: { default: "of b" } }, required: ["b"] }] },
    },
  };

  test("fills in what is absent, undefined included, in members, items, records and the branch that accepts", () => {
    expect(compileSchema(schema).decode({ limit: undefined, rows: [{}, { n: 5 }], by: { x: {} }, pick: { b: "y" } })).toStrictEqual({
      value: { limit: 10, filter: { tags: [] }, rows: [{ n: 1 }, { n: 5 }], by: { x: { n: 2 } }, pick: { b: "y", d: "of b" } },
      faults: [],
    });
  });

  test("fills in the value itself where it has a default", () => {
    expect(compileSchema({ type: "string", default: "x" }).decode(undefined)).toStrictEqual({ value: "x", faults: [] });
    expect(compileSchema({ $ref: "#/$defs/s", $defs: { s: { type: "string", default: "x" } } }).decode(undefined)).toStrictEqual({ value: "x", faults: [] });
  });

  test("gives a copy that shares nothing with the value or with the schema's defaults", () => {
    const given = { rows: [{ n: 5 }] };
    const validator = compileSchema(schema);
    const first = validator.decode(given).value as { rows: unknown; filter: { tags: string[] } };
    expect(first.rows).not.toBe(given.rows);
    first.filter.tags.push("changed");
    expect((validator.decode(given).value as typeof first).filter.tags).toEqual([]);
    expect(given).toStrictEqual({ rows: [{ n: 5 }] });
    const loose = compileSchema({ type: "object", properties: { deep: { default: { list: { of: [] } } } } });
    (loose.decode({}).value as { deep: { list: { of: string[] } } }).deep.list.of.push("changed");
    expect(loose.decode({}).value).toEqual({ deep: { list: { of: [] } } });
  });

  test("leaves the value as it is where there is a fault", () => {
    expect(compileSchema(schema).decode({ limit: "x" })).toStrictEqual({ value: { limit: "x" }, faults: [{ path: "limit", message: "must be an integer" }] });
  });

  test("says so where a default calls for a default without end", () => {
    const endless = { $ref: "#/$defs/n", $defs: { n: { type: "object", properties: { next: { $ref: "#/$defs/n", default: {} } } } } };
    expect(compileSchema(endless).faults({})).toEqual([{ path: "", message: "cannot be filled with its defaults (a default calls for a default without end)" }]);
  });
});

describe("a pattern beside a format decides alone", () => {
  test.each([
    [{ type: "string", format: "uuid", pattern: "^x$" }, "x"],
    [{ type: "string", format: "uuid", allOf: [{ pattern: "^x$" }] }, "x"],
    [{ type: "string", format: "cuid", pattern: "^c" }, "c1"],
  ])("%j accepts %j", (schema, value) => {
    expect(faults(schema, value)).toEqual([]);
    expect(faults(schema, "no")).toHaveLength(1);
  });
});

test("compiling changes nothing of the schema, which may be frozen", () => {
  const schema = Object.freeze({ $ref: "#/$defs/a", $defs: Object.freeze({ a: Object.freeze({ type: "string", format: "uuid", pattern: "x", title: "A" }) }) });
  const before = JSON.stringify(schema);
  expect(compileSchema(schema).faults("x")).toEqual([]);
  expect(JSON.stringify(schema)).toBe(before);
  expect(Object.getOwnPropertyNames(schema)).toEqual(["$ref", "$defs"]);
});

test("a schema whose members are named like keywords keeps them as members", () => {
  const schema = { type: "object", properties: { id: { type: "string" }, $ref: { type: "number" }, type: { type: "string" }, enum: { type: "string" }, properties: { type: "string" } }, required: ["id"], additionalProperties: false };
  expect(faults(schema, { id: "1", $ref: 2, type: "t", enum: "e", properties: "p" })).toEqual([]);
  expect(faults(schema, { $ref: "x" })).toEqual(["id is missing", "$ref must be a number"]);
});

test.each([
  ["a pattern that is no regular expression", { type: "string", pattern: "(" }, 'the pattern "(" is no regular expression under the "u" flag'],
  ["a reference that leads nowhere", { properties: { a: { $ref: "#/$defs/missing" } } }, 'a: the reference "#/$defs/missing" leads nowhere'],
])("%s is refused when the schema is compiled", (_what, schema, says) => {
  expect(() => compileSchema(schema)).toThrow(EntailError);
  expect(() => compileSchema(schema)).toThrow(says);
});

test("ten thousand small objects are decided in a few hundred milliseconds", () => {
  const validator = compileSchema({ type: "array", items: { type: "object", properties: { id: { type: "string" }, n: { type: "integer" } }, required: ["id"], additionalProperties: false } });
  const value = Array.from({ length: 10_000 }, (_, n) => ({ id: `row ${n}`, n }));
  const start = performance.now();
  expect(validator.faults(value)).toEqual([]);
  expect(performance.now() - start).toBeLessThan(5000);
});
