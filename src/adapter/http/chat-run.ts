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

/**
 * The events of the run. A request that fails is a failed run; an answer that breaks off leaves it without an end, and what broke it is thrown; an
 * aborted one is cancelled.
 */
export async function* runChat(run: ChatRun): AsyncGenerator<StreamEvent, void> {
  const { base, signal, endpoint } = run;
  const messages = [...run.messages];
  const taken = new Set<string>();
  const spent = usageOfRun();
  let said = false;
  let ending: Ending | undefined;
  try {
    for (let step = 1; ending === undefined; step++) {
      const answer = readCompletion(await endpoint.post({ ...run.request, messages }, signal), endpoint);
      let piece = await answer.next();
      for (; piece.done !== true; piece = await answer.next()) {
        said ||= piece.value.kind === "text";
        yield piece.value.kind === "text" ? { ...base, type: "assistant_reply", text: piece.value.text } : { ...base, type: "tool_call_args_delta", toolCallId: piece.value.id, delta: piece.value.text };
      }
      const completion = piece.value;
      spent.add(completion.usage);
      if (completion.finishReason === undefined && completion.error === undefined) throw new EntailError("stream_incomplete", brokeOff(endpoint));
      if (completion.refusal !== "") yield { ...base, type: "assistant_reply", text: completion.refusal };
      said ||= completion.refusal !== "";
      ending = stoppedFor(completion);
      // A call that was cut before its end was never issued.
      const calls = ending === undefined ? issueCalls(completion.calls, taken, run.warnings) : [];
      for (const call of calls) yield { ...base, type: "tool_start", toolCallId: call.id, toolName: call.name, argsJson: call.arguments };
      ending ??= calls.length === 0 ? { phase: "completed" } : run.toolbox === undefined ? { phase: completion.finishReason === "stop" ? "completed" : "suspended" } : undefined;
      if (ending !== undefined) break;
      const outcomes = await runCalls(calls, run);
      for (const { end } of outcomes) if (end !== undefined) yield end;
      if (outcomes.some(({ end }) => end === undefined)) ending = { phase: "suspended" };
      else if (step >= run.maxSteps) ending = failed("max_steps", `the model was asked ${run.maxSteps} times and still called tools`);
      messages.push(assistantMessage(completion, calls), ...calls.map(({ id }, at) => ({ role: "tool", tool_call_id: id, content: outcomes[at]?.text ?? "" })));
    }
  } catch (thrown) {
    const usage = spent.sum();
    if (usage !== undefined && !signal.aborted) yield { ...base, type: "usage", usage };
    if (signal.aborted) ending = { phase: "cancelled" };
    else if (isRequestFailure(thrown)) ending = { phase: "failed", failure: { ...thrownRunFailure(thrown.cause ?? thrown), message: thrown.message } };
    else throw thrown;
  }
  const usage = spent.sum();
  if (usage !== undefined) yield { ...base, type: "usage", usage };
  if (ending?.phase === "completed" && !said && taken.size === 0) run.warnings.add("answer_empty", "the run completed without a word of answer and without a call");
  yield { ...base, type: "workflow", ...ending };
  yield { ...base, type: "run_stream_end" };
}
