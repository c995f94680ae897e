// Owns `converse`: a conversation driven within a hook.

import { systemClock } from "../core/clock.ts";
import type { HookContext } from "../core/context.ts";
import type { Evidence } from "../core/evidence.ts";
import { EntailError } from "../core/error.ts";
import type { Scope } from "../core/scope.ts";
import { currentTrial } from "../core/current-trial.ts";
import { functionTarget } from "../adapter/http/function-target.ts";
import { collect } from "../evidence/collect.ts";
import { eventsFromMessages } from "../evidence/message-events.ts";
import { joinEvidence } from "./join-evidence.ts";
import { type AnyTarget, openSpeaker } from "./open-speaker.ts";
import type { TurnPlayer } from "./simulated-user.ts";
import type { Answer } from "./speaker.ts";
import { type Conversation, type ScriptedTurn, spoken, talk } from "./talk.ts";
import { type ApprovalPolicy, APPROVALS, type ConversationTurn, type TurnInput, type TurnInputFunction } from "./turn.ts";

export interface ConverseOptions {
  /** A hook's own, so that its deadline ends the conversation and what was seen until then is kept: `converse(target, turns, { ...ctx })`. */
  readonly signal?: AbortSignal | undefined;
  readonly attach?: HookContext["attach"] | undefined;
  readonly scope?: Scope | undefined;
  /** Made for each conversation when absent. */
  readonly threadId?: string | undefined;
  /** Who owns the memory; the thread itself when absent. */
  readonly resourceId?: string | undefined;
  /** Further options of each call, in the target's own words. */
  readonly targetOptions?: Readonly<Record<string, unknown>> | undefined;
  readonly requestContext?: unknown;
  /** For the turns that say nothing of their own. */
  readonly approvals?: ApprovalPolicy | undefined;
  // A hook's context may be given as it is.
  readonly suite?: string | undefined;
  readonly scenario?: string | undefined;
  readonly trial?: number | undefined;
  readonly attempt?: number | undefined;
}

/** A turn with more to say than its input. */
export interface ConverseTurn {
  readonly input: TurnInput | TurnInputFunction;
  readonly approvals?: ApprovalPolicy | undefined;
}

/** A turn with what was seen of it: nothing but its text, where its target shows no more. */
export interface ConversedTurn extends ConversationTurn {
  readonly evidence: Evidence;
}

export interface Conversed {
  readonly turns: readonly ConversedTurn[];
  /** What the target said in all turns, a blank line between them. */
  readonly output: string;
  /** Of all turns. */
  readonly evidence: Evidence;
  readonly threadId?: string;
  readonly resourceId?: string;
  /** Why a played conversation ended: the player's own reason, `max_turns`, `stop_word` or `nothing_said`. */
  readonly end?: string;
}

const NO_SCOPE: Scope = Object.freeze({ suite: "", scenario: "", trial: 1, purpose: "subject", ordinal: 0 });

/**
 * Sends the turns to the target one after the other, in one thread, and gives what came of each. `turns` is a list of inputs, or a player. Rejects with
 * `target_failed` where the target throws, and with `stream_incomplete` and its like where its run could not be read to its end.
 */
export async function converse(target: AnyTarget, turns: readonly (TurnInput | TurnInputFunction | ConverseTurn)[] | TurnPlayer, options: ConverseOptions = {}): Promise<Conversed> {
  const played = !Array.isArray(turns) && typeof (turns as TurnPlayer | undefined)?.next === "function";
  if (!played && !(Array.isArray(turns) && turns.length > 0)) throw new EntailError("option_invalid", "converse() needs turns: a list of inputs that is not empty, or a player of the user");
  const script = played ? [] : (turns as readonly unknown[]).map(scripted);
  const speaker = await openSpeaker(target);
  const { signal = new AbortController().signal, attach, scope = currentTrial()?.scope ?? NO_SCOPE, threadId, resourceId, targetOptions = {}, requestContext, approvals } = options;
  const line = await speaker.open({ conversation: true, targetOptions, threadId, resourceId, requestContext });
  const conversation: Conversation = { line, turns: [] };
  if (line.isolated !== undefined && script.length !== 1) currentTrial()?.warn("no_memory", line.isolated);
  await talk(conversation, { script, player: played ? (turns as TurnPlayer) : undefined, approvals, signal, scope, clock: systemClock, attach });
  return conversed(conversation);
}

function scripted(turn: unknown): ScriptedTurn {
  if (typeof turn !== "object" || turn === null || Array.isArray(turn) || !Object.hasOwn(turn, "input")) return { input: turn };
  const { input, approvals } = turn as ConverseTurn;
  if (approvals !== undefined && !APPROVALS.includes(approvals)) throw new EntailError("option_invalid", `approvals must be one of ${APPROVALS.join(", ")}`);
  return { input, approvals };
}

async function conversed({ line, turns, end }: Conversation): Promise<Conversed> {
  const seen: ConversedTurn[] = [];
  for (const turn of turns) seen.push({ ...spoken(turn), evidence: turn.answer?.evidence ?? (await shown(turn.answer, line.threadId)) });
  return {
    turns: seen,
    output: turns.map(({ answer }) => answer?.text ?? "").filter((text) => text !== "").join("\n\n"),
    evidence: joinEvidence(seen.map(({ evidence }) => evidence)) as Evidence,
    ...(line.threadId !== undefined && { threadId: line.threadId }),
    ...(line.resourceId !== undefined && { resourceId: line.resourceId }),
    ...(end !== undefined && { end }),
  };
}

/** What the messages of a turn show; where they cannot be read, its text alone. */
async function shown(answer: Answer | undefined, sessionId: string | undefined): Promise<Evidence> {
  const about = sessionId === undefined ? {} : { sessionId };
  try {
    return await collect(eventsFromMessages(answer?.output, about));
  } catch {
    return collect(functionTarget(() => answer?.text ?? "", { gives: "text" }).send(undefined, { signal: new AbortController().signal, threadId: sessionId }));
  }
}
