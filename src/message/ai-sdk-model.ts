// Owns the parts of the AI SDK's model messages, from v4 (`args`, `result`) to v7 (`input`, `output`), calls and ends in messages of their own.

import { messageOf } from "../core/error.ts";
import { flagMember, listOf, member, recordMember, textMember } from "../core/member.ts";
import { canonicalJson } from "../json/write-json.ts";
import type { EndedCall, Journal } from "./journal.ts";

/** Reads one part; says whether it is one of this dialect. */
export function readModelPart(type: string, part: unknown, path: string, journal: Journal): boolean {
  const id = textMember(part, "toolCallId") ?? "";
  const name = textMember(part, "toolName") ?? "";
  switch (type) {
    case "tool-call":
      journal.call({ id, name, args: argumentsOf(part), providerExecuted: flagMember(part, "providerExecuted"), ...(flagMember(part, "invalid") && { refused: errorText(member(part, "error")) }) });
      return true;
    case "tool-result": {
      const output = recordMember(part, "output");
      if (member(output, "type") === "execution-denied") journal.decide({ approved: false, callId: id, name, reason: textMember(output, "reason") }, path);
      else journal.end({ id, name, ...outputOf(part), providerExecuted: flagMember(part, "providerExecuted") }, path);
      return true;
    }
    case "tool-error":
      journal.end({ id, name, error: errorText(member(part, "error")) }, path);
      return true;
    case "tool-approval-request": {
      const call = recordMember(part, "toolCall") ?? part;
      // Where a policy decides, nobody is asked; the decision follows.
      if (!flagMember(part, "isAutomatic")) {
        journal.ask(textMember(call, "toolCallId") ?? "", { id: textMember(part, "approvalId"), reason: textMember(part, "reason"), name: textMember(call, "toolName"), args: argumentsOf(call) });
      }
      return true;
    }
    case "tool-approval-response":
      journal.decide({ approved: flagMember(part, "approved"), approvalId: textMember(part, "approvalId"), callId: textMember(recordMember(part, "toolCall"), "toolCallId"), reason: textMember(part, "reason") }, path);
      return true;
    default:
      return false;
  }
}

function argumentsOf(part: unknown): { readonly value: unknown } {
  return { value: member(part, "input") ?? member(part, "args") };
}

/** What came back: typed since v5, plain before and in the content of a step. */
function outputOf(part: unknown): Pick<EndedCall, "result" | "error"> {
  const output = member(part, "output");
  const value = member(output, "value");
  switch (member(output, "type")) {
    case "text":
    case "json":
      return { result: { value } };
    case "error-text":
    case "error-json":
      return { error: errorText(value) };
    case "content": {
      const parts = listOf(value);
      return { result: { value: parts ?? value } };
    }
    default: {
      const plain = output === undefined ? member(part, "result") : output;
      return flagMember(part, "isError") ? { error: errorText(plain), result: { value: plain } } : { result: { value: plain } };
    }
  }
}

/** The text of an error: itself, its message, or what it is as JSON. */
export function errorText(error: unknown): string {
  if (typeof error === "string") return error;
  const message = textMember(error, "message");
  if (message !== undefined && message !== "") return message;
  if (error === undefined || error === null) return "";
  try {
    return canonicalJson(error);
  } catch {
    return messageOf(error);
  }
}
