// Owns the way from a checked design to generated files. Writes nothing itself.

import type { CheckedDesign, CheckedInput, CheckedSuite } from "../design/checked-design.ts";
import { contractFileText } from "./contract-file.ts";
import { quoted } from "./literal-text.ts";
import { suiteDigest, toolsetsContent } from "./suite-digest.ts";
import { suiteFileText } from "./suite-file.ts";
import { suiteModel } from "./suite-model.ts";
import { toolsModel } from "./tool-model.ts";
import { toolsetFileText } from "./toolset-file.ts";

export interface GeneratedFile {
  /** Relative to the project root, with `/`. */
  readonly path: string;
  /** With `\n` at the end of each line. */
  readonly text: string;
}

/**
 * The files that belong to the design, by path: all of them, so that whoever writes them may remove those that are gone. The same design gives
 * the same texts; the order in which agents, suites, toolsets and tools are declared does not matter.
 */
export function generate(design: CheckedDesign): { readonly files: readonly GeneratedFile[]; readonly warnings: readonly string[] } {
  const toolsets = toolsetsContent(design.toolsets);
  const files = [
    ...design.suites.flatMap((suite) => suiteFiles(suite, toolsets)),
    ...design.toolsets.map((toolset) => ({ path: `gen/toolsets/${toolset.name}.ts`, text: toolsetFileText(toolsModel(toolset.tools)) })),
  ];
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), warnings: [...design.warnings, ...design.suites.flatMap((suite) => textFormHints(suite, design))] };
}

function suiteFiles(suite: CheckedSuite, toolsets: unknown): readonly GeneratedFile[] {
  const model = suiteModel(suite);
  const folder = `gen/evals/${suite.id}`;
  const own = { path: `${folder}/suite.ts`, text: suiteFileText(model, suiteDigest(model, toolsets)) };
  const { agent } = suite;
  if (agent === undefined || agent.tools.length === 0) return [own];
  return [{ path: `${folder}/contract.ts`, text: contractFileText(agent.name, toolsModel(agent.tools)) }, own];
}

/** For each literal input the typed form that replaces it, in the words of the schema library that the design uses. */
function textFormHints(suite: CheckedSuite, design: CheckedDesign): readonly string[] {
  return suite.scenarios.flatMap(({ id, method, input }) => {
    if (input.kind !== "text") return [];
    const typed = `input: ${textSchema(vendorOf(design))}`;
    return [`suite ${quoted(suite.id)}, scenario ${quoted(id)}: a literal input is the older text form; declare ${typed} and give newSuite the value { ${method}: ${quoted(input.text)} }`];
  });
}

function textSchema(vendor: string | undefined): string {
  if (vendor === "valibot") return "toStandardJsonSchema(v.string())";
  return vendor === "arktype" ? 'type("string")' : "z.string()";
}

function vendorOf(design: CheckedDesign): string | undefined {
  const inputs: readonly CheckedInput[] = design.suites.flatMap((suite) => suite.scenarios.map((scenario) => scenario.input));
  const tools = design.toolsets.flatMap((toolset) => toolset.tools.flatMap((tool) => [tool.args, tool.result]));
  return [...inputs.map((input) => (input.kind === "value" ? input.schema : undefined)), ...tools].find((schema) => schema?.vendor !== undefined)?.vendor;
}
