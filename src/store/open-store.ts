// Owns the opening of a store by its address; what an address needs is loaded only then.

import { EntailError } from "../core/error.ts";
import type { Store } from "../core/store.ts";

export interface OpenStoreOptions {
  /** Milliseconds since the epoch; the system's clock when absent. */
  readonly now?: (() => number) | undefined;
  /** Refuse a file that is not there, rather than make one. */
  readonly mustExist?: boolean | undefined;
  /**
   * Open even where the file cannot be written now (another process holds it, a newer Entail wrote it, it is damaged): what comes then goes to a spill file
   * beside it, and `warnings` says so. Reads reject.
   */
  readonly spills?: boolean | undefined;
  /** How long another process may hold the file before results go to a spill file, in milliseconds; 10,000 when absent. */
  readonly patienceMs?: number | undefined;
  /** The file grows no larger than this; what comes then goes to a spill file. */
  readonly maxBytes?: number | undefined;
}

/**
 * A path, or `sqlite:` and a path, for a file of SQLite, made where it is not there; `memory:` for one that ends with the process. Rejects with
 * `store_url_invalid` for an address that is none of these, and with `store_newer` or `store_unreadable` for a file that it leaves as it is.
 */
export async function openStore(url: string, { now = Date.now, mustExist = false, spills = false, patienceMs = 10_000, maxBytes }: OpenStoreOptions = {}): Promise<Store> {
  if (url === "memory:") return (await import("./memory-store.ts")).memoryStore({ now });
  const path = pathOf(url);
  // Loaded together: they are what a short run waits for.
  const { sqliteStore } = await import("./sqlite-store.ts");
  return sqliteStore({ path, now, mustExist, spills, patienceMs, maxBytes });
}

function pathOf(url: string): string {
  // SQLite's own word for a file that is none.
  if (typeof url !== "string" || /:memory:$/i.test(url)) throw new EntailError("store_url_invalid", `the store ${JSON.stringify(url)} cannot be opened: give a path, sqlite: and a path, or memory:`);
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase();
  const path = scheme === "sqlite" ? url.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "") : url;
  if ((scheme !== undefined && scheme !== "sqlite") || path === "" || path.includes("\0")) throw new EntailError("store_url_invalid", `the store ${JSON.stringify(url)} cannot be opened: give a path, sqlite: and a path, or memory:`);
  return path;
}
