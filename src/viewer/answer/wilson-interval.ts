// Owns the interval that stands beside every rate of the viewer.

import { wilson } from "../../stats/wilson.ts";

/** Wilson's, at 95%; from 0 to 1 where nothing is known. */
export const wilsonInterval = (passed: number, of: number): readonly [number, number] => wilson(passed, of) ?? [0, 1];
