// The door "entail/adapter/openai-agents": agents of the OpenAI Agents SDK as targets, their runs as events, its models as providers.

export { events, type EventsOptions, type OpenAiAgentsEvents, type RunSource } from "./events.ts";
export type { FailureOptions } from "./failure.ts";
export { watch } from "./nested.ts";
export { provider, type AgentsModel, type ProviderOptions } from "./provider.ts";
export type { RunnerLike } from "./runner.ts";
export { target, type AgentLike, type AgentTargetOptions, type TurnInput } from "./target.ts";
export { toolError, type ErrorFunction } from "./tool-error.ts";
export type { Handoff } from "./translator.ts";
export { STREAM_WARNINGS, type StreamWarning } from "./warning.ts";
