// Owns what this adapter can notice in a task's stream that no evidence can hold.

import { streamWarnings, type StreamWarning as Warning, type StreamWarnings } from "../../core/stream-warning.ts";

export const STREAM_WARNINGS = ["update_unknown", "state_unknown", "task_foreign", "part_not_text", "artifact_replaced", "answer_from_progress", "answer_empty"] as const;

type Code = (typeof STREAM_WARNINGS)[number];

export type StreamWarning = Warning<Code>;
export type Warnings = StreamWarnings<Code>;

export function warnings(): Warnings {
  return streamWarnings<Code>();
}
