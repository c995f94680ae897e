import { events } from "entail/adapter/goa-ai";
import { collect, createCollector, expectation, type Evidence, type StreamEvent } from "entail/evidence";
import { expect, test } from "vitest";
import { all, ends, fails, objects, over, phase, RUN, says, SESSION, starts, streamEnd, wire, type Wire } from "../../../test/goa-ai/wire.ts";

const read = async (...told: readonly (Wire | readonly Wire[])[]): Promise<StreamEvent[]> => all(events(objects(...told)));
const gather = (...told: readonly (Wire | readonly Wire[])[]): Promise<Evidence> => collect(events(objects(...told)));
const rejection = async (promise: Promise<unknown>): Promise<unknown> => promise.then(() => "it resolved", (thrown: unknown) => thrown);

test("[171] what the assistant says is a reply with its text, and the replies of the run are its answer", async () => {
  expect(await read(says("hello"))).toEqual([{ type: "assistant_reply", runId: RUN, sessionId: SESSION, text: "hello" }]);
  expect((await gather(says("Two "), says("alarms."), over())).answer).toBe("Two alarms.");
});

test("[172] the key of an event stays on it, whatever its type", async () => {
  const keyed = [says("hello", { event_key: "hook-1" }), starts("c1", "list", {}, {}, { event_key: "hook-2" }), streamEnd({ event_key: "hook-3" })];
  expect((await read(keyed)).map(({ type, eventKey }) => [type, eventKey])).toEqual([["assistant_reply", "hook-1"], ["tool_start", "hook-2"], ["run_stream_end", "hook-3"]]);
  expect((await read(says("hello")))[0]).not.toHaveProperty("eventKey");
});

test("[173] a run that completed says so and then ends its stream, both under its own id", async () => {
  expect(await read(phase("planning"), over("completed"))).toEqual([
    { type: "workflow", runId: RUN, sessionId: SESSION, phase: "planning" },
    { type: "workflow", runId: RUN, sessionId: SESSION, phase: "completed" },
    { type: "run_stream_end", runId: RUN, sessionId: SESSION },
  ]);
  expect(await gather(over("completed"))).toMatchObject({ runId: RUN, sessionId: SESSION, terminalPhase: "completed", ended: true });
  // The phase alone is no end.
  expect(await rejection(gather(phase("completed", { status: "success" })))).toMatchObject({ code: "stream_incomplete", evidence: { terminalPhase: "completed", ended: false } });
});

test("[174] a run that is suspended says so and then ends its stream", async () => {
  expect((await read(over("suspended"))).map((event) => (event.type === "workflow" ? event.phase : event.type))).toEqual(["suspended", "run_stream_end"]);
  expect(await gather(over("suspended"))).toMatchObject({ terminalPhase: "suspended", ended: true });
});

test("[175] a run that failed tells its public and its debug message, the provider, the kind and whether another try makes sense", async () => {
  const failure = { message: "The model is busy.", debug_message: "429 from upstream", provider: "bedrock", operation: "converse", kind: "rate_limited", code: "ThrottlingException", http_status: 429, retryable: true };
  expect(await gather(over("failed", { failure }))).toMatchObject({
    terminalPhase: "failed",
    terminalFailure: { message: "The model is busy.", debugMessage: "429 from upstream", provider: "bedrock", operation: "converse", kind: "rate_limited", code: "ThrottlingException", httpStatus: 429, retryable: true },
  });
});

test("[176] a run that was cancelled tells the reason and no failure", async () => {
  const [event] = await read(over("canceled", { cancellation: { reason: "user_requested" } }));
  expect(event).toEqual({ type: "workflow", runId: RUN, sessionId: SESSION, phase: "cancelled", cancellation: { reason: "user_requested" } });
  const evidence = await gather(over("canceled", { cancellation: { reason: "user_requested" } }));
  expect([evidence.terminalPhase, evidence.terminalFailure]).toEqual(["cancelled", undefined]);
});

test("[177] an end of a call that does not say in which run the call was started is refused, and nothing is sent", async () => {
  const bare = wire("tool_end", { tool_call_id: "c1", tool_name: "list", result: {} });
  const seen: StreamEvent[] = [];
  const reading = (async () => {
    for await (const event of events(objects(starts("c1", "list"), bare, over()))) seen.push(event);
  })();
  expect(await rejection(reading)).toMatchObject({ code: "event_invalid", message: expect.stringContaining('tool_end of call "c1": call_run_id is missing') as string });
  expect(seen.map(({ type }) => type)).toEqual(["tool_start"]);
  for (const missing of ["tool_call_id", "tool_name"]) {
    const payload = { call_run_id: RUN, tool_call_id: "c1", tool_name: "list", result: {}, [missing]: "" };
    expect(await rejection(gather(starts("c1", "list"), wire("tool_end", payload), over()))).toMatchObject({ code: "event_invalid", evidence: { toolCalls: [{ completed: false }] } });
  }
});

test("[178] a result that was left out is an end that says so, with the reason and the number of bytes", async () => {
  const omitted = wire("tool_end", { call_run_id: RUN, tool_call_id: "c1", tool_name: "list", result_omitted: true, result_omitted_reason: "too_large", result_bytes: 2_000_000, result_preview: "many" });
  const { toolCalls } = await gather(starts("c1", "list"), omitted, over());
  expect(toolCalls).toMatchObject([{ completed: true, resultOmitted: { reason: "too_large", bytes: 2_000_000 } }]);
  expect(toolCalls[0]).not.toHaveProperty("result");
});

test("[179] the end of a call in a run that goes on has the run that brought it and the run that started the call", async () => {
  const later = { run_id: "run-2" };
  const end = ends("c1", "ask_user", { answer: 7 }, { call_run_id: RUN }, later);
  expect((await read(end))[0]).toMatchObject({ type: "tool_end", runId: "run-2", callRunId: RUN });
  const first = await gather(starts("c1", "ask_user", { question: "How many?" }), over("suspended"));
  const second = await collect(events(objects(end, says("Seven.", later), over("completed", {}, later))), {}, { rootRunId: "run-2", continues: first });
  expect(second).toMatchObject({ runId: "run-2", answer: "Seven.", toolCalls: [], completions: [{ startedInRunId: RUN, call: { toolName: "ask_user", result: { answer: 7 }, completed: true } }] });
  // An end that names another run than the one that started its call is of another call.
  expect(await rejection(gather(starts("c1", "list"), ends("c1", "list", {}, { call_run_id: "run-9" }), over()))).toMatchObject({ code: "tool_end_mismatch" });
});

test("[180] a run and its child keep their own ids, and only the root's words and end count", async () => {
  const child = { run_id: "child-1" };
  const told = [phase("planning"), says("inner", child), over("failed", { failure: { message: "x" } }, child), says("outer"), over()];
  expect(new Set((await read(told.flat())).map(({ runId }) => runId))).toEqual(new Set([RUN, "child-1"]));
  expect(await gather(told.flat())).toMatchObject({ runId: RUN, answer: "outer", terminalPhase: "completed" });
});

test("[181] the end of a call comes before the end of its run, so that evidence is whole at the run's end", async () => {
  const types = (await read(starts("c1", "list"), ends("c1", "list", {}), over())).map(({ type }) => type);
  expect(types.indexOf("tool_end")).toBeLessThan(types.indexOf("run_stream_end"));
  const evidence = await gather(starts("c1", "list"), ends("c1", "list", {}), over());
  expect(evidence.toolCalls).toMatchObject([{ completed: true }]);
  expect(evidence.toolCalls[0]?.endedLate).toBeUndefined();
  // One that comes later all the same is marked: the answer cannot rest on it.
  const collector = createCollector();
  for await (const event of events(objects(starts("c1", "list"), over(), ends("c1", "list", {})))) collector.consume(event);
  expect(collector.finish().toolCalls).toMatchObject([{ completed: true, endedLate: true }]);
});

test("[182] the link of a child run has the parent's call, the child's run and the child's agent, and the child's calls stand below that call", async () => {
  const link = wire("child_run_linked", { tool_name: "research", tool_call_id: "c1", child_run_id: "child-1", child_agent_id: "svc.researcher" });
  expect(await read(link)).toEqual([{ type: "child_run_linked", runId: RUN, sessionId: SESSION, toolName: "research", toolCallId: "c1", childRunId: "child-1", childAgentId: "svc.researcher" }]);
  const child = { run_id: "child-1" };
  const { toolCalls } = await gather(
    starts("c1", "research"), starts("c2", "list"), link,
    starts("d1", "search", {}, {}, child), starts("d2", "search", {}, { parent_tool_call_id: "d1" }, child), ends("d2", "search", 2, {}, child), ends("d1", "search", 1, {}, child),
    ends("c1", "research", {}), ends("c2", "list", {}), over(),
  );
  expect(toolCalls.map(({ toolCallId, parentToolCallId, runId }) => [toolCallId, parentToolCallId, runId])).toEqual([["c1", undefined, RUN], ["d1", "c1", "child-1"], ["d2", "d1", "child-1"], ["c2", undefined, RUN]]);
});

test("[183] what the profile of a stream leaves out is not sent, and once that is said an expectation that needs it decides nothing", async () => {
  const metrics = [wire("usage", { InputTokens: 3, OutputTokens: 2 }), over()].flat();
  const forbids = expectation({ forbidTools: ["delete_alarm"] });
  const whole = events(objects(metrics));
  expect(whole.observes).toEqual({ args: true, results: true, failureKinds: true, parents: true, approvals: true, bounds: true, deltas: true });
  const blind = events(objects(metrics), { without: ["tool_start", "tool_end", "await_confirmation"] });
  expect(blind.observes).toEqual({ args: false, results: false, failureKinds: false, parents: false, approvals: false, bounds: false, deltas: true });
  const evidence = await collect(blind);
  expect(() => forbids.checks(evidence)).toThrow(expect.objectContaining({ code: "not_observable" }) as Error);
  // A stream without starts shows each call at its end, without its arguments.
  const starless = events(objects(ends("c1", "list", { ids: [] }, { parent_tool_call_id: "" }), fails("c2", "list", "timeout"), over()), { without: ["tool_start"] });
  expect(starless.observes).toMatchObject({ args: false, results: true });
  expect((await collect(starless)).toolCalls).toMatchObject([{ toolName: "list", argsRaw: "absent", result: { ids: [] } }, { failure: { kind: "timeout" } }]);
});
