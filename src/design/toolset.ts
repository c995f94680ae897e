// Owns the declaration of a toolset, and the typed tools that it gives to expectations.

import { EntailError } from "../core/error.ts";
import type { Codec, TypedTool } from "../core/tool.ts";
import { lateCodec } from "../schema/codec.ts";
import { readSchema } from "../schema/read-schema.ts";
import { kindOf, MARK, members, type Marked } from "./mark.ts";
import type { AnyTool, ToolDesign, ToolShape } from "./tool.ts";

export interface ToolsetDesign<Name extends string = string, Tools extends Record<string, AnyTool> = any> extends Marked<"toolset"> {
  readonly name: Name;
  /** What was declared, by key. */
  readonly declared: Tools;
  /** The typed tools, by key. */
  readonly tools: { readonly [Key in keyof Tools & string]: TypedToolOf<Tools[Key], Key> };
}

type TypedToolOf<Tool, Key extends string> =
  Tool extends ToolDesign<infer Args, infer Result, infer Name> ? TypedTool<Args, Result, [Name] extends [never] ? Key : Name> : never;

/** Declares a toolset: `alarms.tools.list_alarms` is the typed tool. Nothing is checked here. */
export function toolset<const Name extends string, Tools extends Record<string, AnyTool>>(name: Name, tools: Tools): ToolsetDesign<Name, Tools> {
  // Without a prototype: a tool may be called `__proto__`.
  const typed = Object.create(null) as Record<string, TypedTool>;
  for (const [key, declared] of Object.entries(members(tools))) {
    if (kindOf(declared) === "tool") typed[key] = typedTool(key, members(declared.shape));
  }
  return { [MARK]: "toolset", name, declared: tools, tools: typed as ToolsetDesign<Name, Tools>["tools"] };
}

function typedTool(key: string, shape: Partial<ToolShape>): TypedTool {
  const name = shape.name ?? key;
  return {
    name,
    args: sideCodec(`tool ${JSON.stringify(name)}, args`, shape.args),
    result: sideCodec(`tool ${JSON.stringify(name)}, result`, shape.result),
    ...(shape.bounded === true ? { bounded: true } : {}),
    ...(shape.confirm === true ? { confirm: true } : {}),
    ...(shape.tags === undefined || shape.tags.length === 0 ? {} : { tags: shape.tags }),
  };
}

/** Read late: a large design is not slowed down by the tools that nobody asks for. */
function sideCodec(place: string, schema: unknown): Codec<any> {
  return lateCodec(() => {
    if (schema === undefined) return {};
    const reading = readSchema(schema, "tool");
    const [fault] = reading.faults;
    if (fault !== undefined) throw new EntailError(fault.code, `${place}${fault.path === "" ? "" : `, ${fault.path}`}: ${fault.message}`);
    return reading.schema;
  });
}
