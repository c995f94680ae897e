// The door "entail/adapter/goa-ai": Goa-AI's own stream as events, and an agent behind a small HTTP endpoint as a target.

export { events, type EventsOptions, type GoaEventType, type GoaEvents, type StreamSource } from "./events.ts";
export { target, type EndpointRequest, type GoaInput, type GoaTargetOptions } from "./target.ts";
export { STREAM_WARNINGS, type StreamWarning } from "./warning.ts";
