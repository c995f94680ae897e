// Owns what flipped within a scenario between two runs: claims, checks, gates, scores and turns.

import type { ComparableClaim, ComparableScenario, ComparableScore, ComparableTurn, Flip, FlipSide, HeldCount } from "../core/comparison.ts";
import { LABELS } from "../core/label.ts";
import { apart } from "./number-text.ts";

/** In the order claim, gate, score, check, turn; those that got worse first within each kind. */
export function flipsBetween(before: ComparableScenario, after: ComparableScenario): readonly Flip[] {
  const gateIds = new Set([...(before.scores ?? []), ...(after.scores ?? [])].filter(({ kind }) => kind === "gate").map(({ id }) => id));
  // A quick check as a gate is a check as well: told once.
  const checks = ({ checks: own = [] }: ComparableScenario): readonly (HeldCount & { readonly id: string })[] => own.filter(({ name }) => !gateIds.has(name)).map(({ name, held, of }) => ({ id: name, held, of }));
  const scores = ({ scores: own = [] }: ComparableScenario, kind: "gate" | "scorer"): readonly ComparableScore[] => own.filter((score) => score.kind === kind && score.of > 0);
  const turns = ({ turns: own = [] }: ComparableScenario): readonly (ComparableTurn & { readonly id: string })[] => own.map((turn) => ({ ...turn, id: turn.id ?? `turn ${turn.turn + 1}` }));
  return [
    ...flips("claim", before.claims ?? [], after.claims ?? [], claimSide, sameLabels),
    ...flips("gate", scores(before, "gate"), scores(after, "gate"), heldSide),
    ...flips("score", scores(before, "scorer"), scores(after, "scorer"), scoreSide),
    ...flips("check", checks(before), checks(after), heldSide),
    ...flips("turn", turns(before), turns(after), turnSide),
  ];
}

type Held = HeldCount & { readonly id: string; readonly turn?: number | undefined };

const RANK = { worse: 0, removed: 1, changed: 2, added: 3, better: 4 } as const satisfies Record<Flip["direction"], number>;

function flips<Item extends Held>(kind: Flip["kind"], before: readonly Item[], after: readonly Item[], sideOf: (item: Item) => FlipSide, same: (a: Item, b: Item) => boolean = () => true): readonly Flip[] {
  const keyOf = ({ id, turn }: Item): string => JSON.stringify([turn, id]);
  const now = new Map(after.map((item) => [keyOf(item), item]));
  const found: Flip[] = [];
  for (const old of before) {
    const key = keyOf(old);
    const item = now.get(key);
    now.delete(key);
    const place = { kind, id: old.id, ...(old.turn !== undefined && { turn: old.turn }) };
    if (item === undefined) {
      found.push({ ...place, direction: "removed", before: sideOf(old) });
      continue;
    }
    const gap = share(item) - share(old);
    if (Math.abs(gap) < 1e-9 && old.of > 0 === item.of > 0 && same(old, item)) continue;
    found.push({ ...place, direction: Math.abs(gap) < 1e-9 ? "changed" : gap < 0 ? "worse" : "better", before: sideOf(old), after: sideOf(item) });
  }
  for (const item of now.values()) found.push({ kind, id: item.id, ...(item.turn !== undefined && { turn: item.turn }), direction: "added", after: sideOf(item) });
  return found.toSorted((a, b) => RANK[a.direction] - RANK[b.direction]);
}

/** What was never reached never held. */
function share({ held, of }: HeldCount): number {
  return of === 0 ? 0 : held / of;
}

/** Whether its labels came in the same proportions: `contradicted` instead of `not_addressed` is a change, though it held neither time. */
function sameLabels(a: ComparableClaim, b: ComparableClaim): boolean {
  return LABELS.every((label) => Math.abs((a.labels[label] ?? 0) / a.of - (b.labels[label] ?? 0) / b.of) < 1e-9);
}

function claimSide({ held, of, labels }: ComparableClaim): FlipSide {
  const most = LABELS.reduce((best, label) => ((labels[label] ?? 0) > (labels[best] ?? 0) ? label : best));
  const word = most.replaceAll("_", " ");
  return { text: of === 1 ? word : `${word} ${labels[most] ?? 0} of ${of}`, held, of };
}

function heldSide({ held, of }: HeldCount): FlipSide {
  return { text: of === 1 ? (held === 1 ? "holds" : "fails") : `holds ${held} of ${of}`, held, of };
}

function scoreSide({ held, of, score, threshold }: ComparableScore): FlipSide {
  const number = score === undefined ? "not scored" : threshold === undefined || score === threshold ? score.toFixed(2) : apart(score, threshold)[0];
  return { text: of === 1 ? number : `${number}, met ${held} of ${of}`, held, of, ...(score !== undefined && { score }) };
}

function turnSide({ held, of }: ComparableTurn): FlipSide {
  if (of === 0) return { text: "not reached", held, of };
  return { text: of === 1 ? (held === 1 ? "passed" : "not passed") : `passed ${held} of ${of}`, held, of };
}
