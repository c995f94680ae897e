// Owns the row of a dataset: what stands in it, where it stands, and the error that says so.

import { EntailError } from "../../core/error.ts";

export interface DatasetRow {
  /** Counts rows of data from 1: a header and blank lines are none. */
  readonly row: number;
  /** Where it begins in the file, from 1; absent where the format does not tell. */
  readonly line?: number | undefined;
  /** By column, or by member. A table's cells are texts, exactly as they stand. */
  readonly values: Readonly<Record<string, unknown>>;
  /** True for a table: an empty cell then is nothing. */
  readonly cells: boolean;
  /** Of a number too long for JavaScript: its digits, by the member's name at the root. */
  readonly digits?: ReadonlyMap<string, string> | undefined;
}

/** `cases.csv, row 3 (line 5)`. */
export function placeOf(name: string, { row, line }: Pick<DatasetRow, "row" | "line">): string {
  return `${name}, row ${row}${line === undefined ? "" : ` (line ${line})`}`;
}

export function datasetInvalid(place: string, what: string, cause?: unknown): EntailError {
  return new EntailError("dataset_invalid", `${place}: ${what}`, { stage: "selection", ...(cause === undefined ? {} : { cause }) });
}
