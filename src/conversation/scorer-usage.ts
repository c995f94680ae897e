// Owns what a scorer's models consumed, as its result tells it.

import { listMember, member, namesOf, recordMember } from "../core/member.ts";
import type { ScorerResult } from "../core/scorer.ts";
import { addUsage, type Usage } from "../core/usage.ts";

const COUNTS = ["inputTokens", "outputTokens", "reasoningTokens", "cachedInputTokens"] as const;

/** The sum over the executions of all steps; `undefined` where no model was asked. */
export function spentBy(result: ScorerResult | undefined): Usage | undefined {
  const judge = recordMember(result, "judge");
  if (judge === undefined) return undefined;
  let spent: Usage | undefined;
  for (const step of namesOf(judge)) {
    for (const execution of listMember(member(judge, step), "executions") ?? []) {
      const calls = member(execution, "modelCallCount");
      spent = addUsage(spent, { ...tokens(member(execution, "usage")), requests: typeof calls === "number" && calls >= 1 ? calls : 1 });
    }
  }
  return spent;
}

function tokens(usage: unknown): Usage {
  const known: { -readonly [K in keyof Usage]: number } = {};
  for (const name of COUNTS) {
    const count = member(usage, name);
    if (typeof count === "number" && Number.isFinite(count) && count >= 0) known[name] = count;
  }
  return known;
}
