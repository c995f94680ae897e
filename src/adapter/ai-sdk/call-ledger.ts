// Owns who is who among the calls of a run: ids that are missing or used twice, and which call an end or a decision belongs to.

import { thisMoment } from "../../core/held-event.ts";
import { sameJson } from "../../json/write-json.ts";
import type { Approval } from "../../core/evidence.ts";
import type { ArgumentMembers } from "../../message/event-payload.ts";
import type { CallPart } from "./part.ts";
import type { Warnings } from "./warning.ts";

export interface SeenCall {
  /** The id in evidence: the stream's own, or a made-up one. */
  readonly id: string;
  readonly rawId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly arguments: ArgumentMembers;
  readonly invalid?: { readonly error: unknown } | undefined;
  readonly providerExecuted: boolean;
  /** Counts from 0. */
  readonly step: number;
  /** When it was issued: its start is told only when it is known whether somebody must allow it. */
  readonly at: number;
  /** Who must allow it, and what they said. Absent where nobody was asked. */
  approval?: {
    readonly approvalId: string;
    readonly reason?: string | undefined;
    /** Decided by policy; nobody was asked. */
    readonly automatic: boolean;
    /** Asked for only after the call had started. */
    readonly late: boolean;
    state: Approval;
  } | undefined;
  ended?: { readonly kind: "result" | "error"; readonly value: unknown } | undefined;
  /** The events that were made of it already. */
  readonly said: { start: boolean; decision: boolean };
}

/** What an end says of the call that it ends. */
export interface EndedCall {
  readonly rawId: string;
  readonly toolName?: string | undefined;
  readonly input?: unknown;
}

export interface CallLedger {
  /** The call that `part` issues: a new one, or the one that it repeats. `id` is that of a call which an earlier run asked for. */
  issue(part: CallPart, args: ArgumentMembers, step: number, id?: string): { readonly call: SeenCall; readonly repeated: boolean };
  /** The one open call that `end` can mean; `ambiguous` where several could be meant; else `undefined`. */
  find(end: EndedCall): SeenCall | "ambiguous" | undefined;
  /** The call of that id that ended last. */
  findEnded(rawId: string): SeenCall | undefined;
  findByApproval(approvalId: string): SeenCall | undefined;
  drop(call: SeenCall): void;
  all(): readonly SeenCall[];
}

/** `earlier` are the ids of calls that the runs before have told, where this one goes on with them. */
export function callLedger(warnings: Warnings, earlier: Iterable<string> = []): CallLedger {
  const calls = new Set<SeenCall>();
  const byRawId = new Map<string, SeenCall[]>();
  const taken = new Set<string>(earlier);
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
    return id;
  };

  return {
    issue(part, args, step, id) {
      const sameId = byRawId.get(part.rawId) ?? [];
      const repeated = sameId.findLast((call) =>
        part.rawId !== "" && call.toolName === part.toolName && call.ended === undefined &&
        (call.step === step || call.providerExecuted) && sameJson(call.input, part.input));
      if (repeated !== undefined) return { call: repeated, repeated: true };
      const call: SeenCall = {
        id: id ?? freshId(part.rawId, part.toolName),
        rawId: part.rawId,
        toolName: part.toolName,
        input: part.input,
        arguments: args,
        invalid: part.invalid,
        providerExecuted: part.providerExecuted,
        step,
        at: thisMoment(),
        said: { start: false, decision: false },
      };
      calls.add(call);
      taken.add(call.id);
      byRawId.set(part.rawId, [...sameId, call]);
      return { call, repeated: false };
    },
    find({ rawId, toolName, input }) {
      let open = (byRawId.get(rawId) ?? []).filter((call) => call.ended === undefined);
      // With an id of its own, a call is found under a wrong name too: the collector says what is wrong.
      if (toolName !== undefined && (rawId === "" || open.length > 1)) open = open.filter((call) => call.toolName === toolName);
      if (open.length > 1 && input !== undefined) {
        const same = open.filter((call) => sameJson(call.input, input));
        if (same.length > 0) open = same;
      }
      return open.length > 1 ? "ambiguous" : open[0];
    },
    findEnded: (rawId) => (byRawId.get(rawId) ?? []).findLast((call) => call.ended !== undefined),
    findByApproval: (approvalId) => [...calls].findLast((call) => call.approval?.approvalId === approvalId),
    drop(call) {
      calls.delete(call);
      byRawId.set(call.rawId, (byRawId.get(call.rawId) ?? []).filter((other) => other !== call));
      taken.delete(call.id);
    },
    all: () => [...calls],
  };
}
