import { describe, expect, test } from "vitest";
import {
  asserts,
  atLeast,
  atMost,
  calls,
  decoded,
  type Evidence,
  exactly,
  expectation,
  expectCall,
  expectConfirmation,
  expectFailure,
  type ExpectationOptions,
  OBSERVABLES,
  OBSERVES_EVERYTHING,
  type Predicate,
  type StreamEvent,
  unordered,
} from "entail/evidence";
import { anyTool, asks, call, called, completed, detail, end, failedCall, gather, list, phase, ROOT, start, streamEnd, suspended } from "../../test/agent-events.ts";

type Answers = Readonly<Record<string, string>>;
/** Each check by its name: `passed`, or its diagnostic. */
const checks = (options: ExpectationOptions, evidence: Evidence): Answers => Object.fromEntries(expectation(options).checks(evidence).map((check) => [check.name, check.passed ? "passed" : check.diagnostic]));
const code = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return (error as { code: unknown }).code;
  }
  return "nothing was thrown";
};
const message = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  return "nothing was thrown";
};
const decision = (toolCallId: string, approved: boolean): StreamEvent => ({ type: "tool_authorization", ...ROOT, toolCallId, approved });
const wire = anyTool("wire");

test("[136] each call of a forbidden tool is named, whatever its depth and its state", () => {
  const evidence = completed(call("a", "delete_alarm", { id: 1 }), call("h", "helper"), start("b", "delete_alarm", { id: 2 }, { runId: "child", parentToolCallId: "h" }), failedCall("c", "drop"));
  expect(checks({ forbidTools: [anyTool("delete_alarm"), "drop", { name: "other" }] }, evidence)).toEqual({
    trajectory: "passed",
    forbidden_tools: 'forbidden tool called: delete_alarm, call "a" {"id":1}; forbidden tool called: delete_alarm, call "b" {"id":2}; forbidden tool called: drop, call "c" {}',
    terminal: "passed",
  });
  expect(checks({ forbidTools: ["rename"] }, evidence)["forbidden_tools"]).toBe("passed");
  expect(Object.keys(checks({ forbidTools: [] }, evidence))).toEqual(["trajectory", "terminal"]);
});

test("[137] a completed run passes its terminal check", () => {
  expect(checks({}, completed())).toEqual({ trajectory: "passed", terminal: "passed" });
});

test("[138] a failed run fails it, and says why it failed", () => {
  const failed = gather([{ type: "workflow", ...ROOT, phase: "failed", failure: { message: "the model gave up" } }, streamEnd]);
  expect(checks({}, failed)["terminal"]).toBe("got failed, want completed: the model gave up");
  expect(checks({}, gather([phase("cancelled"), streamEnd]))["terminal"]).toBe("got cancelled, want completed");
  expect(checks({}, gather([streamEnd]))["terminal"]).toBe("got an end without a phase, want completed");
  expect(checks({}, gather([]))["terminal"]).toBe("got no end: the stream stopped before it, want completed");
  expect(checks({}, suspended(asks("a", "wire")))["terminal"]).toBe("got suspended, want completed: it waits for the confirmation of wire");
});

test("[139] a run that stopped to ask what was expected passes", () => {
  const evidence = suspended(asks("a", "wire", { amount: 900 }));
  expect(checks({ confirmation: expectConfirmation({ name: "wire" }, { args: { amount: 900 } }), forbidTools: ["wire"] }, evidence)).toEqual({ trajectory: "passed", forbidden_tools: "passed", terminal: "passed" });
  expect(checks({ confirmation: expectConfirmation(wire) }, gather([asks("a", "wire")]))["terminal"]).toBe("passed");
  expect(checks({ confirmation: expectConfirmation(list, { args: (args) => args.window === "24h" || "wrong window" }) }, suspended(asks("a", "list_alarms", { window: "1h" })))["terminal"]).toBe("list_alarms confirmation arguments: wrong window");
  expect(checks({ confirmation: expectConfirmation(list, { args: () => "never" }) }, evidence)["terminal"]).toBe("the confirmation is of wire, want list_alarms");
});

test("[140] a run that should have asked and completed fails", () => {
  expect(checks({ confirmation: expectConfirmation(wire) }, completed())["terminal"]).toBe("no pending confirmation: got completed, want a confirmation of wire");
});

test("[141] an expected call takes its name from its tool, and its predicates see decoded values", () => {
  const expected = expectCall(list, { args: (args) => args.window === "24h", result: (result) => result.alarms.length > 0 || "no alarms" });
  expect(expected.name).toBe("list_alarms");
  const [args, result] = [expected.args, expected.result] as Predicate<unknown>[];
  expect(args?.({ window: "24h" })).toBe(true);
  expect(args?.({ window: "1h" })).toBe(false);
  expect(result?.({ alarms: [{ id: "1" }] })).toBe(true);
  expect(result?.({ alarms: [] })).toBe("no alarms");
  expect(() => args?.({ window: 24 })).toThrow(/could not be decoded: window must be a string/);
});

test("[142] without predicates both sides are free", () => {
  expect(expectCall(list)).toEqual({ name: "list_alarms" });
});

test("[143] an expected failure has its kind, and no result", () => {
  expect(expectFailure(list, "timeout")).toEqual({ name: "list_alarms", failureKind: "timeout" });
  const evidence = completed(failedCall("a", "list_alarms", { window: "1h" }, "timeout"), failedCall("b", "list_alarms", { window: "24h" }, "rate_limited"));
  expect(checks({ tools: [expectFailure(list, "rate_limited", { args: { window: "24h" } })] }, evidence)["trajectory"]).toBe("passed");
  expect(checks({ tools: [expectFailure(list, "rate_limited", { args: { window: "1h" } })] }, evidence)["trajectory"]).toMatch(/want failure kind rate_limited/);
});

test("[144] an expected confirmation has its tool, and its predicate sees decoded arguments", () => {
  const expected = expectConfirmation(list, { args: (args) => args.window === "24h" });
  expect(expected.name).toBe("list_alarms");
  expect((expected.args as Predicate<unknown>)({ window: "24h" })).toBe(true);
  expect((expected.args as Predicate<unknown>)({ window: "1h" })).toBe(false);
  expect(() => (expected.args as Predicate<unknown>)({ window: 24 })).toThrow(/could not be decoded: window must be a string/);
  expect(expectConfirmation(list)).toEqual({ name: "list_alarms" });
});

test("[145] arguments whose text broke off cannot be decoded, and the diagnostic says so", () => {
  const evidence = completed(start("a", "found", undefined, { argsJson: '{"window":"24' }), end("a", "found"));
  expect(() => decoded(list.args, () => true)('{"window":"24')).toThrow(/the canonical payload could not be decoded/);
  expect(checks({ tools: [{ name: "found", args: decoded(list.args, () => true) }] }, evidence)["trajectory"]).toMatch(/found arguments: the canonical payload could not be decoded: not JSON: .*; it is {"window":"24/);
  const fine = completed(start("a", "found", undefined, { argsJson: '{"window":"24h"}' }), end("a", "found"));
  expect(checks({ tools: [{ name: "found", args: decoded(list.args, (args) => args.window === "24h") }] }, fine)["trajectory"]).toBe("passed");
});

test("[218] a run that asked and then went on did not stop at its confirmation", () => {
  const expected = { confirmation: expectConfirmation(wire) };
  expect(checks(expected, completed(asks("a", "wire")))["terminal"]).toBe("the run did not stop at the confirmation: got completed, want suspended");
  expect(checks(expected, gather([asks("a", "wire"), phase("failed"), streamEnd]))["terminal"]).toMatch(/got failed, want suspended/);
  expect(checks(expected, suspended(asks("a", "wire"), decision("a", true)))["terminal"]).toBe("no pending confirmation: the one of wire was approved");
  expect(checks(expected, suspended(asks("a", "wire"), decision("a", false)))["terminal"]).toBe("no pending confirmation: the one of wire was denied");
  expect(checks(expected, suspended(asks("a", "wire"), decision("a", true), asks("a", "wire")))["terminal"]).toBe("passed");
});

describe("a tool that should have waited for approval", () => {
  test("fails the confirmation when it ran before anybody agreed, whether it asked before or after", () => {
    const expected = { confirmation: expectConfirmation(wire) };
    const before = 'wire was executed before approval: call "a" {"amount":900}';
    expect(checks(expected, suspended(call("a", "wire", { amount: 900 }), asks("a", "wire", { amount: 900 })))["terminal"]).toBe(before);
    expect(checks(expected, suspended(asks("a", "wire", { amount: 900 }), call("a", "wire", { amount: 900 })))["terminal"]).toBe(before);
    expect(checks(expected, suspended(asks("a", "wire"), failedCall("a", "wire")))["terminal"]).toMatch(/executed before approval/);
  });
  test("may have started, as long as it waits", () => {
    expect(checks({ confirmation: expectConfirmation(wire) }, suspended(start("a", "wire"), asks("a", "wire")))["terminal"]).toBe("passed");
  });
});

describe("expected arguments that are empty", () => {
  const evidence = completed(call("a", "cancel_order", { order: "7", all: true }));
  test("case 091: match no call that has some, and the diagnostic names them", () => {
    for (const exact of [true, false]) {
      const diagnostic = checks({ exact, tools: [expectCall(anyTool("cancel_order"), { args: {} })] }, evidence)["trajectory"];
      expect(diagnostic).toContain('expected {}, got {"all":true,"order":"7"} (all: not expected, got true, order: not expected, got "7")');
    }
  });
  test("case 091: match those of a call that has none", () => {
    expect(checks({ tools: [{ name: "cancel_order", args: {} }] }, completed(call("a", "cancel_order")))["trajectory"]).toBe("passed");
  });
});

test("case 092: what was never seen to end shows no absence", () => {
  const nothing = gather([]);
  expect(message(() => expectation({ forbidTools: ["delete_account"] }).checks(nothing))).toMatch(/^the evidence is incomplete/);
  expect(code(() => expectation({ forbidTools: ["delete_account"] }).checks(nothing))).toBe("evidence_incomplete");
});

test.each([["nothing", {}], ["null", { args: null }], ["an empty text", { args: "" }]])("case 094: a call with %s for arguments equals {}", (_, given) => {
  const evidence = completed({ type: "tool_start", ...ROOT, toolCallId: "a", toolName: "ping", ...given }, end("a", "ping"));
  expect(checks({ tools: [expectCall(anyTool("ping"), { args: {} })] }, evidence)["trajectory"]).toBe("passed");
  expect(checks({ exact: true, tools: [expectCall(anyTool("ping"), { args: { a: 1 } })] }, evidence)["trajectory"]).toMatch(/a: missing, expected 1/);
});

describe("kind vacuous-pass:", () => {
  const negatives: Readonly<Record<string, ExpectationOptions>> = {
    forbidTools: { forbidTools: ["x"] },
    exact: { exact: true },
    atMost: { tools: [atMost(1, "x")] },
    exactly: { tools: [exactly(0, "x")] },
    "atMost of a satisfied call": { tools: [atMost(1, expectCall(anyTool("x")))] },
    requireAllAttemptsSuccessful: { tools: [expectCall(anyTool("y"), { requireAllAttemptsSuccessful: true })] },
    forbidFailureKinds: { tools: [unordered(expectCall(anyTool("y"), { forbidFailureKinds: ["timeout"] }))] },
  };
  test.each(Object.entries(negatives))("%s decides nothing where the run's end was not seen", (_, options) => {
    const told = [call("a", "y"), phase("completed")];
    expect(code(() => expectation(options).checks(gather(told)))).toBe("evidence_incomplete");
    expect(code(() => expectation(options).checks(gather([...told, { type: "run_stream_end", runId: "child" }])))).toBe("evidence_incomplete");
    expect(code(() => expectation(options).checks(gather([...told, streamEnd])))).toBe("nothing was thrown");
  });

  test.each(Object.entries(negatives))("%s decides nothing while a call's tool is not known", (_, options) => {
    expect(code(() => expectation(options).checks(completed(call("a", "y"), call("b", ""))))).toBe("evidence_incomplete");
  });

  test.each(Object.entries(negatives))("%s decides nothing where an event of an unknown type came, which may have been a call", (_, options) => {
    const evidence = gather([call("a", "y"), { type: "tool_strat", toolName: "rm" } as never, phase("completed"), streamEnd]);
    expect(code(() => expectation(options).checks(evidence))).toBe("evidence_incomplete");
  });

  test.each(Object.entries(negatives))("%s decides nothing where calls cannot be seen", (_, options) => {
    const blind = gather([call("a", "y"), phase("completed"), streamEnd], { observes: { ...OBSERVES_EVERYTHING, args: false, results: false } });
    expect(code(() => expectation(options).checks(blind))).toBe("not_observable");
  });

  test("where a failure cannot be told from a success, only a look into the result shows one", () => {
    const events = [call("a", "x", {}, { sky: "sunny" }), phase("completed"), streamEnd];
    const blind = gather(events, { observes: { ...OBSERVES_EVERYTHING, failures: false } });
    for (const options of [{ tools: [expectCall(anyTool("x"))] }, { tools: [exactly(1, expectCall(anyTool("x")))] }, { tools: [expectCall(anyTool("x"), { result: { sky: "sunny" }, requireAllAttemptsSuccessful: true })] }]) {
      expect(code(() => expectation(options).checks(blind))).toBe("not_observable");
    }
    expect(checks({ tools: [expectCall(anyTool("x"), { result: { sky: "sunny" } })] }, blind)["trajectory"]).toBe("passed");
    expect(checks({ tools: [exactly(1, "x")] }, blind)["trajectory"]).toBe("passed");
  });

  test("a failure of unknown kind leaves open whether a forbidden one happened", () => {
    const options = { tools: [expectCall(anyTool("x"), { forbidFailureKinds: ["timeout"] as const })] };
    const unknown = completed(failedCall("a", "x", {}, "unknown"), call("b", "x"));
    expect(code(() => expectation(options).checks(unknown))).toBe("not_observable");
    expect(checks({ tools: [expectCall(anyTool("x"), { forbidFailureKinds: ["timeout", "unknown"] })] }, unknown)["trajectory"]).toMatch(/forbidden kind unknown/);
    expect(checks(options, completed(failedCall("a", "y", {}, "unknown"), call("b", "x")))["trajectory"]).toBe("passed");
  });

  test("a group of no calls, a count of nothing and a tool without a name are refused", () => {
    expect(code(() => unordered())).toBe("expectation_invalid");
    expect(code(() => atLeast(0, "x"))).toBe("expectation_invalid");
    expect(code(() => expectation({ forbidTools: [""] }))).toBe("expectation_invalid");
    expect(code(() => expectation({ forbidTools: [undefined as never] }))).toBe("expectation_invalid");
    expect(code(() => calls(called("x"), ""))).toBe("expectation_invalid");
    expect(code(() => expectCall({ name: "" }))).toBe("expectation_invalid");
  });
});

describe("what the source cannot see decides nothing", () => {
  const seenBy = (unseen: string): Evidence => gather([call("a", "x"), asks("b", "y"), phase("suspended"), streamEnd], { observes: { ...OBSERVES_EVERYTHING, [unseen]: false } });
  const x = anyTool("x");
  const needs: Readonly<Record<string, readonly [ExpectationOptions, readonly string[]]>> = {
    "a call's success": [{ tools: [expectCall(x)] }, ["results"]],
    "its arguments": [{ tools: [expectCall(x, { args: {} })] }, ["results", "args"]],
    "its bounds": [{ tools: [expectCall(x, { bounds: () => true })] }, ["results", "bounds"]],
    "its result": [{ tools: [expectCall(x, { result: () => true })] }, ["results"]],
    "a kind of failure": [{ tools: [expectFailure(x, "timeout")] }, ["results", "failureKinds"]],
    "a kind that is forbidden": [{ tools: [atLeast(1, expectCall(x, { forbidFailureKinds: ["timeout"] }))] }, ["results", "failureKinds"]],
    "a confirmation": [{ confirmation: expectConfirmation(anyTool("y")) }, ["approvals"]],
    "a confirmation's arguments": [{ confirmation: expectConfirmation(anyTool("y"), { args: {} }) }, ["approvals", "args"]],
    "that a tool was called": [{ tools: [atLeast(1, "x")] }, []],
    nothing: [{}, []],
  };
  test.each(Object.entries(needs))("%s", (_, [options, needed]) => {
    const refused = OBSERVABLES.filter((observable) => code(() => expectation(options).checks(seenBy(observable))) === "not_observable");
    expect(refused).toEqual(OBSERVABLES.filter((observable) => needed.includes(observable)));
  });

  test("and the error says what is needed", () => {
    expect(message(() => expectation({ tools: [expectCall(x, { bounds: () => true })] }).checks(seenBy("bounds")))).toBe("the source of this evidence cannot see what is asked: the bounds of x needs bounds");
  });
});

describe("a declaration that cannot be meant is refused", () => {
  const x = anyTool("x");
  test.each<[string, () => unknown, RegExp]>([
    ["a misspelt member", () => expectation({ forbidTool: ["x"] } as never), /"forbidTool".*did you mean "forbidTools"/],
    ["a misspelt option", () => expectCall(x, { arg: {} } as never), /expectCall\(x\) has a member "arg".*did you mean "args"/],
    ["a misspelt member of a literal", () => expectation({ tools: [{ name: "x", failurekind: "timeout" } as never] }), /tools\[0\] has a member "failurekind".*"failureKind"/],
    ["a kind that is none", () => expectFailure(x, "time_out" as never), /"time_out", which is no kind of failure; did you mean "timeout"/],
    ["a failure without a kind", () => expectFailure(x, undefined as never), /needs the kind/],
    ["a failure with a result", () => expectFailure({ name: "x", result: 1 }, "timeout"), /asks for a result/],
    ["a failure that may not be", () => expectation({ tools: [{ name: "x", failureKind: "timeout", forbidFailureKinds: ["timeout"] }] }), /and forbids it/],
    ["a failure where none may fail", () => expectation({ tools: [{ name: "x", failureKind: "timeout", requireAllAttemptsSuccessful: true }] }), /forbids any attempt to fail/],
    ["a failure that another expectation forbids", () => expectation({ tools: [expectFailure(x, "timeout"), expectCall(x, { requireAllAttemptsSuccessful: true })] }), /another expectation forbids/],
    ["a tool both expected and forbidden", () => expectation({ tools: [unordered(expectCall(x))], forbidTools: ["x"] }), /expected in tools and forbidden/],
    ["a typed tool for an expectation", () => expectation({ tools: [list as never] }), /write expectCall\(tool\)/],
    ["a name for an expectation", () => expectation({ tools: ["x" as never] }), /tools\[0\] must be an object; it is "x"/],
    ["arguments asked for twice", () => expectCall({ name: "x", args: {} }, { args: {} }), /asked for twice/],
    ["a codec for a predicate", () => expectCall({ name: "x" }, { args: list.args as never }), /decoded\(codec, predicate\)/],
    ["a value that JSON cannot hold", () => expectCall({ name: "x" }, { args: { n: 1n } as never }), /must be a predicate, a JSON value or a schema.*n/],
    ["a promise for a value", () => expectCall({ name: "x" }, { args: Promise.reject(new Error("late")) as never }), /is a promise/],
    ["bounds that are no predicate", () => expectCall(x, { bounds: { returned: 1 } as never }), /bounds must be a predicate/],
    ["a policy that is no boolean", () => expectCall(x, { requireAllAttemptsSuccessful: "yes" as never }), /must be true or false/],
    ["an exact that is no boolean", () => expectation({ exact: 1 as never }), /exact must be true or false/],
    ["tools that are no list", () => expectation({ tools: expectCall(x) as never }), /tools must be a list/],
    ["an empty name", () => expectation({ name: "" }), /name of an expectation/],
    ["half a call", () => exactly(0.5, "x"), /whole number of calls/],
    ["fewer calls than none", () => atMost(-1, "x"), /whole number of calls/],
    ["a count that is no number", () => atLeast("2" as never, "x"), /whole number of calls/],
    ["more at least than at most", () => expectation({ tools: [{ counted: "x", atLeast: 3, atMost: 2 }] }), /at least 3 and at most 2/],
    ["a confirmation that asks for a result", () => expectConfirmation(x, { result: 1 } as never), /"result"/],
    ["no options at all", () => (expectation as (options?: unknown) => unknown)(), /must be an object/],
  ])("%s", (_, declare, sentence) => {
    expect(code(declare)).toBe("expectation_invalid");
    expect(message(declare)).toMatch(sentence);
  });

  test("but not a confirmation of a tool that is forbidden, nor a bound from above on one", () => {
    expect(code(() => expectation({ confirmation: expectConfirmation(x), forbidTools: [x], tools: [atMost(0, "x")] }))).toBe("nothing was thrown");
  });

  test("and so is what is no evidence", () => {
    expect(message(() => expectation({}).checks(Promise.resolve(called()) as never))).toMatch(/a promise: await it first/);
    expect(code(() => expectation({}).checks(undefined as never))).toBe("expectation_invalid");
    expect(code(() => expectation({}).checks({ toolCalls: [] } as never))).toBe("expectation_invalid");
  });
});

test("a name stands before the checks, so that two expectations fit into one result", () => {
  expect(Object.keys(checks({ name: "refund", forbidTools: ["x"] }, called()))).toEqual(["refund.trajectory", "refund.forbidden_tools", "refund.terminal"]);
});

test("the same thing is said once", () => {
  const twice = { tools: [expectCall(anyTool("x"), { requireAllAttemptsSuccessful: true }), expectCall(anyTool("x"), { requireAllAttemptsSuccessful: true })] };
  const diagnostic = checks(twice, completed(failedCall("a", "x"), call("b", "x"), call("c", "x")))["trajectory"];
  expect(diagnostic?.match(/every attempt must succeed/g)).toHaveLength(1);
});

test("a diagnostic stays readable whatever the agent did", () => {
  const long = completed(...Array.from({ length: 500 }, (_, at) => call(`${at}`, "search", { text: "x".repeat(10_000), at })));
  const wrong = expectCall({ name: "search" }, { args: { at: 1000 } });
  for (const options of [{ tools: [wrong] }, { exact: true, tools: [wrong] }, { tools: [unordered(wrong, wrong)] }, { tools: [expectCall(anyTool("pay"))] }] satisfies ExpectationOptions[]) {
    expect(checks(options, long)["trajectory"]?.length).toBeLessThan(10_000);
  }
});

test("calls gives those of one tool, by its name or its descriptor", () => {
  const evidence = completed(call("a", "list_alarms"), call("b", "alarm_detail"), call("c", "list_alarms"));
  expect(calls(evidence, list).map((one) => one.toolCallId)).toEqual(["a", "c"]);
  expect(calls(evidence, "alarm_detail").map((one) => one.toolCallId)).toEqual(["b"]);
  expect(calls(evidence, detail)).toEqual(calls(evidence, "alarm_detail"));
  expect(calls(evidence, "constructor")).toEqual([]);
});

test("assertions that throw fail a call, with what they say", () => {
  const evidence = completed(call("a", "list_alarms", { window: "1h" }, { alarms: [] }));
  const declared = expectCall(list, { args: asserts((args) => expect(args).toEqual({ window: "24h" })) });
  expect(checks({ tools: [declared] }, evidence)["trajectory"]).toMatch(/list_alarms arguments: expected { window: '1h' } to deeply equal { window: '24h' }/);
  expect(checks({ tools: [expectCall(list, { args: asserts((args) => expect(args).toEqual({ window: "1h" })) })] }, evidence)["trajectory"]).toBe("passed");
});
