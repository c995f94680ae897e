import { expect, test } from "vitest";
import { collect, createCollector, type Evidence, expectation, expectCall, OBSERVES_EVERYTHING, type StreamEvent } from "entail/evidence";
import { anyTool, asks, call, end, gather, inOrder, phase, reply, ROOT, start, streamEnd, type Told } from "../../test/agent-events.ts";

const inRun = (runId: string, told: readonly Told[]): StreamEvent[] => inOrder(told).map((event) => ({ ...event, runId, sessionId: "session" }));
const next = (told: readonly Told[], continues: Evidence, rootRunId = "next"): Evidence => gather(inRun(rootRunId, [...told, phase("completed"), streamEnd]), { continues, rootRunId });
const code = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return (error as { code: unknown }).code;
  }
  return "nothing was thrown";
};

/** A run that asked the user something, and waits. */
const first = (): Evidence => gather([start("ask-1", "ask_user", { question: "Which?" }), call("done-1", "search"), phase("suspended"), streamEnd]);

test("[194] the end of an earlier run's call is a completion of the next run, and none of its calls", () => {
  const before = first();
  const copy = structuredClone(before);
  const evidence = next([end("ask-1", "ask_user", { answer: "the second" }), call("b", "search"), reply("done")], before);
  expect(evidence.runId).toBe("next");
  expect(evidence.toolCalls.map((one) => one.toolCallId)).toEqual(["b"]);
  expect(evidence.completions).toEqual([
    {
      startedInRunId: "root",
      call: {
        toolCallId: "ask-1",
        toolName: "ask_user",
        args: { question: "Which?" },
        argsJson: '{"question":"Which?"}',
        result: { answer: "the second" },
        resultJson: '{"answer":"the second"}',
        runId: "root",
        completed: true,
      },
    },
  ]);
  expect(expectation({ forbidTools: ["ask_user"] }).checks(evidence)).toEqual([
    { name: "trajectory", passed: true },
    { name: "forbidden_tools", passed: true },
    { name: "terminal", passed: true },
  ]);
  expect(before).toEqual(copy);
  expect(before.toolCalls[0]?.completed).toBe(false);
});

test("[195] a new call of that tool is seen by every policy", () => {
  const evidence = next([end("ask-1", "ask_user"), call("ask-2", "ask_user")], first());
  const passed = expectation({ exact: true, tools: [expectCall(anyTool("search"))], forbidTools: ["ask_user"] }).checks(evidence).map((check) => check.passed);
  expect(passed).toEqual([false, false, true]);
});

test("[196] a call stays open over several runs, and one that has ended ends no second time", () => {
  const second = next([call("b", "search")], first());
  const third = next([end("ask-1", "ask_user", "at last")], second, "third");
  expect(third.completions?.[0]).toMatchObject({ startedInRunId: "root", call: { toolCallId: "ask-1", result: "at last" } });
  expect(code(() => next([end("ask-1", "ask_user")], third, "fourth"))).toBe("tool_end_unknown");
  expect(code(() => next([end("done-1", "search")], first()))).toBe("tool_end_unknown");
});

test("[197] children of an earlier call need no new parent, and the parent's id starts no second time", () => {
  const before = first();
  const evidence = next([start("child", "detail", {}, { parentToolCallId: "ask-1" }), start("grandchild", "detail", {}, { parentToolCallId: "child" })], before);
  expect(evidence.toolCalls.map((one) => [one.toolCallId, one.parentToolCallId])).toEqual([
    ["child", "ask-1"],
    ["grandchild", "child"],
  ]);
  expect(next([start("later", "detail", {}, { parentToolCallId: "done-1" })], evidence, "third").toolCalls).toHaveLength(1);
  expect(code(() => next([start("ask-1", "ask_user")], before))).toBe("tool_start_duplicate");
  expect(code(() => next([start("orphan", "detail", {}, { parentToolCallId: "never" })], before))).toBe("causal_orphan");
});

test("[198] evidence without its end, by hand or copied, and a successor without an id of its own, are refused", () => {
  const whole = first();
  const open = gather([start("ask-1", "ask_user"), phase("suspended")]);
  const refused = (continues: unknown, more: object = {}): unknown => code(() => createCollector({ continues: continues as Evidence, rootRunId: "next", ...more }));
  expect(refused(whole)).toBe("nothing was thrown");
  expect(refused(open)).toBe("continuation_invalid");
  expect(refused({ ...whole })).toBe("continuation_invalid");
  expect(refused(JSON.parse(JSON.stringify(whole)))).toBe("continuation_invalid");
  expect(refused({ ...whole, runId: "another" })).toBe("continuation_invalid");
  expect(refused(null)).toBe("continuation_invalid");
  expect(refused(whole, { rootRunId: "" })).toBe("continuation_invalid");
  expect(refused(whole, { rootRunId: undefined })).toBe("continuation_invalid");
  expect(refused(whole, { rootRunId: "root" })).toBe("continuation_invalid");
  expect(refused(whole, { sessionId: "another" })).toBe("continuation_invalid");
  expect(refused(next([], whole), { rootRunId: "root" })).toBe("continuation_invalid");
});

test("[199] a first event of another run or session is refused, and finish after it", () => {
  for (const [members, expected] of [
    [{ runId: "elsewhere", sessionId: "session" }, "continuation_invalid"],
    [{ runId: "next", sessionId: "elsewhere" }, "session_foreign"],
  ] as const) {
    const collector = createCollector({ continues: first(), rootRunId: "next" });
    expect(code(() => collector.consume({ type: "assistant_reply", text: "x", ...members }))).toBe(expected);
    expect(code(() => collector.finish())).toBe(expected);
    expect(code(() => collector.consume({ type: "assistant_reply", text: "x", runId: "next", sessionId: "session" }))).toBe(expected);
  }
  expect(code(() => createCollector({ continues: first(), rootRunId: "next" }).finish())).toBe("continuation_invalid");
});

test("[200] an end of another name or parent is refused, and so is a second end", () => {
  const before = gather([start("p", "helper"), start("ask-1", "ask_user", {}, { parentToolCallId: "p" }), phase("suspended"), streamEnd]);
  expect(code(() => next([end("ask-1", "ask_somebody")], before))).toBe("tool_end_mismatch");
  expect(code(() => next([end("ask-1", "ask_user", 1, { parentToolCallId: "q" })], before))).toBe("tool_end_mismatch");
  expect(code(() => next([end("ask-1", "ask_user"), end("ask-1", "ask_user")], before))).toBe("tool_end_duplicate");
  expect(code(() => gather([...call("a", "x"), end("a", "x")]))).toBe("tool_end_duplicate");
  expect(code(() => gather([start("a", "x"), end("a", "y")]))).toBe("tool_end_mismatch");
});

test("[201] evidence shares nothing with what was given, and nobody can change it", () => {
  const args = { window: "24h", tags: ["a"] };
  const result = { alarms: [{ id: "1" }] };
  const usage = { inputTokens: 3 };
  const evidence = gather([start("a", "list", args), end("a", "list", result), asks("b", "wire", args), { type: "usage", ...ROOT, usage }, phase("suspended"), streamEnd]);
  const after = next([call("c", "x", {}, result)], evidence);
  const copy = structuredClone(evidence);
  args.window = "1h";
  args.tags.push("b");
  result.alarms.length = 0;
  usage.inputTokens = 99;
  expect(evidence).toEqual(copy);
  expect(after.completions).toEqual([]);
  const frozen = (value: unknown): boolean => typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen));
  expect(frozen(evidence)).toBe(true);
  expect(frozen(after)).toBe(true);
  expect(() => (evidence.toolCalls as unknown[]).push(1)).toThrow(TypeError);
});

test("a call that an earlier run asked about shows the answer when it runs", () => {
  const waiting = gather([asks("w", "wire"), phase("suspended"), streamEnd]);
  const allowed = next([{ type: "tool_authorization", ...ROOT, toolCallId: "w", approved: true }, call("w", "wire")], waiting);
  expect(allowed.toolCalls[0]?.approval).toBe("approved");
  expect(next([call("w", "wire")], waiting).toolCalls[0]?.approval).toBe("pending");
});

test("a run that goes on sees what the one before saw, unless it says otherwise, and can be collected", async () => {
  const observes = { ...OBSERVES_EVERYTHING, bounds: false };
  const before = gather([phase("suspended"), streamEnd], { observes });
  expect(next([], before).observes).toEqual(observes);
  const after = await collect(inRun("next", [reply("on it goes"), phase("completed"), streamEnd]), {}, { continues: before, rootRunId: "next" });
  expect(after).toMatchObject({ runId: "next", answer: "on it goes", observes });
});
