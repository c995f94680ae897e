// Owns the text of `gen/toolsets/<toolset>.ts`: one typed descriptor for each tool.

import { docComment } from "./comment-text.ts";
import { HEADER } from "./header.ts";
import { definitionsText, toolText, toolType, type ToolsModel } from "./tool-model.ts";

export function toolsetFileText(model: ToolsModel): string {
  const { tools, table } = model;
  if (tools.length === 0) return `${HEADER}export {};\n`;
  const descriptors = tools.map((each) => `${docComment(each.tool.description)}export const ${each.identifier}Tool: ${toolType(each, table)} = ${toolText(each, table, "")};\n`);
  return [
    HEADER,
    'import { codec, type TypedTool } from "entail/generated";\n\n',
    table.declarations === "" ? "" : `${table.declarations}\n`,
    definitionsText(table),
    descriptors.join("\n"),
  ].join("");
}
