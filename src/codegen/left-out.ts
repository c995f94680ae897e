// Owns whether an application may leave the value of a scenario out.

import type { CheckedScenario } from "../design/checked-design.ts";
import { rootDefault } from "../schema/root-default.ts";

/** True where the schema has a default for the whole value. */
export function mayBeLeftOut(scenario: CheckedScenario): boolean {
  return scenario.input.kind === "value" && rootDefault(scenario.input.schema.schema, scenario.input.schema.schema) !== undefined;
}
