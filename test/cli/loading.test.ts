// Proves with the real command that eval files and configurations load, in whatever project they stand.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../source.ts";
import { createProject, evalFile, PASSING, type Project } from "./project.ts";

/** The ids of the suites that a run of `--json` reports, with its exit code. */
async function ran(project: Project, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await project.entail(["run", ...args]);
  if (code !== 0) return `${code}: ${stderr.trim()}`;
  const report = JSON.parse(stdout) as { suite_id?: string; reports?: { suite_id: string }[] };
  return (report.reports ?? [report]).map(({ suite_id }) => suite_id).join(" ");
}

const ENUM = evalFile("enums", `scenario("first", () => ({ checks: [check("same entail", Kind.Right === 0 && error instanceof EntailError && EntailError === native.EntailError, "another copy")] }))`, "", `import { EntailError } from "entail"; import * as native from "native";\nenum Kind { Right }\nlet error: unknown;\ntry { check("x", 1 as never, ""); } catch (thrown) { error = thrown; }`);
const ALIAS = evalFile("alias", `scenario("first", () => ({ checks: [check("alias", word === "right", "no alias")] }))`, "", `import { word } from "@/word";`);
const JSX = evalFile("jsx", `scenario("first", () => ({ checks: [check("element", (<b id="x" />).type === "b", "no element")] }))`);
const NO_EXTENSION = evalFile("extension", `scenario("first", () => ({ checks: [check("word", word === "right", "no word")] }))`, "", `import { word } from "./word";`);
const TSCONFIG = `{
  // Comments and trailing commas are legal here.
  "compilerOptions": { "paths": { "@/*": ["./src/*"] }, "jsx": "react-jsx", "jsxImportSource": "tiny", },
}`;
const TINY = { "node_modules/tiny/package.json": `{ "name": "tiny", "type": "module", "exports": { "./jsx-runtime": "./jsx.js" } }`, "node_modules/tiny/jsx.js": "export const jsx = (type, props) => ({ type, props }); export const jsxs = jsx;" };
/** A package that Node itself loads, whatever loads the eval file: its copy of entail is the command's. */
const NATIVE = { "node_modules/native/package.json": `{ "name": "native", "type": "module", "exports": "./index.js" }`, "node_modules/native/index.js": `export { EntailError } from "entail";` };
const REFUSED = { "evals/enum.eval.ts": ENUM, "evals/alias.eval.ts": ALIAS, "evals/jsx.eval.tsx": JSX, "evals/extension.eval.ts": NO_EXTENSION, "evals/word.ts": `export const word = "right";`, "src/word.ts": `export const word = "right";`, "tsconfig.json": TSCONFIG, ...TINY, ...NATIVE };

test("what Node refuses is read by jiti, with one copy of entail: enums, aliases, JSX, missing extensions", async () => {
  expect(await ran(createProject(REFUSED))).toBe("alias enums extension jsx");
});

test("a project that has tsx reads them by tsx, and --loader settles it", async () => {
  const project = createProject(REFUSED, ["tsx"]);
  expect(await ran(project)).toBe("alias enums extension jsx");
  expect(await ran(project, "--loader", "jiti")).toBe("alias enums extension jsx");
  expect(await ran(project, "--loader", "tsx")).toBe("alias enums extension jsx");
  expect(await ran(project, "--loader", "node", "evals/enum.eval.ts")).toMatch(/^2: error {2}evals\/enum\.eval\.ts could not be loaded: TypeScript enum is not supported in strip-only mode\n\s+at {2}evals\/enum\.eval\.ts:3/);
});

test("a CommonJS project and one that does not say load without a warning of Node's", async () => {
  for (const manifest of [`{ "type": "commonjs" }`, "{}"]) {
    const project = createProject({ "package.json": manifest, "evals/plain.eval.ts": PASSING("plain"), "evals/enum.eval.ts": ENUM, ...NATIVE });
    const { code, stderr } = await project.entail(["run"]);
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/warning|MODULE_TYPELESS|ExperimentalWarning|Failed to load/i);
  }
});

test("--loader tsx without tsx says what to install", async () => {
  const { code, stderr } = await createProject({ "a.eval.ts": PASSING("a") }).entail(["run", "--loader", "tsx"]);
  expect([code, stderr]).toEqual([2, "  error  --loader tsx: the project has no tsx; npm install --save-dev tsx brings it\n"]);
});

test("a file whose code ran and threw is not tried a second time", async () => {
  const files = {
    "json.eval.ts": `console.error("ran json"); export default JSON.parse("{");`,
    "lazy.eval.ts": `console.error("ran lazy"); export default (await import("./missing.ts")).default;`,
    "boom.eval.ts": `console.error("ran boom"); throw new SyntaxError("boom");`,
  };
  const { code, stderr } = await createProject(files).entail(["run"]);
  expect(code).toBe(2);
  for (const name of ["json", "lazy", "boom"]) expect(stderr.split(`ran ${name}`)).toHaveLength(2);
});

test("a name that a module does not export is a mistake, not undefined", async () => {
  const project = createProject({ "a.eval.ts": evalFile("a", `scenario("first", pass)`, "", `import { nope } from "./b.ts";\nconsole.error(nope);`), "b.ts": "export const yes = 1;" });
  expect(await ran(project)).toContain(`a.eval.ts could not be loaded: The requested module './b.ts' does not provide an export named 'nope' (a type is imported with import type)`);
});

test("a file that waits for ever at its top level is told, and the next one runs", async () => {
  const { code, stderr, stdout } = await createProject({ "a.eval.ts": "await new Promise(() => {});\nexport default 1;", "b.eval.ts": PASSING("b") }).entail(["run"]);
  expect(code).toBe(2);
  expect(stderr).toContain("a.eval.ts could not be loaded: it waits at its top level for something that never comes");
  expect(JSON.parse(stdout)).toMatchObject({ passed: false, errors: [{ code: "eval_file_broken", file: "a.eval.ts" }], reports: [{ suite_id: "b", passed: true }] });
});

test("case 222: a configuration and an eval file load from folders with blanks, #, %, ? and letters of any script", async () => {
  for (const folder of ["Jürgen M/proj #1 100%", "a#b?c%20", "日本 語", "[x] (y)", "it's"]) {
    const project = createProject({ [`${folder}/entail.config.ts`]: `export default { evals: "cases" };`, [`${folder}/cases/a.eval.ts`]: PASSING("a") });
    for (const loader of ["node", "jiti"]) {
      const { code, stderr, stdout } = await project.entail(["run", "--loader", loader], { cwd: folder });
      expect([folder, loader, code, stderr.includes("error")]).toEqual([folder, loader, 0, false]);
      expect(JSON.parse(stdout)).toMatchObject({ suite_id: "a", passed: true });
    }
  }
});

const CONFIG = `{ maxConcurrency: 3, evals: "cases" }`;
const FORMS: Record<string, [file: string, text: string, manifest: string]> = {
  "mjs with export default": ["entail.config.mjs", `export default ${CONFIG};`, "{}"],
  "cjs with module.exports": ["entail.config.cjs", `module.exports = ${CONFIG};`, `{ "type": "module" }`],
  "js with module.exports in a package without type": ["entail.config.js", `module.exports = ${CONFIG};`, "{}"],
  "js with export default in a module package": ["entail.config.js", `export default ${CONFIG};`, `{ "type": "module" }`],
  "an asynchronous function": ["entail.config.ts", `export default async () => (${CONFIG});`, `{ "type": "module" }`],
  "transpiled to CommonJS": ["entail.config.cjs", `exports.default = ${CONFIG}; exports.__esModule = true;`, "{}"],
  "TypeScript in a CommonJS package": ["entail.config.ts", `import { defineConfig } from "entail";\nenum Few { Three = 3 }\nexport default defineConfig({ maxConcurrency: Few.Three, evals: "cases" });`, `{ "type": "commonjs" }`],
};

test.each(Object.entries(FORMS))("case 224: a configuration is read as %s", async (_, [file, text, manifest]) => {
  expect(await ran(createProject({ "package.json": manifest, [file]: text, "cases/a.eval.ts": PASSING("a"), "other/b.eval.ts": PASSING("b") }))).toBe("a");
});

test("case 224: a configuration without a default export, or with a wrong member, is told with its file and the shape it needs", async () => {
  const told = async (text: string): Promise<string> => {
    const { code, stderr } = await createProject({ "entail.config.ts": text, "a.eval.ts": PASSING("a") }).entail(["run"]);
    return `${code} ${stderr.trim()}`;
  };
  expect(await told("export default Promise.resolve({ maxConcurrency: 0 });")).toBe("2 error  entail.config.ts: maxConcurrency must be a whole number of 1 or more");
  expect(await told("export default new Map([['maxConcurrency', 1]]);")).toMatch(/^2 error  entail.config.ts exports no plain object by default/);
  expect(await told("export const config = {};")).toBe("2 error  entail.config.ts exports nothing by default; it needs export default defineConfig({ … }), or a function that returns such an object");
  expect(await told(`export default { maxConcurency: 3 };`)).toBe(`2 error  entail.config.ts has an unknown member "maxConcurency"; did you mean "maxConcurrency"?`);
  expect(await told(`export default { maxConcurrency: "3" };`)).toBe("2 error  entail.config.ts: maxConcurrency must be a whole number of 1 or more");
  expect(await told(`throw new Error("no such file")`)).toContain("2 error  entail.config.ts cannot be loaded: no such file\n         at  entail.config.ts:1:7");
});

test("case 226: paths in a configuration are relative to it, those of the command line to the working folder", async () => {
  const project = createProject({
    "packages/app/entail.config.ts": `export default { evals: "./cases", envFile: "./app.env" };`,
    "packages/app/app.env": "WHERE=app",
    "packages/app/cases/a.eval.ts": evalFile("app", `scenario("first", () => ({ checks: [check("env", process.env.WHERE === "app", String(process.env.WHERE))] }))`),
    "cases/b.eval.ts": PASSING("repo"),
    "app.env": "WHERE=repo",
  });
  expect(await ran(project, "--config", "packages/app/entail.config.ts")).toBe("app");
  expect(await ran(project, "--config", "packages/app/entail.config.ts", "packages/app/cases/a.eval.ts")).toBe("app");
  expect(await ran(project, "cases")).toBe("repo");
  const below = await project.entail(["run", "cases"], { cwd: "packages/app" });
  expect(JSON.parse(below.stdout)).toMatchObject({ suite_id: "app" });
});

test("kind path-config: a configuration is found upwards, not past the repository's root, and never twice in one folder", async () => {
  const project = createProject({ "entail.config.ts": `export default { evals: ["one.eval.ts"] };`, "one.eval.ts": PASSING("one"), "inner/.git/HEAD": "", "inner/two.eval.ts": PASSING("two"), "deep/er/three.eval.ts": PASSING("three") });
  const from = async (cwd: string): Promise<unknown> => (JSON.parse((await project.entail(["run"], { cwd })).stdout) as { suite_id: string }).suite_id;
  expect([await from("deep/er"), await from("inner")]).toEqual(["one", "two"]);
  project.write({ "entail.config.mjs": "export default {};" });
  expect(await ran(project)).toBe("2: error  entail.config.ts and entail.config.mjs stand side by side: keep one, or name one with --config");
});

const READS_ENV = (names: string): string => evalFile("env", `scenario("first", () => ({ checks: [check("seen", JSON.stringify(seen) === JSON.stringify(wanted), JSON.stringify(seen))] }))`, "", `const seen = [${names}]; const wanted = JSON.parse(process.env.WANTED);`);

test("case 227: the env file is read before the configuration and the eval files look at the environment", async () => {
  const project = createProject({
    ".env.eval": `JUDGE_KEY=from-file\nQUOTED="a b"\nMULTI="x\\ny"\n#c\nEMPTY=\nexport E=1\n__proto__=p\nconstructor=c\nhasOwnProperty=h\n`,
    "entail.config.ts": `if (process.env.JUDGE_KEY !== "from-file") throw new Error("the configuration saw " + process.env.JUDGE_KEY);\nexport default {};`,
    "a.eval.ts": READS_ENV("process.env.JUDGE_KEY, process.env.QUOTED, process.env.MULTI, process.env.EMPTY, process.env.E, typeof {}.toString"),
  });
  const { code, stderr } = await project.entail(["run", "--env-file", ".env.eval"], { env: { WANTED: JSON.stringify(["from-file", "a b", "x\ny", "", "1", "function"]) } });
  expect([code, stderr.includes("error")]).toEqual([0, false]);
});

test("kind env-precedence: a variable that is set beats the file, the flag's file replaces the configuration's, a named file must be there", async () => {
  const project = createProject({
    "flag.env": "A=flag\nB=flag\n",
    "config.env": "A=config\nC=config\n",
    "entail.config.ts": `export default { envFile: "config.env" };`,
    "a.eval.ts": READS_ENV("process.env.A ?? null, process.env.B ?? null, process.env.C ?? null"),
  });
  const code = async (wanted: (string | null)[], args: string[], env: Record<string, string> = {}): Promise<number | null> => (await project.entail(["run", ...args], { env: { ...env, WANTED: JSON.stringify(wanted) } })).code;
  expect(await code(["config", null, "config"], [])).toBe(0);
  expect(await code(["flag", "flag", null], ["--env-file", "flag.env"])).toBe(0);
  expect(await code(["set", "flag", null], ["--env-file", "flag.env"], { A: "set" })).toBe(0);
  expect(await code(["", "flag", null], ["--env-file", "flag.env"], { A: "" })).toBe(0);
  writeFileSync(join(project.path, "wide.env"), Buffer.from("\uFEFFA=wide\r\nB=flag\r\n", "utf16le"));
  expect(await code(["wide", "flag", null], ["--env-file", "wide.env"])).toBe(0);
  writeFileSync(join(project.path, "latin.env"), Buffer.from("A=caf\u00e9\n", "latin1"));
  const broken = await project.entail(["run", "--env-file", "latin.env"]);
  expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining("the env file latin.env is no UTF-8; save it as UTF-8")]);
  const missing = await project.entail(["run", "--env-file", "none.env"]);
  expect([missing.code, missing.stderr]).toEqual([2, "  error  the env file none.env is not there\n"]);
  // Without a `--` before the script Node looks for this flag itself, and says so in its own words.
  const byNode = await project.node([join(root, "src/cli/main.ts"), "run", "--env-file", "none.env"]);
  expect([byNode.code === 0, byNode.stderr.includes("none.env: not found")]).toEqual([false, true]);
});

test("a configuration's judge, reporters and places count where the eval file says nothing", async () => {
  const config = `import { defineConfig } from "entail";
export default defineConfig({
  maxConcurrency: 1,
  reporters: ["none", { name: "mine", scenarioFinished: (report) => console.error("TOLD " + report.id) }],
  judge: { async judge({ claims }) { return claims.map(({ id }) => ({ claimId: id, label: id.startsWith("calibration_") ? id.slice(12) as never : "entailed" as const, rationale: "so it is" })); } },
});`;
  const text = evalFile("a", `...["one", "two"].map((id) => scenario(id, async () => { globalThis.at = (globalThis.at ?? 0) + 1; await sleep(20); const most = globalThis.at; globalThis.at -= 1; return { output: "It rains.", claims: [{ id: "rain", text: "It rains." }], checks: [check("alone", most === 1, String(most))] }; }))`);
  const { code, stderr } = await createProject({ "entail.config.ts": config, "a.eval.ts": text }).entail(["run"]);
  expect([code, stderr]).toEqual([0, "TOLD one\nTOLD two\n"]);
});

test("the configuration's secrets are masked beside those whose names tell", async () => {
  const project = createProject({ "entail.config.ts": `export default { secrets: ["HOME_TOWN"] };`, "a.eval.ts": evalFile("a", `scenario("first", () => ({ checks: [check("town", false, "sent " + process.env.HOME_TOWN)] }))`) });
  const { stdout, stderr } = await project.entail(["run"], { env: { HOME_TOWN: "Brooklyn" } });
  expect([stdout.includes("Brooklyn"), stderr.includes("Brooklyn"), stdout.includes("sent ‹masked›")]).toEqual([false, false, true]);
});
