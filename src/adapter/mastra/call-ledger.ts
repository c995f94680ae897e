// Owns who is who among the calls of one run: which call an end, an output or a decision belongs to.

import type { Approval } from "../../core/evidence.ts";
import type { ArgumentMembers } from "../../message/event-payload.ts";
import { thisMoment } from "../../core/held-event.ts";
import { sameJson } from "../../json/write-json.ts";
import type { CallPart, End, RequestPart } from "./part.ts";
import type { NestedRuns } from "./run.ts";
import type { Warnings } from "./warning.ts";

export interface Call {
  /** The id in evidence: that of its parent before its own, or a made-up one. */
  readonly id: string;
  readonly rawId: string;
  readonly toolName: string;
  readonly parentId: string | undefined;
  readonly input: unknown;
  readonly arguments: ArgumentMembers;
  readonly providerExecuted: boolean;
  /** Counts from 0. */
  readonly step: number;
  /** When it was issued: its start is told only when it is known whether somebody must allow it. */
  readonly at: number;
  /** Who must allow it, or answer it. Absent where nobody was asked. */
  asked?: { readonly by: RequestPart["by"]; state: Approval } | undefined;
  /** Its tool goes on in the background. */
  background: boolean;
  ended?: End | undefined;
  /** The events that were made of it already, in this run or in an earlier one that it goes on with. */
  readonly said: { start: boolean; decision: boolean };
  /** What runs within it. */
  readonly runs: NestedRuns;
}

/** The names of a call that is not known yet. */
export interface NewCall {
  readonly part: CallPart;
  readonly arguments: ArgumentMembers;
  readonly id: string;
  readonly parentId: string | undefined;
  readonly step: number;
  readonly started: boolean;
}

export interface CallLedger {
  /** The call that `part` tells once more, if it does. */
  repeated(part: CallPart, step: number): Call | undefined;
  add(call: NewCall): Call;
  /** The one open call that is meant; `ambiguous` where several could be; else `undefined`. Without an id it is of the one that `toolName` names. */
  find(rawId: string, toolName?: string, input?: unknown): Call | "ambiguous" | undefined;
  /** The open call of that name that was issued last. */
  findByName(toolName: string): Call | undefined;
  findEnded(rawId: string): Call | undefined;
  drop(call: Call): void;
  all(): readonly Call[];
}

export function callLedger(warnings: Warnings): CallLedger {
  const calls = new Set<Call>();
  const byRawId = new Map<string, Call[]>();
  const open = (rawId: string): Call[] => (byRawId.get(rawId) ?? []).filter(({ ended }) => ended === undefined);

  return {
    repeated({ rawId, toolName, args }, step) {
      if (rawId === "") return undefined;
      const again = (call: Call): boolean => call.step === step || (call.providerExecuted && call.ended === undefined);
      return (byRawId.get(rawId) ?? []).findLast((call) => again(call) && call.toolName === toolName && sameJson(call.input, args));
    },
    add({ part, arguments: args, id, parentId, step, started }) {
      const { rawId, toolName, providerExecuted } = part;
      if (rawId !== "" && byRawId.has(rawId)) warnings.add("call_id_reused", `the call id ${JSON.stringify(rawId)} was used again for another call of ${JSON.stringify(toolName)}`);
      const call: Call = { id, rawId, toolName, parentId, input: part.args, arguments: args, providerExecuted, step, at: thisMoment(), background: false, said: { start: started, decision: false }, runs: new Map() };
      calls.add(call);
      byRawId.set(rawId, [...(byRawId.get(rawId) ?? []), call]);
      return call;
    },
    find(rawId, toolName, input) {
      let found = open(rawId);
      // With an id of its own, a call is found under a wrong name too: the collector says what is wrong.
      if (toolName !== undefined && (rawId === "" || found.length > 1)) found = found.filter((call) => call.toolName === toolName);
      if (found.length > 1 && input !== undefined) {
        const same = found.filter((call) => sameJson(call.input, input));
        if (same.length > 0) found = same;
      }
      return found.length > 1 ? "ambiguous" : found[0];
    },
    findByName: (toolName) => [...calls].findLast((call) => call.toolName === toolName && call.ended === undefined),
    findEnded: (rawId) => (byRawId.get(rawId) ?? []).findLast(({ ended }) => ended !== undefined),
    drop(call) {
      calls.delete(call);
      const rest = (byRawId.get(call.rawId) ?? []).filter((other) => other !== call);
      if (rest.length === 0) byRawId.delete(call.rawId);
      else byRawId.set(call.rawId, rest);
    },
    all: () => [...calls],
  };
}
