// Holds that a call's times are those at which the SDK told of it, though its start is given on only when it is known whether somebody must allow it.
import { ToolLoopAgent, tool } from "ai";
import { collect, type ToolCall } from "entail/evidence";
import { target } from "entail/adapter/ai-sdk";
import { expect, test } from "vitest";
import { z } from "zod";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
const finish = (unified: string): object => ({ type: "finish", finishReason: { unified, raw: unified }, usage });

function model(): never {
  let step = 0;
  return {
    specificationVersion: "v3",
    provider: "test",
    modelId: "test",
    supportedUrls: {},
    async doStream() {
      await pause(10);
      const parts = step++ === 0
        ? [{ type: "stream-start", warnings: [] }, ...["a", "b"].map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "look", input: "{}" })), finish("tool-calls")]
        : [{ type: "stream-start", warnings: [] }, { type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: "done" }, { type: "text-end", id: "1" }, finish("stop")];
      return { stream: new ReadableStream({ start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      } }) };
    },
  } as never;
}

test("two calls at once take as long as their tools take, side by side", async () => {
  const agent = new ToolLoopAgent({ model: model(), tools: { look: tool({ inputSchema: z.object({}), execute: async () => {
    await pause(40);
    return 1;
  } }) } });
  const { signal } = new AbortController();
  const { toolCalls, durationMs = 0 } = await collect(target(agent).send("x", { signal }), { signal });
  expect(toolCalls).toHaveLength(2);
  for (const { startedMs = 0, endedMs = 0 } of toolCalls) {
    expect(startedMs).toBeGreaterThan(5);
    expect(endedMs - startedMs).toBeGreaterThan(30);
    expect(endedMs).toBeLessThanOrEqual(durationMs);
  }
  const [a, b] = toolCalls as readonly [ToolCall, ToolCall];
  expect(b.startedMs ?? 0).toBeLessThan(a.endedMs ?? 0);
});
