// Holds that a design cannot drift: after `gen`, the compiler stops at every line that a change of the design touches.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileProject } from "./strict-compile.ts";

const fixture = join(import.meta.dirname, "fixture");
const example = join(import.meta.dirname, "../examples/alarms");
const command = join(import.meta.dirname, "../src/cli/main.ts");

const ready = 'inventory_ready: { description: "The inventory holds what the scenarios count on.", tags: ["smoke"] },';

/** What each copy of the example says in its design instead of what stands there. */
const changes = {
  nothing: ["Gives one alarm", "Gives one alarm"],
  tool: ["get_alarm: tool", "read_alarm: tool"],
  argument: ["args: z.object({ window: z.string(), severity:", "args: z.object({ window: z.string(), level:"],
  field: ["prompt: z.string()", "question: z.string()"],
  added: [ready, `${ready} farewell: { description: "Ends." },`],
  removed: [ready, ""],
  taking: [ready, ready.replace("tags:", "input: z.string(), tags:")],
} as const;

interface Stop {
  /** The line of the eval file, as it stands there. */
  readonly line: string;
  readonly said: string;
}

const folder = mkdtempSync(join(fixture, "drift-"));
let complaints: readonly string[] = [];

beforeAll(() => {
  for (const [copy, [from, to]] of Object.entries(changes)) {
    cpSync(example, join(folder, copy), { recursive: true });
    const design = join(folder, copy, "design/alarms.ts");
    const text = readFileSync(design, "utf8");
    if (text.split(from).length !== 2) throw new Error(`the design does not say ${JSON.stringify(from)} once`);
    writeFileSync(design, text.replace(from, to));
    const { status, stderr } = spawnSync(process.execPath, ["--conditions=entail-source", command, "gen"], { cwd: join(folder, copy), encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
  }
  const { compilerOptions } = JSON.parse(readFileSync(join(fixture, "codegen/tsconfig.json"), "utf8")) as { readonly compilerOptions: object };
  const options = { ...compilerOptions, isolatedDeclarations: false, declaration: false, skipLibCheck: true };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*/gen/**/*.ts", "*/evals/*.ts"] }));
  complaints = compileProject(join(folder, "tsconfig.json"));
}, 120_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Where the compiler stops in one copy; a complaint about anything but its eval file is one that nobody expects. */
function stops(copy: keyof typeof changes): readonly Stop[] {
  const lines = readFileSync(join(folder, copy, "evals/alarms.eval.ts"), "utf8").split("\n");
  const found: Stop[] = [];
  for (const complaint of complaints) {
    const [, file = "", at = "0", said = ""] = /^(.*)\((\d+),\d+\): error (.*)$/.exec(complaint) ?? [];
    if (file.endsWith(`/${copy}/evals/alarms.eval.ts`)) found.push({ line: lines[Number(at) - 1]?.trim() ?? "", said });
    else if (file !== "" && !file.endsWith("/evals/alarms.eval.ts")) throw new Error(complaint);
  }
  return found;
}

function linesOf(found: readonly Stop[]): readonly string[] {
  return [...new Set(found.map((each) => each.line))];
}

describe("after gen, tsc fails at the line that must change", () => {
  test("as it stands, the project compiles", () => {
    expect(stops("nothing")).toEqual([]);
  });

  test("when a tool is renamed: where its descriptor is imported", () => {
    const found = stops("tool");
    expect(linesOf(found)).toEqual(['import { acknowledgeAlarmTool, deleteAlarmTool, getAlarmTool, listAlarmsTool } from "../gen/toolsets/alarms.ts";']);
    expect(found[0]?.said).toContain("'getAlarmTool'");
  });

  test("when an argument of a tool is renamed: where it is read", () => {
    const found = stops("argument");
    expect(linesOf(found)).toEqual([expect.stringContaining('args.severity === "critical"')]);
    expect(found[0]?.said).toContain("Property 'severity' does not exist on type 'ListAlarmsArgs'");
  });

  test("when a field of an input is renamed: where it is read, and where it is given", () => {
    const lines = linesOf(stops("field"));
    expect(lines).toContain("const evidence = await ask(input.prompt, ctx);");
    expect(lines).toContain('alarmCause: { user_id, prompt: "What caused A-103?" },');
    expect(lines.filter((line) => !line.includes("prompt"))).toEqual([]);
  });

  test("when a scenario is added: at the hooks, which lack one", () => {
    const found = stops("added");
    expect(linesOf(found)).toEqual(["const hooks: Hooks = {"]);
    expect(found[0]?.said).toContain("Property 'farewell' is missing");
  });

  test("when a scenario is removed: at its hook, which belongs to none", () => {
    expect(linesOf(stops("removed"))).toEqual(["inventoryReady() {"]);
  });

  test("when a scenario begins to take an input: at the inputs, which lack one", () => {
    expect(linesOf(stops("taking"))).toEqual(["const inputs: Inputs = {"]);
  });
});
