// Owns what a cell of a table may be turned into, where it is asked for: nothing is guessed from how a text looks.

import { messageOf } from "../../core/error.ts";
import { valueOf } from "../../json/json-value.ts";
import { readJson } from "../../json/read-json.ts";
import { isExact } from "./json.ts";
import { datasetInvalid } from "./row.ts";

export const CELL_KINDS = ["text", "number", "boolean", "json"] as const;
export type CellKind = (typeof CELL_KINDS)[number];

/** `place` names row and column. Throws `dataset_invalid` for a text that is none of its kind. */
export function readCell(text: string, kind: CellKind, place: string): unknown {
  if (kind === "text") return text;
  if (kind === "number") {
    if (/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(text) && isExact(text)) return Number(text);
    throw datasetInvalid(place, `${brief(text)} is no number as JSON writes it, or one that would be rounded`);
  }
  if (kind === "boolean") {
    if (text === "true" || text === "false") return text === "true";
    throw datasetInvalid(place, `${brief(text)} is neither true nor false`);
  }
  try {
    return valueOf(readJson(text));
  } catch (thrown) {
    throw datasetInvalid(place, `it must hold JSON, and is ${brief(text)}: ${messageOf(thrown)}`, thrown);
  }
}

export function brief(text: string): string {
  return JSON.stringify(text.length <= 60 ? text : `${text.slice(0, 60)}…`);
}
