// Owns tools as generated code holds them: what each is called in the code, and its two sides as types and as schemas.

import type { CheckedSchema, CheckedTool } from "../design/checked-design.ts";
import { everySchema, withMembers } from "../schema/keyword.ts";
import { RESERVED_TYPES } from "./header.ts";
import { camelCase, pascalCase, uniqueIdentifiers } from "./identifier-text.ts";
import { literalText, quoted } from "./literal-text.ts";
import { typeTable, type TypeRequest, type TypeTable } from "./type-table.ts";

export interface ToolModel {
  readonly tool: CheckedTool;
  /** `listAlarms`, from which its descriptor (`listAlarmsTool`) and its types (`ListAlarmsArgs`) have their names. */
  readonly identifier: string;
  readonly args: TypeRequest | undefined;
  readonly result: TypeRequest | undefined;
}

export interface ToolsModel {
  readonly tools: readonly ToolModel[];
  readonly table: TypeTable;
}

/** For tools of different names, in the order given. */
export function toolsModel(tools: readonly CheckedTool[]): ToolsModel {
  const identifiers = uniqueIdentifiers(new Map(tools.map((tool) => [tool.name, camelCase(tool.name) || "unnamed"])));
  const models = tools.map((tool): ToolModel => {
    const identifier = identifiers.get(tool.name) ?? "";
    const request = (schema: CheckedSchema | undefined, side: string): TypeRequest | undefined => schema && { schema, fallback: `${typeStem(identifier)}${side}` };
    return { tool, identifier, args: request(tool.args, "Args"), result: request(tool.result, "Result") };
  });
  const requests = models.flatMap((model) => [model.args, model.result]).filter((request) => request !== undefined);
  return { tools: models, table: typeTable(requests, ["received"], RESERVED_TYPES) };
}

/** Keeps the suffix that tells two tools apart as it is. */
function typeStem(identifier: string): string {
  const [name = "", ...suffix] = identifier.split("_");
  return [pascalCase(name) || "_", ...suffix].join("_");
}

/** `TypedTool<ListAlarmsArgs, ListAlarmsResult, "list_alarms">` */
export function toolType(model: ToolModel, table: TypeTable): string {
  return `TypedTool<${sideType(model.args, table)}, ${sideType(model.result, table)}, ${quoted(model.tool.name)}>`;
}

/** The descriptor, on lines that start with `indent`. */
export function toolText(model: ToolModel, table: TypeTable, indent: string): string {
  const { tool } = model;
  const inner = `${indent}  `;
  const lines = [
    `name: ${quoted(tool.name)}`,
    `args: ${sideCodec(model.args, table, inner)}`,
    `result: ${sideCodec(model.result, table, inner)}`,
    ...(tool.bounded ? ["bounded: true"] : []),
    ...(tool.confirm ? ["confirm: true"] : []),
    ...(tool.tags.length > 0 ? [`tags: ${literalText(tool.tags, inner)}`] : []),
  ];
  return `{\n${lines.map((line) => `${inner}${line},\n`).join("")}${indent}}`;
}

function sideType(request: TypeRequest | undefined, table: TypeTable): string {
  return request === undefined ? "unknown" : table.typeOf(request, "received");
}

function sideCodec(request: TypeRequest | undefined, table: TypeTable, indent: string): string {
  return request === undefined ? "codec<unknown>({})" : codecText(request, table, indent);
}

/** `codec<ListAlarmsArgs>({ $ref: "#/$defs/ListAlarmsArgs", $defs })` */
export function codecText(request: TypeRequest, table: TypeTable, indent: string): string {
  const schema = table.schemaOf(request);
  const type = table.typeOf(request, "received");
  const refers = [...everySchema(schema)].some(([, part]) => typeof part !== "boolean" && typeof part["$ref"] === "string");
  const text = literalText(schema, indent, `codec<${type}>()`.length + (refers ? 12 : 2));
  if (!refers) return `codec<${type}>(${text})`;
  const end = text.endsWith(`\n${indent}}`) ? `  $defs,\n${indent}}` : ", $defs }";
  return `codec<${type}>(${text.endsWith(" }") ? text.slice(0, -2) : text.slice(0, -1)}${end})`;
}

/** `const $defs = { … };`, or nothing where no schema refers to one. */
export function definitionsText(table: TypeTable): string {
  return table.definitions.size === 0 ? "" : `const $defs = ${literalText(withMembers(table.definitions), "", 20)};\n\n`;
}

/** All that generated code says of the tools, as plain data. */
export function toolsContent(model: ToolsModel): Readonly<Record<string, unknown>> {
  const side = (request: TypeRequest | undefined): unknown => (request === undefined ? null : model.table.schemaOf(request));
  return {
    tools: model.tools.map(({ tool, args, result }) => {
      const { name, description, bounded, confirm, tags } = tool;
      return { name, description, bounded, confirm, tags, args: side(args), result: side(result) };
    }),
    definitions: withMembers(model.table.definitions),
  };
}
