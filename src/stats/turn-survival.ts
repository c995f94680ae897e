// Owns how far conversations get: gates at turns end some of them early, and broken runs end others unseen.

import { EntailError } from "../core/error.ts";
import { requireCountOf, requireList } from "./argument.ts";

export interface TurnCount {
  /** Conversations whose turn was run and scored. */
  readonly reached: number;
  /** Of these, the ones that failed it. */
  readonly failed: number;
}

export interface TurnSurvival {
  /** The failure rate at each turn among those that reached it. */
  readonly hazards: readonly number[];
  /** The share that would hold every turn: `Π (1 - h_t)`. */
  readonly survival: number;
  /** Greenwood's; `null` where no conversation is left. */
  readonly standardError: number | null;
  /** The two wrong answers beside it: unseen conversations left out, and unseen conversations counted as failed. */
  readonly droppingUnseen: number | null;
  readonly unseenAsFailed: number;
}

/**
 * The share of conversations, from 0 to 1, that hold all their turns, where some were cut off unseen: `h_t = d_t / n_t`, `S = Π (1 - h_t)`, `SE = S
 * √Σ d_t / (n_t (n_t - d_t))`.
 *
 * For conversations whose turns have gates. Kaplan and Meier 1958; Greenwood 1926. `null` without a turn, or where nobody reached some turn although
 * someone held the one before. Throws `value_invalid` unless `0 <= failed <= reached`, all whole, and no turn is reached by more than held the one
 * before.
 */
export function turnSurvival(turns: readonly TurnCount[]): TurnSurvival | null {
  requireList("turnSurvival", "turns", turns);
  const hazards: number[] = [];
  let survival = 1;
  let squares = 0;
  let held = Number.POSITIVE_INFINITY;
  let failures = 0;
  for (const [index, turn] of turns.entries()) {
    requireCountOf("turnSurvival", `turns[${index}].failed`, turn.failed, `turns[${index}].reached`, turn.reached);
    if (turn.reached > held) throw new EntailError("value_invalid", `turnSurvival: turn ${index} was reached by ${turn.reached} conversations, but only ${held} held the one before`);
    if (held === 0) break;
    if (turn.reached === 0) return null;
    hazards.push(turn.failed / turn.reached);
    survival *= 1 - turn.failed / turn.reached;
    squares += turn.failed / (turn.reached * (turn.reached - turn.failed));
    held = turn.reached - turn.failed;
    failures += turn.failed;
  }
  const first = turns[0]?.reached ?? 0;
  if (first === 0) return null;
  return {
    hazards,
    survival,
    standardError: held === 0 ? null : survival * Math.sqrt(squares),
    droppingUnseen: held + failures === 0 ? null : held / (held + failures),
    unseenAsFailed: held / first,
  };
}
