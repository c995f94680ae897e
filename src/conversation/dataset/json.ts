// Owns the reading of JSON and of JSON Lines into rows, strictly and with every digit.

import { EntailError, isEntailError } from "../../core/error.ts";
import { valueOf } from "../../json/json-value.ts";
import { type JsonNode, readJson } from "../../json/read-json.ts";
import { datasetInvalid, placeOf, type DatasetRow } from "./row.ts";
import { type OpenDataset, wholeText } from "./source.ts";

/** A list of objects. It is read whole. */
export async function* jsonRows(source: OpenDataset): AsyncGenerator<DatasetRow, void> {
  const node = read(await wholeText(source), source.name);
  if (node.kind !== "array") throw datasetInvalid(source.name, `a dataset in JSON is a list of items, and this is ${node.kind === "null" ? "null" : `one ${node.kind}`}; for one object a line name it .jsonl`);
  for (const [at, item] of node.items.entries()) yield rowOf(item, source.name, { row: at + 1 });
}

/** One object a line. A line ends with LF, and CR before it is blank space, as is a line that holds nothing else; U+2028 is a character. */
export async function* jsonlRows(source: OpenDataset): AsyncGenerator<DatasetRow, void> {
  let line = 0;
  let row = 0;
  for await (const text of lines(source)) {
    line++;
    if (/^[ \t\r]*$/.test(text)) continue;
    const place = { row: ++row, line };
    yield rowOf(read(text, placeOf(source.name, place), true), source.name, place);
  }
}

async function* lines({ pieces }: OpenDataset): AsyncGenerator<string, void> {
  let open: string[] = [];
  for await (const piece of pieces()) {
    const parts = piece.split("\n");
    for (const part of parts.slice(0, -1)) {
      yield [...open, part].join("");
      open = [];
    }
    open.push(parts.at(-1) ?? "");
  }
  yield open.join("");
}

/** A text of one line knows no lines but its own. */
function read(text: string, place: string, oneLine = false): JsonNode {
  try {
    return readJson(text);
  } catch (thrown) {
    if (!isEntailError(thrown)) throw thrown;
    throw new EntailError("dataset_invalid", `${place}: ${oneLine ? thrown.message.replaceAll("(line 1, column", "(column") : thrown.message}`, { stage: "selection", cause: thrown, faults: thrown.faults });
  }
}

function rowOf(node: JsonNode, name: string, place: Pick<DatasetRow, "row" | "line">): DatasetRow {
  if (node.kind !== "object") throw datasetInvalid(placeOf(name, place), `a row must be an object with the members of an item, and this is ${node.kind === "null" ? "null" : `one ${node.kind}`}`);
  const digits = new Map<string, string>();
  for (const [member, value] of node.members) {
    if (value.kind === "number" && !isExact(value.text)) digits.set(member, value.text);
    else checkNumbers(value, member, placeOf(name, place));
  }
  return { ...place, cells: false, values: valueOf(node) as Record<string, unknown>, digits };
}

/** False for a whole number that JavaScript would round, and for one beyond all numbers. */
export function isExact(text: string): boolean {
  const value = Number(text);
  return Number.isFinite(value) && (!/^-?\d+$/.test(text) || Number.isSafeInteger(value));
}

function checkNumbers(node: JsonNode, path: string, place: string): void {
  if (node.kind === "number" && !isExact(node.text)) throw inexact(place, path, node.text);
  if (node.kind === "array") node.items.forEach((item, at) => checkNumbers(item, `${path}[${at}]`, place));
  if (node.kind === "object") for (const [member, value] of node.members) checkNumbers(value, `${path}.${member}`, place);
}

export function inexact(place: string, path: string, digits: string): EntailError {
  return datasetInvalid(place, `${path} is ${digits.slice(0, 60)}, a number that would be rounded; write it as a text, in quotes`);
}
