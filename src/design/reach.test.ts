import { EntailError, type Fault } from "entail";
import { agent, checkDesign, design, suite, tool, toolset, type AgentDesign, type Design } from "entail/design";
import { describe, expect, test } from "vitest";
import { z } from "zod";

function faultsOf(made: Design): readonly Fault[] {
  try {
    checkDesign(made);
  } catch (thrown) {
    if (thrown instanceof EntailError && thrown.code === "design_invalid") return thrown.faults;
    throw thrown;
  }
  return [];
}

function codes(made: Design): readonly string[] {
  return faultsOf(made).map((fault) => fault.code);
}

/** Whatever an untyped caller writes. */
function untyped(shape: unknown): never {
  return shape as never;
}

const plain = suite("plain", { description: "d", timeout: "1m", scenarios: { a: { description: "d" } } });
const lookup = toolset("lookup", { find: tool({ description: "Finds." }) });
const admin = toolset("admin", { purge: tool({ description: "Purges." }) });
const alarms = toolset("alarms", { list_alarms: tool({ description: "Lists." }) });

/** The names of the tools that the agent of suite `plain` reaches. */
function reached(...agents: readonly AgentDesign[]): readonly string[] | undefined {
  return checkDesign(design({ agents })).suites.find((each) => each.id === "plain")?.agent?.tools.map((each) => each.name);
}

describe("agents and reach", () => {
  test("an agent reaches its own toolsets and all exports of an agent that it uses", () => {
    const desk = agent("desk", { exports: [lookup, admin] });
    expect(reached(agent("chat", { toolsets: [alarms], uses: [desk], suites: [plain] }), desk)).toEqual(["find", "list_alarms", "purge"]);
  });

  test("of an agent that is used in part only the named exports are reached, even where the agent has the others itself", () => {
    const desk = agent("desk", { toolsets: [lookup, admin], exports: [lookup, admin] });
    expect(reached(agent("chat", { toolsets: [alarms], uses: [{ agent: desk, toolsets: ["lookup"] }], suites: [plain] }), desk)).toEqual(["find", "list_alarms"]);
  });

  test("what a used agent has for itself, and what it uses, is reached too", () => {
    const far = agent("far", { exports: [admin], toolsets: [alarms] });
    const desk = agent("desk", { exports: [], toolsets: [lookup], uses: [far] });
    expect(reached(agent("chat", { uses: [desk], suites: [plain] }))).toEqual(["find", "list_alarms", "purge"]);
  });

  test("agents may use each other in a circle, and themselves", () => {
    const uses: AgentDesign[] = [];
    const a = agent("a", {
      get uses(): AgentDesign[] {
        return [b];
      },
      toolsets: [alarms],
      suites: [plain],
    });
    const b = agent("b", { uses, exports: [lookup] });
    uses.push(a, b);
    expect(reached(a, b)).toEqual(["find", "list_alarms"]);
  });

  test("an agent that is only used is part of the design, and no suite of it is lost", () => {
    const desk = agent("desk", { exports: [lookup], suites: [plain] });
    const checked = checkDesign(design({ agents: [agent("chat", { uses: [desk] })] }));
    expect(checked.suites.map((each) => each.id)).toEqual(["plain"]);
    expect(checked.toolsets.map((each) => each.name)).toEqual(["lookup"]);
  });

  test("an agent without a tool in reach has none to give", () => {
    expect(reached(agent("chat", { suites: [plain] }))).toEqual([]);
  });

  test("two reachable tools of one name are refused, and one toolset reached on two ways is not", () => {
    const other = toolset("other", { locate: tool({ description: "d", name: "find" }) });
    const faults = faultsOf(design({ agents: [agent("chat", { toolsets: [lookup, other] })] }));
    expect(faults.map((fault) => fault.code)).toEqual(["tool_name_duplicate"]);
    expect(faults[0]?.message).toMatch(/"find".*"lookup" and "other"/);
    const desk = agent("desk", { exports: [lookup] });
    expect(codes(design({ agents: [agent("chat", { toolsets: [lookup, lookup], uses: [desk] })] }))).toEqual([]);
  });

  test("two tools of one toolset with one name are refused", () => {
    const twice = toolset("twice", { find: tool({ description: "d" }), locate: tool({ description: "d", name: "find" }) });
    expect(codes(design({ agents: [agent("chat", { toolsets: [twice] })] }))).toEqual(["tool_name_duplicate"]);
  });

  test.each([
    ["an export that is not there", { uses: [{ agent: agent("desk", { exports: [lookup] }), toolsets: ["lokup"] }] }, "toolset_not_exported"],
    ["no agent", { uses: [undefined] }, "agent_unknown"],
    ["a name", { uses: ["desk"] }, "agent_unknown"],
    ["a toolset", { uses: [lookup] }, "bad_context"],
    ["a misspelt member of a use", { uses: [{ agent: agent("desk", {}), toolset: ["x"] }] }, "design_member_unknown"],
    ["a misspelt member", { toolset: [lookup] }, "design_member_unknown"],
    ["no list", { toolsets: lookup }, "design_member_invalid"],
  ])("an agent that uses %s is refused", (_what, shape, code) => {
    expect(codes(design({ agents: [agent("chat", untyped(shape))] }))).toContain(code);
  });

  test("agents and toolsets of one name are refused, and the same one twice is not", () => {
    expect(codes(design({ agents: [agent("x", {}), agent("x", {})] }))).toEqual(["agent_name_duplicate"]);
    const x = agent("x", { toolsets: [lookup] });
    expect(codes(design({ agents: [x, x] }))).toEqual([]);
    const other = toolset("lookup", {});
    expect(codes(design({ agents: [agent("x", { toolsets: [lookup], exports: [other] })] }))).toEqual(["toolset_name_duplicate"]);
    expect(codes(design({ agents: [agent("X", { toolsets: [toolset("My Tools", {})] })] }))).toEqual(["agent_name_invalid", "toolset_name_invalid"]);
  });

  test("a tool is called by its key, or by the name it gives itself", () => {
    const tools = toolset("t", { list_alarms: tool({ description: "d", bounded: true, confirm: true, tags: ["x y"] }), remove: tool({ description: "d", name: "alarms.delete" }) });
    const [checked] = checkDesign(design({ agents: [agent("a", { toolsets: [tools] })] })).toolsets;
    expect(checked?.tools.map(({ name, bounded, confirm, tags }) => ({ name, bounded, confirm, tags }))).toEqual([
      { name: "alarms.delete", bounded: false, confirm: false, tags: [] },
      { name: "list_alarms", bounded: true, confirm: true, tags: ["x y"] },
    ]);
    expect(tools.tools.list_alarms).toMatchObject({ name: "list_alarms", bounded: true, confirm: true, tags: ["x y"] });
    expect(tools.tools.remove.name).toBe("alarms.delete");
  });

  test.each([
    [{ x: { description: "d" } }, "bad_context"],
    [{ x: plain }, "bad_context"],
    [{ x: tool(untyped({ description: "d", name: "" })) }, "tool_name_invalid"],
    [{ "": tool({ description: "d" }) }, "tool_name_invalid"],
    [{ x: tool(untyped({ description: 3 })) }, "design_member_invalid"],
    [{ x: tool(untyped({ description: "d", bounded: "yes" })) }, "design_member_invalid"],
    [{ x: tool(untyped({ description: "d", args: { type: "string" } })) }, "input_not_a_schema"],
    [{ x: tool(untyped({ description: "d", arg: z.string() })) }, "design_member_unknown"],
    [{ x: tool(untyped(undefined)) }, "design_member_invalid"],
    [Object.setPrototypeOf({}, tool({ description: "d" })), "tool_name_invalid"],
    [undefined, "design_member_invalid"],
  ])("tools %# are refused", (tools, code) => {
    expect(codes(design({ agents: [agent("a", { toolsets: [toolset("t", untyped(tools))] })] }))).toEqual([code]);
  });

  test("typed tools decode, and a tool may be called __proto__ or then", async () => {
    const odd = toolset("odd", Object.fromEntries(["__proto__", "then", "constructor"].map((name) => [name, tool({ description: "d", args: z.object({ a: z.string() }) })])));
    expect(Object.keys(odd.tools)).toEqual(["__proto__", "then", "constructor"]);
    expect(odd.tools["__proto__"]?.args.decode({ a: "x" })).toEqual({ a: "x" });
    expect(() => odd.tools["__proto__"]?.args.decode({ a: 1 })).toThrow(expect.objectContaining({ code: "value_invalid" }));
    expect(await Promise.resolve(odd.tools)).toBe(odd.tools);
    expect(checkDesign(design({ agents: [agent("a", { toolsets: [odd] })] })).toolsets[0]?.tools.map((each) => each.name)).toEqual(["__proto__", "constructor", "then"]);
  });
});
