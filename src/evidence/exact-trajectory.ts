// Owns the exact reading of a trajectory: the expected calls are all that was observed, call for call.

import type { ExpectedCall } from "./call-expectation.ts";
import { callText, chain, namesOf } from "./describe.ts";
import type { ExpectedItem } from "./grouped-expectation.ts";
import { createPairing } from "./matching.ts";
import type { Observed } from "./observed.ts";

/** Where observed and expected part; nothing where they are the same. Indexes count from 0. */
export function exactProblems(items: readonly ExpectedItem[], observed: Observed): readonly string[] {
  const calls = items.flatMap((item) => (item.kind === "call" ? [item.call] : []));
  return calls.length === items.length ? callForCall(calls, observed) : patternProblems(items, observed);
}

function callForCall(expected: readonly ExpectedCall[], observed: Observed): readonly string[] {
  const names = namesOf(observed.calls);
  const wanted = expected.map((call) => call.name);
  const problems: string[] = [];
  if (wanted.length !== names.length) problems.push(`call count: expected ${wanted.length} (${chain(wanted)}), observed ${names.length} (${chain(names)})`);
  let named = false;
  for (let at = 0; at < Math.max(wanted.length, names.length); at++) {
    const call = expected[at];
    const seen = observed.calls[at];
    if (call === undefined || seen === undefined || call.name !== seen.toolName) {
      // After the first difference every name may be shifted by one: the chains show it better.
      if (!named) problems.push(`first difference at index ${at}: expected ${wanted[at] ?? "no call"}, observed ${seen === undefined ? "no call" : `${names[at]}, ${callText(seen)}`}`);
      named = true;
      continue;
    }
    for (const problem of observed.answer(call, at)?.problems ?? []) problems.push(`index ${at}, ${callText(seen)}: ${problem}`);
  }
  if (named && wanted.length === names.length) problems.unshift(`expected ${chain(wanted)}, observed ${chain(names)}`);
  return problems;
}

/**
 * Groups and counts leave a choice. All places that each item can end at are kept, so that the search tries everything and does nothing twice:
 * at most one step for each item, place and call.
 */
function patternProblems(items: readonly ExpectedItem[], observed: Observed): readonly string[] {
  let reached = new Set([0]);
  for (const item of items) {
    const next = new Set<number>();
    for (const from of reached) for (const to of ends(item, from, observed)) next.add(to);
    if (next.size === 0) {
      const at = Math.max(...reached);
      return [`expected ${itemText(item)} at index ${at}, observed ${seenAt(observed, at)}; ${whole(items, observed)}${why(item, at, observed)}`];
    }
    reached = next;
  }
  if (reached.has(observed.calls.length)) return [];
  const at = Math.max(...reached);
  return [`expected no call at index ${at}, observed ${seenAt(observed, at)}; ${whole(items, observed)}`];
}

/** The indexes that `item` can end before when it starts at `from`. */
function ends(item: ExpectedItem, from: number, observed: Observed): readonly number[] {
  switch (item.kind) {
    case "call":
      return observed.satisfies(item.call, from) ? [from + 1] : [];
    case "unordered": {
      const { calls } = item;
      const pairing = createPairing(calls.length, (expectation, at) => observed.satisfies(calls[expectation] as ExpectedCall, at));
      for (let at = from; at < from + calls.length; at++) if (at >= observed.calls.length || !pairing.offer(at)) return [];
      return [from + calls.length];
    }
    case "count": {
      const found = item.least === 0 ? [from] : [];
      for (let taken = 1; taken <= item.most && observed.satisfies(item.call, from + taken - 1); taken++) if (taken >= item.least) found.push(from + taken);
      return found;
    }
    default:
      return item satisfies never;
  }
}

function itemText(item: ExpectedItem): string {
  switch (item.kind) {
    case "call":
      return item.call.name;
    case "unordered":
      return `${item.calls.map((call) => call.name).join(", ")} in any order`;
    case "count":
      if (item.least === item.most) return `exactly ${item.least} ${item.call.name}`;
      return item.most === Infinity ? `at least ${item.least} ${item.call.name}` : `${item.least} to ${item.most} ${item.call.name}`;
    default:
      return item satisfies never;
  }
}

function whole(items: readonly ExpectedItem[], observed: Observed): string {
  return `expected ${chain(items.map(itemText))}, observed ${chain(namesOf(observed.calls))}`;
}

function seenAt(observed: Observed, at: number): string {
  const call = observed.calls[at];
  return call === undefined ? "no call" : `${namesOf([call])[0]}, ${callText(call)}`;
}

/** What kept the call at `at` from being one of the item's. */
function why(item: ExpectedItem, at: number, observed: Observed): string {
  const expected = item.kind === "unordered" ? item.calls : [item.call];
  const problems = new Set(expected.flatMap((call) => observed.answer(call, at)?.problems ?? []));
  return problems.size === 0 ? "" : `; ${[...problems].join(", ")}`;
}
