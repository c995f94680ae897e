// Owns the digest of a suite: it tells whether generated code comes from the design that stands beside it.

import { createHash } from "node:crypto";
import type { CheckedDesign, CheckedToolset } from "../design/checked-design.ts";
import { canonicalJson } from "../json/write-json.ts";
import { suiteContent, suiteModel, type SuiteModel } from "./suite-model.ts";
import { toolsContent, toolsModel } from "./tool-model.ts";

/**
 * Of each suite, by id: 32 hexadecimal digits over all that is generated for it and over every toolset of the design, whose
 * descriptors its hooks may use. The order in which toolsets and tools are declared does not matter.
 */
export function suiteDigests(design: CheckedDesign): ReadonlyMap<string, string> {
  const toolsets = toolsetsContent(design.toolsets);
  return new Map(design.suites.map((suite) => [suite.id, suiteDigest(suiteModel(suite), toolsets)]));
}

export function suiteDigest(model: SuiteModel, toolsets: unknown): string {
  return createHash("sha256")
    .update(canonicalJson({ suite: suiteContent(model), toolsets }))
    .digest("hex")
    .slice(0, 32);
}

export function toolsetsContent(toolsets: readonly CheckedToolset[]): readonly unknown[] {
  return toolsets.map((toolset) => ({ name: toolset.name, ...toolsContent(toolsModel(toolset.tools)) }));
}
