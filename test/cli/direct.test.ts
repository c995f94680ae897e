// Proves that an eval file is its own command when it is the process's script, and nothing otherwise.
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProject, evalFile, PASSING } from "./project.ts";

test("node evals/x.eval.ts runs with the flags and exit codes of run, its report on standard output", async () => {
  const project = createProject({ "evals/a.eval.ts": evalFile("a", `scenario("first", pass, { tags: ["smoke"] }), scenario("second", fail)`) });
  const all = await project.node(["evals/a.eval.ts"]);
  expect([all.code, (JSON.parse(all.stdout) as { scenarios: unknown[] }).scenarios.length]).toEqual([1, 2]);
  expect(all.stderr).toContain("\n      evals/a.eval.ts\n      node evals/a.eval.ts --scenario second\n");
  const some = await project.node(["evals/a.eval.ts", "--tag", "smoke"]);
  expect([some.code, (JSON.parse(some.stdout) as { scenarios: unknown[] }).scenarios.length]).toEqual([0, 1]);
  const wrong = await project.node(["evals/a.eval.ts", "--tagg", "smoke"]);
  expect([wrong.code, wrong.stdout, wrong.stderr]).toEqual([2, "", '  error  there is no flag --tagg for run; did you mean "--tag"?\n']);
  const path = await project.node(["evals/a.eval.ts", "evals/b.eval.ts"]);
  expect([path.code, path.stderr]).toEqual([2, "  error  a file that is run directly takes flags alone; entail run takes paths\n"]);
});

test("a link to an eval file runs it", async () => {
  const project = createProject({ "evals/a.eval.ts": PASSING("a") });
  symlinkSync(join(project.path, "evals/a.eval.ts"), join(project.path, "b.eval.ts"));
  const { code, stdout } = await project.node(["b.eval.ts"]);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { suite_id: "a" }]);
});

test("an eval file that is imported never runs: not by an application, not by another eval file, not in a thread", async () => {
  const project = createProject({
    "a.eval.ts": evalFile("a", `scenario("first", () => { console.error("RAN a"); return pass(); })`),
    "app.ts": `import evaluation from "./a.eval.ts"; console.log(typeof evaluation);`,
    "b.eval.ts": evalFile("b", `scenario("first", async () => { const { Worker } = await import("node:worker_threads"); const worker = new Worker(new URL("./b.eval.ts", import.meta.url), { argv: [] }); await new Promise((resolve) => worker.on("exit", resolve)); console.error("RAN b"); return pass(); })`, "", `import other from "./a.eval.ts"; void other;`),
  });
  const app = await project.node(["app.ts"]);
  expect([app.code, app.stdout, app.stderr]).toEqual([0, "object\n", ""]);
  const both = await project.node(["b.eval.ts"]);
  expect([both.code, both.stderr.split("RAN b").length, both.stderr.includes("RAN a")]).toEqual([0, 2, false]);
});

test("a script that marks an evaluation and does not export it ends with 2", async () => {
  const { code, stderr } = await createProject({ "a.eval.ts": PASSING("a").replace("export default ", "") }).node(["a.eval.ts"]);
  expect([code, stderr]).toEqual([2, "  error  a.eval.ts has no default export; it needs export default evaluation({ suite, … }), or a list of them\n"]);
});

test("what an eval file throws before its evaluation is there ends a direct run with 2 and one sentence, no stack", async () => {
  const project = createProject({
    "throws.eval.ts": `import { evaluation } from "entail"; void evaluation;\nthrow new Error("no database");`,
    "option.eval.ts": evalFile("a", `scenario("first", pass)`, "trails: 3"),
    "late.eval.ts": `import { evaluation } from "entail"; void evaluation;\nawait new Promise((resolve) => setTimeout(resolve, 1));\nthrow null;`,
    "plain.eval.cjs": `require("entail");\nthrow new Error("no database");`,
  });
  const [throws, option, late, plain] = await Promise.all(["throws.eval.ts", "option.eval.ts", "late.eval.ts", "plain.eval.cjs"].map((file) => project.node([file])));
  expect([throws?.code, throws?.stdout, throws?.stderr]).toEqual([2, "", "  error  throws.eval.ts could not be loaded: no database\n         at  throws.eval.ts:2:7\n"]);
  expect([option?.code, option?.stderr]).toEqual([2, expect.stringMatching(/^ {2}error {2}option\.eval\.ts could not be loaded: evaluation\(\) has no member "trails"; did you mean "trials"\?\n {9}at {2}option\.eval\.ts:\d+:\d+\n$/)]);
  expect([late?.code, late?.stderr]).toEqual([2, "  error  late.eval.ts could not be loaded: null\n"]);
  expect([plain?.code, plain?.stderr]).toEqual([2, "  error  plain.eval.cjs could not be loaded: no database\n         at  plain.eval.cjs:2:7\n"]);
});

test("a CommonJS eval file of plain JavaScript runs directly", async () => {
  const text = `const { check, evaluation } = require("entail");\nmodule.exports = evaluation({ suite: { id: "a", description: "", scenarios: [{ id: "first", description: "", tags: [], timeoutMs: 100, run: () => ({ checks: [check("a", true, "")] }) }] } });`;
  const { code, stdout } = await createProject({ "a.eval.cjs": text }).node(["a.eval.cjs"]);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { suite_id: "a", passed: true }]);
});

test("a direct run reads the project's configuration too", async () => {
  const project = createProject({ "entail.config.ts": `export default { envFile: "my.env" };`, "my.env": "SEEN=yes", "evals/a.eval.ts": evalFile("a", `scenario("first", () => ({ checks: [check("env", process.env.SEEN === "yes", "unseen")] }))`) });
  expect((await project.node(["evals/a.eval.ts"])).code).toBe(0);
});
