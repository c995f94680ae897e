// Owns counting by outcome from nothing.

import { type Outcome, OUTCOMES } from "../../core/outcome.ts";

export const noCounts = (): Record<Outcome | "missing", number> => Object.fromEntries([...OUTCOMES, "missing"].map((outcome) => [outcome, 0])) as Record<Outcome | "missing", number>;
