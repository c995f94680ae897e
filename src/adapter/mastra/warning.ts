// Owns what this adapter can notice in a run that no evidence can hold.

import { streamWarnings, type StreamWarning as Warning, type StreamWarnings } from "../../core/stream-warning.ts";

export const STREAM_WARNINGS = [
  "chunk_unknown",
  "call_id_missing",
  "call_id_reused",
  "call_repeated",
  "arguments_unreadable",
  "result_unmatched",
  "result_repeated",
  "approval_unmatched",
  "text_retracted",
  "call_retracted",
  "answer_empty",
] as const;

type Code = (typeof STREAM_WARNINGS)[number];

export type StreamWarning = Warning<Code>;
export type Warnings = StreamWarnings<Code>;

export function warnings(): Warnings {
  return streamWarnings<Code>();
}
