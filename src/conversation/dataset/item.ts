// Owns how a row becomes an item: which column is which member, and what is made of the cells.

import { nearest } from "../../core/nearest.ts";
import type { DataItem } from "../data-item.ts";
import { brief, type CellKind, readCell } from "./cell.ts";
import { inexact } from "./json.ts";
import { datasetInvalid, placeOf, type DatasetRow } from "./row.ts";

/** The members of an item that a file can hold, and what a cell of a table gives each. */
const MEMBERS: Readonly<Record<string, CellKind | "words">> = {
  id: "text",
  input: "text",
  inputs: "json",
  turns: "json",
  groundTruth: "text",
  reference: "text",
  description: "text",
  tags: "words",
  claims: "json",
  expectedTrajectory: "json",
  requestContext: "json",
  targetOptions: "json",
  startOptions: "json",
  approvals: "text",
  timeoutMs: "number",
  trials: "number",
  require: "json",
  skip: "text",
  knownFailure: "text",
  metadata: "json",
};
const NAMES = Object.keys(MEMBERS);

export interface ItemOptions {
  /** What a column is: a member of an item, with a dot a member within one (`metadata.source`). `null` leaves the column out. */
  readonly columns?: Readonly<Record<string, string | null>> | undefined;
  /** What the cells of a column of a table are made into, where it is another than its member's own. */
  readonly convert?: Readonly<Record<string, CellKind>> | undefined;
}

interface Entry {
  readonly path: Path;
  readonly value: unknown;
  readonly place: string;
}

type Path = readonly [string, ...string[]];

/**
 * Makes items of the rows of one dataset. It throws `dataset_invalid`, naming row and column, for what can be no item. A column that is no member of an
 * item goes to its `metadata`; one that nearly is a member is refused.
 */
export function itemReader(name: string, options: ItemOptions): (row: DatasetRow) => DataItem {
  const paths = new Map<string, Path | undefined>();
  const pathIn = (row: DatasetRow, column: string): Path | undefined => {
    if (paths.has(column)) return paths.get(column);
    const path = pathOf(column, row, name, options);
    if (paths.size < MAX_KEPT) paths.set(column, path);
    return path;
  };
  return (row) => {
    const item: Record<string, unknown> = {};
    const given = new Set<string>();
    for (const column of Object.keys(row.values)) {
      const path = pathIn(row, column);
      if (path === undefined) continue;
      given.add(path[0]);
      const place = `${placeOf(name, row)}, column ${brief(column)}`;
      const value = valueIn(row, column, path, options, place);
      if (value !== undefined) put(item, { path, value, place });
    }
    for (const member of ["inputs", "claims"] as const) if (isPlain(item[member])) item[member] = listed(item[member], member, placeOf(name, row));
    if (INPUTS.some((member) => item[member] !== undefined)) return item as unknown as DataItem;
    // An empty cell is an input where the table has no other column that could be one.
    if (given.has("input") && !given.has("inputs") && !given.has("turns")) return { ...item, input: "" };
    const [first = "question"] = Object.keys(row.values);
    throw datasetInvalid(placeOf(name, row), INPUTS.some((member) => given.has(member)) ? "its input is empty" : `it has no input; call it input, inputs or turns, or say what is one: columns: { ${JSON.stringify(first)}: "input" }`);
  };
}

const INPUTS = ["input", "inputs", "turns"] as const;
/** Columns whose meaning is kept; a file of objects may have any number of names. */
const MAX_KEPT = 1000;

function pathOf(column: string, row: DatasetRow, name: string, { columns = {} }: ItemOptions): Path | undefined {
  const said = Object.hasOwn(columns, column) ? columns[column] : column;
  if (said === null || said === undefined) return undefined;
  // Only a table has columns within members: in the other formats a dot is a character.
  const [first = "", ...rest] = row.cells || said !== column ? said.split(".") : [said];
  if (Object.hasOwn(MEMBERS, first)) return [first, ...rest];
  if (said !== column) throw datasetInvalid(placeOf(name, row), `columns says that ${brief(column)} is ${brief(said)}, which is no member of an item; the members are ${NAMES.join(", ")}`);
  if (first === "user") throw datasetInvalid(placeOf(name, row), "a user who is played is code, so a dataset cannot hold one; add it with the option item");
  const meant = meantBy(first);
  if (meant !== undefined) {
    throw datasetInvalid(placeOf(name, row), `${row.cells ? "the column" : "the member"} ${brief(column)} is no member of an item; did you mean ${meant}? Say so with columns: { ${JSON.stringify(column)}: ${JSON.stringify(meant)} }, or ${JSON.stringify(`metadata.${column}`)} where it is your own`);
  }
  return ["metadata", column];
}

/** The member that a name is in other letters or nearly: what it was to check must not get lost. */
function meantBy(name: string): string | undefined {
  const bare = name.replaceAll(/[\s_-]/g, "").toLowerCase();
  const same = NAMES.find((each) => [bare, `${bare}s`].includes(each.toLowerCase()));
  return same ?? (bare.length < 5 ? undefined : nearest(bare, NAMES));
}

function valueIn(row: DatasetRow, column: string, path: Path, { convert = {} }: ItemOptions, place: string): unknown {
  const digits = row.digits?.get(column);
  if (digits !== undefined) {
    if (path[0] === "id") return digits;
    throw inexact(place, path.join("."), digits);
  }
  const value = row.values[column];
  const [member, ...rest] = path;
  if (member === "id" && typeof value === "number") return String(value);
  if (!row.cells || typeof value !== "string") return value;
  if (value === "") return undefined;
  const own = rest.length > 0 ? "text" : (MEMBERS[member] ?? "text");
  const kind = Object.hasOwn(convert, column) ? (convert[column] ?? own) : own;
  return kind === "words" ? value.split(/[\s,;]+/).filter((word) => word !== "") : readCell(value, kind, place);
}

/** Own members alone, whatever they are called. */
function put(item: Record<string, unknown>, { path, value, place }: Entry): void {
  let at = item;
  for (const step of path.slice(0, -1)) {
    if (!Object.hasOwn(at, step)) define(at, step, {});
    const next = at[step];
    if (typeof next !== "object" || next === null || Array.isArray(next)) throw datasetInvalid(place, `another column gives ${path[0]} a value of its own`);
    at = next as Record<string, unknown>;
  }
  const last = path.at(-1) as string;
  if (Object.hasOwn(at, last)) {
    const held = at[last];
    // `metadata` as JSON beside columns of its own.
    if (path.length === 1 && isPlain(held) && isPlain(value)) for (const [name, each] of Object.entries(value)) define(held, name, each);
    else throw datasetInvalid(place, `two columns give ${path.join(".")} a value`);
  } else define(at, last, isPlain(value) ? { ...value } : value);
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `inputs.1`, `inputs.2` … are a list in the order of their numbers; `claims.<id>` is the text of that claim. */
function listed(value: Readonly<Record<string, unknown>>, member: "inputs" | "claims", place: string): unknown {
  if (member === "claims") return Object.entries(value).map(([id, text]) => ({ id, text }));
  const numbers = Object.keys(value).sort((a, b) => Number(a) - Number(b));
  numbers.forEach((number, at) => {
    if (number !== String(at + 1)) throw datasetInvalid(place, `inputs.${number} is given and inputs.${at + 1} is not; the inputs of a conversation count from 1, without a gap`);
  });
  return numbers.map((number) => value[number]);
}
