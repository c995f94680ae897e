// Owns how calls are written in a diagnostic: a chain of names, one call with its arguments, a list of those that might have been meant.

import type { ToolCall } from "../core/evidence.ts";
import { cut } from "./difference.ts";

const MAX_CHAIN = 40;
const MAX_CANDIDATES = 8;

/** `login -> search -> pay`; `no call` for none. */
export function chain(names: readonly string[]): string {
  if (names.length === 0) return "no call";
  if (names.length <= MAX_CHAIN) return names.join(" -> ");
  const half = MAX_CHAIN / 2;
  return `${names.slice(0, half).join(" -> ")} -> … (${names.length - MAX_CHAIN} more) … -> ${names.slice(-half).join(" -> ")}`;
}

export function namesOf(calls: readonly ToolCall[]): readonly string[] {
  return calls.map((call) => (call.toolName === "" ? "(unnamed)" : call.toolName));
}

/** `call "a" {"q":"shoes"}`. */
export function callText(call: ToolCall): string {
  return `call ${JSON.stringify(call.toolCallId)} ${cut(call.argsJson)}`;
}

/** Each call with why it is not the one: `call "a" {"q":"shoes"}: …, call "b" …`. */
export function candidates(calls: readonly { readonly call: ToolCall; readonly problems: readonly string[] }[]): string {
  const texts = calls.slice(0, MAX_CANDIDATES).map(({ call, problems }) => `${callText(call)}: ${problems.join(" and ")}`);
  return calls.length > texts.length ? `${texts.join(", ")}, and ${calls.length - texts.length} more` : texts.join(", ");
}

/** `2 calls, 1 failed`: how often a tool was called, and how many of those did not succeed, by their fate. */
export function tally(calls: readonly ToolCall[]): string {
  const failed = calls.filter((call) => call.failure !== undefined).length;
  const denied = calls.filter((call) => call.failure === undefined && call.approval === "denied").length;
  const open = calls.filter((call) => !call.completed && call.approval !== "denied").length;
  const parts = [`${calls.length} ${calls.length === 1 ? "call" : "calls"}`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (denied > 0) parts.push(`${denied} denied`);
  if (open > 0) parts.push(`${open} without a result`);
  return parts.join(", ");
}
