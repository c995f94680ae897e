// Owns the text of `gen/evals/<suite>/contract.ts`: the tools that the agent of a suite reaches, by the names that a model calls.

import { docComment } from "./comment-text.ts";
import { HEADER } from "./header.ts";
import { quoted, typeKey } from "./literal-text.ts";
import { definitionsText, toolText, toolType, type ToolsModel } from "./tool-model.ts";

/** For an agent that reaches at least one tool. */
export function contractFileText(agent: string, model: ToolsModel): string {
  const { tools, table } = model;
  const members = tools.map((each) => `${docComment(each.tool.description, "  ")}  readonly ${typeKey(each.tool.name)}: ${toolType(each, table)};\n`);
  return [
    HEADER,
    'import { codec, reachableTool, type TypedTool } from "entail/generated";\n\n',
    table.declarations === "" ? "" : `${table.declarations}\n`,
    `interface Tools {\n${members.join("")}}\n\n`,
    "export type ToolName = keyof Tools;\n\n",
    `/** The typed tool of that name, of all that agent ${quoted(agent)} reaches. Throws \`tool_unreachable\` for any other name. */\n`,
    "export function toolContract<Name extends ToolName>(name: Name): Tools[Name] {\n",
    `  return reachableTool<Tools, Name>(${quoted(agent)}, tools, name);\n}\n\n`,
    definitionsText(table),
    `const tools: readonly TypedTool[] = [\n${tools.map((each) => `  ${toolText(each, table, "  ")},\n`).join("")}];\n`,
  ].join("");
}
