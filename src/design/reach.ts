// Owns reach: which toolsets an agent's run can touch, through the agents that it uses.

import type { AgentDesign } from "./agent.ts";
import { kindOf, members } from "./mark.ts";
import type { ToolsetDesign } from "./toolset.ts";

/** One entry of `uses`, read: which exports of which agent. */
export interface ReadUse {
  readonly agent: AgentDesign;
  /** The names taken; all that the agent exports when absent. */
  readonly toolsets?: readonly string[];
}

/** An entry of `uses`, or `undefined` where it is neither an agent nor `{ agent, toolsets }`. */
export function readUse(entry: unknown): ReadUse | undefined {
  if (kindOf(entry) === "agent") return { agent: entry as AgentDesign };
  if (typeof entry !== "object" || entry === null || Array.isArray(entry) || kindOf(entry) !== undefined) return undefined;
  const { agent, toolsets } = entry as { readonly agent?: unknown; readonly toolsets?: unknown };
  if (kindOf(agent) !== "agent") return undefined;
  return Array.isArray(toolsets) ? { agent: agent as AgentDesign, toolsets: toolsets.filter((name) => typeof name === "string") } : { agent: agent as AgentDesign };
}

export function toolsetsOf(agent: AgentDesign): readonly ToolsetDesign[] {
  return toolsetsIn(members(agent.shape).toolsets);
}

export function exportsOf(agent: AgentDesign): readonly ToolsetDesign[] {
  return toolsetsIn(members(agent.shape).exports);
}

/** The toolsets in a list, whatever else an untyped caller put there. */
function toolsetsIn(list: unknown): readonly ToolsetDesign[] {
  return Array.isArray(list) ? list.filter((each): each is ToolsetDesign => kindOf(each) === "toolset") : [];
}

export function usesOf(agent: AgentDesign): readonly ReadUse[] {
  const uses: unknown = members(agent.shape).uses;
  return Array.isArray(uses) ? uses.flatMap((entry) => readUse(entry) ?? []) : [];
}

/**
 * Breadth-first from `root`: its own toolsets, then of each agent that it uses the exports that it takes and what that agent has for itself.
 * An export that nobody on the way takes is not reached, even where its agent has it too. Agents may use each other in a circle.
 */
export function reachableToolsets(root: AgentDesign): readonly ToolsetDesign[] {
  const reached = new Set<ToolsetDesign>(toolsetsOf(root));
  const visited = new Set<AgentDesign>([root]);
  const waiting = [root];
  for (let user = waiting.shift(); user !== undefined; user = waiting.shift()) {
    for (const use of usesOf(user)) {
      const exported = exportsOf(use.agent);
      for (const toolset of exported) if (use.toolsets === undefined || use.toolsets.includes(toolset.name)) reached.add(toolset);
      if (visited.has(use.agent)) continue;
      visited.add(use.agent);
      waiting.push(use.agent);
      for (const toolset of toolsetsOf(use.agent)) if (!exported.includes(toolset)) reached.add(toolset);
    }
  }
  return [...reached];
}

/** The agents themselves and all that they use, each once, in the order in which they are met. */
export function agentsReached(roots: readonly AgentDesign[]): readonly AgentDesign[] {
  const met = new Set<AgentDesign>(roots);
  // A set hands out what is added while it is walked.
  for (const agent of met) for (const use of usesOf(agent)) met.add(use.agent);
  return [...met];
}
