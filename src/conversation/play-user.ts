// Owns the user whom a model plays: who it is, what it wants, what it may tell, and when it is done.

import { EntailError, isEntailError } from "../core/error.ts";
import { member } from "../core/member.ts";
import { openClient } from "../core/model-client.ts";
import type { Client, ModelClass } from "../core/model.ts";
import type { JsonSchema } from "../core/schema.ts";
import type { ScorerModel, ScorerRunOptions } from "../core/scorer.ts";
import { dataLine } from "../json/data-line.ts";
import { isLanguageModel } from "../language-model/language-model.ts";
import { askModel } from "../score/ask-model.ts";
import { UNTRUSTED } from "../score/llm/untrusted.ts";
import type { PlayedTurn, TurnPlayer } from "./simulated-user.ts";
import type { ConversationSoFar } from "./turn.ts";

export interface SimulatedUserOptions {
  /** A provider, a client or an AI SDK model; a name where `resolveModel` knows it. */
  readonly model: ScorerModel;
  /** Who is speaking: manner, mood, what they know and do not know. */
  readonly persona: string;
  /** What they came for. The conversation ends with `goal` once the target has given it. */
  readonly goal: string;
  /** What they may tell when it is asked for. Nothing else is to be made up. */
  readonly facts?: readonly string[] | undefined;
  /** The most turns of the user, an opening line included; 8 when absent. */
  readonly maxTurns?: number | undefined;
  /** Ends the conversation wherever the user says it; it is never sent, what stands before it is. */
  readonly stopWord?: string | undefined;
  /** Asked before each turn but the first: `true` ends the conversation with `stop_rule`, a text with that text. */
  readonly stopWhen?: ((conversation: ConversationSoFar) => boolean | string | Promise<boolean | string>) | undefined;
  /** `default` when absent. */
  readonly modelClass?: ModelClass | undefined;
  /** Replacements of an invalid answer, at most; 1 when absent. */
  readonly maxCorrections?: number | undefined;
  /** The cap on one answer; 1024 when absent. */
  readonly maxOutputTokens?: number | undefined;
  /** From 0; 0 when absent, so that the same conversation is played alike. */
  readonly temperature?: number | undefined;
  /** Finds the model of a name: `resolveModel` of `entail/adapter/mastra`. */
  readonly resolveModel?: ScorerRunOptions["resolveModel"];
}

const NAMES = ["model", "persona", "goal", "facts", "maxTurns", "stopWord", "stopWhen", "modelClass", "maxCorrections", "maxOutputTokens", "temperature", "resolveModel"] as const satisfies readonly (keyof SimulatedUserOptions)[];

const DEFAULT_MAX_TURNS = 8;

/** What the model answers with. */
const FORM: JsonSchema = {
  type: "object",
  properties: {
    message: { type: "string", description: "What the user says next, in the user's own words. Empty where there is nothing left to say." },
    status: {
      enum: ["continue", "goal", "gave_up"],
      description: "goal: the assistant has given what the user came for. gave_up: it has become clear that it will not. continue: neither is so yet.",
    },
  },
  required: ["message", "status"],
  additionalProperties: false,
};

interface Played {
  readonly message: string;
  readonly status: "continue" | "goal" | "gave_up";
}

/**
 * A player for an item's `user`. It ends with `goal`, `gave_up`, `stop_rule` (or the rule's own text), and by its limits with `max_turns`,
 * `stop_word` or `nothing_said`: an empty answer of the model is asked for once more and never sent. Throws `option_invalid`; a turn whose model
 * cannot be read rejects with `simulated_user_failed`, which is no fault of the target.
 */
export function simulatedUser(options: SimulatedUserOptions): TurnPlayer {
  checkOptions(options);
  const { model, stopWhen, stopWord, maxTurns = DEFAULT_MAX_TURNS, modelClass, maxCorrections, maxOutputTokens = 1024, temperature = 0, resolveModel } = options;
  const instructions = instructionsOf(options);
  return {
    maxTurns,
    ...(stopWord !== undefined && { stopWord }),
    async next(conversation, { signal, scope }) {
      const stopped = conversation.turns.length > 0 && stopWhen !== undefined && (await stopWhen(conversation));
      if (stopped !== false) return { end: typeof stopped === "string" && stopped !== "" ? stopped : "stop_rule" };
      const asked = await ask(
        () => askModel({ model, instructions, modelClass, maxCorrections, maxOutputTokens, modelSettings: { temperature } }, { prompt: promptOf(conversation), schema: FORM }, { signal, scope, resolveModel }),
      );
      return turnOf(asked.value as Played, asked.usage);
    },
  };
}

/** A word of farewell is still said, and answered; only then is it over. */
function turnOf({ message, status }: Played, usage: PlayedTurn["usage"]): PlayedTurn {
  const used = usage === undefined ? {} : { usage };
  if (status === "continue") return { message, ...used };
  return message.trim() === "" ? { end: status, ...used } : { message, end: status, ...used };
}

async function ask<Value>(call: () => Promise<Value>): Promise<Value> {
  try {
    return await call();
  } catch (thrown) {
    if (!isEntailError(thrown) || thrown.code !== "scorer_answer_invalid") throw thrown;
    throw new EntailError("simulated_user_failed", `the simulated user could not be played: ${thrown.message}`, { cause: thrown });
  }
}

function instructionsOf({ persona, goal, facts = [] }: SimulatedUserOptions): string {
  return [
    "You play the user in a conversation with an assistant that is being tested. Say what this user would say next: short, in the user's own words, never as the assistant.",
    `The user: ${persona}`,
    `What the user wants: ${goal}`,
    facts.length === 0 ? "The user makes up no facts." : `What the user may tell when it is asked for, and nothing beyond it:\n${facts.map((fact) => `- ${fact}`).join("\n")}`,
    UNTRUSTED,
  ].join("\n\n");
}

function promptOf({ turns }: ConversationSoFar): string {
  return dataLine({ conversation: turns.map(({ input, output }) => ({ user: input as unknown, assistant: output })) });
}

function checkOptions(options: SimulatedUserOptions): void {
  const refuse = (what: string): never => {
    throw new EntailError("option_invalid", `simulatedUser() ${what}`);
  };
  if (typeof options !== "object" || (options as unknown) === null) refuse("takes an object: { model, persona, goal }");
  for (const name of Object.keys(options)) if (!(NAMES as readonly string[]).includes(name)) refuse(`has no option ${JSON.stringify(name)}`);
  for (const name of ["persona", "goal"] as const) if (typeof options[name] !== "string" || options[name].trim() === "") refuse(`needs a text as its ${name}`);
  if (!isModel(options.model)) refuse("needs a model: a provider, a client, an AI SDK model, or a name with resolveModel");
  const { facts, maxTurns, stopWord, stopWhen } = options;
  if (facts !== undefined && !(Array.isArray(facts) && facts.every((fact) => typeof fact === "string"))) refuse("needs a list of texts as its facts");
  if (maxTurns !== undefined && !(Number.isSafeInteger(maxTurns) && maxTurns >= 1)) refuse(`needs a maxTurns of 1 or more, a whole number; not ${String(maxTurns)}`);
  if (stopWord !== undefined && (typeof stopWord !== "string" || stopWord.trim() === "")) refuse("needs a text as its stopWord");
  if (stopWhen !== undefined && typeof stopWhen !== "function") refuse("needs a function as its stopWhen");
}

function isModel(model: unknown): boolean {
  if (typeof model === "string") return model !== "";
  if (typeof member(model, "complete") === "function" || isLanguageModel(model)) return true;
  try {
    openClient(model as Client);
    return true;
  } catch {
    return false;
  }
}
