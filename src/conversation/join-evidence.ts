// Owns the evidence of a whole conversation: that of its turns, one after the other.

import { type Evidence, OBSERVABLES, type Observes, type ToolCall } from "../core/evidence.ts";
import { addUsage } from "../core/usage.ts";

/**
 * The calls and words of all turns in their order, ending as the last one ended; seen is what every turn's source could see. `undefined` where a turn has no
 * evidence: nothing could then be said of the whole. A call whose id an earlier turn has used is given a new one (`call_1#2`). Times go on from turn to turn, as if one
 * began when the one before had ended; a turn without times takes none.
 */
export function joinEvidence(turns: readonly (Evidence | undefined)[]): Evidence | undefined {
  const all = turns.filter((evidence) => evidence !== undefined);
  const last = all.at(-1);
  if (last === undefined || all.length < turns.length) return undefined;
  if (all.length === 1) return last;
  const usage = addUsage(...all.map((evidence) => evidence.usage));
  const durationMs = timeUntil(all, all.length);
  const { terminalPhase, terminalFailure, confirmation, runId, sessionId } = last;
  return Object.freeze({
    runId,
    sessionId,
    answer: all.map(({ answer }) => answer).filter((answer) => answer !== "").join("\n\n"),
    toolCalls: Object.freeze(distinctCalls(all)),
    ...(confirmation !== undefined && { confirmation }),
    ...(terminalPhase !== undefined && { terminalPhase }),
    ...(terminalFailure !== undefined && { terminalFailure }),
    ended: all.every(({ ended }) => ended),
    observes: seenByAll(all),
    ...(usage !== undefined && { usage }),
    ...(durationMs !== undefined && { durationMs }),
    ...(all.some(({ unknownEvents }) => unknownEvents !== undefined) && { unknownEvents: Object.freeze(all.flatMap(({ unknownEvents = [] }) => unknownEvents)) }),
  });
}

function distinctCalls(all: readonly Evidence[]): readonly ToolCall[] {
  const taken = new Set<string>();
  return all.flatMap(({ toolCalls }, at) => {
    const renamed = new Map<string, string>();
    for (const { toolCallId } of toolCalls) {
      let id = toolCallId;
      for (let again = 2; taken.has(id); again++) id = `${toolCallId}#${again}`;
      taken.add(id);
      if (id !== toolCallId) renamed.set(toolCallId, id);
    }
    const shift = timeUntil(all, at) ?? 0;
    if (renamed.size === 0 && shift === 0) return toolCalls;
    return toolCalls.map((call) => {
      const { toolCallId, parentToolCallId: parent } = call;
      return Object.freeze({ ...call, toolCallId: renamed.get(toolCallId) ?? toolCallId, ...(parent !== undefined && { parentToolCallId: renamed.get(parent) ?? parent }), ...shifted(call, shift) });
    });
  });
}

/** How long the first `turns` took on the joint clock, in milliseconds; `undefined` where no time of any is known. */
export function timeUntil(all: readonly (Evidence | undefined)[], turns: number): number | undefined {
  const known = all.slice(0, turns).flatMap((evidence) => evidence?.durationMs ?? []);
  return known.length === 0 ? undefined : round(known.reduce((sum, ms) => sum + ms, 0));
}

const TIMES = ["startedMs", "endedMs", "askedMs", "decidedMs"] as const;

function shifted(call: ToolCall, by: number): Partial<ToolCall> {
  return Object.fromEntries(TIMES.flatMap((name) => (call[name] === undefined ? [] : [[name, round(call[name] + by)]])));
}

const round = (ms: number): number => Math.round(ms * 1000) / 1000;

function seenByAll(all: readonly Evidence[]): Observes {
  const seen = Object.fromEntries(OBSERVABLES.map((name) => [name, all.every(({ observes }) => observes[name])])) as unknown as Observes;
  return Object.freeze(all.some(({ observes }) => observes.failures === false) ? { ...seen, failures: false } : seen);
}
