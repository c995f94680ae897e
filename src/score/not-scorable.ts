// Owns the answer that there is nothing to score, which a step of a scorer may return instead of its result.

/** Mastra's own brand: an answer made by either framework is understood by both, and across two copies of a package. */
export const NOT_SCORABLE: unique symbol = Symbol.for("mastra.evals.notScorable");

export interface NotScorable {
  readonly [NOT_SCORABLE]: true;
  readonly reason?: string | undefined;
}

/** Ends a scorer's run without a score: the run is left out of means, gates and thresholds. */
export function notScorable(reason?: string): NotScorable {
  return Object.freeze({ [NOT_SCORABLE]: true as const, ...(reason === undefined ? {} : { reason }) });
}

export function isNotScorable(value: unknown): value is NotScorable {
  return typeof value === "object" && value !== null && (value as { readonly [NOT_SCORABLE]?: unknown })[NOT_SCORABLE] === true;
}
