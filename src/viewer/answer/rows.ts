// Owns going through all rows of a run in bounded memory.

import type { ScenarioQuery, ScenarioRow } from "../../core/store.ts";
import type { Reads } from "./context.ts";

const AT_ONCE = 1000;

/** Every row that matches, in order, with its place in that order. */
export async function* everyRow(reads: Reads, runId: string, query: Omit<ScenarioQuery, "from" | "limit"> = {}): AsyncGenerator<ScenarioRow, void, undefined> {
  for (let from = 0; ; from += AT_ONCE) {
    const { rows, total } = await reads.scenarios(runId, { ...query, from, limit: AT_ONCE });
    yield* rows;
    if (rows.length === 0 || from + rows.length >= total) return;
  }
}
