// Owns the tool-call accuracy scorer without a model: whether the tool, or the tools in their order, were called.

import { createScorer } from "../create-scorer.ts";
import { callsIn, requireNames, requireWhole } from "../observed.ts";
import { scorerInvalid } from "../scorer-error.ts";
import type { ScorerBuilder } from "../scorer-step.ts";

export interface ToolCallAccuracyOptions {
  readonly expectedTool?: string | undefined;
  /** Decides where it is given; `expectedTool` does not count then. */
  readonly expectedToolOrder?: readonly string[] | undefined;
  /** No other call may stand beside. */
  readonly strictMode?: boolean | undefined;
  readonly id?: string | undefined;
}

/** 1 or 0. Without `strictMode` other calls may come before, between and after; a tool that is expected twice must be called twice. */
export function createToolCallAccuracyScorerCode(options: ToolCallAccuracyOptions): ScorerBuilder {
  const { expectedTool, expectedToolOrder = [], strictMode = false, id = "code-tool-call-accuracy-scorer" } = options;
  const expected = expectedToolOrder.length > 0 ? [...expectedToolOrder] : expectedTool === undefined || expectedTool === "" ? [] : [expectedTool];
  if (expected.length === 0) throw scorerInvalid("createToolCallAccuracyScorerCode needs expectedTool or expectedToolOrder");
  return createScorer({ id, base: "code-tool-call-accuracy-scorer", name: "Tool Call Accuracy Scorer", description: `Whether ${expected.join(", ")} ${expected.length === 1 ? "was" : "were"} called${strictMode ? ", and nothing else" : ""}.`, type: "agent" })
    .preprocess(({ run }) => {
      const seen = callsIn(run);
      const actualTools = seen.calls.map((call) => call.toolName);
      let next = 0;
      for (const name of actualTools) if (next < expected.length && name === expected[next]) next++;
      const correct = next === expected.length && (!strictMode || actualTools.length === expected.length);
      if (!correct || strictMode) {
        requireWhole({ unread: seen.unread, what: "which tools were called" }, run.evidence);
        requireNames(seen.calls, "which tools were called");
      }
      return { expectedTools: expected, actualTools, strictMode, correct };
    })
    .generateScore(({ results }) => (results.preprocessStepResult.correct ? 1 : 0))
    .generateReason(({ results: { preprocessStepResult: { actualTools, correct } } }) => `expected ${expected.join(", ")}${strictMode ? " alone" : ""}, ${correct ? "and found it" : `found ${actualTools.length === 0 ? "no call" : actualTools.join(", ")}`}`) as ScorerBuilder;
}
