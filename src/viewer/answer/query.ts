// Owns reading the query of an address: every member is checked here, and what makes no sense is left out.

import { OUTCOMES, VERDICTS, type Outcome, type Verdict } from "../../core/outcome.ts";
import type { ScenarioQuery, ScenarioSort } from "../../core/store.ts";

export const isVerdict = (text: string | undefined): text is Verdict => (VERDICTS as readonly (string | undefined)[]).includes(text);

const isOutcome = (text: string): text is Outcome | "missing" => text === "missing" || (OUTCOMES as readonly string[]).includes(text);

const SORTS: readonly ScenarioSort[] = ["position", "flaky", "cost", "duration"];

/** A whole number of at least 0, or `undefined`. */
export function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export const textOf = (query: URLSearchParams, name: string): string | undefined => query.get(name) || undefined;

/** Lower case, at most ten. */
export const wordsOf = (text: string | null): readonly string[] => (text ?? "").toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);

/** `30d`, `12h` or a date as milliseconds since the epoch. */
export function sinceOf(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const age = /^(\d{1,6})([dh])$/.exec(text);
  if (age !== null) return now - Number(age[1]) * (age[2] === "d" ? 86_400_000 : 3_600_000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date;
}

/** The part of a scenario list's query that says which rows it holds, and in which order. */
export function listQuery(query: URLSearchParams): Omit<ScenarioQuery, "from" | "limit"> {
  const outcomes = (query.get("outcome") ?? "").split(",").filter(isOutcome);
  const sort = SORTS.find((name) => name === query.get("sort"));
  return { outcomes: outcomes.length > 0 ? outcomes : undefined, search: textOf(query, "q"), tag: textOf(query, "tag"), sort };
}
