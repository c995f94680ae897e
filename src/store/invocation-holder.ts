// Owns who writes the runs of an invocation, in a file that several processes have open: one of them at a time.

import type { DatabaseSync } from "node:sqlite";
import { EntailError } from "../core/error.ts";
import type { Holder, Invocation } from "../core/store.ts";
import { jsonText } from "./json-text.ts";

export function unknownInvocation(id: string): EntailError {
  return new EntailError("run_unknown", `the store has no invocation ${JSON.stringify(id)}`);
}

/** Looks and takes in one transaction, so that of two processes one is too late. Throws what SQLite throws where another one is writing just now. */
export function holdInvocation(database: DatabaseSync, id: string, holder: Holder, mayTake: (current: Holder) => boolean): Holder | undefined {
  database.exec("BEGIN IMMEDIATE");
  try {
    const body = database.prepare("SELECT body FROM invocation WHERE id = ?").get(id)?.["body"];
    if (typeof body !== "string") throw unknownInvocation(id);
    const invocation = JSON.parse(body) as Invocation;
    const { holder: current } = invocation;
    const taken = current === undefined || current.token === holder.token || mayTake(current);
    if (taken) database.prepare("UPDATE invocation SET body = ? WHERE id = ?").run(jsonText({ ...invocation, holder }), id);
    database.exec("COMMIT");
    return taken ? undefined : current;
  } catch (thrown) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw thrown;
  }
}
