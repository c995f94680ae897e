// Owns the expectation: what evidence must show, and the checks that say whether it does.

import type { Check } from "../core/check.ts";
import { OBSERVABLES, type Evidence } from "../core/evidence.ts";
import { policyProblems } from "./attempt-policy.ts";
import { invalid } from "./call-expectation.ts";
import { callText } from "./describe.ts";
import { exactProblems } from "./exact-trajectory.ts";
import { type ExpectationOptions, type ReadExpectation, readOptions } from "./expectation-options.ts";
import { isRecord } from "./malformed.ts";
import { requireSeen } from "./needs.ts";
import { observed } from "./observed.ts";
import { nameOf, settles } from "./predicate.ts";
import { subsequenceProblems } from "./subsequence.ts";
import { completionProblems, confirmationProblems } from "./terminal.ts";

export interface Expectation {
  /**
   * The checks `trajectory`, `forbidden_tools` (only where tools are forbidden) and `terminal`, in this order. Throws `not_observable` where the
   * source of the evidence cannot see what is asked, and `evidence_incomplete` for a question about absence where the run's end was not seen:
   * then nothing has passed and nothing has failed.
   */
  checks(evidence: Evidence): readonly Check[];
}

/** Throws `expectation_invalid` for what contradicts itself or cannot be meant. */
export function expectation(options: ExpectationOptions): Expectation {
  const read = readOptions(options);
  const { name } = options;
  const prefix = name === undefined ? "" : `${name}.`;
  return {
    checks(evidence) {
      const seen = readEvidence(evidence);
      requireSeen(read, seen);
      const checks = [checkOf(`${prefix}trajectory`, trajectoryProblems(read, seen))];
      if (read.forbidden.length > 0) checks.push(checkOf(`${prefix}forbidden_tools`, forbiddenProblems(read.forbidden, seen)));
      const terminal = read.confirmation === undefined ? completionProblems(seen) : confirmationProblems(read.confirmation, seen);
      checks.push(checkOf(`${prefix}terminal`, terminal));
      return checks;
    },
  };
}

function checkOf(name: string, problems: readonly string[]): Check {
  return problems.length === 0 ? { name, passed: true } : { name, passed: false, diagnostic: [...new Set(problems)].join("; ") };
}

function trajectoryProblems({ exact, items, calls }: ReadExpectation, { toolCalls }: Evidence): readonly string[] {
  const seen = observed(toolCalls);
  return [...policyProblems(calls, toolCalls), ...(exact ? exactProblems(items, seen) : subsequenceProblems(items, seen))];
}

function forbiddenProblems(forbidden: readonly string[], { toolCalls }: Evidence): readonly string[] {
  return toolCalls.filter((call) => forbidden.includes(call.toolName)).map((call) => `forbidden tool called: ${call.toolName}, ${callText(call)}`);
}

/** Evidence comes from a collector; what is no evidence at all is said at once. */
function readEvidence(evidence: unknown): Evidence {
  if (isRecord(evidence) && Array.isArray(evidence["toolCalls"]) && isRecord(evidence["observes"]) && OBSERVABLES.every((name) => typeof (evidence["observes"] as Record<string, unknown>)[name] === "boolean")) {
    return evidence as unknown as Evidence;
  }
  throw invalid(`checks() takes the evidence that collect() or finish() gives; this is ${settles(evidence) ? "a promise: await it first" : nameOf(evidence)}`);
}
