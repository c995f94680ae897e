import { EntailError, todo, type Fault, type HookContext, type Result, type Suite } from "entail";
import { bindSuite, codec, reachableTool, type SuiteData } from "entail/generated";
import { describe, expect, test } from "vitest";
import { openTodos, todosError } from "../core/todo.ts";

const Chat = codec<{ user_id: string; prompt: string; limit: number }>({
  type: "object",
  properties: { user_id: { type: "string", format: "uuid" }, prompt: { type: "string", minLength: 1 }, limit: { type: "integer", default: 3 } },
  required: ["user_id", "prompt"],
  additionalProperties: false,
});
const scenario = { description: "d", tags: [], timeoutMs: 1000 };
const data: SuiteData = {
  id: "chat",
  description: "d",
  digest: "abc",
  scenarios: [
    { ...scenario, id: "alarm_inventory", hook: "alarmInventory", tags: ["smoke"], timeoutMs: 2000, input: Chat },
    { ...scenario, id: "health_check", hook: "healthCheck", skip: "waits", knownFailure: "#1", revision: "2", trials: 3, require: { passRate: 0.5 } },
    { ...scenario, id: "greeting", hook: "greeting", text: "Say hello." },
  ],
};
const ok: Result = { checks: [{ name: "ok", passed: true }] };
const hooks = { alarmInventory: () => ok, healthCheck: () => ok, greeting: () => ok };
const user_id = "123e4567-e89b-42d3-a456-426614174000";
const inputs = { alarmInventory: { user_id, prompt: "p" } };
const ctx = { scenario: "x" } as HookContext;

function faultsOf(bind: () => unknown): readonly Fault[] {
  try {
    bind();
  } catch (thrown) {
    if (thrown instanceof EntailError && thrown.code === "suite_binding_invalid") return thrown.faults;
    throw thrown;
  }
  throw new Error("nothing was wrong");
}

function places(given: object, values: object = inputs): readonly string[] {
  return faultsOf(() => bindSuite(data, given, values)).map((fault) => `${fault.place} ${fault.message}`);
}

function scenarioOf(suite: Suite, id: string): Suite["scenarios"][number] {
  const found = suite.scenarios.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no scenario ${id}`);
  return found;
}

describe("a bound suite", () => {
  test("has the words of its data, its digest and its inputs", () => {
    const suite = bindSuite(data, hooks, inputs);
    expect(suite).toMatchObject({ id: "chat", description: "d", digest: "abc" });
    expect(suite.scenarios.map(({ run: _run, ...words }) => words)).toEqual([
      { ...scenario, id: "alarm_inventory", tags: ["smoke"], timeoutMs: 2000, input: { user_id, prompt: "p", limit: 3 }, inputSchema: data.scenarios[0]?.input?.schema },
      { ...scenario, id: "health_check", skip: "waits", knownFailure: "#1", revision: "2", trials: 3, require: { passRate: 0.5 } },
      { ...scenario, id: "greeting", input: "Say hello." },
    ]);
  });

  test("calls each hook with what its scenario takes", async () => {
    const seen: unknown[][] = [];
    const see = (...given: unknown[]): Result => {
      seen.push(given);
      return ok;
    };
    const suite = bindSuite(data, { alarmInventory: see, healthCheck: see, greeting: see }, inputs);
    for (const each of suite.scenarios) expect(await each.run(ctx)).toBe(ok);
    expect(seen).toEqual([[ctx, { user_id, prompt: "p", limit: 3 }], [ctx], [ctx, "Say hello."]]);
  });

  test("takes a class instance for hooks, with methods of a parent class and with its own this", async () => {
    class Base {
      healthCheck(): Result {
        return { ...ok, output: this.name() };
      }
      protected name(): string {
        return "base";
      }
    }
    class ChatHooks extends Base {
      readonly client = "client";
      readonly alarmInventory = (): Result => ({ ...ok, output: this.client });
      greeting(_ctx: HookContext, text: string): Result {
        return { ...ok, output: `${this.client} ${text}` };
      }
      protected override name(): string {
        return "chat";
      }
      helper(): string {
        return "no hook";
      }
    }
    const suite = bindSuite(data, new ChatHooks(), inputs);
    const outputs = await Promise.all(suite.scenarios.map(async (each) => (await each.run(ctx)).output));
    expect(outputs).toEqual(["client", "chat", "client Say hello."]);
  });

  test("holds a frozen copy: what the caller does to the value later changes nothing", async () => {
    const mine = { user_id, prompt: "p", limit: 1 };
    const suite = bindSuite(data, { ...hooks, alarmInventory: (_: HookContext, input: object) => ({ ...ok, metadata: { input } }) }, { alarmInventory: mine });
    mine.prompt = "changed";
    const held = scenarioOf(suite, "alarm_inventory");
    expect(held.input).toEqual({ user_id, prompt: "p", limit: 1 });
    expect(Object.isFrozen(held.input)).toBe(true);
    expect((await held.run(ctx)).metadata).toEqual({ input: { user_id, prompt: "p", limit: 1 } });
  });

  test("gives each trial its own copy: one that changes its input changes it for no other", async () => {
    const items = codec<{ items: number[] }>({ type: "object", properties: { items: { type: "array", items: { type: "number" } } }, required: ["items"] });
    const grow = (_: HookContext, input: { items: number[] }): Result => {
      input.items.push(3);
      return { ...ok, output: String(input.items.length) };
    };
    const suite = bindSuite({ id: "s", description: "d", scenarios: [{ ...scenario, id: "grow", hook: "grow", input: items }] }, { grow }, { grow: { items: [1, 2] } });
    const held = scenarioOf(suite, "grow");
    const outputs = await Promise.all([1, 2, 3].map(async () => (await held.run(ctx)).output));
    expect(outputs).toEqual(["3", "3", "3"]);
    expect(held.input).toEqual({ items: [1, 2] });
  });

  test("fills in the default of a value that is left out", async () => {
    const whole = { ...scenario, id: "whole", hook: "whole", input: codec<string>({ type: "string", default: "all" }) };
    const suite = bindSuite({ id: "s", description: "d", scenarios: [whole] }, { whole: (_: HookContext, text: string) => ({ ...ok, output: text }) }, {});
    expect((await scenarioOf(suite, "whole").run(ctx)).output).toBe("all");
  });

  test("keeps a member called __proto__ as a member", async () => {
    const open = codec<object>({ type: "object", additionalProperties: { type: "string" } });
    const value: unknown = JSON.parse('{"__proto__":"x","a":"y"}');
    const suite = bindSuite({ id: "s", description: "d", scenarios: [{ ...scenario, id: "a", hook: "a", input: open }] }, { a: (_: HookContext, input: object) => ({ ...ok, output: JSON.stringify(input) }) }, { a: value });
    expect((await scenarioOf(suite, "a").run(ctx)).output).toBe('{"__proto__":"x","a":"y"}');
  });
});

describe("one error names everything that is wrong", () => {
  test("missing and unknown hooks, missing and unknown values, and every fault of every value", () => {
    const twoUsers: SuiteData = { ...data, scenarios: [...data.scenarios, { ...scenario, id: "second_user", hook: "secondUser", input: Chat }] };
    const faults = faultsOf(() =>
      bindSuite(twoUsers, { alarmInventory: () => ok, healthChek: () => ok, greeting: 3, secondUser: () => ok }, { alarmInventory: { user_id: "u", limit: 1.5, urgent: true }, greeting: "Hi.", farewell: "Bye." }),
    );
    expect(faults.map((fault) => fault.place)).toEqual([
      "inputs.alarmInventory.prompt",
      "inputs.alarmInventory.user_id",
      "inputs.alarmInventory.limit",
      "inputs.alarmInventory.urgent",
      "hooks.healthCheck",
      "hooks.greeting",
      "inputs.secondUser",
      "hooks.healthChek",
      "inputs.greeting",
      "inputs.farewell",
    ]);
    const message = (() => {
      try {
        bindSuite(twoUsers, {}, {});
      } catch (thrown) {
        return (thrown as EntailError).message;
      }
      return "";
    })();
    expect(message).toBe(
      [
        'the hooks and inputs of suite "chat" have 6 faults:',
        '  hooks.alarmInventory is missing; scenario "alarm_inventory" needs it',
        '  inputs.alarmInventory is missing; scenario "alarm_inventory" takes it',
        '  hooks.healthCheck is missing; scenario "health_check" needs it',
        '  hooks.greeting is missing; scenario "greeting" needs it',
        '  hooks.secondUser is missing; scenario "second_user" needs it',
        '  inputs.secondUser is missing; scenario "second_user" takes it',
      ].join("\n"),
    );
  });

  test("an unknown hook is said with the one that was meant; helpers of a class are not unknown", () => {
    expect(places({ ...hooks, healthChek: () => ok })).toEqual(['hooks.healthChek is the hook of no scenario of suite "chat"; did you mean "healthCheck"?']);
    expect(places(Object.assign(Object.create(null), hooks, { other: () => ok }))).toHaveLength(1);
    expect(() => bindSuite(data, Object.create(hooks), inputs)).not.toThrow();
  });

  test("values for scenarios that take none say why", () => {
    expect(places(hooks, { ...inputs, healthCheck: 1, greeting: "Hi.", alarmInventry: {} })).toEqual([
      'inputs.healthCheck is not taken: scenario "health_check" declares no input',
      'inputs.greeting is not taken: the design holds the text of scenario "greeting"',
      'inputs.alarmInventry is the value of no scenario of suite "chat"; did you mean "alarmInventory"?',
    ]);
  });

  test.each([undefined, null, 3, "hooks", [], true])("hooks or inputs that are %j are said to be no object", (none) => {
    const word = none === null ? "null" : Array.isArray(none) ? "a list" : typeof none;
    expect(places(none as never)).toEqual([`hooks must be an object, not ${word}`]);
    expect(faultsOf(() => bindSuite(data, hooks, none as never)).map((fault) => `${fault.place} ${fault.message}`)).toEqual([`inputs must be an object, not ${word}`]);
  });

  test("a getter that throws, a cycle and a bigint are faults of their value, each with its place", () => {
    const throwing = {
      get alarmInventory(): never {
        throw new Error("no luck");
      },
    };
    expect(places(Object.defineProperty({ ...hooks }, "greeting", { get: () => throwing.alarmInventory, enumerable: true }))).toEqual(["hooks.greeting cannot be read: no luck"]);
    expect(places(hooks, throwing)).toEqual(["inputs.alarmInventory cannot be read: no luck"]);
    const cyclic: Record<string, unknown> = { user_id, prompt: "p" };
    cyclic["self"] = cyclic;
    expect(places(hooks, { alarmInventory: cyclic }).join()).toMatch(/inputs\.alarmInventory/);
    expect(places(hooks, { alarmInventory: { user_id, prompt: 1n } }).join()).toMatch(/inputs\.alarmInventory\.prompt/);
  });

  test("two lists of faults in one value have their paths", () => {
    const list = codec<unknown>({ type: "array", items: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } });
    const made: SuiteData = { id: "s", description: "d", scenarios: [{ ...scenario, id: "a", hook: "a", input: list }] };
    const faults = faultsOf(() => bindSuite(made, { a: () => ok }, { a: [{ n: 1 }, {}, { n: "x" }] }));
    expect(faults.map((fault) => fault.place)).toEqual(["inputs.a[1].n", "inputs.a[2].n"]);
  });
});

describe("open TODOs", () => {
  test("a suite with open TODOs is made, and says which hooks and inputs they are", () => {
    const suite = bindSuite(data, { ...hooks, greeting: todo("say hello") }, { alarmInventory: { user_id: todo("a user"), prompt: "p" } });
    expect(openTodos({ suite, judge: todo("make a judge"), maxConcurrency: 5, reporter: undefined })).toEqual([
      { code: "eval_todo_open", place: "inputs.alarmInventory.user_id", message: "a user" },
      { code: "eval_todo_open", place: "hooks.greeting", message: "say hello" },
      { code: "eval_todo_open", place: "judge", message: "make a judge" },
    ]);
    expect(openTodos({ suite: { ...suite, id: "copied" } })).toHaveLength(2);
    expect(openTodos({ suite: bindSuite(data, hooks, inputs) })).toEqual([]);
  });

  test("a hook that is a TODO never passes: called, it throws eval_todo_open", () => {
    const suite = bindSuite(data, { ...hooks, greeting: todo("say hello") }, inputs);
    expect(() => scenarioOf(suite, "greeting").run(ctx)).toThrow(expect.objectContaining({ code: "eval_todo_open", message: expect.stringContaining("say hello") }));
  });

  test("the error lists every one of them", () => {
    const error = todosError(openTodos({ judge: todo("a"), suite: todo("b") }));
    expect(error).toMatchObject({ code: "eval_todo_open", message: "2 TODOs are still open:\n  judge: a\n  suite: b" });
  });

  test("beside a real fault they are listed too", () => {
    expect(places({ alarmInventory: todo("x"), greeting: () => ok })).toEqual(['hooks.healthCheck is missing; scenario "health_check" needs it', "hooks.alarmInventory x"]);
  });
});

describe("a tool contract", () => {
  const tools = ["find", "then", "__proto__"].map((name) => ({ name, args: codec<unknown>({}), result: codec<unknown>({}) }));

  test("is found by the name that the model calls", () => {
    interface Tools {
      readonly find: (typeof tools)[number];
      readonly __proto__: (typeof tools)[number];
    }
    expect(reachableTool<Tools, "find">("chat", tools, "find").name).toBe("find");
    expect(reachableTool<Tools, "__proto__">("chat", tools, "__proto__").name).toBe("__proto__");
  });

  test.each(["fnd", "constructor", "toString", ""])("throws tool_unreachable for %j", (name) => {
    expect(() => reachableTool<Record<string, unknown>, string>("chat", tools, name)).toThrow(expect.objectContaining({ code: "tool_unreachable" }));
  });
});

describe("codec", () => {
  test("hands out only the definitions that its schema leads to", () => {
    const $defs = { A: { type: "object", properties: { b: { $ref: "#/$defs/B" } } }, B: { type: "string" }, C: { type: "number" } };
    expect(codec({ $ref: "#/$defs/A", $defs }).schema).toEqual({ $ref: "#/$defs/A", $defs: { A: $defs.A, B: $defs.B } });
    expect(codec({ type: "string", $defs }).schema).toEqual({ type: "string" });
  });

  test("names every fault with its path in one error", () => {
    expect(() => Chat.decode({ user_id: "u", limit: "x" })).toThrow(expect.objectContaining({ code: "value_invalid", faults: ["prompt", "user_id", "limit"].map((place) => expect.objectContaining({ place })) }));
    expect(() => codec({ type: "string" }).decode(1)).toThrow("the value must be a string");
  });
});
