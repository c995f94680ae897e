// Owns what must have been seen before an expectation may decide anything.

import { EntailError } from "../core/error.ts";
import type { Evidence, Observable } from "../core/evidence.ts";
import { forbiddenKinds } from "./attempt-policy.ts";
import type { ExpectedCall } from "./call-expectation.ts";
import { callText } from "./describe.ts";
import type { ReadExpectation } from "./expectation-options.ts";

/**
 * Throws `not_observable` where the expectation asks for something that the source of the evidence cannot see, and `evidence_incomplete` where it
 * asks for the absence of something and the run's end, a call's name, or what an event was, was not seen.
 */
export function requireSeen(expectation: ReadExpectation, evidence: Evidence): void {
  const unseen = needed(expectation).filter(({ sees }) => !sees.some((observable) => evidence.observes[observable] ?? true));
  if (unseen.length > 0) {
    const texts = unseen.map(({ what, sees }) => `${what} needs ${sees.join(" or ")}`);
    throw new EntailError("not_observable", `the source of this evidence cannot see what is asked: ${[...new Set(texts)].join(", ")}`);
  }
  const absences = negatives(expectation);
  if (absences.length > 0) requireWhole(absences, evidence);
  requireKinds(expectation, evidence);
}

interface Need {
  readonly what: string;
  /** One of these must be seen. */
  readonly sees: readonly (Observable | "failures")[];
}

/** A source that sees neither arguments nor results of calls does not see calls. */
const CALLS: readonly Observable[] = ["args", "results"];

function needed({ exact, calls, forbidden, confirmation }: ReadExpectation): readonly Need[] {
  const needs: Need[] = [];
  if (exact) needs.push({ what: "exact", sees: CALLS });
  if (forbidden.length > 0) needs.push({ what: "forbidTools", sees: CALLS });
  for (const call of calls) needs.push(...neededBy(call));
  if (confirmation !== undefined) {
    needs.push({ what: `the confirmation of ${confirmation.name}`, sees: ["approvals"] });
    if (confirmation.args !== undefined) needs.push({ what: `the arguments of the confirmation of ${confirmation.name}`, sees: ["args"] });
  }
  return needs;
}

function neededBy(call: ExpectedCall): readonly Need[] {
  const { name } = call;
  if (call.issued) return [{ what: `a call of ${name}`, sees: CALLS }];
  // Without results nobody sees a call end, so nobody can say that it succeeded.
  const needs: Need[] = [{ what: call.failureKind === undefined ? `the success of ${name}` : `the failure of ${name}`, sees: ["results"] }];
  // A result that its source may have used to tell of a failure shows a success only to whoever looks into it.
  if (call.failureKind === undefined && call.result === undefined) needs.push({ what: `the success of ${name}, with nothing asked of its result,`, sees: ["failures"] });
  if (call.requireAllAttemptsSuccessful) needs.push({ what: `the success of every attempt of ${name}`, sees: ["failures"] });
  if (call.args !== undefined) needs.push({ what: `the arguments of ${name}`, sees: ["args"] });
  if (call.failureKind !== undefined || call.forbidFailureKinds.length > 0) needs.push({ what: `a kind of failure of ${name}`, sees: ["failureKinds"] });
  if (call.bounds !== undefined) needs.push({ what: `the bounds of ${name}`, sees: ["bounds"] });
  return needs;
}

function negatives({ exact, items, calls, forbidden }: ReadExpectation): readonly string[] {
  const found: string[] = [];
  if (exact) found.push("exact");
  if (forbidden.length > 0) found.push("forbidTools");
  for (const item of items) if (item.kind === "count" && item.most !== Infinity) found.push(`${item.least === item.most ? "exactly" : "atMost"}(${item.most}, ${item.call.name})`);
  for (const { name, requireAllAttemptsSuccessful, forbidFailureKinds } of calls) {
    if (requireAllAttemptsSuccessful) found.push(`requireAllAttemptsSuccessful of ${name}`);
    if (forbidFailureKinds.length > 0) found.push(`forbidFailureKinds of ${name}`);
  }
  return [...new Set(found)];
}

function requireWhole(absences: readonly string[], { ended, toolCalls, unknownEvents = [] }: Evidence): void {
  const asked = absences.join(", ");
  if (!ended) throw new EntailError("evidence_incomplete", `the evidence is incomplete: the run's end was not seen, so nothing can be said of ${asked}; collect() reads a stream to its end`);
  const [unknown] = unknownEvents;
  if (unknown !== undefined) throw new EntailError("evidence_incomplete", `the evidence is incomplete: events of a type that nobody knows came with it (${JSON.stringify(unknown.type)} for one), and a call may hide in them, so nothing can be said of ${asked}`);
  const unnamed = toolCalls.find((call) => call.toolName === "");
  if (unnamed !== undefined) throw new EntailError("evidence_incomplete", `the evidence is incomplete: nobody saw of which tool ${callText(unnamed)} is, so nothing can be said of ${asked}`);
}

/** A failure of unknown kind may be of any: that none of a kind happened cannot be said beside it. */
function requireKinds({ calls: expected }: ReadExpectation, { toolCalls }: Evidence): void {
  const forbidden = forbiddenKinds(expected);
  for (const call of toolCalls) {
    const kinds = forbidden.get(call.toolName);
    if (call.failure?.kind !== "unknown" || kinds === undefined || kinds.has("unknown")) continue;
    throw new EntailError("not_observable", `${call.toolName}, ${callText(call)} failed in a way that its source does not say (${call.failure.error.message}), so nobody can say that it was not ${[...kinds].join(" or ")}`);
  }
}
