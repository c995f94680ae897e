import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createOpenAI } from "@ai-sdk/openai";
import { LLMock } from "@copilotkit/aimock";
import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { createTool } from "@mastra/core/tools";
import { createRunner, type Report } from "entail";
import { events } from "entail/adapter/mastra";
import { collect } from "entail/evidence";
import { recording, type RecordingMode } from "entail/model";
import { expect, test } from "vitest";
import { z } from "zod";

test("a Mastra agent takes a recorded model and a recorded tool, and replays without a server", async () => {
  const folder = mkdtempSync(join(tmpdir(), "entail-recorded-mastra-"));
  const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
  await mock.start();
  const { url } = mock;
  mock.addFixture({ match: { hasToolResult: false }, response: { toolCalls: [{ id: "call_w", name: "weather", arguments: '{"city":"Brooklyn"}' }] } });
  mock.addFixture({ match: { hasToolResult: true }, response: { content: "It is clear in Brooklyn." } });
  let calls = 0;
  const run = (mode: RecordingMode): Promise<Report> => {
    const all = recording({ file: join(folder, "mastra.json"), mode });
    const weather = createTool({ id: "weather", description: "The weather.", inputSchema: z.object({ city: z.string() }), execute: all.tool("weather", async ({ city }: { city: string }, _context?: unknown) => ({ city, sky: `clear (${(calls += 1)})` })) });
    const model = all.model(createOpenAI({ baseURL: `${url}/v1`, apiKey: "test" }).chat("gpt-4.1-mini"));
    const agent = new Mastra({ logger: false, agents: { helper: new Agent({ id: "helper", name: "helper", instructions: "You help.", model: model as never, tools: { weather } }) } }).getAgent("helper");
    return createRunner({ maxConcurrency: 1 }).run({
      id: "weather",
      description: "Weather.",
      scenarios: [{ id: "asks", description: "Asks.", tags: [], timeoutMs: 10_000, run: async (ctx) => {
        const evidence = await collect(events(await agent.stream("What is the weather in Brooklyn?")), ctx);
        return { checks: [{ name: "asked", passed: true }], output: evidence.answer, evidence, metadata: { calls: evidence.toolCalls.map(({ toolName, resultJson }) => [toolName, resultJson]) } };
      } }],
    });
  };
  try {
    const first = await run("record");
    expect(first.scenarios[0]).toMatchObject({ outcome: "passed", result: { output: "It is clear in Brooklyn.", metadata: { calls: [["weather", '{"city":"Brooklyn","sky":"clear (1)"}']] } } });
    expect(mock.getRequests()).toHaveLength(2);
    await mock.stop();
    const second = await run("strict");
    expect(second.scenarios[0]?.error).toBeUndefined();
    expect(second.scenarios[0]?.result).toEqual(first.scenarios[0]?.result);
    expect(calls).toBe(1);
  } finally {
    await mock.stop().catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  }
});
