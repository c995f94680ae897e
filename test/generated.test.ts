// Holds what a consumer gets: the real command generates and scaffolds, the compiler takes it, and a runner runs it.

import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, createRunner, type HookContext, type Result, type Suite } from "entail";
import type { TypedTool } from "entail/generated";
import { scriptedJudge } from "entail/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileProject } from "./strict-compile.ts";

const fixture = join(import.meta.dirname, "fixture");
const command = join(import.meta.dirname, "../src/cli/main.ts");
const project = mkdtempSync(join(fixture, "consumer-"));

function entail(...words: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, ["--conditions=entail-source", command, ...words], { cwd: project, encoding: "utf8" });
}

function textOf(path: string): string {
  return readFileSync(join(project, path), "utf8");
}

async function load<Module>(path: string): Promise<Module> {
  return (await import(join(project, path))) as Module;
}

interface SuiteModule {
  readonly newSuite: (hooks: object, inputs: object) => Suite;
}

beforeAll(() => {
  cpSync(join(fixture, "consumer"), project, { recursive: true });
  for (const verb of ["gen", "example"]) {
    const { status, stderr } = entail(verb);
    if (status !== 0) throw new Error(stderr);
  }
}, 60_000);

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

const user = { user_id: "123e4567-e89b-42d3-a456-426614174000", prompt: "How many alarms?" };
const questions = Array.from({ length: 20 }, (_, at) => `question${at + 1}`);

describe("what gen writes", () => {
  test("[160] for a suite with one typed and one input-less scenario: one file with the type, both hooks, one input, newSuite and the schema", () => {
    const text = textOf("gen/evals/chat_quality/suite.ts");
    expect(globSync("gen/evals/chat_quality/*", { cwd: project })).toEqual(["gen/evals/chat_quality/suite.ts"]);
    expect(text).toContain("export type User = {\n  /** User running the evaluation. */\n  user_id: string;\n  prompt: string;\n};");
    expect(text).toContain("readonly answers: (ctx: HookContext, input: User) => Result | Promise<Result>;");
    expect(text).toContain("readonly healthCheck: (ctx: HookContext) => Result | Promise<Result>;");
    expect(text).toContain("export interface Inputs {\n  readonly answers: User;\n}");
    expect(text).toContain("export function newSuite(hooks: Hooks, inputs: Inputs)");
    expect(text).toContain('prompt: { type: "string", minLength: 1 }');
    expect([...text.matchAll(/^import .*$/gm)]).toHaveLength(1);
    expect(text).not.toMatch(/\beval\(|new Function|require\(|import\(/);
  });

  test("[162] a text, a list, a record, an inline object and two customisations of one type keep their forms and have names and rules of their own", async () => {
    const text = textOf("gen/evals/shapes/suite.ts");
    expect([...text.matchAll(/ readonly (\w+): \(ctx: HookContext, input: ([^)]*)\)/g)].map((match) => `${match[1]}: ${match[2]}`)).toEqual([
      "text: string",
      "list: string[]",
      "counts: Record<string, number>",
      "inline: InlineInput",
      "firstCustom: SharedInputFirstCustomInput",
      "secondCustom: SharedInputSecondCustomInput",
    ]);
    const { newSuite } = await load<SuiteModule>("gen/evals/shapes/suite.ts");
    const hook = (): Result => ({ checks: [check("ok", true, "")] });
    const hooks = { text: hook, list: hook, counts: hook, inline: hook, firstCustom: hook, secondCustom: hook };
    const good = { text: "t", list: ["a"], counts: { a: 1 }, inline: { a: "x" }, firstCustom: { name: "n", city: "c" }, secondCustom: { name: "n", age: 1 } };
    expect(newSuite(hooks, good).scenarios.map((scenario) => scenario.input)).toEqual(Object.values(good));
    const swapped = { ...good, firstCustom: good.secondCustom, secondCustom: good.firstCustom };
    expect(() => newSuite(hooks, swapped)).toThrow(
      expect.objectContaining({ faults: ["firstCustom.city", "firstCustom.age", "secondCustom.age", "secondCustom.city"].map((path) => expect.objectContaining({ place: `inputs.${path}` })) }),
    );
  });

  test("[163] a suite in an agent with a toolset and one export of another has a contract over exactly those two", () => {
    const text = textOf("gen/evals/consumer/contract.ts");
    expect([...text.matchAll(/^ {4}name: "(.*)",$/gm)].map((match) => match[1])).toEqual(["ask_user", "find"]);
    expect(textOf("gen/toolsets/hidden.ts")).toContain("purgeTool");
  });

  test("a design without agents and suites leaves what is there as it is", () => {
    const empty = mkdtempSync(join(fixture, "consumer-"));
    try {
      mkdirSync(join(empty, "design"));
      mkdirSync(join(empty, "gen"));
      writeFileSync(join(empty, "design/empty.ts"), 'import { design } from "entail/design";\nexport default design({});\n');
      writeFileSync(join(empty, "gen/mine.ts"), "export const mine = 1;\n");
      const { status } = spawnSync(process.execPath, ["--conditions=entail-source", command, "gen"], { cwd: empty });
      expect(status).toBe(0);
      expect(globSync("gen/**/*.ts", { cwd: empty })).toEqual(["gen/mine.ts"]);
      expect(readFileSync(join(empty, "gen/mine.ts"), "utf8")).toBe("export const mine = 1;\n");
    } finally {
      rmSync(empty, { recursive: true });
    }
  });

  test("[165] compiles under every strict flag, scaffolds included", () => {
    const options = (JSON.parse(readFileSync(join(fixture, "codegen/tsconfig.json"), "utf8")) as { readonly compilerOptions: object }).compilerOptions;
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["gen/**/*.ts"] }));
    expect(compileProject(join(project, "tsconfig.json"))).toEqual([]);
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...options, isolatedDeclarations: false, declaration: false }, include: ["evals/*.ts"] }));
    expect(compileProject(join(project, "tsconfig.json"))).toEqual([]);
  });

  test("a second gen touches no file", () => {
    const file = join(project, "gen/evals/consumer/suite.ts");
    const before = statSync(file).mtimeMs;
    expect(entail("gen").status).toBe(0);
    expect(statSync(file).mtimeMs).toBe(before);
  });
});

describe("what example writes", () => {
  test("[161] one file that belongs to the application: TODOs for hooks, input and judge, and no word that it was generated", () => {
    const text = textOf("evals/chat_quality.eval.ts");
    expect(text).not.toMatch(/Written by|do not edit|Edit the design/i);
    expect([...text.matchAll(/(\w+): todo\("TODO: ([^"]*)"\)/g)].map((match) => `${match[1]}: ${match[2]}`)).toEqual([
      "answers: implement answers",
      "healthCheck: implement health_check",
      "answers: give the input of answers",
      "judge: make a judge, or remove this line where no hook returns claims",
    ]);
    expect(text).toContain("export default evaluation({");
    expect(text).toContain("maxConcurrency: 5");
  });

  test("[166] for a suite of 21 scenarios, exactly 21 hooks to write", () => {
    expect(textOf("evals/consumer.eval.ts").match(/TODO: implement /g)).toHaveLength(21);
  });

  test("[167] once: what the application added stays, byte for byte, when example runs again", () => {
    appendFileSync(join(project, "evals/consumer.eval.ts"), "// mine\r\n");
    const before = textOf("evals/consumer.eval.ts");
    expect(entail("example").status).toBe(0);
    expect(textOf("evals/consumer.eval.ts")).toBe(before);
    expect(before.endsWith("// mine\r\n")).toBe(true);
  });

  test("that runs as it is: exit 2, and a list of every open TODO", () => {
    const { status, stderr } = entail("run", "evals/chat_quality.eval.ts");
    expect({ status, stderr }).toMatchObject({ status: 2 });
    for (const place of ["hooks.answers", "hooks.healthCheck", "inputs.answers", "judge"]) expect(stderr).toContain(`${place}: TODO: `);
  });
});

describe("a consumer's own suite", () => {
  class Hooks {
    readonly [name: string]: unknown;
    readonly client = { up: true };
    setup(): Result {
      return { checks: [check("set_up", this.client.up, "the client is down")] };
    }
  }
  for (const name of questions) {
    Object.defineProperty(Hooks.prototype, name, {
      value: (_ctx: HookContext, input: typeof user): Result => ({ claims: [{ id: "answered", text: "It is answered." }], output: `${input.prompt} None.` }),
    });
  }

  async function suiteOf(inputs: object): Promise<Suite> {
    return (await load<SuiteModule>("gen/evals/consumer/suite.ts")).newSuite(new Hooks(), inputs);
  }

  test("[168] with hooks as methods of a class, two scenarios are selected, judged and passed", async () => {
    const suite = await suiteOf(Object.fromEntries(questions.map((name) => [name, user])));
    const report = await createRunner({ judge: scriptedJudge({ answered: "entailed" }), maxConcurrency: 2 }).runScenarios(suite, ["question_3", "setup"]);
    expect(report).toMatchObject({ passed: true, suiteId: "consumer" });
    expect(report.scenarios.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(["question_3 passed", "setup passed"]);
  });

  test("[169] finds the agent's own tool and that of the agent it uses in its contract, and no other", async () => {
    const { toolContract } = await load<{ readonly toolContract: (name: string) => TypedTool }>("gen/evals/consumer/contract.ts");
    expect(toolContract("ask_user").args.decode({ question: "q" })).toEqual({ question: "q" });
    expect(() => toolContract("ask_user").args.decode({})).toThrow("question is missing");
    expect(toolContract("find").name).toBe("find");
    for (const name of ["purge", "Find", "toString", "__proto__"]) expect(() => toolContract(name)).toThrow(expect.objectContaining({ code: "tool_unreachable" }));
  });

  test("[170] takes valid UUIDs, one input object for twenty scenarios, and names every one that is none", async () => {
    const suite = await suiteOf(Object.fromEntries(questions.map((name) => [name, user])));
    expect(suite.scenarios.filter((scenario) => scenario.input !== undefined)).toHaveLength(20);
    const wrong = Object.fromEntries(questions.map((name, at) => [name, at % 10 === 0 ? { ...user, user_id: "nobody" } : user]));
    await expect(suiteOf(wrong)).rejects.toMatchObject({ code: "suite_binding_invalid", faults: [{ place: "inputs.question1.user_id" }, { place: "inputs.question11.user_id" }] });
  });
});
