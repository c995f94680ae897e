// Owns the checks of which tools were called: how often, in which order, with what arguments, and how the calls ended.

import { EntailError, messageOf } from "../core/error.ts";
import type { ScorerRun } from "../core/scorer.ts";
import { sameJson } from "../json/write-json.ts";
import { exactMembers, exactText, holdsBigint } from "./exact-json.ts";
import { shown } from "./fold.ts";
import { type Calls, callsIn, requireNames, requireWhole, type SeenCall } from "./observed.ts";
import { type CheckOptions, type Finding, quickCheck, type QuickCheck } from "./quick-check.ts";
import { scorerInvalid } from "./scorer-error.ts";
import { nothing, placeOf } from "./text-check.ts";

export interface CalledToolOptions extends CheckOptions {
  /** At least so many; 1 when absent. */
  readonly times?: number | undefined;
  /** `any` when absent: every call that was issued, also one that failed, was denied or still waits. `succeeded`: those with a result. */
  readonly status?: "any" | "succeeded" | undefined;
}

const NO_MESSAGE = "there is no message of the assistant, so nothing was shown";

function requireName(kind: string, name: unknown): asserts name is string {
  if (typeof name !== "string" || name === "") throw scorerInvalid(`checks.${kind} needs the name of a tool`);
}

function requireCount(kind: string, count: unknown, least: number): void {
  if (!Number.isSafeInteger(count) || (count as number) < least) throw scorerInvalid(`checks.${kind} needs a whole number, ${least} or more, not ${String(count)}`);
}

function inPlace(call: SeenCall): string {
  return call.message === 0 ? "" : ` in ${placeOf(call)}`;
}

/** The names in order, the first twenty. */
function list(calls: readonly SeenCall[]): string {
  if (calls.length === 0) return "no call";
  return calls.slice(0, 20).map((call) => `${call.toolName}${call.state === "succeeded" ? "" : ` (${call.state})`}`).join(", ") + (calls.length > 20 ? ` and ${calls.length - 20} more` : "");
}

/** What is not there could be in what was not read. */
function absent(seen: Calls, run: ScorerRun, what: string): void {
  requireWhole({ unread: seen.unread, what }, run.evidence);
  requireNames(seen.calls, what);
}

/** Passes where the tool was called at least `times` times. */
export function calledTool(name: string, options: CalledToolOptions = {}): QuickCheck {
  requireName("calledTool", name);
  const { times = 1, status = "any" } = options;
  requireCount("calledTool: times", times, 1);
  return quickCheck(
    {
      base: "check-called-tool",
      detail: [name, ...(times === 1 ? [] : [`x${times}`]), ...(status === "any" ? [] : [status])].join("|"),
      description: `The tool ${name} is called at least ${times === 1 ? "once" : `${times} times`}.`,
      find: (run) => counted(name, times, run, (call) => status === "any" || call.state === "succeeded", status === "any" ? "" : " that succeeded"),
    },
    options,
  );
}

function counted(name: string, times: number, run: ScorerRun, counts: (call: SeenCall) => boolean, which: string): Finding {
  const seen = callsIn(run);
  const named = seen.calls.filter((call) => call.toolName === name);
  const found = named.filter(counts);
  const passed = found.length >= times;
  const evidence = { toolName: name, expectedTimes: times, actualCount: found.length, passed };
  const first = found[0];
  if (passed) return { score: 1, reason: `${name} was called ${found.length} ${found.length === 1 ? "time" : "times"}${which}${first === undefined ? "" : inPlace(first)}`, evidence };
  absent(seen, run, `calls of ${name}`);
  if (!seen.any) return nothing(NO_MESSAGE, evidence);
  return { score: 0, reason: `expected ${name} ${times === 1 ? "to be called" : `to be called ${times} times`}${which}, found ${found.length === 0 ? "" : `${found.length} among `}${list(named.length > found.length ? named : seen.calls)}`, evidence };
}

/** Passes where the tool was not called, whatever became of a call. */
export function didNotCall(name: string, options: CheckOptions = {}): QuickCheck {
  requireName("didNotCall", name);
  return quickCheck(
    {
      base: "check-did-not-call",
      detail: name,
      description: `The tool ${name} is not called.`,
      find(run) {
        const seen = callsIn(run);
        const found = seen.calls.filter((call) => call.toolName === name);
        const [first] = found;
        const evidence = { toolName: name, count: found.length, passed: found.length === 0 };
        if (first !== undefined) return { score: 0, reason: `expected no call of ${name}, found ${found.length}${inPlace(first)} with ${shown(first.argsJson)}`, evidence };
        absent(seen, run, `the absence of ${name}`);
        return seen.any ? { score: 1, reason: `${name} was not called`, evidence } : nothing(NO_MESSAGE, evidence);
      },
    },
    options,
  );
}

/** Passes where the names are among the calls in this order; others may stand between. */
export function toolOrder(names: readonly string[], options: CheckOptions = {}): QuickCheck {
  if (!Array.isArray(names) || names.length === 0) throw scorerInvalid("checks.toolOrder needs a list of at least one name of a tool");
  for (const name of names) requireName("toolOrder", name);
  const expected = [...names];
  return quickCheck(
    {
      base: "check-tool-order",
      detail: expected.join(">"),
      description: `Tools are called in the order ${expected.join(", ")}.`,
      find(run) {
        const seen = callsIn(run);
        let next = 0;
        for (const call of seen.calls) if (next < expected.length && call.toolName === expected[next]) next++;
        const passed = next === expected.length;
        const evidence = { actualTools: seen.calls.map((call) => call.toolName), expectedOrder: expected, passed };
        if (passed) return { score: 1, reason: `${expected.join(", ")} were called in this order`, evidence };
        absent(seen, run, `the order of calls`);
        return seen.any ? { score: 0, reason: `expected ${expected.join(", ")}, found ${list(seen.calls)}; ${expected[next]} is missing${next === 0 ? "" : ` after ${expected[next - 1]}`}`, evidence } : nothing(NO_MESSAGE, evidence);
      },
    },
    options,
  );
}

/** Passes where there are at most `max` calls of any tool; each of several at once counts. */
export function maxToolCalls(max: number, options: CheckOptions = {}): QuickCheck {
  requireCount("maxToolCalls", max, 0);
  return quickCheck({ base: "check-max-tool-calls", detail: String(max), description: `Tools are called at most ${max} times.`, find: (run) => atMost(max, run) }, options);
}

/** Passes where no tool was called. */
export function usedNoTools(options: CheckOptions = {}): QuickCheck {
  return quickCheck({ base: "check-used-no-tools", description: "No tool is called.", find: (run) => atMost(0, run) }, options);
}

function atMost(max: number, run: ScorerRun): Finding {
  const seen = callsIn(run);
  const count = seen.calls.length;
  const evidence = { count, max, passed: count <= max };
  if (count > max) return { score: 0, reason: `expected ${max === 0 ? "no call" : `at most ${max} calls`}, found ${count}: ${list(seen.calls)}`, evidence };
  absent(seen, run, "how many tools were called");
  return seen.any ? { score: 1, reason: count === 0 ? "no tool was called" : `${count} of at most ${max} calls: ${list(seen.calls)}`, evidence } : nothing(NO_MESSAGE, evidence);
}

/** Passes where every call ended without an error. A call that was never ended is none that did; one that was denied did nothing wrong. */
export function noToolErrors(options: CheckOptions = {}): QuickCheck {
  return quickCheck(
    {
      base: "check-no-tool-errors",
      description: "No call of a tool fails.",
      find(run) {
        const seen = callsIn(run);
        const wrong = seen.calls.filter((call) => call.state !== "succeeded" && call.state !== "denied");
        const [first] = wrong;
        const evidence = { errorCount: wrong.length, totalCalls: seen.calls.length, passed: wrong.length === 0 };
        if (first !== undefined) {
          const why = first.state === "failed" ? `failed: ${shown(first.error ?? "it does not say why")}` : first.state === "pending" ? "waits for approval" : "never ended";
          return { score: 0, reason: `expected no failed call, found ${wrong.length} of ${seen.calls.length}; ${first.toolName}${inPlace(first)} ${why}`, evidence };
        }
        requireWhole({ unread: seen.unread, what: "the absence of failed calls" }, run.evidence);
        return seen.any ? { score: 1, reason: `none of ${seen.calls.length} calls failed`, evidence } : nothing(NO_MESSAGE, evidence);
      },
    },
    options,
  );
}

/** The arguments to be equal to, whatever the order of their members, a whole number beyond 2^53 as a bigint; or a function that is true for them, and for nothing but `true`. */
export type ExpectedArgs = Readonly<Record<string, unknown>> | ((args: any) => boolean | string);

export interface CalledToolWithOptions extends CheckOptions {
  /** Further members are allowed, at the top alone. */
  readonly partial?: boolean | undefined;
}

/** Passes where one call of the tool has these arguments. */
export function calledToolWith(name: string, args: ExpectedArgs, options: CalledToolWithOptions = {}): QuickCheck {
  requireName("calledToolWith", name);
  const { partial = false } = options;
  let text: string;
  try {
    text = typeof args === "function" ? `fn${args.name === "" ? "" : ` ${args.name}`}` : exactText(args);
  } catch (thrown) {
    throw scorerInvalid(`checks.calledToolWith: the arguments of ${name} must be a JSON object or a function (${messageOf(thrown)})`);
  }
  if (typeof args !== "function" && (typeof args !== "object" || args === null || Array.isArray(args))) throw scorerInvalid(`checks.calledToolWith: the arguments of ${name} must be an object or a function`);
  return quickCheck(
    {
      base: "check-called-tool-with",
      detail: `${name}${text}${partial ? "|partial" : ""}`,
      description: `The tool ${name} is called with ${text}.`,
      find(run) {
        const { evidence: observed } = run;
        const seen = callsIn(run);
        const named = seen.calls.filter((call) => call.toolName === name);
        const problems = named.map((call) => argsProblem(args, call, partial));
        const match = named[problems.indexOf(undefined)];
        const evidence = { toolName: name, expectedArgs: typeof args === "function" ? text : args, actualArgs: named.map((call) => call.args), passed: match !== undefined };
        if (match !== undefined) return { score: 1, reason: `${name} was called with ${shown(match.argsJson)}${inPlace(match)}`, evidence };
        absent(seen, run, `calls of ${name}`);
        if (observed !== undefined && !observed.observes.args && named.length > 0) throw new EntailError("not_observable", `the source of this evidence cannot see arguments, so nothing can be said of those of ${name}`, { stage: "score" });
        if (!seen.any) return nothing(NO_MESSAGE, evidence);
        const nearest = named.length === 0 ? list(seen.calls) : named.slice(0, 3).map((call, at) => `${shown(call.argsJson)} (${problems[at]})`).join(", ");
        return { score: 0, reason: `expected ${name} with ${shown(text)}, found ${nearest}`, evidence };
      },
    },
    options,
  );
}

/** What keeps the call's arguments from being the ones; `undefined` where they are. */
function argsProblem(expected: ExpectedArgs, call: SeenCall, partial: boolean): string | undefined {
  if (typeof expected === "function") {
    const answer: unknown = expected(call.args);
    return answer === true ? undefined : typeof answer === "string" ? answer : `the function gave ${String(answer)}`;
  }
  const found = call.args;
  if (typeof found !== "object" || found === null || Array.isArray(found)) return "no object";
  const names = Object.keys(expected).filter((member) => expected[member] !== undefined);
  const digits = exactMembers(call.argsJson);
  const isSame = (member: string): boolean => {
    const wanted = expected[member];
    return holdsBigint(wanted) ? digits?.get(member) === exactText(wanted) : sameJson(wanted, (found as Record<string, unknown>)[member]);
  };
  const wrong = names.filter((member) => !Object.hasOwn(found, member) || !isSame(member));
  const extra = partial ? [] : Object.keys(found).filter((member) => !names.includes(member));
  if (wrong.length > 0 || extra.length > 0) {
    const say = (member: string): string => (Object.hasOwn(found, member) ? `${member} is ${typed((found as Record<string, unknown>)[member], digits?.get(member) ?? "unreadable")} instead of ${typed(expected[member], exactText(expected[member]))}` : `${member} is missing`);
    return [...wrong.map(say), ...extra.map((member) => `${member} was not expected`)].join(", ");
  }
  return undefined;
}

function typed(value: unknown, text: string): string {
  const kind = value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
  return kind === "null" ? "null" : `${shown(text).slice(1, -1)} (${kind})`;
}

/** Passes where the tool was called and every call of it succeeded; with `times`, at least so many. */
export function toolSucceeded(name: string, options: CheckOptions & { readonly times?: number | undefined } = {}): QuickCheck {
  requireName("toolSucceeded", name);
  const { times = 1 } = options;
  requireCount("toolSucceeded: times", times, 1);
  return quickCheck(
    {
      base: "check-tool-succeeded",
      detail: `${name}${times === 1 ? "" : `|x${times}`}`,
      description: `Every call of the tool ${name} succeeds.`,
      find(run) {
        const found = counted(name, times, run, (call) => call.state === "succeeded", " that succeeded");
        const seen = callsIn(run);
        const wrong = seen.calls.find((call) => call.toolName === name && call.state !== "succeeded");
        if (found.score === 0 || wrong === undefined) {
          if (found.score === 1) absent(seen, run, `further calls of ${name}`);
          return found;
        }
        return { ...found, score: 0, reason: `expected every call of ${name} to succeed; the one${inPlace(wrong)} is ${wrong.state}${wrong.error === undefined ? "" : `: ${shown(wrong.error)}`}` };
      },
    },
    options,
  );
}
