// Owns the file of a store: opened only where it is ours and of a form we know, and brought to the newest form.

import { chmodSync, closeSync, existsSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EntailError, isEntailError } from "../core/error.ts";
import { makeFolder } from "./make-folder.ts";
import { MIGRATIONS } from "./migrations.ts";
import { faultText, sqliteFault } from "./sqlite-error.ts";

/** "Entl", in the header of the file: who wrote it (https://www.sqlite.org/fileformat.html, 1.3). */
const APPLICATION_ID = 0x456e746c;
/** A short wait, for it blocks the process; whoever waits longer does so without. */
const BUSY_MS = 100;

/** So many pages may wait beside the file (16 MB): each time they are moved into it, the run waits for the disk. */
const CHECKPOINT_PAGES = 4_000;

export interface OpenFileOptions {
  /** No larger than this. */
  readonly maxBytes?: number | undefined;
  /** Refuse a file that is not there, rather than make one. */
  readonly mustExist?: boolean | undefined;
  /** Those that this version knows, when absent. */
  readonly migrations?: readonly string[] | undefined;
}

/**
 * Opens the file at `path`, or makes it. Throws `store_newer` or `store_unreadable`, and leaves the file as it was; what SQLite throws for a file
 * that another process holds goes through as it is.
 */
export function openFile(path: string, { maxBytes, mustExist = false, migrations = MIGRATIONS }: OpenFileOptions = {}): DatabaseSync {
  const isNew = !existsSync(path);
  if (isNew && mustExist) throw new EntailError("store_unreadable", `there is no store at ${path}: entail run makes one, and --store names another`);
  if (!isNew) checkHeader(path, migrations.length);
  let database: DatabaseSync | undefined;
  try {
    makeFolder(dirname(path));
    database = new DatabaseSync(path, { timeout: BUSY_MS });
    // It holds what agents saw, secrets included.
    if (isNew) chmodSync(path, 0o600);
    prepare(database, path, migrations);
    if (maxBytes !== undefined) limit(database, maxBytes);
    return database;
  } catch (thrown) {
    database?.close();
    if (isEntailError(thrown) || sqliteFault(thrown) === "busy") throw thrown;
    throw new EntailError("store_unreadable", `the store ${path} cannot be opened: ${faultText(thrown)}`, { cause: thrown });
  }
}

function prepare(database: DatabaseSync, path: string, migrations: readonly string[]): void {
  const version = versionOf(database, path, migrations.length);
  // There is nothing to lose yet, and waiting for the disk takes longer than a short run.
  if (version === undefined) database.exec("PRAGMA synchronous = OFF; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL");
  if (version !== migrations.length) migrate(database, path, migrations);
  database.exec(`PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
}

function migrate(database: DatabaseSync, path: string, migrations: readonly string[]): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have been faster.
    for (const migration of migrations.slice(versionOf(database, path, migrations.length) ?? 0)) database.exec(migration);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}; COMMIT`);
  } catch (thrown) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw thrown;
  }
}

/** The form of the file; `undefined` where it is empty. Throws where it is not ours, or newer than we are. */
function versionOf(database: DatabaseSync, path: string, known: number): number | undefined {
  const read = (pragma: string): number => Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0] ?? 0);
  const [owner, version] = [read("application_id"), read("user_version")];
  if (owner !== APPLICATION_ID) {
    const tables = database.prepare("SELECT count(*) AS n FROM sqlite_schema").get();
    if (owner !== 0 || version !== 0 || tables?.["n"] !== 0) throw foreign(path);
    return undefined;
  }
  if (version > known) throw newer(path, version, known);
  return version;
}

const MAGIC = "SQLite format 3\0";

/** What can be told before SQLite touches the file and puts others beside it. */
function checkHeader(path: string, known: number): void {
  const header = Buffer.alloc(100);
  let length: number;
  try {
    const handle = openSync(path, "r");
    try {
      length = readSync(handle, header, 0, header.length, 0);
    } finally {
      closeSync(handle);
    }
  } catch (thrown) {
    throw new EntailError("store_unreadable", `the store ${path} cannot be read: ${faultText(thrown)}`, { cause: thrown });
  }
  if (length === 0) return;
  if (header.toString("latin1", 0, MAGIC.length) !== MAGIC) throw foreign(path);
  const [version, owner] = [header.readUInt32BE(60), header.readUInt32BE(68)];
  if (owner === APPLICATION_ID && version > known) throw newer(path, version, known);
}

function foreign(path: string): EntailError {
  return new EntailError("store_unreadable", `${path} is no store of Entail's, or is damaged: move it away, or name another with --store`);
}

function newer(path: string, version: number, known: number): EntailError {
  return new EntailError("store_newer", `the store ${path} has the form ${version}, and this version of Entail knows ${known}: update Entail, or name another store with --store`);
}

function limit(database: DatabaseSync, maxBytes: number): void {
  const size = Number(database.prepare("PRAGMA page_size").get()?.["page_size"] ?? 4096);
  database.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / size))}`);
}
