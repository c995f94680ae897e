// Owns the checked design: what is left to say of a design once nothing is wrong with it. Code is generated, and suites are bound, from this.

import type { JsonSchema } from "../core/schema.ts";
import type { TrialRequirement } from "../core/suite.ts";

export interface CheckedDesign {
  readonly suites: readonly CheckedSuite[];
  /** Every toolset that an agent of the design has or exports, by name. */
  readonly toolsets: readonly CheckedToolset[];
  /** What is no error and yet should be known, each a line that starts with its place. */
  readonly warnings: readonly string[];
}

export interface CheckedSuite {
  readonly id: string;
  readonly description: string;
  /** In declaration order, which is the order of reports. */
  readonly scenarios: readonly CheckedScenario[];
  /** The agent that the suite stands in, and all tools that it reaches, by name. */
  readonly agent?: { readonly name: string; readonly tools: readonly CheckedTool[] };
}

export interface CheckedScenario {
  readonly id: string;
  readonly method: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly timeoutMs: number;
  readonly input: CheckedInput;
  readonly skip?: string;
  readonly knownFailure?: string;
  readonly revision?: string;
  readonly trials?: number;
  readonly require?: TrialRequirement;
}

export type CheckedInput = { readonly kind: "nothing" } | { readonly kind: "text"; readonly text: string } | { readonly kind: "value"; readonly schema: CheckedSchema };

export interface CheckedSchema {
  readonly schema: JsonSchema;
  /** The author's own name for the type. */
  readonly name?: string;
  /** Members of `$defs` that the author did not name. */
  readonly unnamed: readonly string[];
  /** The schema library, for a hint that is printed and never for generated code. */
  readonly vendor?: string;
}

export interface CheckedToolset {
  readonly name: string;
  /** By name. */
  readonly tools: readonly CheckedTool[];
}

export interface CheckedTool {
  readonly name: string;
  readonly toolset: string;
  readonly description: string;
  readonly bounded: boolean;
  readonly confirm: boolean;
  readonly tags: readonly string[];
  readonly args?: CheckedSchema;
  readonly result?: CheckedSchema;
}
