// Owns what is noted while a schema is read: faults that keep it from being kept, and warnings.

import type { ErrorCode } from "../core/error.ts";
import { placeOf } from "./place.ts";

/** `input`: the input of a scenario, closed. `tool`: the arguments or the result of a tool, open. */
export type SchemaSide = "input" | "tool";

export interface ReadingFault {
  readonly code: ErrorCode;
  /** The place in the values that the schema describes; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

export interface ReadingWarning {
  readonly path: string;
  readonly message: string;
}

export type Steps = readonly (string | number)[];

export interface Notes {
  readonly faults: readonly ReadingFault[];
  readonly warnings: readonly ReadingWarning[];
  fault(code: ErrorCode, steps: Steps, message: string): void;
  warn(steps: Steps, message: string): void;
}

export function startNotes(): Notes {
  const faults: ReadingFault[] = [];
  const warnings: ReadingWarning[] = [];
  return {
    faults,
    warnings,
    fault(code, steps, message) {
      const path = placeOf(steps);
      // A schema that stands in several places is met several times.
      if (!faults.some((known) => known.code === code && known.path === path && known.message === message)) faults.push({ code, path, message });
    },
    warn(steps, message) {
      const path = placeOf(steps);
      if (!warnings.some((known) => known.path === path && known.message === message)) warnings.push({ path, message });
    },
  };
}
