// Owns the removal of runs from the database, with all that is theirs and no other's.

import type { DatabaseSync } from "node:sqlite";

/** How many there were. Labels and measurements stay. */
export function removeRuns(database: DatabaseSync, runIds: readonly string[]): number {
  const find = database.prepare("SELECT ordinal FROM run WHERE id = ?");
  database.exec("BEGIN IMMEDIATE");
  try {
    const runs = runIds.flatMap((id) => {
      const run = find.get(id)?.["ordinal"];
      return typeof run === "number" ? [run] : [];
    });
    for (const table of ["scenario", "trial", "event", "blob_use"]) {
      const remove = database.prepare(`DELETE FROM ${table} WHERE run = ?`);
      for (const run of runs) remove.run(run);
    }
    const remove = database.prepare("DELETE FROM run WHERE ordinal = ?");
    for (const run of runs) remove.run(run);
    if (runs.length > 0) {
      database.exec(`
        DELETE FROM blob WHERE NOT EXISTS (SELECT 1 FROM blob_use WHERE blob_use.hash = blob.hash);
        DELETE FROM invocation WHERE NOT EXISTS (SELECT 1 FROM run WHERE run.invocation = invocation.id);
        UPDATE meta SET value = value + 1 WHERE name = 'version';
      `);
    }
    database.exec("COMMIT");
    if (runs.length > 0) database.exec("PRAGMA incremental_vacuum");
    return runs.length;
  } catch (thrown) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw thrown;
  }
}
