// Owns who is who among the calls of a run and of the graphs within it: ids that are missing or used again, calls that an earlier run asked
// for or began, and which call an end belongs to.

import type { Approval } from "../../core/evidence.ts";
import { thisMoment } from "../../core/held-event.ts";
import { sameJson } from "../../json/write-json.ts";
import { pathKey, type Path } from "./chunk.ts";
import { callArguments, type ArgumentMembers } from "./payload.ts";
import type { Earlier } from "./thread.ts";
import type { Warnings } from "./warning.ts";

export type CallEnd =
  | { readonly kind: "result"; readonly content: unknown }
  | { readonly kind: "error"; readonly error: unknown }
  /** The message of a failed call; of `refused` calls the tool was never run. */
  | { readonly kind: "message"; readonly text: string; readonly refused: boolean };

export interface SeenCall {
  /** The id in evidence. */
  readonly id: string;
  /** What `id` would be if nothing had used it before: a run that goes on knows it by this. */
  readonly place: string;
  readonly rawId: string;
  readonly toolName: string;
  args: unknown;
  arguments: ArgumentMembers;
  readonly invalid?: { readonly error: string } | undefined;
  readonly providerExecuted: boolean;
  readonly path: Path;
  readonly parent: SeenCall | undefined;
  /** When it was issued: its start is told only when it is known whether somebody must allow it. */
  readonly at: number;
  /** The tool itself has begun. */
  executing: boolean;
  /** What ran it has ended: it can no longer be interrupted. */
  settled: boolean;
  approval: Approval | undefined;
  end: CallEnd | undefined;
  readonly said: { start: boolean; end: boolean };
}

export interface NewCall {
  readonly rawId: string;
  readonly toolName: string;
  readonly args: unknown;
  readonly text?: string | undefined;
  readonly invalid?: { readonly error: string } | undefined;
  readonly providerExecuted?: boolean | undefined;
}

export interface Ledger {
  issue(path: Path, call: NewCall): SeenCall;
  /** The call of that id in that graph which was issued last. */
  byId(path: Path, rawId: string): SeenCall | undefined;
  /** The one open call in that graph that a tool of this name (and these arguments) can mean; `ambiguous` where several could be meant. */
  open(path: Path, toolName: string | undefined, args?: unknown): SeenCall | "ambiguous" | undefined;
  /** In the order in which they were issued. */
  all(): readonly SeenCall[];
  within(path: Path): readonly SeenCall[];
}

interface LedgerOptions {
  readonly earlier: Earlier;
  readonly parentOf: (path: Path) => SeenCall | undefined;
  readonly warnings: Warnings;
}

export function createLedger({ earlier, parentOf, warnings }: LedgerOptions): Ledger {
  const calls: SeenCall[] = [];
  const byPath = new Map<string, SeenCall[]>();
  const byPlace = new Map<string, SeenCall>();
  const taken = new Set<string>();
  let madeUp = 0;

  const madeUpId = (place: string): string => {
    let id: string;
    do id = `made-up:${++madeUp}${place === "" ? "" : `:${place}`}`;
    while (taken.has(id) || earlier.said.has(id));
    return id;
  };

  /** A call that the run before began and did not end: what ran it begins again, and it is the same call. */
  const goesOn = (place: string): boolean => earlier.continued && earlier.said.get(place)?.ended === false && !taken.has(place);

  const idFor = (place: string, rawId: string, toolName: string): string => {
    const name = JSON.stringify(toolName);
    if (rawId === "") {
      warnings.add("call_id_missing", `a call of ${name} came without an id; it was given one that begins with "made-up:"`);
      return madeUpId(place);
    }
    if (earlier.said.has(place) && !goesOn(place)) {
      warnings.add("call_repeated", `the call ${JSON.stringify(rawId)} of ${name} was run again when the graph went on; that is told as a call of its own, with an id that begins with "made-up:"`);
      return madeUpId(place);
    }
    if (taken.has(place)) {
      warnings.add("call_id_reused", `the call id ${JSON.stringify(rawId)} was used again for another call of ${name}; that one was given an id that begins with "made-up:"`);
      return madeUpId(place);
    }
    return place;
  };

  return {
    issue(path, { rawId, toolName, args, text, invalid, providerExecuted = false }) {
      const parent = parentOf(path);
      const place = parent === undefined ? rawId : `${parent.place}/${rawId}`;
      const begun = goesOn(place);
      const id = idFor(place, rawId, toolName);
      const shown = callArguments(text, args, invalid !== undefined);
      if (shown.repaired) warnings.add("arguments_repaired", `the arguments of the call ${JSON.stringify(rawId)} of ${JSON.stringify(toolName)} are not what the model wrote; what the tool was given is shown`);
      const call: SeenCall = {
        id, place, rawId, toolName, args, arguments: shown.members, invalid, providerExecuted, path, parent, at: thisMoment(),
        executing: false, settled: false, approval: earlier.asked.get(id)?.state, end: undefined, said: { start: begun, end: false },
      };
      taken.add(id);
      calls.push(call);
      byPlace.set(`${pathKey(path)} ${rawId}`, call);
      const same = byPath.get(pathKey(path));
      if (same === undefined) byPath.set(pathKey(path), [call]);
      else same.push(call);
      return call;
    },
    byId: (path, rawId) => (rawId === "" ? undefined : byPlace.get(`${pathKey(path)} ${rawId}`)),
    open(path, toolName, args) {
      let found = (byPath.get(pathKey(path)) ?? []).filter((call) => call.end === undefined && !call.providerExecuted && call.invalid === undefined && (toolName === undefined || call.toolName === toolName));
      if (found.length > 1 && args !== undefined) {
        const same = found.filter((call) => sameJson(call.args, args));
        if (same.length > 0) found = same;
      }
      return found.length > 1 ? "ambiguous" : found[0];
    },
    all: () => calls,
    within: (path) => byPath.get(pathKey(path)) ?? [],
  };
}
