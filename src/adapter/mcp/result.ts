// Owns what a result of an MCP tool means as evidence: its structured content, its failure, and how much of a bounded result came back.

import type { Bounds, FailureKind, ToolFailure } from "../../core/evidence.ts";
import { countMember, isError, listMember, listOf, member, namesOf, recordMember, recordOf, textMember } from "../../core/member.ts";
import { valueOf } from "../../json/json-value.ts";
import { readJson } from "../../json/read-json.ts";

/** The end of a call, as the members of a `tool_end`: `{ type: "tool_end", toolCallId, toolName, ...fromMcpResult(result) }`. */
export interface McpCallEnd {
  /** Absent where the call failed. */
  readonly result?: unknown;
  /** The text that `result` was read from, where it was one: it keeps every digit. */
  readonly resultJson?: string;
  readonly failure?: ToolFailure;
  readonly bounds?: Bounds;
}

export interface McpResultOptions {
  /** Says what kind of failure an `isError` result is. MCP itself says it only of a call that was refused for its arguments or its name. */
  readonly failureKind?: ((result: unknown) => FailureKind | undefined) | undefined;
  /** Reads how much of a bounded result came back, where its members are called otherwise than below. */
  readonly bounds?: ((result: unknown) => Bounds | undefined) | undefined;
}

/** True for what a server answers to `tools/call`. */
export function isMcpResult(value: unknown): boolean {
  if (recordOf(value) === undefined) return false;
  const content = listMember(value, "content");
  if (content === undefined) return recordMember(value, "structuredContent") !== undefined && namesOf(value).every((name) => ["structuredContent", "isError", "_meta"].includes(name));
  return content.every((block) => textMember(block, "type") !== undefined);
}

/**
 * Reads a result of `tools/call`. `result` is the structured content where there is one; else the text of its only block, read as JSON where it is
 * an object or a list; else the blocks. An `isError` is a failure with the text of its blocks; a JSON-RPC error, or the `McpError` that a client throws,
 * is one of the kind that its code says. Paging is read from `_meta.bounds` or the structured content: `returned`, `total`, `truncated` or `hasMore`,
 * `nextCursor`, `refinementHint`, in camel or snake case; where the number returned is not said, it is the length of the only list. A total larger
 * than that number counts as cut where nothing else is said: give `bounds` for a server whose last page says the total of all pages. A value that is
 * no result of MCP is its own result.
 */
export function fromMcpResult(result: unknown, options: McpResultOptions = {}): McpCallEnd {
  const error = isError(result) ? result : recordMember(result, "error");
  if (error !== undefined && (isError(result) || !isMcpResult(result))) {
    const code = member(error, "code");
    if (Number.isInteger(code)) return { failure: { kind: options.failureKind?.(result) ?? kindOfCode(code as number), error: { message: orElse(textMember(error, "message")) } } };
  }
  if (!isMcpResult(result)) return { result };
  if (member(result, "isError") === true) return { failure: failureOf(result, options) };
  const read = contentOf(result);
  const bounds = options.bounds === undefined ? boundsOf(result, read.result) : options.bounds(result);
  return { ...read, ...(bounds === undefined ? {} : { bounds }) };
}

function contentOf(result: unknown): { readonly result: unknown; readonly resultJson?: string } {
  const structured = member(result, "structuredContent");
  if (structured !== undefined && structured !== null) return { result: structured };
  const blocks = listMember(result, "content") ?? [];
  const only = blocks.length === 1 && textMember(blocks[0], "type") === "text" ? textMember(blocks[0], "text") : undefined;
  if (only === undefined) return { result: blocks };
  if (!/^\s*[{[]/.test(only)) return { result: only };
  try {
    return { result: valueOf(readJson(only)), resultJson: only };
  } catch {
    // A text that only begins like JSON.
    return { result: only };
  }
}

/** What the SDK writes before the message of a call that the protocol itself refused. */
const REFUSED = /^MCP error (-?\d+): /;

function failureOf(result: unknown, { failureKind }: McpResultOptions): ToolFailure {
  const texts = (listMember(result, "content") ?? []).flatMap((block) => textMember(block, "text") ?? []);
  const message = orElse(texts.join("\n") || structuredMessage(member(result, "structuredContent")));
  const code = REFUSED.exec(message)?.[1];
  return { kind: failureKind?.(result) ?? (code === undefined ? "unknown" : kindOfCode(Number(code))), error: { message } };
}

function structuredMessage(content: unknown): string {
  return textMember(content, "message") ?? textMember(content, "error") ?? textMember(member(content, "error"), "message") ?? "";
}

function orElse(message: string | undefined): string {
  return message === undefined || message === "" ? "the tool failed without saying why" : message;
}

/** JSON-RPC's codes, and those of the SDK's clients. */
function kindOfCode(code: number): FailureKind {
  switch (code) {
    case -32602:
    case -32601:
    case -32600:
    case -32700:
      return "invalid_call";
    case -32603:
      return "internal";
    case -32001:
      return "timeout";
    case -32000:
      return "unavailable";
    default:
      return "unknown";
  }
}

/** A member in camel or snake case. */
function either(value: unknown, camel: string): unknown {
  return member(value, camel) ?? member(value, camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

function boundsOf(result: unknown, content: unknown): Bounds | undefined {
  const said = recordMember(member(result, "_meta"), "bounds");
  const from = said ?? recordOf(content);
  if (from === undefined) return undefined;
  const cursor = textOf(either(from, "nextCursor"));
  const total = countOf(from, "total") ?? countOf(from, "totalCount");
  const hasMore = either(from, "hasMore");
  const cut = member(from, "truncated");
  // Nothing speaks of pages: the result is not a bounded one.
  if (said === undefined && cursor === undefined && total === undefined && typeof hasMore !== "boolean" && typeof cut !== "boolean") return undefined;
  const returned = countOf(from, "returned") ?? lengthOfOnlyList(content);
  if (returned === undefined) return undefined;
  const hint = textOf(either(from, "refinementHint"));
  const truncated = typeof cut === "boolean" ? cut : hasMore === true || cursor !== undefined || (total !== undefined && total > returned && hasMore !== false);
  return {
    returned,
    ...(total === undefined ? {} : { total }),
    truncated,
    ...(cursor === undefined ? {} : { nextCursor: cursor }),
    ...(hint === undefined ? {} : { refinementHint: hint }),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function countOf(value: unknown, camel: string): number | undefined {
  return countMember(value, camel) ?? countMember(value, camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

function lengthOfOnlyList(content: unknown): number | undefined {
  const own = listOf(content);
  if (own !== undefined) return own.length;
  const lists = namesOf(content).flatMap((name) => {
    const list = listMember(content, name);
    return list === undefined ? [] : [list.length];
  });
  return lists.length === 1 ? lists[0] : undefined;
}
