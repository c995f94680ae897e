// Owns the pages of evidence: its head, and its calls in chunks of which each can be read alone.

import type { Evidence, ToolCall } from "../core/evidence.ts";
import type { EvidenceHead } from "../core/store.ts";
import { exactText } from "./json-text.ts";

/** A chunk ends with the call that takes it past so many characters, or so many calls. */
const CHUNK_LENGTH = 128 * 1024;
const CHUNK_CALLS = 100;

export interface CallChunk {
  /** The first call of it, from 0. */
  readonly from: number;
  readonly count: number;
  /** A JSON list of calls. */
  readonly text: string;
}

export interface EvidencePages {
  readonly head: EvidenceHead;
  readonly chunks: readonly CallChunk[];
}

export function pagesOf(evidence: Evidence): EvidencePages {
  const { toolCalls, ...rest } = evidence;
  const chunks: CallChunk[] = [];
  let texts: string[] = [];
  let length = 0;
  let from = 0;
  const close = (): void => {
    if (texts.length === 0) return;
    chunks.push({ from, count: texts.length, text: `[${texts.join(",")}]` });
    from += texts.length;
    [texts, length] = [[], 0];
  };
  for (const call of toolCalls) {
    const text = exactText(call);
    texts.push(text);
    length += text.length;
    if (length >= CHUNK_LENGTH || texts.length >= CHUNK_CALLS) close();
  }
  close();
  return { head: { ...rest, toolCalls: toolCalls.length }, chunks };
}

/** The evidence again, of its head and all its calls. */
export function joinEvidence({ toolCalls: _count, ...rest }: EvidenceHead, toolCalls: readonly ToolCall[]): Evidence {
  return { ...rest, toolCalls };
}

/** Calls `from` to `from + limit`, of chunks that are read as they are needed. */
export function callsWithin(chunks: readonly Pick<CallChunk, "from" | "count">[], from: number, limit: number, read: (at: number) => string): readonly ToolCall[] {
  const calls: ToolCall[] = [];
  const end = from + limit;
  for (const [at, chunk] of chunks.entries()) {
    if (chunk.from + chunk.count <= from || chunk.from >= end) continue;
    const all = JSON.parse(read(at)) as readonly ToolCall[];
    calls.push(...all.slice(Math.max(0, from - chunk.from), Math.max(0, end - chunk.from)));
  }
  return calls;
}
