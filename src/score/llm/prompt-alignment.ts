// Owns the prompt alignment scorer: how far the answer does what the user's prompt and the agent's instructions ask.

import type { Claim } from "../../core/claim.ts";
import type { Label } from "../../core/label.ts";
import type { ScorerRun } from "../../core/scorer.ts";
import { listMember } from "../../core/member.ts";
import { readMessages } from "../../message/read-messages.ts";
import { notScorable } from "../not-scorable.ts";
import { scorerInvalid } from "../scorer-error.ts";
import type { ScorerBuilder } from "../scorer-step.ts";
import { numbered } from "./untrusted.ts";
import { llmScorer, type LlmScorerConfig, type ScaleOption } from "./llm-scorer.ts";
import { askedOf, type Line, saidBy, systemTextOf } from "./material.ts";
import { blanks, claimsOn, formOf, TEXTS } from "./statement.ts";

export interface PromptAlignmentOptions extends ScaleOption {
  /** `both` when absent; where only one of the two is there, that one. */
  readonly evaluationMode?: "user" | "system" | "both" | undefined;
  /** True: the messages that the agent remembered are shown beside the prompt. False when absent. */
  readonly includeConversationHistory?: boolean | undefined;
  /** `conversation` is `includeConversationHistory`, in Mastra's newer words. */
  readonly contextMode?: "current" | "conversation" | undefined;
  /** 10 when absent. */
  readonly maxRememberedMessages?: number | undefined;
}

const WEIGHTS = {
  user: { intent: 0.4, requirements: 0.3, completeness: 0.2, appropriateness: 0.1 },
  system: { intent: 0.35, requirements: 0.35, completeness: 0.15, appropriateness: 0.15 },
} as const;
const SHARES = { user: 0.7, system: 0.3 } as const;
type Side = keyof typeof WEIGHTS;
const PROMPTS: Readonly<Record<Side, string>> = { user: "userPrompt", system: "systemPrompt" };
const WORTH: Readonly<Record<Label, number>> = { entailed: 1, indeterminate: 0.5, contradicted: 0, not_addressed: 0 };

interface Part {
  readonly intent: number;
  /** Absent where the prompt requires nothing in particular. */
  readonly requirements?: number;
  readonly completeness: number;
  readonly appropriateness: number;
  readonly unmet: readonly string[];
}

/**
 * For the user's prompt 0.4 intent + 0.3 requirements + 0.2 completeness + 0.1 form and tone, for the agent's instructions 0.35, 0.35, 0.15 and 0.15,
 * of both 0.7 and 0.3. The parts are labels (1, undecided 0.5, else 0), the requirements the share of those that are met; where a prompt has none,
 * the other parts share their weight. An empty answer scores 0.
 */
export function createPromptAlignmentScorerLLM(config: LlmScorerConfig & { readonly options?: PromptAlignmentOptions | undefined }): ScorerBuilder {
  const { scale, evaluationMode = "both", includeConversationHistory, contextMode, maxRememberedMessages = 10 } = config.options ?? {};
  if (!["user", "system", "both"].includes(evaluationMode)) throw scorerInvalid(`prompt-alignment-scorer: evaluationMode must be user, system or both, not ${JSON.stringify(evaluationMode)}`);
  return llmScorer({
    base: "prompt-alignment-scorer",
    name: "Prompt Alignment (LLM)",
    description: "How far the answer does what the prompt asks.",
    config,
    scale,
    async prepare(run, ask) {
      const output = saidBy(run);
      if (typeof output !== "string") return output;
      const given = { user: evaluationMode === "system" ? "" : askedOf(run), system: evaluationMode === "user" ? "" : systemTextOf(run) };
      const sides = (["user", "system"] as const).filter((side) => given[side].trim() !== "");
      if (sides.length === 0) return notScorable(evaluationMode === "system" ? "the agent has no instructions" : "there is no prompt");
      const data = Object.fromEntries(sides.map((side) => [PROMPTS[side], given[side]]));
      const value = await ask.form({
        task: `List what is asked in ${sides.map((side) => `the member ${JSON.stringify(PROMPTS[side])}`).join(" and, apart from it, ")}: each requirement that an answer can meet or miss, as one full sentence about "the answer". Leave out the main intent itself. Give an empty list where nothing in particular is required.`,
        data,
        schema: formOf(Object.fromEntries(sides.map((side) => [PROMPTS[side], TEXTS]))),
        faults: blanks,
      });
      const listed = value as Readonly<Record<string, readonly string[]>>;
      const history = includeConversationHistory === true || contextMode === "conversation" ? remembered(run, maxRememberedMessages) : [];
      return { output, data, history, sides, requirements: { user: listed[PROMPTS.user] ?? [], system: listed[PROMPTS.system] ?? [] } };
    },
    async decide({ output, data, history, sides, requirements }, ask) {
      const lists = Object.fromEntries(sides.map((side) => [`${side}Requirements`, numbered(requirements[side])]));
      const claims = sides.flatMap((side) => claimsOfSide(side, requirements[side]));
      const judged = await ask.labels({ ...(history.length === 0 ? {} : { history }), ...data, ...lists, answer: output }, claims);
      const labels = new Map(judged.map(({ claimId, label }) => [claimId, label]));
      return { parts: sides.map((side) => ({ side, ...partOf(side, requirements[side], labels) })) };
    },
    score(_, { parts }) {
      const total = parts.reduce((sum, { side }) => sum + SHARES[side], 0);
      return parts.reduce((sum, part) => sum + scoreOf(part.side, part) * SHARES[part.side], 0) / total;
    },
    reason: (_, { parts }) =>
      parts.map(({ side, intent, requirements, completeness, appropriateness, unmet }) => `${side}: intent ${intent}, requirements ${requirements ?? "none"}, completeness ${completeness}, form and tone ${appropriateness}${unmet.length === 0 ? "" : `, unmet: ${unmet.slice(0, 5).join("; ")}`}`).join(" | "),
  });
}

function claimsOfSide(side: Side, requirements: readonly string[]): readonly Claim[] {
  const prompt = JSON.stringify(PROMPTS[side]);
  return [
    { id: `${side}_intent`, text: `The text in "answer" does what ${prompt} is mainly after.` },
    { id: `${side}_complete`, text: `Nothing that ${prompt} asks for is missing in "answer".` },
    { id: `${side}_form`, text: `The form of "answer" (its language, layout and length) is one that ${prompt} asks for or allows.` },
    { id: `${side}_tone`, text: `The tone of "answer" is one that ${prompt} asks for or allows.` },
    ...claimsOn(requirements, `${side}_requirement`, (number) => `The text in "answer" meets the requirement number ${number} of "${side}Requirements".`),
  ];
}

function partOf(side: Side, requirements: readonly string[], labels: ReadonlyMap<string, Label>): Part {
  const worth = (id: string): number => WORTH[labels.get(`${side}_${id}`) ?? "not_addressed"];
  const unmet = requirements.filter((_, at) => labels.get(`${side}_requirement_${at + 1}`) !== "entailed");
  return {
    intent: worth("intent"),
    ...(requirements.length === 0 ? {} : { requirements: (requirements.length - unmet.length) / requirements.length }),
    completeness: worth("complete"),
    appropriateness: (worth("form") + worth("tone")) / 2,
    unmet,
  };
}

function scoreOf(side: Side, { intent, requirements, completeness, appropriateness }: Part): number {
  const weights = WEIGHTS[side];
  const others = weights.intent * intent + weights.completeness * completeness + weights.appropriateness * appropriateness;
  return requirements === undefined ? others / (1 - weights.requirements) : others + weights.requirements * requirements;
}

function remembered({ input }: ScorerRun, most: number): readonly Omit<Line, "turn">[] {
  const messages = (listMember(input, "rememberedMessages") ?? []).slice(-Math.max(1, most));
  return readMessages(messages).items.flatMap((item) => (item.kind === "text" && item.role !== "system" ? [{ role: item.role, text: item.text }] : []));
}
