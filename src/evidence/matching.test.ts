import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atLeast, atMost, type Evidence, exactly, expectation, expectCall, type ToolExpectation, type TrajectoryItem, unordered } from "entail/evidence";
import { anyTool, call, called, completed, end, failedCall, phase, start, gather } from "../../test/agent-events.ts";

const passes = (tools: readonly TrajectoryItem[], evidence: Evidence, exact = false): boolean => expectation({ tools, exact }).checks(evidence)[0]?.passed === true;
const diagnostic = (tools: readonly TrajectoryItem[], evidence: Evidence, exact = false): string => expectation({ tools, exact }).checks(evidence)[0]?.diagnostic ?? "passed";
const tool = (name: string): ToolExpectation => expectCall(anyTool(name));

// An expected call is the set of values that it accepts; an observed call has one value. So every table of who satisfies what can be drawn.
type Accepts = readonly number[];
type Item = { readonly kind: "call"; readonly call: Accepts } | { readonly kind: "unordered"; readonly calls: readonly Accepts[] } | { readonly kind: "count"; readonly call: Accepts; readonly least: number; readonly most: number };

const accepts: fc.Arbitrary<Accepts> = fc.subarray([0, 1, 2]);
const item: fc.Arbitrary<Item> = fc.oneof(
  fc.record({ kind: fc.constant("call" as const), call: accepts }),
  fc.record({ kind: fc.constant("unordered" as const), calls: fc.array(accepts, { minLength: 1, maxLength: 3 }) }),
  fc
    .record({ kind: fc.constant("count" as const), call: accepts, least: fc.nat(3), most: fc.oneof(fc.nat(3), fc.constant(Infinity)) })
    .filter(({ least, most }) => least <= most && !(least === 0 && most === Infinity)),
);
const drawn = fc.record({ items: fc.array(item, { maxLength: 3 }), values: fc.array(fc.constantFrom(0, 1, 2), { maxLength: 6 }) });

const expected = (accepted: Accepts): ToolExpectation => ({ name: "x", args: (args) => accepted.includes((args as { value: number }).value) });
const declared = (one: Item): TrajectoryItem => {
  if (one.kind === "call") return expected(one.call);
  if (one.kind === "unordered") return unordered(...one.calls.map(expected));
  if (one.most === Infinity) return atLeast(one.least, expected(one.call));
  if (one.least === one.most) return exactly(one.least, expected(one.call));
  return { counted: expected(one.call), atLeast: one.least, atMost: one.most };
};
const observed = (values: readonly number[]): Evidence => completed(...values.map((value, at) => call(String(at), "x", { value })));

/** Every order of a list. */
const orders = <One>(list: readonly One[]): (readonly One[])[] => (list.length === 0 ? [[]] : list.flatMap((one, at) => orders(list.toSpliced(at, 1)).map((rest) => [one, ...rest])));
/** Every way to write an item as single calls in a fixed order. */
const spelled = (one: Item, length: number): (readonly Accepts[])[] => {
  if (one.kind === "call") return [[one.call]];
  if (one.kind === "unordered") return orders(one.calls);
  return Array.from({ length: Math.min(one.most, length) - one.least + 1 }, (_, more) => Array.from({ length: one.least + more }, () => one.call));
};
const spellings = (items: readonly Item[], length: number): (readonly Accepts[])[] => items.reduce<(readonly Accepts[])[]>((heads, one) => heads.flatMap((head) => spelled(one, length).map((tail) => [...head, ...tail])), [[]]);
/** By trying every choice of calls. */
const isSubsequence = (calls: readonly Accepts[], values: readonly number[]): boolean => {
  const [first, ...rest] = calls;
  return first === undefined || values.some((value, at) => first.includes(value) && isSubsequence(rest, values.slice(at + 1)));
};

describe("kind multiset-matching:", () => {
  test("in the default reading, what is found is what trying every choice finds", () => {
    fc.assert(
      fc.property(drawn, ({ items, values }) => {
        const bounded = items.every((one) => one.kind !== "count" || values.filter((value) => one.call.includes(value)).length <= one.most);
        // Fewer of a count than wanted can always be spelled with its least.
        const found = spellings(items.map((one) => (one.kind === "count" ? { ...one, most: one.least } : one)), values.length).some((calls) => isSubsequence(calls, values));
        expect(passes(items.map(declared), observed(values))).toBe(bounded && found);
      }),
      { numRuns: 1500 },
    );
  });

  test("in the exact reading, what is found is what trying every choice finds", () => {
    fc.assert(
      fc.property(drawn, ({ items, values }) => {
        const found = spellings(items, values.length).some((calls) => calls.length === values.length && calls.every((accepted, at) => accepted.includes(values[at] as number)));
        expect(passes(items.map(declared), observed(values), true)).toBe(found);
      }),
      { numRuns: 1500 },
    );
  });

  test("an exact trajectory that exists is found, however it was made", () => {
    const story = fc.array(item, { maxLength: 4 }).chain((items) =>
      fc.tuple(
        fc.constant(items),
        fc.tuple(...items.map((one) => fc.constantFrom(...spelled(one, 3)))).chain((parts) => fc.tuple(...parts.flat().map((accepted) => (accepted.length === 0 ? fc.constant(undefined) : fc.constantFrom(...accepted))))),
      ),
    );
    fc.assert(
      fc.property(story, ([items, values]) => {
        fc.pre(values.every((value) => value !== undefined));
        expect(passes(items.map(declared), observed(values), true)).toBe(true);
      }),
    );
  });

  test("one call never stands for two expectations", () => {
    const any = { name: "x", args: () => true };
    fc.assert(
      fc.property(fc.nat(6), fc.integer({ min: 1, max: 6 }), (calls, wanted) => {
        const evidence = observed(Array.from({ length: calls }, () => 0));
        const group = unordered(...Array.from({ length: wanted }, () => any));
        expect(passes([group], evidence)).toBe(calls >= wanted);
        expect(passes([group], evidence, true)).toBe(calls === wanted);
      }),
    );
  });

  test("a picky call gets what only it wants, though a patient one stood before it", () => {
    const evidence = observed([2, 0]);
    expect(passes([unordered(expected([0, 2]), expected([2]))], evidence)).toBe(true);
    expect(passes([unordered(expected([0, 2]), expected([2]))], evidence, true)).toBe(true);
    expect(diagnostic([unordered(expected([2]), expected([2]))], evidence)).toBe(
      'in any order after position 0: x: expected 2, got 1 (call "1" {"value":0}: x arguments: the predicate answered false); observed x -> x',
    );
  });

  test("a predicate is asked once about each call, so one that changes its mind changes nothing", () => {
    let asked = 0;
    const fickle = { name: "x", args: () => ++asked > 1 };
    const evidence = observed([0]);
    expect(passes([unordered(fickle), atMost(5, fickle)], evidence)).toBe(false);
    expect(asked).toBe(2);
  });
});

describe("counts", () => {
  const evidence = completed(call("a", "search", { q: 1 }), failedCall("b", "search", { q: 2 }), call("c", "pay"), call("d", "search", { q: 3 }));

  test("count what satisfies, or what was issued", () => {
    expect(passes([exactly(2, tool("search"))], evidence)).toBe(true);
    expect(passes([exactly(3, "search")], evidence)).toBe(true);
    expect(passes([exactly(3, anyTool("search"))], evidence)).toBe(true);
    expect(passes([atMost(2, tool("search"))], evidence)).toBe(true);
    expect(passes([atMost(2, "search")], evidence)).toBe(false);
    expect(passes([exactly(0, "delete")], evidence)).toBe(true);
    expect(passes([exactly(0, "pay")], evidence)).toBe(false);
  });

  test("have their place in the order from below", () => {
    expect(passes([tool("pay"), atLeast(1, tool("search"))], evidence)).toBe(true);
    expect(diagnostic([tool("pay"), atLeast(2, tool("search"))], evidence)).toBe("search: expected at least 2 after position 3, got 1 (3 calls, 1 failed)");
    expect(passes([atLeast(2, tool("search")), tool("pay")], evidence)).toBe(false);
    expect(passes([atLeast(1, tool("search")), tool("pay")], evidence)).toBe(true);
  });

  test("hold over the whole trajectory from above, and at their place where it is exact", () => {
    expect(passes([tool("pay"), exactly(1, tool("search"))], evidence)).toBe(false);
    const twice = called("search", "pay", "search");
    expect(passes([exactly(1, "search"), tool("pay"), exactly(1, "search")], twice)).toBe(false);
    expect(passes([exactly(1, "search"), tool("pay"), exactly(1, "search")], twice, true)).toBe(true);
    expect(diagnostic([atMost(1, "search"), atMost(2, "pay")], twice, true)).toMatch(/^expected no call at index 2, observed search, call "search-2" {}; expected 0 to 1 search -> 0 to 2 pay/);
  });

  test("pass no upper bound on what nobody can say", () => {
    const unsaid = { name: "search", args: () => { throw new Error("cannot look"); } };
    expect(diagnostic([atMost(1, unsaid)], called("search"))).toBe("passed");
    expect(diagnostic([atMost(0, unsaid)], called("search"))).toBe(
      'search: expected at most 0, got 0 (1 call), and of 1 nobody can say whether they count: call "search-0" {}: search arguments: cannot look',
    );
    const unended = gather([start("a", "charge"), phase("completed"), { type: "run_stream_end", runId: "root" }]);
    expect(passes([atMost(0, expectCall(anyTool("charge")))], unended)).toBe(false);
    const unreadable = completed(start("a", "charge", undefined, { argsJson: "{" }), end("a", "charge"));
    expect(passes([atMost(0, { name: "charge", args: { amount: 5 } })], unreadable)).toBe(false);
    expect(passes([atMost(0, { name: "charge", args: { amount: 5 } })], completed(call("a", "charge", { amount: 7 })))).toBe(true);
    const unsure = expectCall({ name: "charge" }, { args: (async () => false) as unknown as () => boolean });
    expect(passes([atMost(0, unsure)], called("charge"))).toBe(false);
  });
});

test("a group of three hundred expectations, each of which has to be moved, is found", () => {
  const values = Array.from({ length: 300 }, (_, at) => at);
  const evidence = completed(...values.toReversed().map((value) => call(String(value), "x", { value })));
  const group = unordered(...values.map((value) => ({ name: "x", args: (args: unknown) => (args as { value: number }).value >= value })));
  expect(passes([group], evidence, true)).toBe(true);
});
