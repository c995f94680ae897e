// Owns the events of an agent's run, as a collector reads them and an adapter makes them.

import type { Bounds, Observes, ResultOmitted, RunFailure, ToolFailure } from "./evidence.ts";
import type { Usage } from "./usage.ts";

interface EventBase {
  /** The run that the event belongs to; a nested agent has a run of its own. */
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly eventKey?: string | undefined;
}

/** A call was issued. Give `argsJson`, the raw text, wherever it can be had: it keeps every digit and shows what could not be parsed. */
export interface ToolStartEvent extends EventBase {
  readonly type: "tool_start";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args?: unknown;
  readonly argsJson?: string | undefined;
  readonly parentToolCallId?: string | undefined;
}

/** A call ended, with a result or a failure. */
export interface ToolEndEvent extends EventBase {
  readonly type: "tool_end";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly result?: unknown;
  readonly resultJson?: string | undefined;
  readonly resultOmitted?: ResultOmitted | undefined;
  readonly bounds?: Bounds | undefined;
  readonly failure?: ToolFailure | undefined;
  readonly parentToolCallId?: string | undefined;
  /** The run that started the call, where another run ends it. */
  readonly callRunId?: string | undefined;
}

export interface AssistantReplyEvent extends EventBase {
  readonly type: "assistant_reply";
  readonly text: string;
}

export interface WorkflowEvent extends EventBase {
  readonly type: "workflow";
  /** `completed`, `failed`, `cancelled` (`canceled` is read too) and `suspended` end a run; any other phase is progress. */
  readonly phase: string;
  readonly failure?: RunFailure | undefined;
  readonly cancellation?: { readonly reason?: string | undefined } | undefined;
}

/** The run waits for somebody to allow a call. No `tool_start` comes before the decision. */
export interface AwaitConfirmationEvent extends EventBase {
  readonly type: "await_confirmation";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly prompt: string;
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly args?: unknown;
  readonly argsJson?: string | undefined;
}

/** Somebody decided about a call. */
export interface ToolAuthorizationEvent extends EventBase {
  readonly type: "tool_authorization";
  readonly toolCallId: string;
  readonly toolName?: string | undefined;
  readonly approved: boolean;
  readonly approvedBy?: string | undefined;
  readonly summary?: string | undefined;
}

export interface UsageEvent extends EventBase {
  readonly type: "usage";
  readonly usage: Usage;
}

export interface RunStreamEndEvent extends EventBase {
  readonly type: "run_stream_end";
}

/** Accepted, and of no weight as evidence. */
export const PROGRESS_EVENTS = [
  "assistant_turn",
  "planner_thought",
  "prompt_rendered",
  "tool_update",
  "tool_call_args_delta",
  "tool_output_delta",
  "await_clarification",
  "await_questions",
  "await_external_tools",
  "child_run_linked",
  "session_stream_started",
  "session_stream_end",
] as const;

export interface ProgressEvent extends EventBase {
  readonly type: (typeof PROGRESS_EVENTS)[number];
  readonly [member: string]: unknown;
}

export type StreamEvent =
  | ToolStartEvent
  | ToolEndEvent
  | AssistantReplyEvent
  | WorkflowEvent
  | AwaitConfirmationEvent
  | ToolAuthorizationEvent
  | UsageEvent
  | RunStreamEndEvent
  | ProgressEvent;

/** A run's events in order; an adapter says beside them what it can see. */
export interface EventStream extends AsyncIterable<StreamEvent> {
  readonly observes?: Observes | undefined;
}
