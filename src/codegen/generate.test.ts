import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { EntailError, type HookContext, type Result, type Suite } from "entail";
import { agent, checkDesign, design, suite, tool, toolset, type Design } from "entail/design";
import type { TypedTool } from "entail/generated";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { compileProject } from "../../test/strict-compile.ts";
import { exampleFiles } from "./example.ts";
import { generate, type GeneratedFile } from "./generate.ts";
import { suiteDigests } from "./suite-digest.ts";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../test/fixture/codegen");

/** The design of a fixture project. */
async function designOf(project: string): Promise<Design> {
  const [file] = globSync("design/*.ts", { cwd: join(folder, project) });
  return ((await import(join(folder, project, file ?? ""))) as { default: Design }).default;
}

function stored(project: string): readonly string[] {
  return globSync(["gen/**/*.ts", "evals/*.ts"], { cwd: join(folder, project) }).sort();
}

function golden(path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

function filesOf(...designs: readonly Design[]): ReadonlyMap<string, string> {
  return new Map(generate(checkDesign(...designs)).files.map(({ path, text }) => [path, text]));
}

function fileOf(made: Design, path: string): string {
  const text = filesOf(made).get(path);
  if (text === undefined) throw new Error(`no ${path}`);
  return text;
}

/** A generated suite module of the golden files. */
interface SuiteModule {
  readonly newSuite: (hooks: object, inputs?: object) => Suite;
}

const ok: Result = { checks: [{ name: "ok", passed: true }] };
const anyHook: object = new Proxy({}, { get: (_, name) => (typeof name === "string" ? () => ok : undefined), ownKeys: () => [] });
const ctx = {} as HookContext;

describe.each(["chat", "names", "shapes", "reach"])("the golden files of %s", (project) => {
  test("are what the design gives, byte for byte (UPDATE_GOLDEN=1 writes them anew)", async () => {
    const checked = checkDesign(await designOf(project));
    const files: readonly GeneratedFile[] = [...generate(checked).files, ...exampleFiles(checked)];
    if (process.env["UPDATE_GOLDEN"] !== undefined) {
      for (const path of stored(project)) rmSync(join(folder, project, path));
      for (const { path, text } of files) {
        mkdirSync(dirname(join(folder, project, path)), { recursive: true });
        writeFileSync(join(folder, project, path), text);
      }
    }
    expect(stored(project)).toEqual(files.map((file) => file.path).sort());
    for (const { path, text } of files) expect({ path, text }).toEqual({ path, text: golden(join(project, path)) });
  });

  test("load, and hold what the design says", async () => {
    const { suites, toolsets } = checkDesign(await designOf(project));
    for (const { name, tools } of toolsets) {
      const module = (await import(join(folder, project, `gen/toolsets/${name}.ts`))) as Record<string, TypedTool>;
      expect(
        Object.values(module)
          .map((each) => each.name)
          .sort(),
      ).toEqual(tools.map((each) => each.name).sort());
    }
    for (const { id, agent: owner } of suites) {
      if (owner === undefined || owner.tools.length === 0) continue;
      const { toolContract } = (await import(join(folder, project, `gen/evals/${id}/contract.ts`))) as { readonly toolContract: (name: string) => TypedTool };
      for (const each of owner.tools) expect(toolContract(each.name).name).toBe(each.name);
    }
    expect(globalThis).not.toHaveProperty("owned");
  });

  test("import entail/generated and nothing else, and name neither the design's file nor a schema library", () => {
    for (const path of stored(project).filter((each) => each.startsWith("gen/"))) {
      const text = golden(join(project, path));
      expect([...text.matchAll(/^import .* from (".*");$/gm)].map((match) => match[1])).toEqual(text.includes("import ") ? ['"entail/generated"'] : []);
      expect(text).not.toMatch(/\brequire\(|\bimport\(/);
      expect(text).not.toMatch(/\bzod\b|\bvalibot\b|\barktype\b|design\//);
    }
  });

  test("end their lines with a line feed alone", () => {
    for (const path of stored(project)) expect(golden(join(project, path))).toMatch(/^[^\r\u2028\u2029]*\n$/);
  });
});

describe("the golden files together", () => {
  test("compile under every strict flag", () => {
    expect(compileProject(join(folder, "tsconfig.json"))).toEqual([]);
  });

  test("the scaffolds compile as they are", () => {
    expect(compileProject(join(folder, "tsconfig.evals.json"))).toEqual([]);
  });
});

const User = z.object({ user_id: z.uuid(), prompt: z.string().min(1) }).meta({ id: "GenerateTestUser" });

describe("generated code and scaffolds", () => {
  const quality = design({
    suites: [suite("chat_quality", { description: "d", timeout: "1m", scenarios: { answers: { description: "Answers.", input: User }, health_check: { description: "Is up." } } })],
  });

  test("a suite with one typed and one input-less scenario is one file: the input's type, both hooks, one input, newSuite, the schema", async () => {
    const files = filesOf(quality);
    expect([...files.keys()]).toEqual(["gen/evals/chat_quality/suite.ts"]);
    const text = [...files.values()].join();
    expect(text).toContain("export type GenerateTestUser = {\n  user_id: string;\n  prompt: string;\n};");
    expect(text).toContain("readonly answers: (ctx: HookContext, input: GenerateTestUser) => Result | Promise<Result>;");
    expect(text).toContain("readonly healthCheck: (ctx: HookContext) => Result | Promise<Result>;");
    expect(text).toContain("export interface Inputs {\n  readonly answers: GenerateTestUser;\n}");
    expect(text).toContain("export function newSuite(hooks: Hooks, inputs: Inputs)");
    expect(text).toContain('prompt: { type: "string", minLength: 1 }');
  });

  test("its scaffold is one file that belongs to the application: a TODO for each hook, the input and the judge", () => {
    const files = exampleFiles(checkDesign(quality));
    expect(files.map((file) => file.path)).toEqual(["evals/chat_quality.eval.ts"]);
    const text = files[0]?.text ?? "";
    expect(text).not.toMatch(/Written by|do not edit|Edit the design/i);
    expect([...text.matchAll(/(\w+): todo\("TODO: ([^"]*)"\)/g)].map((match) => `${match[1]}: ${match[2]}`)).toEqual([
      "answers: implement answers",
      "healthCheck: implement health_check",
      "answers: give the input of answers",
      "judge: make a judge, or remove this line where no hook returns claims",
    ]);
  });

  test("a text, a list, a record, an inline object and two customisations of one type keep their forms and get names of their own", async () => {
    const text = golden("shapes/gen/evals/of_zod/suite.ts");
    expect(text).toContain("readonly text: (ctx: HookContext, input: string) =>");
    expect(text).toContain("readonly names: (ctx: HookContext, input: string[]) =>");
    expect(text).toContain("readonly counts: (ctx: HookContext, input: Record<string, number>) =>");
    expect(text).toContain("readonly inline: (ctx: HookContext, input: InlineInput) =>");
    expect(text).toContain("readonly firstCustom: (ctx: HookContext, input: SharedInputFirstCustomInput) =>");
    expect(text).toContain("readonly secondCustom: (ctx: HookContext, input: SharedInputSecondCustomInput) =>");
    const made = (await import(join(folder, "shapes/gen/evals/of_zod/suite.ts"))) as SuiteModule;
    // Each has a validator of its own.
    expect(() => made.newSuite(anyHook, { firstCustom: { name: "a", age: 1 }, secondCustom: { name: "a", age: 1 } })).toThrow(/inputs\.firstCustom\.city is missing\n(?!.*inputs\.secondCustom)/);
  });

  test("a suite in an agent with one toolset and one export of another has a contract over exactly those two", () => {
    const text = golden("reach/gen/evals/chat_quality/contract.ts");
    expect([...text.matchAll(/^ {4}name: (".*"),$/gm)].map((match) => match[1])).toEqual(['"ask_user"', '"docs.find"']);
    expect(text).not.toContain("purge");
    expect(stored("reach")).not.toContain("gen/evals/setup/contract.ts");
  });

  const twenty = Array.from({ length: 20 }, (_, at) => `scenario_${at + 1}`);
  const consumer = design({
    agents: [
      agent("chat", {
        description: "d",
        toolsets: [toolset("own", { ask_user: tool({ description: "d" }) })],
        uses: [agent("desk", { exports: [toolset("lookup", { find: tool({ description: "d" }) })] })],
        suites: [suite("consumer", { description: "d", timeout: "1m", scenarios: { ...Object.fromEntries(twenty.map((id) => [id, { description: `Is ${id}.`, input: User }])), setup: { description: "Sets up." } } })],
      }),
    ],
  });

  test("a suite of 21 scenarios has a scaffold with exactly 21 hooks to write", () => {
    const [scaffold] = exampleFiles(checkDesign(consumer));
    expect(scaffold?.text.match(/TODO: implement /g)).toHaveLength(21);
    expect(scaffold?.text.match(/TODO: give the input /g)).toHaveLength(20);
  });

  test("a contract finds the agent's own tool and the one of an agent that it uses, and throws tool_unreachable for others", async () => {
    const { toolContract } = (await import(join(folder, "reach/gen/evals/chat_quality/contract.ts"))) as { readonly toolContract: (name: string) => TypedTool };
    expect(toolContract("ask_user").args.decode({ question: "q" })).toEqual({ question: "q" });
    expect(toolContract("docs.find").name).toBe("docs.find");
    for (const name of ["purge", "find", "toString", "__proto__"]) expect(() => toolContract(name)).toThrow(expect.objectContaining({ code: "tool_unreachable" }));
  });

  test("inputs that are valid UUIDs make a suite, and one input object may serve twenty scenarios", async () => {
    const { newSuite } = await loaded(fileOf(consumer, "gen/evals/consumer/suite.ts"));
    const shared = { user_id: "123e4567-e89b-42d3-a456-426614174000", prompt: "p" };
    const inputs = Object.fromEntries(twenty.map((id) => [id.replace("_", ""), shared]));
    const made = newSuite(anyHook, inputs);
    expect(made.scenarios).toHaveLength(21);
    expect(await made.scenarios[0]?.run(ctx)).toBe(ok);
    expect(() => newSuite(anyHook, { ...inputs, scenario7: { ...shared, user_id: "nobody" } })).toThrow("inputs.scenario7.user_id must ");
  });
});

/** A generated suite as a module, in a file of its own beside the golden ones. */
async function loaded(text: string): Promise<SuiteModule> {
  const file = join(folder, `loaded-${process.pid}-${text.length}.ts`);
  writeFileSync(file, text);
  try {
    return (await import(file)) as SuiteModule;
  } finally {
    rmSync(file);
  }
}

describe("what is generated depends on the design alone", () => {
  const one = toolset("one", { b: tool({ description: "b", args: z.object({ x: z.string() }) }), a: tool({ description: "a", args: User }) });
  const two = toolset("two", { d: tool({ description: "d", result: z.array(User) }), c: tool({ description: "c" }) });
  const suites = ["s", "t"].map((name) => suite(name, { description: "d", timeout: "1m", scenarios: { x: { description: "d", input: z.object({ a: z.string() }).meta({ title: "Thing" }) }, y: { description: "d", input: z.object({ b: z.string() }).meta({ title: "Thing" }) } } }));

  test("a design without suites and agents gives no file", () => {
    expect(filesOf(design({})).size).toBe(0);
    expect(exampleFiles(checkDesign(design({})))).toEqual([]);
  });

  test("case 261: the same design gives the same bytes, in whatever order its parts are declared", () => {
    const straight = filesOf(design({ agents: [agent("m", { toolsets: [one], exports: [two], suites }), agent("n", {})] }));
    const turned = toolset("one", { a: tool({ description: "a", args: User }), b: tool({ description: "b", args: z.object({ x: z.string() }) }) });
    expect(filesOf(design({ agents: [agent("n", {}), agent("m", { suites: suites.toReversed(), exports: [two], toolsets: [turned] })] }))).toEqual(straight);
    expect(filesOf(design({ agents: [agent("m", { toolsets: [one], exports: [two], suites }), agent("n", {})] }))).toEqual(straight);
  });

  test("case 261: a tool that is gone is gone from the files, and an invalid schema is an error that names the tool", () => {
    const before = filesOf(design({ agents: [agent("m", { toolsets: [one] })] }));
    const after = filesOf(design({ agents: [agent("m", { toolsets: [toolset("one", { a: tool({ description: "a", args: User }) })] })] }));
    expect(before.get("gen/toolsets/one.ts")).toContain("bTool");
    expect(after.get("gen/toolsets/one.ts")).not.toContain("bTool");
    const broken = toolset("one", { a: tool({ description: "a" }), b: tool({ description: "b", args: z.object({ at: z.date() }) }) });
    expect(() => filesOf(design({ agents: [agent("m", { toolsets: [broken] })] }))).toThrow(/toolset "one", tool "b", args/);
  });

  test("kind codegen-output: the order of agents, toolsets, tools and suites never matters", () => {
    const shapes = [z.string(), z.object({ a: z.string() }).meta({ title: "Thing" }), z.object({ b: z.string() }).meta({ title: "Thing" }), z.array(z.object({ c: z.number().optional() })), User];
    const names = fc.uniqueArray(fc.constantFrom("get-user", "get_user", "getUser", "GetUser", "get user", "list", "List", "x"), { minLength: 1, maxLength: 8 });
    const sets = fc.uniqueArray(fc.tuple(fc.constantFrom("p", "q", "r", "s"), names), { minLength: 1, maxLength: 4, selector: ([name]) => name });
    fc.assert(
      fc.property(sets, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (declared, chance) => {
        const shuffled = <Item>(items: readonly Item[]): Item[] =>
          items
            .map((item) => ({ item, at: Number(chance.next().value) }))
            .sort((a, b) => a.at - b.at)
            .map(({ item }) => item);
        const schemaOf = (name: string): (typeof shapes)[number] => shapes[(name.charCodeAt(0) + name.length) % shapes.length] ?? z.string();
        const make = (order: <Item>(items: readonly Item[]) => readonly Item[]): Design => {
          const made = order(declared).map(([set, tools]) => toolset(set, Object.fromEntries(order(tools).map((name) => [name, tool({ description: name, args: schemaOf(name), result: schemaOf(`${name}${set}`) })]))));
          return design({ agents: order(made.map((each) => agent(each.name, { toolsets: [each], suites: [suite(each.name, { description: "d", timeout: "1m", scenarios: { a: { description: "d", input: schemaOf(each.name) } } })] }))) });
        };
        const straight = make((items) => items);
        const turned = make(shuffled);
        expect(filesOf(turned)).toEqual(filesOf(straight));
        expect(suiteDigests(checkDesign(turned))).toEqual(suiteDigests(checkDesign(straight)));
      }),
      { numRuns: 60 },
    );
  });

  test("scenarios in another order keep the names of their types", () => {
    const a = z.object({ a: z.string() }).meta({ title: "Thing" });
    const b = z.object({ b: z.string() }).meta({ title: "Thing" });
    const declared = Object.entries({ x: a, y: b, z: a, first: b }).map(([id, input]): [string, { description: string; input: z.ZodType }] => [id, { description: "d", input }]);
    const types = (scenarios: typeof declared): readonly string[] => {
      const text = fileOf(design({ suites: [suite("s", { description: "d", timeout: "1m", scenarios: Object.fromEntries(scenarios) })] }), "gen/evals/s/suite.ts");
      return [...text.matchAll(/export type (\w+) = \{/g)].map((match) => match[1] ?? "").sort();
    };
    expect(types(declared)).toEqual(["ThingFirstInput", "ThingXInput"]);
    expect(types(declared.toReversed())).toEqual(types(declared));
  });

  test("unrelated schemas made before change nothing", () => {
    const text = (): ReadonlyMap<string, string> => {
      const Node = z.object({
        v: z.string(),
        get kids() {
          return z.array(Node).optional();
        },
      });
      return filesOf(design({ suites: [suite("s", { description: "d", timeout: "1m", scenarios: { x: { description: "d", input: z.object({ first: Node, second: Node }) } } })] }));
    };
    const first = text();
    expect([...first.values()].join()).not.toContain("__schema");
    expect(text()).toEqual(first);
  });
});

describe("the digest of a suite", () => {
  const base = { description: "d", timeout: "1m", scenarios: { a: { description: "d", input: User, tags: ["x"] }, b: { description: "d" } } } as const;
  const tools = { find: tool({ description: "d", args: z.object({ q: z.string() }) }) };
  const digestOf = (shape: object, declared: Parameters<typeof toolset>[1] = tools): string | undefined =>
    suiteDigests(checkDesign(design({ agents: [agent("m", { toolsets: [toolset("t", declared)], suites: [suite("s", shape as typeof base)] })] }))).get("s");

  test("stands in the generated data, and the suite carries it", async () => {
    const checked = checkDesign(await designOf("chat"));
    const digest = suiteDigests(checked).get("chat");
    expect(digest).toMatch(/^[0-9a-f]{32}$/);
    const { newSuite } = (await import(join(folder, "chat/gen/evals/chat/suite.ts"))) as SuiteModule;
    expect(newSuite(anyHook, { alarmInventory: { user_id: "123e4567-e89b-42d3-a456-426614174000", prompt: "p" } }).digest).toBe(digest);
  });

  test("is another one for every change that code must follow", () => {
    const digests = [
      digestOf(base),
      digestOf({ ...base, description: "e" }),
      digestOf({ ...base, timeout: "2m" }),
      digestOf({ ...base, scenarios: { a: base.scenarios.a } }),
      digestOf({ ...base, scenarios: { b: base.scenarios.b, a: base.scenarios.a } }),
      digestOf({ ...base, scenarios: { ...base.scenarios, c: { description: "d" } } }),
      digestOf({ ...base, scenarios: { ...base.scenarios, a: { ...base.scenarios.a, tags: [] } } }),
      digestOf({ ...base, scenarios: { ...base.scenarios, a: { ...base.scenarios.a, input: z.object({ user: z.uuid(), prompt: z.string().min(1) }) } } }),
      digestOf({ ...base, scenarios: { ...base.scenarios, b: { description: "d", skip: "later" } } }),
      digestOf(base, { search: tools.find }),
      digestOf(base, { find: tool({ description: "d", args: z.object({ query: z.string() }) }) }),
      digestOf(base, { find: tool({ description: "d", args: z.object({ q: z.string() }), bounded: true }) }),
      digestOf(base, {}),
    ];
    expect(new Set(digests).size).toBe(digests.length);
    expect(digestOf(base)).toBe(digests[0]);
  });
});

describe("the text form", () => {
  test("gen says which typed form replaces it, in the words of the library that the design uses", async () => {
    expect(generate(checkDesign(await designOf("chat"))).warnings).toEqual([
      'suite "chat", scenario "greeting": a literal input is the older text form; declare input: z.string() and give newSuite the value { greeting: "Say hello." }',
    ]);
  });
});

test("an error of the design is an EntailError with all its faults, and nothing is generated", () => {
  expect(() => generate(checkDesign(design({ suites: [suite("X", { description: "", timeout: "", scenarios: {} })] })))).toThrow(EntailError);
});
