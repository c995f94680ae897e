// The door "entail/generated": what generated files import, and nobody else.

export type { HookContext } from "../core/context.ts";
export type { Result } from "../core/result.ts";
export type { Suite } from "../core/suite.ts";
export type { Codec, TypedTool } from "../core/tool.ts";
export { codec } from "../schema/codec.ts";
export { bindSuite } from "./bind-suite.ts";
export { reachableTool } from "./reachable-tool.ts";
export type { ScenarioData, SuiteData } from "./suite-data.ts";
