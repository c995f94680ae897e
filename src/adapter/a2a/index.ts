// The door "entail/adapter/a2a": the tasks of A2A agents as events, an agent's endpoint as a target.

export { events, OBSERVES, type A2aEvents, type EventsOptions, type TaskSource } from "./events.ts";
export type { Fetch, FetchResponse, Protocol } from "./call.ts";
export type { InputPart } from "./part.ts";
export { target, type A2aTargetOptions, type TurnInput } from "./target.ts";
export { STREAM_WARNINGS, type StreamWarning } from "./warning.ts";
