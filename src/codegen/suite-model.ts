// Owns a suite as generated code holds it: its words, and its inputs as types and as schemas.

import type { CheckedScenario, CheckedSuite } from "../design/checked-design.ts";
import { withMembers } from "../schema/keyword.ts";
import { RESERVED_TYPES } from "./header.ts";
import { pascalCase } from "./identifier-text.ts";
import { typeTable, type TypeRequest, type TypeTable } from "./type-table.ts";

export interface SuiteModel {
  readonly suite: CheckedSuite;
  readonly table: TypeTable;
  readonly requestOf: (scenario: CheckedScenario) => TypeRequest | undefined;
}

export function suiteModel(suite: CheckedSuite): SuiteModel {
  const requests = new Map<string, TypeRequest>();
  for (const { id, input } of suite.scenarios) {
    if (input.kind === "value") requests.set(id, { schema: input.schema, fallback: `${pascalCase(id)}Input` });
  }
  return { suite, table: typeTable([...requests.values()], ["given", "received"], RESERVED_TYPES), requestOf: (scenario) => requests.get(scenario.id) };
}

/** The words of a scenario as they stand in generated data, without its input. */
export function scenarioWords(scenario: CheckedScenario): Readonly<Record<string, unknown>> {
  const { method, input, id, ...words } = scenario;
  return { id, hook: method, ...words, ...(input.kind === "text" ? { text: input.text } : {}) };
}

/** All that generated code says of the suite, as plain data. */
export function suiteContent(model: SuiteModel): Readonly<Record<string, unknown>> {
  return {
    id: model.suite.id,
    description: model.suite.description,
    scenarios: model.suite.scenarios.map((scenario) => {
      const request = model.requestOf(scenario);
      return { ...scenarioWords(scenario), ...(request === undefined ? {} : { input: model.table.schemaOf(request) }) };
    }),
    definitions: withMembers(model.table.definitions),
    ...(model.suite.agent === undefined ? {} : { agent: { name: model.suite.agent.name, tools: model.suite.agent.tools.map((tool) => tool.name) } }),
  };
}
