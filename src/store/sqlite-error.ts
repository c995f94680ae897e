// Owns what an error of SQLite means for a store.

import { messageOf } from "../core/error.ts";

/** `busy`: another process holds it, and trying again helps. `full`: nothing more fits. `damaged`: it is no sound database. `other`: everything else. */
export type SqliteFault = "busy" | "full" | "damaged" | "other";

/** By the primary code of SQLite's extended ones (https://www.sqlite.org/rescode.html). */
const FAULTS: ReadonlyMap<number, SqliteFault> = new Map([[5, "busy"], [6, "busy"], [13, "full"], [11, "damaged"], [26, "damaged"]]);

export function sqliteFault(thrown: unknown): SqliteFault {
  const { errcode } = thrown as { readonly errcode?: unknown };
  return (typeof errcode === "number" ? FAULTS.get(errcode & 0xff) : undefined) ?? "other";
}

/** For a sentence that goes on after a colon. */
export function faultText(thrown: unknown): string {
  const fault = sqliteFault(thrown);
  switch (fault) {
    case "busy":
      return "another process holds it";
    case "full":
      return "there is no room for more";
    case "damaged":
      return "the file is damaged or no database";
    case "other":
      return messageOf(thrown);
    default:
      return fault satisfies never;
  }
}
