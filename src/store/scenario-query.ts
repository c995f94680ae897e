// Owns what a query of scenarios means: its limits, what matches and in which order. SQLite answers the same in its own words.

import { type Outcome, OUTCOMES } from "../core/outcome.ts";
import type { ScenarioPage, ScenarioQuery, ScenarioRow } from "../core/store.ts";
import { flakiness } from "./scenario-row.ts";

const LARGEST_PAGE = 1_000;

export interface ScenarioRange {
  readonly from: number;
  readonly limit: number;
}

export function rangeOf({ from = 0, limit = 200 }: ScenarioQuery): ScenarioRange {
  return { from: whole(from, 0), limit: Math.min(LARGEST_PAGE, whole(limit, 1)) };
}

/** At most 1,000 of a list, 50 where nothing is said. */
export function limitOf(limit: number | undefined): number {
  return limit === undefined ? 50 : Math.min(LARGEST_PAGE, whole(limit, 1));
}

function whole(value: number, least: number): number {
  return Number.isFinite(value) ? Math.max(least, Math.floor(value)) : least;
}

/** The words of a search, as they are compared: letters of ASCII in lower case. */
export function wordsOf(search: string | undefined): readonly string[] {
  return asciiLower(search ?? "").split(/\s+/).filter((word) => word !== "");
}

/** SQLite's `LIKE` folds no other letters. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function noCounts(): Record<Outcome | "missing", number> {
  return Object.fromEntries([...OUTCOMES, "missing"].map((outcome) => [outcome, 0])) as Record<Outcome | "missing", number>;
}

/** The page of `rows`, which are all of a run in order of position. */
export function pageOf(rows: readonly ScenarioRow[], query: ScenarioQuery): ScenarioPage {
  const counts = noCounts();
  for (const { outcome } of rows) counts[outcome ?? "missing"] += 1;
  const words = wordsOf(query.search);
  const { outcomes, tag, sort = "position" } = query;
  const matching = rows.filter((row) => {
    if (outcomes !== undefined && !outcomes.includes(row.outcome ?? "missing")) return false;
    if (tag !== undefined && !row.tags.includes(tag)) return false;
    if (words.length === 0) return true;
    const texts = [row.id, ...row.tags, row.reason ?? ""].map(asciiLower);
    return words.every((word) => texts.some((text) => text.includes(word)));
  });
  const key = (row: ScenarioRow): number => {
    if (sort === "cost") return row.cost ?? -1;
    return sort === "duration" ? (row.durationMs ?? -1) : flakiness(row.trials);
  };
  const sorted = sort === "position" ? matching : matching.toSorted((a, b) => key(b) - key(a) || a.position - b.position);
  const { from, limit } = rangeOf(query);
  return { rows: sorted.slice(from, from + limit), total: matching.length, counts };
}
