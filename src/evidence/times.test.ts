// Holds the times in evidence: each is that at which its event came, and where all events were there at once there are none.
import { describe, expect, test } from "vitest";
import { collect, type CollectContext, createCollector, type Evidence, eventsFromMessages, type StreamEvent, type ToolCall } from "entail/evidence";
import { heldSince, thisMoment } from "../core/held-event.ts";
import { asks, call, end, inOrder, phase, reply, ROOT, start, streamEnd, type Told } from "../../test/agent-events.ts";

/** A clock that stands where it is put. */
function clockAt(now = 0): { now: number; readonly elapsed: () => number } {
  const clock = { now, elapsed: () => clock.now };
  return clock;
}
const times = ({ toolCallId, startedMs, endedMs, askedMs, decidedMs }: ToolCall): readonly unknown[] => [toolCallId, startedMs, endedMs, askedMs, decidedMs];
/** The names of the times that it tells. */
const told = (evidence: Evidence): readonly string[] => [evidence, ...evidence.toolCalls].flatMap((each) => Object.keys(each).filter((name) => name.endsWith("Ms")));

/** Events at their moments, consumed as they come. */
function gatherAt(story: readonly (readonly [ms: number, event: StreamEvent])[], begun = 1_000): Evidence {
  const clock = clockAt(begun);
  const collector = createCollector({ clock });
  for (const [ms, event] of story) {
    clock.now = begun + ms;
    collector.consume(event);
  }
  clock.now += 5_000;
  return collector.finish();
}

describe("a collector with a clock", () => {
  test("keeps when calls start and end, side by side and one within another, from where it began", () => {
    const evidence = gatherAt([
      [100, start("a", "list")],
      [100.0004, start("b", "agent")],
      [250, start("b1", "detail", {}, { runId: "child", parentToolCallId: "b" })],
      [300.12345, end("a", "list")],
      [400, end("b1", "detail", {}, { runId: "child", parentToolCallId: "b" })],
      [500, { type: "run_stream_end", runId: "child", sessionId: "session" }],
      [600, end("b", "agent")],
      [900, phase("completed")],
      [950, streamEnd],
    ]);
    expect(evidence.toolCalls.map((each) => times(each).slice(0, 3))).toEqual([["a", 100, 300.123], ["b", 100, 600], ["b1", 250, 400]]);
    expect(evidence.durationMs).toBe(950);
    expect([Object.isFrozen(evidence), ...evidence.toolCalls.map(Object.isFrozen)]).not.toContain(false);
  });

  test("keeps when somebody was asked and had decided, before a call starts and within it", () => {
    const allowed = (toolCallId: string): StreamEvent => ({ type: "tool_authorization", ...ROOT, toolCallId, toolName: "remove", approved: true });
    const evidence = gatherAt([[10, asks("a", "remove")], [30, allowed("a")], [35, start("a", "remove")], [50, end("a", "remove")], [60, start("b", "remove")], [70, asks("b", "remove")], [90, allowed("b")], [95, end("b", "remove")], [99, streamEnd]]);
    expect(evidence.toolCalls.map(times)).toEqual([["a", 35, 50, 10, 30], ["b", 60, 95, 70, 90]]);
  });

  test("takes off what an adapter held of a start, and never goes behind its beginning", () => {
    const held = (ms: number, id: string): StreamEvent => heldSince(start(id, "list"), thisMoment() - ms);
    const { toolCalls } = gatherAt([[200, held(150, "a")], [210, held(5_000, "b")], [220, start("c", "list")], [230, streamEnd]]);
    const [a = -1, b, c] = toolCalls.map(({ startedMs }) => startedMs);
    expect([Math.round(a / 10), b, c]).toEqual([5, 0, 220]);
  });

  test("tells how long it has gone on where the end was not seen, and no end of a call that has none", () => {
    const clock = clockAt(7);
    const collector = createCollector({ clock });
    clock.now = 12;
    collector.consume(start("a", "list"));
    clock.now = 20;
    const evidence = collector.finish();
    expect([evidence.durationMs, times(evidence.toolCalls[0] as ToolCall)]).toEqual([13, ["a", 5, undefined, undefined, undefined]]);
    expect(evidence.toolCalls[0]).not.toHaveProperty("endedMs");
  });

  test("leaves an earlier snapshot as it was, and gives a call that an earlier run started only this run's times", () => {
    const first = gatherAt([[40, start("a", "slow")], [50, phase("completed")], [60, streamEnd]]);
    const collector = createCollector({ continues: first, rootRunId: "next", clock: clockAt(3) });
    collector.consume({ type: "tool_end", runId: "next", sessionId: "session", toolCallId: "a", toolName: "slow", result: 1 });
    const next = collector.finish();
    expect(times(next.completions?.[0]?.call as ToolCall)).toEqual(["a", undefined, 0, undefined, undefined]);
    expect(times(first.toolCalls[0] as ToolCall).slice(0, 3)).toEqual(["a", 40, undefined]);
  });

  test("without one there is no time, and what is no clock is refused", () => {
    const collector = createCollector();
    for (const event of [...call("a", "list"), streamEnd]) collector.consume(event);
    expect(told(collector.finish())).toEqual([]);
    expect(() => createCollector({ clock: 5 as never })).toThrow(expect.objectContaining({ code: "option_invalid", message: expect.stringContaining("elapsed()") as string }));
  });
});

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));
/** Each number is where the clock stands when the event loop comes round again. */
async function* live(clock: { now: number }, ...story: readonly (number | Told)[]): AsyncGenerator<StreamEvent> {
  for (const each of story) {
    if (typeof each === "number") {
      await turn();
      clock.now = each;
    } else yield* inOrder([each]);
  }
}

describe("a stream that is read as it comes", () => {
  test("has times from the context's clock", async () => {
    const clock = clockAt(500);
    const evidence = await collect(live(clock, 600, start("a", "list"), 750, end("a", "list"), 900, reply("done"), phase("completed"), streamEnd), { clock });
    expect([times(evidence.toolCalls[0] as ToolCall).slice(0, 3), evidence.durationMs]).toEqual([["a", 100, 250], 400]);
  });

  test("has the system's where a hook's context brings none, and none without a context or where it says so", async () => {
    const story = (): AsyncIterable<StreamEvent> => live({ now: 0 }, start("a", "list"), 1, end("a", "list"), streamEnd);
    const { signal } = new AbortController();
    const [made] = (await collect(story(), { signal })).toolCalls as [ToolCall];
    expect((made.endedMs ?? 0) - (made.startedMs ?? 0)).toBeGreaterThan(0.5);
    expect(told(await collect(story()))).toEqual([]);
    expect(told(await collect(story(), { signal, clock: false }))).toEqual([]);
  });

  test("has them in what is attached on the way, too", async () => {
    const clock = clockAt();
    const attached: Evidence[] = [];
    const context: CollectContext = { clock, attach: ({ evidence }) => void (evidence !== undefined && attached.push(evidence)) };
    await collect(live(clock, call("done", "look"), start("a", "list"), 30, end("a", "list"), streamEnd), context);
    expect(told(attached[0] as Evidence)).toEqual([]);
    expect(attached.at(-1)?.toolCalls.map((each) => times(each).slice(0, 3))).toEqual([["done", 0, 0], ["a", 0, 30]]);
  });
});

describe("events that were all there at once have no times", () => {
  const { signal } = new AbortController();
  const whole = [...call("a", "list"), reply("done"), phase("completed"), streamEnd];
  async function* afterwards(events: readonly StreamEvent[]): AsyncGenerator<StreamEvent> {
    yield phase("running");
    await turn();
    for (const event of events) {
      await Promise.resolve();
      yield event;
    }
  }

  test("a list, the messages of a finished run, and a result that came after a while", async () => {
    expect(told(await collect(whole, { signal }))).toEqual([]);
    expect(told(await collect(eventsFromMessages([{ role: "assistant", tool_calls: [{ id: "a", type: "function", function: { name: "list", arguments: "{}" } }] }, { role: "tool", tool_call_id: "a", content: "ok" }, { role: "assistant", content: "done" }]), { signal }))).toEqual([]);
    expect(told(await collect(afterwards(whole), { signal }))).toEqual([]);
  });

  test("more of them than are read without a pause", async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => call(`c${at}`, "list")).flat();
    expect(told(await collect(afterwards([...many, streamEnd]), { signal }))).toEqual([]);
  });
});
