// Owns the cells of the table adapter × situation: each is recorded inside the test that proves it, and kept in `cells/<adapter>.json`.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type RunnerTestFile, TestRunner } from "vitest";

/** What every adapter's real agent goes through, in the order of the table, with what happens in each. */
export const SITUATIONS = {
  parallel_calls: "two calls of one turn, side by side",
  split_arguments: "arguments that arrive in pieces, cut inside an escape and inside a surrogate pair",
  tool_throws: "a tool that throws",
  unknown_tool: "a call of a tool that does not exist",
  invalid_arguments: "arguments that break the tool's schema",
  approval_granted: "a call that somebody allows",
  approval_refused: "a call that somebody refuses",
  approval_pending: "a call that nobody has answered for when the run stops",
  nested_agent: "an agent that runs inside a tool",
  provider_executed: "a call that the model's provider executes, its result in a later step",
  cut_off: "a stream that is cut off half way",
  abort: "a run that is aborted",
} as const;
export type Situation = keyof typeof SITUATIONS;

export interface Cell {
  /** `cannot occur`: this source never says it, and the test shows that the adapter never makes it up. */
  readonly outcome: "seen" | "cannot occur";
  /** What appears in evidence, or why it cannot occur: one phrase without a full stop. */
  readonly how: string;
}

export const CELLS = join(import.meta.dirname, "cells");

const recorded = new Map<string, Map<Situation, Cell>>();
let file: RunnerTestFile | undefined;
let updates = "none";

/** Records a cell. The last line of the test that proves it: a test that fails before then records nothing. */
export function recordCell(adapter: string, situation: Situation, cell: Cell): void {
  file = TestRunner.getCurrentTest()?.file;
  updates = expect.getState().snapshotState.snapshotUpdateState;
  const cells = recorded.get(adapter) ?? new Map<Situation, Cell>();
  recorded.set(adapter, cells);
  expect(cells.get(situation) ?? cell, `two tests tell the cell ${adapter} × ${situation} differently`).toEqual(cell);
  expect(cell.how).toMatch(/^[^\n|]{3,160}[^.\n|]$/);
  cells.set(situation, { outcome: cell.outcome, how: cell.how });
}

/**
 * For `afterAll(() => writeCells(adapter))`: holds the recorded cells against `cells/<adapter>.json` as a file snapshot would, so a file that is
 * missing is written, and one that differs fails unless vitest runs with `-u`. A whole run that leaves a situation out fails; a filtered one does not.
 */
export function writeCells(adapter: string): void {
  const cells = recorded.get(adapter) ?? new Map<Situation, Cell>();
  const situations = Object.keys(SITUATIONS) as Situation[];
  const missing = situations.filter((situation) => !cells.has(situation));
  if (missing.length > 0) {
    if (file === undefined || isWhole(file)) throw new Error(`the adapter ${adapter} has no cell for ${missing.join(", ")}: record each in the test that proves it`);
    return;
  }
  const text = `${JSON.stringify(Object.fromEntries(situations.map((situation) => [situation, cells.get(situation)])), undefined, 2)}\n`;
  const path = join(CELLS, `${adapter}.json`);
  const known = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  if (known === text) return;
  if (updates === "none" || (known !== undefined && updates !== "all")) throw new Error(`the cells of ${adapter} differ from ${path}; look at them and run vitest with -u. They are now:\n${text}`);
  mkdirSync(CELLS, { recursive: true });
  writeFileSync(path, text);
}

/** True where no test was left out by a filter and none has failed: only then is a missing cell the file's own fault. */
function isWhole({ tasks }: Pick<RunnerTestFile, "tasks">): boolean {
  return tasks.every((task) => task.mode === "run" && task.result?.state !== "fail" && (task.type !== "suite" || isWhole(task)));
}
