// The door "entail/design": declare agents, toolsets and suites. Shape only, never values.

export type { AnySchema, Schema } from "../core/schema.ts";
export { agent, type AgentDesign, type AgentShape, type Use } from "./agent.ts";
export { checkDesign } from "./check-design.ts";
export type { CheckedDesign, CheckedInput, CheckedScenario, CheckedSchema, CheckedSuite, CheckedTool, CheckedToolset } from "./checked-design.ts";
export { design, isDesign, type Design, type DesignShape } from "./design.ts";
export type { CamelCase } from "./hook-method.ts";
export type { Marked } from "./mark.ts";
export { suite, type NotASchema, type ScenarioShape, type SuiteDesign, type SuiteShape } from "./suite.ts";
export type { AnyTakes, Declared, GivenOf, ReceivedOf, Takes, TakesNothing, TakesParsed, TakesText } from "./takes.ts";
export { tool, type AnyTool, type ToolDesign, type ToolShape } from "./tool.ts";
export { toolset, type ToolsetDesign } from "./toolset.ts";
export { toolsetFrom, type DesignOfForeign, type ForeignTool, type ToolsetFromOptions } from "./toolset-from.ts";
