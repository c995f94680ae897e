// Owns the codes of what this adapter notices in an answer that no evidence can hold.

import type { StreamWarning as Warning } from "../../core/stream-warning.ts";

export const STREAM_WARNINGS = ["call_id_missing", "call_id_reused", "answer_empty"] as const;

export type StreamWarning = Warning<(typeof STREAM_WARNINGS)[number]>;
