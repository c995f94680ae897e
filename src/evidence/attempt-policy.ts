// Owns what holds for every attempt at a tool, in every mode: none may fail at all, or none in a certain way.

import type { FailureKind, ToolCall } from "../core/evidence.ts";
import type { ExpectedCall } from "./call-expectation.ts";
import { callText } from "./describe.ts";

/** The attempts that break a policy which one of the expectations declares; all expectations of a tool share their policies. */
export function policyProblems(expectations: readonly ExpectedCall[], calls: readonly ToolCall[]): readonly string[] {
  const strict = new Set(expectations.filter((call) => call.requireAllAttemptsSuccessful).map((call) => call.name));
  const forbidden = forbiddenKinds(expectations);
  const problems: string[] = [];
  for (const call of calls) {
    const { failure, toolName } = call;
    const head = `${toolName}, ${callText(call)}`;
    if (failure !== undefined && forbidden.get(toolName)?.has(failure.kind) === true) problems.push(`${head}: failed with the forbidden kind ${failure.kind}: ${failure.error.message}`);
    else if (!strict.has(toolName)) continue;
    else if (failure !== undefined) problems.push(`${head}: failed with ${failure.kind} (${failure.error.message}), and every attempt must succeed`);
    else if (call.approval === "denied") problems.push(`${head}: was denied, and every attempt must succeed`);
    else if (!call.completed) problems.push(`${head}: has no tool result, and every attempt must succeed`);
  }
  return problems;
}

/** The kinds of failure that each tool's attempts may not have. */
export function forbiddenKinds(expectations: readonly ExpectedCall[]): ReadonlyMap<string, ReadonlySet<FailureKind>> {
  const kinds = new Map<string, Set<FailureKind>>();
  for (const { name, forbidFailureKinds } of expectations) {
    if (forbidFailureKinds.length === 0) continue;
    kinds.set(name, new Set([...(kinds.get(name) ?? []), ...forbidFailureKinds]));
  }
  return kinds;
}
