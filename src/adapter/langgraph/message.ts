// Owns the reading of LangChain's messages, by shape: instances, their serialized forms, and plain objects with a role. One message, or one
// piece of one, becomes what it says: text, reasoning, calls, ends of calls and usage, each apart.

import type { Usage } from "../../core/usage.ts";
import { countMember, listMember, listOf, member, namesOf, recordMember, recordOf, textMember } from "../../core/member.ts";
import { serverCalls, type ServerCall, type ServerEnd } from "./server-tool.ts";

export interface ReadCall {
  /** Empty where there is none. */
  readonly rawId: string;
  readonly toolName: string;
  /** The arguments as LangChain parsed them. */
  readonly args: unknown;
  /** What the model wrote, where the message holds it. */
  readonly text?: string | undefined;
  /** Set where LangChain could not parse the arguments: such a call is never run. */
  readonly invalid?: { readonly error: string } | undefined;
}

/** A part of a call that is still being written. */
export interface CallPiece {
  readonly index: number | string | undefined;
  readonly rawId: string;
  readonly toolName: string;
  readonly text: string;
}

export interface ReadMessage {
  readonly kind: "ai" | "tool" | "other";
  readonly id: string | undefined;
  /** A piece of a message that is streamed. */
  readonly piece: boolean;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ReadCall[];
  readonly pieces: readonly CallPiece[];
  readonly serverCalls: readonly ServerCall[];
  readonly serverEnds: readonly ServerEnd[];
  readonly usage?: Usage | undefined;
  readonly finishReason?: string | undefined;
  /** Of a tool's message. */
  readonly toolCallId: string;
  readonly toolName: string | undefined;
  readonly failed: boolean;
  /** What a tool gave back, as the model is told it. */
  readonly content: unknown;
}

const KINDS: ReadonlyMap<string, ReadMessage["kind"]> = new Map([
  ["ai", "ai"], ["assistant", "ai"], ["AIMessage", "ai"], ["AIMessageChunk", "ai"],
  ["tool", "tool"], ["ToolMessage", "tool"], ["ToolMessageChunk", "tool"],
  ["human", "other"], ["user", "other"], ["HumanMessage", "other"], ["HumanMessageChunk", "other"],
  ["system", "other"], ["developer", "other"], ["SystemMessage", "other"], ["SystemMessageChunk", "other"],
  ["remove", "other"], ["RemoveMessage", "other"], ["function", "other"], ["generic", "other"], ["chat", "other"],
]);

/** What an instance says of itself; its method may throw. */
function saidType(value: unknown): string | undefined {
  for (const name of ["getType", "_getType"]) {
    const method = member(value, name);
    if (typeof method !== "function") continue;
    try {
      const type: unknown = method.call(value);
      if (typeof type === "string") return type;
    } catch {
      // Something that only looks like a message.
    }
  }
  return undefined;
}

/** The members of a serialized message lie one level down. */
function unwrapped(value: unknown): { readonly body: unknown; readonly type: string | undefined } {
  const ids = listMember(value, "id");
  const kwargs = recordMember(value, "kwargs");
  if (kwargs !== undefined && ids !== undefined) {
    const last = ids.at(-1);
    return { body: kwargs, type: typeof last === "string" ? last : undefined };
  }
  const data = recordMember(value, "data");
  if (data !== undefined && typeof member(value, "type") === "string" && member(value, "content") === undefined) return { body: data, type: textMember(value, "type") };
  return { body: value, type: saidType(value) ?? textMember(value, "type") ?? textMember(value, "role") };
}

function blocksOf(content: unknown): readonly unknown[] {
  return listOf(content) ?? [];
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return blocksOf(content)
    .map((block) => (typeof block === "string" ? block : ["text", "output_text", "text_delta"].includes(textMember(block, "type") ?? "") ? (textMember(block, "text") ?? "") : ""))
    .join("");
}

/** Providers put what a model thought into different members; none of it is what the model said. */
function reasoningOf(body: unknown): string {
  const kwargs = member(body, "additional_kwargs");
  const summary = (value: unknown): string => (listMember(value, "summary") ?? []).map((part) => textMember(part, "text") ?? "").join("");
  const blocks = blocksOf(member(body, "content")).map((block) => {
    const type = textMember(block, "type");
    if (type === "thinking") return textMember(block, "thinking") ?? "";
    if (type === "reasoning_content") return textMember(block, "reasoningText") ?? textMember(recordMember(block, "reasoningText"), "text") ?? "";
    return type === "reasoning" ? (textMember(block, "reasoning") ?? textMember(block, "text") ?? summary(block)) : "";
  });
  return [textMember(kwargs, "reasoning_content") ?? textMember(kwargs, "reasoning") ?? summary(member(kwargs, "reasoning")), ...blocks].join("");
}

function usageOf(body: unknown): Usage | undefined {
  const usage = member(body, "usage_metadata");
  const inputTokens = countMember(usage, "input_tokens");
  const outputTokens = countMember(usage, "output_tokens");
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const reasoningTokens = countMember(member(usage, "output_token_details"), "reasoning");
  const cachedInputTokens = countMember(member(usage, "input_token_details"), "cache_read");
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
  };
}

function piecesOf(body: unknown): readonly CallPiece[] {
  return (listMember(body, "tool_call_chunks") ?? []).map((piece) => {
    const index = member(piece, "index");
    return {
      index: typeof index === "number" || typeof index === "string" ? index : undefined,
      rawId: textMember(piece, "id") ?? "",
      toolName: textMember(piece, "name") ?? "",
      text: textMember(piece, "args") ?? "",
    };
  });
}

/** What the model wrote for each call of a whole message, by the call's id. */
function writtenArguments(body: unknown, pieces: readonly CallPiece[]): ReadonlyMap<string, string> {
  const written = new Map<string, string>();
  for (const call of listMember(member(body, "additional_kwargs"), "tool_calls") ?? []) {
    const text = textMember(member(call, "function"), "arguments");
    const id = textMember(call, "id");
    if (id !== undefined && text !== undefined) written.set(id, text);
  }
  for (const { rawId, text } of pieces) if (rawId !== "") written.set(rawId, text);
  return written;
}

function callsOf(body: unknown, pieces: readonly CallPiece[]): readonly ReadCall[] {
  const written = writtenArguments(body, pieces);
  const read = (call: unknown, invalid: boolean): ReadCall => {
    const rawId = textMember(call, "id") ?? "";
    const args = member(call, "args");
    const text = written.get(rawId) ?? (invalid && typeof args === "string" ? args : undefined);
    return {
      rawId,
      toolName: textMember(call, "name") ?? "",
      args,
      ...(text === undefined ? {} : { text }),
      ...(invalid ? { invalid: { error: textMember(call, "error") ?? "the arguments could not be read" } } : {}),
    };
  };
  return [...(listMember(body, "tool_calls") ?? []).map((call) => read(call, false)), ...(listMember(body, "invalid_tool_calls") ?? []).map((call) => read(call, true))];
}

/** Why a model stopped, under the names that providers give it. */
export function finishReasonOf(metadata: unknown): string | undefined {
  for (const name of ["finish_reason", "stop_reason", "finishReason", "stopReason"]) {
    const reason = textMember(metadata, name);
    if (reason !== undefined) return reason;
  }
  return textMember(recordMember(metadata, "incomplete_details"), "reason");
}

/** Reads a message; `undefined` for anything else. `streamed` says that a piece of one may come. Never throws. */
export function readMessage(value: unknown, streamed: boolean): ReadMessage | undefined {
  if (recordOf(value) === undefined) return undefined;
  const { body, type } = unwrapped(value);
  const kind = type === undefined ? undefined : KINDS.get(type);
  // A node's own state may have a `type`, but a message has content.
  if (kind === undefined || (member(body, "content") === undefined && listMember(body, "tool_calls") === undefined && listMember(body, "tool_call_chunks") === undefined)) return undefined;
  const content = member(body, "content");
  const pieces = kind === "ai" ? piecesOf(body) : [];
  const piece = streamed && kind === "ai" && (type === "AIMessageChunk" || listMember(body, "tool_call_chunks") !== undefined);
  const server = kind === "ai" ? serverCalls(body) : { calls: [], ends: [] };
  return {
    kind,
    id: textMember(body, "id"),
    piece,
    text: kind === "ai" ? textOf(content) : "",
    reasoning: kind === "ai" ? reasoningOf(body) : "",
    calls: kind === "ai" && !piece ? callsOf(body, pieces) : [],
    pieces,
    serverCalls: server.calls,
    serverEnds: server.ends,
    usage: kind === "ai" ? usageOf(body) : undefined,
    finishReason: kind === "ai" ? finishReasonOf(member(body, "response_metadata")) : undefined,
    toolCallId: textMember(body, "tool_call_id") ?? "",
    toolName: textMember(body, "name"),
    failed: textMember(body, "status") === "error",
    content,
  };
}

const MAX_DEPTH = 4;

/** True for an instance or its serialized form, which cannot be taken for data that a node happens to keep. */
function isInstance(value: unknown): boolean {
  return saidType(value) !== undefined || (recordMember(value, "kwargs") !== undefined && listMember(value, "id") !== undefined);
}

/**
 * The messages that a node wrote, in their order: instances wherever they stand in its update; plain objects with a role only where the
 * update is messages, or holds them under a name that says so.
 */
export function messagesWithin(value: unknown, plain = true, depth = 0): readonly ReadMessage[] {
  const message = plain || isInstance(value) ? readMessage(value, false) : undefined;
  if (message !== undefined) return [message];
  if (depth >= MAX_DEPTH) return [];
  const items = listOf(value);
  if (items !== undefined) return items.flatMap((item) => messagesWithin(item, plain, depth + 1));
  if (recordOf(value) === undefined) return [];
  // A command carries its update.
  if (textMember(value, "lg_name") === "Command") return messagesWithin(member(value, "update"), true, depth + 1);
  return namesOf(value).flatMap((name) => messagesWithin(member(value, name), /messages$/i.test(name), depth + 1));
}
