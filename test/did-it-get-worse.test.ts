// Runs every command of docs/guide/did-it-get-worse.md with the real binary in a project made of the page's own files, and compiles those under the strictest flags.
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { compareReports, comparisonToWire } from "entail/report";
import { createProject } from "./cli/project.ts";
import { read, root } from "./source.ts";
import { compileProject } from "./strict-compile.ts";

const fences = [...read("docs/guide/did-it-get-worse.md").matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({ kind: match[1] ?? "", text: match[2] ?? "" }));
const files = Object.fromEntries(fences.filter(({ kind }) => kind === "ts").map(({ text }) => [/^\/\/ (\S+)\n/.exec(text)?.[1] ?? "unnamed", text]));
const commands = fences.filter(({ kind }) => kind === "sh").flatMap(({ text }) => text.trim().split("\n"));

/** `PROMPT=v14 npx entail run --baseline   # exit 1` */
function commandOf(line: string): { readonly env: Readonly<Record<string, string>>; readonly args: readonly string[]; readonly exit: number } {
  const parts = /^((?:[A-Z]+=\S+ )*)npx entail (.*?) +# exit (\d)$/.exec(line);
  if (parts === null) throw new Error(`no command that can be run: ${line}`);
  const env = Object.fromEntries((parts[1] ?? "").trim().split(" ").filter((text) => text !== "").map((pair) => pair.split("=") as [string, string]));
  return { env, args: [...(parts[2] ?? "").matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? ""), exit: Number(parts[3]) };
}

test("every command of the page ends as the page says, in the order of the page", async () => {
  // Only the first eval file is there from the start; the others come with their sections.
  const { "agent.ts": agent = "", "evals/questions.eval.ts": questions = "", ...others } = files;
  const project = createProject({ "agent.ts": agent, "evals/questions.eval.ts": questions });
  const ended: string[] = [];
  let told = "";
  for (const line of commands) {
    const { env, args } = commandOf(line);
    const named = args.find((word) => Object.hasOwn(others, word));
    if (named !== undefined) project.write({ [named]: others[named] ?? "" });
    const { code, stderr } = await project.entail(args, { env });
    ended.push(line.replace(/# exit \d$/, `# exit ${code}`));
    told += stderr;
  }
  expect(ended).toEqual(commands);
  expect(told).toContain("the trials of one scenario ended before all had run, by the rule sprt");
  expect(commands.length).toBeGreaterThan(10);
});

test("the files of the page compile under the strictest flags", () => {
  const folder = mkdtempSync(join(root, "test/fixture/guide-"));
  try {
    const { compilerOptions } = JSON.parse(read("tsconfig.json")) as { readonly compilerOptions: object };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...compilerOptions, noUnusedLocals: true, noEmit: true }, include: ["**/*.ts"] }));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    expect(compileProject(join(folder, "tsconfig.json")).map((line) => line.replaceAll(folder, ""))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("docs/reference/comparison.md names every member of a comparison, and no other", () => {
  const comparison = comparisonToWire(compareReports([], [])) as object;
  const named = [...read("docs/reference/comparison.md").split("## The rule")[0]?.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm) ?? []].flatMap((match) => [...(match[1] ?? "").matchAll(/\w+/g)].map(([name]) => name));
  expect(named.toSorted()).toEqual(Object.keys(comparison).toSorted());
});

test("the workflow of the page is YAML whose gate is a command of the page", () => {
  const { jobs } = parse(fences.find(({ kind }) => kind === "yaml")?.text ?? "") as { readonly jobs: { readonly evals: { readonly steps: readonly { readonly run?: string }[] } } };
  const gate = jobs.evals.steps.at(-1)?.run ?? "";
  expect(commands.some((line) => line.includes(gate))).toBe(true);
});
