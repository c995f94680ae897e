// Owns the dataset: a file of items that can be awaited as a list or walked one by one.

import { EntailError } from "../../core/error.ts";
import type { DataItem } from "../data-item.ts";
import { CELL_KINDS } from "./cell.ts";
import { csvRows } from "./csv.ts";
import { itemReader, type ItemOptions } from "./item.ts";
import { jsonlRows, jsonRows } from "./json.ts";
import { datasetInvalid, placeOf, type DatasetRow } from "./row.ts";
import { type DatasetFormat, type DatasetSource, type OpenDataset, openDataset } from "./source.ts";
import { yamlRows } from "./yaml.ts";

export interface DatasetOptions extends ItemOptions {
  /** By the name's ending when absent. */
  readonly format?: DatasetFormat | undefined;
  /** Of a table: one character. `,` when absent, a tab for `.tsv`. */
  readonly delimiter?: string | undefined;
  /** Makes the item of a row itself; columns and members then mean nothing. */
  readonly item?: ((values: Readonly<Record<string, unknown>>, place: { readonly row: number; readonly line?: number | undefined }) => DataItem) | undefined;
}

/** `await` gives all items; `for await` reads them one by one, tables and JSON Lines without holding more than a piece of the file. Each reading begins anew. */
export interface Dataset extends PromiseLike<DataItem[]>, AsyncIterable<DataItem> {}

/**
 * The items of a JSON, JSON Lines, CSV or YAML file. Nothing is read before it is asked for. Throws `option_invalid` and, for an unknown format,
 * `dataset_invalid` at once; reading rejects with `dataset_invalid`, naming file, row and line, for whatever is wrong: the file, its syntax, a row, an id that
 * two rows share, no row at all.
 */
export function dataset(source: DatasetSource, options: DatasetOptions = {}): Dataset {
  const { delimiter, convert = {} } = options;
  if (delimiter !== undefined && (delimiter.length !== 1 || /["\r\n]/.test(delimiter))) throw new EntailError("option_invalid", `dataset: delimiter must be one character, neither a quote nor a line end, not ${JSON.stringify(delimiter)}`);
  const unknown = Object.entries(convert).find(([, kind]) => !CELL_KINDS.includes(kind));
  if (unknown !== undefined) throw new EntailError("option_invalid", `dataset: convert gives ${JSON.stringify(unknown[0])} as ${JSON.stringify(unknown[1])}, and a column is one of ${CELL_KINDS.join(", ")}`);
  const opened = openDataset(source, options.format);
  const read = (): AsyncGenerator<DataItem, void> => itemsOf(opened, rowsOf(opened, delimiter ?? opened.delimiter), options);
  return {
    [Symbol.asyncIterator]: read,
    // oxlint-disable-next-line unicorn/no-thenable -- a dataset is awaited where its items are wanted together
    then: (resolve, reject) => collect(opened, rowsOf(opened, delimiter ?? opened.delimiter), options).then(resolve, reject),
  };
}

function rowsOf(opened: OpenDataset, delimiter: string): AsyncGenerator<DatasetRow, void> {
  switch (opened.format) {
    case "csv":
      return csvRows(opened, delimiter);
    case "jsonl":
      return jsonlRows(opened);
    case "json":
      return jsonRows(opened);
    case "yaml":
      return yamlRows(opened);
    default:
      return opened.format satisfies never;
  }
}

function maker({ name }: OpenDataset, options: DatasetOptions): (row: DatasetRow) => DataItem {
  const own = options.item;
  if (own === undefined) return itemReader(name, options);
  return (row) => {
    const item: unknown = own(row.values, { row: row.row, line: row.line });
    if (typeof item !== "object" || item === null || item instanceof Promise) throw datasetInvalid(placeOf(name, row), "the option item must give an item, an object");
    return item as DataItem;
  };
}

async function* itemsOf(opened: OpenDataset, rows: AsyncIterable<DatasetRow>, options: DatasetOptions): AsyncGenerator<DataItem, void> {
  const itemOf = maker(opened, options);
  const seen = new Map<string, number>();
  let count = 0;
  for await (const row of rows) {
    const item = itemOf(row);
    const id = idOf(item);
    const before = id === undefined ? undefined : seen.get(id);
    if (before !== undefined) throw shared(opened, id ?? "", [before, row.row]);
    if (id !== undefined) seen.set(id, row.row);
    count++;
    yield item;
  }
  if (count === 0) throw datasetInvalid(opened.name, "it holds no row");
}

/** Reads to the end before it complains of ids, so that each of their rows is named. */
async function collect(opened: OpenDataset, rows: AsyncIterable<DatasetRow>, options: DatasetOptions): Promise<DataItem[]> {
  const itemOf = maker(opened, options);
  const items: DataItem[] = [];
  const rowsById = new Map<string, number[]>();
  for await (const row of rows) {
    const item = itemOf(row);
    const id = idOf(item);
    if (id !== undefined) rowsById.set(id, [...(rowsById.get(id) ?? []), row.row]);
    items.push(item);
  }
  if (items.length === 0) throw datasetInvalid(opened.name, "it holds no row");
  for (const [id, places] of rowsById) if (places.length > 1) throw shared(opened, id, places);
  return items;
}

function idOf(item: DataItem): string | undefined {
  const id: unknown = item.id;
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}

function shared({ name }: OpenDataset, id: string, rows: readonly number[]): EntailError {
  return datasetInvalid(name, `the id ${JSON.stringify(id.slice(0, 200))} stands in the rows ${rows.slice(0, 20).join(", ")}${rows.length > 20 ? " and more" : ""}; an id names one item, so give each row its own or leave the id out`);
}
