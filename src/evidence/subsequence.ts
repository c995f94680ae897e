// Owns the default reading of a trajectory: the expected calls are among those observed, in their order; whatever stands between is free.

import type { ExpectedCall } from "./call-expectation.ts";
import { callText, candidates, chain, namesOf, tally } from "./describe.ts";
import type { ExpectedItem } from "./grouped-expectation.ts";
import { createPairing } from "./matching.ts";
import type { Observed } from "./observed.ts";

/**
 * What is missing, in the order of the items; nothing where all is there. Each item takes the earliest calls that will do. That never takes an
 * option from a later item, since nothing that one item asks depends on another; so no search has to go back. An upper bound holds over the
 * whole trajectory.
 */
export function subsequenceProblems(items: readonly ExpectedItem[], observed: Observed): readonly string[] {
  const problems: string[] = [];
  /** The number of leading calls that earlier items have taken or passed. */
  let position = 0;
  const place = (found: readonly [number, string | undefined]): void => {
    const [next, problem] = found;
    if (problem === undefined) position = next;
    else problems.push(problem);
  };
  for (const item of items) {
    switch (item.kind) {
      case "call":
        place(placeCall(item.call, position, observed));
        break;
      case "unordered":
        place(placeUnordered(item.calls, position, observed));
        break;
      case "count": {
        if (item.least > 0) place(placeRepeated(item, position, observed));
        const over = overUpperBound(item, observed);
        if (over !== undefined) problems.push(over);
        break;
      }
      default:
        item satisfies never;
    }
  }
  return problems;
}

type Placed = readonly [next: number, problem: string | undefined];

function firstFrom(expected: ExpectedCall, from: number, observed: Observed): number | undefined {
  for (let at = from; at < observed.calls.length; at++) if (observed.satisfies(expected, at)) return at;
  return undefined;
}

function placeCall(expected: ExpectedCall, position: number, observed: Observed): Placed {
  const at = firstFrom(expected, position, observed);
  return at === undefined ? [position, missing(expected, position, observed)] : [at + 1, undefined];
}

function missing(expected: ExpectedCall, position: number, observed: Observed): string {
  const found = observed.candidates(expected, position);
  if (found.length > 0) return `no call of ${expected.name} after position ${position} is the one expected: ${candidates(found)}`;
  return `required tool not observed after position ${position}: ${expected.name}; observed ${chain(namesOf(observed.calls))}`;
}

function placeUnordered(calls: readonly ExpectedCall[], position: number, observed: Observed): Placed {
  const pairing = createPairing(calls.length, (expectation, at) => observed.satisfies(calls[expectation] as ExpectedCall, at));
  for (let at = position; at < observed.calls.length; at++) {
    if (pairing.offer(at) && pairing.size === calls.length) return [at + 1, undefined];
  }
  const unpaired = calls.filter((_, expectation) => pairing.paired[expectation] === undefined);
  const names = [...new Set(unpaired.map((call) => call.name))];
  const texts = names.map((name) => {
    const wanted = calls.filter((call) => call.name === name).length;
    const got = wanted - unpaired.filter((call) => call.name === name).length;
    const taken = new Set(pairing.paired);
    const free = observed.candidates(unpaired.find((call) => call.name === name) as ExpectedCall, position).filter(({ at }) => !taken.has(at));
    return `${name}: expected ${wanted}, got ${got}${free.length === 0 ? "" : ` (${candidates(free)})`}`;
  });
  return [position, `in any order after position ${position}: ${texts.join(", ")}; observed ${chain(namesOf(observed.calls))}`];
}

type Count = Extract<ExpectedItem, { kind: "count" }>;

function placeRepeated({ call, least }: Count, position: number, observed: Observed): Placed {
  let next = position;
  let got = 0;
  for (; got < least; got++) {
    const at = firstFrom(call, next, observed);
    if (at === undefined) break;
    next = at + 1;
  }
  if (got === least) return [next, undefined];
  const others = observed.candidates(call, position).filter(({ problems }) => problems.length > 0);
  return [position, `${call.name}: expected at least ${least} after position ${position}, got ${got} (${ofTool(call, observed)})${others.length === 0 ? "" : `: ${candidates(others)}`}`];
}

/** A call that may be meant counts against the bound: nobody has shown that it is another one. */
function overUpperBound({ call, most }: Count, observed: Observed): string | undefined {
  if (most === Infinity) return undefined;
  const found = observed.candidates(call, 0);
  const matching = found.filter(({ problems }) => problems.length === 0);
  const open = found.filter(({ problems, decided }) => problems.length > 0 && !decided);
  if (matching.length + open.length <= most) return undefined;
  const head = `${call.name}: expected at most ${most}, got ${matching.length} (${ofTool(call, observed)})`;
  if (matching.length > most) return `${head}: ${matching.slice(0, 8).map((one) => callText(one.call)).join(", ")}`;
  return `${head}, and of ${open.length} nobody can say whether they count: ${candidates(open)}`;
}

function ofTool(expected: ExpectedCall, observed: Observed): string {
  return tally(observed.calls.filter((call) => call.toolName === expected.name));
}
