import * as fc from "fast-check";
import { expect, test } from "vitest";
import { wireSafe } from "./wire-safe.ts";

test("what is plain JSON stays as it is, in a copy that shares nothing", () => {
  const value = { a: [1, "x", null, true], b: { c: {} } };
  const safe = wireSafe(value) as typeof value;
  expect(safe).toStrictEqual(value);
  expect(safe).not.toBe(value);
  expect(safe.b).not.toBe(value.b);
});

test("a cycle is \"[circular]\", and one object in two places stands in both", () => {
  const shared = { x: 1 };
  const value: Record<string, unknown> = { one: shared, two: shared };
  value["self"] = value;
  value["list"] = [value];
  expect(wireSafe(value)).toStrictEqual({ one: { x: 1 }, two: { x: 1 }, self: "[circular]", list: ["[circular]"] });
});

test("a bigint is its digits, a date its ISO text, NaN and the infinities null, -0 is 0, and maps and sets are lists", () => {
  expect(
    wireSafe({ big: 9007199254740993n, at: new Date(0), never: new Date(Number.NaN), nan: Number.NaN, inf: -Infinity, zero: -0, map: new Map([["k", new Set([1n])]]), bytes: new Uint8Array([1, 2]) }),
  ).toStrictEqual({ big: "9007199254740993", at: "1970-01-01T00:00:00.000Z", never: null, nan: null, inf: null, zero: 0, map: [["k", ["1"]]], bytes: [1, 2] });
});

test("functions, symbols and undefined are left out of objects and are null in lists", () => {
  expect(wireSafe({ f: () => 1, s: Symbol("s"), u: undefined, list: [() => 1, undefined, Symbol("s")] })).toStrictEqual({ list: [null, null, null] });
  expect(wireSafe(() => 1)).toBeUndefined();
  expect(wireSafe(undefined)).toBeUndefined();
});

test("what cannot be read says why, and the rest is kept", () => {
  const value = {
    kept: 1,
    get secret(): never {
      throw new Error("not for you");
    },
    json: { toJSON: () => { throw new Error("no JSON"); } },
    proxy: new Proxy({}, { ownKeys: () => { throw new Error("no keys"); } }),
    list: Object.defineProperty([1, 2], 0, { get: () => { throw new Error("no item"); } }),
  };
  expect(wireSafe(value)).toStrictEqual({
    kept: 1,
    secret: "[unreadable: not for you]",
    json: "[unreadable: no JSON]",
    proxy: "[unreadable: no keys]",
    list: ["[unreadable: no item]", 2],
  });
});

test("toJSON is honoured, also where it gives a bigint, and an error is its name and message", () => {
  expect(wireSafe({ a: { toJSON: () => ({ n: 1n }) }, e: new TypeError("bad") })).toStrictEqual({ a: { n: "1" }, e: { name: "TypeError", message: "bad" } });
});

test("a member named __proto__ stays an own member", () => {
  const safe = wireSafe(JSON.parse('{"__proto__":{"admin":true}}')) as object;
  expect(Object.getPrototypeOf(safe)).toBe(Object.prototype);
  expect(JSON.stringify(safe)).toBe('{"__proto__":{"admin":true}}');
});

test("a value 50,000 levels deep, a toJSON without end and a list of a million items come to an end", () => {
  let deep: unknown = "bottom";
  for (let level = 0; level < 50_000; level++) deep = { deep };
  expect(JSON.stringify(wireSafe(deep))).toContain('"[too deep]"');
  const endless = { toJSON: (): unknown => ({ toJSON: endless.toJSON }) };
  expect(wireSafe(endless)).toBe("[too deep]");
  expect((wireSafe(Array.from({ length: 1_000_000 }, () => 1)) as unknown[]).at(-1)).toBe("[too much]");
});

test("any value becomes what JSON gives back unchanged", () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withSparseArray: true, withTypedArray: true, withNullPrototype: true }), (value) => {
      const safe = wireSafe(value);
      if (safe === undefined) return;
      expect(JSON.parse(JSON.stringify(safe))).toStrictEqual(safe);
    }),
  );
});
