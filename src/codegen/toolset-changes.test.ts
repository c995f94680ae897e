import { agent, checkDesign, design, suite, toolsetFrom, type ForeignTool } from "entail/design";
import { describe, expect, test } from "vitest";
import { generate } from "./generate.ts";
import { toolsetChanges, toolsetChangesText } from "./toolset-changes.ts";

function textOf(tools: Readonly<Record<string, ForeignTool>>): string {
  const chats = suite("chat", { description: "Chats.", timeout: "1m", scenarios: { greeting: { description: "Greets." } } });
  const checked = checkDesign(design({ agents: [agent("chat", { description: "Answers.", toolsets: [toolsetFrom("set", tools)], suites: [chats] })] }));
  return generate(checked).files.find(({ path }) => path.startsWith("gen/toolsets/"))?.text ?? "";
}
const object = (properties: object, more: object = {}): object => ({ type: "object", properties, ...more });
const changes = (before: Readonly<Record<string, ForeignTool>>, after: Readonly<Record<string, ForeignTool>>): string => toolsetChangesText(toolsetChanges(textOf(before), textOf(after)));

const LIST: ForeignTool = { description: "Lists.", inputSchema: object({ window: { type: "string" } }, { required: ["window"] }), outputSchema: object({ rows: { type: "array", items: object({ id: { type: "string" } }) } }) };
const DELETE: ForeignTool = { description: "Deletes.", inputSchema: object({ id: { type: "string" } }) };

describe("a tool has changed where anything that a model or a check sees of it has", () => {
  test("its arguments, its result, its description, its marks", () => {
    const base = { list: LIST, remove: DELETE };
    expect(changes(base, base)).toBe("");
    expect(changes(base, { ...base, list: { ...LIST, inputSchema: object({ window: { type: "string", minLength: 2 } }, { required: ["window"] }) } })).toBe('tool "list" changed');
    expect(changes(base, { ...base, list: { ...LIST, outputSchema: object({ rows: { type: "array", items: object({ id: { type: "number" } }) } }) } })).toBe('tool "list" changed');
    expect(changes(base, { ...base, remove: { ...DELETE, description: "Deletes for ever." } })).toBe('tool "remove" changed');
    expect(changes(base, { ...base, remove: { ...DELETE, needsApproval: true } as ForeignTool })).toBe('tool "remove" changed');
  });
  test("a definition that its schemas lead to, however far, and no other tool's", () => {
    const nested = (zone: object): ForeignTool => ({
      inputSchema: { type: "object", properties: { alarm: { $ref: "#/$defs/Alarm" } }, $defs: { Alarm: object({ zone: { $ref: "#/$defs/Zone" }, label: { type: "string", description: "What it is called, in words that are long enough for the definition to need lines of its own." } }), Zone: zone } },
    });
    const other: ForeignTool = { inputSchema: { type: "object", properties: { unit: { $ref: "#/$defs/Unit" } }, $defs: { Unit: object({ name: { type: "string" } }) } } };
    expect(changes({ a: nested({ type: "string" }), b: other }, { a: nested({ type: "string", minLength: 3 }), b: other })).toBe('tool "a" changed');
    expect(changes({ a: nested({ type: "string" }), b: other }, { a: nested({ type: "string" }), b: { ...other, description: "B." } })).toBe('tool "b" changed');
    // Small enough to stand on one line with the rest.
    const small = (type: string): ForeignTool => ({ inputSchema: object({ n: { type } }) });
    expect(textOf({ a: small("string") })).toMatch(/^const \$defs = \{.*\};$/m);
    expect(changes({ a: small("string") }, { a: small("number") })).toBe('tool "a" changed');
  });
});

test("tools that are new and tools that are gone are named, after those that changed", () => {
  expect(changes({ list: LIST, remove: DELETE }, { list: { ...LIST, description: "Lists all." }, mute: {} })).toBe('tool "list" changed, tool "mute" is new, tool "remove" is gone');
});

test("names are those that a model calls, however odd, and code within descriptions is no tool", () => {
  const odd = ["__proto__", 'say "hi"', "*/ x", "get-weather", "get_weather", "a/b~c", "line\nbreak"];
  const sly: ForeignTool = { description: 'x\n};\nexport const evilTool: TypedTool<unknown, unknown, "evil"> = {\n  name: "evil",\n};', inputSchema: object({ q: { type: "string", description: '};\nconst $defs = {' } }) };
  const before = { sly, ...Object.fromEntries(odd.map((name) => [name, LIST])) };
  expect(changes(before, { ...before, sly: { ...sly, inputSchema: object({ q: { type: "number", description: '};\nconst $defs = {' } }) } })).toBe('tool "sly" changed');
  for (const name of odd) {
    const now = Object.fromEntries(Object.entries(before).map(([each, foreign]) => [each, each === name ? DELETE : foreign]));
    expect(changes(before, now)).toBe(`tool ${JSON.stringify(name)} changed`);
  }
});

test("a text that was never generated has no tools", () => {
  expect(toolsetChanges("// mine\nexport const x = 1;\n", textOf({ list: LIST }))).toEqual({ added: ["list"], removed: [], changed: [] });
  expect(toolsetChanges(textOf({}), textOf({ list: LIST }))).toEqual({ added: ["list"], removed: [], changed: [] });
});
