// Owns the declaration of an agent: what it has, what others may use of it, whom it uses, and the suites that try it.

import { MARK, type Marked } from "./mark.ts";
import type { SuiteDesign } from "./suite.ts";
import type { ToolsetDesign } from "./toolset.ts";

/** Some of the toolsets that another agent exports, by name. */
export interface Use {
  readonly agent: AgentDesign;
  readonly toolsets: readonly string[];
}

/** Read late, when the design is checked: agents that use each other write `get uses() { return [other]; }`. */
export interface AgentShape {
  readonly description?: string | undefined;
  readonly toolsets?: readonly ToolsetDesign[] | undefined;
  /** What other agents may use. */
  readonly exports?: readonly ToolsetDesign[] | undefined;
  /** The agents it calls as tools. What they export, and what they reach themselves, is reachable. */
  readonly uses?: readonly (AgentDesign | Use)[] | undefined;
  readonly suites?: readonly SuiteDesign[] | undefined;
}

export interface AgentDesign<Name extends string = string> extends Marked<"agent"> {
  readonly name: Name;
  readonly shape: AgentShape;
}

/** Declares an agent. Nothing is checked here. */
export function agent<const Name extends string>(name: Name, shape: AgentShape): AgentDesign<Name> {
  return { [MARK]: "agent", name, shape };
}
