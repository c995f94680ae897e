// Holds docs/reference/store.md equal to the file that the migrations make, and its examples true.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openStore } from "entail/store";
import { expect, onTestFinished, test } from "vitest";
import { MIGRATIONS } from "../src/store/migrations.ts";
import { read } from "./source.ts";

const page = read("docs/reference/store.md");

function migrated(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  for (const migration of MIGRATIONS) database.exec(migration);
  return database;
}

test("the page has every table and view with every column in its order, and no other", () => {
  const database = migrated();
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'").all().map(({ name }) => String(name));
  const columns = (name: string): readonly string[] => database.prepare(`SELECT name FROM pragma_table_info('${name}')`).all().map((row) => String(row["name"]));
  const described = Object.fromEntries(
    [...page.matchAll(/^### `(\w+)`\n\n\| column \|.*\n\| --- .*\n((?:\|.*\n)+)/gm)].map(([, name = "", rows = ""]) => [name, [...rows.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1])]),
  );
  expect(described).toEqual(Object.fromEntries(names.map((name) => [name, columns(name)])));
});

test("the page's query is one that the store answers", async () => {
  const folder = mkdtempSync(join(tmpdir(), "entail-page-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "entail.db");
  const store = await openStore(path);
  await store.beginInvocation({ id: "i", startedAt: "2026-11-30T10:00:00.000Z", command: [], cwd: "/" });
  await store.beginRun({ runId: "run-0001", invocationId: "i", suiteId: "chat", startedAt: "2026-11-30T10:00:00.000Z", selected: false, strict: false, scenarios: [] });
  const judgments = [{ claimId: "complete", label: "contradicted", rationale: "r", passed: false }, { claimId: "polite", label: "entailed", rationale: "r", passed: true }] as const;
  const scores = [{ id: "similar", base: "similar", kind: "scorer", score: 0.25, threshold: 0.5, passed: false }] as const;
  await store.putTrial({ runId: "run-0001", position: 0, trial: 1 }, { trial: 1, outcome: "failed", startedAt: "2026-11-30T10:00:00.000Z", durationMs: 1, result: { output: "x".repeat(20_000) }, judgments, scores });
  await store.close();
  const database = new DatabaseSync(path, { readOnly: true });
  const query = /```sql\n([^]*?)```/.exec(page)?.[1] ?? "";
  expect(database.prepare(query).all().map((row) => ({ ...row }))).toEqual([{ claim: "complete", failed: 1 }]);
  expect(database.prepare("SELECT id, score, passed FROM score").all().map((row) => ({ ...row }))).toEqual([{ id: "similar", score: 0.25, passed: 0 }]);
  expect(Object.values(database.prepare("PRAGMA application_id").get() ?? {})).toEqual([0x456e746c]);
  database.close();
});
