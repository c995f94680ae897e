import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { EntailError, implement, type Fault } from "entail";
import { agent, checkDesign, design, isDesign, suite, tool, toolset, type Design, type SuiteDesign } from "entail/design";
import * as fc from "fast-check";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";

/** The faults of a design as `code @ place`, and the whole of them where a test looks closer. */
function faultsOf(made: Design): readonly Fault[] {
  try {
    checkDesign(made);
  } catch (thrown) {
    if (thrown instanceof EntailError && thrown.code === "design_invalid") return thrown.faults;
    throw thrown;
  }
  return [];
}

/** Whatever an untyped caller writes. */
function untyped(shape: unknown): never {
  return shape as never;
}

function suiteOf(shape: object, name = "chat"): Design {
  return design({ suites: [suite(name, untyped({ description: "d", timeout: "1m", scenarios: { a: { description: "d" } }, ...shape }))] });
}

function scenarioOf(shape: object, name = "a"): Design {
  return suiteOf({ scenarios: { [name]: { description: "d", ...shape } } });
}

function codes(made: Design): readonly string[] {
  return faultsOf(made).map((fault) => fault.code);
}

const plain = suite("plain", { description: "d", timeout: "1m", scenarios: { a: { description: "d" } } });

describe("the numbered facts of the design language", () => {
  test("[146] a suite with a description, 2m and a scenario with an input, two tags and 3m is kept as it stands", () => {
    const made = design({
      suites: [
        suite("chat", {
          description: "Exercises production outcomes.",
          timeout: "2m",
          scenarios: {
            answer: { description: "Answers.", input: z.object({ prompt: z.string() }), tags: ["production", "alarm"], timeout: "3m" },
            health: { description: "Is up." },
          },
        }),
      ],
    });
    const [checked, ...others] = checkDesign(made).suites;
    expect(others).toEqual([]);
    expect(checked).toMatchObject({ id: "chat", description: "Exercises production outcomes." });
    expect(checked?.scenarios.map(({ id, tags, timeoutMs, input }) => ({ id, tags, timeoutMs, input: input.kind }))).toEqual([
      { id: "answer", tags: ["production", "alarm"], timeoutMs: 180_000, input: "value" },
      { id: "health", tags: [], timeoutMs: 120_000, input: "nothing" },
    ]);
  });

  test("[154] a suite called Chat-Evals is refused: names are lower_snake_case", () => {
    const named = suite("Chat-Evals", { description: "d", timeout: "1m", scenarios: { a: { description: "d" } } });
    expect(() => implement(named, { a: () => ({}) })).toThrow(/suite "Chat-Evals".*lower_snake_case/);
    expect(codes(design({ suites: [named] }))).toEqual(["suite_name_invalid"]);
  });

  test("[155] a suite and a scenario without a description are both refused, together", () => {
    const silent = suite("chat", { description: "", timeout: "1m", scenarios: { a: { description: " " } } });
    expect(() => implement(silent, { a: () => ({}) })).toThrow(/needs a description/);
    expect(codes(design({ suites: [silent] }))).toEqual(["suite_description_missing", "scenario_description_missing"]);
  });

  test("[156] scenarios foo_1 and foo1 collide: both would have the hook foo1", () => {
    const twice = suite("chat", { description: "d", timeout: "1m", scenarios: { foo_1: { description: "d" }, foo1: { description: "d" } } });
    const faults = faultsOf(design({ suites: [twice] }));
    expect(faults.map((fault) => fault.code)).toEqual(["hook_method_collision"]);
    expect(faults[0]?.message).toMatch(/"foo_1" and "foo1".*"foo1"/);
    // foo_id and foo_i_d are two hooks here: no initialism is folded.
    expect(codes(suiteOf({ scenarios: { foo_id: { description: "d" }, foo_i_d: { description: "d" } } }))).toEqual([]);
  });

  test("[157] a scenario's timeout of 0s is refused: it must be positive", () => {
    expect(faultsOf(scenarioOf({ timeout: "0s" }))).toEqual([{ code: "timeout_not_positive", place: 'suite "chat", scenario "a"', message: 'timeout "0s" must be positive' }]);
  });

  test("[158] a scenario that carries one tag twice is refused", () => {
    const faults = faultsOf(scenarioOf({ tags: ["smoke", "alarm", "smoke"] }));
    expect(faults.map((fault) => fault.code)).toEqual(["tag_duplicate"]);
    expect(faults[0]?.message).toContain('"smoke"');
  });
});

describe("suites and scenarios", () => {
  test("all faults of a design come in one error, each with its place", () => {
    const made = design({
      agents: [agent("Bad Agent", { suites: [plain], uses: [untyped(3)] })],
      suites: [plain, suite("other", untyped({ timeout: "soon", scenarios: { A: { description: "d", tags: ["X"] } } }))],
    });
    const faults = faultsOf(made);
    expect(new Set(faults.map((fault) => fault.code))).toEqual(
      new Set(["agent_name_invalid", "agent_unknown", "suite_name_duplicate", "suite_description_missing", "timeout_unparsable", "scenario_name_invalid", "tag_invalid"]),
    );
    expect(() => checkDesign(made)).toThrow(new RegExp(`has ${faults.length} faults:\n`));
    for (const fault of faults) expect(() => checkDesign(made)).toThrow(`${fault.place}: ${fault.message}`);
  });

  test.each(["evaporator_14c_pid", "a", "a1_b2"])("%s is a name for a scenario and for a tag", (name) => {
    expect(codes(scenarioOf({ tags: [name] }, name))).toEqual([]);
  });

  test.each(["", "1a", "_a", "a_", "a__b", "aB", "a-b", "a b", "é", "__proto__"])("%j is no name", (name) => {
    expect(codes(suiteOf({}, name))).toEqual(["suite_name_invalid"]);
    expect(codes(scenarioOf({ tags: [name] }))).toEqual(["tag_invalid"]);
    expect(codes(suiteOf({ scenarios: Object.fromEntries([[name, { description: "d" }]]) }))).toContain("scenario_name_invalid");
  });

  test("two suites of one name are refused wherever they stand, and so is one suite in two places", () => {
    const same = suite("plain", { description: "d", timeout: "1m", scenarios: { b: { description: "d" } } });
    expect(codes(design({ agents: [agent("x", { suites: [same] })], suites: [plain] }))).toEqual(["suite_name_duplicate"]);
    expect(codes(design({ agents: [agent("x", { suites: [plain] }), agent("y", { suites: [plain] })] }))).toEqual(["suite_name_duplicate"]);
  });

  test("suites of one name in two designs of one project are refused", () => {
    expect(() => checkDesign(design({ suites: [plain] }), suiteOf({}, "plain"))).toThrow(/2 suites have the name "plain"/);
  });

  test("a suite needs a timeout and a scenario", () => {
    expect(codes(suiteOf({ timeout: undefined }))).toEqual(["suite_timeout_missing"]);
    expect(codes(suiteOf({ scenarios: {} }))).toEqual(["suite_empty"]);
    expect(codes(suiteOf({ scenarios: undefined }))).toEqual(["suite_empty"]);
  });

  test.each([
    ["soon", "timeout_unparsable"],
    ["", "timeout_unparsable"],
    ["3", "timeout_unparsable"],
    [3, "timeout_unparsable"],
    [null, "timeout_unparsable"],
    ["0", "timeout_not_positive"],
    ["-2m", "timeout_not_positive"],
    ["577h", "timeout_too_long"],
    ["999999999999h", "timeout_too_long"],
  ])("a timeout of %j is %s, in a suite and in a scenario", (timeout, code) => {
    expect(codes(suiteOf({ timeout }))).toEqual([code]);
    expect(codes(scenarioOf({ timeout }))).toEqual([code]);
  });

  test.each(["500ms", "90s", "1h30m", "1.5s", "24h", "576h"])("a timeout of %s is kept", (timeout) => {
    expect(codes(suiteOf({ timeout }))).toEqual([]);
  });

  test.each(["then", "constructor", "to_string", "value_of", "has_own_property", "is_prototype_of", "to_locale_string", "property_is_enumerable"])(
    "a scenario %s is refused: its hook would not be anybody's own",
    (name) => {
      expect(codes(scenarioOf({}, name))).toEqual(["hook_method_reserved"]);
    },
  );

  test.each(["delete", "class", "default", "await", "name", "length", "prototype", "call"])("a scenario may be called %s", (name) => {
    expect(codes(scenarioOf({}, name))).toEqual([]);
  });

  test("a misspelt member is refused, with the one that was meant", () => {
    expect(faultsOf(scenarioOf({ inputs: z.string() }))[0]).toMatchObject({ code: "design_member_unknown", message: expect.stringContaining('did you mean "input"') });
    expect(codes(suiteOf({ tags: ["a"] }))).toEqual(["design_member_unknown"]);
  });

  test.each([
    [{ tags: "smoke" }, "design_member_invalid"],
    [{ skip: "" }, "design_member_invalid"],
    [{ skip: true }, "design_member_invalid"],
    [{ knownFailure: 3 }, "design_member_invalid"],
    [{ revision: null }, "design_member_invalid"],
    [{ trials: 0 }, "trials_not_positive"],
    [{ trials: 1.5 }, "trials_not_positive"],
    [{ trials: "3" }, "trials_not_positive"],
    [{ require: { passRate: 1.1 } }, "design_member_invalid"],
    [{ require: { passRate: 0 } }, "design_member_invalid"],
    [{ require: 0.8 }, "design_member_invalid"],
    [{ require: { passRate: 1, of: 3 } }, "design_member_unknown"],
  ])("a scenario with %j is refused", (shape, code) => {
    expect(codes(scenarioOf(shape))).toEqual([code]);
  });

  test("skip, knownFailure, revision, trials and require pass through", () => {
    const words = { skip: "waits", knownFailure: "#12", revision: "2", trials: 5, require: { passRate: 0.8 } };
    expect(checkDesign(scenarioOf(words)).suites[0]?.scenarios[0]).toMatchObject(words);
  });

  test("what stands in the wrong place is said to", () => {
    expect(codes(design({ suites: [untyped(agent("x", {}))] }))).toEqual(["bad_context"]);
    expect(codes(design({ agents: [untyped(plain)] }))).toEqual(["bad_context"]);
    expect(codes(suiteOf({ scenarios: { a: plain } }))).toEqual(["bad_context"]);
    expect(codes(suiteOf({ scenarios: { a: "Say hello." } }))).toEqual(["design_member_invalid"]);
    expect(codes(design({ agents: [agent("x", { toolsets: [untyped(plain)], exports: [untyped(null)] })] }))).toEqual(["bad_context", "bad_context"]);
    expect(codes(untyped(plain))).toEqual(["bad_context"]);
    expect(codes(untyped(undefined))).toEqual(["bad_context"]);
    expect(() => implement(untyped({}), untyped({}))).toThrow(expect.objectContaining({ code: "bad_context" }));
  });

  test("a getter that throws is a fault of the design and not of Entail", () => {
    const broken = untyped({
      get description(): string {
        throw new Error("no luck");
      },
      timeout: "1m",
      scenarios: { a: { description: "d" } },
    });
    expect(() => checkDesign(design({ suites: [suite("x", broken)] }))).toThrow(expect.objectContaining({ code: "design_invalid", message: expect.stringContaining("no luck") }));
  });

  test("isDesign knows a design and nothing else", () => {
    expect(isDesign(design({}))).toBe(true);
    expect([undefined, null, {}, plain, "design", agent("x", {})].map(isDesign)).toEqual([false, false, false, false, false, false]);
  });
});

describe("inputs", () => {
  test.each([
    ["named object", z.object({ a: z.string() }).meta({ id: "CheckDesignNamed" })],
    ["text", z.string()],
    ["number", z.number()],
    ["array", z.array(z.string())],
    ["record", z.record(z.string(), z.int())],
    ["inline object", z.object({ a: z.string() })],
    ["union", z.discriminatedUnion("k", [z.object({ k: z.literal("a") }), z.object({ k: z.literal("b") })])],
    ["tuple", z.tuple([z.string(), z.number()])],
    ["valibot", toStandardJsonSchema(v.object({ a: v.string() }))],
    ["arktype", type({ a: "string" })],
  ])("an input may be: %s", (_what, input) => {
    expect(codes(scenarioOf({ input }))).toEqual([]);
  });

  test.each([
    ["a transform", z.string().transform(Number), "input_not_expressible"],
    ["a pipe", z.string().pipe(z.transform((text: string) => text.length)), "input_not_expressible"],
    ["a coercion", z.coerce.number(), "input_not_expressible"],
    ["a refinement", z.string().refine((text) => text !== "x"), "input_not_expressible"],
    ["a nested refinement", z.object({ a: z.array(z.string().refine((text) => text !== "x")) }), "input_not_expressible"],
    ["a date", z.object({ at: z.date() }), "input_not_expressible"],
    ["nothing declared", z.object({}), "input_empty"],
    ["an empty text", "", "input_empty"],
    ["a JSON Schema", { type: "string" }, "input_not_a_schema"],
    ["a bare valibot schema", v.string(), "input_not_a_schema"],
    ["a number", 3, "input_not_a_schema"],
    ["null", null, "input_not_a_schema"],
    ["a list with a literal and a schema", [z.string(), "Say hello."], "input_literal_and_schema"],
    ["an object with both", { schema: z.string(), text: "Say hello." }, "input_literal_and_schema"],
  ])("an input is refused: %s", (_what, input, code) => {
    const faults = faultsOf(scenarioOf({ input }));
    expect(faults.map((fault) => fault.code)).toEqual([code]);
    expect(faults[0]?.place).toContain('suite "chat", scenario "a"');
  });

  test("an unknown format is a fault in an input and a warning in a tool", () => {
    const odd = z.string().meta({ format: "no-such-format" });
    expect(codes(scenarioOf({ input: z.object({ f: odd }) }))).toEqual(["input_format_unknown"]);
    const tools = toolset("t", { x: tool({ description: "d", args: z.object({ f: odd }) }) });
    const { warnings } = checkDesign(design({ agents: [agent("a", { toolsets: [tools] })] }));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/toolset "t", tool "x", args.*no-such-format/);
  });
});

const lookup = toolset("lookup", { find: tool({ description: "Finds." }) });
const admin = toolset("admin", { purge: tool({ description: "Purges." }) });
const alarms = toolset("alarms", { list_alarms: tool({ description: "Lists." }) });

describe("whatever an untyped caller declares", () => {
  const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true });

  test("only design_invalid is ever thrown", () => {
    const shape = fc.oneof(anything, fc.record({ description: anything, timeout: anything, scenarios: fc.dictionary(fc.string(), anything), tags: anything, input: anything }, { requiredKeys: [] }));
    fc.assert(
      fc.property(shape, shape, shape, (a, b, c) => {
        const tools = toolset(untyped(a), untyped(isObject(b) ? b : { x: tool(untyped(b)), y: b }));
        const made = design(untyped({ agents: [agent(untyped(a), untyped(b)), agent("a", untyped({ toolsets: [tools, c], uses: c, suites: [c] })), a], suites: [suite("s", untyped(c)), suite("t", untyped({ description: "d", timeout: "1m", scenarios: { a: b, b: c } }))] }));
        for (const each of [made, untyped(a) as Design]) {
          expect(() => faultsOf(each)).not.toThrow();
        }
      }),
      { numRuns: 300 },
    );
  });

  function isObject(value: unknown): boolean {
    return typeof value === "object" && value !== null;
  }

  test("the order of declaration changes nothing but the order of scenarios", () => {
    const suites: SuiteDesign[] = ["a", "b", "c"].map((name) => suite(name, { description: "d", timeout: "1m", scenarios: { x: { description: "d" } } }));
    const straight = checkDesign(design({ agents: [agent("m", { toolsets: [lookup, admin] }), agent("n", { exports: [alarms] })], suites }));
    const turned = checkDesign(design({ suites: suites.toReversed(), agents: [agent("n", { exports: [alarms] }), agent("m", { toolsets: [admin, lookup] })] }));
    expect(turned).toEqual(straight);
  });
});
