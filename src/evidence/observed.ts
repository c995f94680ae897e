// Owns the observed calls as expectations are held against them: each question is put once, whatever the order of the search.

import type { ToolCall } from "../core/evidence.ts";
import type { ExpectedCall } from "./call-expectation.ts";
import { type Satisfaction, satisfaction } from "./satisfaction.ts";

export interface Observed {
  readonly calls: readonly ToolCall[];
  /** Undefined where the call is of another tool. */
  answer(expected: ExpectedCall, at: number): Satisfaction | undefined;
  satisfies(expected: ExpectedCall, at: number): boolean;
  /** The calls of the expected tool from `from` on, with what keeps each from being the one. */
  candidates(expected: ExpectedCall, from: number): readonly { readonly at: number; readonly call: ToolCall; readonly problems: readonly string[]; readonly decided: boolean }[];
}

export function observed(calls: readonly ToolCall[]): Observed {
  const answers = new Map<ExpectedCall, (Satisfaction | undefined)[]>();

  const answer = (expected: ExpectedCall, at: number): Satisfaction | undefined => {
    const call = calls[at];
    if (call === undefined || call.toolName !== expected.name) return undefined;
    let known = answers.get(expected);
    if (known === undefined) answers.set(expected, (known = []));
    return (known[at] ??= satisfaction(expected, call));
  };

  return {
    calls,
    answer,
    satisfies: (expected, at) => answer(expected, at)?.problems.length === 0,
    candidates: (expected, from) =>
      calls.flatMap((call, at) => {
        const found = at < from ? undefined : answer(expected, at);
        return found === undefined ? [] : [{ at, call, ...found }];
      }),
  };
}
