// Proves with the real command what a run is about, how it ends and what it says when it cannot begin.
import { expect, test } from "vitest";
import { createProject, evalFile, PASSING, type Ran } from "./project.ts";

interface WireReport {
  readonly suite_id: string;
  readonly passed: boolean;
  readonly scenarios: readonly { readonly id: string; readonly outcome: string; readonly error?: string }[];
}

const reportOf = ({ stdout }: Ran): WireReport => JSON.parse(stdout) as WireReport;
const MARK = `console.error("HOOK RAN")`;

test("[224] an empty --scenario, both selectors and no places at all end with 2 and no report, before any hook", async () => {
  const project = createProject({ "a.eval.ts": evalFile("a", `scenario("first", () => { ${MARK}; return pass(); }, { tags: ["t"] })`) });
  const told: [args: string[], sentence: string][] = [
    [["--scenario="], '--scenario takes a text that is not empty, not ""'],
    [["--scenario", "first", "--tag", "t"], "--scenario and --tag cannot be given together: name scenarios or tags"],
    [["--max-concurrency", "0"], '--max-concurrency takes a whole number from 1 to 10000, not "0"'],
  ];
  for (const [args, sentence] of told) {
    const { code, stdout, stderr } = await project.entail(["run", ...args]);
    expect([code, stdout, stderr]).toEqual([2, "", `  error  ${sentence}\n`]);
  }
});

test("case 219: the exit code tells a failure, a broken set-up and a pass apart, and an author's skip fails nothing", async () => {
  const project = createProject({
    "fail.eval.ts": evalFile("a", `scenario("first", pass), scenario("second", fail)`),
    "pass.eval.ts": evalFile("a", `scenario("first", pass), scenario("second", pass)`),
    "error.eval.ts": evalFile("a", `scenario("first", () => { throw new Error("no database"); }), scenario("second", pass)`),
    "skip.eval.ts": evalFile("a", `scenario("first", fail, { skip: "issue 7" }), scenario("second", pass)`),
    "setup.eval.ts": evalFile("a", `scenario("first", pass)`, `beforeAll() { throw new Error("no database"); }`),
  });
  const codes: Record<string, number | null> = {};
  for (const name of ["fail", "pass", "error", "skip", "setup"]) codes[name] = (await project.entail(["run", `${name}.eval.ts`])).code;
  expect(codes).toEqual({ fail: 1, pass: 0, error: 3, skip: 0, setup: 3 });
});

test("case 216: a file that fails at its import ends the run with 2 after the others have run, and both are told", async () => {
  const { code, stdout, stderr } = await createProject({ "a.eval.ts": `import "./nowhere.ts";`, "b.eval.ts": PASSING("b") }).entail(["run"]);
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ schema_version: 1, passed: false, errors: [{ code: "eval_file_broken", file: "a.eval.ts" }], reports: [{ suite_id: "b", passed: true }] });
  expect(stderr).toMatch(/error {2}a\.eval\.ts could not be loaded: Cannot find module '.*nowhere\.ts'/);
  expect(stderr).toContain("○ b  1 passed  of 1");
  expect(stderr).toContain("▲ not all could run  1 file could not be loaded.");
});

test("case 218: calls that are all refused are errors, told once with their count, never retried and never green", async () => {
  const text = evalFile("calls", `...Array.from({ length: 5 }, (_, at) => scenario("s_" + at, () => { ${MARK}; throw Object.assign(new Error("HTTP 401 Unauthorized"), { status: 401 }); }))`);
  const { code, stdout, stderr } = await createProject({ "a.eval.ts": text }).entail(["run", "--retries", "2"]);
  expect(code).toBe(3);
  const report = JSON.parse(stdout) as WireReport;
  expect([report.passed, report.scenarios.map(({ outcome }) => outcome)]).toEqual([false, Array.from({ length: 5 }, () => "errored")]);
  expect(stderr.split("HOOK RAN")).toHaveLength(6);
  expect(stderr).toContain("▲ errored × 5  5 scenarios, for the same reason");
  expect(stderr).toContain("401");
  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
});

test("kind exit-code: each way of not passing has its code", async () => {
  const project = createProject({
    "strict.eval.ts": evalFile("strict", `scenario("first", () => ({ scores: [{ id: "similarity", score: 0.2, threshold: 0.5 }] }))`),
    "known.eval.ts": evalFile("known", `scenario("first", fail, { knownFailure: "issue 7" })`),
    "all_skipped.eval.ts": evalFile("all_skipped", `scenario("first", pass, { skip: "later" })`),
    "judgeless.eval.ts": evalFile("judgeless", `scenario("first", () => ({ output: "x", claims: [{ id: "c", text: "It is x." }] }))`),
    "empty.eval.ts": evalFile("empty", ""),
    "reporter.eval.ts": evalFile("reporter", `scenario("first", pass)`, `reporter: { name: "bad", scenarioFinished() { throw new Error("disk full"); } }`),
    "slow.eval.ts": evalFile("slow", `scenario("first", async (ctx) => { await sleep(300); return pass(); }), scenario("second", pass)`, "maxConcurrency: 1"),
  });
  const code = async (...args: string[]): Promise<number | null> => (await project.entail(["run", ...args])).code;
  expect(await code("strict.eval.ts")).toBe(0);
  expect(await code("strict.eval.ts", "--strict")).toBe(1);
  expect(await code("known.eval.ts")).toBe(1);
  expect(await code("all_skipped.eval.ts")).toBe(3);
  expect(await code("judgeless.eval.ts")).toBe(3);
  expect(await code("empty.eval.ts")).toBe(2);
  expect(await code("reporter.eval.ts")).toBe(3);
  expect(await code("slow.eval.ts", "--max-time", "100ms")).toBe(3);
});

test("several suites run in one pool, and their reports come in one list", async () => {
  const text = (id: string): string => evalFile(id, `...["one", "two"].map((name) => scenario(name, async () => { globalThis.running = (globalThis.running ?? 0) + 1; globalThis.most = Math.max(globalThis.most ?? 0, globalThis.running); await sleep(60); globalThis.running -= 1; return { checks: [check("bounded", globalThis.most <= 2, String(globalThis.most))] }; }))`);
  const { code, stdout } = await createProject({ "a.eval.ts": text("a"), "b.eval.ts": text("b") }).entail(["run", "--max-concurrency", "2"]);
  expect(code).toBe(0);
  const { reports, ...rest } = JSON.parse(stdout) as { reports: WireReport[] };
  expect([rest, reports.map((report) => [report.suite_id, report.scenarios.length])]).toEqual([{ schema_version: 1, passed: true }, [["a", 2], ["b", 2]]]);
});

test("a judge is calibrated once for all suites that share it", async () => {
  const judge = `globalThis.asked = 0; globalThis.judge ??= { async judge({ claims }) { globalThis.asked += 1; console.error("ASKED " + claims.map(({ id }) => id)[0]); return claims.map(({ id }) => ({ claimId: id, label: id.replace("calibration_", ""), rationale: "so it is" })); } };`;
  const text = (id: string): string => evalFile(id, `scenario("first", pass)`, "judge: globalThis.judge", judge);
  const { code, stderr } = await createProject({ "a.eval.ts": text("a"), "b.eval.ts": text("b") }).entail(["run"]);
  expect([code, stderr.split("ASKED calibration").length - 1]).toEqual([0, 1]);
});

test("a suite without a match is not run, and named; a selector that no suite knows ends with 2", async () => {
  const project = createProject({ "a.eval.ts": evalFile("a", `scenario("greeting", pass, { tags: ["smoke"] })`), "b.eval.ts": evalFile("b", `scenario("other", () => { ${MARK}; return pass(); })`) });
  const one = await project.entail(["run", "--scenario", "greeting"]);
  expect([one.code, reportOf(one).suite_id, one.stderr.includes("HOOK RAN")]).toEqual([0, "a", false]);
  expect(one.stderr).toContain("suite b (b.eval.ts) has nothing that was selected, so it is not run");
  const unknown = await project.entail(["run", "--tag", "smok"]);
  expect([unknown.code, unknown.stdout, unknown.stderr]).toEqual([2, "", '  error  --tag "smok": no suite has this tag; did you mean "smoke"?\n']);
});

test("two files with the same suite are refused, both named", async () => {
  const { code, stderr } = await createProject({ "a.eval.ts": PASSING("chat"), "b.eval.ts": PASSING("chat") }).entail(["run"]);
  expect([code, stderr]).toEqual([2, `  error  the suite "chat" is in a.eval.ts and in b.eval.ts; a suite's id names one suite of an invocation\n`]);
});

test("an eval file may export a list of evaluations", async () => {
  const text = `import { check, evaluation } from "entail";\nconst of = (id) => evaluation({ suite: { id, description: "", scenarios: [{ id: "first", description: "", tags: [], timeoutMs: 100, run: () => ({ checks: [check("a", true, "")] }) }] } });\nexport default [of("one"), of("two")];`;
  const { code, stdout } = await createProject({ "a.eval.ts": text }).entail(["run"]);
  expect([code, (JSON.parse(stdout) as { reports: WireReport[] }).reports.map(({ suite_id }) => suite_id)]).toEqual([0, ["one", "two"]]);
});

test("--bail stops all suites after so many failures and lets what runs end", async () => {
  const text = (id: string): string => evalFile(id, `...Array.from({ length: 4 }, (_, at) => scenario("s_" + at, async () => { await sleep(20); return fail(); }))`);
  const { code, stdout } = await createProject({ "a.eval.ts": text("a"), "b.eval.ts": text("b") }).entail(["run", "--bail", "2", "--max-concurrency", "1"]);
  const outcomes = (JSON.parse(stdout) as { reports: WireReport[] }).reports.flatMap(({ scenarios }) => scenarios.map(({ outcome }) => outcome));
  expect([code, outcomes.filter((outcome) => outcome === "failed").length, outcomes.filter((outcome) => outcome === "cancelled").length]).toEqual([1, 2, 6]);
});

test("a flag beats the eval file, the file the configuration", async () => {
  const text = evalFile("a", `scenario("first", () => { console.error("TRIAL"); return pass(); })`, "trials: 2");
  const project = createProject({ "a.eval.ts": text });
  expect((await project.entail(["run"])).stderr.split("TRIAL")).toHaveLength(3);
  expect((await project.entail(["run", "--trials", "3"])).stderr.split("TRIAL")).toHaveLength(4);
});

test("list shows suites, scenarios and tags, and runs nothing; run --list shows what would run", async () => {
  const project = createProject({ "a.eval.ts": evalFile("chat", `scenario("greeting", () => { ${MARK}; }, { tags: ["smoke"], timeoutMs: 90000 }), scenario("later", pass, { skip: "issue 7" })`) });
  const listed = await project.entail(["list"]);
  expect([listed.code, listed.stdout, listed.stderr]).toEqual([0, `chat  2 scenarios  a.eval.ts\n  A suite.\n  greeting  #smoke  1m30s\n    A scenario.\n  later  5.0s  skipped: issue 7\n    A scenario.\n`, ""]);
  const json = await project.entail(["run", "--list", "--json", "--tag", "smoke"]);
  expect(JSON.parse(json.stdout)).toEqual({ suites: [{ id: "chat", description: "A suite.", file: "a.eval.ts", scenarios: [{ id: "greeting", description: "A scenario.", tags: ["smoke"], timeout: "1m30s" }] }] });
});

test("paths, folders and patterns are taken; one that leads nowhere ends with 2", async () => {
  const project = createProject({ "evals/a.eval.ts": PASSING("a"), "evals/deep/b.eval.mjs": PASSING("b"), "x [1]/c.eval.ts": PASSING("c"), "node_modules/d.eval.ts": PASSING("d") });
  const ids = async (...paths: string[]): Promise<string> => {
    const { stdout, stderr } = await project.entail(["list", ...paths, "--json"]);
    return stdout.startsWith(`{\n  "suites"`) ? (JSON.parse(stdout) as { suites: { id: string }[] }).suites.map(({ id }) => id).join("") : stderr;
  };
  expect([await ids(), await ids("evals"), await ids("evals/*.eval.ts"), await ids("x [1]"), await ids("x [1]/c.eval.ts", "evals/**/*.mjs")]).toEqual(["abc", "ab", "a", "c", "bc"]);
  expect(await ids("nowhere.eval.ts")).toBe('  error  "nowhere.eval.ts" leads to no eval file: there is no file of that name\n');
  expect(await ids("nowhere")).toBe('  error  "nowhere" leads to no eval file: they are named *.eval.ts, .mts, .js or .mjs\n');
});

test("without an eval file there is nothing to run, which is no success", async () => {
  const { code, stderr } = await createProject({}).entail(["run"]);
  expect([code, stderr]).toEqual([2, "  error  there is no eval file in .: they are named *.eval.ts, and npx entail example writes one for each suite of a design\n"]);
});

const MISTAKES: Record<string, [text: string, sentence: string]> = {
  "throws at its import": [`throw new Error("no key");`, "a.eval.ts could not be loaded: no key"],
  "throws what is no error": [`throw null;`, "a.eval.ts could not be loaded: null"],
  "does not parse": [`export default {{;`, "a.eval.ts could not be loaded: ParseError: Unexpected token"],
  "exports nothing": [`export const a = 1;`, "a.eval.ts has no default export; it needs export default evaluation({ suite, … }), or a list of them"],
  "exports an empty list": [`export default [];`, "a.eval.ts exports an empty list; it needs export default evaluation({ suite, … }), or a list of them"],
  "exports a suite without evaluation()": [`export default { suite: {} };`, "a.eval.ts exports by default what is no evaluation; it needs export default evaluation({ suite, … }), or a list of them"],
  "gives a misspelt option": [`import { evaluation } from "entail";\nexport default evaluation({ suit: 1 });`, 'a.eval.ts could not be loaded: evaluation() has no member "suit"; did you mean "suite"?'],
  "gives no suite": [`import { evaluation } from "entail";\nexport default evaluation({});`, "a.eval.ts could not be loaded: evaluation() needs a suite: what newSuite or implement returns, or { id, description, scenarios }"],
  "gives no places": [`import { evaluation } from "entail";\nexport default evaluation({ suite: { id: "a", description: "", scenarios: [] }, maxConcurrency: 0 });`, "a.eval.ts could not be loaded: evaluation() needs a maxConcurrency of 1 or more, a whole number; not 0"],
  "gives a suite that is not valid": [`import { evaluation } from "entail";\nexport default evaluation({ suite: { id: "A b", description: "", scenarios: [{ id: "x" }] } });`, 'a.eval.ts: the suite is not valid:\n'],
  "calls process.exit": [`process.exit(0);`, "a.eval.ts could not be loaded: process.exit(0) was called"],
};

test.each(Object.entries(MISTAKES))("an eval file that %s ends with 2, one sentence and no stack trace", async (_, [text, sentence]) => {
  const { code, stdout, stderr } = await createProject({ "a.eval.ts": text }).entail(["run", "--json"]);
  expect(code).toBe(2);
  expect(stderr).toContain(`  error  ${sentence.split("\n")[0] ?? ""}`);
  expect(stderr).not.toMatch(/^\s+at .*\(.*:\d+:\d+\)|node:internal/m);
  const { error } = JSON.parse(stdout) as { error: Record<string, string> };
  expect(Object.keys(error).filter((member) => !["code", "message", "file", "place"].includes(member))).toEqual([]);
  expect([error["file"], error["message"]?.startsWith(sentence)]).toEqual(["a.eval.ts", true]);
});

test("a stack trace is shown with --debug only", async () => {
  const project = createProject({ "a.eval.ts": `function inner() { throw new Error("no key"); }\ninner();` });
  expect((await project.entail(["run"])).stderr).toBe("  error  a.eval.ts could not be loaded: no key\n         at  a.eval.ts:1:26\n");
  expect((await project.entail(["run", "--debug"])).stderr).toMatch(/at inner .*a\.eval\.ts:1:26/);
});

test("secrets of the environment are in neither report nor summary", async () => {
  const text = evalFile("a", `scenario("first", () => ({ checks: [check("key", false, "sent " + process.env.MODEL_KEY)] }))`);
  const { stdout, stderr } = await createProject({ "a.eval.ts": text }).entail(["run"], { env: { MODEL_KEY: "very-secret-value" } });
  expect([stdout.includes("very-secret"), stderr.includes("very-secret"), stdout.includes("‹masked›"), stderr.includes("‹masked›")]).toEqual([false, false, true, true]);
});

test("a Node that is too old is told in one sentence, with --json as JSON", async () => {
  const project = createProject({});
  const old = `--import=data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.11.1"})`;
  const sentence = "entail needs Node 22.18 or newer and this is Node 20.11.1: install a newer one and run the same command again";
  const { code, stdout, stderr } = await project.entail(["run", "--json"], { nodeOptions: [old] });
  expect([code, JSON.parse(stdout), stderr]).toEqual([2, { error: { code: "node_too_old", message: sentence } }, `error  ${sentence}\n`]);
});
