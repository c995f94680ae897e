// Owns the scores that a target keeps itself: every gate's and scorer's answer as a row of a Mastra instance's own store, registered there or not.

import { createHash } from "node:crypto";
import { currentTrial } from "../core/current-trial.ts";
import { messageOf } from "../core/error.ts";
import { member, namesOf, recordOf, textMember } from "../core/member.ts";
import { wireSafe } from "../core/wire-safe.ts";
import type { Measured } from "./score-conversation.ts";
import type { Scored } from "./scorer-run.ts";
import type { Conversation } from "./talk.ts";

type Save = (scored: Scored, measured: readonly Measured[]) => Promise<void>;

interface ScoreStore {
  saveScore(row: object): Promise<unknown>;
}

const call = (value: unknown, name: string): unknown => {
  const found = member(value, name);
  return typeof found === "function" ? (found as () => unknown).call(value) : undefined;
};

/** `undefined` where the target belongs to no Mastra instance with storage. A row that cannot be saved is a warning of the run, and nothing else. */
export function savingTo(owner: object | undefined, batchId: string | undefined): Save | undefined {
  if (owner === undefined) return undefined;
  let storage: unknown;
  try {
    storage = call(call(owner, "getMastraInstance") ?? member(owner, "mastra"), "getStorage");
  } catch {
    return undefined;
  }
  if (typeof member(storage, "getStore") !== "function") return undefined;
  let opened: Promise<ScoreStore | undefined> | undefined;
  const open = async (): Promise<ScoreStore | undefined> => {
    const store: unknown = await (storage as { getStore(name: string): unknown }).getStore("scores");
    return typeof member(store, "saveScore") === "function" ? (store as ScoreStore) : undefined;
  };
  return async (scored, measured) => {
    for (const one of measured) {
      try {
        const store = await (opened ??= open());
        if (store === undefined || one.record.score === undefined) continue;
        await store.saveScore(rowOf(owner, scored, one, batchId));
      } catch (thrown) {
        currentTrial()?.warn("score_not_saved", `scores could not be saved where the target keeps its own: ${messageOf(thrown)}`);
      }
    }
  };
}

/** Names a conversation, so that a score that is taken again overwrites its row. */
const keys = new WeakMap<Conversation, string>();

function rowId(conversation: Conversation, { measure, turn }: Measured): string {
  let key = keys.get(conversation);
  if (key === undefined) keys.set(conversation, (key = crypto.randomUUID()));
  // Not glued together: a step or an id may hold whatever would separate them.
  return `${key}:${createHash("sha256").update(JSON.stringify([turn?.turn ?? null, measure.kind, measure.group ?? null, measure.step ?? null, measure.id])).digest("hex").slice(0, 16)}`;
}

const ENTITY_TYPES = { agent: "AGENT", workflow: "WORKFLOW", steps: "STEP", trajectory: "TRAJECTORY" } as const;

function rowOf(owner: object, { item, conversation, speaker }: Scored, measured: Measured, batchId: string | undefined): object {
  const { measure, record, result, turn } = measured;
  const { scorer, group = speaker.kind, step, threshold } = measure;
  const { threadId, resourceId, requestContext } = conversation.line;
  const answer = (turn ?? conversation.turns.findLast((spoken) => spoken.answer !== undefined))?.answer;
  const id = textMember(owner, "id") ?? textMember(owner, "name") ?? speaker.kind;
  const truth: unknown = turn === undefined ? item.item.groundTruth : (item.script[turn.turn]?.groundTruth?.value ?? item.item.groundTruth);
  const { runId, input, output, preprocessStepResult, analyzeStepResult, reason, preprocessPrompt, analyzePrompt, generateScorePrompt, generateReasonPrompt, metadata } = membersOf(result);
  return withoutUndefined({
    id: rowId(conversation, measured),
    // What the scorer was given, as its own result tells it.
    runId: typeof runId === "string" ? runId : crypto.randomUUID(),
    input: wireSafe(input),
    output: wireSafe(output) ?? null,
    score: record.score,
    reason: typeof reason === "string" ? reason : record.reason,
    preprocessStepResult: stepResult(preprocessStepResult),
    analyzeStepResult: stepResult(analyzeStepResult),
    preprocessPrompt,
    analyzePrompt,
    generateScorePrompt,
    generateReasonPrompt,
    scorerId: scorer.id,
    scorer: { id: scorer.id, name: scorer.name ?? scorer.id, description: scorer.description ?? "", type: typeof scorer.type === "string" ? scorer.type : "unknown", hasJudge: member(scorer, "judge") !== undefined },
    source: "TEST",
    entityId: step ?? id,
    entityType: ENTITY_TYPES[group],
    entity: { id, name: textMember(owner, "name") ?? id },
    requestContext: requestContext === undefined ? undefined : primitives(requestContext),
    additionalContext: truth === undefined ? undefined : { groundTruth: wireSafe(truth) },
    metadata: withoutUndefined({
      ...(recordOf(metadata) === undefined ? {} : (wireSafe(metadata) as object)),
      ...(turn !== undefined && { turnIndex: turn.turn }),
      kind: measure.kind,
      itemId: item.id,
      threshold,
      passed: record.passed,
    }),
    threadId,
    resourceId,
    traceId: answer?.traceId,
    spanId: answer?.spanId,
    batchId,
  });
}

function membersOf(result: unknown): Readonly<Record<string, unknown>> {
  return (recordOf(result) ?? {}) as Readonly<Record<string, unknown>>;
}

/** The store takes objects there. */
function stepResult(value: unknown): object | undefined {
  if (value === undefined) return undefined;
  const safe = wireSafe(value);
  return recordOf(safe) ?? { value: safe };
}

function withoutUndefined(row: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

const MAX_DEPTH = 8;
/** Never kept. */
const TOKEN = "mastra__authToken";

/** The texts, numbers and truth values of a request context, by their paths. */
function primitives(context: unknown): object {
  const flat: [string, unknown][] = [];
  const seen = new Set<unknown>();
  const walk = (value: unknown, prefix: string, depth: number): void => {
    if (depth > MAX_DEPTH || recordOf(value) === undefined || seen.has(value)) return;
    seen.add(value);
    const entries = member(value, "entries");
    const pairs: Iterable<readonly [string, unknown]> = typeof entries === "function" ? (entries.call(value) as Iterable<readonly [string, unknown]>) : namesOf(value).map((name) => [name, member(value, name)] as const);
    for (const [name, inner] of pairs) {
      if (name === TOKEN) continue;
      const path = prefix === "" ? name : `${prefix}.${name}`;
      if (typeof inner === "string" || typeof inner === "boolean" || Number.isFinite(inner)) flat.push([path, inner]);
      else walk(inner, path, depth + 1);
    }
  };
  walk(context, "", 0);
  return Object.fromEntries(flat);
}
