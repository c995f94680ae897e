// Owns the putting together of a streamed message: its blocks by their index, each from its start, its pieces and its stop.

import { listMember, member, membersOf, textMember } from "../../core/member.ts";

/** A block that has come whole. */
export interface FinishedBlock {
  /** As it would stand in a message that was not streamed. */
  readonly block: Readonly<Record<string, unknown>>;
  /** The input of a call as the model wrote it; empty where no piece of it came. */
  readonly inputText: string;
}

export interface Assembly {
  /** The start of a block, by its index. */
  start(index: number, block: unknown): void;
  /** A piece of a block. One of a block that has not been started is dropped. */
  piece(index: number, delta: unknown): void;
  /** The block that stops; `undefined` where none was open. */
  stop(index: number): FinishedBlock | undefined;
  /** The open block of an index, as far as it came. */
  open(index: number): Readonly<Record<string, unknown>> | undefined;
  /** The blocks that have come whole, in the order of their index, as the next request must repeat them. */
  content(): readonly object[];
}

interface OpenBlock {
  readonly block: Record<string, unknown>;
  inputText: string;
}

/** The input of a call as the API takes it back, objects only: a text that is none is told as it was written. */
export function inputOf(text: string): object {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === "object" && read !== null && !Array.isArray(read)) return read;
  } catch {
    // It is told as it was.
  }
  return { INVALID_JSON: text };
}

export function assembly(): Assembly {
  const openBlocks = new Map<number, OpenBlock>();
  const finished = new Map<number, object>();

  /** Texts grow, a signature is given whole, citations are added one by one. */
  const grow = (block: Record<string, unknown>, delta: unknown): void => {
    for (const name of ["text", "thinking", "data"]) {
      const piece = textMember(delta, name);
      if (piece !== undefined) block[name] = (textMember(block, name) ?? "") + piece;
    }
    const signature = textMember(delta, "signature");
    if (signature !== undefined) block["signature"] = signature;
    const citation = member(delta, "citation");
    if (citation !== undefined) block["citations"] = [...(listMember(block, "citations") ?? []), citation];
  };

  return {
    start(index, block) {
      openBlocks.set(index, { block: { ...membersOf(block) }, inputText: "" });
    },
    piece(index, delta) {
      const open = openBlocks.get(index);
      if (open === undefined) return;
      if (textMember(delta, "type") === "input_json_delta") open.inputText += textMember(delta, "partial_json") ?? "";
      else grow(open.block, delta);
    },
    stop(index) {
      const open = openBlocks.get(index);
      if (open === undefined) return undefined;
      openBlocks.delete(index);
      const written = open.inputText.trim() !== "";
      const block = written ? { ...open.block, input: inputOf(open.inputText) } : open.block;
      finished.set(index, block);
      return { block, inputText: open.inputText };
    },
    open: (index) => openBlocks.get(index)?.block,
    content: () => [...finished].sort(([a], [b]) => a - b).map(([, block]) => block),
  };
}
