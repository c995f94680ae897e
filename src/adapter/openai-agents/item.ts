// Owns the items of a run: messages, calls, their outputs, requests for approval and handoffs. Each is read once, by shape, into one union.

import { listMember, member, textMember } from "../../core/member.ts";
import { hostedArguments, hostedEnd, hostedName, type HostedEnd } from "./hosted.ts";

export interface CallItem {
  readonly kind: "call";
  readonly rawId: string;
  readonly toolName: string;
  readonly arguments: { readonly text: string } | { readonly value: unknown };
  /** The item as the SDK holds it; the SDK hands the same object to whoever watches a nested agent. */
  readonly raw: object;
  /** The agent whose model made the call. */
  readonly agent: unknown;
  /** The program whose code made the call. */
  readonly callerId?: string | undefined;
  readonly handoff: boolean;
  readonly providerExecuted: boolean;
  /** Set where the call came with its end. */
  readonly end?: HostedEnd | undefined;
  /** The approval that somebody gave for it, where the provider asked. */
  readonly approvalId?: string | undefined;
}

export interface OutputItem {
  readonly kind: "output";
  readonly rawId: string;
  readonly toolName?: string | undefined;
  /** What the tool gave back, where the SDK still has it as a value. */
  readonly value?: { readonly of: unknown } | undefined;
  /** The text that the model was shown, where it was one. */
  readonly text?: string | undefined;
  /** What the model was shown, in whatever form. */
  readonly shown: unknown;
  /** The SDK says that the tool's code ran. */
  readonly executed: boolean;
  readonly status?: string | undefined;
  readonly exitError: boolean;
  /** It came from the model's provider, not from a tool of the application. */
  readonly providerExecuted: boolean;
  /** The name of the agent that a handoff went to. */
  readonly handedTo?: string | undefined;
  readonly handedFrom?: string | undefined;
}

export interface ApprovalItem {
  readonly kind: "approval";
  readonly rawId: string;
  readonly toolName: string;
  readonly arguments: { readonly text: string } | { readonly value: unknown };
  readonly raw: object;
}

export type RunItem =
  | { readonly kind: "message"; readonly text: string }
  | CallItem
  | OutputItem
  | ApprovalItem
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly type: string };

const NONE: RunItem = { kind: "none" };

/** Known, and of no weight as evidence. */
const WEIGHTLESS: ReadonlySet<string> = new Set(["input_item", "reasoning_item", "compaction_item"]);

/** An approval of the provider's is asked for by an item of its own; a list of a server's tools is no call. */
const NO_CALLS: ReadonlySet<string> = new Set(["mcp_approval_request", "mcp_list_tools"]);

function rawOf(item: unknown): object {
  const raw = member(item, "rawItem");
  return typeof raw === "object" && raw !== null ? raw : {};
}

/** The call's id: that of the call where it has one, else that of the item. */
function idOf(raw: unknown): string {
  return textMember(raw, "callId") ?? textMember(raw, "call_id") ?? textMember(raw, "id") ?? "";
}

function isFunction(raw: unknown): boolean {
  return textMember(raw, "type") === "function_call";
}

function callItem(item: unknown, handoff: boolean): CallItem {
  const raw = rawOf(item);
  const type = textMember(raw, "type");
  const caller = member(raw, "caller");
  const providerExecuted = type === "hosted_tool_call";
  return {
    kind: "call",
    rawId: idOf(raw),
    toolName: isFunction(raw) ? (textMember(raw, "name") ?? "") : type === "program" ? "programmatic_tool_calling" : hostedName(raw),
    arguments: hostedArguments(raw),
    raw,
    agent: member(item, "agent"),
    callerId: textMember(caller, "callerId"),
    handoff,
    providerExecuted,
    end: providerExecuted ? hostedEnd(raw) : undefined,
    approvalId: textMember(member(raw, "providerData"), "approval_request_id"),
  };
}

function outputItem(item: unknown): OutputItem {
  const raw = rawOf(item);
  const type = textMember(raw, "type");
  const shown = member(raw, "output");
  const executed = textMember(item, "executionStatus") === "executed";
  const own = typeof item === "object" && item !== null && "output" in item;
  return {
    kind: "output",
    rawId: idOf(raw),
    toolName: textMember(raw, "name"),
    value: own ? { of: member(item, "output") } : undefined,
    text: typeof shown === "string" ? shown : textMember(shown, "text"),
    shown,
    executed,
    status: textMember(raw, "status"),
    exitError: type === "apply_patch_call_output" && textMember(raw, "status") === "failed",
    // A shell of the application is executed by the SDK, which then says so.
    providerExecuted: type === "program_output" || type === "tool_search_output" || (type === "shell_call_output" && !executed),
    handedTo: textMember(member(item, "targetAgent"), "name"),
    handedFrom: textMember(member(item, "sourceAgent"), "name"),
  };
}

function messageText(item: unknown): string {
  const parts = listMember(rawOf(item), "content") ?? [];
  return parts.map((part) => (textMember(part, "type") === "output_text" ? (textMember(part, "text") ?? "") : "")).join("");
}

/** Never throws: what cannot be read is an unknown item. */
export function readItem(item: unknown): RunItem {
  const type = textMember(item, "type");
  const raw = rawOf(item);
  switch (type) {
    case undefined:
      return { kind: "unknown", type: item === null ? "null" : typeof item };
    case "message_output_item":
      return { kind: "message", text: messageText(item) };
    case "tool_call_item":
      return NO_CALLS.has(textMember(raw, "name") ?? "") && !isFunction(raw) ? NONE : callItem(item, false);
    case "tool_search_call_item":
      return callItem(item, false);
    case "handoff_call_item":
      return callItem(item, true);
    case "tool_call_output_item":
    case "tool_search_output_item":
    case "handoff_output_item":
      return outputItem(item);
    case "tool_approval_item":
      return {
        kind: "approval",
        rawId: idOf(raw),
        toolName: isFunction(raw) ? (textMember(raw, "name") ?? textMember(item, "toolName") ?? "") : (textMember(item, "toolName") ?? hostedName(raw)),
        arguments: hostedArguments(raw),
        raw,
      };
    default:
      return WEIGHTLESS.has(type) ? NONE : { kind: "unknown", type };
  }
}

/** True for an item that a model's response brought, so that whatever came before it belongs to earlier ones. */
export function isOfModel(item: RunItem): boolean {
  return item.kind === "message" || item.kind === "call" || (item.kind === "output" && item.providerExecuted);
}
