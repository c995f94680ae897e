// Owns the calls that are no function calls: those that the provider executes itself, and the built-in tools that act through items of their own.

import type { FailureCause } from "../../core/evidence.ts";
import { listMember, member, namesOf, recordMember, textMember } from "../../core/member.ts";

/** How a call that came whole has ended. */
export type HostedEnd = { readonly kind: "result"; readonly given: boolean; readonly value: unknown } | { readonly kind: "failure"; readonly error: FailureCause };

/** Members of a hosted call's data that are not what the tool was asked. */
const NOT_ARGUMENTS: ReadonlySet<string> = new Set(["type", "id", "status", "name", "arguments", "server_label", "approval_request_id", "error", "output", "outputs", "result", "results", "caller"]);

/** The name that the model calls: a tool of an MCP server by its own, a hosted tool by the name of its kind (`web_search_call` is a call of `web_search`). */
export function hostedName(raw: unknown): string {
  const data = member(raw, "providerData");
  const type = textMember(data, "type") ?? textMember(raw, "name") ?? "";
  if (type === "mcp_call" || type === "mcp_approval_request") return textMember(data, "name") ?? type;
  const kind = textMember(raw, "type") === "hosted_tool_call" ? (textMember(raw, "name") ?? type) : (textMember(raw, "type") ?? "");
  return kind.replace(/_call$/, "");
}

/** What the tool was asked: text as the model wrote it, or the members that say it. */
export function hostedArguments(raw: unknown): { readonly text: string } | { readonly value: unknown } {
  const data = member(raw, "providerData");
  const text = textMember(raw, "arguments") ?? textMember(data, "arguments");
  if (text !== undefined) return { text };
  const own = member(raw, "arguments");
  if (own !== undefined) return { value: own };
  for (const name of ["action", "actions", "operation"]) {
    const asked = recordMember(raw, name) ?? listMember(raw, name) ?? recordMember(data, name);
    if (asked !== undefined) return { value: asked };
  }
  const code = textMember(raw, "code");
  if (code !== undefined) return { value: { code } };
  return { value: Object.fromEntries(namesOf(data).filter((name) => !NOT_ARGUMENTS.has(name)).map((name) => [name, member(data, name)])) };
}

/** The end of a hosted call, which comes whole; `undefined` where it has none yet. */
export function hostedEnd(raw: unknown): HostedEnd | undefined {
  const data = member(raw, "providerData");
  const error = member(data, "error");
  const status = textMember(data, "status") ?? textMember(raw, "status");
  if ((error !== undefined && error !== null) || status === "failed") {
    return { kind: "failure", error: { message: textMember(error, "message") ?? (typeof error === "string" && error !== "" ? error : "the provider says that the call failed") } };
  }
  const output = member(raw, "output") ?? member(data, "results") ?? member(data, "outputs") ?? member(data, "result");
  if (output !== undefined && output !== null) return { kind: "result", given: true, value: output };
  return status === "completed" ? { kind: "result", given: false, value: undefined } : undefined;
}
