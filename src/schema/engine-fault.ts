// Owns the turning of the engine's findings into faults: each with its path and our own sentence, and of a union only the branch that was meant.

import type { OutputUnit } from "@cfworker/json-schema";
import type { JsonSchema } from "../core/schema.ts";
import { leafFaults } from "./fault-sentence.ts";
import { readFindings, type Finding } from "./finding.ts";
import type { SchemaFault } from "./schema-fault.ts";
import { unionFaults } from "./union-fault.ts";

/** The faults of `value` that the engine's `errors` amount to, in the order of the schema, each once. */
export function faultsOf(errors: readonly OutputUnit[], root: JsonSchema, value: unknown): readonly SchemaFault[] {
  const sift = (findings: readonly Finding[]): readonly SchemaFault[] => {
    const faults = new Map<string, SchemaFault>();
    for (const fault of findings.flatMap(faultsOfOne)) faults.set(`${fault.path}\n${fault.message}`, fault);
    return [...faults.values()];
  };
  const faultsOfOne = (finding: Finding): readonly SchemaFault[] => {
    switch (finding.keyword) {
      case "anyOf":
      case "oneOf":
        return unionFaults(finding, root, sift);
      case "propertyNames":
        return sift(finding.inner).map((fault) => ({ path: fault.path, message: `has a name that ${fault.message}` }));
      default:
        return leafFaults(finding, root);
    }
  };
  return sift(readFindings(errors, root, value));
}
