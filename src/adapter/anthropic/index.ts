// The door "entail/adapter/anthropic": the Messages API and the tools around it as a target, its messages as events, its models as providers.

export { events, type AnthropicEvents, type EventsOptions, type RunSource } from "./events.ts";
export type { FailureOptions } from "./failure.ts";
export type { MessagesLike } from "./loop.ts";
export { provider, type ProviderOptions } from "./provider.ts";
export { target, type ClientLike, type InputMessage, type LoopCall, type LoopRun, type LoopRunOptions, type LoopTargetOptions, type TurnInput } from "./target.ts";
export type { ApprovalAnswer, TargetTool, ToolCallContext } from "./tool-run.ts";
export { STREAM_WARNINGS, type StreamWarning } from "./warning.ts";
