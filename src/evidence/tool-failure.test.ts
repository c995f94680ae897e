import { expect, test } from "vitest";
import { createCollector, FAILURE_KINDS, type StreamEvent, type ToolFailure } from "entail/evidence";
import { ROOT, start } from "../../test/agent-events.ts";

/** Consumes an end with this failure: the failure as evidence shows it, or the sentence that refuses it. */
function consumed(failure: unknown): unknown {
  const collector = createCollector();
  collector.consume(start("a", "x"));
  try {
    collector.consume({ type: "tool_end", ...ROOT, toolCallId: "a", toolName: "x", failure } as unknown as StreamEvent);
  } catch (error) {
    const { code, message } = error as { readonly code: string; readonly message: string };
    return `${code}: ${message}`;
  }
  return collector.finish().toolCalls[0]?.failure;
}
const error = { message: "it broke" };
const issue = { field: "window", constraint: "missing_field" };

test("[185] an unknown kind, an unknown action and a missing error are refused", () => {
  expect(consumed({ kind: "broken", error })).toMatch(/^tool_failure_invalid: tool_end of call "a": failure.kind must be one of .*; it is "broken"/);
  expect(consumed({ kind: "timeout", error, recovery: { action: "retry" } })).toMatch(/^tool_failure_invalid: .*recovery.action/);
  expect(consumed({ kind: "timeout" })).toMatch(/^tool_failure_invalid: .*failure.error must be an object/);
  expect(consumed({ kind: "timeout", error: { message: "" } })).toMatch(/^tool_failure_invalid: .*failure.error.message/);
  expect(consumed({ kind: "timeout", error: { message: "a", cause: { message: 1 } } })).toMatch(/^tool_failure_invalid: .*failure.error.cause.message/);
  expect(consumed("timeout")).toMatch(/^tool_failure_invalid: .*failure must be an object/);
  for (const kind of FAILURE_KINDS) expect(consumed({ kind, error })).toEqual({ kind, error });
});

test("[186] data for a correction on any other way out is refused", () => {
  for (const action of ["replan", "finish"]) {
    expect(consumed({ kind: "invalid_call", error, recovery: { action, issues: [issue] } })).toMatch(/^tool_failure_invalid: .*only the action correct_call/);
    expect(consumed({ kind: "invalid_call", error, recovery: { action, priorInput: {} } })).toMatch(/^tool_failure_invalid/);
    expect(consumed({ kind: "invalid_call", error, recovery: { action, exampleJson: { window: "24h" } } })).toMatch(/^tool_failure_invalid/);
    expect(consumed({ kind: "invalid_call", error, recovery: { action, issues: [] } })).toEqual({ kind: "invalid_call", error, recovery: { action } });
  }
});

test("[187] only an invalid or a refused call can be corrected", () => {
  for (const kind of FAILURE_KINDS) {
    const read = consumed({ kind, error, recovery: { action: "correct_call", issues: [issue], priorInput: { window: 1 } } });
    expect(typeof read === "string" ? read.slice(0, 20) : read).toEqual(
      kind === "invalid_call" || kind === "domain_rejection" ? { kind, error, recovery: { action: "correct_call", issues: [issue], priorInput: { window: 1 } } } : "tool_failure_invalid",
    );
  }
});

test("[188] an issue without a field, or of an unknown constraint, is refused", () => {
  const recovery = (one: unknown): unknown => consumed({ kind: "invalid_call", error, recovery: { action: "correct_call", issues: [issue, one] } });
  expect(recovery({ constraint: "missing_field" })).toMatch(/^tool_failure_invalid: .*issues\[1\].field/);
  expect(recovery({ field: "", constraint: "missing_field" })).toMatch(/^tool_failure_invalid: .*issues\[1\].field/);
  expect(recovery({ field: "a", constraint: "wrong" })).toMatch(/^tool_failure_invalid: .*issues\[1\].constraint/);
  expect(recovery({ field: "a", constraint: "invalid_length", minLen: "3" })).toMatch(/^tool_failure_invalid: .*minLen/);
  expect(recovery({ field: "a", constraint: "invalid_enum_value", allowed: [1] })).toMatch(/^tool_failure_invalid: .*allowed/);
  expect(recovery(null)).toMatch(/^tool_failure_invalid: .*issues\[1\] must be an object/);
});

test("[189] what becomes of the given failure later does not change the evidence", () => {
  const given = {
    kind: "invalid_call",
    error: { message: "no window", cause: { message: "nothing was given", cause: { message: "the model forgot it" } } },
    recovery: {
      action: "correct_call",
      issues: [{ field: "window", constraint: "invalid_enum_value", allowed: ["24h", "1h"], minLen: 2, pattern: "h$" }],
      priorInput: { window: { nested: [1] } },
      exampleJson: { window: "24h" },
    },
  };
  const copy = structuredClone(given);
  const failure = consumed(given) as ToolFailure;
  expect(failure).toEqual(copy);
  given.error.cause.cause.message = "changed";
  given.recovery.issues[0]?.allowed.push("7d");
  given.recovery.priorInput.window.nested.push(2);
  expect(failure).toEqual(copy);
  const [first] = failure.recovery?.issues ?? [];
  expect(() => Object.assign(first ?? {}, { field: "other" })).toThrow(TypeError);
});

test("causes that go round in a circle are refused", () => {
  const cause: { message: string; cause?: unknown } = { message: "round" };
  cause.cause = cause;
  expect(consumed({ kind: "internal", error: cause })).toMatch(/^tool_failure_invalid: .*is its own cause/);
});

test("data for a correction that is no JSON object is refused", () => {
  for (const priorInput of [[], "text", { n: 1n }]) {
    expect(consumed({ kind: "invalid_call", error, recovery: { action: "correct_call", priorInput } })).toMatch(/^tool_failure_invalid: .*priorInput must be a JSON object/);
  }
});
