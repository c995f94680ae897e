// Owns the calls of a run, as AG-UI's events and snapshots tell of them: who is who, what arguments were written, and how each ended.

import type { Approval } from "../../core/evidence.ts";
import { sameJson } from "../../json/write-json.ts";
import type { Asked } from "./thread.ts";
import type { Warnings } from "./warning.ts";

export type CallEnd =
  | { readonly kind: "result"; readonly content: unknown }
  /** A snapshot says that it failed, or a tool of the application's own did. */
  | { readonly kind: "failure"; readonly message: string; readonly error?: unknown; readonly invalid?: boolean; readonly content: unknown };

export interface SeenCall {
  /** The id in evidence. */
  readonly id: string;
  /** Calls that were begun later have greater ones. */
  readonly order: number;
  readonly rawId: string;
  toolName: string;
  /** What the model wrote, as far as it was told. */
  text: string;
  /** Its arguments are complete. */
  issued: boolean;
  readonly subagent: string;
  /** The message that holds it. */
  readonly messageId: string | undefined;
  end: CallEnd | undefined;
  /** The message that its result becomes. */
  resultId: string | undefined;
  approval: Approval | undefined;
  readonly said: { start: boolean; end: boolean };
}

export interface CallBook {
  /** A start: a new call, or the one that it tells again. */
  begin(rawId: string, toolName: string, subagent: string, messageId: string | undefined): SeenCall;
  /** The call of that id. One that nobody announced is made, without a name. */
  of(rawId: string, subagent: string): SeenCall | undefined;
  byId(rawId: string): SeenCall | undefined;
  end(call: SeenCall, end: CallEnd, messageId: string): void;
  /** Takes over a call that an earlier run asked for, or began. */
  adopt(call: Omit<Asked, "interruptId" | "state">): SeenCall;
  /** In the order in which they were issued. */
  all(): readonly SeenCall[];
}

/** `earlier` are the ids of calls that the runs before have told, where this one goes on with them. */
export function createCallBook(warnings: Warnings, earlier: Iterable<string> = []): CallBook {
  const calls: SeenCall[] = [];
  const byRawId = new Map<string, SeenCall>();
  const taken = new Set<string>(earlier);
  let madeUp = 0;

  const add = (rawId: string, toolName: string, subagent: string, messageId: string | undefined, as = rawId): SeenCall => {
    let id = as;
    while (id === "" || taken.has(id)) id = `made-up:${++madeUp}${rawId === "" ? "" : `:${rawId}`}`;
    taken.add(id);
    const call: SeenCall = { id, order: calls.length, rawId, toolName, text: "", issued: false, subagent, messageId, end: undefined, resultId: undefined, approval: undefined, said: { start: false, end: false } };
    calls.push(call);
    byRawId.set(rawId, call);
    return call;
  };

  return {
    begin(rawId, toolName, subagent, messageId) {
      const name = JSON.stringify(toolName);
      if (rawId === "") {
        warnings.add("call_id_missing", `a call of ${name} came without an id; it was given one that begins with "made-up:"`);
        return add(rawId, toolName, subagent, messageId);
      }
      const known = byRawId.get(rawId);
      if (known === undefined) return add(rawId, toolName, subagent, messageId);
      if (known.end !== undefined || known.subagent !== subagent || (known.toolName !== "" && known.toolName !== toolName)) {
        warnings.add("call_id_reused", `the call id ${JSON.stringify(rawId)} was used again for another call of ${name}; that one was given an id that begins with "made-up:"`);
        return add(rawId, toolName, subagent, messageId);
      }
      if (known.approval === undefined) warnings.add("call_repeated", `the call ${JSON.stringify(rawId)} of ${name} was begun twice; it counts once`);
      // It is told again from its beginning.
      known.toolName = toolName;
      known.text = "";
      return known;
    },
    of(rawId, subagent) {
      if (rawId === "") {
        // Without an id it can only be of the one call that is still being told.
        const open = calls.filter((call) => call.rawId === "" && call.end === undefined);
        return open.length === 1 ? open[0] : undefined;
      }
      const known = byRawId.get(rawId);
      if (known !== undefined) return known;
      warnings.add("call_unannounced", `the call ${JSON.stringify(rawId)} was never begun, so nobody knows of which tool it is`);
      return add(rawId, "", subagent, undefined);
    },
    byId: (rawId) => byRawId.get(rawId),
    end(call, end, messageId) {
      call.issued = true;
      if (call.end === undefined) {
        call.end = end;
        call.resultId = messageId;
        return;
      }
      // A snapshot knows more than the event before it: only there a failure is said.
      if (call.end.kind === "result" && end.kind === "failure") call.end = end;
      else if (call.end.kind === end.kind && !sameJson(call.end.content, end.content)) {
        warnings.add("result_repeated", `the call ${JSON.stringify(call.rawId)} of ${JSON.stringify(call.toolName)} ended a second time, in another way; the first end counts`);
      }
    },
    adopt({ id, rawId, toolName, text }) {
      taken.delete(id);
      const call = add(rawId, toolName, "", undefined, id);
      call.text = text;
      call.issued = true;
      return call;
    },
    all: () => calls,
  };
}
