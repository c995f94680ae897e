// Owns the order of the migrations. A file's version is how many of them it has had; none is ever changed once it was published.

import { RUNS } from "./migration/001-runs.ts";

export const MIGRATIONS: readonly string[] = [RUNS];
