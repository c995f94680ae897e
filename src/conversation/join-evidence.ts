// Owns the evidence of a whole conversation: that of its turns, one after the other.

import { type Evidence, OBSERVABLES, type Observes, type ToolCall } from "../core/evidence.ts";
import { addUsage } from "../core/usage.ts";

/**
 * The calls and words of all turns in their order, ending as the last one ended; seen is what every turn's source could see. `undefined` where a turn has no
 * evidence: nothing could then be said of the whole. A call whose id an earlier turn has used is given a new one (`call_1#2`).
 */
export function joinEvidence(turns: readonly (Evidence | undefined)[]): Evidence | undefined {
  const all = turns.filter((evidence) => evidence !== undefined);
  const last = all.at(-1);
  if (last === undefined || all.length < turns.length) return undefined;
  if (all.length === 1) return last;
  const usage = addUsage(...all.map((evidence) => evidence.usage));
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
    ...(all.some(({ unknownEvents }) => unknownEvents !== undefined) && { unknownEvents: Object.freeze(all.flatMap(({ unknownEvents = [] }) => unknownEvents)) }),
  });
}

function distinctCalls(all: readonly Evidence[]): readonly ToolCall[] {
  const taken = new Set<string>();
  return all.flatMap(({ toolCalls }) => {
    const renamed = new Map<string, string>();
    for (const { toolCallId } of toolCalls) {
      let id = toolCallId;
      for (let again = 2; taken.has(id); again++) id = `${toolCallId}#${again}`;
      taken.add(id);
      if (id !== toolCallId) renamed.set(toolCallId, id);
    }
    if (renamed.size === 0) return toolCalls;
    return toolCalls.map((call) => {
      const { toolCallId, parentToolCallId: parent } = call;
      return Object.freeze({ ...call, toolCallId: renamed.get(toolCallId) ?? toolCallId, ...(parent !== undefined && { parentToolCallId: renamed.get(parent) ?? parent }) });
    });
  });
}

function seenByAll(all: readonly Evidence[]): Observes {
  const seen = Object.fromEntries(OBSERVABLES.map((name) => [name, all.every(({ observes }) => observes[name])])) as unknown as Observes;
  return Object.freeze(all.some(({ observes }) => observes.failures === false) ? { ...seen, failures: false } : seen);
}
