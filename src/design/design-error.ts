// Owns the one error that reports all faults of a design together.

import { EntailError, type Fault } from "../core/error.ts";

export function designError(faults: readonly Fault[]): EntailError {
  const lines = faults.map((fault) => `\n  ${fault.place}: ${fault.message}`).join("");
  return new EntailError("design_invalid", `the design has ${faults.length === 1 ? "a fault" : `${faults.length} faults`}:${lines}`, { faults });
}
