// Owns the files of a project that begins: one eval file that runs as it is, a configuration, and a script to run it by.

import { EntailError, messageOf } from "../core/error.ts";

export interface FirstFile {
  /** Relative to the project's root. */
  readonly path: string;
  readonly text: string;
}

export const FIRST_CONFIG: FirstFile = {
  path: "entail.config.ts",
  text: [
    'import { defineConfig } from "entail";',
    "",
    "export default defineConfig({",
    "  // How many scenarios run at once.",
    "  maxConcurrency: 5,",
    "});",
    "",
  ].join("\n"),
};

export const FIRST_EVAL: FirstFile = {
  path: "evals/greeting.eval.ts",
  text: [
    'import { check, evaluation, implement, type HooksOf } from "entail";',
    'import { suite } from "entail/design";',
    "",
    'const greeting = suite("greeting", {',
    '  description: "Greets people.",',
    '  timeout: "30s",',
    "  scenarios: {",
    '    by_name: { description: "Greets a person by name.", tags: ["smoke"] },',
    '    in_one_sentence: { description: "Says no more than asked." },',
    "  },",
    "});",
    "",
    "// Your agent: call it here.",
    "async function agent(prompt: string, signal: AbortSignal): Promise<string> {",
    "  signal.throwIfAborted();",
    '  return `Hello, ${prompt.replace("Greet ", "")}!`;',
    "}",
    "",
    "const hooks: HooksOf<typeof greeting> = {",
    "  async byName(ctx) {",
    '    const output = await agent("Greet Ada", ctx.signal);',
    '    return { checks: [check("names_her", output.includes("Ada"), () => `the answer is ${JSON.stringify(output)}`)], output };',
    "  },",
    "  async inOneSentence(ctx) {",
    '    const output = await agent("Greet Grace", ctx.signal);',
    '    const sentences = output.split(/[.!?]+/).filter((part) => part.trim() !== "").length;',
    '    return { checks: [check("one_sentence", sentences === 1, () => `${sentences} sentences`)], output };',
    "  },",
    "};",
    "",
    "export default evaluation({ suite: implement(greeting, hooks) });",
    "",
  ].join("\n"),
};

const SCRIPT = "entail run";

/** The text of `package.json` with a script `eval`, as it is formatted; `undefined` where it has one. Throws `config_invalid`. */
export function withScript(text: string | undefined): string | undefined {
  if (text === undefined) return `${JSON.stringify({ private: true, type: "module", scripts: { eval: SCRIPT } }, null, 2)}\n`;
  let manifest: unknown;
  try {
    manifest = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new EntailError("config_invalid", `package.json cannot be read: ${messageOf(cause)}`, { cause });
  }
  if (typeof manifest !== "object" || manifest === null || Array.isArray(manifest)) throw new EntailError("config_invalid", "package.json holds no object");
  const { scripts } = manifest as { readonly scripts?: unknown };
  if (scripts !== undefined && (typeof scripts !== "object" || scripts === null || Array.isArray(scripts))) throw new EntailError("config_invalid", "package.json: scripts must be an object");
  if (scripts !== undefined && Object.hasOwn(scripts, "eval")) return undefined;
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  ";
  const end = text.endsWith("\n") ? "\n" : "";
  return `${JSON.stringify({ ...manifest, scripts: { ...scripts, eval: SCRIPT } }, null, indent)}${end}`;
}
