import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openStore } from "entail/store";
import { afterAll, expect, test } from "vitest";
import { MIGRATIONS } from "./migrations.ts";
import { openFile } from "./sqlite-file.ts";

const folder = mkdtempSync(join(tmpdir(), "entail-file-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = (): string => join(folder, `${(files += 1)}.db`);
const digest = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

/** A store with three runs, closed. */
async function withRuns(): Promise<string> {
  const path = newPath();
  const store = await openStore(path);
  await store.beginInvocation({ id: "i", startedAt: "2026-11-30T10:00:00.000Z", command: [], cwd: "/" });
  for (const n of [1, 2, 3]) await store.beginRun({ runId: `run-000${n}`, invocationId: "i", suiteId: "chat", startedAt: "2026-11-30T10:00:00.000Z", selected: false, strict: false, scenarios: [] });
  await store.close();
  return path;
}

test("case 211: a store of an older form is brought to the newest, and its runs are there", async () => {
  const path = await withRuns();
  const [first = ""] = MIGRATIONS;
  openFile(path, { migrations: [...MIGRATIONS, "ALTER TABLE run ADD COLUMN weight REAL; UPDATE run SET weight = 1"] }).close();
  const database = new DatabaseSync(path, { readOnly: true });
  expect(database.prepare("SELECT ordinal, weight FROM run ORDER BY ordinal").all().map((row) => ({ ...row }))).toEqual([1, 2, 3].map((ordinal) => ({ ordinal, weight: 1 })));
  expect({ ...database.prepare("PRAGMA user_version").get() }).toEqual({ user_version: MIGRATIONS.length + 1 });
  database.close();
  expect(first).toContain("CREATE TABLE run");
});

test("case 211: a store of a newer form is refused in one sentence that says both forms, and not a byte of it changes", async () => {
  const path = await withRuns();
  openFile(path, { migrations: [...MIGRATIONS, "CREATE TABLE later (a)"] }).close();
  const before = digest(path);
  await expect(openStore(path)).rejects.toMatchObject({ code: "store_newer", message: `the store ${path} has the form ${MIGRATIONS.length + 1}, and this version of Entail knows ${MIGRATIONS.length}: update Entail, or name another store with --store` });
  expect(digest(path)).toBe(before);
});

test("kind store-migration: a newer form that is not in the file itself yet, but beside it, is refused as well", async () => {
  const path = await withRuns();
  const newer = openFile(path, { migrations: [...MIGRATIONS, "CREATE TABLE later (a)"] });
  expect(readFileSync(path).readUInt32BE(60)).toBe(MIGRATIONS.length);
  await expect(openStore(path)).rejects.toMatchObject({ code: "store_newer" });
  newer.close();
});

test("kind store-migration: a migration that breaks leaves the store as it was", async () => {
  const path = await withRuns();
  expect(() => openFile(path, { migrations: [...MIGRATIONS, "CREATE TABLE half (a); DELETE FROM run; SELECT no_such_column FROM run"] })).toThrow(/cannot be opened/);
  const store = await openStore(path);
  expect((await store.runs()).map(({ ordinal }) => ordinal)).toEqual([3, 2, 1]);
  await store.close();
});

test("kind store-migration: several steps are taken in one go, and a second opening takes none", async () => {
  const path = await withRuns();
  const migrations = [...MIGRATIONS, "CREATE TABLE steps (n INTEGER)", "INSERT INTO steps VALUES (1)", "INSERT INTO steps VALUES (2)"];
  openFile(path, { migrations }).close();
  const database = openFile(path, { migrations });
  expect(database.prepare("SELECT count(*) AS n FROM steps").get()?.["n"]).toBe(2);
  database.close();
});

test("kind store-migration: a file that is no store of ours is refused, and not a byte of it changes", async () => {
  const [text, other, empty, cut] = [newPath(), newPath(), newPath(), newPath()];
  writeFileSync(text, "a letter to my aunt, longer than a header of SQLite has to be, which is a hundred bytes or more than that");
  const database = new DatabaseSync(other);
  database.exec("CREATE TABLE customers (name); INSERT INTO customers VALUES ('Ada')");
  database.close();
  writeFileSync(empty, "");
  writeFileSync(cut, readFileSync(await withRuns()).subarray(0, 3000));
  for (const path of [text, other, cut]) {
    const before = digest(path);
    await expect(openStore(path)).rejects.toMatchObject({ code: "store_unreadable", message: expect.stringContaining(path) });
    expect(digest(path)).toBe(before);
  }
  const store = await openStore(empty);
  expect(await store.runs()).toEqual([]);
  await store.close();
});

test("a folder, and a store that has to be there and is not, are refused in one sentence", async () => {
  mkdirSync(join(folder, "a-folder"));
  await expect(openStore(join(folder, "a-folder"))).rejects.toMatchObject({ code: "store_unreadable", message: expect.stringContaining("a-folder cannot be read") });
  await expect(openStore(join(folder, "none.db"), { mustExist: true })).rejects.toMatchObject({ code: "store_unreadable", message: expect.stringContaining("entail run makes one") });
});

test("a damaged store says so when it is read, names the file, and is not changed", async () => {
  const path = await withRuns();
  const bytes = readFileSync(path);
  bytes.fill(0xab, 4096, bytes.length);
  writeFileSync(path, bytes);
  const before = digest(path);
  await expect(openStore(path).then((store) => store.runs())).rejects.toMatchObject({ code: "store_unreadable", message: expect.stringMatching(/damaged or no database/) });
  expect(digest(path)).toBe(before);
});

test("a store is made for its owner alone, in folders that are made for it", async () => {
  const path = join(folder, "deep", "er", "entail.db");
  const store = await openStore(`sqlite:${path}`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await store.close();
});
