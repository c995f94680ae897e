// The door "entail/adapter/ai-sdk": AI SDK 7 models as providers, its agents as targets, its streams as events.

export { events, type AiSdkEvents, type EventsOptions, type StreamSource } from "./events.ts";
export type { LanguageModel } from "../../language-model/language-model.ts";
export { provider, type ModelsByClass, type ProviderOptions } from "../../language-model/provider.ts";
export { target, type AgentCall, type AgentLike, type AgentTargetOptions, type InputMessage, type StreamCall, type TurnInput } from "./target.ts";
export { STREAM_WARNINGS, type StreamWarning } from "./warning.ts";
