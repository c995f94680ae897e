// Proves with the real command that generated files are written exactly when they must be, and that stale ones stop a run.
import { existsSync, readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProject, type Project } from "./project.ts";

const PACKAGES = ["zod"];
const TOOLS = {
  a: `list_alarms: tool({ description: "Lists alarms.", args: z.object({ window: z.string() }) })`,
  b: `delete_alarm: tool({ description: "Deletes an alarm.", args: z.object({ id: z.string() }) })`,
};

function design(tools: string, scenarios = `greeting: { description: "Greets.", input: z.object({ name: z.string() }) }`, suites = ""): string {
  return `import { agent, design, suite, tool, toolset } from "entail/design";
import { z } from "zod";
export const alarms = toolset("alarms", { ${tools} });
export const chatSuite = suite("chat", { description: "Chats.", timeout: "2m", scenarios: { ${scenarios} } });
export const chat = agent("chat", { description: "Answers.", toolsets: [alarms], suites: [chatSuite] });
export default design({ agents: [chat], suites: [${suites}] });
`;
}

const MAIL = `suite("mail", { description: "Mails.", timeout: "1m", scenarios: { send: { description: "Sends." } } })`;
const FILES = ["gen/evals/chat/contract.ts", "gen/evals/chat/suite.ts", "gen/toolsets/alarms.ts"];

const withDesign = (text: string, more: Record<string, string> = {}): Project => createProject({ "design/chat.ts": text, ...more }, PACKAGES);
const generated = (project: Project): string[] => (existsSync(join(project.path, "gen")) ? (readdirSync(join(project.path, "gen"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(project.path.length + 1)).sort()) : []);
const texts = (project: Project): string[] => generated(project).map((file) => project.read(file));

test("case 261: the same design gives the same bytes and touches no file, whatever the order of its tools", async () => {
  const project = withDesign(design(`${TOOLS.a}, ${TOOLS.b}`));
  const first = await project.entail(["gen"]);
  expect([first.code, generated(project)]).toEqual([0, FILES]);
  const before = texts(project);
  for (const file of FILES) utimesSync(join(project.path, file), 1_000, 1_000);
  project.write({ "design/chat.ts": design(`${TOOLS.b}, ${TOOLS.a}`) });
  const second = await project.entail(["gen"]);
  expect([second.code, second.stderr, texts(project)]).toEqual([0, "  3 files unchanged\n", before]);
  expect(FILES.map((file) => statSync(join(project.path, file)).mtimeMs)).toEqual([1_000_000, 1_000_000, 1_000_000]);
});

test("case 261: a check-out with CRLF is not stale and is not rewritten", async () => {
  const project = withDesign(design(TOOLS.a));
  await project.entail(["gen"]);
  for (const file of FILES) project.write({ [file]: project.read(file).replaceAll("\n", "\r\n") });
  const checked = await project.entail(["gen", "--check"]);
  expect([checked.code, checked.stderr]).toEqual([0, "  3 generated files up to date\n"]);
  await project.entail(["gen"]);
  expect(project.read("gen/evals/chat/suite.ts")).toContain("\r\n");
});

test("case 261: files of a suite that is gone are removed, a file that a person wrote stays", async () => {
  const project = withDesign(design(TOOLS.a, undefined, MAIL));
  await project.entail(["gen"]);
  project.write({ "gen/evals/mail/note.ts": "// mine\n", "gen/evals/chat/README.md": "mine\n", "design/chat.ts": design(TOOLS.a) });
  const checked = await project.entail(["gen", "--check"]);
  expect([checked.code, checked.stderr]).toEqual([1, "  gen/evals/mail/suite.ts belongs to no design any more\n  1 of 4 generated files is stale: npx entail gen writes what the design says\n"]);
  const ran = await project.entail(["gen"]);
  expect([ran.code, ran.stderr]).toEqual([0, "  removed gen/evals/mail/suite.ts\n  3 files unchanged\n"]);
  expect(generated(project)).toEqual(["gen/evals/chat/README.md", ...FILES.slice(0, 2), "gen/evals/mail/note.ts", FILES[2]]);
});

test("case 261: an invalid schema writes nothing, ends with 2 and names the tool, together with every other fault", async () => {
  const project = withDesign(design(TOOLS.a));
  await project.entail(["gen"]);
  const before = texts(project);
  const broken = `list_alarms: tool({ description: "Changed.", args: z.object({ window: z.number() }) }), delete_alarm: tool({ description: "Deletes.", args: z.object({ id: z.string().transform(Number) }) })`;
  project.write({ "design/chat.ts": design(broken, `Greeting: { description: "" }`) });
  const { code, stderr } = await project.entail(["gen"]);
  expect([code, texts(project)]).toEqual([2, before]);
  expect(stderr).toContain("delete_alarm");
  expect(stderr).toContain("Greeting");
  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+\)/m);
});

test("case 261: --check ends with 1 where the output is stale or missing, and writes nothing", async () => {
  const project = withDesign(design(TOOLS.a));
  const missing = await project.entail(["gen", "--check"]);
  expect([missing.code, generated(project)]).toEqual([1, []]);
  await project.entail(["gen"]);
  expect((await project.entail(["gen", "--check"])).code).toBe(0);
  project.write({ "design/chat.ts": design(`${TOOLS.a}, ${TOOLS.b}`) });
  const before = texts(project);
  const stale = await project.entail(["gen", "--check"]);
  expect([stale.code, texts(project)]).toEqual([1, before]);
  expect(stale.stderr).toContain("gen/toolsets/alarms.ts does not come from the design");
});

test("kind codegen-output: files that are named generate theirs alone and remove nothing of the others", async () => {
  const project = withDesign(design(TOOLS.a), { "design/mail.ts": `import { design, suite } from "entail/design";\nexport default design({ suites: [${MAIL}] });\n`, "design/words.ts": "export const words = 1;\n" });
  expect((await project.entail(["gen"])).code).toBe(0);
  expect(generated(project)).toEqual([...FILES.slice(0, 2), "gen/evals/mail/suite.ts", FILES[2]]);
  expect((await project.entail(["gen", "design/mail.ts"])).stderr).toBe("  1 file unchanged\n");
  expect(generated(project)).toHaveLength(4);
  const none = await project.entail(["gen", "design/words.ts"]);
  expect([none.code, none.stderr]).toEqual([2, "  error  design/words.ts has no design as its default export; it needs export default design({ … })\n"]);
});

test("kind codegen-output: two designs that say different things of one suite are refused, both named", async () => {
  const project = withDesign(design(TOOLS.a), { "design/again.ts": `import { design, suite } from "entail/design";\nexport default design({ suites: [suite("chat", { description: "Other.", timeout: "1m", scenarios: { send: { description: "Sends." } } })] });\n` });
  const { code, stderr } = await project.entail(["gen"]);
  expect([code, generated(project)]).toEqual([2, []]);
  expect(stderr).toContain(`design/again.ts and design/chat.ts both declare "chat"`);
});

test("kind codegen-output: a design that throws, or is not there, ends with 2 and one sentence", async () => {
  const none = await createProject({}).entail(["gen"]);
  expect([none.code, none.stderr]).toEqual([2, "  error  there is no design: name its file, or give it a place in design/, with export default design({ … })\n"]);
  const thrown = await withDesign(`throw new Error("no schema");`).entail(["gen"]);
  expect([thrown.code, thrown.stderr]).toEqual([2, "  error  design/chat.ts could not be loaded: no schema\n         at  design/chat.ts:1:7\n"]);
  const missing = await createProject({}).entail(["gen", "desing/chat.ts"]);
  expect([missing.code, missing.stderr]).toEqual([2, '  error  there is no design file "desing/chat.ts"\n']);
});

test("a project whose compiler refuses imports that end in .ts gets the line to add", async () => {
  const project = withDesign(design(TOOLS.a), { "tsconfig.json": `{ "extends": "./base.json" }`, "base.json": `{ "compilerOptions": { "strict": true } }` });
  expect((await project.entail(["gen"])).stderr).toContain(`warning  tsconfig.json refuses imports that end in .ts, which eval files need: add "rewriteRelativeImportExtensions": true to its compilerOptions, or "allowImportingTsExtensions": true where "noEmit" is set`);
  project.write({ "base.json": `{ "compilerOptions": { "allowImportingTsExtensions": true, /* with */ "noEmit": true, } }` });
  expect((await project.entail(["gen"])).stderr).not.toContain("warning");
});

test("example writes an eval file once; it runs as it is, to a list of its open TODOs and exit 2", async () => {
  const project = withDesign(design(TOOLS.a));
  await project.entail(["gen"]);
  const first = await project.entail(["example"]);
  expect([first.code, first.stderr]).toEqual([0, "  wrote evals/chat.eval.ts: fill in its TODOs, then npx entail run evals/chat.eval.ts\n"]);
  const ran = await project.entail(["run"]);
  expect([ran.code, ran.stdout]).toEqual([2, ""]);
  expect(ran.stderr).toContain("error  evals/chat.eval.ts: 3 TODOs are still open:");
  for (const place of ["hooks.greeting", "inputs.greeting", "judge"]) expect(ran.stderr).toContain(place);
  project.write({ "evals/chat.eval.ts": "// mine\n" });
  const second = await project.entail(["example"]);
  expect([second.code, second.stderr, project.read("evals/chat.eval.ts")]).toEqual([0, "  evals/chat.eval.ts is there and stays as it is\n", "// mine\n"]);
});

const EVAL = `import { check, evaluation } from "entail";
import { newSuite } from "../gen/evals/chat/suite.ts";
export default evaluation({ suite: newSuite({ greeting: (ctx, input) => ({ checks: [check("named", input.name === "Ada", String(input.name))] }) }, { greeting: { name: "Ada" } }) });
`;

test("a run whose generated code does not come from the design ends with 2, names the file and the mend; gen mends it", async () => {
  const project = withDesign(design(TOOLS.a), { "evals/chat.eval.ts": EVAL });
  await project.entail(["gen"]);
  expect((await project.entail(["run"])).code).toBe(0);
  // A tool that is renamed, and a field that is added: both change what the suite is made of.
  for (const text of [design(TOOLS.a.replace("list_alarms", "find_alarms")), design(TOOLS.a, `greeting: { description: "Greets.", input: z.object({ name: z.string(), age: z.number().optional() }) }`)]) {
    project.write({ "design/chat.ts": text });
    const stale = await project.entail(["run", "--json"]);
    expect([stale.code, stale.stderr]).toEqual([2, "  error  gen/evals/chat/suite.ts does not come from the design beside it: npx entail gen writes it anew\n"]);
    expect(JSON.parse(stale.stdout)).toEqual({ error: { code: "design_stale", message: "gen/evals/chat/suite.ts does not come from the design beside it: npx entail gen writes it anew", file: "gen/evals/chat/suite.ts" } });
    const direct = await project.node(["evals/chat.eval.ts"]);
    expect([direct.code, direct.stderr]).toEqual([2, stale.stderr]);
    await project.entail(["gen"]);
    expect((await project.entail(["run"])).code).toBe(0);
  }
});

test("a generated suite that no design holds is said once and runs", async () => {
  const project = withDesign(design(TOOLS.a), { "evals/chat.eval.ts": EVAL });
  await project.entail(["gen"]);
  project.write({ "design/chat.ts": `import { design } from "entail/design";\nexport default design({ suites: [${MAIL.replace("suite(", `(await import("entail/design")).suite(`)}] });\n` });
  const { code, stderr } = await project.entail(["run"]);
  expect([code, stderr.match(/no design holds the generated suite chat/g)?.length]).toEqual([0, 1]);
});

test("a design that is invalid stops a run of its generated suites", async () => {
  const project = withDesign(design(TOOLS.a), { "evals/chat.eval.ts": EVAL });
  await project.entail(["gen"]);
  project.write({ "design/chat.ts": design(TOOLS.a, `Greeting: { description: "Greets." }`) });
  const { code, stderr } = await project.entail(["run"]);
  expect(code).toBe(2);
  expect(stderr).toContain("Greeting");
});

test("a file that gen or example cannot write is named, and the exit code is 2", async () => {
  const project = withDesign(design(TOOLS.a), { "gen/evals/chat": "a file where a folder must be", evals: "a file where a folder must be" });
  const gen = await project.entail(["gen"]);
  expect([gen.code, gen.stderr]).toEqual([2, expect.stringMatching(/^ {2}error {2}gen\/evals\/chat\/contract\.ts cannot be written: E[A-Z]+: [^\n]+\n$/)]);
  const example = await project.entail(["example"]);
  expect([example.code, example.stderr]).toEqual([2, expect.stringMatching(/^ {2}error {2}evals\/chat\.eval\.ts cannot be written: E[A-Z]+: [^\n]+\n$/)]);
});
