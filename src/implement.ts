// Owns `implement`: the suite of a design without generated code, its hooks and inputs typed by inference.

import type { HookContext } from "./core/context.ts";
import type { Result } from "./core/result.ts";
import type { Suite } from "./core/suite.ts";
import { checkSuite } from "./design/check-suite.ts";
import type { CheckedScenario } from "./design/checked-design.ts";
import type { CamelCase } from "./design/hook-method.ts";
import type { SuiteDesign } from "./design/suite.ts";
import type { AnyTakes, TakesNothing, TakesParsed, TakesText } from "./design/takes.ts";
import { bindSuite } from "./generated/bind-suite.ts";
import type { ScenarioData } from "./generated/suite-data.ts";
import { codec } from "./schema/codec.ts";

type Given = Result | Promise<Result>;

type Hook<Takes> = Takes extends TakesNothing
  ? (ctx: HookContext) => Given
  : Takes extends TakesText
    ? (ctx: HookContext, text: string) => Given
    : Takes extends TakesParsed<any, infer Received>
      ? (ctx: HookContext, input: Received) => Given
      : Takes extends { readonly value: infer Value }
        ? (ctx: HookContext, input: Value) => Given
        : never;

/** One method for each scenario: its name in camelCase. */
export type Hooks<Scenarios> = { readonly [Id in keyof Scenarios & string as CamelCase<Id>]: Hook<Scenarios[Id]> };

type ValueOf<Takes> = Takes extends { readonly value: infer Value } ? Value : never;

/** The scenarios that take a value which has to be given. */
type Needing<Scenarios> = { [Id in keyof Scenarios]: Scenarios[Id] extends { readonly value: infer Value } ? (undefined extends Value ? never : Id) : never }[keyof Scenarios];
/** Those whose value has a default for the whole of it. */
type Sparing<Scenarios> = { [Id in keyof Scenarios]: Scenarios[Id] extends { readonly value: infer Value } ? (undefined extends Value ? Id : never) : never }[keyof Scenarios];

type NeededInputs<Scenarios> = { readonly [Id in Needing<Scenarios> & string as CamelCase<Id>]: ValueOf<Scenarios[Id]> };
type SparedInputs<Scenarios> = { readonly [Id in Sparing<Scenarios> & string as CamelCase<Id>]?: ValueOf<Scenarios[Id]> };

/** One value for each scenario that takes one; it may be left out where the schema has a default for the whole of it. */
export type Inputs<Scenarios> = [Sparing<Scenarios>] extends [never]
  ? [Needing<Scenarios>] extends [never]
    ? Readonly<Record<string, never>>
    : NeededInputs<Scenarios>
  : NeededInputs<Scenarios> & SparedInputs<Scenarios>;

/** The hooks of `typeof chatSuite`, to write them in a file of their own. */
export type HooksOf<Design> = Design extends SuiteDesign<string, infer Scenarios> ? Hooks<Scenarios> : never;

/** The inputs of `typeof chatSuite`. */
export type InputsOf<Design> = Design extends SuiteDesign<string, infer Scenarios> ? Inputs<Scenarios> : never;

/**
 * The suite of `design`, as generated code would make it, checked by the same rules in the same words. `inputs` may be left out where no scenario
 * needs one. Throws `design_invalid` with all faults of the suite, or `suite_binding_invalid` with all faults of hooks and inputs.
 */
export function implement<Scenarios extends Record<string, AnyTakes>>(
  design: SuiteDesign<string, Scenarios>,
  // Without NoInfer the compiler does not look into the mapped type while it types the functions, and their parameters are `any`.
  hooks: NoInfer<Hooks<Scenarios>>,
  ...inputs: {} extends Inputs<Scenarios> ? [inputs?: Inputs<Scenarios>] : [inputs: Inputs<Scenarios>]
): Suite<keyof Scenarios & string> {
  const suite = checkSuite(design);
  const [given = {}] = inputs;
  return bindSuite({ id: suite.id, description: suite.description, scenarios: suite.scenarios.map(scenarioData) }, hooks, given);
}

function scenarioData(scenario: CheckedScenario): ScenarioData {
  const { method, input, ...words } = scenario;
  return {
    ...words,
    hook: method,
    ...(input.kind === "value" ? { input: codec(input.schema.schema) } : {}),
    ...(input.kind === "text" ? { text: input.text } : {}),
  };
}
