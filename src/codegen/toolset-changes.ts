// Owns the difference between two texts of one `gen/toolsets/<toolset>.ts`: which tools it is about.

import { refSteps } from "../schema/reference.ts";

/** Names of tools, sorted. */
export interface ToolsetChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** A descriptor with its comment, up to the line that ends it. */
const DESCRIPTOR = /(?:^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^export const \S+: TypedTool<[\s\S]*?^\};$/gm;
const NAME = /^ {2}name: ("(?:[^"\\]|\\.)*"),$/m;
const DEFINITIONS = /^const \$defs = \{[\s\S]*?\};$/m;
/** One definition: on a line of its own, or up to the line that ends it. */
const DEFINITION = /^ {2}(?:([\w$]+)|("(?:[^"\\]|\\.)*")|\["__proto__"\]): (?:\{\n[\s\S]*?^ {2}\}|[^\n]*),$/gm;
const REFERENCE = /"#\/\$defs\/(?:[^"\\]|\\.)*"/g;

/** `before` may be any text; what is no generated descriptor in it is no tool. */
export function toolsetChanges(before: string, after: string): ToolsetChanges {
  const [old, now] = [toolTexts(before), toolTexts(after)];
  return {
    added: [...now.keys()].filter((name) => !old.has(name)).sort(),
    removed: [...old.keys()].filter((name) => !now.has(name)).sort(),
    changed: [...now].flatMap(([name, text]) => (old.has(name) && old.get(name) !== text ? [name] : [])).sort(),
  };
}

/** `tool "a" changed, tool "b" is new`; empty where nothing is told apart. */
export function toolsetChangesText({ added, removed, changed }: ToolsetChanges): string {
  const said = (names: readonly string[], what: string): readonly string[] => names.map((name) => `tool ${JSON.stringify(name)} ${what}`);
  return [...said(changed, "changed"), ...said(added, "is new"), ...said(removed, "is gone")].join(", ");
}

/** All that a file says of each tool, the definitions that its schemas lead to included. */
function toolTexts(text: string): ReadonlyMap<string, string> {
  const definitions = definitionTexts(text);
  const texts = new Map<string, string>();
  for (const [descriptor] of text.matchAll(DESCRIPTOR)) {
    const name = NAME.exec(descriptor)?.[1];
    if (name === undefined) continue;
    const parts = [descriptor];
    const led = new Set<string>();
    // The list grows while it is walked.
    for (const part of parts) {
      for (const [reference] of part.matchAll(REFERENCE)) {
        const definition = refSteps(JSON.parse(reference) as string)?.[1] ?? "";
        if (led.has(definition)) continue;
        led.add(definition);
        parts.push(definitions.get(definition) ?? definitions.get("") ?? "");
      }
    }
    texts.set(JSON.parse(name) as string, parts.join("\n"));
  }
  return texts;
}

/** By name; all of them under the empty name where they stand on one line. */
function definitionTexts(text: string): ReadonlyMap<string, string> {
  const whole = DEFINITIONS.exec(text)?.[0] ?? "";
  const found = [...whole.matchAll(DEFINITION)].map(([definition, plain, quoted]) => [plain ?? (quoted === undefined ? "__proto__" : (JSON.parse(quoted) as string)), definition] as const);
  return new Map(found.length === 0 ? [["", whole]] : found);
}
