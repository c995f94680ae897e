// Owns the result: what a hook returns, and what makes it valid before anything is judged.

import type { Artifact } from "./artifact.ts";
import type { Check } from "./check.ts";
import type { Claim } from "./claim.ts";
import type { Evidence } from "./evidence.ts";
import type { HookScore } from "./score.ts";
import type { Usage } from "./usage.ts";

export interface Result {
  readonly checks?: readonly Check[] | undefined;
  readonly claims?: readonly Claim[] | undefined;
  /** What is judged. An empty one fails every claim. */
  readonly output?: string | undefined;
  /** Facts that the judge may verify with; they never supply what the output omits. */
  readonly reference?: string | undefined;
  readonly artifacts?: readonly Artifact[] | undefined;
  readonly evidence?: Evidence | undefined;
  readonly scores?: readonly HookScore[] | undefined;
  /** What the subject consumed, where `evidence.usage` does not say. */
  readonly usage?: Usage | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}
