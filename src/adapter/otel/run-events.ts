// Owns the way from one traced run to Entail's events, and the account of what its trace lets be seen.

import type { Bounds, FailureKind, Observes, ToolFailure } from "../../core/evidence.ts";
import type { StreamEvent, ToolEndEvent, ToolStartEvent } from "../../core/event.ts";
import { EntailError } from "../../core/error.ts";
import { resultMembers } from "../../message/event-payload.ts";
import { wireSafe } from "../../core/wire-safe.ts";
import { argumentsOf, resultOf, stepsOf, type TracedCall } from "./calls.ts";
import { endingOf } from "./ending.ts";
import type { Content } from "./message.ts";
import { causeOf, failureKindOf, type ModelOperation } from "./operation.ts";
import type { RunNode, TracedRun } from "./tree.ts";
import { usageOf } from "./usage.ts";
import type { Warnings } from "./warning.ts";

export interface RunEventsOptions {
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly bounds?: ((toolName: string, result: unknown) => Bounds | undefined) | undefined;
  readonly failureKind?: ((toolName: string, errorType: string, message: string) => FailureKind | undefined) | undefined;
  readonly responsesAreResults?: boolean | undefined;
  readonly withoutMessages?: boolean | undefined;
}

export interface RunEvents {
  readonly observes: Observes;
  /** Without the end, where the trace does not tell it. */
  readonly events: readonly StreamEvent[];
  /** Why the run has no end; thrown after the events. */
  readonly incomplete: EntailError | undefined;
}

/** What is known of the calls of all runs of the tree, for the account of what can be seen. */
interface Account {
  args: boolean;
  results: boolean;
  failureKinds: boolean;
  parents: boolean;
}

/** How the AI SDK tells the model that it refused to run a call; no span records it. */
const REFUSED = /^(?:AI_NoSuchToolError|AI_InvalidToolInputError|AI_ToolCallRepairError)\b/;

/** An answer that nobody recorded must not be taken for an empty one. */
const WORDLESS = "the trace holds no message of the run, so nobody can say what it answered: let the instrumentation record messages, which is opt-in, or say withoutMessages to ask only how the run ended";

/** What to say of a span that ended well and holds no result. */
const NOT_RECORDED = { reason: "the trace does not hold it" };

export function runEvents({ root, node, lost: lostTools, incomplete, spanId }: TracedRun, { runId = spanId, sessionId, bounds, failureKind, responsesAreResults = false, withoutMessages = false }: RunEventsOptions, warnings: Warnings): RunEvents {
  const session = sessionId ?? conversationOf(node);
  const base = { runId, ...(session === undefined ? {} : { sessionId: session }) };
  // The first event names the root, which may say nothing itself.
  const events: StreamEvent[] = [{ ...base, type: "workflow", phase: "started" }];
  const lost = [...lostTools];
  const taken = new Set<string>();
  const models: ModelOperation[] = [];
  const account: Account = { args: true, results: true, failureKinds: true, parents: true };
  let rootSpoke = false;
  let waits = false;
  let handedOver = "";

  const freshId = ({ id, name, tool }: TracedCall): string => {
    if (id === "") warnings.add("call_id_missing", `a call of ${JSON.stringify(name)} came without an id; it was given one that begins with "span:" or "made-up:"`);
    else if (taken.has(id)) warnings.add("call_id_reused", `the call id ${JSON.stringify(id)} was used again for another call of ${JSON.stringify(name)}; that one was given an id of its own`);
    let fresh = id === "" ? (tool === undefined ? "made-up:1" : `span:${tool.operation.span.spanId}`) : id;
    for (let again = 2; taken.has(fresh); again++) fresh = id === "" ? `made-up:${again}` : `${id}#${again}`;
    taken.add(fresh);
    return fresh;
  };

  /** `below` is the call whose tool the run is within; an agent that was handed the work is within none. */
  const say = (of: RunNode, run: string, below: string | undefined, sees: { calls: boolean }): void => {
    models.push(...of.models);
    const steps = stepsOf(of, lost);
    const runsTools = steps.some((step) => step.kind === "call" && step.call.tool !== undefined);
    if (!isVisible(of)) sees.calls = false;
    const own = { ...base, runId: run };
    for (const step of steps) {
      switch (step.kind) {
        case "text":
          events.push({ ...own, type: "assistant_reply", text: step.text });
          if (run === runId) rootSpoke = true;
          break;
        case "agent": {
          const before = events.length;
          say(step.node, `${runId}/${step.node.id}`, below, sees);
          handedOver = lastText(events.slice(before)) ?? handedOver;
          break;
        }
        case "call":
          sayCall(step.call, own, below, runsTools, run === runId);
          break;
        default:
          step satisfies never;
      }
    }
  };

  const sayCall = (call: TracedCall, own: { readonly runId: string }, below: string | undefined, runsTools: boolean, ofRoot: boolean): void => {
    const toolCallId = freshId(call);
    const toolName = call.name === "" ? (call.tool?.operation.toolName ?? "") : call.name;
    const parent = below === undefined ? {} : { parentToolCallId: below };
    const args = argumentsOf(call);
    if (args === undefined) account.args = false;
    events.push({ ...own, ...parent, type: "tool_start", toolCallId, toolName, ...argumentMembers(args) });
    if (call.tool !== undefined) {
      const sees = { calls: true };
      const { within } = call.tool;
      if (within.models.length > 0 || within.tools.length > 0 || within.agents.length > 0) say(within, `${runId}/${within.id}`, toolCallId, sees);
      // What an agent within a tool does may be hidden; what this run's own models issued is not.
      if (!sees.calls) account.parents = false;
    }
    const end = endOf(call, toolName, runsTools);
    if (end !== undefined) events.push({ ...own, ...parent, type: "tool_end", toolCallId, toolName, ...end });
    else if (ofRoot) waits = true;
  };

  /** How the call ended; `undefined` where nobody saw it. */
  const endOf = (call: TracedCall, toolName: string, runsTools: boolean): Partial<ToolEndEvent> | undefined => {
    if (call.tool !== undefined) {
      const { error, span } = call.tool.operation;
      if (error !== undefined) return { failure: failed({ kind: failureKind?.(toolName, error.type, error.message) ?? failureKindOf(error), error: causeOf(error) }) };
      if (!span.ended) {
        warnings.add("span_open", `the span of a call of ${JSON.stringify(toolName)} has no end`);
        return undefined;
      }
      return succeeded(toolName, resultOf(call));
    }
    if (call.provided !== undefined) return succeeded(toolName, call.provided.response);
    const told = call.told?.response;
    const words = told !== undefined && "text" in told ? told.text : "";
    if (call.told?.failed === true || REFUSED.test(words)) return { failure: failed({ kind: runsTools || REFUSED.test(words) ? "invalid_call" : "unknown", error: { message: words === "" ? "it was refused without a word" : words } }) };
    if (told !== undefined && responsesAreResults && !runsTools) return succeeded(toolName, told);
    // Where tools are recorded, what was told of a call without a span is that it was not run; otherwise nobody knows how it ended.
    if (call.issued?.server === true || (call.told === undefined ? call.passedOver : !runsTools)) account.results = false;
    warnings.add("call_not_executed", `a call of ${JSON.stringify(toolName)} was issued, and no span shows that it was run`);
    return undefined;
  };

  const failed = (failure: ToolFailure): ToolFailure => {
    if (failure.kind === "unknown") account.failureKinds = false;
    return failure;
  };

  const succeeded = (toolName: string, result: Content | undefined): Partial<ToolEndEvent> => {
    if (result === undefined) {
      account.results = false;
      return { resultOmitted: NOT_RECORDED };
    }
    const read = bounds?.(toolName, valueOf(result));
    return { ...("text" in result ? { resultJson: jsonText(result.text) } : resultMembers(result.value)), ...(read === undefined ? {} : { bounds: read }) };
  };

  const sees = { calls: !incomplete };
  say(node, runId, undefined, sees);
  if (!rootSpoke && handedOver !== "") {
    warnings.add("answer_of_nested_agent", "the run's own agent said nothing; its answer is that of the agent that it handed its work to last");
    events.push({ ...base, type: "assistant_reply", text: handedOver });
  }
  const usage = usageOf(models, node.agent?.usage);
  if (usage !== undefined) events.push({ ...base, type: "usage", usage });

  const ending = endingOf(root, node, waits);
  const why = "unknown" in ending ? new EntailError("stream_incomplete", `the trace does not tell how the run ended: ${ending.unknown}`) : withoutMessages || ending.phase !== "completed" || hasWords(node) ? undefined : new EntailError("not_observable", WORDLESS);
  if (why === undefined && !("unknown" in ending)) {
    if (ending.phase === "completed" && !rootSpoke && handedOver === "") warnings.add("answer_empty", "the trace holds no word of the run's answer");
    events.push(
      { ...base, type: "workflow", phase: ending.phase, ...(ending.failure === undefined ? {} : { failure: ending.failure }), ...(ending.phase === "cancelled" ? { cancellation: ending.reason === undefined ? {} : { reason: ending.reason } } : {}) },
      { ...base, type: "run_stream_end" },
    );
  }
  return {
    observes: {
      args: sees.calls && account.args,
      results: sees.calls && account.results,
      failureKinds: sees.calls && account.failureKinds,
      parents: sees.calls && account.parents && !incomplete,
      approvals: false,
      bounds: bounds !== undefined,
      deltas: false,
    },
    events,
    incomplete: why,
  };
}

/** True where every call that the run's models issued would be in the trace. A model call that failed issued none. */
function isVisible({ models, tools, agents }: RunNode): boolean {
  if (models.length > 0) return models.every(({ spoken, error }) => spoken !== undefined || error !== undefined);
  if (tools.length === 0) return agents.length > 0;
  return tools.every(({ operation: { args, result } }) => args !== undefined || result !== undefined);
}

/** True where anything that the run, or an agent that it handed its work to, said was recorded, be it empty. */
function hasWords({ agent, models, agents }: RunNode): boolean {
  return agent?.spoken !== undefined || models.some(({ spoken }) => spoken !== undefined) || agents.some(hasWords);
}

function conversationOf({ agent, models, tools, agents }: RunNode): string | undefined {
  const own = [agent, ...models, ...tools.map(({ operation }) => operation)];
  for (const operation of own) {
    const id = operation?.span.attributes.get("gen_ai.conversation.id");
    if (typeof id === "string" && id !== "") return id;
  }
  for (const inner of agents) {
    const id = conversationOf(inner);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** The words of the run that spoke last among `events`. */
function lastText(events: readonly StreamEvent[]): string | undefined {
  const last = events.findLast((event) => event.type === "assistant_reply");
  return last === undefined ? undefined : events.flatMap((event) => (event.type === "assistant_reply" && event.runId === last.runId ? [event.text] : [])).join("");
}

function argumentMembers(args: Content | undefined): Pick<ToolStartEvent, "args" | "argsJson"> {
  if (args === undefined) return {};
  return "text" in args ? { argsJson: args.text } : { args: wireSafe(args.value) };
}

function valueOf(content: Content): unknown {
  if (!("text" in content)) return content.value;
  try {
    return JSON.parse(content.text);
  } catch {
    return content.text;
  }
}

/** A span holds a result as JSON, or a text as it is. */
function jsonText(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}
