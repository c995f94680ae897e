// Owns the canonical scenario: one question, one call, one answer, which every framework runs and which gives the same evidence through each.
import type { ChatCompletionRequest, FixtureResponse } from "@copilotkit/aimock";
import { OBSERVES_EVERYTHING, type Confirmation, type Evidence, type Observes, type ToolCall } from "entail/evidence";

export const QUESTION = "What is the weather in Brooklyn?";
export const WEATHER_TOOL = {
  name: "get_weather",
  description: "Tells the weather of a city.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
} as const;
export const ARGS = { city: "Brooklyn" } as const;
export const RESULT = { city: "Brooklyn", sky: "sunny", celsius: 21 } as const;
export const ANSWER = "It is sunny in Brooklyn, 21 degrees.";

/** The model of the scenario, as a response of an aimock fixture: it asks for the weather, and answers once a tool has. */
export function canonicalResponse({ messages }: Pick<ChatCompletionRequest, "messages">): FixtureResponse {
  if (messages.some(({ role }) => role === "tool")) return { content: ANSWER };
  return { toolCalls: [{ id: "call_1", name: WEATHER_TOOL.name, arguments: JSON.stringify(ARGS) }] };
}

/**
 * Evidence as it can be compared across frameworks: ids are ordinals (`run 1`, `call 1`), session and usage are left out, and so is
 * whatever the source says that it cannot see.
 */
export function comparable(evidence: Evidence): Readonly<Record<string, unknown>> {
  const runs = ordinals("run");
  const calls = ordinals("call");
  const { answer, terminalPhase, terminalFailure, ended, unknownEvents, confirmation, observes } = evidence;
  const runId = runs(evidence.runId);
  const toolCalls = seesCalls(observes) ? evidence.toolCalls.map((call) => comparableCall(call, observes, runs, calls)) : [];
  return {
    runId,
    answer,
    toolCalls,
    ...(confirmation === undefined || !observes.approvals ? {} : { confirmation: comparableConfirmation(confirmation, calls) }),
    ...(terminalPhase === undefined ? {} : { terminalPhase }),
    ...(terminalFailure === undefined ? {} : { terminalFailure }),
    ended,
    ...(unknownEvents === undefined ? {} : { unknownEvents }),
  };
}

function seesCalls({ args, results }: Observes): boolean {
  return args || results;
}

function comparableCall(call: ToolCall, observes: Observes, runs: Ordinals, calls: Ordinals): Readonly<Record<string, unknown>> {
  const { toolCallId, parentToolCallId, runId, args, argsJson, argsRaw, result, resultJson, completed, bounds, approval, ...rest } = call;
  return {
    toolCallId: calls(toolCallId),
    ...rest,
    ...(observes.args ? { args, argsJson, ...(argsRaw === undefined ? {} : { argsRaw }) } : {}),
    ...(observes.results ? { ...(result === undefined ? {} : { result, resultJson }), completed } : {}),
    ...(observes.bounds && bounds !== undefined ? { bounds } : {}),
    ...(observes.approvals && approval !== undefined ? { approval } : {}),
    ...(observes.parents && parentToolCallId !== undefined ? { parentToolCallId: calls(parentToolCallId) } : {}),
    ...(runId === undefined ? {} : { runId: runs(runId) }),
  };
}

function comparableConfirmation({ id: _id, toolCallId, ...rest }: Confirmation, calls: Ordinals): Readonly<Record<string, unknown>> {
  return { toolCallId: calls(toolCallId), ...rest };
}

type Ordinals = (id: string) => string;

function ordinals(noun: string): Ordinals {
  const ids = new Map<string, string>();
  return (id) => {
    const known = ids.get(id) ?? `${noun} ${ids.size + 1}`;
    ids.set(id, known);
    return known;
  };
}

/** The comparable evidence of the scenario for a source that sees `observes`; with the default, all that there is to see. */
export function canonicalFor(observes: Observes = OBSERVES_EVERYTHING): Readonly<Record<string, unknown>> {
  return comparable({
    runId: "run 1",
    sessionId: "",
    answer: ANSWER,
    toolCalls: [{
      toolCallId: "call 1",
      toolName: WEATHER_TOOL.name,
      args: ARGS,
      argsJson: '{"city":"Brooklyn"}',
      result: RESULT,
      resultJson: '{"celsius":21,"city":"Brooklyn","sky":"sunny"}',
      runId: "run 1",
      completed: true,
    }],
    terminalPhase: "completed",
    ended: true,
    observes,
  });
}

/** What every adapter that sees arguments and results gives of the scenario. */
export const CANONICAL: Readonly<Record<string, unknown>> = canonicalFor();
