// Owns what is noted while messages are read, whatever their dialect: who said what, which end belongs to which call, and what was not understood.

import type { Approval } from "../core/evidence.ts";
import { addUsage, type Usage } from "../core/usage.ts";
import { sameJson } from "../json/write-json.ts";
import type { CallState, MessageCall, MessageError, MessageReasoning, MessageRole, MessageText, ReadMessages, UnreadMessage } from "./message.ts";
import { type Payload, showArguments, showResult } from "./payload.ts";

export interface IssuedCall {
  /** Empty or absent where the message gives none. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: Payload;
  readonly providerExecuted?: boolean | undefined;
  /** Why the framework itself refused the call; it then failed, unless an end says otherwise. */
  readonly refused?: string | undefined;
}

/** How a call ended. Without an id it is of the one open call that `name` can mean. */
export interface EndedCall {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly result?: Payload | undefined;
  /** Why it failed; absent where it succeeded. */
  readonly error?: string | undefined;
  readonly providerExecuted?: boolean | undefined;
}

export interface Decision {
  readonly approved: boolean;
  readonly reason?: string | undefined;
  /** The id of the request; the call's own where the dialect has no other. */
  readonly approvalId?: string | undefined;
  readonly callId?: string | undefined;
  readonly name?: string | undefined;
}

export interface Journal {
  /** All that follows is of this message. */
  begin(index: number): void;
  text(role: MessageRole, text: string): void;
  reasoning(text: string): void;
  error(message: string): void;
  /** A call with the id of an earlier one of the same message is that one, told again. Gives the id it goes by here. */
  call(call: IssuedCall): string;
  /** As `call`, placed before the call `anchor` of the same message, or at its end where that is absent. */
  callBefore(anchor: string | undefined, call: IssuedCall): string;
  end(end: EndedCall, path: string): void;
  ask(callId: string, request: { readonly id?: string | undefined; readonly reason?: string | undefined; readonly name?: string | undefined; readonly args?: Payload | undefined }): void;
  decide(decision: Decision, path: string): void;
  usage(usage: Usage | undefined): void;
  unread(path: string, what: string): void;
  finish(): ReadMessages;
}

interface OpenCall {
  readonly kind: "call";
  readonly id: string;
  readonly index: number;
  name: string;
  args: Payload;
  providerExecuted: boolean;
  refused: string | undefined;
  inferred: boolean;
  approval: { state: Approval; id?: string | undefined; reason?: string | undefined } | undefined;
  ended: EndedCall | undefined;
}

type Noted = MessageText | MessageReasoning | MessageError | OpenCall;

/** A list of nonsense must not fill the memory. */
const MAX_UNREAD = 1000;

export function createJournal(): Journal {
  const noted: Noted[] = [];
  const unread: UnreadMessage[] = [];
  const byId = new Map<string, OpenCall[]>();
  const byApproval = new Map<string, OpenCall>();
  const open = new Set<OpenCall>();
  let index = 0;
  let madeUp = 0;
  let usage: Usage | undefined;

  const note = (path: string, what: string): void => {
    if (unread.length < MAX_UNREAD) unread.push({ index, path, what });
  };

  const hereById = (id: string): OpenCall | undefined => byId.get(id)?.findLast((call) => call.index === index);

  const issue = ({ id = "", name, args, providerExecuted = false, refused }: IssuedCall, before?: string): OpenCall => {
    const known = id === "" ? undefined : hereById(id);
    if (known !== undefined) {
      if (known.name === "") known.name = name;
      if (isBetter(args, known.args)) known.args = args;
      known.providerExecuted ||= providerExecuted;
      known.refused ??= refused;
      return known;
    }
    const call: OpenCall = { kind: "call", id: id === "" ? `made-up:${++madeUp}` : id, index, name, args, providerExecuted, refused, inferred: false, approval: undefined, ended: undefined };
    const same = byId.get(call.id);
    if (same === undefined) byId.set(call.id, [call]);
    else same.push(call);
    open.add(call);
    const anchor = before === undefined ? undefined : hereById(before);
    if (anchor === undefined) noted.push(call);
    else noted.splice(noted.lastIndexOf(anchor), 0, call);
    return call;
  };

  /** The one open call that an end without an id can mean. */
  const meant = (name: string | undefined): OpenCall | undefined => {
    let found: OpenCall | undefined;
    for (const call of open) {
      if (call.approval?.state === "denied" || (name !== undefined && name !== "" && call.name !== name)) continue;
      if (found !== undefined) return undefined;
      found = call;
    }
    return found;
  };

  const settle = (call: OpenCall, ending: EndedCall): void => {
    call.ended = ending;
    open.delete(call);
  };

  const end = (ending: EndedCall, path: string): void => {
    const { id = "", name } = ending;
    if (id === "") {
      const call = meant(name);
      if (call === undefined) return note(path, `a result${name === undefined || name === "" ? "" : ` of ${JSON.stringify(name)}`} that cannot be told to belong to one call`);
      call.inferred = true;
      return settle(call, ending);
    }
    const same = byId.get(id) ?? [];
    const call = same.findLast((one) => one.ended === undefined) ?? (same.length === 0 ? issue({ id, name: name ?? "", args: { value: undefined }, providerExecuted: ending.providerExecuted }) : undefined);
    if (call !== undefined) {
      if (call.name === "" && name !== undefined) call.name = name;
      return settle(call, ending);
    }
    const before = same.at(-1)?.ended;
    if (before?.error !== ending.error || !sameResult(before?.result, ending.result)) note(path, `a second end of the call ${JSON.stringify(id)}, which differs from the first`);
  };

  const decide = ({ approved, reason, approvalId, callId, name }: Decision, path: string): void => {
    // The call's own id decides where it is told: an approval's may be used again.
    const named = callId === undefined || callId === "" ? undefined : byId.get(callId)?.at(-1);
    const asked = named ?? (approvalId === undefined ? undefined : byApproval.get(approvalId));
    const call = asked ?? (callId === undefined || callId === "" ? undefined : issue({ id: callId, name: name ?? "", args: { value: undefined } }));
    if (call === undefined) return note(path, "a decision about a call that is not among the messages");
    if (approvalId !== undefined) byApproval.set(approvalId, call);
    call.approval = { ...call.approval, state: approved ? "approved" : "denied", ...(approvalId === undefined ? {} : { id: approvalId }), ...(reason === undefined ? {} : { reason }) };
  };

  return {
    begin(at) {
      index = at;
    },
    text(role, text) {
      if (text !== "") noted.push({ kind: "text", role, text, index });
    },
    reasoning(text) {
      if (text !== "") noted.push({ kind: "reasoning", text, index });
    },
    error(message) {
      noted.push({ kind: "error", message: message === "" ? "the run failed without saying why" : message, index });
    },
    call: (call) => issue(call).id,
    callBefore: (anchor, call) => issue(call, anchor).id,
    end,
    ask(callId, { id, reason, name, args }) {
      const call = byId.get(callId)?.at(-1) ?? issue({ id: callId, name: name ?? "", args: args ?? { value: undefined } });
      // A request that is told again does not undo what was decided.
      if (call.approval !== undefined) return;
      if (id !== undefined && id !== "") byApproval.set(id, call);
      call.approval = { state: "pending", ...(id === undefined || id === "" ? {} : { id }), ...(reason === undefined ? {} : { reason }) };
    },
    decide,
    usage(more) {
      usage = addUsage(usage, more);
    },
    unread: note,
    finish: () => ({ items: noted.map((item) => (item.kind === "call" ? shown(item) : Object.freeze(item))), unread, ...(usage === undefined ? {} : { usage }) }),
  };
}

/** Text keeps every digit, so it is better than a value, where that was made of it. */
function isBetter(told: Payload, known: Payload): boolean {
  if ("text" in known) return false;
  return known.value === undefined || ("text" in told && sameJson(showArguments(told).value, known.value));
}

function sameResult(a: Payload | undefined, b: Payload | undefined): boolean {
  const [first, second] = [a, b].map((payload) => (payload === undefined ? undefined : showResult(payload)));
  return first === undefined || second === undefined ? first === second : sameJson(first.value, second.value);
}

function stateOf({ ended, approval, refused }: OpenCall): CallState {
  if (ended !== undefined) return ended.error === undefined ? "succeeded" : "failed";
  if (refused !== undefined) return "failed";
  if (approval?.state === "denied" || approval?.state === "pending") return approval.state;
  return "called";
}

function shown(call: OpenCall): MessageCall {
  const { value, json, raw } = showArguments(call.args);
  const result = call.ended?.result === undefined ? undefined : showResult(call.ended.result);
  const error = call.ended === undefined ? call.refused : call.ended.error;
  return Object.freeze({
    kind: "call",
    toolCallId: call.id,
    toolName: call.name,
    args: value,
    argsJson: json,
    ...(raw !== undefined && { argsRaw: raw }),
    state: stateOf(call),
    ...(result !== undefined && { result: result.value, resultJson: result.json }),
    ...(error !== undefined && { error: error === "" ? "it failed without saying why" : error }),
    ...(call.approval !== undefined && { approval: Object.freeze({ ...call.approval }) }),
    ...(call.providerExecuted && { providerExecuted: true as const }),
    ...(call.inferred && { inferred: true as const }),
    index: call.index,
  });
}
