// Owns the letters by which a row names the outcomes of its trials: ten thousand rows stay small.

import type { Outcome } from "../../core/outcome.ts";

const LETTERS: Readonly<Record<Outcome, string>> = { passed: "p", scored: "s", failed: "f", errored: "e", cancelled: "c", skipped: "k" };
const OUTCOME_OF: ReadonlyMap<string, Outcome> = new Map(Object.entries(LETTERS).map(([outcome, letter]) => [letter, outcome as Outcome]));

export const outcomeLetter = (outcome: Outcome): string => LETTERS[outcome];

/** The outcomes that a row's letters stand for; a letter that stands for none is left out. */
export const outcomesOf = (letters: string): readonly Outcome[] => letters.split("").flatMap((letter) => OUTCOME_OF.get(letter) ?? []);
