// Owns the course of one conversation: turn after turn, by script or by a player, until it is over or something breaks.

import type { HookContext } from "../core/context.ts";
import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import type { Clock } from "../core/clock.ts";
import type { Approval } from "../core/evidence.ts";
import type { TurnConfirmation } from "../core/report.ts";
import type { Scope } from "../core/scope.ts";
import { addUsage, type Usage } from "../core/usage.ts";
import { joinEvidence } from "./join-evidence.ts";
import { inputText } from "./messages.ts";
import { cutStopWord, type TurnPlayer } from "./simulated-user.ts";
import type { Answer, Line } from "./speaker.ts";
import type { ApprovalPolicy, ConversationSoFar, ConversationTurn, TurnInput } from "./turn.ts";

/** A turn that is to be said. */
export interface ScriptedTurn {
  /** A function is asked for it when the turn comes. */
  readonly input: unknown;
  readonly approvals?: ApprovalPolicy | undefined;
  readonly played?: boolean | undefined;
}

/** A turn that was said, as far as it went. */
export interface SpokenTurn {
  readonly turn: number;
  /** What was sent; absent where it could not be made. */
  input?: unknown;
  answer?: Answer;
  durationMs?: number;
  /** True where a player said it. */
  played?: boolean;
  /** For a turn that was to stop for approval: whether it did. */
  stopped?: boolean;
  /** What its run stopped at last. */
  confirmation?: TurnConfirmation;
  error?: EntailError;
}

/** Grows as it goes, so that what was said is known whenever it stops. */
export interface Conversation {
  readonly line: Line;
  readonly turns: SpokenTurn[];
  /** Why a played conversation ended. */
  end?: string;
  /** What the player consumed. */
  playing?: Usage | undefined;
}

export interface Talk {
  readonly script: readonly ScriptedTurn[];
  /** Goes on where the script ends. */
  readonly player?: TurnPlayer | undefined;
  readonly approvals?: ApprovalPolicy | undefined;
  readonly signal: AbortSignal;
  readonly scope: Scope;
  readonly clock: Clock;
  readonly attach?: HookContext["attach"] | undefined;
}

/** Throws the `EntailError` of the turn that broke: what the target threw is its cause, with Mastra's id. `conversation` then holds what was said. */
export async function talk(conversation: Conversation, talked: Talk): Promise<void> {
  const { script, player } = talked;
  for (const scripted of script) await speak(conversation, scripted, talked);
  if (player !== undefined) await play(conversation, player, talked);
}

async function play(conversation: Conversation, player: TurnPlayer, talked: Talk): Promise<void> {
  while (conversation.turns.length < player.maxTurns) {
    const said = await nextTurn(conversation, player, talked);
    if (said.message !== undefined) await speak(conversation, { input: said.message, played: true }, talked);
    if (said.end === undefined) continue;
    conversation.end = said.end;
    if (conversation.turns.length === 0) throw new EntailError("simulated_user_failed", `the player ended the conversation (${said.end}) before anything was said`);
    return;
  }
  conversation.end = "max_turns";
}

interface Said {
  readonly message?: string | undefined;
  readonly end?: string | undefined;
}

/** A player that says nothing is asked once more; an empty turn never goes to the target, which could not be blamed for its answer. */
async function nextTurn(conversation: Conversation, player: TurnPlayer, { signal, scope }: Talk): Promise<Said> {
  for (let asked = 0; ; asked++) {
    signal.throwIfAborted();
    const played = await askPlayer(conversation, player, signal, scope);
    if (played.usage !== undefined) conversation.playing = addUsage(conversation.playing, played.usage);
    if (played.message === undefined) return { end: played.end };
    const { message, stopped } = cutStopWord(played.message, player.stopWord);
    const end = stopped ? "stop_word" : played.end;
    if (message.trim() !== "") return { message, end };
    if (end !== undefined) return { end };
    if (asked > 0) return { end: "nothing_said" };
  }
}

async function askPlayer(conversation: Conversation, player: TurnPlayer, signal: AbortSignal, scope: Scope): Promise<{ readonly message?: string | undefined; readonly end: string; readonly usage?: Usage | undefined } | { readonly message: string; readonly end?: string | undefined; readonly usage?: Usage | undefined }> {
  let played: unknown;
  try {
    played = await player.next(soFar(conversation), { signal, scope: { ...scope, purpose: "simulated_user" } });
  } catch (thrown) {
    if (isEntailError(thrown) && thrown.code !== "hook_threw") throw thrown;
    throw new EntailError("simulated_user_failed", `the player of the user threw: ${messageOf(thrown)}`, { cause: thrown });
  }
  const { message, end } = (typeof played === "object" && played !== null ? played : {}) as { readonly message?: unknown; readonly end?: unknown };
  const ends = typeof end === "string" && end !== "";
  if (!(typeof message === "string" || (message === undefined && ends)) || (end !== undefined && !ends)) {
    throw new EntailError("simulated_user_failed", "the player of the user must give { message }, { end: reason } or both, both of them texts");
  }
  return played as { readonly message: string };
}

async function speak(conversation: Conversation, { input: scripted, approvals, played }: ScriptedTurn, talked: Talk): Promise<void> {
  const { signal, clock, attach } = talked;
  const { line, turns } = conversation;
  signal.throwIfAborted();
  const turn: SpokenTurn = { turn: turns.length, ...(played === true && { played }) };
  const before = typeof scripted === "function" ? soFar(conversation) : undefined;
  const history = turns.flatMap(({ input, answer }) => [{ role: "user" as const, content: inputText(input) }, { role: "assistant" as const, content: answer?.text ?? "" }]);
  turns.push(turn);
  const started = clock.elapsed();
  let sending = false;
  try {
    const input: unknown = before === undefined ? scripted : await (scripted as (conversation: ConversationSoFar) => unknown)(before);
    turn.input = input;
    sending = true;
    let answer = await line.send(own(input), { turn: turn.turn, signal, history, attach: attachAll(attach, turns), clock });
    const policy = approvals ?? talked.approvals;
    noteStop(turn, answer, policy);
    if (policy === "expect") turn.stopped = answer.suspension !== undefined;
    else if (policy !== undefined) answer = await decided(turn, answer, policy, signal);
    turn.answer = answer;
  } catch (thrown) {
    turn.error = sending ? targetError(thrown, turn.turn, turns.slice(0, -1)) : new EntailError("hook_threw", `the input of turn ${turn.turn + 1} could not be made: ${messageOf(thrown)}`, { cause: thrown });
    throw turn.error;
  } finally {
    turn.durationMs = clock.elapsed() - started;
  }
}

/** What a turn attaches must not hide what the turns before it did. */
function attachAll(attach: Talk["attach"], turns: readonly SpokenTurn[]): Talk["attach"] {
  const before = turns.slice(0, -1).map(({ answer }) => answer?.evidence);
  if (attach === undefined || before.length === 0) return attach;
  return (partial) => {
    const evidence = joinEvidence([...before, partial.evidence]);
    attach(evidence === undefined ? partial : { ...partial, evidence });
  };
}

/** An agent that is refused may ask again, for ever. */
const MAX_DECISIONS = 100;

function noteStop(turn: SpokenTurn, { suspension, evidence }: Answer, policy: ApprovalPolicy | undefined, state: Approval = "pending"): void {
  if (suspension === undefined) return;
  const { toolCallId, title, prompt } = evidence?.confirmation ?? {};
  turn.confirmation = {
    ...(toolCallId !== undefined && { toolCallId }),
    toolName: suspension.toolName,
    ...(title !== undefined && { title }),
    ...(prompt !== undefined && { prompt }),
    state,
    ...(policy !== undefined && { policy }),
  };
}

async function decided(turn: SpokenTurn, first: Answer, policy: "approve" | "reject", signal: AbortSignal): Promise<Answer> {
  const approved = policy === "approve";
  let answer = first;
  for (let decisions = 0; answer.suspension !== undefined; decisions++) {
    signal.throwIfAborted();
    const { decide, toolName } = answer.suspension;
    if (decide === undefined) {
      const why = toolName === "" ? "the run stopped for something that is no approval of a call, which approvals cannot answer" : `the run stopped for approval of ${JSON.stringify(toolName)}, and this target cannot go on from there`;
      throw new EntailError("option_invalid", `${why}; use approvals: "expect", ${toolName === "" ? "or answer it in the next turn" : "or a target with resume()"}`);
    }
    if (decisions === MAX_DECISIONS) throw new EntailError("target_failed", `the run stopped for approval again after ${MAX_DECISIONS} decisions in one turn, the last time of ${JSON.stringify(toolName)}`);
    noteStop(turn, answer, policy, approved ? "approved" : "denied");
    answer = await decide(approved);
  }
  return answer;
}

/** A fault of ours keeps its code; what the agent under test threw is its own. */
function targetError(thrown: unknown, turn: number, before: readonly SpokenTurn[]): EntailError {
  const id = "RUN_EXPERIMENT_TARGET_FAILED_TO_GENERATE_RESULT";
  const place = before.length > 0 ? `turn ${turn + 1}: ` : "";
  if (isEntailError(thrown)) {
    const { code, message, stage, faults } = thrown;
    // What is thrown is the last word on what was seen, so it must tell of the turns before too.
    const evidence = thrown.evidence === undefined ? undefined : joinEvidence([...before.map(({ answer }) => answer?.evidence), thrown.evidence]);
    return new EntailError(code, `${place}${message}`, { cause: thrown, faults, id, ...(stage !== undefined && { stage }), ...(evidence !== undefined && { evidence }) });
  }
  return new EntailError("target_failed", `${place}the target failed: ${messageOf(thrown)}`, { cause: thrown, id });
}

/** Whoever is given an input may change it; what was meant to be said stays as it was. */
function own(input: unknown): unknown {
  if (typeof input !== "object" || input === null) return input;
  try {
    return structuredClone(input);
  } catch {
    // A function or a proxy among it: at least the list is its own.
    return Array.isArray(input) ? [...(input as readonly unknown[])] : input;
  }
}

export function spoken({ input, answer, stopped }: SpokenTurn): ConversationTurn {
  return { input: input as TurnInput, output: answer?.text ?? "", ...(answer?.evidence !== undefined && { evidence: answer.evidence }), ...(stopped !== undefined && { stopped }) };
}

export function soFar({ line, turns }: Conversation): ConversationSoFar {
  return { turns: turns.map(spoken), output: turns.at(-1)?.answer?.text ?? "", ...(line.threadId !== undefined && { threadId: line.threadId }) };
}
