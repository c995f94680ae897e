// Owns the reading of tables (RFC 4180) in pieces: quotes, line ends, blank lines, and the line at which each row begins.

import { brief } from "./cell.ts";
import { datasetInvalid, placeOf, type DatasetRow } from "./row.ts";
import type { OpenDataset } from "./source.ts";

interface Line {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * The rows under a header. A cell in quotes may hold the delimiter, line ends and doubled quotes; a quote within a cell that does not begin with one is
 * a character like any other. Lines end with CRLF, LF or CR; blank ones are no rows. Nothing is trimmed or converted. Throws `dataset_invalid` for a quote
 * that is never closed, text after a closing quote, a row of another length than the header, a row of several cells that are all empty, and a header with a name
 * that is empty or stands twice.
 */
export async function* csvRows(source: OpenDataset, delimiter: string): AsyncGenerator<DatasetRow, void> {
  let header: Line | undefined;
  let row = 0;
  for await (const line of linesOf(source, delimiter)) {
    if (header === undefined) {
      header = line;
      checkHeader(source.name, line, delimiter);
      continue;
    }
    const { cells } = line;
    const place = placeOf(source.name, { row: ++row, line: line.line });
    if (cells.length !== header.cells.length) throw datasetInvalid(place, `it has ${cells.length} ${cells.length === 1 ? "cell" : "cells"} and the header ${header.cells.length}; put a cell that holds ${JSON.stringify(delimiter)} or a line end in double quotes`);
    if (cells.length > 1 && cells.every((cell) => cell === "")) throw datasetInvalid(place, "all its cells are empty; take the row out");
    yield { row, line: line.line, cells: true, values: Object.fromEntries(header.cells.map((name, at) => [name, cells[at]])) };
  }
}

function checkHeader(name: string, { line, cells }: Line, delimiter: string): void {
  const place = `${name}, line ${line}`;
  const other = [";", "\t", ","].find((each) => each !== delimiter && cells.length === 1 && cells[0]?.includes(each));
  if (other !== undefined) throw datasetInvalid(place, `the header is one cell, ${brief(cells[0] ?? "")}; if the cells are divided by ${JSON.stringify(other)}, give delimiter: ${JSON.stringify(other)}`);
  const columns = new Map<string, number>();
  for (const [at, column] of cells.entries()) {
    if (column.trim() === "") throw datasetInvalid(place, `column ${at + 1} has no name`);
    const before = columns.get(column);
    if (before !== undefined) throw datasetInvalid(place, `the columns ${before + 1} and ${at + 1} have one name, ${brief(column)}; give each its own`);
    columns.set(column, at);
  }
}

/** The lines of cells. Where the text is at: at the start of a cell, in one without quotes, in one with, or after its closing quote. */
async function* linesOf({ name, pieces }: OpenDataset, delimiter: string): AsyncGenerator<Line, void> {
  let state: "start" | "plain" | "quoted" | "closed" = "start";
  let [line, start, opened] = [1, 1, 1];
  let cell = "";
  let cells: string[] = [];
  let quotes = false;
  let afterCr = false;

  const endCell = (): void => {
    cells.push(cell);
    cell = "";
    state = "start";
  };
  /** A line without a character is blank; one that holds an empty pair of quotes is not. */
  const endLine = (): Line | undefined => {
    endCell();
    const ended = cells.length === 1 && cells[0] === "" && !quotes ? undefined : { line: start, cells };
    cells = [];
    quotes = false;
    return ended;
  };

  for await (const piece of pieces()) {
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at] as string;
      const isEnd = character === "\n" || character === "\r";
      // CRLF is one end, also where the two come in two pieces.
      const second = character === "\n" && afterCr;
      afterCr = character === "\r";
      if (isEnd && !second) line++;
      if (state === "quoted") {
        const until = piece.slice(at).search(/["\r\n]/);
        if (character === '"') state = "closed";
        else if (isEnd) cell += character;
        else {
          cell += piece.slice(at, until === -1 ? undefined : at + until);
          at = until === -1 ? piece.length : at + until - 1;
        }
      } else if (isEnd) {
        if (second) {
          start = line;
          continue;
        }
        const ended = endLine();
        if (ended !== undefined) yield ended;
        start = line;
      } else if (character === delimiter) endCell();
      else if (state === "closed") {
        if (character !== '"') throw datasetInvalid(`${name}, line ${line}`, `there is text after the closing quote of the cell that begins on line ${opened}; within quotes a quote is written twice`);
        cell += character;
        state = "quoted";
      } else if (state === "start" && character === '"') {
        state = "quoted";
        quotes = true;
        opened = line;
      } else {
        cell += character;
        state = "plain";
      }
    }
  }
  if (state === "quoted") throw datasetInvalid(`${name}, line ${opened}`, `the quote that opens the cell ${brief(cell)} is never closed; within quotes a quote is written twice`);
  const last = endLine();
  if (last !== undefined) yield last;
}
