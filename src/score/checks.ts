// Owns the object `checks`: every quick check by its name.

import { jsonPath, matchesSchema } from "./data-check.ts";
import { maxCost, maxLatency, maxTokens } from "./limit-check.ts";
import { not } from "./not.ts";
import { matches } from "./pattern-check.ts";
import { similarity } from "./similarity-check.ts";
import { equals, excludes, includes, numberEquals, oneOf } from "./text-check.ts";
import { calledTool, calledToolWith, didNotCall, maxToolCalls, noToolErrors, toolOrder, toolSucceeded, usedNoTools } from "./tool-check.ts";

interface Checks {
  readonly includes: typeof includes;
  readonly excludes: typeof excludes;
  readonly equals: typeof equals;
  readonly matches: typeof matches;
  readonly similarity: typeof similarity;
  readonly calledTool: typeof calledTool;
  readonly didNotCall: typeof didNotCall;
  readonly toolOrder: typeof toolOrder;
  readonly maxToolCalls: typeof maxToolCalls;
  readonly usedNoTools: typeof usedNoTools;
  readonly noToolErrors: typeof noToolErrors;
  readonly oneOf: typeof oneOf;
  readonly numberEquals: typeof numberEquals;
  readonly calledToolWith: typeof calledToolWith;
  readonly toolSucceeded: typeof toolSucceeded;
  readonly jsonPath: typeof jsonPath;
  readonly matchesSchema: typeof matchesSchema;
  readonly maxTokens: typeof maxTokens;
  readonly maxLatency: typeof maxLatency;
  readonly maxCost: typeof maxCost;
  readonly not: typeof not;
}

/** Scorers without a model. As a gate, one is a check of its id, its reason the diagnostic. */
export const checks: Checks = Object.freeze({
  includes,
  excludes,
  equals,
  matches,
  similarity,
  calledTool,
  didNotCall,
  toolOrder,
  maxToolCalls,
  usedNoTools,
  noToolErrors,
  oneOf,
  numberEquals,
  calledToolWith,
  toolSucceeded,
  jsonPath,
  matchesSchema,
  maxTokens,
  maxLatency,
  maxCost,
  not,
});
