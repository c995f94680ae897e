// Proves with the real command that a project begins with files that run as they are, and that nothing that was there is touched.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProject, PASSING } from "./project.ts";

test("init in an empty folder writes an eval file that passes, a configuration and a script", async () => {
  const project = createProject({});
  const made = await project.entail(["init", "fresh"]);
  expect([made.code, made.stdout]).toEqual([0, ""]);
  expect(made.stderr).toBe("  wrote fresh/entail.config.ts\n  wrote fresh/evals/greeting.eval.ts: call your agent in it\n  wrote fresh/package.json\n  next: cd fresh, npx entail run\n");
  expect(JSON.parse(project.read("fresh/package.json"))).toEqual({ private: true, type: "module", scripts: { eval: "entail run" } });
  const ran = await project.entail(["run"], { cwd: "fresh" });
  expect([ran.code, ran.stderr.includes("○ passed  All 2 scenarios passed.")]).toEqual([0, true]);
});

test("a second init, or one in a project that has its own files, changes nothing of them", async () => {
  const manifest = '{\n\t"name": "mine",\n\t"type": "module",\n\t"scripts": { "test": "vitest" }\n}';
  const project = createProject({ "package.json": manifest, "entail.config.mjs": "export default {};", "src/chat.eval.ts": PASSING("chat") });
  const first = await project.entail(["init"]);
  expect([first.code, first.stderr]).toEqual([0, "  entail.config.mjs is there and stays as it is\n  src/chat.eval.ts is there, so no eval file is written\n  added the script eval to package.json\n  next: npx entail run\n"]);
  const after = '{\n\t"name": "mine",\n\t"type": "module",\n\t"scripts": {\n\t\t"test": "vitest",\n\t\t"eval": "entail run"\n\t}\n}';
  expect([project.read("package.json"), project.read("entail.config.mjs"), existsSync(join(project.path, "evals"))]).toEqual([after, "export default {};", false]);
  const second = await project.entail(["init"]);
  expect([second.code, second.stderr.includes("has a script eval, which stays as it is"), project.read("package.json")]).toEqual([0, true, after]);
});

test("a manifest that cannot be read is named, and nothing is written", async () => {
  const project = createProject({ "package.json": "{ not json" });
  const { code, stderr } = await project.entail(["init"]);
  expect([code, stderr.split("\n").length]).toEqual([2, 2]);
  expect(stderr).toMatch(/^ {2}error {2}package\.json cannot be read: /);
  expect(readdirSync(project.path)).toEqual([".git", "node_modules", "package.json"]);
});
