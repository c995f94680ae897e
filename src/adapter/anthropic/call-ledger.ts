// Owns who is who among the calls of a run: ids that are missing or used twice, and which call a result belongs to.

import type { Approval } from "../../core/evidence.ts";
import { thisMoment } from "../../core/held-event.ts";
import { sameJson } from "../../json/write-json.ts";
import type { ArgumentMembers } from "../../message/event-payload.ts";
import type { Warnings } from "./warning.ts";

export interface IssuedCall {
  readonly rawId: string;
  readonly toolName: string;
  readonly arguments: ArgumentMembers;
  /** The API runs it. */
  readonly providerExecuted: boolean;
  /** The call whose program made this one. */
  readonly callerId?: string | undefined;
}

export interface SeenCall extends IssuedCall {
  /** The id in evidence: the API's own, or a made-up one. */
  readonly id: string;
  readonly parent: string | undefined;
  /** When it was issued: its start is told only when it is known whether somebody must allow it. */
  readonly at: number;
  /** Counts messages from 0. */
  readonly message: number;
  approval?: { readonly late: boolean; state: Approval } | undefined;
  /** What ended it, where a repeated end can be held against that. */
  ended?: { readonly by: unknown; readonly settled: boolean } | undefined;
  /** The events that were made of it already. */
  readonly said: { start: boolean; decision: boolean };
}

export interface CallLedger {
  /** The call: a new one, or the one that it repeats. */
  issue(call: IssuedCall, message: number): { readonly call: SeenCall; readonly repeated: boolean };
  /** The open call of that id; for a missing id the only open one; `ambiguous` where several could be meant. */
  find(rawId: string): SeenCall | "ambiguous" | undefined;
  /** The call of that id that ended last. */
  findEnded(rawId: string): SeenCall | undefined;
  all(): readonly SeenCall[];
}

/** The arguments as a value: a call that comes again may come parsed. */
function valueOf(given: ArgumentMembers): unknown {
  if (!("argsJson" in given)) return given.args;
  try {
    return JSON.parse(given.argsJson) as unknown;
  } catch {
    return given.argsJson;
  }
}

function sameArguments(left: ArgumentMembers, right: ArgumentMembers): boolean {
  return sameJson(valueOf(left), valueOf(right));
}

export function callLedger(warnings: Warnings): CallLedger {
  const calls: SeenCall[] = [];
  const byRawId = new Map<string, SeenCall[]>();
  const taken = new Set<string>();
  let madeUp = 0;

  const freshId = (rawId: string, toolName: string): string => {
    let id = rawId;
    if (id === "") {
      warnings.add("call_id_missing", `a call of ${JSON.stringify(toolName)} came without an id; it was given one that begins with "made-up:"`);
      id = `made-up:${++madeUp}`;
    } else if (taken.has(id)) {
      warnings.add("call_id_reused", `the call id ${JSON.stringify(rawId)} was used again for another call of ${JSON.stringify(toolName)}; that one was given an id that begins with "made-up:"`);
    }
    while (taken.has(id)) id = `made-up:${++madeUp}:${rawId}`;
    taken.add(id);
    return id;
  };

  return {
    issue(issued, message) {
      const sameId = byRawId.get(issued.rawId) ?? [];
      const repeated = sameId.findLast((call) => issued.rawId !== "" && call.toolName === issued.toolName && (call.ended === undefined || call.message === message) && sameArguments(call.arguments, issued.arguments));
      if (repeated !== undefined) return { call: repeated, repeated: true };
      const parent = issued.callerId === undefined ? undefined : byRawId.get(issued.callerId)?.at(-1)?.id;
      const call: SeenCall = { ...issued, id: freshId(issued.rawId, issued.toolName), parent, at: thisMoment(), message, said: { start: false, decision: false } };
      calls.push(call);
      byRawId.set(issued.rawId, [...sameId, call]);
      return { call, repeated: false };
    },
    find(rawId) {
      const open = (byRawId.get(rawId) ?? []).filter((call) => call.ended === undefined);
      return open.length > 1 ? "ambiguous" : open[0];
    },
    findEnded: (rawId) => (byRawId.get(rawId) ?? []).findLast((call) => call.ended !== undefined),
    all: () => calls,
  };
}
