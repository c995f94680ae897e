import { expect, test } from "vitest";
import { createCollector, OBSERVES_EVERYTHING, type ToolCall } from "entail/evidence";

/** The call that a collector makes of these raw texts. */
function callOf(argsJson: string, resultJson: string): ToolCall {
  const collector = createCollector({ observes: OBSERVES_EVERYTHING });
  const run = { runId: "root", sessionId: "session" };
  const call = { ...run, toolCallId: "call-1", toolName: "list_alarms" };
  collector.consume({ ...call, type: "tool_start", argsJson });
  collector.consume({ ...call, type: "tool_end", resultJson });
  collector.consume({ ...run, type: "workflow", phase: "completed" });
  collector.consume({ ...run, type: "run_stream_end" });
  const [seen] = collector.finish().toolCalls;
  if (seen === undefined) throw new Error("the collector has no call");
  return seen;
}

test("[192] raw JSON keeps the digits of 9007199254740993, null is a result, and an empty or blank text is no JSON and stays as it came", () => {
  expect(callOf(' { "id" : 9007199254740993 } ', " [9007199254740993, 1.10] ")).toMatchObject({ argsJson: '{"id":9007199254740993}', resultJson: "[9007199254740993,1.10]" });
  expect(callOf("{}", "null")).toMatchObject({ result: null, resultJson: "null" });
  for (const blank of ["", " ", "\n\t"]) {
    // The JSON text of an empty or blank string would have quotes.
    expect(callOf("{}", blank)).toMatchObject({ result: blank, resultJson: blank });
  }
  expect(callOf(" ", "1")).toMatchObject({ args: " ", argsJson: " " });
});
