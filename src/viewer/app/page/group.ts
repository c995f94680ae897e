// Owns the groups of a run's scenarios, in the order in which they are read.

export const GROUPS = ["failed", "errored", "scored", "passed", "cancelled", "skipped", "missing"] as const;
export type Group = (typeof GROUPS)[number];
