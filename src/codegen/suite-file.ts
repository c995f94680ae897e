// Owns the text of `gen/evals/<suite>/suite.ts`: the types of a suite, its hooks and inputs, and its data.

import type { CheckedScenario } from "../design/checked-design.ts";
import { mayBeLeftOut } from "./left-out.ts";
import { docComment } from "./comment-text.ts";
import { HEADER } from "./header.ts";
import { literalText, objectKey, quoted } from "./literal-text.ts";
import { scenarioWords, type SuiteModel } from "./suite-model.ts";
import { codecText, definitionsText } from "./tool-model.ts";

export function suiteFileText(model: SuiteModel, digest: string): string {
  const { suite, table } = model;
  const takesValues = suite.scenarios.some((scenario) => scenario.input.kind === "value");
  const tags = [...new Set(suite.scenarios.flatMap((scenario) => scenario.tags))].sort();
  return [
    HEADER,
    `import { bindSuite, ${takesValues ? "codec, " : ""}type HookContext, type Result, type Suite } from "entail/generated";\n\n`,
    table.declarations === "" ? "" : `${table.declarations}\n`,
    `export type ScenarioId = ${suite.scenarios.map((scenario) => quoted(scenario.id)).join(" | ")};\n`,
    `export type Tag = ${tags.length === 0 ? "never" : tags.map(quoted).join(" | ")};\n\n`,
    docComment(suite.description),
    `export interface Hooks {\n${suite.scenarios.map((scenario) => hookText(scenario, model)).join("")}}\n\n`,
    inputsText(model),
    newSuiteText(model),
    definitionsText(table),
    dataText(model, digest),
  ].join("");
}

function hookText(scenario: CheckedScenario, model: SuiteModel): string {
  const request = model.requestOf(scenario);
  const input = request === undefined ? (scenario.input.kind === "text" ? ", text: string" : "") : `, input: ${indented(model.table.typeOf(request, "received"))}`;
  return `${docComment(scenario.description, "  ")}  readonly ${scenario.method}: (ctx: HookContext${input}) => Result | Promise<Result>;\n`;
}

function inputsText(model: SuiteModel): string {
  const members = model.suite.scenarios.flatMap((scenario) => {
    const request = model.requestOf(scenario);
    if (request === undefined) return [];
    const type = indented(model.table.typeOf(request, "given"));
    return [`  readonly ${scenario.method}${mayBeLeftOut(scenario) ? `?: ${type} | undefined` : `: ${type}`};\n`];
  });
  return members.length === 0 ? "export type Inputs = Readonly<Record<string, never>>;\n\n" : `export interface Inputs {\n${members.join("")}}\n\n`;
}

function newSuiteText(model: SuiteModel): string {
  const { id, scenarios } = model.suite;
  const inputs = scenarios.every((scenario) => scenario.input.kind !== "value" || mayBeLeftOut(scenario)) ? "inputs: Inputs = {}" : "inputs: Inputs";
  return [
    `/** Suite ${quoted(id)} with these hooks and inputs. Throws one error that names every fault of both. */\n`,
    `export function newSuite(hooks: Hooks, ${inputs}): Suite<ScenarioId, Tag> {\n  return bindSuite<ScenarioId, Tag>(suite, hooks, inputs);\n}\n\n`,
  ].join("");
}

function dataText(model: SuiteModel, digest: string): string {
  const { suite } = model;
  const scenarios = suite.scenarios.map((scenario) => {
    const request = model.requestOf(scenario);
    const words = Object.entries(scenarioWords(scenario)).map(([name, word]) => `      ${objectKey(name)}: ${literalText(word, "      ", name.length + 2)},\n`);
    const input = request === undefined ? "" : `      input: ${codecText(request, model.table, "      ")},\n`;
    return `    {\n${words.join("")}${input}    },\n`;
  });
  return [
    "const suite = {\n",
    `  id: ${quoted(suite.id)},\n`,
    `  description: ${quoted(suite.description)},\n`,
    `  digest: ${quoted(digest)},\n`,
    `  scenarios: [\n${scenarios.join("")}  ],\n`,
    "};\n",
  ].join("");
}

/** A type that goes over several lines, on the lines of a member. */
function indented(type: string): string {
  return type.replaceAll("\n", "\n  ");
}
