// Owns the statements of a text: how a model lists them, how claims speak of them, and how they are told in a reason.

import type { Claim } from "../../core/claim.ts";
import type { Judgment } from "../../core/judgment.ts";
import type { Label } from "../../core/label.ts";
import type { JsonSchema } from "../../core/schema.ts";
import type { Ask } from "./ask.ts";

export interface Verdict {
  readonly statement: string;
  readonly label: Label;
  readonly reason: string;
}

/** A list of texts, none of them empty, as a member of a form. */
export const TEXTS: JsonSchema = { type: "array", items: { type: "string", minLength: 1 } };

/** A closed object that needs each of its members. */
export function formOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

const SPLIT = `Write each as one full sentence that stands for itself: names instead of pronouns, one fact each, nothing added, nothing judged, false ones like true ones. Leave out questions, greetings and offers of help. Give an empty list where there is none.`;

/** One request for the statements of each text of `data`, which are named by its members. */
export async function statementsOf<Name extends string>(ask: Ask, data: Readonly<Record<Name, string>>, what: string): Promise<Readonly<Record<Name, readonly string[]>>> {
  const names = Object.keys(data) as Name[];
  const task = `List ${what} in ${names.map((name) => `the member ${JSON.stringify(name)}`).join(" and, apart from it, ")}. ${SPLIT}`;
  const value = await ask.form({ task, data, schema: formOf(Object.fromEntries(names.map((name) => [name, TEXTS]))), faults: blanks });
  return value as Readonly<Record<Name, readonly string[]>>;
}

/** A blank statement would be held against nothing, and counted. */
export function blanks(value: unknown): readonly string[] {
  return Object.entries(value as object).flatMap(([name, texts]: [string, unknown]) =>
    Array.isArray(texts) ? texts.flatMap((text: unknown, at) => (typeof text === "string" && text.trim() === "" ? [`${name}[${at}] is blank`] : [])) : [],
  );
}

/** One claim for each text, by its number. */
export function claimsOn(texts: readonly string[], prefix: string, sentence: (number: number) => string): readonly Claim[] {
  return texts.map((_, at) => ({ id: `${prefix}_${at + 1}`, text: sentence(at + 1) }));
}

export function verdictsOn(texts: readonly string[], judgments: readonly Judgment[]): readonly Verdict[] {
  return texts.map((statement, at) => ({ statement, label: judgments[at]?.label ?? "indeterminate", reason: judgments[at]?.rationale ?? "" }));
}

export function countOf(verdicts: readonly Verdict[], ...labels: readonly Label[]): number {
  return verdicts.filter(({ label }) => labels.includes(label)).length;
}

/** `; unsupported: "…" (why), …`: at most five, each of them short. */
export function told(head: string, verdicts: readonly Verdict[]): string {
  const shown = verdicts.slice(0, 5).map(({ statement, reason }) => `${JSON.stringify(brief(statement))} (${brief(reason)})`);
  return shown.length === 0 ? "" : `; ${head}: ${shown.join(", ")}${verdicts.length > shown.length ? `, and ${verdicts.length - shown.length} more` : ""}`;
}

/** On one line and short, whatever it is. */
export function brief(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= 200 ? line : `${line.slice(0, 200)}…`;
}
