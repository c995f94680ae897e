// Owns the warnings of a run: each is said once, with a count where it came again.

import type { Warning } from "../core/report.ts";

export interface Warnings {
  /** False once the run is over. */
  say(code: string, message: string, scenario?: string): boolean;
  /** All that were said, in the order of their first time. */
  list(): readonly Warning[];
  close(): void;
}

/** More different ones are only counted. */
const MAX_WARNINGS = 1_000;

/** `onNew` is told of each warning the first time it is said. */
export function createWarnings(onNew: (warning: Warning) => void): Warnings {
  const said = new Map<string, { readonly warning: Warning; times: number }>();
  let dropped = 0;
  let closed = false;
  return {
    say(code, message, scenario) {
      if (closed) return false;
      const key = JSON.stringify([code, message]);
      const before = said.get(key);
      if (before !== undefined) {
        before.times += 1;
        return true;
      }
      if (said.size >= MAX_WARNINGS) {
        dropped += 1;
        return true;
      }
      const warning: Warning = Object.freeze({ code, message, ...(scenario !== undefined && { scenario }) });
      said.set(key, { warning, times: 1 });
      onNew(warning);
      return true;
    },
    list() {
      const warnings = Array.from(said.values(), ({ warning, times }) => (times === 1 ? warning : { ...warning, message: `${warning.message} (${times} times)` }));
      if (dropped > 0) warnings.push({ code: "warnings_dropped", message: `${dropped} more warnings were left out` });
      return warnings;
    },
    close() {
      closed = true;
    },
  };
}
