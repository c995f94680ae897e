// Owns the finding of renamed scenarios: what one run lacks and the other has anew, with the same content.

import type { ComparableScenario } from "../core/comparison.ts";

/**
 * The new id of each scenario of `before` that `after` has under another, by id: their content is the same, and no other scenario of either run has it.
 * Where many are described alike, none of them is known again. `left` are ids that the second run left out on purpose.
 */
export function renamedScenarios(before: readonly ComparableScenario[], after: readonly ComparableScenario[], left: (id: string) => boolean): ReadonlyMap<string, string> {
  const [old, young] = [byContent(before), byContent(after)];
  const [oldIds, youngIds] = [new Set(before.map(({ id }) => id)), new Set(after.map(({ id }) => id))];
  const renamed = new Map<string, string>();
  for (const [content, from] of old) {
    const to = young.get(content);
    if (from === undefined || to === undefined || youngIds.has(from) || oldIds.has(to) || left(from)) continue;
    renamed.set(from, to);
  }
  return renamed;
}

/** The id of the one scenario with a content; `undefined` where several have it. */
function byContent(scenarios: readonly ComparableScenario[]): ReadonlyMap<string, string | undefined> {
  const ids = new Map<string, string | undefined>();
  for (const { id, content } of scenarios) if (content !== undefined) ids.set(content, ids.has(content) ? undefined : id);
  return ids;
}
