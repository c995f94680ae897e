// Owns `target`: an AG-UI endpoint over HTTP behind Entail's target port.

import type { StreamEvent } from "../../core/event.ts";
import { isEntailError, EntailError } from "../../core/error.ts";
import type { RunFailure } from "../../core/evidence.ts";
import { listOf, member, membersOf, recordOf, textMember } from "../../core/member.ts";
import type { Decision, Target, TargetOptions } from "../../core/target.ts";
import { isAbort, thrownRunFailure } from "../../core/thrown.ts";
import { waitingRuns } from "../../core/waiting-runs.ts";
import { readEndpoint, type EndpointOptions } from "./endpoint.ts";
import type { Interrupt } from "./event.ts";
import { observed, type AgUiEvents, type ReadingOptions } from "./events.ts";
import { readMessage, type AgUiMessage } from "./message.ts";
import { threadMemory, type Left } from "./thread.ts";
import { readTools, type FrontendTool } from "./tool.ts";
import { translator, type ResumeEntry } from "./translator.ts";
import { warnings as newWarnings } from "./warning.ts";

/**
 * One turn. A text is what the user says; on a thread that waits at an interrupt it is the answer to that. `{ resume }` answers what the thread waits for: entries
 * of AG-UI, or any value for each of its interrupts. A list is of messages that follow what was said before.
 */
export type TurnInput = string | readonly AgUiMessage[] | { readonly resume: unknown };

export interface AgUiTargetOptions extends EndpointOptions, ReadingOptions {
  /** The tools that the application runs itself. The agent is told of them; those with `execute` are run, and the run goes on. */
  readonly tools?: readonly FrontendTool[] | undefined;
  /** Further members of each request: `state`, `context`, `forwardedProps`. */
  readonly input?: Readonly<Record<string, unknown>> | ((turn: TargetOptions) => Readonly<Record<string, unknown>>) | undefined;
  /** Makes the payload of the answer to an interrupt where a run goes on after a decision; `{ approved }` when absent. Needed for interrupts without ids, whose form only the agent knows. */
  readonly answer?: ((interrupt: Interrupt, approved: boolean) => unknown) | undefined;
  /** How often the agent is asked again in one turn, at most, because a tool of the application was run. 20 when absent. */
  readonly maxSteps?: number | undefined;
  /** Names the run of a turn, for the evidence and for the agent. A random id when absent. */
  readonly newRunId?: (() => string) | undefined;
}

const DEFAULT_STEPS = 20;

interface Turn {
  readonly messages: readonly AgUiMessage[];
  readonly resume: readonly ResumeEntry[];
  /** What goes to a producer whose interrupts have no ids. */
  readonly command?: { readonly resume: unknown } | undefined;
}

function isEntries(value: unknown): value is readonly ResumeEntry[] {
  const entries = listOf(value);
  return entries !== undefined && entries.length > 0 && entries.every((entry) => typeof member(entry, "interruptId") === "string");
}

/** What answers every interrupt alike. Throws `option_invalid` where nobody knows how to say it. */
function decided(interrupts: readonly Interrupt[], approved: boolean, answer: AgUiTargetOptions["answer"]): Pick<Turn, "resume" | "command"> {
  const resume = interrupts.map((interrupt): ResumeEntry => {
    const payload = answer === undefined ? undefined : answer(interrupt, approved);
    if (payload === undefined && interrupt.id === "") {
      throw new EntailError("option_invalid", "the agent stopped at an interrupt of its own form, and nobody knows what it takes for a yes or a no; say it: target({ url, answer: (interrupt, approved) => (approved ? \"yes\" : \"no\") })");
    }
    return { interruptId: interrupt.id, status: "resolved", payload: payload === undefined ? { approved } : payload };
  });
  const unnamed = resume.find(({ interruptId }) => interruptId === "");
  return unnamed === undefined ? { resume } : { resume, command: { resume: unnamed.payload } };
}

function answered(value: unknown, interrupts: readonly Interrupt[]): Pick<Turn, "resume" | "command"> {
  if (isEntries(value)) return { resume: value };
  const resume = interrupts.map(({ id }): ResumeEntry => ({ interruptId: id, status: "resolved", payload: value }));
  return interrupts.some(({ id }) => id === "") ? { resume, command: { resume: value } } : { resume };
}

function userMessage(content: string): AgUiMessage {
  return { id: crypto.randomUUID(), role: "user", content };
}

function turnOf(input: TurnInput, before: Left | undefined, { history = [] }: TargetOptions): Turn {
  const said = before?.messages ?? history.map(({ role, content }): AgUiMessage => ({ id: crypto.randomUUID(), role, content }));
  const waits = before?.interrupts ?? [];
  if (typeof input === "string") return waits.length > 0 ? { messages: said, ...answered(input, waits) } : { messages: [...said, userMessage(input)], resume: [] };
  const messages = listOf(input);
  if (messages !== undefined) return { messages: [...said, ...(messages as readonly AgUiMessage[])], resume: [] };
  if (recordOf(input) === undefined || !Object.hasOwn(input, "resume")) throw new EntailError("option_invalid", "a turn of an AG-UI agent is a text, a list of messages, or { resume }");
  const { resume } = input as { readonly resume: unknown };
  if (waits.length === 0 && !isEntries(resume)) throw new EntailError("option_invalid", "nothing waits on this thread, so there is nothing to resume; give the entries of AG-UI, or the threadId of the run that was suspended");
  return { messages: said, ...answered(resume, waits) };
}

/**
 * Makes a target of an AG-UI endpoint. It keeps each thread's messages itself and sends them with every run, as AG-UI has it; the turn's thread is the
 * `threadId`. A run that stopped for approval goes on with the answer to every interrupt that it waits at. A request that fails is a failed run; an answer that breaks off leaves it without an end; the turn's signal cancels it.
 * Throws `option_invalid`.
 */
export function target(options: AgUiTargetOptions): Target<TurnInput> {
  if (recordOf(options) === undefined) throw new EntailError("option_invalid", "target() needs the address of an AG-UI endpoint: target({ url })");
  const { tools, input: further, maxSteps = DEFAULT_STEPS, newRunId, answer, bounds, decision, failureKind } = options;
  const endpoint = readEndpoint(options);
  const toolbox = readTools(tools);
  if (!Number.isSafeInteger(maxSteps) || maxSteps < 1) throw new EntailError("option_invalid", `maxSteps of target() must be a whole number, 1 or more; it is ${String(maxSteps)}`);
  const threads = threadMemory();
  /** Runs that stopped: what each left, and on which thread. */
  const waiting = waitingRuns<{ readonly threadId: string; readonly left: Left }>();

  function send(given: TurnInput, turn: TargetOptions): AgUiEvents {
    const threadId = turn.threadId ?? crypto.randomUUID();
    const before = threads.recall(threadId);
    return start(turnOf(given, before, turn), turn, threadId, before?.asked ?? []);
  }

  function goOn({ approved, evidence }: Decision, turn: TargetOptions): AgUiEvents {
    const { threadId, left } = waiting.take(evidence.runId);
    if (threads.recall(threadId) !== left) throw new EntailError("option_invalid", "resume() goes on with the last run of its thread, and the thread has gone on since that run stopped");
    return start({ messages: left.messages, ...decided(left.interrupts, approved, answer) }, turn, threadId, left.asked, { approved, runId: evidence.runId, left });
  }

  function start({ messages, resume, command }: Turn, turn: TargetOptions, threadId: string, asked: Left["asked"], before?: { readonly approved: boolean; readonly runId: string; readonly left: Left }): AgUiEvents {
    const base = { runId: newRunId?.() ?? crypto.randomUUID(), ...(turn.threadId === undefined ? {} : { sessionId: turn.threadId }) };
    const warnings = newWarnings();
    const run = translator({ base: () => base, frontendTools: toolbox.names, asked, before: before?.left, resume, decision: before === undefined ? decision : () => before.approved, bounds, failureKind, warnings });
    const members = typeof further === "function" ? further(turn) : (further ?? {});
    const entries = resume.filter(({ interruptId }) => interruptId !== "");
    const resumeMembers = { ...(entries.length === 0 ? {} : { resume: entries }), ...(command === undefined ? {} : { forwardedProps: { ...membersOf(member(members, "forwardedProps")), command } }) };
    let sent = messages;

    /** Asks the agent until it needs nothing more of the application. Its own value is how the run ended, where that is not for the agent to say. */
    async function* steps(): AsyncGenerator<StreamEvent, Ended | undefined> {
      for (let step = 1; ; step++) {
        run.sent(sent.map(readMessage));
        const runId = step === 1 ? base.runId : `${base.runId}/${step}`;
        const request = { state: {}, context: [], forwardedProps: {}, ...members, threadId, runId, messages: sent, tools: toolbox.declared, ...(step === 1 ? resumeMembers : {}) };
        for await (const event of endpoint.run(request, turn.signal)) {
          yield* run.take(event);
          // Nothing comes after the end, and a connection may stay open for long.
          if (run.finish !== undefined) break;
        }
        const pending = run.pending();
        if (pending.length === 0 || !pending.every((call) => toolbox.canRun(call))) return undefined;
        if (step >= maxSteps) return { phase: "failed", failure: { message: `the agent was asked ${maxSteps} times and still called tools`, kind: "max_steps" } };
        await Promise.all(pending.map(async (call) => run.answer(call, await toolbox.run(call, turn.signal))));
        sent = run.conversation(sent);
      }
    }

    const endWith = (ended: Ended): StreamEvent[] => [{ ...base, type: "workflow", ...ended }, { ...base, type: "run_stream_end" }];

    async function* read(): AsyncGenerator<StreamEvent, void> {
      try {
        yield { ...base, type: "workflow", phase: "started" };
        yield* run.opening();
        let ended: Ended | undefined;
        try {
          ended = yield* steps();
        } catch (thrown) {
          // What was seen of a stream that broke is kept, though nothing says that it was the end.
          yield* run.rest(true);
          ended = endingOfThrown(thrown, turn.signal);
          if (ended === undefined) throw thrown;
          yield* endWith(ended);
          return;
        }
        yield* run.rest(run.finish === undefined);
        yield* ended === undefined ? run.end() : endWith(ended);
      } finally {
        const left = run.left(sent);
        threads.keep(threadId, left);
        if (left.interrupts.length > 0) waiting.keep({ threadId, left }, base.runId, ...(before === undefined ? [] : [before.runId]));
      }
    }

    return {
      observes: observed(options),
      get warnings() {
        return warnings.list();
      },
      get interrupts() {
        return run.interrupts;
      },
      [Symbol.asyncIterator]: read,
    };
  }

  return { observes: observed(options), memory: true, send, resume: goOn };
}

type Ended = { readonly phase: "cancelled"; readonly cancellation: { readonly reason?: string } } | { readonly phase: "failed"; readonly failure: RunFailure };

/** How a run ended whose request threw; `undefined` where only the connection broke. */
function endingOfThrown(thrown: unknown, signal: AbortSignal): Ended | undefined {
  if (signal.aborted || isAbort(thrown)) {
    const reason = textMember(signal.reason, "message");
    return { phase: "cancelled", cancellation: reason === undefined ? {} : { reason } };
  }
  if (!isEntailError(thrown) || thrown.code !== "provider_failed") return undefined;
  return { phase: "failed", failure: { ...thrownRunFailure(thrown.cause ?? thrown), message: thrown.message } };
}
