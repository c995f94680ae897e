// Owns what this adapter can notice in a stream that no evidence holds.

import type { StreamWarning as AnyWarning, StreamWarnings } from "../../core/stream-warning.ts";

export const STREAM_WARNINGS = [
  /** An event was delivered again, word for word. */
  "event_repeated",
  /** An event of another session was left out. */
  "session_left_out",
] as const;

export type StreamWarning = AnyWarning<(typeof STREAM_WARNINGS)[number]>;
export type Warnings = StreamWarnings<(typeof STREAM_WARNINGS)[number]>;
