// Owns the expectations of several calls at one place: in any order, or so many of one kind.

import type { TypedTool } from "../core/tool.ts";
import { type ExpectedCall, invalid, readExpectation, type ToolExpectation, toolName } from "./call-expectation.ts";
import { isCodec } from "./matcher.ts";
import { nameOf } from "./predicate.ts";

/**
 * What is counted. An expectation counts the calls that satisfy it: `expectCall(tool)` those that succeeded. A typed tool or a name counts every
 * call that was issued, whatever came of it, a denied one too.
 */
export type CountedCall = ToolExpectation | TypedTool | string;

export interface UnorderedExpectation {
  readonly unordered: readonly ToolExpectation[];
}
export interface CountExpectation {
  readonly counted: CountedCall;
  readonly atLeast: number;
  /** Absent where there is no upper bound. */
  readonly atMost?: number | undefined;
}

/** One member of an expectation's `tools`. */
export type TrajectoryItem = ToolExpectation | UnorderedExpectation | CountExpectation;

/** All of these calls, each its own, in whatever order, at this place of the trajectory. */
export function unordered(...calls: readonly ToolExpectation[]): UnorderedExpectation {
  const item = Object.freeze({ unordered: Object.freeze([...calls]) });
  readItem(item, "unordered()");
  return item;
}

/** `count` such calls or more, at this place of the trajectory. */
export function atLeast(count: number, call: CountedCall): CountExpectation {
  return counted({ counted: call, atLeast: count }, "atLeast");
}

/** No more than `count` such calls: in the whole trajectory, or, where it is exact, at this place. */
export function atMost(count: number, call: CountedCall): CountExpectation {
  return counted({ counted: call, atLeast: 0, atMost: count }, "atMost");
}

/** `count` such calls at this place of the trajectory, and no other one anywhere; where the trajectory is exact, no other one at this place. */
export function exactly(count: number, call: CountedCall): CountExpectation {
  return counted({ counted: call, atLeast: count, atMost: count }, "exactly");
}

function counted(item: CountExpectation, maker: string): CountExpectation {
  readItem(item, maker);
  return Object.freeze(item);
}

/** A `TrajectoryItem` read at the door. */
export type ExpectedItem =
  | { readonly kind: "call"; readonly call: ExpectedCall }
  | { readonly kind: "unordered"; readonly calls: readonly ExpectedCall[] }
  | { readonly kind: "count"; readonly call: ExpectedCall; readonly least: number; readonly most: number };

/** Reads one member of `tools`. Throws `expectation_invalid`, naming `place`. */
export function readItem(item: unknown, place: string): ExpectedItem {
  if (typeof item === "object" && item !== null && "unordered" in item) {
    const calls: unknown = item.unordered;
    if (!Array.isArray(calls) || calls.length === 0) throw invalid(`${place} must hold at least one call`);
    return { kind: "unordered", calls: calls.map((call, at) => readExpectation(call, `${place}, call ${at + 1}`)) };
  }
  if (typeof item === "object" && item !== null && "counted" in item) return readCount(item as CountExpectation, place);
  return { kind: "call", call: readExpectation(item, place) };
}

function readCount({ counted: call, atLeast: least, atMost: most = Infinity }: CountExpectation, place: string): ExpectedItem {
  if (!isCount(least) || !(most === Infinity || isCount(most))) {
    throw invalid(`${place} takes a whole number of calls, 0 or more; it was given ${nameOf(isCount(least) ? most : least)}`);
  }
  if (least > most) throw invalid(`${place} wants at least ${least} and at most ${most} calls`);
  if (least === 0 && most === Infinity) throw invalid(`${place} of 0 calls says nothing`);
  return { kind: "count", call: readCounted(call, place), least, most };
}

function readCounted(call: unknown, place: string): ExpectedCall {
  const typed = typeof call === "object" && call !== null && isCodec((call as { readonly args?: unknown }).args);
  if (typeof call !== "string" && !typed) return readExpectation(call, place);
  const name = typeof call === "string" ? toolName({ name: call }, place) : toolName(call, place);
  return { name, args: undefined, result: undefined, bounds: undefined, failureKind: undefined, requireAllAttemptsSuccessful: false, forbidFailureKinds: [], issued: true };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
