// Owns the binding of hooks and inputs to a suite. Types are stripped, not checked, at run time, so everything is looked at again here,
// and all that is wrong is said in one error.

import type { HookContext } from "../core/context.ts";
import { EntailError, isEntailError, messageOf, type Fault } from "../core/error.ts";
import { didYouMean } from "../core/nearest.ts";
import type { Result } from "../core/result.ts";
import type { Scenario, Suite } from "../core/suite.ts";
import { todoText, withOpenTodos } from "../core/todo.ts";
import { rootDefault } from "../schema/root-default.ts";
import { frozen } from "./frozen.ts";
import { openTodosWithin } from "./open-todos-within.ts";
import type { ScenarioData, SuiteData } from "./suite-data.ts";

type Run = (ctx: HookContext) => Result | Promise<Result>;

/**
 * The suite that runs `hooks` on `inputs`. Hooks may be methods of a class instance; they keep their `this`. The suite holds a frozen copy of each
 * input, and each run of a hook receives a copy of its own. Throws one `suite_binding_invalid` error whose `faults` are every missing or unknown
 * hook, every missing or unknown value, and every fault of every value with its path. Open TODOs are no fault: the suite says that it has them.
 */
export function bindSuite<Id extends string = string, Tag extends string = string>(data: SuiteData, hooks: object, inputs: object): Suite<Id, Tag> {
  const faults: Fault[] = [];
  const todos: Fault[] = [];
  const say = (place: string, message: string): void => {
    faults.push({ code: "suite_binding_invalid", place, message });
  };
  const open = (place: string, message: string): void => {
    todos.push({ code: "eval_todo_open", place, message });
  };
  const given: Given = { hooks: readable(hooks, "hooks", say), inputs: readable(inputs, "inputs", say), say, open };
  const scenarios = data.scenarios.map((scenario) => bindScenario<Id, Tag>(scenario, given));
  if (given.hooks !== undefined) sayUnknownHooks(data, given.hooks, say);
  if (given.inputs !== undefined) sayUnknownInputs(data, given.inputs, say);
  if (faults.length > 0) throw bindingError(data.id, [...faults, ...todos]);
  const suite: Suite<Id, Tag> = { id: data.id, description: data.description, scenarios, ...(data.digest === undefined ? {} : { digest: data.digest }) };
  return withOpenTodos(suite, todos);
}

interface Given {
  readonly hooks: object | undefined;
  readonly inputs: object | undefined;
  readonly say: (place: string, message: string) => void;
  readonly open: (place: string, message: string) => void;
}

function readable(value: unknown, place: string, say: Given["say"]): object | undefined {
  if ((typeof value === "object" && value !== null && !Array.isArray(value)) || typeof value === "function") return value;
  say(place, `must be an object, not ${value === null ? "null" : Array.isArray(value) ? "a list" : typeof value}`);
  return undefined;
}

function bindScenario<Id extends string, Tag extends string>(data: ScenarioData, given: Given): Scenario<Id, Tag> {
  const hook = boundHook(data, given);
  const { run, input } = boundInput(data, hook, given);
  const { hook: _method, input: codec, text: _text, ...words } = data;
  return { ...words, id: data.id as Id, tags: data.tags as readonly Tag[], run, ...(input === undefined ? {} : { input: input.value }), ...(codec === undefined ? {} : { inputSchema: codec.schema }) };
}

type Hook = (ctx: HookContext, ...input: readonly unknown[]) => Result | Promise<Result>;

function boundHook(data: ScenarioData, given: Given): Hook {
  const place = `hooks.${data.hook}`;
  const { hooks } = given;
  if (hooks === undefined) return absent;
  const read = readMember(hooks, data.hook, place, given.say);
  if (read === undefined) return absent;
  if (read.value === undefined) {
    given.say(place, `is missing; scenario ${JSON.stringify(data.id)} needs it`);
    return absent;
  }
  if (typeof read.value !== "function") {
    given.say(place, `must be a function, not ${read.value === null ? "null" : typeof read.value}; scenario ${JSON.stringify(data.id)} calls it`);
    return absent;
  }
  const text = todoText(read.value);
  if (text !== undefined) given.open(place, text);
  const method = read.value as Hook;
  return (ctx, ...input) => method.call(hooks, ctx, ...input);
}

const absent: Hook = () => {
  throw new EntailError("suite_binding_invalid", "this hook is missing");
};

function boundInput(data: ScenarioData, hook: Hook, given: Given): { readonly run: Run; readonly input?: { readonly value: unknown } } {
  const { text } = data;
  if (text !== undefined) return { run: (ctx) => hook(ctx, text), input: { value: text } };
  if (data.input === undefined) return { run: (ctx) => hook(ctx) };
  const held = checkedInput(data, given);
  // A copy for each run: what a hook does to its input is seen by no other trial.
  return held === undefined ? { run: (ctx) => hook(ctx, undefined) } : { run: (ctx) => hook(ctx, structuredClone(held.value)), input: held };
}

/** The frozen copy, with defaults filled in; `undefined` where something is wrong or open, and said. */
function checkedInput(data: ScenarioData, given: Given): { readonly value: unknown } | undefined {
  const codec = data.input;
  if (codec === undefined || given.inputs === undefined) return undefined;
  const place = `inputs.${data.hook}`;
  const read = readMember(given.inputs, data.hook, place, given.say);
  if (read === undefined) return undefined;
  const todos = openTodosWithin(read.value, place);
  for (const todo of todos) given.open(todo.place, todo.message);
  if (todos.length > 0) return undefined;
  try {
    const left = read.value === undefined ? rootDefault(codec.schema, codec.schema) : undefined;
    if (read.value === undefined && left === undefined) {
      given.say(place, `is missing; scenario ${JSON.stringify(data.id)} takes it`);
      return undefined;
    }
    return { value: frozen(codec.decode(left === undefined ? read.value : left.value)) };
  } catch (thrown) {
    if (!isEntailError(thrown) || thrown.faults.length === 0) given.say(place, `cannot be read: ${messageOf(thrown)}`);
    else for (const fault of thrown.faults) given.say(joined(place, fault.place), fault.message);
    return undefined;
  }
}

function joined(place: string, path: string): string {
  return path === "" || path.startsWith("[") ? `${place}${path}` : `${place}.${path}`;
}

/** The member, own or inherited, but for what every object has; `undefined` where reading it throws, and said. */
function readMember(holder: object, member: string, place: string, say: Given["say"]): { readonly value: unknown } | undefined {
  try {
    return { value: (holder as Readonly<Record<string, unknown>>)[member] };
  } catch (thrown) {
    say(place, `cannot be read: ${messageOf(thrown)}`);
    return undefined;
  }
}

/** A plain object holds hooks and nothing else; a class instance may have fields and methods of its own, which nobody can tell from a stray hook. */
function sayUnknownHooks(data: SuiteData, hooks: object, say: Given["say"]): void {
  if (!isPlain(hooks)) return;
  const known = data.scenarios.map((scenario) => scenario.hook);
  for (const member of Object.keys(hooks)) {
    if (!known.includes(member)) say(`hooks.${member}`, `is the hook of no scenario of suite ${JSON.stringify(data.id)}${didYouMean(member, known)}`);
  }
}

function sayUnknownInputs(data: SuiteData, inputs: object, say: Given["say"]): void {
  const known = data.scenarios.filter((scenario) => scenario.input !== undefined).map((scenario) => scenario.hook);
  for (const member of Object.keys(inputs)) {
    if (known.includes(member)) continue;
    const scenario = data.scenarios.find((each) => each.hook === member);
    if (scenario === undefined) say(`inputs.${member}`, `is the value of no scenario of suite ${JSON.stringify(data.id)}${didYouMean(member, known)}`);
    else if (scenario.text === undefined) say(`inputs.${member}`, `is not taken: scenario ${JSON.stringify(scenario.id)} declares no input`);
    else say(`inputs.${member}`, `is not taken: the design holds the text of scenario ${JSON.stringify(scenario.id)}`);
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of another realm's plain object has none of its own either.
  return prototype === null || (typeof value === "object" && Object.getPrototypeOf(prototype) === null);
}

function bindingError(suiteId: string, faults: readonly Fault[]): EntailError {
  const lines = faults.map((fault) => `\n  ${fault.place} ${fault.code === "eval_todo_open" ? `is still open: ${fault.message}` : fault.message}`).join("");
  const count = faults.length === 1 ? "a fault" : `${faults.length} faults`;
  return new EntailError("suite_binding_invalid", `the hooks and inputs of suite ${JSON.stringify(suiteId)} have ${count}:${lines}`, { faults });
}
