// Owns the making of AI SDK stream parts by hand, and the short forms in which tests look at the evidence of them.

import { events, type EventsOptions, type StreamWarning } from "entail/adapter/ai-sdk";
import { collect, type Evidence } from "entail/evidence";

export async function* parts(list: readonly unknown[]): AsyncGenerator {
  yield* list;
}

export async function evidenceOf(list: readonly unknown[], options: EventsOptions = {}): Promise<{ evidence: Evidence; warnings: readonly StreamWarning[] }> {
  const stream = events(parts(list), { runId: "run", ...options });
  const evidence = await collect(stream);
  return { evidence, warnings: stream.warnings };
}

/** The error of a stream that did not come to its end. */
export async function cutOf(list: readonly unknown[]): Promise<{ code: string; evidence: Evidence }> {
  try {
    await collect(events(parts(list), { runId: "run" }));
  } catch (thrown) {
    return thrown as { code: string; evidence: Evidence };
  }
  throw new Error("the stream was complete");
}

export const call = (toolCallId: string, toolName: string, input: unknown = {}, rest: object = {}): object => ({ type: "tool-call", toolCallId, toolName, input, ...rest });
export const result = (toolCallId: string, toolName: string, output: unknown, rest: object = {}): object => ({ type: "tool-result", toolCallId, toolName, output, ...rest });
export const text = (words: string): object => ({ type: "text-delta", id: "t", text: words });
export const inputStart = (id: string, toolName: string): object => ({ type: "tool-input-start", id, toolName });
export const inputDelta = (id: string, delta: string): object => ({ type: "tool-input-delta", id, delta });
export const START = { type: "start-step", request: {}, warnings: [] };
export const STEP = { type: "finish-step", finishReason: "stop" };
export const stepOf = (...inner: readonly object[]): object[] => [START, ...inner, STEP];
export const FINISH = { type: "finish", finishReason: "stop", rawFinishReason: "stop" };
export const TOOLS_FINISH = { type: "finish", finishReason: "tool-calls", rawFinishReason: "tool_calls" };

/** The calls in the members that most tests ask about. */
export const shown = ({ toolCalls }: Evidence): object[] =>
  toolCalls.map(({ toolCallId, toolName, args, result: output, failure, completed, approval }) => ({
    id: toolCallId,
    name: toolName,
    args,
    completed,
    ...(output === undefined ? {} : { result: output }),
    ...(failure === undefined ? {} : { failure: failure.kind }),
    ...(approval === undefined ? {} : { approval }),
  }));

export const allPassed = (checks: readonly { readonly passed: boolean }[]): boolean => checks.every(({ passed }) => passed);
