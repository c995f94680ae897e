// Owns what checks and scorers see of a run: its texts and calls, read from messages of whatever dialect, and how much of it could be read at all.

import { EntailError } from "../core/error.ts";
import type { Evidence, ToolCall } from "../core/evidence.ts";
import { listMember, listOf, member, recordOf } from "../core/member.ts";
import type { ScorerRun, ScorerRunOptions } from "../core/scorer.ts";
import { wireSafe } from "../core/wire-safe.ts";
import { canonicalJson } from "../json/write-json.ts";
import { toolCallsOf } from "../message/conversation-text.ts";
import type { CallState, MessageItem, ReadMessages, UnreadMessage } from "../message/message.ts";
import { readMessages } from "../message/read-messages.ts";

/** `all`: everything the assistant said. `final`: of each turn what it said last. */
export type CheckScope = "all" | "final";

/** One text of the assistant, with no call within it. */
export interface SaidText {
  readonly text: string;
  /** The place of its message, from 1; 0 where the output is a text itself. */
  readonly message: number;
  /** From 1, where the run knows its turns. */
  readonly turn?: number;
}

export interface SeenCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: unknown;
  readonly argsJson: string;
  readonly state: CallState;
  readonly result?: unknown;
  readonly error?: string | undefined;
  /** From 1; 0 where it is known from the evidence alone. */
  readonly message: number;
  readonly turn?: number;
}

export interface Said {
  readonly texts: readonly SaidText[];
  /** What could not be read: nothing can be said of what it may have held. */
  readonly unread: readonly UnreadMessage[];
}

export interface Calls {
  readonly calls: readonly SeenCall[];
  readonly unread: readonly UnreadMessage[];
  /** Messages of the assistant were there, or evidence. */
  readonly any: boolean;
}

/** What the assistant said. A text is itself, and a value that is no message is its JSON. Throws `message_unreadable` where there is no output. */
export function saidIn(run: ScorerRun, scope: CheckScope, options: ScorerRunOptions = {}): Said {
  const { output } = run;
  if (output === undefined || output === null) throw new EntailError("message_unreadable", `there is no output to look at: it is ${String(output)}`, { stage: "score" });
  if (typeof output === "string") return { texts: textOf(output), unread: [] };
  if (typeof output !== "object") return { texts: textOf(JSON.stringify(wireSafe(output)) ?? ""), unread: [] };
  const read = readMessages(output);
  if (isPlainValue(output, read)) return { texts: textOf(canonicalJson(wireSafe(output) ?? null)), unread: [] };
  const texts = joined(read, turnsOf(run));
  return { texts: options.compat === "mastra" ? lastBy(texts, ({ message }) => message) : scope === "final" ? lastBy(texts, ({ turn }) => turn ?? 0) : texts, unread: read.unread };
}

/**
 * The calls in the order in which they were issued. Throws `message_unreadable` where the output is no list of messages and there is no evidence,
 * and `not_observable` where the evidence's source cannot see calls.
 */
export function callsIn(run: ScorerRun): Calls {
  const { output, evidence } = run;
  if (evidence !== undefined && !evidence.observes.args && !evidence.observes.results) {
    throw new EntailError("not_observable", "the source of this evidence cannot see tool calls, so nothing can be said of them", { stage: "score" });
  }
  const isMessages = Array.isArray(output) || recordOf(output) !== undefined;
  const read = isMessages ? readMessages(output) : undefined;
  if (read === undefined || (!Array.isArray(output) && isPlainValue(output, read))) {
    if (evidence === undefined) {
      throw new EntailError("message_unreadable", `a check of tool calls needs the agent's messages as output, not ${output === null || output === undefined ? String(output) : isMessages ? "a value that holds none" : `a ${typeof output}`}`, { stage: "score" });
    }
    return { calls: evidence.toolCalls.map(fromEvidence), unread: [], any: true };
  }
  const places = turnsOf(run);
  return {
    calls: toolCallsOf(read).map(({ index, ...call }) => ({ ...call, message: index + 1, ...turnAt(places, index) })),
    unread: read.unread,
    any: read.items.length > 0 || (listOf(output)?.length ?? 1) > 0,
  };
}

/** Throws where the absence of something cannot be shown: something was not read, or the run's end was not seen. */
export function requireWhole({ unread, what }: { readonly unread: readonly UnreadMessage[]; readonly what: string }, evidence: Evidence | undefined): void {
  const [first] = unread;
  if (first !== undefined) {
    throw new EntailError("message_unreadable", `message ${first.index + 1}${first.path === "" ? "" : ` (${first.path})`} holds ${first.what}, which is not understood, so nothing can be said of ${what}`, { stage: "score" });
  }
  if (evidence !== undefined && !evidence.ended) throw new EntailError("evidence_incomplete", `the run's end was not seen, so nothing can be said of ${what}`, { stage: "score" });
}

/** Throws where one of the calls has no name. */
export function requireNames(calls: readonly SeenCall[], what: string): void {
  const unnamed = calls.find((call) => call.toolName === "");
  if (unnamed !== undefined) throw new EntailError("message_unreadable", `message ${unnamed.message} ends a call whose tool nobody saw, so nothing can be said of ${what}`, { stage: "score" });
}

/** All that the assistant said, joined; `undefined` where the output holds no messages. */
export function agentTextOf(run: ScorerRun): string | undefined {
  const { output } = run;
  if (typeof output === "string") return output;
  if (!Array.isArray(output) && recordOf(output) === undefined) return undefined;
  const read = readMessages(output);
  return isPlainValue(output, read) || read.items.length === 0 ? undefined : joined(read, []).map(({ text }) => text).join(" ");
}

/** What the user said in the input; `undefined` where the input is not an agent's. */
export function userTextOf(run: ScorerRun): string | undefined {
  const { input } = run;
  if (typeof input === "string") return input;
  const messages = listMember(input, "inputMessages") ?? (Array.isArray(input) || member(input, "role") !== undefined ? input : undefined);
  if (messages === undefined) return undefined;
  const said = listOf(messages)?.every((each) => typeof each === "string") === true ? (messages as readonly string[]) : userTexts(readMessages(messages).items);
  return said.join(" ");
}

function userTexts(items: readonly MessageItem[]): readonly string[] {
  return items.flatMap((item) => (item.kind === "text" && item.role === "user" ? [item.text] : []));
}

/** A structured output, say: an object in which nothing looks like a message. */
function isPlainValue(output: unknown, { items, unread }: ReadMessages): boolean {
  return !Array.isArray(output) && items.length === 0 && unread.length === 1 && unread[0]?.path === "" && member(output, "role") === undefined && member(output, "messages") === undefined && member(output, "type") === undefined;
}

function textOf(text: string): readonly SaidText[] {
  return text === "" ? [] : [{ text, message: 0 }];
}

/** Texts of one message with no call between them are one text: it came in parts. */
function joined({ items }: ReadMessages, places: readonly number[]): readonly SaidText[] {
  const texts: { text: string; message: number; turn?: number }[] = [];
  let open = false;
  for (const item of items) {
    if (item.kind === "text" && item.role === "assistant") {
      const last = texts.at(-1);
      if (open && last?.message === item.index + 1) last.text += item.text;
      else texts.push({ text: item.text, message: item.index + 1, ...turnAt(places, item.index) });
      open = true;
    } else if (item.kind !== "reasoning") open = false;
  }
  return texts;
}

/** For each turn the place of its first message. */
function turnsOf({ turns }: ScorerRun): readonly number[] {
  const starts: number[] = [];
  let at = 0;
  for (const turn of turns ?? []) {
    starts.push(at);
    at += listOf(turn.output)?.length ?? 1;
  }
  return starts;
}

function turnAt(starts: readonly number[], index: number): { readonly turn?: number } {
  const turn = starts.findLastIndex((start) => start <= index);
  return turn === -1 ? {} : { turn: turn + 1 };
}

function lastBy(texts: readonly SaidText[], keyOf: (text: SaidText) => number): readonly SaidText[] {
  return texts.filter((text, at) => texts[at + 1] === undefined || keyOf(texts[at + 1] as SaidText) !== keyOf(text));
}

function fromEvidence(call: ToolCall): SeenCall {
  const state: CallState = call.failure !== undefined ? "failed" : call.approval === "denied" ? "denied" : call.completed ? "succeeded" : call.approval === "pending" ? "pending" : "called";
  return { toolCallId: call.toolCallId, toolName: call.toolName, args: call.args, argsJson: call.argsJson, state, result: call.result, error: call.failure?.error.message, message: 0 };
}
