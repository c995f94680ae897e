// Owns the usage of one run: of its steps, one model call each, or the total that its end gives, so that each token is counted once.

import { addUsage, type Usage } from "../../core/usage.ts";
import { readUsage } from "../../language-model/usage.ts";

/** The usage of a run from that of its steps, one model call each, and from the total its end gives; each token is counted once. */
export interface RunUsage {
  step(usage: unknown): void;
  total(usage: unknown): void;
  sum(): Usage | undefined;
}

export function runUsage(): RunUsage {
  let steps: Usage | undefined;
  let total: Usage | undefined;
  let requests = 0;
  let unknownRequests = 0;
  return {
    step(usage) {
      const read = readUsage(usage);
      requests += 1;
      if (read === undefined) unknownRequests += 1;
      steps = addUsage(steps, read);
    },
    total(usage) {
      total = readUsage(usage);
    },
    sum() {
      const tokens = total ?? steps;
      if (tokens === undefined) return undefined;
      return { ...tokens, ...(requests === 0 ? {} : { requests }), ...(unknownRequests === 0 ? {} : { unknownRequests }) };
    },
  };
}
