// Owns toolsets made of tools that live elsewhere: those of an agent's framework, or a catalogue of JSON Schemas.

import { EntailError } from "../core/error.ts";
import { member, namesOf, recordOf, textMember } from "../core/member.ts";
import { didYouMean } from "../core/nearest.ts";
import { type ForeignValue, foreignSchema } from "./foreign-schema.ts";
import { kindOf } from "./mark.ts";
import { tool, type ToolDesign } from "./tool.ts";
import { toolset, type ToolsetDesign } from "./toolset.ts";

/**
 * A tool as its framework holds it: of the AI SDK (`tool({ … })`), of Mastra (`createTool({ … })`), or an entry of a catalogue
 * `{ description, inputSchema, outputSchema? }` whose schemas are JSON Schemas.
 */
export interface ForeignTool {
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
}

export interface ToolsetFromOptions {
  /** Takes these tools alone, by name. */
  readonly only?: readonly string[] | undefined;
  /** Whose results come with bounds. */
  readonly bounded?: readonly string[] | undefined;
  /** Which wait for a person's approval, beside those that say so themselves (`needsApproval: true`, `requireApproval: true`). */
  readonly confirm?: readonly string[] | undefined;
}

/** What a tool takes and gives, as far as its own type says it. */
export type DesignOfForeign<Tool> = ToolDesign<
  Tool extends { readonly inputSchema: infer Side } ? ForeignValue<Side> : unknown,
  Tool extends { readonly outputSchema: infer Side } ? ForeignValue<Side> : unknown,
  never
>;

/** One tool by the name that the model calls. */
export type NamedForeignTool = readonly [name: string, tool: unknown];

const OPTIONS = ["only", "bounded", "confirm"] as const;
/** What other catalogues call the schema of the arguments. */
const STRAYS = ["parameters", "input_schema", "args", "schema", "input"] as const;

/**
 * Makes a toolset of tools by the names that a model calls them by: `toolsetFrom("alarms", agentTools)`. What their schemas say is checked
 * with the design. Throws `option_invalid` for an option that names no such tool.
 */
export function toolsetFrom<const Name extends string, Tools extends Readonly<Record<string, ForeignTool>>>(
  name: Name,
  tools: Tools,
  options: ToolsetFromOptions = {},
): ToolsetDesign<Name, { [Key in keyof Tools & string]: DesignOfForeign<Tools[Key]> }> {
  const given: unknown = tools;
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw new EntailError("option_invalid", `toolset ${JSON.stringify(name)}: toolsetFrom() needs an object of tools by their names`);
  return toolsetOf(name, namesOf(tools).map((key) => [key, member(tools, key)] as const), options) as never;
}

/** The same of a list in which a name may stand twice: that is a fault of the design, not of whoever lists. */
export function toolsetOf(name: string, tools: readonly NamedForeignTool[], options: ToolsetFromOptions = {}): ToolsetDesign<string, Record<string, ToolDesign<unknown, unknown, never>>> {
  const listed = new Set(tools.map(([each]) => each));
  const chosen = (option: (typeof OPTIONS)[number]): ReadonlySet<string> | undefined => {
    const names: unknown = options[option];
    if (names === undefined) return undefined;
    if (!Array.isArray(names)) throw wrong(`${option} must be a list of names of tools`);
    for (const each of names as unknown[]) {
      if (typeof each === "string" && listed.has(each)) continue;
      throw wrong(`${option} names the tool ${JSON.stringify(each)}, which is not there${typeof each === "string" ? didYouMean(each, listed) : ""}`);
    }
    return new Set(names as string[]);
  };
  const wrong = (what: string): EntailError => new EntailError("option_invalid", `toolset ${JSON.stringify(name)}: ${what}`);
  for (const option of namesOf(options)) {
    if (!(OPTIONS as readonly string[]).includes(option)) throw wrong(`there is no option ${JSON.stringify(option)}${didYouMean(option, OPTIONS)}`);
  }
  const [only, bounded, confirm] = [chosen("only"), chosen("bounded"), chosen("confirm")];

  // Without a prototype: a tool may be called `__proto__`.
  const declared = Object.create(null) as Record<string, ToolDesign<unknown, unknown, never>>;
  for (const [each, foreign] of tools) {
    if (only !== undefined && !only.has(each)) continue;
    let key = each;
    for (let again = 2; Object.hasOwn(declared, key); again++) key = `${each} (${again})`;
    // What is no tool at all is a fault of the design.
    if (kindOf(foreign) === "tool" || recordOf(foreign) === undefined) {
      declared[key] = foreign as ToolDesign<unknown, unknown, never>;
      continue;
    }
    const stray = STRAYS.find((word) => member(foreign, word) !== undefined);
    if (stray !== undefined && member(foreign, "inputSchema") === undefined) throw wrong(`the tool ${JSON.stringify(each)} has ${JSON.stringify(stray)} where "inputSchema" is wanted; its arguments would be anything`);
    declared[key] = declaredTool(foreign, {
      ...(key === each ? {} : { name: each }),
      ...(bounded?.has(each) === true ? { bounded: true } : {}),
      ...(confirm?.has(each) === true || asks(foreign) ? { confirm: true } : {}),
    });
  }
  return toolset(name, declared);
}

function declaredTool(foreign: unknown, more: { readonly name?: string; readonly bounded?: boolean; readonly confirm?: boolean }): ToolDesign<unknown, unknown, never> {
  const [args, result] = [foreignSchema(member(foreign, "inputSchema")), foreignSchema(member(foreign, "outputSchema"))];
  return tool({
    description: textMember(foreign, "description") ?? "",
    ...more,
    ...(args === undefined ? {} : { args }),
    ...(result === undefined ? {} : { result }),
  }) as ToolDesign<unknown, unknown, never>;
}

/** A function that decides for each call says nothing of all calls. */
function asks(foreign: unknown): boolean {
  return member(foreign, "needsApproval") === true || member(foreign, "requireApproval") === true;
}
