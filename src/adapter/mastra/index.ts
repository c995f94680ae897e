// The door "entail/adapter/mastra": Mastra's agents and workflows as targets, its streams and results as events, its model names as providers.

export { events, type EventsOptions, type MastraEvents, type StreamSource } from "./events.ts";
export type { Load } from "./load.ts";
export { resolveModel, type MastraModel, type ModelConfig, type ResolveOptions } from "./model.ts";
export { provider, type ModelsByClass, type ProviderOptions } from "./provider.ts";
export {
  target,
  type AgentCall,
  type AgentLike,
  type FurtherOptions,
  type InputMessage,
  type MastraTargetOptions,
  type StreamCall,
  type TurnInput,
  type WorkflowLike,
  type WorkflowRun,
} from "./target.ts";
export { STREAM_WARNINGS, type StreamWarning } from "./warning.ts";
