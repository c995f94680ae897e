// The door "entail/adapter/langgraph": the streams of LangGraph's graphs as events, its graphs as targets, LangChain's chat models as providers.

export type { StreamMode } from "./chunk.ts";
export { events, STREAM, type EventsOptions, type LangGraphEvents, type StreamSource } from "./events.ts";
export type { Interrupt } from "./interrupt.ts";
export { provider, type ChatModel, type ChatSettings, type MakeChatModel, type ProviderOptions } from "./provider.ts";
export { target, type GraphLike, type GraphTargetOptions, type TurnInput } from "./target.ts";
export { STREAM_WARNINGS, type StreamWarning } from "./warning.ts";
export { watch, type CallbackHandler, type GraphWatch } from "./watch.ts";
