// Owns the data of a suite: what `entail gen` writes and `implement` makes, and what hooks and inputs are bound to.

import type { TrialRequirement } from "../core/suite.ts";
import type { Codec } from "../core/tool.ts";

export interface SuiteData {
  readonly id: string;
  readonly description: string;
  /** Of what `entail gen` read from the design. */
  readonly digest?: string;
  readonly scenarios: readonly ScenarioData[];
}

export interface ScenarioData {
  readonly id: string;
  /** The method of its hook, which is also its member in the inputs. */
  readonly hook: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly timeoutMs: number;
  /** Of the value that the application gives. Without it, and without `text`, the hook takes nothing. */
  readonly input?: Codec<any>;
  /** The older text form: what the hook receives. */
  readonly text?: string;
  readonly skip?: string;
  readonly knownFailure?: string;
  readonly revision?: string;
  readonly trials?: number;
  readonly require?: TrialRequirement;
}
