// Owns who is who among the calls of a run: ids that are missing or used twice, and which call an output or a request belongs to.

import type { Approval } from "../../core/evidence.ts";
import { thisMoment } from "../../core/held-event.ts";
import { sameJson } from "../../json/write-json.ts";
import type { ArgumentMembers } from "../../message/event-payload.ts";
import type { CallItem } from "./item.ts";
import type { Warnings } from "./warning.ts";

export interface SeenCall {
  /** The id in evidence: the run's own, or a made-up one. */
  readonly id: string;
  readonly rawId: string;
  /** Empty where the stream does not say it. */
  readonly toolName: string;
  readonly arguments: ArgumentMembers;
  readonly raw: object;
  readonly agent: unknown;
  /** The call in whose program this one was made. */
  readonly parent: string | undefined;
  /** When it was issued: its start is told only when it is known whether somebody must allow it. */
  readonly at: number;
  readonly providerExecuted: boolean;
  /** It hands the run over to another agent. */
  handoff: boolean;
  approval?: { readonly late: boolean; state: Approval } | undefined;
  /** What ended it; repeated ends are held against it. */
  ended?: { readonly shown: unknown } | undefined;
  /** The events that were made of it already. */
  readonly said: { start: boolean; decision: boolean };
}

export interface CallLedger {
  /** The call of `item`: a new one, or the one that it repeats. */
  issue(item: CallItem, args: ArgumentMembers): { readonly call: SeenCall; readonly repeated: boolean };
  /** The one open call of that id, and of that name where the id is missing or was used twice; `ambiguous` where several could be meant. */
  find(rawId: string, toolName: string | undefined): SeenCall | "ambiguous" | undefined;
  /** The call of that id that ended last. */
  findEnded(rawId: string): SeenCall | undefined;
  /** The call that the SDK holds as this very object. */
  findRaw(raw: object): SeenCall | undefined;
  all(): readonly SeenCall[];
}

/** `prefix` goes before every id, so that the calls of a nested agent are not taken for those of the agent that it serves. `earlier` are the ids of calls that the runs before have told. */
export function callLedger(prefix: string, warnings: Warnings, earlier: Iterable<string> = []): CallLedger {
  const calls: SeenCall[] = [];
  const byRawId = new Map<string, SeenCall[]>();
  const taken = new Set<string>(earlier);
  let madeUp = 0;

  const freshId = (rawId: string, toolName: string): string => {
    let id = prefix + rawId;
    if (rawId === "") {
      warnings.add("call_id_missing", `a call of ${JSON.stringify(toolName)} came without an id; it was given one that begins with "made-up:"`);
      id = `made-up:${prefix}${++madeUp}`;
    } else if (taken.has(id)) {
      warnings.add("call_id_reused", `the call id ${JSON.stringify(rawId)} was used again for another call of ${JSON.stringify(toolName)}; that one was given an id that begins with "made-up:"`);
    }
    while (taken.has(id)) id = `made-up:${prefix}${++madeUp}:${rawId}`;
    taken.add(id);
    return id;
  };

  return {
    issue(item, args) {
      const sameId = byRawId.get(item.rawId) ?? [];
      const repeated = sameId.findLast((call) => call.raw === item.raw || (item.rawId !== "" && call.toolName === item.toolName && call.ended === undefined && sameJson(call.arguments, args)));
      if (repeated !== undefined) return { call: repeated, repeated: true };
      const caller = item.callerId === undefined ? undefined : byRawId.get(item.callerId)?.at(-1);
      const call: SeenCall = {
        id: freshId(item.rawId, item.toolName),
        rawId: item.rawId,
        toolName: item.toolName,
        arguments: args,
        raw: item.raw,
        agent: item.agent,
        parent: caller?.id,
        at: thisMoment(),
        providerExecuted: item.providerExecuted,
        handoff: item.handoff,
        said: { start: false, decision: false },
      };
      calls.push(call);
      byRawId.set(item.rawId, [...sameId, call]);
      return { call, repeated: false };
    },
    find(rawId, toolName) {
      let open = (byRawId.get(rawId) ?? []).filter((call) => call.ended === undefined);
      if (toolName !== undefined && (rawId === "" || open.length > 1)) open = open.filter((call) => call.toolName === toolName);
      return open.length > 1 ? "ambiguous" : open[0];
    },
    findEnded: (rawId) => (byRawId.get(rawId) ?? []).findLast((call) => call.ended !== undefined),
    findRaw: (raw) => calls.find((call) => call.raw === raw),
    all: () => calls,
  };
}
