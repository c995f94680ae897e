// Holds the package as a stranger installs it: small, without install scripts or native addons, every door opening, the command working.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { read, root } from "./source.ts";

const folder = mkdtempSync(join(tmpdir(), "entail-package-"));
const project = join(folder, "project");
/** npm, not told of the npm that may have started this test. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) && name !== "NODE_OPTIONS"));
const exec = (command: string, ...args: readonly string[]): string => execFileSync(command, args, { cwd: project, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const node = (...args: readonly string[]): string => exec(process.execPath, ...args);

function installed(): { readonly path: string; readonly bytes: number }[] {
  const modules = join(project, "node_modules");
  return readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: path.slice(modules.length + 1), bytes: statSync(path).size }));
}

beforeAll(() => {
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: root, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const tarball = /"filename":\s*"([^"]+\.tgz)"/.exec(packed)?.[1] ?? "";
  exec("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", join(folder, tarball));
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a production install is at most 15 MB", () => {
  expect(installed().reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(15_000_000);
});

test("no package of the production tree has an install script or a native addon", () => {
  const manifests = installed().filter(({ path }) => /^(@[^/]+\/)?[^/]+\/package\.json$/.test(path));
  const scripts = manifests.filter(({ path }) => {
    const { scripts = {} } = JSON.parse(readFileSync(join(project, "node_modules", path), "utf8")) as { scripts?: Record<string, string> };
    return ["preinstall", "install", "postinstall"].some((name) => Object.hasOwn(scripts, name));
  });
  expect({ scripts, addons: installed().filter(({ path }) => /\.(node|gyp)$/.test(path)) }).toEqual({ scripts: [], addons: [] });
});

test("the package brings what it is made of and nothing of how it is made", () => {
  const own = installed().filter(({ path }) => path.startsWith("entail/"));
  expect(own.filter(({ path }) => !/^entail\/(dist\/.*\.(js|d\.ts)|dist\/licences\.txt|dist\/viewer\/app\/[\w./-]+|package\.json|README\.md|LICENSE|report\.schema\.json)$/.test(path))).toEqual([]);
});

test("every door opens in an empty project", () => {
  const doors = Object.entries((JSON.parse(read("package.json")) as { exports: Record<string, unknown> }).exports)
    .filter(([, target]) => typeof target !== "string")
    .map(([door]) => door.replace(/^\./, "entail"));
  const script = `const names = {}; for (const door of ${JSON.stringify(doors)}) names[door] = Object.keys(await import(door)).length; console.log(JSON.stringify(names));`;
  const names = JSON.parse(node("--input-type=module", "-e", script)) as Record<string, number>;
  expect(Object.keys(names)).toEqual(doors);
  expect(Object.entries(names).filter(([, count]) => count === 0)).toEqual([]);
});

test("the command generates, scaffolds and runs in an empty project", () => {
  mkdirSync(join(project, "design"));
  writeFileSync(
    join(project, "design", "tea.js"),
    `import { design, suite, toolset, tool, agent } from "entail/design";
const text = { "~standard": { version: 1, vendor: "hand", validate: (value) => ({ value }), jsonSchema: { input: () => ({ type: "object", properties: { leaf: { type: "string" } }, required: ["leaf"] }), output: () => ({ type: "object", properties: { leaf: { type: "string" } }, required: ["leaf"] }) } } };
const pots = toolset("pots", { boil: tool({ description: "Boils.", args: text }) });
export default design({ agents: [agent("tea", { description: "Makes tea.", toolsets: [pots], suites: [suite("tea", { description: "Tea.", timeout: "5s", scenarios: { brew: { description: "Brews.", input: text } } })] })] });
`,
  );
  const entail = join(project, "node_modules", "entail", "dist", "cli", "main.js");
  node(entail, "gen");
  node(entail, "gen", "--check");
  writeFileSync(
    join(project, "tea.eval.ts"),
    `import { check, evaluation } from "entail";
import { newSuite } from "./gen/evals/tea/suite.ts";
const suite = newSuite({ brew: (_ctx, input) => ({ checks: [check("leaf", input.leaf === "assam", input.leaf)] }) }, { brew: { leaf: "assam" } });
export default evaluation({ suite, maxConcurrency: 1 });
`,
  );
  const report = JSON.parse(node(entail, "run", "--json")) as { passed: boolean; suite_id: string };
  expect(report).toMatchObject({ suite_id: "tea", passed: true });
  expect(JSON.parse(node(join(project, "tea.eval.ts")))).toMatchObject({ passed: true });
});

test("the command begins a project, whose first eval file passes as it is and twice over leaves everything alone", () => {
  const entail = join(project, "node_modules", "entail", "dist", "cli", "main.js");
  node(entail, "init", "fresh");
  const files = (): string[] => ["entail.config.ts", "evals/greeting.eval.ts", "package.json"].map((file) => readFileSync(join(project, "fresh", file), "utf8"));
  const before = files();
  node(entail, "init", "fresh");
  expect(files()).toEqual(before);
  const run = execFileSync(process.execPath, [entail, "run", "--json"], { cwd: join(project, "fresh"), env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  expect(JSON.parse(run)).toMatchObject({ suite_id: "greeting", passed: true, totals: { passed: 2 } });
});

test("its types hold in a strict project that skips no declaration", () => {
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { module: "nodenext", target: "es2024", strict: true, noEmit: true, skipLibCheck: false, allowImportingTsExtensions: true, exactOptionalPropertyTypes: true, types: [], lib: ["es2024", "dom"] }, include: ["*.ts", "gen", "fresh"] }),
  );
  expect(node(join(root, "node_modules/typescript/bin/tsc"), "-p", project)).toBe("");
});
