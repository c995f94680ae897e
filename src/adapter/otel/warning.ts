// Owns what this adapter can notice in a trace that no evidence can hold.

import { streamWarnings, type StreamWarning as Warning, type StreamWarnings } from "../../core/stream-warning.ts";

export const STREAM_WARNINGS = [
  "span_repeated",
  "parent_missing",
  "span_open",
  "attributes_dropped",
  "messages_unreadable",
  "part_unknown",
  "call_id_missing",
  "call_id_reused",
  "call_not_executed",
  "answer_of_nested_agent",
  "answer_empty",
] as const;

type Code = (typeof STREAM_WARNINGS)[number];

export type StreamWarning = Warning<Code>;
export type Warnings = StreamWarnings<Code>;

export function warnings(): Warnings {
  return streamWarnings<Code>();
}
