// Owns the labels of a claim over all trials of a scenario.

import type { Label } from "../../../core/label.ts";

/** By turn and claim: the label in each trial, `undefined` where it was not judged. */
export type Labels = ReadonlyMap<string, readonly (Label | undefined)[]>;

export const labelsKey = (turn: number | undefined, claim: string): string => JSON.stringify([turn ?? null, claim]);
