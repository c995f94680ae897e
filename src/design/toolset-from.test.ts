import { createTool } from "@mastra/core/tools";
import { jsonSchema, tool as aiTool, zodSchema, type Tool } from "ai";
import { type } from "arktype";
import type { EntailError } from "entail";
import { agent, checkDesign, design, suite, tool, toolset, toolsetFrom, type CheckedTool, type ToolsetDesign } from "entail/design";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { generate } from "../codegen/generate.ts";

const chats = suite("chat", { description: "Chats.", timeout: "1m", scenarios: { greeting: { description: "Greets." } } });
const designOf = (set: ToolsetDesign): ReturnType<typeof design> => design({ agents: [agent("chat", { description: "Answers.", toolsets: [set], suites: [chats] })] });
const checked = (set: ToolsetDesign): readonly CheckedTool[] => checkDesign(designOf(set)).toolsets[0]?.tools ?? [];
const faultsOf = (set: ToolsetDesign): readonly (readonly [string, string])[] => {
  try {
    checked(set);
    return [];
  } catch (thrown) {
    return (thrown as EntailError).faults.map(({ code, place }) => [code, place] as const);
  }
};
const textOf = (set: ToolsetDesign): string => generate(checkDesign(designOf(set))).files.find(({ path }) => path.startsWith("gen/toolsets/"))?.text ?? "";

const window = z.object({ window: z.string().describe("How far back."), limit: z.number().int().default(10) });
const windowText = textOf(toolset("alarms", { list_alarms: tool({ description: "Lists alarms.", args: window }) }));

describe("tools from where they live give the text that a declaration by hand gives", () => {
  test("of the AI SDK, with a schema of zod", () => {
    expect(textOf(toolsetFrom("alarms", { list_alarms: aiTool({ description: "Lists alarms.", inputSchema: window, execute: () => [] }) }))).toBe(windowText);
  });
  test("of Mastra", () => {
    expect(textOf(toolsetFrom("alarms", { list_alarms: createTool({ id: "list-alarms", description: "Lists alarms.", inputSchema: window, execute: async () => [] }) }))).toBe(windowText);
  });
  test("of a catalogue of JSON Schemas", () => {
    const inputSchema = { type: "object", properties: { window: { type: "string", description: "How far back." }, limit: { default: 10, type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER } }, required: ["window"] };
    expect(textOf(toolsetFrom("alarms", { list_alarms: { description: "Lists alarms.", inputSchema } }))).toBe(windowText);
    expect(textOf(toolsetFrom("alarms", { list_alarms: { description: "Lists alarms.", inputSchema: { $schema: "https://json-schema.org/draft/2020-12/schema", ...inputSchema } } }))).toBe(windowText);
  });
});

test("a result's schema is taken where a tool has one, and a side that it leaves out is unknown", () => {
  const result = z.object({ ids: z.array(z.string()) });
  const set = toolsetFrom("alarms", {
    a: aiTool({ description: "A.", inputSchema: z.object({}), outputSchema: result, execute: () => ({ ids: [] }) }),
    b: createTool({ id: "b", description: "B.", outputSchema: result, execute: async () => ({ ids: [] }) }),
    c: { description: "C.", inputSchema: { type: "object" }, outputSchema: { type: "object", properties: { ids: { type: "array", items: { type: "string" } } }, required: ["ids"] } },
    d: { description: "D." },
    e: {},
  });
  const tools = checked(set);
  expect(tools.map(({ name, args, result: given }) => [name, args !== undefined, given?.schema["required"]])).toEqual([["a", true, ["ids"]], ["b", false, ["ids"]], ["c", true, ["ids"]], ["d", false, undefined], ["e", false, undefined]]);
  expect(tools.map(({ description }) => description)).toEqual(["A.", "B.", "C.", "D.", ""]);
  expect(set.tools.c.result.decode({ ids: ["a1"] })).toEqual({ ids: ["a1"] });
  expect(() => set.tools.c.result.decode({ ids: [1] })).toThrow("ids[0] must be a string");
  expect(set.tools.d.args.decode(7)).toBe(7);
});

test("every kind of schema that the AI SDK takes is read: its own, a lazy one, zod's through its helper, arktype", () => {
  const inputs = { own: jsonSchema({ type: "object", properties: { q: { type: "string" } }, required: ["q"] }), lazy: () => zodSchema(z.object({ q: z.string() })), helped: zodSchema(z.object({ q: z.string() })), ark: type({ q: "string" }), getter: jsonSchema(() => ({ type: "object", properties: { q: { type: "string" } }, required: ["q"] })) };
  const tools = checked(toolsetFrom("search", Object.fromEntries(Object.entries(inputs).map(([name, inputSchema]) => [name, { description: "Finds.", inputSchema }]))));
  expect(tools.map(({ name, args }) => [name, args?.schema["required"], args?.schema["properties"]])).toEqual(["ark", "getter", "helped", "lazy", "own"].map((name) => [name, ["q"], { q: { type: "string" } }]));
});

test("definitions of draft-07, which servers still write, are kept as definitions", () => {
  const inputSchema = { $schema: "http://json-schema.org/draft-07/schema#", type: "object", properties: { of: { $ref: "#/definitions/Alarm" } }, definitions: { Alarm: { type: "object", properties: { id: { type: "string" } } } } };
  expect(textOf(toolsetFrom("alarms", { read: { description: "Reads.", inputSchema } }))).toContain("export type Alarm = {");
});

describe("what a tool says of itself, and what is said of it", () => {
  test("one that always asks for approval is to be confirmed; one that decides for each call says nothing", () => {
    const tools = checked(toolsetFrom("alarms", {
      a: aiTool({ description: "A.", inputSchema: z.object({}), needsApproval: true, execute: () => 1 }),
      b: createTool({ id: "b", description: "B.", requireApproval: true, execute: async () => 1 }),
      c: aiTool({ description: "C.", inputSchema: z.object({}), needsApproval: () => true, execute: () => 1 }),
      d: { description: "D." },
    }));
    expect(tools.map(({ confirm }) => confirm)).toEqual([true, true, false, false]);
  });
  test("options take some of the tools, and mark those whose results are bounded and those that wait", () => {
    const set = toolsetFrom("alarms", { list: {}, remove: {}, other: {} }, { only: ["remove", "list"], bounded: ["list"], confirm: ["remove"] });
    expect(checked(set).map(({ name, bounded, confirm }) => [name, bounded, confirm])).toEqual([["list", true, false], ["remove", false, true]]);
  });
  test.each([
    [{ only: ["lst"] }, 'toolset "alarms": only names the tool "lst", which is not there; did you mean "list"?'],
    [{ bounded: ["remove"] }, 'toolset "alarms": bounded names the tool "remove", which is not there'],
    [{ confirm: [7] }, 'toolset "alarms": confirm names the tool 7, which is not there'],
    [{ confirm: "list" }, 'toolset "alarms": confirm must be a list of names of tools'],
    [{ onyl: ["list"] }, 'toolset "alarms": there is no option "onyl"; did you mean "only"?'],
  ])("an option that is wrong is refused: %j", (options, message) => {
    expect(() => toolsetFrom("alarms", { list: {} }, options as never)).toThrow(expect.objectContaining({ code: "option_invalid", message }) as Error);
  });
});

describe("what no design can hold is a fault with its place", () => {
  test("schemas", () => {
    expect(
      faultsOf(
        toolsetFrom("alarms", {
          list: { inputSchema: { type: "object", properties: { pair: { type: "array", items: [{ type: "string" }] } } } },
          kind: { inputSchema: { type: "thing" } },
          far: { inputSchema: { $ref: "https://example.com/alarm.json" } },
          text: { inputSchema: "a text" },
          number: { outputSchema: 7 },
          zod: { inputSchema: z.object({ at: z.string().transform(Number) }) },
          promise: { inputSchema: jsonSchema(Promise.resolve({ type: "object" })) },
          late: { inputSchema: () => { throw new Error("no such schema"); } },
          twice: { inputSchema: () => () => ({}) },
          big: { inputSchema: { type: "object", properties: { a: { const: 1n } } } },
        }),
      ).map(([code, place]) => `${code} ${place}`).sort(),
    ).toEqual([
      'input_not_a_schema toolset "alarms", tool "number", result',
      'input_not_a_schema toolset "alarms", tool "text", args',
      'schema_invalid toolset "alarms", tool "big", args',
      'schema_invalid toolset "alarms", tool "far", args',
      'schema_invalid toolset "alarms", tool "kind", args',
      'schema_invalid toolset "alarms", tool "late", args',
      'schema_invalid toolset "alarms", tool "list", args, pair[]',
      'schema_invalid toolset "alarms", tool "promise", args',
      'schema_invalid toolset "alarms", tool "twice", args',
      'schema_invalid toolset "alarms", tool "zod", args, at',
    ]);
  });
  test("a schema that is a promise, as what must be done about it", () => {
    for (const inputSchema of [Promise.resolve({}), jsonSchema(Promise.resolve({ type: "object" }))]) {
      expect(() => checked(toolsetFrom("alarms", { a: { inputSchema } }))).toThrow("it is a promise; await it and give what it settles to");
    }
  });
  test("tools that are none, and names that no model can call", () => {
    expect(faultsOf(toolsetFrom("alarms", { a: undefined as never, b: 7 as never, "": {}, ["\ud83d"]: {} })).map(([code]) => code)).toEqual(["bad_context", "bad_context", "tool_name_invalid", "tool_name_invalid"]);
    expect(faultsOf(toolsetFrom("No Name" as "n", {}))).toEqual([["toolset_name_invalid", 'toolset "No Name"']]);
  });
});

test("a catalogue of another form is refused at once, where the arguments of its tools would be anything", () => {
  expect(() => toolsetFrom("alarms", { list: { description: "Lists.", parameters: { type: "object" } } as never })).toThrow('the tool "list" has "parameters" where "inputSchema" is wanted');
  expect(() => toolsetFrom("alarms", { list: { description: "Lists.", input_schema: { type: "object" } } as never })).toThrow('has "input_schema"');
  expect(() => toolsetFrom("alarms", [] as never)).toThrow("needs an object of tools by their names");
  expect(() => toolsetFrom("alarms", null as never)).toThrow("needs an object of tools by their names");
});

test("odd names keep what a model calls, also __proto__, and the order of the tools changes nothing", () => {
  const names = ["__proto__", "constructor", "get-weather", "get_weather", "1st", "déjà vu", 'say "hi"', "*/ x"];
  const tools = Object.fromEntries(names.map((name) => [name, { inputSchema: { type: "object", properties: { [name]: { type: "string" } } } }]));
  const set = toolsetFrom("odd", tools);
  expect(checked(set).map(({ name }) => name)).toEqual([...names].sort((a, b) => (a < b ? -1 : 1)));
  expect(set.tools["__proto__"]?.name).toBe("__proto__");
  expect(textOf(set)).toBe(textOf(toolsetFrom("odd", Object.fromEntries(Object.entries(tools).toReversed()))));
});

test("a schema that stands for itself validates as a Standard Schema does", async () => {
  const set = toolsetFrom("alarms", { list: { inputSchema: { type: "object", properties: { n: { type: "number", default: 3 } } } } });
  const { args } = (set.declared as { list: { shape: { args: z.ZodType } } }).list.shape;
  expect(await args["~standard"].validate({})).toEqual({ value: { n: 3 } });
  expect(await args["~standard"].validate({ n: "x" })).toEqual({ issues: [{ message: "n must be a number" }] });
});

test("a tool of a design may stand among the others", () => {
  const tools: Record<string, Tool | ReturnType<typeof tool>> = { a: tool({ description: "A.", args: z.object({ q: z.string() }) }), b: aiTool({ inputSchema: z.object({}), execute: () => 1 }) };
  expect(checked(toolsetFrom("mixed", tools as never)).map(({ name, args }) => [name, args?.schema["required"]])).toEqual([["a", ["q"]], ["b", undefined]]);
});
