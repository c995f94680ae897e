// Owns what may stand as a target just as it is, told by its shape.

import type { Target, TargetOptions } from "./target.ts";

// `any` throughout: what an agent takes and gives are types that only its framework can name.

/** An agent of Mastra's, or whatever is called like one. */
export interface AgentShape {
  generate(input: any, options?: any): any;
}

/** A workflow of Mastra's. */
export interface WorkflowShape {
  createRun(options?: any): any;
}

/** An agent of the AI SDK. */
export interface SdkAgentShape {
  readonly version: string;
  stream(options: any): any;
}

/** `(input, turn) => text | messages | { text } | events | any other value, which is its JSON`, at once or as a promise. */
export type TargetFunction = (input: any, turn: TargetOptions) => unknown;

/** An agent or a workflow of Mastra's, a target of any adapter, an agent of the AI SDK, or a function. */
export type AnyTarget = AgentShape | WorkflowShape | Target<any> | SdkAgentShape | TargetFunction;
