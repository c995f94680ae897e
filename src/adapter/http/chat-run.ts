// Owns one run over a chat endpoint, as events: what the model says and calls, what its calls came to, and how the run ended.

import { EntailError, isEntailError } from "../../core/error.ts";
import type { StreamEvent, ToolEndEvent } from "../../core/event.ts";
import type { Bounds, RunFailure } from "../../core/evidence.ts";
import type { StreamWarnings } from "../../core/stream-warning.ts";
import { thrownRunFailure } from "../../core/thrown.ts";
import { addUsage, type Usage } from "../../core/usage.ts";
import { issueCalls, type IssuedCall } from "./chat-call.ts";
import type { Toolbox } from "./chat-tool.ts";
import type { Completion } from "./completion.ts";
import type { Endpoint } from "./endpoint.ts";
import { brokeOff, readCompletion } from "./exchange.ts";
import type { StreamWarning } from "./warning.ts";

export interface ChatRun {
  readonly endpoint: Endpoint;
  /** The members of each request beside its messages. */
  readonly request: object;
  readonly messages: readonly object[];
  /** `undefined` where the endpoint runs its own tools. */
  readonly toolbox: Toolbox | undefined;
  readonly maxSteps: number;
  readonly bounds: ((toolName: string, output: unknown) => Bounds | undefined) | undefined;
  readonly base: { readonly runId: string; readonly sessionId?: string };
  readonly warnings: StreamWarnings<StreamWarning["code"]>;
  readonly signal: AbortSignal;
}

type Ending = { readonly phase: "completed" | "suspended" | "cancelled" } | { readonly phase: "failed"; readonly failure: RunFailure };

/** What the requests of a run cost; those whose cost nobody told are counted. */
interface Spent {
  usage: Usage | undefined;
  requests: number;
  unknownRequests: number;
}

/**
 * The events of the run. A request that fails is a failed run; an answer that breaks off leaves it without an end, and what broke it is thrown; an
 * aborted one is cancelled.
 */
export async function* runChat(run: ChatRun): AsyncGenerator<StreamEvent, void> {
  const { base } = run;
  const spent: Spent = { usage: undefined, requests: 0, unknownRequests: 0 };
  let ending: Ending | undefined;
  let broken: { readonly thrown: unknown } | undefined;
  try {
    ending = yield* stepsOf(run, spent);
  } catch (thrown) {
    if (run.signal.aborted) ending = { phase: "cancelled" };
    else if (isEntailError(thrown) && thrown.code === "provider_failed") ending = { phase: "failed", failure: { ...thrownRunFailure(thrown.cause ?? thrown), message: thrown.message } };
    else broken = { thrown };
  }
  const { usage, requests, unknownRequests } = spent;
  if (usage !== undefined) yield { ...base, type: "usage", usage: { ...usage, requests, ...(unknownRequests === 0 ? {} : { unknownRequests }) } };
  if (broken !== undefined) throw broken.thrown;
  if (ending !== undefined) yield { ...base, type: "workflow", ...ending };
  yield { ...base, type: "run_stream_end" };
}

/** Asks the model until it answers without a call; the generator's own value is how the run ended. */
async function* stepsOf(run: ChatRun, spent: Spent): AsyncGenerator<StreamEvent, Ending> {
  const { base, endpoint, toolbox, warnings } = run;
  const messages = [...run.messages];
  const taken = new Set<string>();
  let said = false;
  for (let step = 1; ; step++) {
    const completion = yield* sayAnswer(run, messages);
    spent.requests += 1;
    spent.usage = addUsage(spent.usage, completion.usage);
    if (completion.usage === undefined) spent.unknownRequests += 1;
    said ||= completion.text !== "" || completion.refusal !== "";
    if (completion.finishReason === undefined && completion.error === undefined) throw new EntailError("stream_incomplete", brokeOff(endpoint));
    const stopped = stoppedFor(completion);
    // A call that was cut before its end was never issued.
    if (stopped !== undefined) return stopped;
    const calls = issueCalls(completion.calls, taken, warnings);
    for (const { id, name, arguments: argsJson } of calls) yield { ...base, type: "tool_start", toolCallId: id, toolName: name, argsJson };
    if (calls.length === 0) {
      if (!said && taken.size === 0) warnings.add("answer_empty", "the run completed without a word of answer and without a call");
      return { phase: "completed" };
    }
    if (toolbox === undefined) return { phase: completion.finishReason === "stop" ? "completed" : "suspended" };
    const outcomes = await runCalls(calls, toolbox, run);
    for (const { end } of outcomes) if (end !== undefined) yield end;
    if (outcomes.some(({ end }) => end === undefined)) return { phase: "suspended" };
    if (step >= run.maxSteps) return failed("max_steps", `the model was asked ${run.maxSteps} times and still called tools`);
    messages.push(assistantMessage(completion, calls), ...calls.map(({ id }, at) => ({ role: "tool", tool_call_id: id, content: outcomes[at]?.text ?? "" })));
  }
}

async function* sayAnswer({ base, endpoint, request, signal }: ChatRun, messages: readonly object[]): AsyncGenerator<StreamEvent, Completion> {
  const pieces = readCompletion(await endpoint.post({ ...request, messages }, signal), endpoint);
  let piece = await pieces.next();
  for (; piece.done !== true; piece = await pieces.next()) {
    const { value } = piece;
    yield value.kind === "text" ? { ...base, type: "assistant_reply", text: value.text } : { ...base, type: "tool_call_args_delta", toolCallId: value.id, delta: value.text };
  }
  const { refusal } = piece.value;
  if (refusal !== "") yield { ...base, type: "assistant_reply", text: refusal };
  return piece.value;
}

/** The end of a run whose answer did not come to its own; `undefined` where it did. */
function stoppedFor({ error, finishReason, calls }: Completion): Ending | undefined {
  if (error !== undefined) return failed("error", error);
  switch (finishReason) {
    case "stop":
      return undefined;
    case "tool_calls":
    case "function_call":
      return calls.length > 0 ? undefined : failed("error", "the model stopped to call tools and called none");
    case "length":
      return failed("length", "the last answer was cut off at its token limit");
    case "content_filter":
      return failed("content_filter", "the last answer was stopped by a content filter");
    case undefined:
    default:
      return failed("other", `the model stopped for a reason that the chat protocol does not have: ${String(finishReason)}`);
  }
}

function failed(kind: string, message: string): Ending {
  return { phase: "failed", failure: { message, kind } };
}

interface RanCall {
  readonly end: ToolEndEvent | undefined;
  readonly text: string;
}

/** Runs the calls side by side; their ends come in the order in which they were issued. */
function runCalls(calls: readonly IssuedCall[], toolbox: Toolbox, { base, bounds, signal }: ChatRun): Promise<readonly RanCall[]> {
  return Promise.all(
    calls.map(async ({ id, name, arguments: text }): Promise<RanCall> => {
      const { end, output, text: told } = await toolbox.run(name, text, { signal, toolCallId: id });
      if (end === undefined) return { end, text: told };
      const read = end.failure === undefined ? bounds?.(name, output) : undefined;
      return { end: { ...base, type: "tool_end", toolCallId: id, toolName: name, ...end, ...(read === undefined ? {} : { bounds: read }) }, text: told };
    }),
  );
}

function assistantMessage({ text }: Completion, calls: readonly IssuedCall[]): object {
  return { role: "assistant", content: text === "" ? null : text, tool_calls: calls.map(({ id, name, arguments: written }) => ({ id, type: "function", function: { name, arguments: written } })) };
}
