// Owns the suite and its scenarios as a runner takes them, whoever made them.

import type { HookContext } from "./context.ts";
import type { Result } from "./result.ts";
import type { ScoreStage, VerdictTally } from "./score-stage.ts";

export interface Scenario<Id extends string = string, Tag extends string = string> {
  readonly id: Id;
  readonly description: string;
  readonly tags: readonly Tag[];
  /** Milliseconds; bounds the hook, its scoring and its judging together. */
  readonly timeoutMs: number;
  readonly run: (ctx: HookContext) => Result | Promise<Result>;
  /** Why it is not run. It is shown and counted. */
  readonly skip?: string | undefined;
  /** Why it is known to fail. It is run, shown and counted; when it passes it is named. */
  readonly knownFailure?: string | undefined;
  /** An author's mark for a change that nothing else shows. */
  readonly revision?: string | undefined;
  /** The input that `run` holds, where there is one: part of the scenario's identity, and never handed to anybody. */
  readonly input?: unknown;
  /** The JSON Schema of that input: part of the scenario's identity too. */
  readonly inputSchema?: unknown;
  /** The stage `score`, between the hook and the judge. A scenario with one may have a hook whose result shows nothing by itself. */
  readonly score?: ScoreStage | undefined;
  readonly trials?: number | undefined;
  /** What several trials must reach; all of them when absent. */
  readonly require?: TrialRequirement | undefined;
}

export interface TrialRequirement {
  /** The share of scored trials that must pass, above 0 and at most 1. */
  readonly passRate: number;
}

export interface Suite<Id extends string = string, Tag extends string = string> {
  readonly id: string;
  readonly description: string;
  readonly scenarios: readonly Scenario<Id, Tag>[];
  /** Of the data that `entail gen` wrote, for a generated suite. */
  readonly digest?: string | undefined;
  /** Set for a suite made of data: its scenarios are named by whoever wrote them, and the verdict goes by all of them together. */
  readonly data?: { readonly tally: () => VerdictTally } | undefined;
}
