// Owns the events that tests of evidence are told with: one run of an agent and what it did, each in a line.

import { codec } from "entail/generated";
import {
  type AwaitConfirmationEvent,
  type CollectorOptions,
  createCollector,
  type Evidence,
  type FailureKind,
  type StreamEvent,
  type ToolEndEvent,
  type ToolStartEvent,
  type TypedTool,
} from "entail/evidence";

export const ROOT = { runId: "root", sessionId: "session" } as const;

export interface ListArgs {
  readonly window: string;
  readonly cursor?: string;
}
export interface ListResult {
  readonly alarms: readonly { readonly id: string }[];
}

export const list: TypedTool<ListArgs, ListResult, "list_alarms"> = {
  name: "list_alarms",
  args: codec({ type: "object", properties: { window: { type: "string" }, cursor: { type: "string" } }, required: ["window"] }),
  result: codec({ type: "object", properties: { alarms: { type: "array", items: { type: "object", properties: { id: { type: "string" } }, required: ["id"] } } }, required: ["alarms"] }),
};
export const detail: TypedTool<{ readonly id: string }, unknown, "alarm_detail"> = {
  name: "alarm_detail",
  args: codec({ type: "object", properties: { id: { type: "string" } }, required: ["id"] }),
  result: codec({}),
};
/** A tool of whatever name, with nothing said of its sides. */
export function anyTool<Name extends string>(name: Name): TypedTool<unknown, unknown, Name> {
  return { name, args: codec({}), result: codec({}) };
}

export function start(toolCallId: string, toolName: string, args: unknown = {}, more: Partial<ToolStartEvent> = {}): ToolStartEvent {
  return { type: "tool_start", ...ROOT, toolCallId, toolName, args, ...more };
}
export function end(toolCallId: string, toolName: string, result: unknown = {}, more: Partial<ToolEndEvent> = {}): ToolEndEvent {
  return { type: "tool_end", ...ROOT, toolCallId, toolName, result, ...more };
}
export function fail(toolCallId: string, toolName: string, kind: FailureKind = "invalid_call", message = `${kind} it was`): ToolEndEvent {
  return { type: "tool_end", ...ROOT, toolCallId, toolName, failure: { kind, error: { message } } };
}
export function reply(text: string): StreamEvent {
  return { type: "assistant_reply", ...ROOT, text };
}
export function phase(name: string): StreamEvent {
  return { type: "workflow", ...ROOT, phase: name };
}
export function asks(toolCallId: string, toolName: string, args: unknown = {}): AwaitConfirmationEvent {
  return { type: "await_confirmation", ...ROOT, toolCallId, toolName, prompt: `May I call ${toolName}?`, args };
}
export const streamEnd: StreamEvent = { type: "run_stream_end", ...ROOT };

/** One call, started and ended at once. */
export function call(toolCallId: string, toolName: string, args: unknown = {}, result: unknown = {}): readonly StreamEvent[] {
  return [start(toolCallId, toolName, args), end(toolCallId, toolName, result)];
}
export function failedCall(toolCallId: string, toolName: string, args: unknown = {}, kind: FailureKind = "invalid_call", message?: string): readonly StreamEvent[] {
  return [start(toolCallId, toolName, args), fail(toolCallId, toolName, kind, message)];
}

export type Told = StreamEvent | readonly StreamEvent[];

export function inOrder(told: readonly Told[]): readonly StreamEvent[] {
  return told.flatMap<StreamEvent>((one) => one);
}

export function gather(told: readonly Told[], options: CollectorOptions = {}): Evidence {
  const collector = createCollector(options);
  for (const event of inOrder(told)) collector.consume(event);
  return collector.finish();
}
/** A run that did this and completed. */
export function completed(...told: readonly Told[]): Evidence {
  return gather([...told, phase("completed"), streamEnd]);
}
/** A run that did this and stopped to wait. */
export function suspended(...told: readonly Told[]): Evidence {
  return gather([...told, phase("suspended"), streamEnd]);
}
/** A completed run that called these tools, `a`, `b`, `c` … by their ids. */
export function called(...names: readonly string[]): Evidence {
  return completed(...names.map((name, at) => call(`${name}-${at}`, name)));
}
