// Owns the declaration of a suite and of its scenarios: shape only, never values.

import type { AnySchema } from "../core/schema.ts";
import type { TrialRequirement } from "../core/suite.ts";
import { MARK, type Marked } from "./mark.ts";
import type { AnyTakes, Declared } from "./takes.ts";

/** What the compiler asks for where an input is neither a schema nor a text; its one member is the mend. */
export interface NotASchema {
  readonly "give a Standard Schema that has a JSON Schema side (zod >= 4.2, arktype; valibot through toStandardJsonSchema), or a text": never;
}

/** One scenario as it is declared. `Input` is inferred from `input`; every member takes `undefined` for absent. */
export interface ScenarioShape<Input = unknown> {
  readonly description: string;
  readonly tags?: readonly string[] | undefined;
  /** Replaces the suite's for this scenario: `"90s"`, `"2m"`, `"1h30m"`, at most 24 days. */
  readonly timeout?: string | undefined;
  /** The schema of the value that the application gives. A literal text is the older form: its hook receives that text. */
  readonly input?: unknown extends Input ? undefined : Input extends string ? Input : Input extends AnySchema ? Input : Input extends undefined ? undefined : NotASchema;
  /** Why it is not run. It is shown and counted, and does not make a run fail. */
  readonly skip?: string | undefined;
  /** Why it is known to fail. It is run, shown and counted. */
  readonly knownFailure?: string | undefined;
  /** A mark for a change that nothing else shows. */
  readonly revision?: string | undefined;
  /** How often it is run where nobody says otherwise. */
  readonly trials?: number | undefined;
  readonly require?: TrialRequirement | undefined;
}

export interface SuiteShape {
  readonly description: string;
  readonly timeout: string;
  readonly scenarios: Readonly<Record<string, unknown>>;
}

export interface SuiteDesign<Name extends string = string, Scenarios extends Record<string, AnyTakes> = any> extends Marked<"suite"> {
  readonly name: Name;
  readonly shape: SuiteShape;
  /** For the compiler alone: what each scenario's hook takes. */
  readonly takes?: Scenarios | undefined;
}

/**
 * Declares a suite. Nothing is checked here: `entail gen`, `entail run` and `implement` report all faults of a design together.
 * `timeout` bounds each scenario that has none of its own.
 */
export function suite<const Name extends string, Inputs extends Record<string, unknown>>(
  name: Name,
  shape: { readonly description: string; readonly timeout: string; readonly scenarios: { readonly [Id in keyof Inputs]: ScenarioShape<Inputs[Id]> } },
): SuiteDesign<Name, { [Id in keyof Inputs]: Declared<Inputs[Id]> }> {
  return { [MARK]: "suite", name, shape };
}
