// Owns the open TODO: a place that `entail example` leaves for the application to fill in, and that no run passes over.

import { EntailError, type Fault } from "./error.ts";

// Registered symbols, so that a TODO is seen across two copies of the package.
const TODO = Symbol.for("entail.todo");
const TODOS = Symbol.for("entail.todos");

/**
 * Stands where an application has still to write something: a hook, an input, a judge. It fits every type. A suite or an
 * evaluation that holds one does not run: `entail run` lists every open one and exits 2. Called or read into, it throws `eval_todo_open`.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- inferred from where the TODO stands, so that it fits there
export function todo<Wanted>(text: string): Wanted {
  const open = (): never => {
    throw todosError([{ code: "eval_todo_open", place: "todo", message: text }]);
  };
  return Object.freeze(Object.assign(open, { [TODO]: text })) as Wanted;
}

/** The text of an open TODO; `undefined` for every other value. */
export function todoText(value: unknown): string | undefined {
  const text = typeof value === "function" ? (value as { readonly [TODO]?: unknown })[TODO] : undefined;
  return typeof text === "string" ? text : undefined;
}

/** The same suite, which now says which of its hooks and inputs are still open. */
export function withOpenTodos<Suite extends object>(suite: Suite, open: readonly Fault[]): Suite {
  // Enumerable, so that a copy by spread does not lose it.
  return open.length === 0 ? suite : { ...suite, [TODOS]: open };
}

/**
 * Every open TODO among the members of `values` (the options of an evaluation or of a runner): a member that is one itself, and
 * those that a suite among them holds. `place` is the member's name, or `hooks.alarmInventory` within the suite.
 */
export function openTodos(values: Readonly<Record<string, unknown>>): readonly Fault[] {
  return Object.entries(values).flatMap(([name, value]): readonly Fault[] => {
    const text = todoText(value);
    if (text !== undefined) return [{ code: "eval_todo_open", place: name, message: text }];
    if (typeof value !== "object" || value === null) return [];
    const held = (value as { readonly [TODOS]?: unknown })[TODOS];
    return Array.isArray(held) ? (held as readonly Fault[]) : [];
  });
}

/** The one error that lists them all. */
export function todosError(open: readonly Fault[]): EntailError {
  const lines = open.map((each) => `\n  ${each.place}: ${each.message}`).join("");
  return new EntailError("eval_todo_open", `${open.length} ${open.length === 1 ? "TODO is" : "TODOs are"} still open:${lines}`, { faults: open });
}
