// Proves with the real command that a report arrives whole, and what happens where it cannot.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeReport } from "entail";
import { expect, test } from "vitest";
import { createProject, evalFile, PASSING, type Ran } from "./project.ts";

/** A failing suite whose report has more than three million characters. */
const HUGE = evalFile("huge", `...Array.from({ length: 300 }, (_, at) => scenario("s_" + at, () => ({ output: "é\\n".repeat(3500), checks: [check("right", at > 0, "wrong")] })))`);

const status = ({ stderr }: Ran): string => /STATUS (\S+)/.exec(stderr)?.[1] ?? "";
const noCrash = ({ stderr }: Ran): boolean => !/EPIPE|ENOSPC: .*\n\s+at |^\s+at .*:\d+:\d+\)/m.test(stderr);

test("case 220: three million bytes arrive whole through a pipe, with the exit code of the verdict", async () => {
  const ran = await createProject({ "a.eval.ts": HUGE }).entail(["run"], { shell: `set -o pipefail; "$@" | cat; echo "STATUS $?" >&2` });
  expect([ran.stdout.length > 3_000_000, status(ran), noCrash(ran)]).toEqual([true, "1", true]);
  const report = decodeReport(ran.stdout);
  expect([report.scenarios.length, report.scenarios.every((scenario) => scenario.result?.output === "é\n".repeat(3500))]).toEqual([300, true]);
});

test("case 220: a pipe that is full until somebody reads gets it whole too", async () => {
  const ran = await createProject({ "a.eval.ts": HUGE }).entail(["run"], { shell: `set -o pipefail; "$@" | (sleep 1.5; cat); echo "STATUS $?" >&2` });
  expect([decodeReport(ran.stdout).scenarios.length, status(ran)]).toEqual([300, "1"]);
});

test("case 220: a reader that has enough gives no stack trace and leaves the exit code as it is", async () => {
  const project = createProject({ "a.eval.ts": HUGE, "b.eval.ts": PASSING("b") });
  const ran = await project.entail(["run", "a.eval.ts"], { shell: `"$@" | head -c 100 >/dev/null; echo "STATUS \${PIPESTATUS[0]}" >&2` });
  expect([status(ran), noCrash(ran)]).toEqual(["1", true]);
  expect(ran.stderr).toContain("standard output was closed before the whole report was written");
  const closed = await project.entail(["run", "b.eval.ts"], { shell: `"$@" >&-; echo "STATUS $?" >&2` });
  expect([status(closed), noCrash(closed)]).toEqual(["0", true]);
});

test("a disk that is full under standard output ends with 2 and one sentence", async () => {
  const ran = await createProject({ "a.eval.ts": HUGE }).entail(["run"], { shell: `"$@" > /dev/full; echo "STATUS $?" >&2` });
  expect([status(ran), noCrash(ran)]).toEqual(["2", true]);
  expect(ran.stderr).toMatch(/error {2}the report cannot be written to standard output: .*ENOSPC/);
});

test("standard error that nobody reads changes nothing", async () => {
  const ran = await createProject({ "a.eval.ts": HUGE }).entail(["run"], { shell: `"$@" 2>&- | cat; echo "STATUS \${PIPESTATUS[0]}" >&2` });
  expect([decodeReport(ran.stdout).scenarios.length, status(ran)]).toEqual([300, "1"]);
});

test("--output writes the same report, whole or not at all, into folders that need not be there", async () => {
  const project = createProject({ "a.eval.ts": PASSING("a"), "out/old.json": "old" });
  const ran = await project.entail(["run", "--output", "out/deep/report.json"]);
  expect([ran.code, project.read("out/deep/report.json")]).toEqual([0, ran.stdout]);
  expect(ran.stderr).toContain("report  out/deep/report.json");
  await project.entail(["run", "--output", "out/old.json"]);
  expect(project.read("out/old.json")).toContain('"suite_id": "a"');
  expect(readdirSync(join(project.path, "out"))).toEqual(["deep", "old.json"]);
});

test("an --output that cannot be written is told before anything runs", async () => {
  const project = createProject({ "a.eval.ts": evalFile("a", `scenario("first", () => { console.error("HOOK RAN"); return pass(); })`), file: "" });
  mkdirSync(join(project.path, "folder"));
  for (const [file, why] of [["folder", "it is a folder"], ["file/report.json", "E"]] as const) {
    const { code, stderr } = await project.entail(["run", "--output", file]);
    expect([file, code, stderr.includes("HOOK RAN"), stderr.split("\n").length]).toEqual([file, 2, false, 2]);
    expect(stderr).toContain(`  error  the report cannot be written to ${file}: ${why}`);
  }
  const full = await project.entail(["run", "--output", "/dev/full"]);
  expect(full.stderr).toContain("▲ report not written  The one scenario passed.");
  expect([full.code, full.stderr.includes("ENOSPC"), JSON.parse(full.stdout)]).toMatchObject([2, true, { suite_id: "a" }]);
});

test("a report takes the place of no eval file, no settings, no store and no recordings", async () => {
  const recordings = '{\n  "version": 1,\n  "recordings": []\n}\n';
  const project = createProject({ "a.eval.ts": PASSING("a"), "a.recording.json": recordings });
  for (const flag of ["--output", "--junit"]) {
    for (const file of ["a.eval.ts", "package.json", "a.recording.json"]) {
      const { code, stderr } = await project.entail(["run", flag, file]);
      expect([file, code, stderr]).toEqual([file, 2, expect.stringContaining(`the report is not written to ${file}`)]);
    }
  }
  expect([project.read("a.eval.ts"), project.read("package.json"), project.read("a.recording.json")]).toEqual([PASSING("a"), '{ "type": "module" }', recordings]);
  // The store is made while the run goes on.
  const { code } = await project.entail(["run", "--output", "runs.db", "--store", "runs.db"]);
  expect([code, project.read("runs.db").startsWith("SQLite format 3")]).toEqual([2, true]);
});

test.each([
  [["--output", "r.json", "--junit", "./r.json"], "--output and --junit cannot both write r.json"],
  [["--store", "x.db", "--no-store"], "--store and --no-store cannot be given together"],
  [["--json=true"], "--json takes no value"],
  [["--output", "/proc/none/r.json"], "cannot be written to /proc/none/r.json"],
  [["--store", "/proc/none/x.db"], "/proc/none/x.db cannot be opened"],
])("kind cli-validation: %j is refused before anything runs", async (flags, why) => {
  const project = createProject({ "a.eval.ts": evalFile("a", `scenario("first", () => { console.error("HOOK RAN"); return pass(); })`) });
  const { code, stderr } = await project.entail(["run", ...flags]);
  expect([code, stderr.includes("HOOK RAN"), stderr]).toEqual([2, false, expect.stringContaining(why)]);
});

test("case 155: a reporter that throws changes no outcome, is named once, and the report is whole while the exit code is not 0", async () => {
  const text = evalFile("a", `...["one", "two", "three"].map((id) => scenario(id, pass))`, `reporter: { name: "bad", scenarioFinished() { throw new Error("disk full"); } }`);
  const project = createProject({ "a.eval.ts": text });
  const { code, stderr } = await project.entail(["run", "--output", "out.json"]);
  const report = decodeReport(project.read("out.json"));
  expect([code, report.scenarios.map(({ outcome }) => outcome), report.passed]).toEqual([3, ["passed", "passed", "passed"], true]);
  expect(stderr.match(/reporter "bad" failed: disk full/g)).toHaveLength(1);
});

test("a reporter without a name is numbered among those of the user alone", async () => {
  const { code, stderr } = await createProject({ "a.eval.ts": evalFile("a", `scenario("one", pass)`, `reporter: { scenarioFinished() { throw new Error("disk full"); } }`) }).entail(["run"]);
  expect([code, stderr]).toEqual([3, expect.stringContaining("  warning  reporter 1 failed: disk full\n")]);
});

test("kind failure-isolation: no reporter, whatever it does, changes an outcome or keeps the report from being whole", async () => {
  const bad: Record<string, string> = {
    rejects: `scenarioFinished: async () => { throw new Error("no"); }`,
    getter: `get scenarioFinished() { throw new Error("no"); }`,
    mutates: `scenarioFinished(report) { report.outcome = "failed"; }`,
    starts: `runStarted() { throw null; }`,
    ends: `runFinished() { throw new Error("no"); }`,
    exits: `scenarioStarted() { process.exit(0); }`,
  };
  const text = Object.entries(bad).map(([id, members]) => [`${id}.eval.ts`, evalFile(id, `scenario("one", pass), scenario("two", fail)`, `reporter: { name: "bad", ${members} }`)] as const);
  const { code, stdout } = await createProject(Object.fromEntries(text)).entail(["run"]);
  expect(code).toBe(1);
  const { reports } = JSON.parse(stdout) as { reports: { suite_id: string; scenarios: { outcome: string }[]; warnings?: { code: string }[] }[] };
  expect(reports.map(({ suite_id, scenarios }) => [suite_id, ...scenarios.map(({ outcome }) => outcome)])).toEqual(Object.keys(bad).sort().map((id) => [id, "passed", "failed"]));
  expect(reports.filter(({ warnings }) => warnings?.some((warning) => warning.code === "reporter_failed") !== true)).toEqual([]);
});

test("30,000 scenarios are reported whole, with little memory and nothing left on the disk", async () => {
  const project = createProject({ "a.eval.ts": evalFile("many", `...Array.from({ length: 30000 }, (_, at) => scenario("s_" + at, pass))`) });
  const temporary = join(project.path, "tmp");
  mkdirSync(temporary);
  const ran = await project.entail(["run", "--output", "report.json"], { nodeOptions: ["--max-old-space-size=150"], env: { TMPDIR: temporary }, shell: `"$@" >/dev/null; echo "STATUS $?" >&2` });
  expect([status(ran), readdirSync(temporary).filter((name) => name.startsWith("entail-"))]).toEqual(["0", []]);
  const text = readFileSync(join(project.path, "report.json"), "utf8");
  expect((JSON.parse(text) as { scenarios: unknown[] }).scenarios.length).toBe(30_000);
  expect(readdirSync(join(project.path, ".entail")).filter((name) => !/-(?:wal|shm)$/.test(name))).toEqual([".gitignore", "entail.db"]);
}, 60_000);

test("--json is written to standard output once, and nothing else is", async () => {
  const { stdout } = await createProject({ "a.eval.ts": evalFile("a", `scenario("first", () => { console.log("{}"); return pass(); })`) }).entail(["run", "--json", "--quiet"]);
  expect(JSON.parse(stdout)).toMatchObject({ suite_id: "a", passed: true });
});
