// The door "entail/evidence": from the events of an agent's run to evidence, and from evidence to checks.

export { PROGRESS_EVENTS } from "../core/event.ts";
export type {
  AssistantReplyEvent,
  AwaitConfirmationEvent,
  EventStream,
  ProgressEvent,
  RunStreamEndEvent,
  StreamEvent,
  ToolAuthorizationEvent,
  ToolEndEvent,
  ToolStartEvent,
  UsageEvent,
  WorkflowEvent,
} from "../core/event.ts";
export { FAILURE_KINDS, FIELD_CONSTRAINTS, OBSERVABLES, OBSERVES_EVERYTHING, TERMINAL_PHASES } from "../core/evidence.ts";
export type {
  Approval,
  Bounds,
  Completion,
  Confirmation,
  Evidence,
  FailureCause,
  FailureKind,
  FieldIssue,
  Observable,
  Observes,
  Recovery,
  ResultOmitted,
  RunFailure,
  TerminalPhase,
  ToolCall,
  ToolFailure,
  UnknownEvents,
} from "../core/evidence.ts";
export type { Target, TargetOptions } from "../core/target.ts";
export type { Codec, TypedTool } from "../core/tool.ts";
export { type BareTool, type CallOptions, expectCall, expectFailure, type ToolExpectation } from "./call-expectation.ts";
export { calls, type NamedTool } from "./calls.ts";
export { collect, type CollectableStream, type CollectContext } from "./collect.ts";
export type { CollectorOptions } from "./collector-options.ts";
export { type Collector, createCollector } from "./collector.ts";
export { type ConfirmationExpectation, expectConfirmation } from "./confirmation-expectation.ts";
export type { ExpectationOptions } from "./expectation-options.ts";
export { type Expectation, expectation } from "./expectation.ts";
export { atLeast, atMost, type CountedCall, type CountExpectation, exactly, type TrajectoryItem, unordered, type UnorderedExpectation } from "./grouped-expectation.ts";
export type { JsonObject, JsonValue, Matcher, PlainValue, ValueSchema } from "./matcher.ts";
export { eventsFromMessages, type MessageEventsOptions } from "./message-events.ts";
export { asserts, decoded, type Predicate, type PredicateVerdict } from "./predicate.ts";
