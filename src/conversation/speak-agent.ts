// Owns the conversation with an agent of Mastra's, or with whatever is called as one: `generate(input, options)`, turn by turn, in one thread.

import type { AgentShape } from "../core/any-target.ts";
import { EntailError } from "../core/error.ts";
import type { Evidence } from "../core/evidence.ts";
import { listMember, listOf, member, recordMember, recordOf, textMember } from "../core/member.ts";
import type { Usage } from "../core/usage.ts";
import { collect } from "../evidence/collect.ts";
import { ownContext } from "./own-context.ts";
import { agentInput, textMessage, valueText } from "./messages.ts";
import type { Answer, Line, LineOptions, SendOptions, Speaker, Suspension } from "./speaker.ts";

type Call = (input: unknown, options: object) => unknown;

const MODERN: ReadonlySet<unknown> = new Set(["v2", "v3", "v4"]);
/** A run that stops more often than this asks for ever. */
const MAX_DECISIONS = 50;

function method(agent: AgentShape, name: string): Call | undefined {
  const found = member(agent, name);
  return typeof found === "function" ? (found as Call).bind(agent) : undefined;
}

export function agentSpeaker(agent: AgentShape): Speaker {
  // What its model is, is asked once.
  let call: Promise<Call> | undefined;
  return { kind: "agent", entityType: "agent", owner: agent, open: async (options) => openLine(agent, await (call ??= caller(agent)), options) };
}

async function openLine(agent: AgentShape, call: Call, options: LineOptions): Promise<Line> {
  const { conversation, targetOptions, further } = options;
  const given = recordOf(targetOptions["memory"]);
  const pinned = textMember(given, "resource") ?? options.resourceId;
  const threaded = conversation || given !== undefined || options.threadId !== undefined || pinned !== undefined;
  // A thread that two conversations shared would let one see the other.
  const threadId = threaded ? (options.threadId ?? crypto.randomUUID()) : undefined;
  const resourceId = threaded ? (pinned ?? threadId) : undefined;
  const requestContext = options.requestContext === undefined ? undefined : await ownContext(options.requestContext);
  const memory = threadId === undefined ? {} : { memory: { ...given, thread: threadId, resource: resourceId } };
  const base = { ...targetOptions, ...further, scorers: {}, returnScorerData: true, requestContext, ...memory };
  const keeps = conversation ? await hasMemory(agent, requestContext) : true;
  return {
    threadId,
    resourceId,
    requestContext,
    isolated: keeps ? undefined : noMemory(agent),
    async send(input, { signal, attach }) {
      const own = targetOptions["abortSignal"];
      const abortSignal = own instanceof AbortSignal ? AbortSignal.any([signal, own]) : signal;
      const sent = { ...base, abortSignal };
      const result = await call(input, sent);
      return answerOf({ agent, input, options: sent, abortSignal, attach, conversation, threadId }, result, []);
    },
  };
}

/** Models of the first specification are called by `generateLegacy`. */
async function caller(agent: AgentShape): Promise<Call> {
  const getModel = method(agent, "getModel") as (() => unknown) | undefined;
  const legacy = method(agent, "generateLegacy");
  if (legacy !== undefined && method(agent, "generate") === undefined) return legacy;
  if (getModel !== undefined && legacy !== undefined && !MODERN.has(member(await getModel(), "specificationVersion"))) return legacy;
  return (input, options) => agent.generate(input, options);
}

async function hasMemory(agent: AgentShape, requestContext: unknown): Promise<boolean> {
  const getMemory = method(agent, "getMemory") as ((options: object) => unknown) | undefined;
  if (getMemory !== undefined) return Boolean(await getMemory({ requestContext }));
  const ownMemory = method(agent, "hasOwnMemory") as (() => unknown) | undefined;
  return ownMemory?.() === true;
}

function noMemory(agent: AgentShape): string {
  const name = textMember(agent, "id") ?? textMember(agent, "name");
  return `${name === undefined ? "the agent" : `the agent ${JSON.stringify(name)}`} has no memory, so each turn of a conversation runs without what was said before; give it a memory with storage`;
}

interface Turn {
  readonly agent: AgentShape;
  readonly input: unknown;
  readonly options: object;
  readonly abortSignal: AbortSignal;
  readonly attach: SendOptions["attach"];
  /** Its evidence is wanted where turns are told one by one. */
  readonly conversation: boolean;
  readonly threadId: string | undefined;
}

/** What was said to a call of the turn; Mastra's whole result tells only of the last. */
interface Decision {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly approved: boolean;
}

async function answerOf(turn: Turn, result: unknown, decided: readonly Decision[]): Promise<Answer> {
  // Mastra gives an aborted run back as an empty answer.
  turn.abortSignal.throwIfAborted();
  const error = member(result, "error");
  if (error !== undefined && error !== null) throw error;
  const scoring = recordMember(result, "scoringData");
  const evidence = await evidenceOf(turn, result, decided);
  const said = textMember(result, "text");
  const object = member(result, "object");
  const messages = outputOf(result, scoring);
  const text = said !== undefined && said !== "" ? said : object === undefined ? (said ?? "") : valueText(object);
  if (messages === undefined && said === undefined && object === undefined) {
    throw new EntailError("event_invalid", "the agent gave nothing that can be scored: its generate() must give text, messages or scoringData");
  }
  const output = messages ?? [textMessage("assistant", text)];
  return {
    input: member(scoring, "input") ?? agentInput(turn.input),
    output: decided.length === 0 ? output : withoutRepeats(output),
    text,
    evidence,
    usage: evidence?.usage ?? usageOf(member(result, "totalUsage") ?? member(result, "usage")),
    traceId: textMember(result, "traceId"),
    spanId: textMember(result, "spanId"),
    raw: result,
    suspension: suspensionOf(turn, result, decided),
  };
}

function outputOf(result: unknown, scoring: object | undefined): unknown {
  const output = member(scoring, "output");
  if (output !== undefined) return output;
  const response = member(result, "response");
  return listMember(response, "dbMessages") ?? listMember(response, "messages") ?? listMember(result, "messages");
}

/** A run that goes on after a decision tells the decided call in two of its messages. */
function withoutRepeats(output: unknown): unknown {
  const seen = new Set<string>();
  return (
    listOf(output)?.map((message) => {
      const content = member(message, "content");
      const parts = listMember(content, "parts");
      if (parts === undefined) return message;
      const kept = parts.filter((part) => {
        const id = textMember(member(part, "toolInvocation"), "toolCallId");
        return id === undefined || (!seen.has(id) && seen.add(id));
      });
      return kept.length === parts.length ? message : { ...(message as object), content: { ...(content as object), parts: kept } };
    }) ?? output
  );
}

async function evidenceOf({ abortSignal, attach, threadId }: Turn, result: unknown, decided: readonly Decision[]): Promise<Evidence | undefined> {
  if (textMember(result, "finishReason") === undefined || textMember(result, "text") === undefined) return undefined;
  const { eventsOf } = await import("../adapter/mastra/events.ts");
  try {
    const stream = eventsOf(() => result as { readonly text: string; readonly finishReason: string }, { sessionId: threadId, signal: abortSignal }, false, decided);
    return await collect(stream, { attach });
  } catch {
    // The messages are there all the same, and scorers say themselves what they cannot read in them.
    return undefined;
  }
}

function usageOf(usage: unknown): Usage | undefined {
  const known = ["inputTokens", "outputTokens", "reasoningTokens", "cachedInputTokens"].flatMap((name) => {
    const count = member(usage, name);
    return typeof count === "number" && Number.isFinite(count) && count >= 0 ? [[name, count] as const] : [];
  });
  return known.length === 0 ? undefined : { ...(Object.fromEntries(known) as Usage), requests: 1 };
}

function suspensionOf(turn: Turn, result: unknown, decided: readonly Decision[]): Suspension | undefined {
  if (textMember(result, "finishReason") !== "suspended") return undefined;
  const payload = recordMember(result, "suspendPayload");
  const toolName = textMember(payload, "toolName") ?? "";
  const runId = textMember(result, "runId");
  const toolCallId = textMember(payload, "toolCallId");
  const approve = method(turn.agent, "approveToolCallGenerate") as ((options: object) => unknown) | undefined;
  const decline = method(turn.agent, "declineToolCallGenerate") as ((options: object) => unknown) | undefined;
  if (approve === undefined || decline === undefined || runId === undefined) return { toolName };
  return {
    toolName,
    async decide(approved) {
      if (decided.length >= MAX_DECISIONS) throw new EntailError("target_failed", `the agent stopped for approval more than ${MAX_DECISIONS} times within one turn`);
      const options = { ...turn.options, runId, ...(toolCallId === undefined ? {} : { toolCallId }) };
      return answerOf(turn, await (approved ? approve(options) : decline(options)), [...decided, ...(toolCallId === undefined ? [] : [{ toolCallId, toolName, approved }])]);
    },
  };
}
