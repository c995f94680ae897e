// Owns the eval file that `entail example` writes once for each suite, and that belongs to the application from then on.

import type { CheckedDesign, CheckedScenario, CheckedSuite } from "../design/checked-design.ts";
import { docComment } from "./comment-text.ts";
import type { GeneratedFile } from "./generate.ts";
import { mayBeLeftOut } from "./left-out.ts";
import { quoted } from "./literal-text.ts";

/**
 * One file for each suite, `evals/<suite>.eval.ts`. Its hooks, its inputs and its judge are open TODOs: it compiles as it is, and running it
 * lists them. Whoever writes these files leaves one that exists alone.
 */
export function exampleFiles(design: CheckedDesign): readonly GeneratedFile[] {
  return design.suites.map((suite) => ({ path: `evals/${suite.id}.eval.ts`, text: exampleText(suite) }));
}

function exampleText(suite: CheckedSuite): string {
  const takers = suite.scenarios.filter((scenario) => scenario.input.kind === "value" && !mayBeLeftOut(scenario));
  return [
    `// Evaluates suite ${quoted(suite.id)}. This file is yours: \`entail example\` wrote it once and leaves it alone from now on.\n`,
    'import { evaluation, todo } from "entail";\n',
    `import { newSuite, type Hooks${takers.length === 0 ? "" : ", type Inputs"} } from "../gen/evals/${suite.id}/suite.ts";\n\n`,
    "// A hook runs the real agent and returns what happened. Replace each TODO by a function of the form above it.\n",
    `const hooks: Hooks = {\n${suite.scenarios.map(hookText).join("\n")}};\n\n`,
    takers.length === 0 ? "" : `// The values that the hooks receive.\nconst inputs: Inputs = {\n${takers.map(inputText).join("")}};\n\n`,
    "export default evaluation({\n",
    `  suite: newSuite(hooks${takers.length === 0 ? "" : ", inputs"}),\n`,
    '  // createJudge(createClient(provider), { maxOutputTokens: 2048 }), from "entail/judge" and "entail/model".\n',
    '  judge: todo("TODO: make a judge, or remove this line where no hook returns claims"),\n',
    "  maxConcurrency: 5,\n",
    "});\n",
  ].join("");
}

function hookText(scenario: CheckedScenario): string {
  const { kind } = scenario.input;
  const parameters = kind === "nothing" ? "ctx" : kind === "text" ? "ctx, text" : "ctx, input";
  return [
    docComment(scenario.description, "  "),
    `  // async ${scenario.method}(${parameters}) { return { checks: [], claims: [], output: "" }; }\n`,
    `  ${scenario.method}: todo(${quoted(`TODO: implement ${scenario.id}`)}),\n`,
  ].join("");
}

function inputText(scenario: CheckedScenario): string {
  return `  ${scenario.method}: todo(${quoted(`TODO: give the input of ${scenario.id}`)}),\n`;
}
