import { createTool } from "@mastra/core/tools";
import { jsonSchema, tool as aiTool, type ToolSet } from "ai";
import { toolsetFrom, type ToolsetDesign } from "entail/design";
import { expectCall } from "entail/evidence";
import { describe, expectTypeOf, test } from "vitest";
import { z } from "zod";
import type { TypedTool } from "../core/tool.ts";

const window = z.object({ window: z.string(), limit: z.number().default(10) });
const rows = z.object({ rows: z.array(z.string()) });

describe("the real tools of a framework are tools", () => {
  test("of the AI SDK, with what their schemas say", () => {
    const set = toolsetFrom("alarms", {
      list: aiTool({ description: "Lists.", inputSchema: window, outputSchema: rows, execute: () => ({ rows: [] }) }),
      plain: aiTool({ inputSchema: jsonSchema<{ q: string }>({ type: "object" }), execute: () => 1 }),
    });
    expectTypeOf(set).toExtend<ToolsetDesign<"alarms">>();
    expectTypeOf(set.tools.list.name).toEqualTypeOf<"list">();
    expectTypeOf(set.tools.list.args.decode(1)).toEqualTypeOf<{ window: string; limit: number }>();
    expectTypeOf(set.tools.plain.args.decode(1)).toEqualTypeOf<{ q: string }>();
    expectCall(set.tools.list, { args: (args) => args.window === "24h" });
    // @ts-expect-error no such field
    expectCall(set.tools.list, { args: (args) => args.span === "24h" });
    // @ts-expect-error no such tool
    void (() => set.tools.remove.name);
  });
  test("of Mastra", () => {
    const set = toolsetFrom("alarms", { list: createTool({ id: "list", description: "Lists.", inputSchema: window, outputSchema: rows, execute: async () => ({ rows: [] }) }) });
    expectTypeOf(set.tools.list).toExtend<TypedTool<any, any, "list">>();
    expectTypeOf(set.tools.list.args.decode(1)).not.toBeAny();
  });
  test("of a catalogue, whose values nobody knows before it is read, and of a set whose names nobody knows", () => {
    const set = toolsetFrom("alarms", { list: { description: "Lists.", inputSchema: { type: "object" } } });
    expectTypeOf(set.tools.list).toEqualTypeOf<TypedTool<unknown, unknown, "list">>();
    const whole = toolsetFrom("alarms", null as unknown as ToolSet);
    expectTypeOf(whole.tools["anything"]?.name).toEqualTypeOf<string | undefined>();
    toolsetFrom("alarms", { list: {} }, { only: ["list"], bounded: ["list"], confirm: [] });
    // @ts-expect-error a text is no tool
    void (() => toolsetFrom("alarms", { list: "a tool" }));
  });
});
