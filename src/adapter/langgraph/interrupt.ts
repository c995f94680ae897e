// Owns interrupts: what the graph asks for when it stops, which calls that names, and what an answer to it decides.

import { decisionIn } from "../../core/decision.ts";
import { listMember, listOf, member, recordMember, recordOf, textMember } from "../../core/member.ts";
import { wireSafe } from "../../core/wire-safe.ts";

export interface Interrupt {
  /** The graph's own id for it, where there is one. */
  readonly id?: string | undefined;
  /** What the graph asks, as it was given to `interrupt()`. */
  readonly value: unknown;
}

export function readInterrupts(value: unknown): readonly Interrupt[] {
  return (listOf(value) ?? []).flatMap((item) => {
    if (recordOf(item) === undefined) return [];
    const id = textMember(item, "id") ?? textMember(item, "interrupt_id");
    return [{ ...(id === undefined ? {} : { id }), value: member(item, "value") }];
  });
}

/** A call, as far as an interrupt says which it means. */
export interface NamedCall {
  readonly rawId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly args?: unknown;
  /** What is asked about this call, in its own words. */
  readonly prompt?: string | undefined;
}

const PROMPTS = ["description", "question", "message", "prompt", "text"] as const;

function first(value: unknown, names: readonly string[]): unknown {
  return names.map((name) => member(value, name)).find((found) => found !== undefined && found !== null);
}

function firstText(value: unknown, names: readonly string[]): string | undefined {
  return names.map((name) => textMember(value, name)).find((found) => found !== undefined && found !== "");
}

/**
 * The calls that an interrupt names: `actionRequests` of LangChain's middleware, `action_request` of LangGraph's own form, a `tool_call`, or
 * a value with a call's id, its tool or its action.
 */
export function namedCalls(value: unknown): readonly NamedCall[] {
  const items = listOf(value);
  if (items !== undefined) return items.flatMap(namedCalls);
  if (recordOf(value) === undefined) return [];
  const several = listMember(value, "actionRequests") ?? listMember(value, "action_requests") ?? listMember(value, "tool_calls") ?? listMember(value, "toolCalls");
  if (several !== undefined) return several.flatMap(namedCalls);
  const inner = recordMember(value, "action_request") ?? recordMember(value, "actionRequest") ?? recordMember(value, "tool_call") ?? recordMember(value, "toolCall");
  const prompt = firstText(value, PROMPTS);
  if (inner !== undefined) return namedCalls(inner).map((call) => ({ ...(prompt === undefined ? {} : { prompt }), ...call }));
  const rawId = firstText(value, ["tool_call_id", "toolCallId"]) ?? (textMember(value, "type") === "tool_call" ? textMember(value, "id") : undefined);
  const toolName = firstText(value, ["toolName", "tool_name", "tool", "name", "action"]);
  const args = first(value, ["args", "arguments", "toolInput", "tool_input", "input"]);
  if (rawId === undefined && toolName === undefined) return [];
  return [{ ...(rawId === undefined ? {} : { rawId }), ...(toolName === undefined ? {} : { toolName }), ...(args === undefined ? {} : { args }), ...(prompt === undefined ? {} : { prompt }) }];
}

/** What somebody is asked, in the interrupt's own words where it has some. */
export function promptOf(value: unknown, toolName: string): string {
  if (typeof value === "string" && value !== "") return value;
  return firstText(listOf(value)?.[0] ?? value, PROMPTS) ?? `${toolName} needs approval`;
}

/** What of an interrupt's value JSON can hold. */
export function shownValue(value: unknown): unknown {
  return wireSafe(value) ?? null;
}

/**
 * What `resume` decides about the call asked for at `position` among those of the interrupt `interruptId`: true allows it, false refuses it. It may
 * be one answer for all, a list of answers (`decisions`) in the order of the calls, or answers by the interrupts' ids.
 */
export function decisionOf(resume: unknown, interruptId: string | undefined, position: number): boolean | undefined {
  const own = interruptId === undefined ? undefined : member(resume, interruptId);
  const answer = own === undefined ? resume : own;
  const list = listOf(answer) ?? listMember(answer, "decisions");
  return decisionIn(list === undefined ? answer : list[position]);
}
