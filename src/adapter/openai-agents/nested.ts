// Owns the watching of agents while they run: which of their calls have begun, and what an agent streams that runs as a tool of another, kept
// under the call that started it.

import { listMember, member, textMember } from "../../core/member.ts";
import type { CallItem } from "./item.ts";

/** What the SDK tells whoever listens to an agent tool. */
export interface NestedEvent {
  readonly event: unknown;
  readonly agent: unknown;
  readonly toolCall?: unknown;
}

/** What is kept of a call, and of the runs that it started. */
export interface NestedRun {
  /** The SDK has begun to execute the call. */
  begun: boolean;
  /** What was streamed and not yet read. */
  readonly events: unknown[];
  /** Every call that was made below, also in a run before an approval. */
  readonly calls: CallItem[];
  /** Called when something was learnt. */
  notify?: (() => void) | undefined;
}

const runs = new WeakMap<object, NestedRun>();
const watchedTools = new WeakSet();
const watchedAgents = new WeakSet();

/** What is kept of a call, by the very object as which the SDK holds it. */
export function nestedRun(call: object): NestedRun {
  const known = runs.get(call) ?? { begun: false, events: [], calls: [] };
  runs.set(call, known);
  return known;
}

function listen({ event, agent, toolCall }: NestedEvent): void {
  // An agent within the nested one is watched before it can start.
  if (!isWatched(agent)) watch(agent);
  if (typeof toolCall !== "object" || toolCall === null) return;
  const run = nestedRun(toolCall);
  run.events.push(event);
  run.notify?.();
}

/**
 * Listens to `agent`, so that a call is seen as soon as it begins, and to every agent that it, or one that it can hand over to, uses as a tool
 * (`asTool`), so that `events` shows their calls below the call that started them. Such an agent then streams, as the SDK does for any listener. Gives
 * the agent back; doing it again changes nothing.
 */
export function watch<Agent>(agent: Agent): Agent {
  const open: unknown[] = [agent];
  const seen = new Set<object>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    seen.add(next);
    if (!watchedAgents.has(next)) subscribe(next, "agent_tool_start", (_context: unknown, _tool: unknown, details: unknown) => begin(member(details, "toolCall")));
    watchedAgents.add(next);
    for (const tool of listMember(next, "tools") ?? []) watchTool(tool);
    for (const handoff of listMember(next, "handoffs") ?? []) open.push(member(handoff, "agent") ?? handoff);
  }
  return agent;
}

function watchTool(tool: unknown): void {
  if (typeof tool !== "object" || tool === null || watchedTools.has(tool) || textMember(tool, "type") !== "function") return;
  if (subscribe(tool, "*", listen)) watchedTools.add(tool);
}

function begin(toolCall: unknown): void {
  if (typeof toolCall !== "object" || toolCall === null) return;
  const run = nestedRun(toolCall);
  run.begun = true;
  run.notify?.();
}

/** False where nobody can listen. */
function subscribe(source: object, name: string, handler: (...told: never[]) => void): boolean {
  const on = member(source, "on");
  if (typeof on !== "function") return false;
  (on as (name: string, handler: (...told: never[]) => void) => unknown).call(source, name, handler);
  return true;
}

export function isWatched(agent: unknown): boolean {
  return typeof agent === "object" && agent !== null && watchedAgents.has(agent);
}
