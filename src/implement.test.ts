import { join } from "node:path";
import { check, EntailError, implement, type HookContext, type Result, type Suite } from "entail";
import { suite, type SuiteDesign } from "entail/design";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import shapes from "../test/fixture/codegen/shapes/design/shapes.ts";

const ok: Result = { checks: [check("ok", true, "")] };
const ctx = {} as HookContext;

describe("implement", () => {
  const chatSuite = suite("chat", {
    description: "Exercises outcomes.",
    timeout: "2m",
    scenarios: {
      alarm_inventory: { description: "d", input: z.object({ user: z.string(), limit: z.int().default(3) }), tags: ["smoke"], timeout: "3m" },
      health_check: { description: "d", skip: "waits", trials: 2 },
      greeting: { description: "d", input: "Say hello." },
    },
  });
  const hooks = {
    alarmInventory: (_: HookContext, input: { user: string; limit: number }) => ({ ...ok, output: `${input.user} ${input.limit}` }),
    healthCheck: () => ok,
    greeting: (_: HookContext, text: string) => ({ ...ok, output: text }),
  };

  test("makes the suite of a design from the design alone", async () => {
    const made = implement(chatSuite, hooks, { alarmInventory: { user: "u" } });
    expect(made).toMatchObject({ id: "chat", description: "Exercises outcomes." });
    expect(made).not.toHaveProperty("digest");
    expect(made.scenarios.map(({ run: _run, ...words }) => words)).toEqual([
      { id: "alarm_inventory", description: "d", tags: ["smoke"], timeoutMs: 180_000, input: { user: "u", limit: 3 }, inputSchema: expect.objectContaining({ type: "object" }) },
      { id: "health_check", description: "d", tags: [], timeoutMs: 120_000, skip: "waits", trials: 2 },
      { id: "greeting", description: "d", tags: [], timeoutMs: 120_000, input: "Say hello." },
    ]);
    const outputs = await Promise.all(made.scenarios.map(async (scenario) => (await scenario.run(ctx)).output));
    expect(outputs).toEqual(["u 3", undefined, "Say hello."]);
  });

  test("takes no inputs where no scenario needs one", () => {
    const plain = suite("plain", { description: "d", timeout: "1m", scenarios: { up: { description: "d" }, whole: { description: "d", input: z.string().default("all") } } });
    const made = implement(plain, { up: () => ok, whole: () => ok });
    expect(made.scenarios.map((scenario) => scenario.input)).toEqual([undefined, "all"]);
  });

  test("looks again at run time, where types are stripped", () => {
    const untyped = implement as unknown as (design: unknown, hooks?: unknown, inputs?: unknown) => Suite;
    expect(() => untyped(chatSuite, { healthChek: () => ok }, { greeting: "Hi." })).toThrow(
      expect.objectContaining({ code: "suite_binding_invalid", faults: expect.objectContaining({ length: 6 }) }),
    );
    expect(() => untyped(chatSuite)).toThrow(/hooks must be an object, not undefined/);
    expect(() => untyped(suite("Chat", { description: "", timeout: "", scenarios: {} }), {}, {})).toThrow(expect.objectContaining({ code: "design_invalid", faults: expect.objectContaining({ length: 4 }) }));
  });

  test("never asks the schema library: the JSON Schema alone decides", () => {
    const asked: unknown[] = [];
    const spied = z.object({ a: z.string() });
    const schema = { "~standard": { ...spied["~standard"], validate: (value: unknown) => (asked.push(value), { value: { a: "changed" } }) } };
    const made = implement(suite("s", { description: "d", timeout: "1m", scenarios: { x: { description: "d", input: schema as typeof spied } } }), { x: () => ok }, { x: { a: "mine" } });
    expect(made.scenarios[0]?.input).toEqual({ a: "mine" });
    expect(asked).toEqual([]);
  });
});

// A value that fits for each scenario of the fixture; the others are made from it by changing something.
const fitting: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  of_zod: {
    text: "t",
    names: ["a", "b"],
    counts: { a: 1 },
    inline: { a: "x", b: 1.5, c: null, d: 1, e: "In Progress" },
    firstCustom: { name: "n", city: "c" },
    secondCustom: { name: "n", age: 3 },
    people: { home: { street: "s" }, others: [{ street: "s", zip: "z" }] },
    tree: { v: "x", kids: [{ v: "y", kids: [] }] },
    action: { kind: "wait", seconds: 1 },
    pair: ["a", 1],
    sparse: ["a"],
    rest: ["a", 1, 2],
    keyed: { a: 1, b: 2 },
    partly: { a: 1 },
    loose: { a: "x", more: [1] },
    both: { a: "x", b: 1 },
    json: { a: [1, "x", null, { b: true }] },
    anything: { a: 1, b: {} },
    settings: { limit: 5, deep: {}, list: [{}] },
    whole: "some",
  },
  of_valibot: { vObject: { a: "x", d: "y" }, vTuple: ["a", 1], vVariant: { kind: "b", n: 1 }, vPage: { title: "t", next: { title: "u" } } },
  of_arktype: { aObject: { a: "x", d: "y" }, aUnion: 1, aRecord: { a: 1 }, aTree: { name: "n", branches: [{ name: "m" }] } },
  of_json_schema: {
    mixedEnum: null,
    numberEnum: 2,
    one: "x",
    objectEnum: { a: 1 },
    twice: "x",
    distances: { dist: "" },
    node: { v: "x", kids: [{ v: "y" }] },
    allOf: { a: "x", c: true, zzz: 1 },
    nullable: { s: null, d: "2024-05-01T10:00:00Z", u: 3 },
  },
};

/** The same value with something put, changed or taken away somewhere in it. */
function changed(value: unknown): fc.Arbitrary<unknown> {
  const other = fc.oneof(fc.constantFrom<unknown>("x", "", 0, 1.5, -1, null, true, [], {}, { a: 1 }, undefined), fc.jsonValue({ maxDepth: 2 }));
  if (typeof value !== "object" || value === null) return other;
  const entries = Object.entries(value);
  const rebuilt = (members: readonly (readonly [string, unknown])[]): unknown => (Array.isArray(value) ? members.map(([, item]) => item) : Object.fromEntries(members));
  const at = fc.nat({ max: Math.max(0, entries.length - 1) });
  return fc.oneof(
    other,
    fc.tuple(fc.constantFrom("more", "__proto__", "constructor", "a b"), other).map(([name, item]) => rebuilt([...entries, [name, item]])),
    at.map((drop) => rebuilt(entries.filter((_, index) => index !== drop))),
    at.chain((swap) => changed(entries[swap]?.[1]).map((item) => rebuilt(entries.map(([name, old], index) => [name, index === swap ? item : old])))),
  );
}

const anyHooks: object = new Proxy({}, { get: (_, name) => (typeof name === "string" ? () => ok : undefined), ownKeys: () => [] });

/** What binding gives: the inputs as they are kept, or the error's words. */
function outcome(bind: () => Suite): unknown {
  try {
    return bind().scenarios.map((scenario) => scenario.input);
  } catch (thrown) {
    if (thrown instanceof EntailError) return { code: thrown.code, message: thrown.message, faults: thrown.faults };
    throw thrown;
  }
}

describe.each(Object.keys(fitting))("generated code and implement, for %s", (id) => {
  const declared = shapes.shape.suites?.find((each) => each.name === id) as SuiteDesign;
  const good = fitting[id] ?? {};
  const both = async (): Promise<readonly ((inputs: unknown) => unknown)[]> => {
    const { newSuite } = (await import(join(import.meta.dirname, `../test/fixture/codegen/shapes/gen/evals/${id}/suite.ts`))) as { readonly newSuite: (hooks: object, inputs: unknown) => Suite };
    const implemented = implement as unknown as (design: SuiteDesign, hooks: object, inputs: unknown) => Suite;
    return [(inputs) => outcome(() => newSuite(anyHooks, inputs)), (inputs) => outcome(() => implemented(declared, anyHooks, inputs))];
  };

  test("accept a fitting value for every scenario", async () => {
    const [generated, implemented] = await both();
    expect(generated?.(good)).toEqual(expect.any(Array));
    expect(implemented?.(good)).toEqual(generated?.(good));
  });

  test("accept the same values, fill in the same defaults and refuse the others in the same words", async () => {
    const [generated, implemented] = await both();
    let refused = 0;
    let accepted = 0;
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(good)).chain((hook) => fc.tuple(fc.constant(hook), changed(good[hook]))), ([hook, value]) => {
        const inputs = { ...good, [hook]: value };
        const outcomes = [generated?.(inputs), implemented?.(inputs)];
        expect(outcomes[1]).toEqual(outcomes[0]);
        if (Array.isArray(outcomes[0])) accepted++;
        else refused++;
      }),
      { numRuns: 150 },
    );
    expect(refused).toBeGreaterThan(10);
    expect(accepted).toBeGreaterThan(0);
  });
});
