// Owns the making of LangGraph's stream chunks by hand, and the short forms in which tests look at the evidence of them.

import { events, type EventsOptions, type StreamWarning } from "entail/adapter/langgraph";
import { collect, type Evidence, type StreamEvent } from "entail/evidence";

export async function* chunks(list: readonly unknown[]): AsyncGenerator {
  yield* list;
}

export async function evidenceOf(list: readonly unknown[], options: EventsOptions = {}): Promise<{ evidence: Evidence; warnings: readonly StreamWarning[]; told: readonly StreamEvent[] }> {
  const stream = events(chunks(list), { runId: "run", ...options });
  const told: StreamEvent[] = [];
  const listening = { observes: stream.observes, async *[Symbol.asyncIterator]() { for await (const event of stream) { told.push(event); yield event; } } };
  const evidence = await collect(listening);
  return { evidence, warnings: stream.warnings, told };
}

export interface Place {
  readonly node?: string;
  readonly task?: string;
  readonly path?: readonly string[];
}

/** A chunk of the mode `messages`. */
export const streamed = (message: object, { node = "agent", task = "1", path = [] }: Place = {}): unknown =>
  [path, "messages", [message, { langgraph_node: node, langgraph_checkpoint_ns: [...path, `${node}:${task}`].join("|") }]];
export const piece = (id: string, content: unknown, toolCallChunks: readonly object[] = [], place: Place = {}): unknown => streamed({ type: "AIMessageChunk", id, content, tool_call_chunks: toolCallChunks }, place);
export const ai = (id: string | undefined, content: unknown, calls: readonly object[] = [], rest: object = {}): object => ({ type: "ai", ...(id === undefined ? {} : { id }), content, tool_calls: calls, ...rest });
export const toolMessage = (toolCallId: string | null | undefined, name: string, content: unknown, rest: object = {}): object => ({ type: "tool", name, content, tool_call_id: toolCallId, ...rest });
/** A chunk of the mode `updates`. */
export const wrote = (node: string, messages: readonly object[], path: readonly string[] = []): unknown => [path, "updates", { [node]: { messages } }];
export const toolStart = (toolCallId: string | undefined, name: string, input: unknown = {}, path: readonly string[] = []): unknown => [path, "tools", { event: "on_tool_start", toolCallId, name, input: JSON.stringify(input) }];
export const toolEnd = (toolCallId: string | undefined, name: string, output: unknown, path: readonly string[] = []): unknown => [path, "tools", { event: "on_tool_end", toolCallId, name, output }];
export const toolError = (toolCallId: string | undefined, name: string, error: unknown, path: readonly string[] = []): unknown => [path, "tools", { event: "on_tool_error", toolCallId, name, error }];
export const taskBegin = (id: string, name: string, messages: readonly object[] = [], path: readonly string[] = []): unknown => [path, "tasks", { id, name, input: { messages }, triggers: [], interrupts: [] }];
export const taskEnd = (id: string, name: string, interrupts: readonly object[] = [], path: readonly string[] = []): unknown => [path, "tasks", { id, name, result: {}, interrupts, error: null }];
export const interrupted = (...interrupts: readonly object[]): unknown => [[], "updates", { __interrupt__: interrupts }];
export const call = (id: string | undefined, name: string, args: object = {}): object => ({ ...(id === undefined ? {} : { id }), name, args, type: "tool_call" });

/** The calls in the members that most tests ask about. */
export const shown = ({ toolCalls }: Evidence): object[] =>
  toolCalls.map(({ toolCallId, toolName, args, result, failure, completed, approval, parentToolCallId }) => ({
    id: toolCallId,
    name: toolName,
    args,
    completed,
    ...(result === undefined ? {} : { result }),
    ...(failure === undefined ? {} : { failure: failure.kind }),
    ...(approval === undefined ? {} : { approval }),
    ...(parentToolCallId === undefined ? {} : { parent: parentToolCallId }),
  }));

/** The turns of the models, each with the node that it was made in and how deep. */
export const turns = (told: readonly StreamEvent[]): object[] =>
  told.flatMap((event) => (event.type === "assistant_turn" ? [{ id: event["messageId"], node: event["node"], path: event["path"], text: event["text"] }] : []));
export const reasoning = (told: readonly StreamEvent[]): string => told.map((event) => (event.type === "planner_thought" ? String(event["text"]) : "")).join("");
