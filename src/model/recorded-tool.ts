// Owns the recorded tool: a function whose results come back without it being called.

import { EntailError } from "../core/error.ts";
import { membersOf } from "../core/member.ts";
import { fromJson } from "./plain-json.ts";
import { keptJson, recall, type Recorder } from "./recorded-call.ts";

export interface RecordedToolOptions<Args extends readonly unknown[]> {
  /** What tells one call from another; the arguments, but for those that a framework adds, when absent. */
  readonly key?: ((...args: Args) => unknown) | undefined;
}

/** By these an argument is known that a framework hands to a tool beside its own. */
const OF_FRAMEWORKS = ["toolCallId", "requestContext", "runtimeContext", "mastra", "runContext"];
/** These say when to stop, not what is asked. */
const SIGNALS = ["abortSignal", "signal"];

function ownArguments(args: readonly unknown[]): readonly unknown[] {
  return args.filter((arg, at) => at === 0 || !OF_FRAMEWORKS.some((name) => name in membersOf(arg))).map(withoutSignal);
}

function withoutSignal(arg: unknown): unknown {
  if (!SIGNALS.some((name) => membersOf(arg)[name] instanceof AbortSignal)) return arg;
  return Object.fromEntries(Object.entries(membersOf(arg)).filter(([, value]) => !(value instanceof AbortSignal)));
}

/** `tool` with its results recorded, by its name and its own arguments. What it throws is never kept. */
export function recordedTool<Args extends readonly unknown[], Value>(
  recorder: Recorder,
  name: string,
  tool: (...args: Args) => Value,
  options: RecordedToolOptions<Args> = {},
): (...args: Args) => Promise<Awaited<Value>> {
  if (typeof name !== "string" || name === "") throw new EntailError("option_invalid", "recording().tool() needs the name of the tool");
  if (typeof tool !== "function") throw new EntailError("option_invalid", `recording().tool(${JSON.stringify(name)}) needs the tool's function`);
  return async (...args: Args): Promise<Awaited<Value>> => {
    const found = recall(recorder, "tool", undefined, { tool: name, arguments: options.key === undefined ? ownArguments(args) : options.key(...args) });
    if (found?.answer !== undefined) {
      const [value] = fromJson(found.answer) as readonly [Awaited<Value>?];
      return value as Awaited<Value>;
    }
    const value: unknown = await tool(...args);
    // In a list, which holds nothing where the tool gave nothing.
    found?.keep(keptJson(value === undefined ? [] : [value], false));
    return value as Awaited<Value>;
  };
}
