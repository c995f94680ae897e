import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EntailError, isEntailError } from "../core/error.ts";
import { canonicalText } from "./json-value.ts";
import { readJson } from "./read-json.ts";
import { canonicalJson, sameJson } from "./write-json.ts";

function refusal(value: unknown): string {
  try {
    canonicalJson(value);
  } catch (thrown) {
    if (isEntailError(thrown)) return `${thrown.code}: ${thrown.message}`;
    throw thrown;
  }
  throw new Error("it was written");
}

const cyclic: { self?: unknown } = {};
cyclic.self = { again: [cyclic] };

const hostile = {
  getter: {
    get secret(): never {
      throw new Error("not for you");
    },
  },
  proxy: new Proxy({}, { ownKeys: () => { throw new Error("no keys"); } }),
  revoked: (() => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  })(),
  toJson: { toJSON: () => { throw new Error("no JSON"); } },
};

describe("the canonical JSON of a value", () => {
  test("has its members in the order of their names' code units and no white space", () => {
    expect(canonicalJson({ b: [1, { z: null, a: "x" }], a: true, "\uff5e": 1, "\u{1f600}": 2 })).toBe('{"a":true,"b":[1,{"a":"x","z":null}],"\u{1f600}":2,"\uff5e":1}');
  });

  test("leaves out undefined members, makes null of undefined items and asks toJSON, as JSON.stringify does", () => {
    const date = new Date(0);
    expect(canonicalJson({ a: undefined, b: [undefined, 1], c: date, d: { toJSON: (key: string) => `from ${key}` } })).toBe('{"b":[null,1],"c":"1970-01-01T00:00:00.000Z","d":"from d"}');
    expect(canonicalJson([new Number(1), new String("x"), new Boolean(false), -0])).toBe('[1,"x",false,0]');
  });

  test("writes one object that stands in two places twice", () => {
    const shared = { x: 1 };
    expect(canonicalJson([shared, shared])).toBe('[{"x":1},{"x":1}]');
  });

  test.each([
    ["NaN", { score: Number.NaN }, "json_invalid: not JSON: NaN is no JSON number at score"],
    ["an infinity", [Number.POSITIVE_INFINITY], "json_invalid: not JSON: Infinity is no JSON number at [0]"],
    ["a bigint", { a: { b: 1n } }, "json_invalid: not JSON: a bigint stands at a.b"],
    ["a function", { f: () => 1 }, "json_invalid: not JSON: a function stands at f"],
    ["a symbol", [Symbol("s")], "json_invalid: not JSON: a symbol stands at [0]"],
    ["undefined", undefined, "json_invalid: not JSON: undefined stands at the root"],
    ["a cycle", cyclic, "json_invalid: not JSON: the value refers back to itself at self.again[0]"],
    ["a throwing getter", hostile.getter, "json_invalid: not JSON: what stands there cannot be read (not for you) at secret"],
    ["a proxy without keys", { p: hostile.proxy }, "json_invalid: not JSON: what stands there cannot be read (no keys) at p"],
    ["a throwing toJSON", [hostile.toJson], "json_invalid: not JSON: what stands there cannot be read (no JSON) at [0]"],
  ] as const)("refuses %s and names its place", (_what, value, says) => {
    expect(refusal(value)).toBe(says);
  });

  test("refuses a revoked proxy, and a value 5,000 levels deep, without running out of stack", () => {
    expect(refusal(hostile.revoked)).toContain("json_invalid");
    let deep: unknown = 1;
    for (let level = 0; level < 5000; level++) deep = [deep];
    expect(refusal(deep)).toContain("1000 objects and lists within one another");
    expect(sameJson(deep, deep)).toBe(false);
  });

  test("is the canonical text of what JSON.stringify writes, and does not depend on the order of members", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(JSON.parse(text)).toStrictEqual(JSON.parse(JSON.stringify(value)));
        expect(text.includes("\\ud") ? text : canonicalText(readJson(text))).toBe(text);
      }),
    );
  });

  test("of any value at all is a text or an EntailError", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withSparseArray: true, withTypedArray: true }), (value) => {
        try {
          expect(typeof canonicalJson(value)).toBe("string");
        } catch (thrown) {
          if (!(thrown instanceof EntailError)) throw thrown;
        }
      }),
    );
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const copy = {};
  for (const [name, member] of Object.entries(value).toReversed()) Object.defineProperty(copy, name, { value: reversed(member), enumerable: true });
  return copy;
}

describe("two values", () => {
  test.each([
    ["in another order of members", { a: 1, b: [2] }, { b: [2], a: 1 }],
    ["1 and 1.0", 1, 1.0],
    ["0 and -0", [0], [-0]],
    ["with an undefined member and without it", { a: 1, b: undefined }, { a: 1 }],
    ["a date and its text", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
    ["both undefined", undefined, undefined],
    ["with and without a prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ])("%s are the same JSON", (_what, a, b) => {
    expect(sameJson(a, b)).toBe(true);
    expect(sameJson(b, a)).toBe(true);
  });

  test.each([
    ["null and missing", { a: null }, {}],
    ["1 and a text", 1, "1"],
    ["0 and false", 0, false],
    ["an empty list and an empty object", [], {}],
    ["lists in another order", [1, 2], [2, 1]],
    ["an item more", [1], [1, null]],
    ["undefined and null in a list", [undefined], [null]],
    ["names in another case", { A: 1 }, { a: 1 }],
    ["composed and decomposed letters", "\u00e9", "e\u0301"],
    ["an own __proto__ and none", JSON.parse('{"__proto__":{}}'), {}],
    ["an infinity and itself", Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    ["an own member and an inherited one beside another", { a: 1 }, Object.assign(Object.create({ a: 1 }), { b: 1 })],
    ["an inherited member and an own one", Object.create({ a: 1 }), { a: 1 }],
    ["NaN and itself", Number.NaN, Number.NaN],
    ["two bigints", 1n, 1n],
    ["a cycle and itself", cyclic, cyclic],
    ["a throwing getter and itself", hostile.getter, hostile.getter],
    ["a revoked proxy and itself", hostile.revoked, hostile.revoked],
  ])("%s are not the same JSON", (_what, a, b) => {
    expect(sameJson(a, b)).toBe(false);
    expect(sameJson(b, a)).toBe(false);
  });

  test("are the same JSON exactly when their canonical texts are", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (a, b) => {
        expect(sameJson(a, reversed(a))).toBe(true);
        expect(sameJson(a, b)).toBe(canonicalJson(a) === canonicalJson(b));
      }),
    );
  });
});
