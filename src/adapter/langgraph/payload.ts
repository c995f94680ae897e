// Owns what of a call's arguments and of its result is evidence: the text that the model wrote, or what LangChain made of it; and a result
// as the model was told it.

import type { ToolEndEvent } from "../../core/event.ts";
import { listOf, textMember } from "../../core/member.ts";
import { wireSafe } from "../../core/wire-safe.ts";
import { canonicalJson, sameJson } from "../../json/write-json.ts";
import { textResult } from "../../message/result-text.ts";

/** The members of a `tool_start` that carry arguments. */
export type ArgumentMembers = { readonly argsJson: string } | { readonly args: unknown };

export interface Arguments {
  readonly members: ArgumentMembers;
  /** The tool was given something else than the model wrote: LangChain completes arguments that were cut off. */
  readonly repaired: boolean;
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/**
 * The arguments of a call. `text` is what the model wrote, where it is known; `args` what LangChain parsed. An invalid call is shown as it
 * was written; a valid one too, with every digit, unless the tool was given something else: what was done is then shown.
 */
export function callArguments(text: string | undefined, args: unknown, invalid: boolean): Arguments {
  if (text === undefined || text.trim() === "") return { members: { args: jsonSafe(args) }, repaired: false };
  if (invalid || args === undefined) return { members: { argsJson: text }, repaired: false };
  const value = parsed(text);
  if (value !== undefined && sameJson(value.value, args)) return { members: { argsJson: text }, repaired: false };
  return { members: { args: jsonSafe(args) }, repaired: true };
}

/** What is not there stays so: the collector shows it as such. */
export function jsonSafe(value: unknown): unknown {
  try {
    canonicalJson(value);
    return value;
  } catch {
    return wireSafe(value);
  }
}

/** The texts of a list of blocks, where it holds nothing else. */
function joinedText(content: unknown): string | undefined {
  const blocks = listOf(content);
  if (blocks === undefined || blocks.length === 0) return undefined;
  const texts = blocks.map((block) => (typeof block === "string" ? block : textMember(block, "type") === "text" ? textMember(block, "text") : undefined));
  return texts.includes(undefined) ? undefined : texts.join("");
}

/** The members of a `tool_end` that carry a result. LangChain writes a tool's object as JSON text: that is read again, with every digit. */
export function resultMembers(content: unknown): Pick<ToolEndEvent, "result" | "resultJson"> {
  const text = typeof content === "string" ? content : joinedText(content);
  if (text !== undefined) return textResult(text);
  return content === undefined ? {} : { result: jsonSafe(content) };
}

/** The value that a result is, for whoever reads bounds from it. */
export function resultValue(content: unknown): unknown {
  const { result, resultJson } = resultMembers(content);
  return resultJson === undefined ? result : JSON.parse(resultJson);
}

/** What a failed tool's message says, without the words that LangGraph puts around an error's own. */
export function failureText(content: unknown): string {
  const text = typeof content === "string" ? content : (joinedText(content) ?? JSON.stringify(wireSafe(content)) ?? "");
  const own = text.replace(/^Error: /, "").replace(/\n Please fix your mistakes\.$/, "");
  return own.trim() === "" ? "it failed without saying why" : own;
}
