// Owns what the prebuilt scorers look at: the words of user and agent, context, ground truth, and the whole conversation.

import { EntailError } from "../../core/error.ts";
import { listMember } from "../../core/member.ts";
import type { ScorerRun } from "../../core/scorer.ts";
import { wireSafe } from "../../core/wire-safe.ts";
import { readMessages } from "../../message/read-messages.ts";
import { outputText } from "../code/agent-texts.ts";
import { callsIn, requireNames, requireWhole, type SeenCall, userTextOf } from "../observed.ts";
import { scorerInvalid } from "../scorer-error.ts";
import { NOTHING_SAID } from "../text-check.ts";
import { worst, type Worst } from "./llm-scorer.ts";

/** Everything that the agent said. Where that is nothing, the score is the worst. */
export function saidBy(run: ScorerRun): string | Worst {
  const output = outputText(run);
  return output.trim() === "" ? worst(NOTHING_SAID) : output;
}

/** What the user said: in a conversation, in every turn. `""` where nothing is known of it. */
export function askedOf(run: ScorerRun): string {
  const texts = run.turns === undefined ? [userTextOf(run) ?? ""] : run.turns.map((turn) => userTextOf(turn) ?? "");
  return texts.filter((text) => text.trim() !== "").join("\n\n");
}

/** The instructions of the agent, joined. */
export function systemTextOf(run: ScorerRun): string {
  const { input } = run;
  const tagged = (input as { readonly taggedSystemMessages?: Readonly<Record<string, unknown>> } | null | undefined)?.taggedSystemMessages;
  const lists = [listMember(input, "systemMessages") ?? [], ...Object.keys(tagged ?? {}).map((tag) => listMember(tagged, tag) ?? [])];
  return lists
    .flatMap((list) => list.flatMap((message) => (typeof message === "string" ? [message] : readMessages([message]).items.flatMap((item) => (item.kind === "text" ? [item.text] : [])))))
    .join("\n\n");
}

/** The ground truth as a text; `undefined` where there is none. */
export function groundTruthOf({ groundTruth }: ScorerRun): string | undefined {
  if (groundTruth === undefined || groundTruth === null || groundTruth === "") return undefined;
  return textOf(groundTruth);
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(wireSafe(value)) ?? "");
}

export interface ContextOptions {
  readonly context?: readonly string[] | undefined;
  /** Finds the context of a run, where it is not the same for all. */
  readonly contextExtractor?: ((input: any, output: any) => readonly string[] | Promise<readonly string[]>) | undefined;
}

/** Throws `scorer_invalid` where neither is given, or an empty list. */
export function requireContext(base: string, { context, contextExtractor }: ContextOptions): void {
  if (context === undefined && contextExtractor === undefined) throw scorerInvalid(`${base} needs options.context or options.contextExtractor`);
  if (context !== undefined && (!Array.isArray(context) || context.length === 0)) throw scorerInvalid(`${base}: options.context must be a list of texts that is not empty`);
}

export async function contextOf(run: ScorerRun, { context, contextExtractor }: ContextOptions): Promise<readonly string[]> {
  const found: unknown = contextExtractor === undefined ? (context ?? []) : await contextExtractor(run.input, run.output);
  return readContext(found, "contextExtractor");
}

/** Throws for what is no list of texts. */
export function readContext(found: unknown, name: string): readonly string[] {
  if (Array.isArray(found) && found.every((piece) => typeof piece === "string")) return found;
  throw new EntailError("scorer_failed", `${name} must give a list of texts`, { stage: "score" });
}

/** What the tools gave back, as texts: the context of an agent that looks things up. Throws where calls could not be read. */
export function toolResultsOf(run: ScorerRun): readonly string[] {
  return seenCalls(run, "what the tools gave back").flatMap((call) => (call.state === "succeeded" && call.result !== undefined ? [textOf(call.result)] : []));
}

/** The calls in order, all of them and with their names, or an error. */
export function seenCalls(run: ScorerRun, what: string): readonly SeenCall[] {
  const seen = callsIn(run);
  requireWhole({ unread: seen.unread, what }, run.evidence);
  requireNames(seen.calls, what);
  return seen.calls;
}

/** One step of a conversation as a judge sees it. */
export type Line =
  | { readonly turn: number; readonly role: "user" | "assistant"; readonly text: string }
  | { readonly turn: number; readonly role: "tool"; readonly name: string; readonly args: unknown; readonly state: string; readonly result?: unknown; readonly error?: string };

/** The conversation in order: what the user said, what the agent said, which tools it called and what came back. Throws where something could not be read. */
export function transcriptOf(run: ScorerRun): readonly Line[] {
  const turns = run.turns ?? [{ input: run.input, output: run.output }];
  return turns.flatMap((each, at) => {
    const turn = at + 1;
    const asked = userTextOf(each) ?? "";
    const before: readonly Line[] = asked.trim() === "" ? [] : [{ turn, role: "user", text: asked }];
    return [...before, ...linesOf(each.output, turn, run)];
  });
}

function linesOf(output: unknown, turn: number, run: ScorerRun): readonly Line[] {
  if (typeof output === "string") return output.trim() === "" ? [] : [{ turn, role: "assistant", text: output }];
  const read = readMessages(output);
  requireWhole({ unread: read.unread, what: "the whole conversation" }, run.evidence);
  return read.items.flatMap((item): readonly Line[] => {
    if (item.kind === "text" && item.role !== "system") return item.text.trim() === "" ? [] : [{ turn, role: item.role, text: item.text }];
    if (item.kind !== "call") return [];
    const { toolName: name, args, state, result, error } = item;
    return [{ turn, role: "tool", name, args: wireSafe(args), state, ...(result === undefined ? {} : { result: wireSafe(result) }), ...(error === undefined ? {} : { error }) }];
  });
}
