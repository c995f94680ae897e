// Owns the tools that a model's provider runs by itself: their calls and their ends, as the content of a message tells them.

import { flagMember, listMember, listOf, member, recordMember, textMember } from "../../core/member.ts";

export interface ServerCall {
  readonly rawId: string;
  readonly toolName: string;
  readonly args: unknown;
  /** What the model wrote, where the message holds it. */
  readonly text?: string | undefined;
}

export interface ServerEnd {
  readonly rawId: string;
  readonly value: unknown;
  readonly failed: boolean;
}

interface ServerCalls {
  readonly calls: readonly ServerCall[];
  readonly ends: readonly ServerEnd[];
}

/** A content block of Anthropic's, or one of LangChain's standard blocks. The end may stand in a later message than its call. */
function readBlock(block: unknown, calls: ServerCall[], ends: ServerEnd[]): void {
  const type = textMember(block, "type") ?? "";
  if (type === "server_tool_use" || type === "mcp_tool_use") {
    calls.push({ rawId: textMember(block, "id") ?? "", toolName: textMember(block, "name") ?? "", ...written(member(block, "input")) });
  } else if (type === "server_tool_call") {
    calls.push({ rawId: textMember(block, "id") ?? "", toolName: textMember(block, "name") ?? "", ...written(member(block, "args")) });
  } else if (type === "server_tool_call_result") {
    ends.push({ rawId: textMember(block, "toolCallId") ?? textMember(block, "tool_call_id") ?? "", value: member(block, "output"), failed: textMember(block, "status") === "error" });
  } else if (type.endsWith("_tool_result")) {
    const content = member(block, "content");
    const failed = flagMember(block, "is_error") || textMember(content, "type")?.endsWith("_error") === true;
    ends.push({ rawId: textMember(block, "tool_use_id") ?? "", value: content, failed });
  }
}

function written(input: unknown): Pick<ServerCall, "args" | "text"> {
  return typeof input === "string" ? { args: undefined, text: input } : { args: input };
}

/** What only describes an item of OpenAI's Responses API, and is neither its arguments nor its result. */
const FRAME: ReadonlySet<string> = new Set(["type", "id", "status", "index", "outputs", "output", "results", "result", "error", "name", "server_label", "arguments", "action", "container_id"]);

/** An item of OpenAI's Responses API: the call and its end in one. */
function readItem(item: unknown, calls: ServerCall[], ends: ServerEnd[]): void {
  const type = textMember(item, "type") ?? "";
  const rawId = textMember(item, "id") ?? "";
  if (!type.endsWith("_call") || rawId === "") return;
  const text = textMember(item, "arguments");
  const args = member(item, "action") ?? Object.fromEntries(Object.keys(item as object).filter((name) => !FRAME.has(name)).map((name) => [name, member(item, name)]));
  calls.push({ rawId, toolName: textMember(item, "name") ?? type.slice(0, -"_call".length), ...(text === undefined ? { args } : { args: undefined, text }) });
  const error = member(item, "error");
  const status = textMember(item, "status");
  if (status === "failed" || status === "incomplete" || (error !== undefined && error !== null)) {
    ends.push({ rawId, value: error ?? `the provider says that the call is ${status ?? "broken"}`, failed: true });
  } else if (status === "completed" || member(item, "output") !== undefined) {
    const value = ["outputs", "output", "results", "result"].map((name) => member(item, name)).find((found) => found !== undefined && found !== null);
    ends.push({ rawId, value: value ?? { status }, failed: false });
  }
}

/** The calls that the provider ran itself, and those ends of such calls that this message holds. */
export function serverCalls(message: unknown): ServerCalls {
  const calls: ServerCall[] = [];
  const ends: ServerEnd[] = [];
  for (const block of listOf(member(message, "content")) ?? []) readBlock(block, calls, ends);
  for (const item of listMember(recordMember(message, "additional_kwargs"), "tool_outputs") ?? []) readItem(item, calls, ends);
  return { calls, ends };
}
