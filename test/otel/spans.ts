// Owns the making of plain spans by hand, by the names of the GenAI conventions, and the short forms in which tests look at the evidence of them.

import { events, type EventsOptions, type StreamWarning } from "entail/adapter/otel";
import { collect, type Evidence, type Observes } from "entail/evidence";

export type Attributes = Readonly<Record<string, unknown>>;
export interface PlainSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly kind?: string;
  readonly status?: unknown;
  readonly attributes: Attributes;
  readonly events?: readonly { readonly name: string; readonly attributes: Attributes }[];
}

let clock = 0;
export const span = (name: string, spanId: string, parentSpanId: string, attributes: Attributes, over: Partial<PlainSpan> = {}): PlainSpan => ({
  traceId: "t", spanId, ...(parentSpanId === "" ? {} : { parentSpanId }), name, startTime: (clock += 10), endTime: clock + 5, attributes, ...over,
});
export const agent = (id: string, parent = "", attributes: Attributes = {}, over: Partial<PlainSpan> = {}): PlainSpan => span(`invoke_agent ${id}`, id, parent, { "gen_ai.operation.name": "invoke_agent", ...attributes }, over);
export const text = (content: string): object => ({ type: "text", content });
export const call = (id: string | null, name: string, args: unknown): object => ({ type: "tool_call", id, name, arguments: args });
export const response = (id: string, value: unknown): object => ({ type: "tool_call_response", id, response: value });
export const said = (...parts: object[]): object[] => [{ role: "assistant", parts, finish_reason: "stop" }];
export const chat = (id: string, parent: string, parts: readonly object[] | undefined, reason = "stop", attributes: Attributes = {}, over: Partial<PlainSpan> = {}): PlainSpan =>
  span(`chat ${id}`, id, parent, { "gen_ai.operation.name": "chat", "gen_ai.response.finish_reasons": [reason], ...(parts === undefined ? {} : { "gen_ai.output.messages": JSON.stringify(said(...parts)) }), ...attributes }, over);
export const tool = (id: string, parent: string, name: string, callId: string | undefined, attributes: Attributes = {}, over: Partial<PlainSpan> = {}): PlainSpan =>
  span(`execute_tool ${name}`, id, parent, { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, ...(callId === undefined ? {} : { "gen_ai.tool.call.id": callId }), ...attributes }, over);
export const content = (args: unknown, result?: unknown): Attributes => ({ "gen_ai.tool.call.arguments": JSON.stringify(args), ...(result === undefined ? {} : { "gen_ai.tool.call.result": JSON.stringify(result) }) });
export const ERROR = { code: 2, message: "it broke" };

export async function seen(spans: unknown, options: EventsOptions = {}): Promise<{ evidence: Evidence; warned: readonly StreamWarning["code"][] }> {
  const stream = events(spans as object, options);
  return { evidence: await collect(stream), warned: [...new Set(stream.warnings.map(({ code }) => code))] };
}
export const codeOf = (thrown: unknown): unknown => (thrown as { code?: unknown }).code;
export function attempt(make: () => unknown): unknown {
  try {
    return make();
  } catch (thrown) {
    return thrown;
  }
}
export const cutOf = async (spans: unknown, options: EventsOptions = {}): Promise<{ code: string; message: string; evidence: Evidence }> =>
  (await collect(events(spans as object, options)).then(() => { throw new Error("the run was whole"); }, (thrown: unknown) => thrown)) as never;
export const look = ({ toolCalls }: Evidence): unknown[] => toolCalls.map(({ toolCallId, toolName, args, result, failure, completed, parentToolCallId }) => [toolCallId, toolName, args, failure?.kind ?? result, completed, parentToolCallId]);
export const sees = ({ observes }: { observes: Observes }): string[] => Object.entries(observes).filter(([, value]) => value).map(([name]) => name);
export const ALL_THAT_A_TRACE_SHOWS = ["args", "results", "failureKinds", "parents"];

/** An agent that looks twice, at once, and answers. */
export const typical = (): PlainSpan[] => [
  agent("root", "", { "gen_ai.conversation.id": "talk", "gen_ai.response.finish_reasons": ["stop"], "gen_ai.usage.input_tokens": 30, "gen_ai.usage.output_tokens": 12 }),
  chat("c1", "root", [text("Let me see. "), call("a", "list", { window: "24h" }), call("b", "list", { window: "7d" })], "tool_calls", { "gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 5, "gen_ai.usage.reasoning.output_tokens": 2 }),
  tool("x1", "root", "list", "b", content({ window: "7d" }, { ids: [2] })),
  tool("x2", "root", "list", "a", content({ window: "24h" }, { ids: [1] })),
  chat("c2", "root", [text("Two alarms.")], "stop", { "gen_ai.usage.input_tokens": 20, "gen_ai.usage.output_tokens": 7, "gen_ai.usage.cache_read.input_tokens": 4 }),
];
export const TYPICAL = {
  runId: "root",
  sessionId: "talk",
  answer: "Let me see. Two alarms.",
  terminalPhase: "completed",
  ended: true,
  usage: { inputTokens: 30, outputTokens: 12, reasoningTokens: 2, cachedInputTokens: 4, requests: 2 },
};
