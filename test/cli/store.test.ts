// Proves what the command keeps, and the verbs that read it, on the real binary.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "entail/store";
import { decodeReport } from "entail/report";
import { expect, test } from "vitest";
import { createProject, evalFile, type Project } from "./project.ts";

const SUITE = evalFile("chat", `scenario("good", pass, { tags: ["smoke"] }), scenario("bad", fail), scenario("boom", () => { throw new Error("kaput"); }), scenario("flaky", (ctx) => (ctx.trial === 2 ? fail() : pass()), { trials: 3 }), scenario("left", pass, { skip: "not yet" })`);

const filesOf = (project: Project): readonly string[] => readdirSync(join(project.path, ".entail")).filter((name) => !/-(?:wal|shm)$/.test(name));

function git(project: Project, ...words: readonly string[]): string {
  return execFileSync("git", ["-c", "user.email=a@example.com", "-c", "user.name=A", ...words], { cwd: project.path, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

test("a run is kept with its command, its commit and its subject, and the verbs tell of it with nothing left out", async () => {
  const project = createProject({ "evals/chat.eval.ts": SUITE });
  execFileSync("rm", ["-rf", join(project.path, ".git")]);
  git(project, "init", "-q", "-b", "main");
  project.write({ ".gitignore": "node_modules\n" });
  git(project, "add", "-A");
  git(project, "commit", "-qm", "first");
  const commit = git(project, "rev-parse", "HEAD").trim();

  expect((await project.entail(["run", "--trials", "1"])).code).toBe(1);
  expect(filesOf(project)).toEqual([".gitignore", "entail.db"]);
  expect(git(project, "status", "--porcelain")).toBe("");
  expect(statSync(join(project.path, ".entail/entail.db")).mode & 0o777).toBe(0o600);
  project.write({ "evals/chat.eval.ts": `${SUITE}\n// changed` });
  await project.entail(["run"]);

  const store = await openStore(join(project.path, ".entail/entail.db"));
  const [second, first] = await store.runs();
  expect([first?.subject, first?.invocation.commit, first?.invocation.branch, first?.invocation.dirty, first?.invocation.command, first?.file]).toEqual([commit, commit, "main", false, ["run", "--trials", "1"], "evals/chat.eval.ts"]);
  expect([second?.invocation.dirty, second?.subject?.startsWith(`${commit}+`)]).toEqual([true, true]);
  await store.close();

  const list = await project.entail(["list", "--runs"]);
  expect(list.stdout).toMatch(/^#2 {2}chat {2}failed {2}1 passed, 2 failed, 1 errored \(1 hook\), 1 skipped of 5 {2}33\.3% of 3 measured\n {2}\S+Z {2}main@[0-9a-f]{7} dirty\n#1 {2}chat/);
  const shown = await project.entail(["show", "#2"]);
  expect(shown.stdout).toContain("errored  boom  hook: kaput");
  expect(shown.stdout).not.toContain("good");
  const one = await project.entail(["show", "last", "--scenario", "flaky"]);
  expect(one.stdout).toMatch(/trial 1 {2}passed[^]*trial 2 {2}failed[^]*trial 3 {2}passed/);
  const past = JSON.parse((await project.entail(["show", "--scenario", "flaky", "--json"])).stdout) as { readonly suites: readonly { readonly runs: readonly { readonly ordinal: number; readonly outcome: string; readonly trials: readonly string[] }[] }[] };
  expect(past.suites[0]?.runs.map(({ ordinal, outcome, trials }) => [ordinal, outcome, trials])).toEqual([[2, "failed", ["passed", "failed", "passed"]], [1, "passed", ["passed"]]]);
});

test("a run is exported in every form, imported again as it was, and pruned", async () => {
  const project = createProject({ "chat.eval.ts": SUITE, "other.eval.ts": evalFile("other", `scenario("fine", pass)`) });
  const ran = await project.entail(["run", "--output", "report.json"]);
  expect(ran.code).toBe(1);
  const exported = await project.entail(["export", "json", "--output", "exported.json"]);
  expect(exported.code).toBe(0);
  expect(project.read("exported.json")).toBe(project.read("report.json"));
  for (const [form, begins] of [["jsonl", '{"type":"run_started"'], ["csv", "run_id,suite,scenario"], ["junit", "<?xml"], ["markdown", "<!--"]] as const) expect((await project.entail(["export", form, "1"])).stdout.startsWith(begins)).toBe(true);
  const jsonl = await project.entail(["export", "jsonl", "--output", "events.jsonl"]);
  expect(jsonl.code).toBe(0);

  const { reports } = JSON.parse(project.read("report.json")) as { readonly reports: readonly unknown[] };
  for (const file of ["report.json", "events.jsonl"]) {
    const url = `${file}.db`;
    const imported = await project.entail(["import", file, "--store", url]);
    expect([imported.code, imported.stderr]).toEqual([0, expect.stringContaining("2 runs taken in, #1, #2")]);
    const store = await openStore(join(project.path, url));
    for (const report of reports.map(decodeReport)) {
      const stored = [];
      for await (const scenario of store.scenarioReports(report.runId ?? "")) stored.push(scenario);
      const { scenarios, ...head } = report;
      expect(stored).toStrictEqual(scenarios);
      expect((await store.run(report.runId ?? ""))?.head).toStrictEqual(head);
    }
    await store.close();
  }
  const again = await project.entail(["import", "report.json"]);
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("nothing that the store has not; already there: #1, #2")]);
  const pruned = await project.entail(["store", "prune", "--older-than", "30d", "--keep", "0"]);
  expect(pruned.stderr).toContain("nothing to remove");
  expect(JSON.parse((await project.entail(["store", "prune", "--keep", "0", "--json"])).stdout)).toMatchObject({ removed: [{ ordinal: 2 }, { ordinal: 1 }] });
  expect(JSON.parse((await project.entail(["store", "info", "--json"])).stdout)).toMatchObject({ runs: 0, trials: 0, spill_files: [] });
});

test("Goa-AI's reports are taken in, and the same file twice is one run", async () => {
  const goa = { suite_id: "chat", started_at: "2025-01-01T00:00:00Z", duration: 1_000_000, scenarios: [{ id: "one", started_at: "2025-01-01T00:00:00Z", duration: 1_000_000, result: { checks: [{ name: "c", passed: true }], output: "yes" }, passed: true }], passed: true };
  const project = createProject({ "goa.json": JSON.stringify(goa), "nothing.json": "{}", "half.jsonl": '{"type":"run_started","suite_id":"chat"}\n' });
  expect((await project.entail(["import", "goa.json"])).stderr).toContain("1 run taken in, #1");
  expect((await project.entail(["import", "goa.json"])).stderr).toContain("already there: #1");
  expect((await project.entail(["import", "gone.json"])).stderr).toContain("gone.json: there is no such file");
  const refused = await project.entail(["import", "nothing.json"]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("nothing.json: the report cannot be read")]);
  expect((await project.entail(["import", "half.jsonl"])).stderr).toContain("has no run_finished");
});

test("--no-store and store: false keep nothing, --store keeps elsewhere, and a named file that is no store ends the command before anything runs", async () => {
  const project = createProject({ "a.eval.ts": evalFile("a", `scenario("first", () => { process.stderr.write("RAN"); return pass(); })`), "letter.txt": "not a store ".repeat(20) });
  expect((await project.entail(["run", "--no-store"])).code).toBe(0);
  expect(existsSync(join(project.path, ".entail"))).toBe(false);
  const foreign = await project.entail(["run", "--store", "letter.txt"]);
  expect([foreign.code, foreign.stderr.includes("RAN"), foreign.stderr]).toEqual([2, false, expect.stringContaining("letter.txt is no store of Entail's")]);
  expect(project.read("letter.txt")).toBe("not a store ".repeat(20));
  expect((await project.entail(["run", "--store", "elsewhere.db"])).code).toBe(0);
  expect([existsSync(join(project.path, "elsewhere.db")), existsSync(join(project.path, ".entail"))]).toEqual([true, false]);
  project.write({ "entail.config.ts": "export default { store: false };" });
  expect((await project.entail(["run"])).code).toBe(0);
  expect(existsSync(join(project.path, ".entail"))).toBe(false);
});

test("a run that is killed is told as not finished, with what is missing, and exported without becoming smaller", async () => {
  const project = createProject({ "a.eval.ts": evalFile("slow", `...Array.from({ length: 40 }, (_, at) => scenario("s_" + at, async () => { await sleep(at < 4 ? 1 : 400); if (at === 6) process.stderr.write("SIX"); return pass(); }))`, "maxConcurrency: 1") });
  await project.entail(["run"], {
    onStderr(text, kill) {
      if (text.includes("SIX")) setTimeout(() => kill("SIGKILL"), 120);
    },
  });
  const list = await project.entail(["list", "--runs"]);
  expect(list.stdout).toMatch(/^#1 {2}slow {2}not finished {2}\d+ passed, \d+ cancelled of 40 /);
  expect(list.stdout).toMatch(/missing: \d+ scenarios of 40, \d+ trials of 40/);
  const { stdout, stderr } = await project.entail(["export", "json"]);
  expect(stderr).toContain("run #1 is incomplete");
  const report = decodeReport(stdout);
  expect([report.passed, report.error?.code, report.scenarios.length, report.totals.scenarios]).toEqual([false, "run_incomplete", 40, 40]);
  expect(report.totals.passed).toBeGreaterThanOrEqual(7);
  expect(report.totals.passed + report.totals.cancelled).toBe(40);
});

test("a damaged store of the default place costs nothing: the run is told as it was, warns once, and what it spilled is taken back", async () => {
  const project = createProject({ "chat.eval.ts": SUITE });
  project.write({ ".entail/entail.db": "x".repeat(5000) });
  const { code, stderr, stdout } = await project.entail(["run", "--json"]);
  expect(code).toBe(1);
  expect(stderr.replaceAll(/\s+/g, " ").split("entail import takes them back").length).toBe(2);
  const report = decodeReport(stdout);
  const [spill = ""] = readdirSync(join(project.path, ".entail")).filter((name) => name.includes(".spill-"));
  const imported = await project.entail(["import", `.entail/${spill}`, "--store", "new.db"]);
  expect([imported.code, imported.stderr]).toEqual([0, expect.stringContaining("1 run taken in, #1")]);
  const shown = JSON.parse((await project.entail(["show", "--store", "new.db", "--json"])).stdout) as { readonly runs: readonly [{ readonly run_id: string; readonly totals: unknown }] };
  expect(shown.runs[0].run_id).toBe(report.runId);
  expect(shown.runs[0].totals).toEqual({ ...report.totals });
  expect(readFileSync(join(project.path, ".entail/entail.db"), "utf8")).toBe("x".repeat(5000));
});

test.each([
  [["show", "#7"], "there is no run yet"],
  [["export"], "export takes a form and a run"],
  [["export", "pdf"], 'there is no form "pdf"'],
  [["store"], "store takes info or prune"],
  [["store", "prune"], "store prune needs --keep <n>, --older-than <age> or both"],
  [["store", "prune", "--older-than", "soon"], "--older-than takes an age such as 30d, 2w or 12h"],
  [["import"], "import takes a file or several"],
])("entail %s is refused in one sentence", async (words, sentence) => {
  const { code, stderr } = await createProject({}).entail(words);
  expect([code, stderr.includes(sentence), stderr.trimEnd().split("\n").length]).toEqual([2, true, 1]);
});
