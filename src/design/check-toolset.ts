// Owns the checking of one toolset and its tools.

import { checkedFlag, checkedList, checkedName, isObject, sayAt, sayUnknownMembers, shown, type Findings } from "./check-member.ts";
import { checkedSchema } from "./check-schema.ts";
import type { CheckedTool, CheckedToolset } from "./checked-design.ts";
import { kindOf } from "./mark.ts";
import type { ToolDesign } from "./tool.ts";
import type { ToolsetDesign } from "./toolset.ts";

const TOOL_MEMBERS = ["description", "name", "args", "result", "bounded", "confirm", "tags"] as const;

export function checkedToolset(toolset: ToolsetDesign, findings: Findings): CheckedToolset {
  const place = `toolset ${shown(toolset.name)}`;
  const say = sayAt(findings, place);
  const name = checkedName(toolset.name, "toolset_name_invalid", "a toolset's name", say);
  const declared: unknown = toolset.declared;
  if (!isObject(declared)) {
    say("design_member_invalid", `needs an object of tools, not ${shown(declared)}`);
    return { name, tools: [] };
  }
  // `{ __proto__: tool(…) }` sets the prototype and declares nothing.
  if (kindOf(Object.getPrototypeOf(declared)) !== undefined) say("tool_name_invalid", 'a tool called __proto__ is written ["__proto__"]: tool(…)');
  const tools = Object.entries(declared).flatMap(([key, tool]) => checkedTool(key, tool, name, place, findings) ?? []);
  for (const [shared, same] of Map.groupBy(tools, (tool) => tool.name)) {
    if (same.length > 1) say("tool_name_duplicate", `${same.length} of its tools have the name ${shown(shared)}; rename one`);
  }
  // By name, so that the order of declaration changes nothing that is generated.
  return { name, tools: tools.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

function checkedTool(key: string, tool: unknown, toolset: string, toolsetPlace: string, findings: Findings): CheckedTool | undefined {
  const place = `${toolsetPlace}, tool ${shown(key)}`;
  const say = sayAt(findings, place);
  if (kindOf(tool) !== "tool") {
    say("bad_context", `${kindOf(tool) === undefined ? shown(tool) : `a ${kindOf(tool)}`} stands where a tool is declared; write tool({ description, args })`);
    return undefined;
  }
  const shape: unknown = (tool as ToolDesign).shape;
  if (!isObject(shape)) {
    say("design_member_invalid", `needs { description }, not ${shown(shape)}`);
    return undefined;
  }
  sayUnknownMembers(shape, TOOL_MEMBERS, say);
  const name = shape["name"] ?? key;
  if (typeof name !== "string" || name === "" || !name.isWellFormed()) {
    say("tool_name_invalid", `the name that the model calls must be a text with something in it, and without half a surrogate pair, not ${shown(name)}`);
  }
  const { description } = shape;
  if (description !== undefined && typeof description !== "string") say("design_member_invalid", `"description" must be a text, not ${shown(description)}`);
  const tags = checkedList(shape, "tags", say);
  for (const tag of tags) if (typeof tag !== "string" || tag === "") say("tag_invalid", `tag ${shown(tag)} must be a text with something in it`);
  const side = (member: "args" | "result"): object => {
    const schema = shape[member] === undefined ? undefined : checkedSchema(shape[member], "tool", `${place}, ${member}`, findings);
    return schema === undefined ? {} : { [member]: schema };
  };
  return {
    name: typeof name === "string" ? name : key,
    toolset,
    description: typeof description === "string" ? description : "",
    bounded: checkedFlag(shape, "bounded", say),
    confirm: checkedFlag(shape, "confirm", say),
    tags: tags.map(String),
    ...side("args"),
    ...side("result"),
  };
}
