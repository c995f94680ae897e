// Owns the messages that spans record: those of the GenAI conventions, and the choices and calls that older instrumentations wrote.

import { listMember, listOf, member, namesOf, recordMember, recordOf, textMember } from "../../core/member.ts";
import type { Warnings } from "./warning.ts";

/** Arguments and results as a span holds them: JSON as text, or a value. */
export type Content = { readonly text: string } | { readonly value: unknown };

export interface IssuedCall {
  /** Empty where it is not said. */
  readonly id: string;
  readonly name: string;
  readonly args: Content | undefined;
  /** The model's provider runs it. */
  readonly server: boolean;
}

export interface CallResponse {
  readonly id: string;
  readonly response: Content | undefined;
  /** The response tells that the call failed; absent where it tells nothing of that. */
  readonly failed?: true;
}

/** What a model, or an agent, said in one go. */
export interface Spoken {
  readonly text: string;
  readonly calls: readonly IssuedCall[];
  readonly responses: readonly CallResponse[];
  readonly finishReason: string | undefined;
}

/** Known, and neither text, nor a call, nor its response. */
const WEIGHTLESS: ReadonlySet<string> = new Set(["reasoning", "thinking", "blob", "file", "uri", "image", "custom", "source", "reasoning-file", "tool_approval_request", "tool_approval_response", "tool-approval-request", "tool-approval-response", "tool-call", "compaction"]);

export function contentOf(value: unknown): Content | undefined {
  return value === undefined ? undefined : typeof value === "string" ? { text: value } : { value };
}

/** The members of `of` but for `without`: a provider's tool has its arguments beside its type. */
function membersBut(of: unknown, without: string): Content | undefined {
  if (recordOf(of) === undefined) return undefined;
  return { value: Object.fromEntries(namesOf(of).filter((name) => name !== without).map((name) => [name, member(of, name)])) };
}

/** A list, or the JSON text of one; `undefined` for anything else. */
export function listFrom(messages: unknown): readonly unknown[] | undefined {
  if (typeof messages !== "string") return listOf(messages) ?? (recordOf(messages) === undefined ? undefined : [messages]);
  try {
    return listFrom(JSON.parse(messages) as object);
  } catch {
    return undefined;
  }
}

interface Reading {
  text: string;
  readonly calls: IssuedCall[];
  readonly responses: CallResponse[];
}

function readPart(part: unknown, into: Reading, warnings: Warnings): void {
  const type = textMember(part, "type");
  const id = textMember(part, "id") ?? "";
  switch (type ?? "") {
    case "text":
    case "output_text":
      into.text += textMember(part, "content") ?? textMember(part, "text") ?? "";
      return;
    case "tool_call":
      into.calls.push({ id, name: textMember(part, "name") ?? "", args: contentOf(member(part, "arguments") ?? undefined), server: false });
      return;
    case "server_tool_call":
      into.calls.push({ id, name: textMember(part, "name") ?? "", args: membersBut(member(part, "server_tool_call"), "type"), server: true });
      return;
    case "tool_call_response":
      // `result` until version 1.38 of the conventions.
      into.responses.push({ id, response: contentOf(member(part, "response") ?? member(part, "result") ?? undefined) });
      return;
    // The messages of a model, as the AI SDK's older spans hold them.
    case "tool-result": {
      const output = member(part, "output");
      into.responses.push({ id: textMember(part, "toolCallId") ?? "", response: contentOf(member(output, "value") ?? undefined), ...(textMember(output, "type")?.startsWith("error-") === true ? { failed: true } : {}) });
      return;
    }
    case "server_tool_call_response":
      into.responses.push({ id, response: membersBut(member(part, "server_tool_call_response"), "type") });
      return;
    default:
      if (type === undefined || !WEIGHTLESS.has(type)) warnings.add("part_unknown", `a part of a message was left out: its type is ${JSON.stringify(type ?? null)}`);
  }
}

/** A call in the form of the OpenAI protocol, or in that of the AI SDK's older spans. */
function readCall(call: unknown): IssuedCall {
  const of = recordMember(call, "function") ?? call;
  return {
    id: textMember(call, "id") ?? textMember(call, "toolCallId") ?? "",
    name: textMember(of, "name") ?? textMember(of, "toolName") ?? "",
    args: contentOf(member(of, "arguments") ?? member(of, "input") ?? member(of, "args") ?? undefined),
    server: false,
  };
}

export function readCalls(calls: unknown): readonly IssuedCall[] {
  return (listFrom(calls) ?? []).map(readCall);
}

function readMessage(message: unknown, warnings: Warnings): Spoken {
  const into: Reading = { text: "", calls: [], responses: [] };
  const content = member(message, "content");
  if (typeof content === "string") into.text += content;
  for (const part of listMember(message, "parts") ?? listOf(content) ?? []) readPart(part, into, warnings);
  into.calls.push(...readCalls(member(message, "tool_calls")));
  return { ...into, finishReason: textMember(message, "finish_reason") };
}

const NOTHING: Spoken = { text: "", calls: [], responses: [], finishReason: undefined };

function joined(messages: readonly Spoken[]): Spoken {
  return messages.reduce<Spoken>(
    (all, next) => ({ text: all.text + next.text, calls: [...all.calls, ...next.calls], responses: [...all.responses, ...next.responses], finishReason: next.finishReason ?? all.finishReason }),
    NOTHING,
  );
}

/**
 * What `gen_ai.output.messages` says; `undefined` where it cannot be read: cut off by a limit, or no list. Of several choices the first counts, since
 * an agent goes on with one.
 */
export function readOutput(messages: unknown, choices: number, warnings: Warnings): Spoken | undefined {
  const list = listFrom(messages);
  if (list === undefined) return undefined;
  const said = list.filter((message) => textMember(message, "role") !== "user" && textMember(message, "role") !== "system");
  return joined((choices > 1 ? said.slice(0, 1) : said).map((message) => readMessage(message, warnings)));
}

/** What `gen_ai.choice` events say: each carries its message as members, as JSON, or as the text of `gen_ai.event.content`. */
export function readChoice(attributes: ReadonlyMap<string, unknown>, warnings: Warnings): { readonly index: number; readonly spoken: Spoken } | undefined {
  const content = attributes.get("gen_ai.event.content");
  const of = typeof content === "string" ? listFrom(content)?.[0] : Object.fromEntries(attributes);
  if (recordOf(of) === undefined) return undefined;
  const index = Number(member(of, "index") ?? 0);
  const message = member(of, "message");
  const own = typeof message === "string" ? (listFrom(message)?.[0] ?? { content: message }) : (recordOf(message) ?? of);
  const read = readMessage(own, warnings);
  return { index: Number.isNaN(index) ? 0 : index, spoken: { ...read, finishReason: textMember(of, "finish_reason") ?? read.finishReason } };
}

/** The responses to earlier calls among the messages of a request. */
export function readResponses(messages: unknown, warnings: Warnings): readonly CallResponse[] {
  return (listFrom(messages) ?? []).flatMap((message) => {
    const { responses } = readMessage(message, warnings);
    const id = textMember(message, "tool_call_id");
    // The OpenAI protocol's own message of a tool.
    return id === undefined ? responses : [...responses, { id, response: contentOf(member(message, "content") ?? undefined) }];
  });
}
