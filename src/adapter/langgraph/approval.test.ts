import { events, type EventsOptions } from "entail/adapter/langgraph";
import { collect } from "entail/evidence";
import { describe, expect, test } from "vitest";
import { ai, call, chunks, evidenceOf, interrupted, shown, taskBegin, taskEnd, toolEnd, toolMessage, toolStart, wrote } from "../../../test/langgraph/chunks.ts";

describe("kind approvals", () => {
  const asked = (value: unknown, calls = [call("c1", "wire", { amount: 900 }), call("c2", "mail", { to: "a" })]): unknown[] => [wrote("agent", [ai("m", "", calls)]), interrupted({ id: "i1", value })];
  test.each([
    ["the middleware's form, one call of two", { actionRequests: [{ name: "wire", args: { amount: 900 }, description: "May it?" }], reviewConfigs: [] }, [["c1", "May it?"]], ["mail"]],
    ["the middleware's form, both", { actionRequests: [{ name: "mail", args: { to: "a" } }, { name: "wire", args: { amount: 900 } }] }, [["c1", "wire needs approval"], ["c2", "mail needs approval"]], []],
    ["LangGraph's own form", [{ action_request: { action: "mail", args: { to: "a" } }, config: {}, description: "Send it?" }], [["c2", "Send it?"]], ["wire"]],
    ["a call by its id", { question: "Sure?", tool_call: { id: "c2", name: "mail", args: {}, type: "tool_call" } }, [["c2", "Sure?"]], ["wire"]],
    ["a tool's name", { tool: "wire" }, [["c1", "wire needs approval"]], ["mail"]],
    ["nothing but a question: all that nothing has run", "Go on?", [["c1", "Go on?"], ["c2", "Go on?"]], []],
  ])("%s", async (_what, value, confirmations, told) => {
    const stream = await evidenceOf(asked(value));
    const asks = stream.told.flatMap((event) => (event.type === "await_confirmation" ? [[event.toolCallId, event.prompt]] : []));
    expect(asks).toEqual(confirmations);
    expect(stream.evidence.toolCalls.map(({ toolName }) => toolName)).toEqual(told);
    expect(stream.evidence.terminalPhase).toBe("suspended");
  });

  test("the call that a task was running asks, not the one that had ended", async () => {
    const { evidence } = await evidenceOf([
      wrote("agent", [ai("m", "", [call("c1", "wire"), call("c2", "mail")])]), taskBegin("t", "tools", [ai("m", "", [call("c1", "wire"), call("c2", "mail")])]), toolStart("c1", "wire"), toolStart("c2", "mail"), toolEnd("c2", "mail", toolMessage("c2", "mail", "sent")),
      interrupted({ id: "i", value: { sum: 900 } }), taskEnd("t", "tools", [{ id: "i", value: { sum: 900 } }]),
    ]);
    expect(evidence).toMatchObject({ terminalPhase: "suspended", confirmation: { toolCallId: "c1", id: "i", state: "pending" }, toolCalls: [{ toolCallId: "c2", completed: true }] });
  });

  test("an interrupt of an inner graph is asked once, about the inner call, and the outer call stays open", async () => {
    const path = ["tools:t"];
    const one = { id: "i", value: "Sure?" };
    const { evidence, told } = await evidenceOf([
      wrote("agent", [ai("m", "", [call("c", "research")])]), taskBegin("t", "tools", [ai("m", "", [call("c", "research")])]), toolStart("c", "research"),
      wrote("agent", [ai("n", "", [call("d", "wire")])], path), taskBegin("u", "tools", [ai("n", "", [call("d", "wire")])], path), toolStart("d", "wire", {}, path),
      [path, "updates", { __interrupt__: [one] }], taskEnd("u", "tools", [one], path), interrupted(one), taskEnd("t", "tools", [one]),
    ]);
    expect(told.filter(({ type }) => type === "await_confirmation")).toHaveLength(1);
    expect(evidence).toMatchObject({ terminalPhase: "suspended", confirmation: { toolCallId: "c/d", toolName: "wire" }, toolCalls: [{ toolCallId: "c", completed: false }] });
  });

  test.each([
    [true, "approved"], [false, "denied"], ["yes", "approved"], [" No ", "denied"], [{ type: "accept", args: null }, "approved"], [{ type: "ignore" }, "denied"], [{ type: "response", args: "why?" }, "denied"], [[{ type: "edit", args: {} }], "approved"],
    [{ decisions: [{ type: "reject" }] }, "denied"], [{ approved: true }, "approved"], [{ i1: "deny" }, "denied"], ["maybe later", undefined], [{ amount: 5 }, undefined], [{ decisions: [] }, undefined],
  ])("the answer %j decides: %s", async (resume, approval) => {
    const first = (await evidenceOf(asked({ tool: "wire" }, [call("c1", "wire")]), { runId: "one" })).evidence;
    const stream = events(chunks([toolStart("c1", "wire", { amount: 900 }), toolEnd("c1", "wire", toolMessage("c1", "wire", "done")), wrote("tools", [toolMessage("c1", "wire", "done")]), wrote("agent", [ai("n", "Done.")])]), { runId: "two", continues: first, resume });
    const told = [];
    for await (const event of stream) told.push(event);
    expect(told.flatMap((event) => (event.type === "tool_authorization" ? [event.approved ? "approved" : "denied"] : []))).toEqual(approval === undefined ? [] : [approval]);
  });

  test("a call that somebody refused is told, also where the graph goes on without a word about it; where nobody answered, nothing is", async () => {
    const first = (await evidenceOf(asked({ tool: "wire" }, [call("c1", "wire", { n: 1 })]), { runId: "one" })).evidence;
    const next = (options: EventsOptions): Promise<unknown> => collect(events(chunks([wrote("agent", [ai("n", "Fine.")])]), { runId: "two", continues: first, ...options }), {}, { rootRunId: "two", continues: first });
    expect(await next({ resume: "no" })).toMatchObject({ toolCalls: [{ toolCallId: "c1", args: { n: 1 }, approval: "denied", completed: false }] });
    expect(await next({})).toMatchObject({ toolCalls: [] });
    expect(await next({ resume: null })).toMatchObject({ toolCalls: [] });
  });

  test("the application may say what an answer decides", async () => {
    const first = (await evidenceOf(asked({ tool: "wire" }, [call("c1", "wire")]), { runId: "one" })).evidence;
    const stream = events(chunks([toolStart("c1", "wire"), toolEnd("c1", "wire", "ok"), wrote("agent", [ai("n", "Done.")])]), { runId: "two", continues: first, resume: { level: 3 }, decision: (answer, { toolName }) => toolName === "wire" && (answer as { level: number }).level > 2 });
    expect(await collect(stream, {}, { rootRunId: "two", continues: first })).toMatchObject({ toolCalls: [{ toolCallId: "c1", approval: "approved", completed: true }] });
  });

  test("a result that the graph tells again, of a call that the run before told, is no second call", async () => {
    const first = (await evidenceOf([wrote("agent", [ai("m", "", [call("c1", "wire"), call("c2", "mail")])]), toolStart("c2", "mail"), toolEnd("c2", "mail", toolMessage("c2", "mail", "sent")), interrupted({ id: "i", value: { tool: "wire" } })], { runId: "one" })).evidence;
    const again = [wrote("tools", [toolMessage("c2", "mail", "sent")]), toolStart("c1", "wire"), toolEnd("c1", "wire", toolMessage("c1", "wire", "ok")), wrote("agent", [ai("n", "Done.")])];
    const second = await collect(events(chunks(again), { runId: "two", continues: first, resume: true }), {}, { rootRunId: "two", continues: first });
    expect(shown(second)).toEqual([{ id: "c1", name: "wire", args: {}, result: "ok", completed: true, approval: "approved" }]);
  });

  test("the end of a call that the run before left open is told as that call's", async () => {
    const first = (await evidenceOf([wrote("agent", [ai("m", "", [call("c1", "ask_user")])])], { runId: "one" })).evidence;
    expect(first).toMatchObject({ terminalPhase: "suspended", toolCalls: [{ toolCallId: "c1", completed: false }] });
    const second = await collect(events(chunks([wrote("tools", [toolMessage("c1", "ask_user", "blue")]), wrote("agent", [ai("n", "Done.")])]), { runId: "two", continues: first }), {}, { rootRunId: "two", continues: first });
    expect(second).toMatchObject({ toolCalls: [], completions: [{ startedInRunId: "one", call: { toolCallId: "c1", result: "blue" } }] });
  });
});
