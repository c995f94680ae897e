// Owns what this adapter can notice in a stream that no evidence can hold.

import { streamWarnings, type StreamWarning as Warning, type StreamWarnings } from "../../core/stream-warning.ts";

export const STREAM_WARNINGS = [
  "event_unknown",
  "call_unannounced",
  "call_id_missing",
  "call_id_reused",
  "call_repeated",
  "result_unmatched",
  "result_repeated",
  "text_retracted",
  "interrupt_unmatched",
  "answer_empty",
] as const;

type Code = (typeof STREAM_WARNINGS)[number];

export type StreamWarning = Warning<Code>;
export type Warnings = StreamWarnings<Code>;

export function warnings(): Warnings {
  return streamWarnings<Code>();
}
