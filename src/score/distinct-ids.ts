// Owns the ids of several scorers beside one another: no two are alike, and a kind that stands alone keeps its plain name in `result.scores`.

import type { Scorer } from "../core/scorer.ts";
import { scorerInvalid } from "./scorer-error.ts";

export interface NamedScorer {
  readonly id: string;
  readonly base: string;
}

/** Same length and order as `scorers`: the ids as they are, a second one of the same as `id#2`. Throws `scorer_invalid` where one object stands twice: it is a mistake. */
export function distinctIds(scorers: readonly Scorer[], place = "scorers"): readonly NamedScorer[] {
  const taken = new Set(scorers.map((scorer) => scorer.id));
  const seen = new Map<string, Scorer[]>();
  return scorers.map((scorer) => {
    const before = seen.get(scorer.id) ?? [];
    if (before.includes(scorer)) throw scorerInvalid(`${place} holds the scorer ${JSON.stringify(scorer.id)} twice`);
    seen.set(scorer.id, [...before, scorer]);
    const base = scorer.base ?? scorer.id;
    if (before.length === 0) return { id: scorer.id, base };
    let count = before.length + 1;
    while (taken.has(`${scorer.id}#${count}`)) count++;
    taken.add(`${scorer.id}#${count}`);
    return { id: `${scorer.id}#${count}`, base };
  });
}

/** The keys of `result.scores`: the base while one scorer has it, else the distinct id. */
export function scoreKeys(named: readonly NamedScorer[]): ReadonlyMap<string, string> {
  const holders = new Map<string, number>();
  for (const { base } of named) holders.set(base, (holders.get(base) ?? 0) + 1);
  const ids = new Set(named.map(({ id }) => id));
  return new Map(named.map(({ id, base }) => [id, holders.get(base) === 1 && (base === id || !ids.has(base)) ? base : id]));
}
