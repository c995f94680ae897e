// Owns the design as a whole: the agents and the suites that stand outside any agent.

import type { AgentDesign } from "./agent.ts";
import { kindOf, MARK, type Marked } from "./mark.ts";
import type { SuiteDesign } from "./suite.ts";

export interface DesignShape {
  readonly agents?: readonly AgentDesign[] | undefined;
  /** Suites outside any agent. */
  readonly suites?: readonly SuiteDesign[] | undefined;
}

export interface Design extends Marked<"design"> {
  readonly shape: DesignShape;
}

/** The default export of a design module. Nothing is checked here. */
export function design(shape: DesignShape): Design {
  return { [MARK]: "design", shape };
}

/** True for what `design` made, in this or another copy of the package. */
export function isDesign(value: unknown): value is Design {
  return kindOf(value) === "design";
}
