// The door "entail/adapter/http": an endpoint of OpenAI's chat protocol as a target and as a provider, and a plain function as a target.

export type { ChatEvents, ChatInput, ChatMessage, ChatTargetOptions } from "./chat-target.ts";
export type { ChatTool, ToolCallContext } from "./chat-tool.ts";
export type { EndpointOptions, Fetch, FetchResponse } from "./endpoint.ts";
export type { FunctionTargetOptions, Given, GivenKind, TargetFunction } from "./function-target.ts";
export { provider, type ProviderOptions } from "./provider.ts";
export { target } from "./target.ts";
export { STREAM_WARNINGS, type StreamWarning } from "./warning.ts";
