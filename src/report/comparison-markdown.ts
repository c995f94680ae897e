// Owns a comparison by itself as Markdown, for a pull request's comment.

import type { Comparison } from "../core/comparison.ts";
import { COMMENT_BYTES } from "./format/markdown.ts";
import { writeComparison } from "./format/markdown-comparison.ts";
import { bytesOf, prose } from "./format/markdown-text.ts";
import { cutText, visibleLine } from "./format/visible.ts";

export interface ComparisonMarkdownOptions {
  readonly mask?: ((text: string) => string) | undefined;
  /** UTF-8 bytes of the whole text; what one comment of GitHub holds when absent. */
  readonly maxBytes?: number | undefined;
}

const MAX_CELL = 300;

/** The words, what flipped, and what was not compared; no text of others can do more there than be read. */
export function comparisonMarkdown(comparison: Comparison, { mask = (text) => text, maxBytes = COMMENT_BYTES }: ComparisonMarkdownOptions = {}): string {
  let left = maxBytes;
  const cell = (text: string): string => prose(cutText(visibleLine(mask(text)), MAX_CELL));
  return writeComparison(comparison, cell, (text) => {
    const bytes = bytesOf(text);
    if (bytes > left) return "";
    left -= bytes;
    return text;
  });
}
