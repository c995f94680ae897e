import { isDeepStrictEqual } from "node:util";
import { type } from "arktype";
import * as fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { expectation, expectCall, type Matcher, type Predicate } from "entail/evidence";
import { call, completed, end, list, start } from "../../test/agent-events.ts";

/** What a call with these arguments answers to a matcher: `passed`, or what stands in the diagnostic after the side. */
function asked(args: unknown, matcher: unknown, json?: string): string {
  const evidence = completed(start("a", "x", args, json === undefined ? {} : { argsJson: json }), end("a", "x", args));
  const [check] = expectation({ exact: true, tools: [{ name: "x", args: matcher as Matcher<unknown> }] }).checks(evidence);
  return check?.passed === true ? "passed" : (check?.diagnostic.replace(/^.*?x arguments: /, "") ?? "");
}
/** The same for a result, which may be any JSON value. */
function askedOfResult(result: unknown, matcher: unknown): boolean {
  return expectation({ tools: [{ name: "x", result: matcher as Matcher<unknown> }] }).checks(completed(call("a", "x", {}, result)))[0]?.passed === true;
}
// eslint-disable-next-line unicorn/no-thenable
const thenable = (then: PropertyDescriptor): object => Object.defineProperty({}, "then", then);
const late = (value: unknown): Promise<unknown> => Promise.reject(new Error(String(value)));

describe("a predicate", () => {
  test("passes by answering true", () => {
    expect(asked({ a: 1 }, (args: { a: number }) => args.a === 1)).toBe("passed");
  });

  test.each<[string, () => unknown, string]>([
    ["false", () => false, "the predicate answered false"],
    ["a text", () => "wrong window", "wrong window"],
    ["an empty text", () => "", "the predicate answered an empty text"],
    ["a throw", () => { throw new Error("no window"); }, "no window"],
    ["a throw without words", () => { throw new TypeError(); }, "TypeError"],
    ["a throw of a text", () => { throw "no window"; }, "no window"], // eslint-disable-line
    ["nothing", () => undefined, 'the predicate returned undefined; only true passes (is a "return" missing?)'],
    ["null", () => null, "the predicate returned null; only true passes"],
    ["0", () => 0, "the predicate returned the number 0; only true passes"],
    ["1", () => 1, "the predicate returned the number 1; only true passes"],
    ["an object", () => ({ pass: true }), "the predicate returned an object; only true passes"],
    ["a list", () => [true], "the predicate returned a list; only true passes"],
    ["another predicate", () => () => true, "the predicate returned a function; only true passes"],
    ["a promise of true", async () => true, "the predicate returned a promise; it must answer at once"],
    ["a promise that breaks", () => late("later"), "the predicate returned a promise; it must answer at once"],
    ["what looks like a promise", () => thenable({ value: () => undefined }), "the predicate returned a promise; it must answer at once"],
    ["what cannot be read", () => thenable({ get: () => { throw new Error("no"); } }), "the predicate returned an object; only true passes"],
  ])("fails by answering %s, and the diagnostic says so", (_, predicate, sentence) => {
    expect(asked({}, predicate)).toContain(sentence);
  });

  test("cannot change what it is asked about", () => {
    expect(asked({ tags: ["a"] }, (args: { tags: string[] }) => args.tags.push("b") > 0)).toMatch(/not extensible|read only/);
  });

  test("that breaks a promise leaves no rejection that nobody takes", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): unknown => unhandled.push(reason);
    process.on("unhandledRejection", note);
    expect(asked({}, () => late("predicate"))).toMatch(/promise/);
    expect(asked({}, { "~standard": { version: 1, vendor: "test", validate: () => late("schema") } })).toMatch(/promise/);
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
});

describe("kind structural-equality:", () => {
  const changed = fc.letrec((tie) => ({
    json: fc.oneof({ maxDepth: 3 }, fc.constantFrom(null, true, false, 0, 1, 1.5, "", "a", "1"), fc.array(tie("json"), { maxLength: 3 }), fc.dictionary(fc.constantFrom("a", "b", "__proto__", "constructor", ""), tie("json"), { maxKeys: 3 })),
  })).json;

  test("a plain value passes for what is the same JSON, and for nothing else", () => {
    fc.assert(
      fc.property(changed, changed, (expected, actual) => {
        const same = isDeepStrictEqual(JSON.parse(JSON.stringify(expected)), JSON.parse(JSON.stringify(actual)));
        expect(askedOfResult(actual, expected)).toBe(same);
      }),
      { numRuns: 500 },
    );
  });

  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== "object" || value === null) return value;
    const copy = Object.create(null) as Record<string, unknown>;
    for (const [name, member] of Object.entries(value).toReversed()) copy[name] = reversed(member);
    return copy;
  };
  test("the order of members is free, that of items is not", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(askedOfResult(value, reversed(value))).toBe(true);
      }),
    );
    expect(askedOfResult({ a: 1, b: { x: [1, 2], y: null } }, { b: { y: null, x: [1, 2] }, a: 1 })).toBe(true);
    expect(askedOfResult({ a: 1, b: { x: [1, 2], y: null } }, { b: { y: null, x: [2, 1] }, a: 1 })).toBe(false);
  });

  test("empty things are not each other, nor missing ones, nor null", () => {
    const empties = [[], {}, "", null, 0, false, [[]], [{}]];
    for (const [at, expected] of empties.entries()) for (const [other, actual] of empties.entries()) expect(askedOfResult({ tags: actual }, { tags: expected })).toBe(at === other);
    expect(askedOfResult({}, { tags: null })).toBe(false);
    expect(askedOfResult({ tags: undefined }, {})).toBe(true);
    expect(askedOfResult({ tags: null }, {})).toBe(false);
  });

  test("numbers are equal by value, and never to their text or to true", () => {
    expect(asked(undefined, { a: 1 }, '{"a":1.0}')).toBe("passed");
    expect(asked(undefined, { a: 1 }, '{"a":1e0}')).toBe("passed");
    expect(asked(undefined, { a: 0 }, '{"a":-0}')).toBe("passed");
    expect(asked({ a: "1" }, { a: 1 })).toContain('a: expected 1 (number), got "1" (string)');
    expect(asked({ a: true }, { a: 1 })).toContain("a: expected 1 (number), got true (boolean)");
  });

  test("numbers with more digits than JavaScript holds are equal to none", () => {
    expect(asked(undefined, { id: 9007199254740992 }, '{"id":9007199254740993}')).toMatch(/id: expected 9007199254740992, got 9007199254740993, which JavaScript rounds/);
    expect(asked(undefined, { id: 9007199254740992 }, '{"id":9007199254740992}')).toBe("passed");
    expect(asked(undefined, { id: 9007199254740992 }, '{"id":9007199254740993.0}')).toMatch(/rounds/);
    expect(asked(undefined, { ids: [1, { id: 9007199254740992 }] }, '{"ids":[1,{"id":9007199254740993}]}')).toMatch(/ids\[1\]\.id/);
    expect(asked(undefined, { a: 0.1 }, '{"a":0.1000000000000000055}')).toBe("passed");
    expect(asked(undefined, { a: 1e21 }, '{"a":1e21}')).toBe("passed");
    expect(asked(undefined, { a: null }, '{"a":1e400}')).toMatch(/expected null/);
    expect(askedOfResult(-42126802724521610, -42126802724521610)).toBe(true);
    // The same through a typed tool's codec.
    const evidence = completed(start("a", "n", undefined, { argsJson: '{"id":9007199254740993}' }), end("a", "n"));
    const typed = { name: "n", args: { schema: {}, decode: (value: unknown) => value as { readonly id: number } }, result: list.result };
    expect(expectation({ tools: [expectCall(typed, { args: { id: 9007199254740992 } })] }).checks(evidence)[0]?.diagnostic).toMatch(/rounds/);
  });

  test("members that every object has are members like others", () => {
    const json = '{"__proto__":{"isAdmin":true},"constructor":1,"user":"u1"}';
    expect(asked(undefined, { user: "u1" }, json)).toMatch(/__proto__: not expected.*constructor: not expected/);
    expect(asked(undefined, JSON.parse(json), json)).toBe("passed");
    expect(asked({ user: "u1" }, JSON.parse(json))).toMatch(/__proto__: missing.*constructor: missing/);
  });

  test("the differences are named, up to five", () => {
    expect(asked({ a: [1, 2, 3], b: "x" }, { a: [1, 5], c: null })).toBe('expected {"a":[1,5],"c":null}, got {"a":[1,2,3],"b":"x"} (a[1]: expected 5, got 2, a[2]: not expected, got 3, c: missing, expected null, b: not expected, got "x")');
    expect(asked(Object.fromEntries("abcdefgh".split("").map((name) => [name, 1])), {})).toContain("e: not expected, got 1, and more)");
    expect(asked({ text: "y".repeat(5000) }, { text: "x".repeat(5000) }).length).toBeLessThan(1200);
  });

  test("the value is that of the declaration, whatever becomes of it later", () => {
    const expected = { tags: ["a"] };
    const declared = expectCall({ name: "x" }, { args: expected });
    expected.tags.push("b");
    const evidence = completed(call("a", "x", { tags: ["a"] }));
    expect(expectation({ tools: [declared] }).checks(evidence)[0]?.passed).toBe(true);
  });

  test("a typed tool's value is compared with the decoded one", () => {
    const withDefault = { name: "x", args: { schema: {}, decode: (value: unknown) => ({ limit: 10, ...(value as object) }) as { readonly limit: number } }, result: list.result };
    const evidence = completed(call("a", "x"));
    expect(expectation({ tools: [expectCall(withDefault, { args: { limit: 10 } })] }).checks(evidence)[0]?.passed).toBe(true);
    expect(expectation({ tools: [expectCall(withDefault, { args: { limit: 20 } })] }).checks(evidence)[0]?.diagnostic).toContain("limit: expected 20, got 10");
  });
});

describe("a schema", () => {
  const schemas: Readonly<Record<string, unknown>> = {
    zod: z.object({ window: z.literal("24h") }),
    valibot: v.object({ window: v.literal("24h") }),
    arktype: type({ window: "'24h'" }),
  };
  test.each(Object.entries(schemas))("of %s passes for what it accepts, and else says what is wrong where", (_, schema) => {
    expect(asked({ window: "24h" }, schema)).toBe("passed");
    expect(asked({ window: "1h" }, schema)).toMatch(/^does not match the schema: window: .*24h/);
    expect(asked({}, schema)).toMatch(/^does not match the schema: window: /);
  });

  test("that answers later fails, and so does one that breaks or answers nonsense", () => {
    const standard = (validate: () => unknown): unknown => ({ "~standard": { version: 1, vendor: "test", validate } });
    expect(asked({}, z.object({}).refine(async () => true))).toMatch(/answers with a promise|Promise/);
    expect(asked({}, standard(async () => ({ value: {} })))).toBe("the schema answers with a promise; only a schema that validates at once can be used here");
    expect(asked({}, standard(() => { throw new Error("broken"); }))).toBe("broken");
    expect(asked({}, standard(() => true))).toMatch(/answered true, which is no result/);
    expect(asked({}, standard(() => ({ issues: [] })))).toMatch(/names no issue/);
    expect(asked({}, standard(() => ({ value: {} })))).toBe("passed");
  });

  test("takes the decoded value of a typed tool", () => {
    const predicate = expectCall(list, { args: z.object({ window: z.string().min(2) }) }).args as Predicate<unknown>;
    expect(predicate({ window: "24h" })).toBe(true);
    expect(predicate({ window: "2" })).toMatch(/does not match the schema: window/);
    expect(() => predicate({})).toThrow(/could not be decoded/);
  });
});
