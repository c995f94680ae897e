// Proves with the real command that every form of a report is written whole, says the same, keeps secrets, and survives whatever a hook returns.
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { decodeReport, type Report } from "entail";
import { expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { readCommandLine } from "../../src/cli/command-line.ts";
import { checkReporters, type ReporterName } from "../../src/cli/reporters.ts";
import { read } from "../source.ts";
import { createProject, evalFile, PASSING } from "./project.ts";

const GITHUB = { GITHUB_ACTIONS: "true", CI: "true", GITHUB_STEP_SUMMARY: "summary.md" };
/** Every form that one run can write, and all that it says. */
const FORMS = ["--output", "report.json", "--junit", "junit.xml", "--debug"] as const;

const SECRETS = { JUDGE_KEY: "sk-test-abcdef0123456789", API_TOKEN: "tok-77777777", MY_SPECIAL: "correct horse battery & <staple>" };

type Everything = Readonly<Record<"stdout" | "stderr" | "report.json" | "junit.xml" | "summary.md" | "events", string>> & { readonly code: number | null };

/** All that two runs of the same files write, in every form. */
async function everything(files: Readonly<Record<string, string>>): Promise<Everything> {
  const project = createProject(files);
  const ran = await project.entail(["run", ...FORMS], { env: { ...GITHUB, ...SECRETS, GITHUB_STEP_SUMMARY: join(project.path, "summary.md") } });
  const events = await project.entail(["run", "--reporter", "jsonl"], { env: SECRETS });
  return { code: ran.code, stdout: ran.stdout, stderr: ran.stderr, "report.json": project.read("report.json"), "junit.xml": project.read("junit.xml"), "summary.md": project.read("summary.md"), events: events.stdout + events.stderr };
}

const holders = (all: Readonly<Record<string, unknown>>, secret: string): string[] => Object.entries(all).flatMap(([name, text]) => (typeof text === "string" && text.includes(secret) ? [name] : []));

/** One file a case. */
function configFile(): string {
  const config = `const config = { apiKey: process.env.JUDGE_KEY, headers: { Authorization: "Bearer zzz999zzz999" }, baseURL: "https://u:pw123456@host.test/v1?key=qq11qq11" };`;
  return evalFile(
    "config",
    `scenario("error", () => { throw new Error("cannot reach the judge with " + JSON.stringify(config)); }),
     scenario("check", () => ({ checks: [check("config", false, JSON.stringify(config))], output: config.apiKey, metadata: config, artifacts: [{ name: config.apiKey, uri: config.baseURL }] })),
     scenario(config.apiKey.replaceAll("-", "_"), pass, { skip: config.headers.Authorization })`,
    "",
    config,
  );
}

const ADDRESS = `throw new Error("https://user:hunter2hunter2@data.test/rows.csv?token=abcd1234abcd answered 404");`;

const LOGIN = evalFile("login", `scenario("login", async () => {
    const evidence = await collect((async function* () {
      yield { type: "tool_start", runId: "r", toolCallId: "a", toolName: "login", args: { user: "u1", api_token: process.env.API_TOKEN } };
      yield { type: "tool_end", runId: "r", toolCallId: "a", toolName: "login", result: {} };
      yield { type: "workflow", runId: "r", phase: "completed" };
      yield { type: "run_stream_end", runId: "r" };
    })());
    const right = expectation({ name: "right", tools: [expectCall({ name: "login" }, { args: { user: "u1", api_token: "tok-77777777" } })] });
    const wrong = expectation({ name: "wrong", tools: [expectCall({ name: "login" }, { args: { user: "u1", api_token: "tok-8" } })] });
    return { checks: [...right.checks(evidence), ...wrong.checks(evidence)], evidence };
  })`, "", `import { collect, expectation, expectCall } from "entail/evidence";`);

function placesFile(): string {
  const places: Record<string, string> = {
    diagnostic: `({ checks: [check("a", false, key)] })`, output: `({ checks: [check("a", false, "x")], output: key })`, name: `({ checks: [check(key, false, "x")] })`, reason: `({ scores: [{ id: "s", score: 0, threshold: 1, reason: key }] })`,
    metadata: `({ checks: [check("a", true, "")], metadata: { [key]: [{ deep: key }] } })`, artifact: `({ checks: [check("a", true, "")], artifacts: [{ name: "log", uri: "file:///" + key }] })`, printed: `{ console.log("printed " + key.slice(0, 0)); return pass(); }`,
  };
  return evalFile("places", `${Object.entries(places).map(([id, body]) => `scenario("${id}", () => ${body})`).join(", ")}, scenario("thrown", () => { throw Object.assign(new Error(key), { cause: key }); })`, "", `const key = process.env.MY_SPECIAL;`);
}

const RESULTS = `scenario("numbers", () => ({ checks: [check("a", false, "x")], metadata: { a: NaN, b: Infinity, c: -0, d: undefined, e: new Date("2024-05-01T10:00:00.000Z"), f: new Map([["k", 1]]), g: new Set([1]), h: null } })),
  scenario("cycle", () => { const shared = { x: 1 }; const loop = { shared, again: shared, n: 12345678901234567890n, fn: () => 1, err: new Error("boom"), get getter() { throw new Error("no"); } }; loop.self = loop; return { checks: [check("a", true, "")], metadata: loop }; }),
  scenario("surrogate", () => ({ checks: [check("a", false, "\\ude00 tail")], output: "cut \\ud83d", claims: [] }))`;

let made: Promise<Everything> | undefined;
/** Written once, by the first test that reads it. */
const written = (): Promise<Everything> =>
  (made ??= everything({ "config.eval.ts": configFile(), "address.eval.ts": ADDRESS, "login.eval.ts": LOGIN, "places.eval.ts": placesFile(), "results.eval.ts": evalFile("results", RESULTS), "entail.config.ts": `export default { secrets: ["MY_SPECIAL"] };` }));

function reportOf(all: Everything, suite: string): Report {
  const { reports } = JSON.parse(all["report.json"]) as { readonly reports: readonly { readonly suite_id: string }[] };
  return decodeReport(reports.find(({ suite_id: id }) => id === suite));
}

test("case 183: a key in the configuration, its headers and its address are in no form of the report and in no message", async () => {
  const all = await written();
  expect(["sk-test-abcdef0123456789", "zzz999zzz999", "pw123456", "qq11qq11"].map((secret) => holders(all, secret))).toEqual([[], [], [], []]);
  expect([all.stderr, all["junit.xml"], all["summary.md"], all["report.json"], all.events].filter((part) => !part.includes("‹masked›"))).toEqual([]);
});

test("case 184: an error names the host, the file and the status, not the password and the token of its address", async () => {
  const all = await written();
  expect(all.code).toBe(2);
  for (const form of ["stderr", "stdout", "junit.xml", "events"] as const) for (const part of ["data.test", "rows.csv", "404"]) expect(all[form]).toContain(part);
  expect([holders(all, "hunter2hunter2"), holders(all, "abcd1234abcd")]).toEqual([[], []]);
});

test("case 185: a check on an argument that is a secret sees the secret, and no form of the report does", async () => {
  const all = await written();
  const checks = reportOf(all, "login").scenarios[0]?.result?.checks ?? [];
  expect(checks.filter(({ name }) => name === "right.trajectory").map(({ passed }) => passed)).toEqual([true]);
  expect(checks.find(({ name, passed }) => name === "wrong.trajectory" && !passed)?.diagnostic).toContain("‹masked›");
  expect(holders(all, "tok-77777777")).toEqual([]);
});

test("kind secrets-leak: wherever a hook puts a secret, no form shows it, however the form writes its characters", async () => {
  const all = await written();
  expect(["correct horse", "battery &amp;", "battery&#", "battery %26"].map((part) => holders(all, part))).toEqual([[], [], [], []]);
});

test("cases 192, 193 and 194: what JSON cannot hold is told, not lost, and every form is written", async () => {
  const all = await written();
  const { scenarios } = reportOf(all, "results");
  const metadata = Object.fromEntries(scenarios.map(({ id, result }) => [id, result?.metadata]));
  expect(metadata["numbers"]).toEqual({ a: "[NaN]", b: "[Infinity]", c: 0, e: "2024-05-01T10:00:00.000Z", f: [["k", 1]], g: [1], h: null });
  expect(metadata["cycle"]).toEqual({ shared: { x: 1 }, again: { x: 1 }, n: "12345678901234567890", err: { name: "Error", message: "boom" }, getter: "[unreadable: no]", self: "[circular]" });
  expect(scenarios.map(({ outcome }) => outcome)).toEqual(["failed", "passed", "failed"]);
  expect(scenarios[2]?.result?.output).toBe("cut \ud83d");
  for (const form of ["stderr", "junit.xml"] as const) expect(all[form]).toContain("\\ude00 tail");
  expect(all["summary.md"]).toContain("&#92;ude00 tail");
  expect(all["junit.xml"]).not.toContain("\ufffd");
  expect((await validateXML({ xml: [{ fileName: "junit.xml", contents: all["junit.xml"] }], schema: [{ fileName: "junit.xsd", contents: read("test/fixture/report/junit.xsd") }] })).errors).toEqual([]);
});

test("--junit holds every suite and the files that could not be run; it is whole or not there, and never the reason that hooks have run for nothing", async () => {
  const project = createProject({ "a.eval.ts": evalFile("a", `scenario("first", fail), scenario("second", pass)`), "b.eval.ts": `import "./nowhere.ts";`, "c.eval.ts": PASSING("c") });
  mkdirSync(join(project.path, "folder"));
  const ran = await project.entail(["run", "--junit", "out/deep/junit.xml"]);
  const xml = project.read("out/deep/junit.xml");
  expect(ran.code).toBe(2);
  expect(xml).toContain('<testsuites name="entail" tests="4" failures="1" errors="1"');
  expect([...xml.matchAll(/<testsuite name="(\w+)" tests="(\d)" failures="(\d)" errors="(\d)"/g)].map((match) => match.slice(1))).toEqual([["files", "1", "0", "1"], ["a", "2", "1", "0"], ["c", "1", "0", "0"]]);
  expect((await validateXML({ xml: [{ fileName: "junit.xml", contents: xml }], schema: [{ fileName: "junit.xsd", contents: read("test/fixture/report/junit.xsd") }] })).errors).toEqual([]);
  expect(ran.stderr).toContain("junit  out/deep/junit.xml");
  expect(readdirSync(join(project.path, "out/deep"))).toEqual(["junit.xml"]);
  const refused = await project.entail(["run", "c.eval.ts", "--junit", "folder"]);
  expect([refused.code, refused.stderr]).toEqual([2, "  error  the report cannot be written to folder: it is a folder\n"]);
});

test("in a job of GitHub's a run annotates and appends to the summary by itself; a named reporter decides instead", async () => {
  const project = createProject({ "evals/a.eval.ts": evalFile("a", `scenario("first", () => ({ checks: [check("right", false, "said\\n::stop-commands::x\\n  ##[add-mask]y")] }))`), "summary.md": "# Before\n" });
  const env = { ...GITHUB, GITHUB_STEP_SUMMARY: join(project.path, "summary.md"), GITHUB_WORKSPACE: project.path };
  const ran = await project.entail(["run", "."], { env, cwd: "evals" });
  expect(ran.code).toBe(1);
  const commands = ran.stderr.split("\n").filter((line) => /^\s*::|##\[/.test(line));
  expect(commands).toEqual(["::error title=failed%3A a › first,file=evals/a.eval.ts::right: said%0A::stop-commands::x%0A  ##[add-mask]y"]);
  expect(ran.stderr).toContain(":\u200b:stop-commands");
  expect(project.read("summary.md")).toMatch(/^# Before\n<!-- entail a -->\n## ● a: failed\n/);
  const plain = await project.entail(["run", "evals", "--reporter", "plain"], { env });
  expect([plain.stderr.includes("::error"), project.read("summary.md").split("<!-- entail").length]).toEqual([false, 2]);
  const unwritable = await project.entail(["run", "evals", "--reporter", "github"], { env: { ...env, GITHUB_STEP_SUMMARY: project.path } });
  expect([unwritable.code, unwritable.stderr.match(/the summary of the job cannot be written: /g)?.length]).toEqual([1, 1]);
  project.write({ "evals/a.eval.ts": PASSING("a"), "evals/b.eval.ts": `throw new Error("no @key");`, "summary.md": "" });
  const broken = await project.entail(["run", "evals"], { env });
  expect([broken.code, broken.stderr.match(/^::.*/gm), project.read("summary.md").split("\n")[0]]).toEqual([2, ["::error title=eval_file_broken,file=evals/b.eval.ts::evals/b.eval.ts could not be loaded: no @key"], "## ▲ 1 file could not be run"]);
  project.write({ "evals/b.eval.ts": PASSING("b") });
  expect((await project.entail(["run", "evals"], { env: { ...env, GITHUB_STEP_SUMMARY: project.path } })).code).toBe(3);
});

test("kind secrets-leak: a secret that JSON writes otherwise is masked in an error as well", async () => {
  const secret = 'pass"word\\with\nlines';
  const project = createProject({ "a.eval.ts": `throw new Error("refused: " + process.env.DB_PASSWORD);` });
  const ran = await project.entail(["run", "--json"], { env: { DB_PASSWORD: secret } });
  expect(JSON.parse(ran.stdout)).toMatchObject({ error: { message: "a.eval.ts could not be loaded: refused: ‹masked›" } });
  const events = await project.entail(["run", "--reporter", "jsonl", "--output", "r.json"], { env: { DB_PASSWORD: secret } });
  expect(events.stdout + events.stderr + ran.stderr).not.toContain("word");
});

test("--reporter jsonl gives events instead of the report, a line each, and whatever user code prints is none", async () => {
  const project = createProject({ "a.eval.ts": evalFile("a", `scenario("first", () => { console.log("{}"); return pass(); }), scenario("second", fail)`), "b.eval.ts": `throw new Error("no key");` });
  const ran = await project.entail(["run", "--reporter", "jsonl", "--reporter", "none"]);
  const events = ran.stdout.trimEnd().split("\n").map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(ran.code).toBe(2);
  expect(events.map(({ type }) => String(type)).sort((a, b) => a.localeCompare(b))).toEqual(["problem", "run_finished", "run_started", "scenario_finished", "scenario_finished", "scenario_started", "scenario_started", "trial_finished", "trial_finished"]);
  expect([events[0], events.at(-1)]).toMatchObject([{ type: "problem", code: "eval_file_broken", file: "b.eval.ts" }, { type: "run_finished", suite_id: "a", passed: false }]);
});

test("kind cli-validation: reporters that want the same place, and names that are none, are refused in one sentence before anything runs", async () => {
  const refused = (...args: string[]): string => {
    try {
      const line = readCommandLine(["run", ...args], () => "");
      const { reporter = [], json } = (line as { readonly flags: { readonly reporter?: readonly ReporterName[]; readonly json?: boolean } }).flags;
      checkReporters(reporter, json === true);
      return "";
    } catch (thrown) {
      return (thrown as Error).message;
    }
  };
  expect(refused("--reporter", "plain", "--reporter", "none")).toBe("the reporters plain and none cannot be given together: each is a way to show the same progress");
  expect(refused("--reporter", "jsonl", "--json")).toBe("--json and the reporter jsonl cannot be given together: both write to standard output");
  expect(refused("--reporter", "juint")).toBe('--reporter takes one of terminal, plain, none, github, jsonl, not "juint"');
  expect(refused("--reporter=")).toBe('--reporter takes one of terminal, plain, none, github, jsonl, not ""');
  expect(refused("--junit=")).toBe('--junit takes a text that is not empty, not ""');
  expect(refused("--reporter", "github", "--reporter", "jsonl", "--reporter", "none")).toBe("");
  const project = createProject({ "a.eval.ts": evalFile("a", `scenario("first", () => { console.error("HOOK RAN"); return pass(); })`), "entail.config.ts": `export default { reporters: ["plain", "none"] };` });
  const { code, stderr } = await project.entail(["run"]);
  expect([code, stderr]).toEqual([2, "  error  the reporters plain and none cannot be given together: each is a way to show the same progress\n"]);
});
