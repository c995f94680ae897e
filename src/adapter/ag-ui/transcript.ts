// Owns what a run says and the messages that it leaves: texts as they are streamed, a snapshot that replaces them, and the whole list for the
// run that comes after.

import type { SeenCall } from "./call-book.ts";
import { contentText, type AgUiMessage, type ReadMessage } from "./message.ts";
import type { Warnings } from "./warning.ts";

interface SeenText {
  readonly id: string;
  readonly role: string;
  readonly subagent: string;
  text: string;
  open: boolean;
  /** How much of it had been said when it was begun again. */
  again: number;
}

type Entry = { readonly kind: "text"; readonly text: SeenText } | { readonly kind: "call"; readonly call: SeenCall } | { readonly kind: "result"; readonly call: SeenCall };

export interface Transcript {
  begin(id: string, role: string, subagent: string): void;
  /** `undefined` goes on with the message that a chunk began last. */
  add(id: string | undefined, delta: string, subagent: string): void;
  close(id: string): void;
  call(call: SeenCall): void;
  /** A call of an earlier run, whose message is among those that this one was sent. */
  earlier(call: SeenCall): void;
  result(call: SeenCall): void;
  /** `own` are those messages of the snapshot that this run has made. */
  replace(own: readonly ReadMessage[], raw: readonly unknown[]): void;
  /** The texts of the root's own assistant messages, joined in their order. */
  answer(): string;
  /** All messages of the conversation, `sent` being those that the run was sent. */
  conversation(sent: readonly AgUiMessage[]): readonly AgUiMessage[];
}

export function createTranscript(warnings: Warnings): Transcript {
  let texts: SeenText[] = [];
  /** By their ids; a text without one is never meant again. */
  const byId = new Map<string, SeenText>();
  let entries: Entry[] = [];
  const listed = { calls: new Set<SeenCall>(), results: new Set<SeenCall>() };
  /** The list of the last snapshot, for the run that comes after. */
  let base: readonly AgUiMessage[] | undefined;
  let lastChunk: SeenText | undefined;

  const begin = (id: string, role: string, subagent: string): SeenText => {
    const known = byId.get(id);
    if (known !== undefined) {
      if (!known.open) Object.assign(known, { open: true, again: known.text.length });
      return known;
    }
    const text: SeenText = { id, role, subagent, text: "", open: true, again: 0 };
    texts.push(text);
    if (id !== "") byId.set(id, text);
    entries.push({ kind: "text", text });
    return text;
  };

  return {
    begin(id, role, subagent) {
      lastChunk = begin(id, role, subagent);
    },
    add(id, delta, subagent) {
      // A message that nobody announced is the assistant's.
      const text = id === undefined ? (lastChunk ?? begin("", "assistant", subagent)) : begin(id, "assistant", subagent);
      text.text += delta;
      lastChunk = text;
    },
    close(id) {
      const text = byId.get(id);
      if (text === undefined) return;
      text.open = false;
      // A message that is streamed twice says the same thing once.
      const said = text.text.slice(0, text.again);
      if (said !== "" && text.text === said + said) text.text = said;
    },
    call(call) {
      if (!listed.calls.has(call)) entries.push({ kind: "call", call });
      listed.calls.add(call);
    },
    earlier(call) {
      listed.calls.add(call);
    },
    result(call) {
      if (!listed.results.has(call)) entries.push({ kind: "result", call });
      listed.results.add(call);
    },
    replace(own, raw) {
      base = raw as readonly AgUiMessage[];
      const said = own.filter(({ role, subagent }) => role === "assistant" && subagent === "");
      // A snapshot without a word of this run is one of the time before it.
      if (own.length === 0) return;
      const left = texts.filter(({ role, subagent, open }) => role === "assistant" && subagent === "" && !open);
      const kept = said.flatMap((message): SeenText[] => {
        const same = left.findIndex(({ id }) => id === message.id && id !== "");
        const at = same === -1 ? left.findIndex(({ text }) => text === message.text) : same;
        const known = at === -1 ? undefined : left.splice(at, 1)[0];
        if (known !== undefined) {
          known.text = message.text;
          return [known];
        }
        return message.text === "" ? [] : [{ id: message.id, role: "assistant", subagent: "", text: message.text, open: false, again: 0 }];
      });
      for (const text of kept) if (text.id !== "" && !byId.has(text.id)) byId.set(text.id, text);
      for (const { text } of left) if (text !== "") warnings.add("text_retracted", "a snapshot of the messages left out a text that had been streamed; it is not part of the answer");
      texts = [...kept, ...texts.filter((text) => !kept.includes(text) && !left.includes(text))];
      const calls = new Set(own.flatMap((message) => message.calls.map(({ rawId }) => rawId)));
      const results = new Set(own.map(({ toolCallId }) => toolCallId));
      entries = entries.filter((entry) => {
        if (entry.kind === "text") return entry.text.open || entry.text.role !== "assistant" || entry.text.subagent !== "";
        return entry.kind === "call" ? !calls.has(entry.call.rawId) : !results.has(entry.call.rawId);
      });
    },
    answer: () => texts.filter(({ role, subagent }) => role === "assistant" && subagent === "").map(({ text }) => text).join(""),
    conversation(sent) {
      const list: AgUiMessage[] = [...(base ?? sent)];
      const assistants = new Map(list.flatMap((message, at) => (message.role === "assistant" ? [[message.id, at] as const] : [])));
      for (const entry of entries) {
        if (entry.kind === "text") {
          const { id, role, text, subagent } = entry.text;
          if (text === "" || subagent !== "") continue;
          if (role === "assistant") assistants.set(id, list.length);
          list.push({ id: id === "" ? crypto.randomUUID() : id, role, content: text });
        } else if (entry.kind === "call") addCall(list, assistants, entry.call);
        else list.push(toolMessage(entry.call));
      }
      return list;
    },
  };
}

/** A call stands in the message that holds it, or in one of its own. */
function addCall(list: AgUiMessage[], assistants: Map<string, number>, { rawId, id, toolName, text, messageId, subagent }: SeenCall): void {
  if (subagent !== "") return;
  const call = { id: rawId === "" ? id : rawId, type: "function" as const, function: { name: toolName, arguments: text } };
  const at = messageId === undefined ? undefined : assistants.get(messageId);
  const holder = at === undefined ? undefined : list[at];
  if (at === undefined || holder === undefined) {
    const holding = messageId ?? call.id;
    assistants.set(holding, list.length);
    list.push({ id: holding, role: "assistant", toolCalls: [call] });
  } else list[at] = { ...holder, toolCalls: [...(holder.toolCalls ?? []), call] };
}

function toolMessage({ rawId, id, end, resultId }: SeenCall): AgUiMessage {
  const toolCallId = rawId === "" ? id : rawId;
  const message = { id: resultId === undefined || resultId === "" ? crypto.randomUUID() : resultId, role: "tool", toolCallId, content: end === undefined ? "" : contentText(end.content) };
  return end?.kind === "failure" ? { ...message, error: end.message } : message;
}
