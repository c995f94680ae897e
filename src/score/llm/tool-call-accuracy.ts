// Owns the tool-call accuracy scorer with a model: which of the calls were right for what the user asked.

import { member, textMember } from "../../core/member.ts";
import { wireSafe } from "../../core/wire-safe.ts";
import { notScorable } from "../not-scorable.ts";
import { scorerInvalid } from "../scorer-error.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { outputText } from "../code/agent-texts.ts";
import { NOTHING_SAID } from "../text-check.ts";
import { llmScorer, type LlmScorerConfig, worst } from "./llm-scorer.ts";
import { askedOf, seenCalls } from "./material.ts";
import { claimsOn, countOf, told, verdictsOn } from "./statement.ts";

/** A tool as Mastra has it, or whatever has its members. */
export interface AvailableTool {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

export interface ToolCallAccuracyLlmConfig extends LlmScorerConfig {
  readonly availableTools: readonly AvailableTool[];
}

/**
 * Calls that were right, with their arguments, over calls. Without a call 1 where no tool was needed, else 0; an agent that neither called
 * nor said anything scores 0.
 */
export function createToolCallAccuracyScorerLLM(config: ToolCallAccuracyLlmConfig): ScorerBuilder {
  const given: unknown = config.availableTools;
  if (!Array.isArray(given)) throw scorerInvalid("llm-tool-call-accuracy-scorer needs availableTools, a list of tools");
  const availableTools = given.map((tool: unknown) => ({ name: textMember(tool, "id") ?? textMember(tool, "name") ?? "", description: textMember(tool, "description") ?? "" }));
  if (availableTools.some(({ name }) => name === "")) throw scorerInvalid("llm-tool-call-accuracy-scorer: each of availableTools needs id or name");
  return llmScorer({
    base: "llm-tool-call-accuracy-scorer",
    name: "Tool Call Accuracy (LLM)",
    description: "Which of the calls were right for what the user asked.",
    type: "agent",
    config,
    prepare(run) {
      const calls = seenCalls(run, "which tools were called").map(({ toolName, args }, at) => ({ number: at + 1, tool: toolName, args: wireSafe(args) ?? null }));
      const output = typeof run.output === "string" || Array.isArray(run.output) || member(run.output, "role") !== undefined ? outputText(run) : "";
      if (calls.length === 0 && output.trim() === "") return worst(NOTHING_SAID);
      const input = askedOf(run);
      return input === "" ? notScorable("the user asked nothing") : { input, output, calls };
    },
    async decide({ input, output, calls }, ask) {
      const data = { input, availableTools, calls, answer: output };
      if (calls.length === 0) {
        const [judgment] = await ask.labels(data, [{ id: "no_tool_needed", text: `What "input" asks could be answered well without any of the tools in "availableTools".` }]);
        return { verdicts: [], noToolNeeded: judgment?.label === "entailed", reason: judgment?.rationale ?? "" };
      }
      const judged = await ask.labels(data, claimsOn(calls.map(({ tool }) => tool), "call", (number) => `The call number ${number} of "calls", its tool and its arguments, was right for what "input" asks, given the tools in "availableTools".`));
      return { verdicts: verdictsOn(calls.map(({ tool }) => tool), judged), noToolNeeded: false, reason: "" };
    },
    score: (_, { verdicts, noToolNeeded }) => (verdicts.length === 0 ? (noToolNeeded ? 1 : 0) : countOf(verdicts, "entailed") / verdicts.length),
    reason: (_, { verdicts, noToolNeeded, reason }) =>
      verdicts.length === 0 ? `no tool was called, and ${noToolNeeded ? "none was needed" : "one was needed"}: ${reason}` : `${countOf(verdicts, "entailed")} of ${verdicts.length} calls were right${told("not right", verdicts.filter(({ label }) => label !== "entailed"))}`,
  });
}
