// The door "entail/adapter/otel": the runs of a finished OpenTelemetry trace as events.

export { events, runs, type EventsOptions, type OtelEvents, type OtelRun } from "./events.ts";
export type { TraceSource } from "./trace.ts";
export { STREAM_WARNINGS, type StreamWarning } from "./warning.ts";
