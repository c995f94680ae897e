// Owns the comparison of generated suites with the designs that they should come from.

import { suiteDigests } from "../codegen/suite-digest.ts";
import { EntailError } from "../core/error.ts";
import type { Suite } from "../core/suite.ts";
import { checkDesigns, loadDesigns } from "./load-designs.ts";
import { displayPath } from "./path.ts";
import { inFile } from "./problem.ts";
import type { Project } from "./project.ts";
import { join } from "node:path";

/**
 * Throws `design_stale`, which names each generated file that does not come from its design, or whatever is wrong with the designs.
 * Returns the ids of suites that no design holds. `suites` are those with a digest.
 */
export async function checkGenerated(project: Project, suites: readonly Suite[]): Promise<readonly string[]> {
  const digests = new Map<string, string>();
  for (const { design } of checkDesigns(await loadDesigns(project), project.cwd)) {
    for (const [id, digest] of suiteDigests(design)) digests.set(id, digest);
  }
  const stale = suites.filter((suite) => digests.has(suite.id) && digests.get(suite.id) !== suite.digest).map((suite) => join(project.root, "gen", "evals", suite.id, "suite.ts"));
  const [first] = stale;
  if (first !== undefined) {
    const names = stale.map((file) => displayPath(file, project.cwd)).join(", ");
    throw inFile(new EntailError("design_stale", `${names} ${stale.length === 1 ? "does" : "do"} not come from the design beside ${stale.length === 1 ? "it" : "them"}: npx entail gen writes ${stale.length === 1 ? "it" : "them"} anew`), first);
  }
  return suites.filter((suite) => !digests.has(suite.id)).map((suite) => suite.id);
}
