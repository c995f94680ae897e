import { events } from "entail/adapter/ai-sdk";
import { collect, expectation, expectCall, expectConfirmation } from "entail/evidence";
import { describe, expect, test } from "vitest";
import { FINISH, TOOLS_FINISH, allPassed, call, evidenceOf, parts, result, shown, stepOf, text } from "../../../test/ai-sdk/parts.ts";

describe("kind approvals", () => {
  const wire = call("k", "wire", { amount: 900 });
  const request = (rest: object = {}): object => ({ type: "tool-approval-request", approvalId: "ap1", toolCall: wire, ...rest });
  const response = (approved: boolean, rest: object = {}): object => ({ type: "tool-approval-response", approvalId: "ap1", toolCall: wire, approved, ...rest });

  test("a policy that allows a call asks nobody: the call is approved and executed, and no confirmation is left", async () => {
    const { evidence } = await evidenceOf([...stepOf(wire, request({ isAutomatic: true }), response(true, { reason: "below the limit" }), result("k", "wire", "sent")), text("Sent."), FINISH]);
    expect(shown(evidence)).toEqual([{ id: "k", name: "wire", args: { amount: 900 }, result: "sent", completed: true, approval: "approved" }]);
    expect(evidence).toMatchObject({ terminalPhase: "completed" });
    expect(evidence.confirmation).toBeUndefined();
  });

  test("a policy that denies a call leaves it denied: issued, not executed, and no failure", async () => {
    const { evidence } = await evidenceOf([...stepOf(wire, request({ isAutomatic: true }), response(false, { reason: "too much" }), { type: "tool-output-denied", toolCallId: "k", toolName: "wire" }), ...stepOf(text("I may not.")), FINISH]);
    expect(shown(evidence)).toEqual([{ id: "k", name: "wire", args: { amount: 900 }, completed: false, approval: "denied" }]);
    expect(evidence.terminalPhase).toBe("completed");
    expect(allPassed(expectation({ tools: [expectCall({ name: "wire" })] }).checks(evidence))).toBe(false);
    expect(allPassed(expectation({ forbidTools: ["wire"] }).checks(evidence))).toBe(false);
  });

  test("a request that is answered in the same run was asked for and decided", async () => {
    const { evidence } = await evidenceOf([...stepOf(wire, request({ reason: "Send 900?" }), response(true), result("k", "wire", "sent")), text("Sent."), FINISH]);
    expect(shown(evidence)).toMatchObject([{ result: "sent", approval: "approved" }]);
    expect(evidence.confirmation).toMatchObject({ prompt: "Send 900?", state: "approved" });
  });

  test("a call that was executed while its approval was pending is seen to have been", async () => {
    const { evidence } = await evidenceOf([...stepOf(wire, request(), result("k", "wire", "sent")), text("Sent."), FINISH]);
    expect(shown(evidence)).toMatchObject([{ result: "sent", approval: "pending", completed: true }]);
    expect(evidence.confirmation?.state).toBe("pending");
    expect(allPassed(expectation({ confirmation: expectConfirmation({ name: "wire" }) }).checks(evidence))).toBe(false);
  });

  test("so is one whose approval is asked for only afterwards, in the same step or a later one", async () => {
    for (const list of [stepOf(wire, result("k", "wire", "sent"), request()), [...stepOf(wire, result("k", "wire", "sent")), ...stepOf(request())]]) {
      const { evidence } = await evidenceOf([...list, text("Sent."), FINISH]);
      expect(shown(evidence)).toMatchObject([{ result: "sent", approval: "pending", completed: true }]);
      expect(allPassed(expectation({ confirmation: expectConfirmation({ name: "wire" }) }).checks(evidence))).toBe(false);
    }
  });

  test("a run that goes on after an approval begins with the approved call", async () => {
    const first = await collect(events(parts([...stepOf(wire, request()), TOOLS_FINISH]), { runId: "one" }));
    const second = await collect(events(parts([{ type: "start" }, result("k", "wire", "sent", { input: { amount: 900 } }), ...stepOf(text("Sent.")), FINISH]), { runId: "two" }), {}, { rootRunId: "two", continues: first });
    expect(shown(second)).toEqual([{ id: "k", name: "wire", args: { amount: 900 }, result: "sent", completed: true, approval: "approved" }]);
    expect(second).toMatchObject({ answer: "Sent.", terminalPhase: "completed" });
  });

  test("a run that goes on after a refusal has the call denied, its arguments untold", async () => {
    const { evidence } = await evidenceOf([{ type: "start" }, { type: "tool-output-denied", toolCallId: "k", toolName: "wire" }, ...stepOf(text("As you wish.")), FINISH]);
    expect(evidence.toolCalls).toMatchObject([{ toolCallId: "k", toolName: "wire", argsRaw: "absent", approval: "denied", completed: false }]);
    expect(evidence.terminalPhase).toBe("completed");
  });

  test("of two calls, one pending and one done, the order of their start is kept and the run is suspended", async () => {
    const { evidence } = await evidenceOf([...stepOf(call("a", "look"), wire, request(), call("b", "look"), result("b", "look", 2), result("a", "look", 1)), TOOLS_FINISH]);
    expect(evidence.toolCalls.map(({ toolCallId }) => toolCallId)).toEqual(["a", "b"]);
    expect(evidence).toMatchObject({ terminalPhase: "suspended", confirmation: { toolCallId: "k" } });
  });

  test("however often a denial is told, it is decided once, by the policy, before the call is said", async () => {
    const seen: object[] = [];
    for await (const { type, ...event } of events(parts([...stepOf(wire, request({ isAutomatic: true }), response(false, { reason: "too much" }), { type: "tool-output-denied", toolCallId: "k", toolName: "wire" }), FINISH]))) {
      seen.push({ type, ...("approved" in event ? { approved: event.approved, approvedBy: event.approvedBy, summary: event.summary } : {}) });
    }
    expect(seen).toEqual([{ type: "tool_authorization", approved: false, approvedBy: "policy", summary: "too much" }, { type: "tool_start" }, { type: "workflow" }, { type: "run_stream_end" }]);
  });

  test("a request that is told again asks once, and undoes no decision", async () => {
    const { evidence } = await evidenceOf([...stepOf(wire, request(), request(), response(true), result("k", "wire", "sent"), request()), text("Sent."), FINISH]);
    expect(evidence).toMatchObject({ toolCalls: [{ approval: "approved" }], confirmation: { state: "approved" }, terminalPhase: "completed" });
  });

  test("a policy that was asked and said nothing hides no call", async () => {
    const { evidence } = await evidenceOf([...stepOf(wire, request({ isAutomatic: true })), TOOLS_FINISH]);
    expect(evidence).toMatchObject({ terminalPhase: "suspended", toolCalls: [{ toolCallId: "k", completed: false }] });
  });

  test("a call that is asked for too late keeps its place among the others", async () => {
    const { evidence } = await evidenceOf([...stepOf(wire, call("b", "look"), result("b", "look", 2), result("k", "wire", "sent"), request()), text("x"), FINISH]);
    expect(evidence.toolCalls.map(({ toolCallId }) => toolCallId)).toEqual(["k", "b"]);
  });

  test("a decision or a request about an unknown call is named and decides nothing", async () => {
    const { evidence, warnings } = await evidenceOf([text("Hi"), { type: "tool-approval-response", approvalId: "?", approved: true }, { type: "tool-approval-request", approvalId: "?" }, { type: "tool-output-denied" }, FINISH]);
    expect(evidence).toMatchObject({ toolCalls: [], terminalPhase: "completed" });
    expect(warnings.map(({ code }) => code)).toEqual(["approval_unmatched", "approval_unmatched", "approval_unmatched"]);
  });

  test("a call that the application has to execute itself suspends the run", async () => {
    const { evidence } = await evidenceOf([...stepOf(call("k", "ask_location")), TOOLS_FINISH]);
    expect(evidence).toMatchObject({ terminalPhase: "suspended", toolCalls: [{ completed: false }] });
    expect(evidence.confirmation).toBeUndefined();
  });
});

describe("a UI message stream that goes on after an approval", () => {
  const ui = (toolCallId: string, rest: object): object => ({ toolCallId, ...rest });

  test("has a call whose tool nobody names: it proves no absence, and everything else holds", async () => {
    const { evidence } = await evidenceOf([{ type: "start" }, ui("k", { type: "tool-output-available", output: "sent" }), { type: "start-step" }, { type: "text-delta", id: "t", delta: "Sent." }, { type: "finish-step" }, { type: "finish", finishReason: "stop" }]);
    expect(evidence).toMatchObject({ answer: "Sent.", terminalPhase: "completed", toolCalls: [{ toolCallId: "k", toolName: "", result: "sent", approval: "approved" }] });
    expect(() => expectation({ forbidTools: ["wire"] }).checks(evidence)).toThrow(/nobody saw of which tool/);
  });

  test("of a refused call says that it was denied", async () => {
    const { evidence } = await evidenceOf([{ type: "start" }, ui("k", { type: "tool-output-denied" }), { type: "text-delta", id: "t", delta: "No." }, { type: "finish", finishReason: "stop" }]);
    expect(evidence.toolCalls).toMatchObject([{ toolCallId: "k", toolName: "", approval: "denied", completed: false }]);
  });
});
