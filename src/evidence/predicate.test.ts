import { expect, test } from "vitest";
import { asserts, decoded } from "entail/evidence";
import { list } from "../../test/agent-events.ts";

test("assertions that return nothing pass; what they throw is the diagnostic", () => {
  expect(asserts((value: number) => expect(value).toBe(1))(1)).toBe(true);
  expect(asserts((value: number) => expect(value).toBe(1))(2)).toMatch(/expected 2 to be 1/);
  expect(asserts(() => { throw new Error("wrong window"); })(1)).toBe("wrong window");
});

test("assertions that answer instead of throwing are taken at their word", () => {
  expect(asserts((value: number): unknown => value === 1)(2)).toBe("the assertions returned false");
  expect(asserts(() => "wrong")(2)).toBe("wrong");
  expect(asserts((value: number): unknown => value === 1)(1)).toBe(true);
});

test("assertions that end later fail, also where they would have held", () => {
  const later = (promise: () => Promise<void>): (() => void) => promise;
  expect(() => asserts(later(async () => undefined))(1)).toThrow(/they must be done when they return/);
  expect(() => asserts(later(() => Promise.reject(new Error("late"))))(1)).toThrow(/they must be done when they return/);
});

test("an assertion that could not be made is no assertion that failed", () => {
  expect(() => asserts((value: { deep?: { er: number } }) => expect((value.deep as { er: number }).er).toBe(1))({})).toThrow(TypeError);
});

test("a decoded predicate sees a copy, and what cannot be decoded is named fault by fault in one line", () => {
  const given = { window: "24h", more: 1 };
  expect(decoded(list.args, (args) => args !== given && args.window === "24h")(given)).toBe(true);
  expect(() => decoded(list.args, () => true)({ window: 1, cursor: 2 })).toThrow(/^the canonical payload could not be decoded: .*window.*, .*cursor.*$/);
});
