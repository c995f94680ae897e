// Holds the times of a conversation's evidence: turns follow one another on one clock, a turn that waits for approval included.
import { converse, runEvals } from "entail/conversation";
import type { Evidence, StreamEvent, TargetOptions, ToolCall } from "entail/evidence";
import { decodeReport, encodeReport } from "entail/report";
import { describe, expect, test } from "vitest";
import { joinEvidence, timeUntil } from "./join-evidence.ts";

const observes = { args: true, results: true, failureKinds: true, parents: true, approvals: true, bounds: true, deltas: false };
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const one = (toolCallId: string, more: Partial<ToolCall> = {}): ToolCall => ({ toolCallId, toolName: "look", args: {}, argsJson: "{}", completed: true, ...more });
type Timed = Readonly<Record<"startedMs" | "endedMs" | "askedMs" | "decidedMs", number>>;
const turnOf = (toolCalls: readonly ToolCall[], durationMs?: number): Evidence => ({ runId: "r", sessionId: "s", answer: "", toolCalls, ended: true, observes, ...(durationMs !== undefined && { durationMs }) });

/** It looks for a while, asks before it removes, and removes for a while. */
const target = {
  observes,
  memory: true,
  async *send(_input: string, { turn = 0 }: TargetOptions): AsyncGenerator<StreamEvent> {
    const of = { runId: `r${turn}` };
    yield { ...of, type: "workflow", phase: "running" };
    await pause(6);
    yield { ...of, type: "tool_start", toolCallId: "look", toolName: "look", args: {} };
    await pause(12);
    yield { ...of, type: "tool_end", toolCallId: "look", toolName: "look", result: 1 };
    yield { ...of, type: "await_confirmation", toolCallId: "remove", toolName: "remove", prompt: "Remove it?", args: {} };
    yield { ...of, type: "workflow", phase: "suspended" };
    yield { ...of, type: "run_stream_end" };
  },
  async *resume({ approved }: { readonly approved: boolean }, { turn = 0 }: TargetOptions): AsyncGenerator<StreamEvent> {
    const of = { runId: `r${turn}again` };
    const call = { toolCallId: "remove", toolName: "remove" };
    await pause(10);
    yield { ...of, type: "tool_authorization", ...call, approved };
    if (approved) {
      yield { ...of, type: "tool_start", ...call, args: {} };
      await pause(8);
      yield { ...of, type: "tool_end", ...call, result: 1 };
    }
    yield { ...of, type: "workflow", phase: "completed" };
    yield { ...of, type: "run_stream_end" };
  },
};

describe("a turn that stops for approval and goes on", () => {
  test("is one run on one clock: what came before the stop keeps its times, and the waiting has its own", async () => {
    const { turns, evidence } = await converse(target, [{ input: "a", approvals: "approve" }, { input: "b", approvals: "reject" }]);
    const [look, remove] = (turns[0] as (typeof turns)[number]).evidence.toolCalls as unknown as [Timed, Timed];
    expect(look.startedMs).toBeGreaterThan(4);
    expect(look.endedMs - look.startedMs).toBeGreaterThan(9);
    expect(remove.askedMs).toBeGreaterThanOrEqual(look.endedMs);
    expect(remove.decidedMs - remove.askedMs).toBeGreaterThan(7);
    expect(remove.startedMs).toBeGreaterThanOrEqual(remove.decidedMs);
    expect(remove.endedMs - remove.startedMs).toBeGreaterThan(5);
    const first = turns[0]?.evidence.durationMs ?? 0;
    expect(first).toBeGreaterThanOrEqual(remove.endedMs);
    // The second turn's call goes on where the first turn ended.
    const own = turns[1]?.evidence.toolCalls[0]?.startedMs ?? 0;
    expect(evidence.toolCalls.map(({ toolCallId }) => toolCallId)).toEqual(["look", "remove", "look#2"]);
    expect(evidence.toolCalls[2]?.startedMs).toBeCloseTo(first + own, 2);
    expect(evidence.durationMs).toBeCloseTo(first + (turns[1]?.evidence.durationMs ?? 0), 2);
  });

  test("the report says where each turn begins, what it stopped at and who decided; and it is read back as it was", async () => {
    const { report } = await runEvals({ target, data: [{ turns: [{ input: "a", approvals: "approve" }, { input: "b", approvals: "reject" }, { input: "c", approvals: "expect" }, { input: "d" }] }] });
    const turns = report.scenarios[0]?.turns ?? [];
    expect(turns.map(({ confirmation }) => confirmation)).toEqual([["approved", "approve"], ["denied", "reject"], ["pending", "expect"], ["pending"]].map(([state, policy]) => ({ toolCallId: "remove", toolName: "remove", prompt: "Remove it?", state, ...(policy !== undefined && { policy }) })));
    const starts = turns.map(({ startedMs = -1 }) => startedMs);
    expect(starts[0]).toBe(0);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect((starts[1] ?? 0) - (starts[0] ?? 0)).toBeLessThanOrEqual((turns[0]?.durationMs ?? 0) + 0.001);
    expect(decodeReport(encodeReport(report))).toStrictEqual(report);
  });
});

test("a target that gives all of a turn at once has no times, whatever it does when it goes on", async () => {
  const burst = { ...target, async *send(): AsyncGenerator<StreamEvent> {
    await pause(4);
    yield* [{ type: "await_confirmation", runId: "r", toolCallId: "remove", toolName: "remove", prompt: "Remove it?", args: {} }, { type: "workflow", runId: "r", phase: "suspended" }, { type: "run_stream_end", runId: "r" }] as const;
  } };
  const { evidence } = await converse(burst, [{ input: "a", approvals: "approve" }]);
  expect(evidence.toolCalls).toHaveLength(1);
  expect(JSON.stringify(evidence)).not.toMatch(/(started|ended|asked|decided|duration)Ms/);
});

test("turns without times take none of the clock; calls that have none get none", () => {
  const all = [turnOf([one("a", { startedMs: 1, endedMs: 2.5 })], 10.25), turnOf([one("b")]), turnOf([one("c", { askedMs: 0, decidedMs: 3, startedMs: 3, endedMs: 4.001 }), one("a")], 20)];
  const joined = joinEvidence(all);
  expect(joined?.durationMs).toBe(30.25);
  expect(joined?.toolCalls).toEqual([all[0]?.toolCalls[0], one("b"), one("c", { askedMs: 10.25, decidedMs: 13.25, startedMs: 13.25, endedMs: 14.251 }), one("a#2")]);
  expect(joinEvidence([turnOf([], 10), turnOf([one("x", { startedMs: 1 })], 5)])?.toolCalls).toEqual([one("x", { startedMs: 11 })]);
  expect([0, 1, 2, 3].map((turns) => timeUntil(all, turns))).toEqual([undefined, 10.25, 10.25, 30.25]);
  expect(joinEvidence([turnOf([one("a")]), turnOf([one("b")])])).not.toHaveProperty("durationMs");
});
