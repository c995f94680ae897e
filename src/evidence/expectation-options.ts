// Owns what an author may declare of evidence, and its reading at the door.

import { type ExpectedCall, invalid, members } from "./call-expectation.ts";
import { nameOfTool, type NamedTool } from "./calls.ts";
import { type ConfirmationExpectation, type ExpectedConfirmation, readConfirmation } from "./confirmation-expectation.ts";
import { type ExpectedItem, readItem, type TrajectoryItem } from "./grouped-expectation.ts";
import { nameOf } from "./predicate.ts";

export interface ExpectationOptions {
  /** Stands before the names of its checks (`refund.trajectory`): one result has no two checks of one name. */
  readonly name?: string | undefined;
  /** The trajectory holds these calls and no other. Without it they are among the calls, in their order, and whatever stands between is free. */
  readonly exact?: boolean | undefined;
  /** In the order of cause: a call's own calls come right after it, siblings in the order in which they were issued, never in that of their ends. */
  readonly tools?: readonly TrajectoryItem[] | undefined;
  /** No call of these was issued, at whatever depth and whatever came of it. */
  readonly forbidTools?: readonly NamedTool[] | undefined;
  /** The run must have stopped to ask for this; without it the run must have completed. */
  readonly confirmation?: ConfirmationExpectation | undefined;
}

/** An expectation read at the door. */
export interface ReadExpectation {
  readonly exact: boolean;
  readonly items: readonly ExpectedItem[];
  /** Every expected call of `items`. */
  readonly calls: readonly ExpectedCall[];
  readonly forbidden: readonly string[];
  readonly confirmation: ExpectedConfirmation | undefined;
}

const MEMBERS = ["name", "exact", "tools", "forbidTools", "confirmation"] as const;

/** Throws `expectation_invalid` for what contradicts itself or cannot be meant. */
export function readOptions(options: ExpectationOptions): ReadExpectation {
  const given = members(options, MEMBERS, "the options of expectation()") as { readonly [K in keyof ExpectationOptions]: unknown };
  const { name, exact = false, tools = [], forbidTools = [], confirmation } = given;
  if (name !== undefined && (typeof name !== "string" || name === "")) throw invalid(`the name of an expectation must be a text that is not empty; it is ${nameOf(name)}`);
  if (typeof exact !== "boolean") throw invalid(`exact must be true or false; it is ${nameOf(exact)}`);
  if (!Array.isArray(tools)) throw invalid(`tools must be a list; it is ${nameOf(tools)}`);
  if (!Array.isArray(forbidTools)) throw invalid(`forbidTools must be a list; it is ${nameOf(forbidTools)}`);
  const items = tools.map((item, at) => readItem(item, `tools[${at}]`));
  const read: ReadExpectation = {
    exact,
    items,
    calls: items.flatMap((item) => (item.kind === "unordered" ? item.calls : [item.call])),
    forbidden: forbidTools.map((tool, at) => nameOfTool(tool, `forbidTools[${at}]`)),
    confirmation: confirmation === undefined ? undefined : readConfirmation(confirmation),
  };
  refuseContradictions(read);
  return read;
}

/** Two declarations that no run could meet together are a mistake of the author's, not of the agent's. */
function refuseContradictions({ items, calls, forbidden }: ReadExpectation): void {
  for (const item of items) {
    if (item.kind === "count" && item.least === 0) continue;
    for (const { name } of item.kind === "unordered" ? item.calls : [item.call]) {
      if (forbidden.includes(name)) throw invalid(`${JSON.stringify(name)} is expected in tools and forbidden in forbidTools`);
    }
  }
  for (const { name, failureKind } of calls) {
    if (failureKind === undefined) continue;
    const other = calls.find((call) => call.name === name && (call.requireAllAttemptsSuccessful || call.forbidFailureKinds.includes(failureKind)));
    if (other !== undefined) throw invalid(`${JSON.stringify(name)} is expected to fail with ${failureKind}, and another expectation forbids that for all its attempts`);
  }
}
