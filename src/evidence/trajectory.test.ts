import { describe, expect, test } from "vitest";
import { atLeast, type Evidence, exactly, expectation, expectCall, expectFailure, type ExpectationOptions, type ToolExpectation, unordered } from "entail/evidence";
import { anyTool, call, called, completed, detail, end, failedCall, fail, gather, list, phase, start, streamEnd, type Told } from "../../test/agent-events.ts";

/** The diagnostic of the trajectory, or `passed`. */
const trajectory = (options: ExpectationOptions, evidence: Evidence): string => {
  const [check] = expectation(options).checks(evidence);
  expect(check?.name).toBe("trajectory");
  return check?.passed === true ? "passed" : (check?.diagnostic ?? "");
};
const tools = (...names: readonly string[]): ToolExpectation[] => names.map((name) => expectCall(anyTool(name)));
const day = { window: "24h" };
const retried = completed(failedCall("a", "list_alarms", { window: "" }), call("b", "list_alarms", day, { alarms: [{ id: "1" }] }));

test("[123] an exact trajectory of the same calls passes", () => {
  const evidence = completed(call("a", "list_alarms", day, { alarms: [] }), call("b", "alarm_detail", { id: "7" }));
  const declared = [expectCall(list, { args: (args) => args.window === "24h", result: (result) => result.alarms.length === 0 }), expectCall(detail)];
  expect(trajectory({ exact: true, tools: declared }, evidence)).toBe("passed");
});

test("[124] a call among others passes with its bounds", () => {
  const evidence = completed(call("a", "login"), start("b", "list_alarms", day), end("b", "list_alarms", { alarms: [] }, { bounds: { returned: 2, total: 3, truncated: true, nextCursor: "c" } }));
  expect(trajectory({ tools: [expectCall(list, { bounds: (bounds) => bounds?.returned === 2 && bounds.total === 3 && bounds.truncated })] }, evidence)).toBe("passed");
});

test("[125] what a predicate on bounds says is the diagnostic, with the tool before it", () => {
  const declared = (bounds: () => string | boolean): ExpectationOptions => ({ tools: [expectCall(list, { bounds })] });
  const evidence = completed(call("a", "list_alarms", day, { alarms: [] }));
  expect(trajectory(declared(() => "inventory is truncated"), evidence)).toContain("list_alarms bounds: inventory is truncated");
  expect(trajectory(declared(() => { throw new Error("there are no bounds"); }), evidence)).toContain("list_alarms bounds: there are no bounds");
});

test("[126] an exact trajectory with one call more fails with both counts", () => {
  expect(trajectory({ exact: true, tools: tools("list") }, called("list", "detail"))).toBe(
    'call count: expected 1 (list), observed 2 (list -> detail); first difference at index 1: expected no call, observed detail, call "detail-1" {}',
  );
});

test("[127] a failed attempt before the good one is passed over", () => {
  expect(trajectory({ tools: [expectCall(list, { result: (result) => result.alarms.length === 1 })] }, retried)).toBe("passed");
});

test("[128] a tool that was never called is named, with what was", () => {
  expect(trajectory({ tools: tools("pay") }, called("login", "search"))).toBe("required tool not observed after position 0: pay; observed login -> search");
  expect(trajectory({ tools: tools("pay") }, called())).toBe("required tool not observed after position 0: pay; observed no call");
});

test("[129] where no call has the arguments wanted, the reason for each is given", () => {
  const evidence = completed(call("a", "list_alarms", { window: "1h" }, { alarms: [] }), call("b", "list_alarms", { window: "7d" }, { alarms: [] }));
  const declared = expectCall(list, { args: (args) => args.window === "24h" || `wrong window ${args.window}` });
  expect(trajectory({ tools: [declared] }, evidence)).toBe(
    'no call of list_alarms after position 0 is the one expected: call "a" {"window":"1h"}: list_alarms arguments: wrong window 1h, call "b" {"window":"7d"}: list_alarms arguments: wrong window 7d',
  );
});

test("[130] a forbidden kind of failure fails although the retry is the call expected", () => {
  const diagnostic = trajectory({ tools: [expectCall(list, { forbidFailureKinds: ["invalid_call"] })] }, retried);
  expect(diagnostic).toBe('list_alarms, call "a" {"window":""}: failed with the forbidden kind invalid_call: invalid_call it was');
  expect(trajectory({ tools: [expectCall(list, { forbidFailureKinds: ["timeout"] })] }, retried)).toBe("passed");
});

test("[131] where every attempt must succeed, a failed one fails although the retry is the call expected", () => {
  expect(trajectory({ tools: [expectCall(list, { requireAllAttemptsSuccessful: true })] }, retried)).toContain("failed with invalid_call");
  const open = completed(call("a", "list_alarms", day, { alarms: [] }), start("b", "list_alarms", day));
  expect(trajectory({ tools: [expectCall(list, { requireAllAttemptsSuccessful: true })] }, open)).toContain('call "b" {"window":"24h"}: has no tool result');
  const denied = completed(call("a", "list_alarms", day, { alarms: [] }), { type: "tool_authorization", toolCallId: "b", approved: false }, call("b", "list_alarms", day));
  expect(trajectory({ tools: [expectCall(list, { requireAllAttemptsSuccessful: true })] }, denied)).toContain("was denied");
});

test("[132] a failure that is expected passes by its kind", () => {
  expect(trajectory({ tools: [expectFailure(list, "invalid_call")] }, retried)).toBe("passed");
  expect(trajectory({ tools: [expectFailure(list, "timeout")] }, completed(failedCall("a", "list_alarms", day)))).toContain("got failure kind invalid_call (invalid_call it was), want failure kind timeout");
});

test("[133] a success where a failure is expected fails", () => {
  expect(trajectory({ tools: [expectFailure(list, "invalid_call")] }, completed(call("a", "list_alarms", day)))).toContain("got success, want failure kind invalid_call");
});

test("[134] a failure with a result to be expected contradicts itself, and is refused where it is declared", () => {
  const declared = { name: "list_alarms", failureKind: "invalid_call", result: () => true } as const;
  expect(() => expectation({ tools: [declared] })).toThrow(expect.objectContaining({ code: "expectation_invalid", message: expect.stringMatching(/invalid_call and asks for a result/) }));
});

test("[135] a call that started and never ended has no result", () => {
  expect(trajectory({ tools: tools("list") }, completed(start("a", "list")))).toContain("list has no tool result");
});

test("[213] two expected calls of one tool need two calls", () => {
  expect(trajectory({ tools: tools("a", "a") }, called("a"))).toBe("required tool not observed after position 1: a; observed a");
  expect(trajectory({ tools: tools("a", "a") }, called("a", "a"))).toBe("passed");
});

test("[214] calls in another order than expected fail, naming the one that came too early and where it was looked for", () => {
  expect(trajectory({ tools: tools("b", "a") }, called("a", "b"))).toBe("required tool not observed after position 2: a; observed a -> b");
});

test("[215] in an exact trajectory too, no attempt may fail where that is asked", () => {
  const declared = (more: object): ExpectationOptions => ({ exact: true, tools: [expectFailure(detail, "invalid_call"), expectCall(list, more)] });
  const evidence = completed(failedCall("x", "alarm_detail"), call("a", "list_alarms", day, { alarms: [] }));
  expect(trajectory(declared({ requireAllAttemptsSuccessful: true, forbidFailureKinds: ["invalid_call"] }), evidence)).toBe("passed");
  expect(trajectory(declared({ requireAllAttemptsSuccessful: true }), completed(failedCall("x", "alarm_detail"), failedCall("a", "list_alarms", day, "rate_limited")))).toContain("failed with rate_limited");
  expect(trajectory(declared({ forbidFailureKinds: ["timeout"] }), completed(failedCall("x", "alarm_detail"), failedCall("a", "list_alarms", day, "timeout")))).toContain("forbidden kind timeout");
});

test("[216] a failure with bounds to be expected contradicts itself, and is refused where it is declared", () => {
  expect(() => expectation({ tools: [{ name: "list_alarms", failureKind: "timeout", bounds: () => true }] })).toThrow(expect.objectContaining({ code: "expectation_invalid", message: expect.stringMatching(/timeout and asks for bounds/) }));
});

test("[217] wrong arguments of a call that never ended are both said", () => {
  const diagnostic = trajectory({ tools: [expectCall(list, { args: () => "wrong window" })] }, completed(start("a", "list_alarms", day)));
  expect(diagnostic).toContain("list_alarms arguments: wrong window and list_alarms has no tool result");
});

describe("a call that somebody denied", () => {
  const denied = completed({ type: "tool_authorization", toolCallId: "a", approved: false }, call("a", "wire", {}, { denied: true }));

  test("is no success and no failure", () => {
    expect(trajectory({ tools: tools("wire") }, denied)).toContain("wire was denied, so it did not run");
    expect(trajectory({ tools: [expectFailure(anyTool("wire"), "domain_rejection")] }, denied)).toContain("wire was denied");
  });

  test("was issued all the same", () => {
    expect(trajectory({ tools: [exactly(1, "wire")] }, denied)).toBe("passed");
    expect(expectation({ forbidTools: ["wire"] }).checks(denied)[1]?.passed).toBe(false);
  });
});

test("a result that was left out answers no question about it", () => {
  const evidence = completed(start("a", "list_alarms", day), { type: "tool_end", toolCallId: "a", toolName: "list_alarms", resultOmitted: { reason: "too large", bytes: 9 } });
  expect(trajectory({ tools: [expectCall(list)] }, evidence)).toBe("passed");
  expect(trajectory({ tools: [expectCall(list, { result: () => true })] }, evidence)).toContain("list_alarms result: the source left it out (too large, 9 bytes)");
});

test("only the sides that are asked about are decoded", () => {
  const evidence = completed(call("a", "list_alarms", { no: "window" }, "no alarms"));
  expect(trajectory({ tools: [expectCall(list)] }, evidence)).toBe("passed");
  expect(trajectory({ tools: [expectCall(list, { args: () => true })] }, evidence)).toMatch(/list_alarms arguments: the canonical payload could not be decoded: .*window/);
  expect(trajectory({ tools: [expectCall(list, { result: () => true })] }, evidence)).toMatch(/list_alarms result: the canonical payload could not be decoded/);
});

test("arguments that are no JSON pass no question, and their text is shown", () => {
  const evidence = completed(start("a", "save", undefined, { argsJson: '{"note": "it\'s "quoted""}' }), end("a", "save"));
  expect(trajectory({ tools: tools("save") }, evidence)).toBe("passed");
  for (const args of [() => true, (text: unknown) => typeof text === "string"]) {
    expect(trajectory({ tools: [expectCall({ name: "save" }, { args })] }, evidence)).toContain('could not be decoded: not JSON');
  }
  expect(trajectory({ tools: [expectCall({ name: "save" }, { args: () => true })] }, evidence)).toContain('it is {"note": "it\'s "quoted""}');
});

describe("the same tool expected twice, in any order", () => {
  const options = { tools: [unordered(...tools("search", "search", "pay"))] };
  test("case 097: is not satisfied by one call", () => {
    expect(trajectory(options, called("search", "pay"))).toContain("search: expected 2, got 1");
  });
  test("case 097: is satisfied by two, and by more where extra calls are free", () => {
    expect(trajectory(options, called("search", "pay", "search"))).toBe("passed");
    expect(trajectory(options, called("search", "search", "search", "pay"))).toBe("passed");
    expect(trajectory({ exact: true, ...options }, called("search", "pay", "search"))).toBe("passed");
    expect(trajectory({ exact: true, ...options }, called("search", "search", "search", "pay"))).toMatch(/expected search, search, pay in any order at index 0/);
  });
});

describe("a wrong call before the right one", () => {
  const red = expectCall({ name: "search" }, { args: { q: "red shoes" } });
  test("case 099: is passed over", () => {
    expect(trajectory({ tools: [red] }, completed(call("a", "search", { q: "shoes" }), call("b", "search", { q: "red shoes" })))).toBe("passed");
  });
  test("case 099: is listed with every other one where none is right", () => {
    const diagnostic = trajectory({ tools: [red] }, completed(call("a", "search", { q: "shoes" }), call("b", "search", { q: "blue shoes" })));
    expect(diagnostic).toContain('call "a" {"q":"shoes"}');
    expect(diagnostic).toContain('call "b" {"q":"blue shoes"}');
  });
});

describe("an extra call between the expected ones", () => {
  const evidence = called("login", "search", "search", "pay");
  test("case 101: fails an exact trajectory, with both sequences and the first difference", () => {
    const diagnostic = trajectory({ exact: true, tools: tools("login", "search", "pay") }, evidence);
    expect(diagnostic).toContain("expected 3 (login -> search -> pay), observed 4 (login -> search -> search -> pay)");
    expect(diagnostic).toContain("first difference at index 2: expected pay, observed search");
  });
  test("case 101: passes an ordered one, an unordered one, and an exact one that allows it", () => {
    expect(trajectory({ tools: tools("login", "search", "pay") }, evidence)).toBe("passed");
    expect(trajectory({ tools: [unordered(...tools("pay", "login"))] }, evidence)).toBe("passed");
    expect(trajectory({ exact: true, tools: [...tools("login"), atLeast(1, "search"), ...tools("pay")] }, evidence)).toBe("passed");
  });
  test("case 101: does not mend a wrong order", () => {
    expect(trajectory({ tools: tools("pay", "login") }, evidence)).toBe("required tool not observed after position 4: login; observed login -> search -> search -> pay");
  });
});

test("case 102: every call is looked at, not the first alone", () => {
  const evidence = completed(call("a", "get_date"), call("b", "book", { day: "2024-05-02" }));
  expect(trajectory({ tools: tools("book") }, evidence)).toBe("passed");
  expect(expectation({ forbidTools: ["get_date"] }).checks(evidence)[1]).toEqual({ name: "forbidden_tools", passed: false, diagnostic: 'forbidden tool called: get_date, call "a" {}' });
});

test("case 103: a retry is a second call; whether it counts is said by what is counted", () => {
  const evidence = completed(failedCall("a", "charge", { amount: 5 }, "domain_rejection", "card declined"), call("b", "charge", { amount: 5 }, "ok"));
  const charge = anyTool("charge");
  expect(trajectory({ tools: [exactly(2, charge)] }, evidence)).toBe("passed");
  expect(trajectory({ tools: [exactly(1, expectCall(charge))] }, evidence)).toBe("passed");
  expect(trajectory({ tools: [exactly(1, charge)] }, evidence)).toBe('charge: expected at most 1, got 2 (2 calls, 1 failed): call "a" {"amount":5}, call "b" {"amount":5}');
});

test("case 105: calls of one batch stand in the order in which they were issued", () => {
  const evidence = completed(start("a", "weather"), start("b", "flights"), end("b", "flights"), end("a", "weather"));
  expect(trajectory({ tools: tools("weather", "flights") }, evidence)).toBe("passed");
  expect(trajectory({ tools: tools("flights", "weather") }, evidence)).toMatch(/required tool not observed/);
  expect(trajectory({ exact: true, tools: tools("weather", "flights") }, evidence)).toBe("passed");
  expect(trajectory({ exact: true, tools: [unordered(...tools("flights", "weather"))] }, evidence)).toBe("passed");
});

describe("kind trajectory-mode-semantics:", () => {
  test("a nested call stands right after its parent, whatever ran meanwhile", () => {
    const child = (id: string, name: string, parent: string): Told => [start(id, name, {}, { runId: "child", parentToolCallId: parent }), end(id, name, {}, { runId: "child" })];
    const evidence = completed(start("a", "helper"), start("b", "search"), child("a1", "lookup", "a"), end("b", "search"), child("a2", "lookup", "a"), end("a", "helper"));
    expect(trajectory({ exact: true, tools: tools("helper", "lookup", "lookup", "search") }, evidence)).toBe("passed");
    expect(trajectory({ tools: tools("lookup", "search") }, evidence)).toBe("passed");
    expect(trajectory({ tools: tools("search", "lookup") }, evidence)).toMatch(/not observed after position 4: lookup/);
  });

  test("an exact trajectory of nothing allows no call", () => {
    expect(trajectory({ exact: true }, called())).toBe("passed");
    expect(trajectory({ exact: true }, called("a"))).toMatch(/^call count: expected 0 \(no call\), observed 1 \(a\)/);
    expect(trajectory({}, called("a"))).toBe("passed");
  });

  test("an exact trajectory of the same names in another order shows both", () => {
    expect(trajectory({ exact: true, tools: tools("a", "b", "c") }, called("a", "c", "b"))).toBe('expected a -> b -> c, observed a -> c -> b; first difference at index 1: expected b, observed c, call "c-1" {}');
  });

  test("an exact trajectory asks each call its own question", () => {
    const evidence = completed(call("a", "pay", { amount: 5 }), call("b", "pay", { amount: 7 }));
    const pay = (amount: number): ToolExpectation => expectCall({ name: "pay" }, { args: { amount } });
    expect(trajectory({ exact: true, tools: [pay(5), pay(7)] }, evidence)).toBe("passed");
    expect(trajectory({ exact: true, tools: [pay(7), pay(5)] }, evidence)).toMatch(/index 0, call "a" .*amount: expected 7, got 5.*index 1, call "b" .*amount: expected 5, got 7/);
    expect(trajectory({ tools: [pay(7), pay(5)] }, evidence)).toMatch(/no call|not observed/);
    expect(trajectory({ tools: [unordered(pay(7), pay(5))] }, evidence)).toBe("passed");
  });

  test("a failed retry is a difference in an exact trajectory until it is declared", () => {
    expect(trajectory({ exact: true, tools: [expectCall(list)] }, retried)).toMatch(/call count/);
    expect(trajectory({ exact: true, tools: [expectCall(list), expectCall(list)] }, retried)).toMatch(/index 0.*failed with invalid_call/);
    expect(trajectory({ exact: true, tools: [expectFailure(list, "invalid_call"), expectCall(list)] }, retried)).toBe("passed");
  });

  test("a missing call does not hide the next one that is missing", () => {
    expect(trajectory({ tools: tools("x", "b", "y") }, called("a", "b"))).toBe("required tool not observed after position 0: x; observed a -> b; required tool not observed after position 2: y; observed a -> b");
  });

  test("the calls of an unfinished run are looked at like others", () => {
    const evidence = gather([call("a", "x"), start("b", "y"), fail("b", "y"), phase("failed"), streamEnd]);
    expect(trajectory({ tools: [...tools("x"), expectFailure(anyTool("y"), "invalid_call")] }, evidence)).toBe("passed");
  });
});
