// Owns the verb `list`: suites, scenarios and tags, without running anything.

import type { FlagValues } from "../command-line.ts";
import type { Desk } from "../desk.ts";
import { checkSelectors, selectSuites } from "../selection.ts";
import { writeSuiteList } from "../suite-list.ts";
import { loadAll, selectorsOf } from "./run.ts";

/** Returns the exit code: 2 where a file could not be loaded. */
export async function list(operands: readonly string[], flags: FlagValues, desk: Desk): Promise<number> {
  if (flags["runs"] === true) return (await import("../run-list.ts")).listRuns(flags, desk);
  const selectors = selectorsOf(flags);
  checkSelectors(selectors);
  const { evaluations, problems } = await loadAll({ kind: "paths", operands }, flags, desk);
  if (evaluations.length === 0) return 2;
  const { suites } = selectSuites(evaluations, ({ options }) => options.suite, selectors);
  await writeSuiteList(suites.map(({ item, scenarios }) => ({ file: item.file, suite: item.options.suite, scenarios })), flags, desk);
  return problems.length > 0 ? 2 : 0;
}
