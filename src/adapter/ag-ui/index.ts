// The door "entail/adapter/ag-ui": the streams of AG-UI as events, any AG-UI endpoint over HTTP as a target.

export type { Fetch, FetchResponse } from "./endpoint.ts";
export type { Interrupt } from "./event.ts";
export { events, type AgUiEvents, type EventsOptions, type EventSource } from "./events.ts";
export type { AgUiMessage } from "./message.ts";
export { target, type AgUiTargetOptions, type TurnInput } from "./target.ts";
export type { FrontendTool } from "./tool.ts";
export type { ResumeEntry } from "./translator.ts";
export { STREAM_WARNINGS, type StreamWarning } from "./warning.ts";
