// Holds what is never lost: whatever becomes of the file, every trial that finished is in it or in a spill file that an import takes back.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { check, createRunner, type Report, type Scenario } from "entail";
import { openStore, type Store } from "entail/store";
import { afterAll, expect, test } from "vitest";
import { importFile } from "../cli/import-runs.ts";
import { MIGRATIONS } from "./migrations.ts";
import { openFile } from "./sqlite-file.ts";

const root = mkdtempSync(join(tmpdir(), "entail-spill-"));
afterAll(() => {
  execFileSync("chmod", ["-R", "u+w", root]);
  rmSync(root, { recursive: true, force: true });
});
let folders = 0;
function newFolder(): string {
  const folder = join(root, String((folders += 1)));
  mkdirSync(folder);
  return folder;
}

const scenarios = (count: number, weight = 200): readonly Scenario[] =>
  Array.from({ length: count }, (_, n) => ({ id: `case_${n}`, description: "Answers.", tags: ["all"], timeoutMs: 5000, trials: 2, run: ({ trial }) => ({ checks: [check("right", n % 3 !== 0, "was wrong")], output: `${n}/${trial} ${"x".repeat(weight)}` }) }));

const spilled = (folder: string): readonly string[] => readdirSync(folder).filter((name) => name.includes(".spill-")).map((name) => join(folder, name));

async function run(store: Store, count: number, weight?: number): Promise<Report> {
  const report = await createRunner({ maxConcurrency: 3, store }).run({ id: "answers", description: "Answers.", scenarios: scenarios(count, weight) });
  await store.close();
  return report;
}

/** What the files hold, taken back into a new store, beside what is in the store itself. */
async function takenBack(files: readonly string[], into: string): Promise<Store> {
  const store = await openStore(into);
  for (const file of files) {
    const { faults } = await importFile(file, { store, command: [], cwd: "/", newInvocationId: () => "i" });
    expect(faults).toEqual([]);
  }
  return store;
}

async function expectWhole(store: Store, report: Report, count: number): Promise<void> {
  const runId = report.runId ?? "";
  const stored = await store.run(runId);
  expect([stored?.plannedTrials, stored?.storedTrials, stored?.totals]).toEqual([count * 2, count * 2, report.totals]);
  const reports: unknown[] = [];
  for await (const scenario of store.scenarioReports(runId)) reports.push(scenario);
  expect(reports).toEqual(report.scenarios);
}

test("case 209: a full disk costs no finished trial: the run goes on, says so once, and an import takes back what did not fit", async () => {
  const folder = newFolder();
  const path = join(folder, "entail.db");
  const report = await run(await openStore(path, { maxBytes: 600_000 }), 400, 900);
  expect(report.error).toBeUndefined();
  expect(report.totals).toMatchObject({ scenarios: 400, failed: 134, passed: 266 });
  const [file = "", ...others] = spilled(folder);
  expect(others).toEqual([]);
  const warnings = (report.warnings ?? []).filter(({ code }) => code === "store_unwritable");
  expect(warnings).toEqual([{ code: "store_unwritable", message: `${path} cannot be written: there is no room for more; results go to ${file}, and entail import takes them back` }]);
  // The file stands alone: it knows the run and all that it planned.
  const alone = await takenBack([file], join(folder, "alone.db"));
  const part = await alone.run(report.runId ?? "");
  expect([part?.suiteId, part?.plannedTrials, part?.state, (part?.storedTrials ?? 0) < 800]).toEqual(["answers", 800, "finished", true]);
  await alone.close();
  // Once there is room again, the same store takes them back.
  const store = await takenBack([file], path);
  await expectWhole(store, report, 400);
  await store.close();
});

test("case 209: a store that another process holds is waited for, and what waits longer is spilled and taken back", async () => {
  const folder = newFolder();
  const path = join(folder, "entail.db");
  await (await openStore(path)).close();
  const holder = new DatabaseSync(path);
  holder.exec("BEGIN EXCLUSIVE");
  const report = await run(await openStore(path, { patienceMs: 150 }), 20);
  holder.exec("ROLLBACK");
  holder.close();
  expect((report.warnings ?? []).map(({ message }) => message)).toEqual([expect.stringContaining("another process holds it")]);
  const store = await takenBack(spilled(folder), path);
  await expectWhole(store, report, 20);
  await store.close();
});

test("a store that is held for a moment loses nothing and warns of nothing", async () => {
  const folder = newFolder();
  const path = join(folder, "entail.db");
  const store = await openStore(path);
  const holder = new DatabaseSync(path);
  holder.exec("BEGIN IMMEDIATE");
  setTimeout(() => {
    holder.exec("COMMIT");
    holder.close();
  }, 250);
  const report = await createRunner({ maxConcurrency: 3, store }).run({ id: "answers", description: "Answers.", scenarios: scenarios(20) });
  expect([report.warnings, store.warnings, spilled(folder)]).toEqual([undefined, [], []]);
  await expectWhole(store, report, 20);
  await store.close();
});

test("a store from the future costs no finished trial, and is left as it is", async () => {
  const folder = newFolder();
  const path = join(folder, "entail.db");
  openFile(path, { migrations: [...MIGRATIONS, "CREATE TABLE later (a)"] }).close();
  const before = readFileSync(path);
  const report = await run(await openStore(path, { spills: true }), 20);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect((report.warnings ?? []).map(({ message }) => message)).toEqual([expect.stringMatching(/has the form 2, and this version of Entail knows 1.*results go to/)]);
  const store = await takenBack(spilled(folder), join(folder, "other.db"));
  await expectWhole(store, report, 20);
  await store.close();
});

test.each([[8192, "all but its beginning"], [40_960, "its later half"], [0, "all of it"]])("a store that is damaged from byte %i on (%s) costs no finished trial", async (from) => {
  const folder = newFolder();
  const path = join(folder, "entail.db");
  await run(await openStore(path), 20);
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xab, from));
  const report = await run(await openStore(path, { spills: true }), 20);
  expect((report.warnings ?? []).map(({ message }) => message)).toEqual([expect.stringMatching(/damaged.*results go to/)]);
  const taken = await takenBack(spilled(folder), join(folder, "other.db"));
  await expectWhole(taken, report, 20);
  await taken.close();
});

test("a line that was cut by a full disk is left out and named; the whole of it stands in the next file", async () => {
  const folder = newFolder();
  const path = join(folder, "entail.db");
  openFile(path, { migrations: [...MIGRATIONS, "CREATE TABLE later (a)"] }).close();
  const report = await run(await openStore(path, { spills: true }), 3);
  const [file = ""] = spilled(folder);
  const text = readFileSync(file, "utf8").trimEnd().split("\n");
  const cut = join(folder, "cut.jsonl");
  writeFileSync(cut, `${text.slice(0, -1).join("\n")}\n${text.at(-1)?.slice(0, 40)}`);
  const store = await openStore(join(folder, "other.db"));
  const taken = await importFile(cut, { store, command: [], cwd: "/", newInvocationId: () => "i" });
  expect(taken.cut).toMatch(/^line \d+ was left out: .* \(it is the last one/);
  expect(taken.faults).toEqual([]);
  expect((await store.run(report.runId ?? ""))?.state).toBe("running");
  await store.close();
});

test("a line that somebody changed is left out and named, and the others are taken", async () => {
  const folder = newFolder();
  const path = join(folder, "entail.db");
  openFile(path, { migrations: [...MIGRATIONS, "CREATE TABLE later (a)"] }).close();
  const report = await run(await openStore(path, { spills: true }), 3);
  const [file = ""] = spilled(folder);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const at = lines.findIndex((line) => line.includes('"write":"trial"'));
  for (const wrong of ['{"write":"trial","key":{"runId":1}}', lines[at]?.replace('"outcome":"failed"', '"outcome":"passed"') ?? "", "[]", '{"write":"drop"}', '{"write":"run","manifest":{"scenarios":[{"id":1}]}}']) {
    writeFileSync(file, `${lines.toSpliced(at, 1, wrong).join("\n")}\n`);
    const store = await openStore("memory:");
    const taken = await importFile(file, { store, command: [], cwd: "/", newInvocationId: () => "i" });
    expect(taken.faults).toEqual([expect.stringMatching(new RegExp(`^line ${at + 1} was left out: `))]);
    expect((await store.run(report.runId ?? ""))?.storedTrials).toBe(5);
  }
});

test("where not even a spill file can be written, the run is not passed, and its error says what was lost", async () => {
  const folder = newFolder();
  const path = join(folder, "entail.db");
  openFile(path, { migrations: [...MIGRATIONS, "CREATE TABLE later (a)"] }).close();
  const script = `
    import { check, createRunner } from "entail";
    import { openStore } from "entail/store";
    const store = await openStore(${JSON.stringify(path)}, { spills: true });
    const report = await createRunner({ maxConcurrency: 1, store }).run({ id: "answers", description: "A.", scenarios: [{ id: "one", description: "d", tags: [], timeoutMs: 1000, run: () => ({ checks: [check("right", true, "")] }) }] });
    console.log(JSON.stringify({ passed: report.passed, error: report.error, totals: report.totals.passed }));
  `;
  // Every file that this process may write has room for nothing.
  const out = execFileSync("bash", ["-c", `ulimit -f 0; exec "$@"`, "bash", process.execPath, "--conditions=entail-source", "--input-type=module", "-e", script], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const { passed, error, totals } = JSON.parse(out) as { readonly passed: boolean; readonly error: { readonly code: string; readonly stage: string; readonly message: string }; readonly totals: number };
  expect([passed, totals, error.code, error.stage]).toEqual([false, 1, "store_unwritable", "store"]);
  expect(error.message).toContain("nor beside it");
});

test("a folder that cannot be written spills among the temporary files", async () => {
  const folder = newFolder();
  const path = join(folder, "entail.db");
  openFile(path, { migrations: [...MIGRATIONS, "CREATE TABLE later (a)"] }).close();
  chmodSync(folder, 0o500);
  const report = await run(await openStore(path, { spills: true }), 2);
  const file = /results go to (.*), and entail import/.exec(report.warnings?.[0]?.message ?? "")?.[1] ?? "";
  expect(existsSync(file)).toBe(true);
  const store = await takenBack([file], join(newFolder(), "other.db"));
  await expectWhole(store, report, 2);
  await store.close();
  rmSync(file, { force: true });
});
