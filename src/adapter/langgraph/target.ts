// Owns `target`: a graph of LangGraph behind Entail's target port.

import type { EventStream } from "../../core/event.ts";
import type { Decision, Target, TargetOptions } from "../../core/target.ts";
import { EntailError } from "../../core/error.ts";
import { listOf, member, membersOf, recordOf, textMember } from "../../core/member.ts";
import { waitingRuns } from "../../core/waiting-runs.ts";
import { going, type AnswerOf } from "./approval.ts";
import { commandOf } from "./command.ts";
import { eventsOf, observed, STREAM, type EventsOptions, type StreamSource } from "./events.ts";
import { NOTHING_EARLIER, threadMemory, type Left } from "./thread.ts";
import { watch } from "./watch.ts";

/**
 * One turn. A text is what the user says; on a thread that waits at an interrupt it is the answer to that. `{ resume }` answers an interrupt with any value. `null`
 * lets a graph go on that was told to stop before or after a node. Messages, a state and a `Command` go to the graph as they are.
 */
export type TurnInput = string | object | null;

/** A compiled graph, `createReactAgent`'s result, or anything else that streams as one. */
export interface GraphLike {
  // `any`: the graph's own types of state and config are its application's.
  stream(input: any, config?: any): PromiseLike<StreamSource> | StreamSource;
  readonly checkpointer?: unknown;
}

export interface GraphTargetOptions extends Omit<EventsOptions, "runId" | "sessionId" | "modes" | "watch" | "continues" | "resume" | "signal"> {
  /** Further members of each run's config: `context`, `recursionLimit`, `configurable` and the like. */
  readonly config?: Readonly<Record<string, unknown>> | ((turn: TargetOptions) => Readonly<Record<string, unknown>>) | undefined;
  /** Makes the graph's input of what is said; `{ messages }` when absent. */
  readonly input?: ((messages: readonly unknown[], turn: TargetOptions) => unknown) | undefined;
  /** Makes the answer to an interrupt where a run goes on after a decision. Needed for a form of the application's own; those of LangChain's middleware and of `action_request` are known. */
  readonly answer?: AnswerOf | undefined;
  /** Whether the graph keeps its threads. Known by its checkpointer when absent. */
  readonly memory?: boolean | undefined;
  /** Names the run of a turn. A random id when absent. */
  readonly newRunId?: (() => string) | undefined;
}

interface Turn {
  readonly input: unknown;
  readonly resume?: { readonly value: unknown } | undefined;
}

/** A run that stopped: what it left, and on which thread. */
interface Waiting {
  readonly threadId: string;
  readonly left: Left;
}

function isResume(input: unknown): input is { readonly resume: unknown } {
  return recordOf(input) !== undefined && Object.keys(input as object).length === 1 && Object.hasOwn(input as object, "resume");
}

/**
 * Makes a target of a compiled graph. With a checkpointer the graph keeps its threads by itself: the turn's thread is its `thread_id`; without
 * one, what was said before is sent again with each turn. The turn's signal goes to the graph, its thread is the session of the evidence.
 * With a checkpointer a run that stopped for approval goes on with the answer to every interrupt that it waits at.
 * Throws `option_invalid` for what is no graph.
 */
export function target(graph: GraphLike, options: GraphTargetOptions = {}): Target<TurnInput> {
  const { config: further, input: toState, answer, memory: said, newRunId, ...reading } = options;
  if (typeof (graph as Partial<GraphLike> | null | undefined)?.stream !== "function") {
    throw new EntailError("option_invalid", "target() needs a compiled graph of LangGraph: what compile() or createReactAgent() gives");
  }
  const memory = said ?? ![undefined, null, false].includes(member(graph, "checkpointer") as undefined);
  const threads = threadMemory();

  const turnOf = (input: TurnInput, before: Left | undefined, turn: TargetOptions): Turn => {
    if (input === null) return { input: null, resume: { value: true } };
    if (isResume(input)) return { input: commandOf(input.resume), resume: { value: input.resume } };
    if (textMember(input, "lg_name") === "Command") return { input, resume: { value: member(input, "resume") } };
    if (typeof input === "string" && before !== undefined && before.interrupts.length > 0) return { input: commandOf(input), resume: { value: input } };
    const messages = typeof input === "string" ? [{ role: "user", content: input }] : listOf(input);
    if (messages === undefined) return { input };
    const whole = [...(memory ? [] : (turn.history ?? [])), ...messages];
    return { input: toState === undefined ? { messages: whole } : toState(whole, turn) };
  };

  const waiting = waitingRuns<Waiting>();

  const read = ({ input, resume }: Turn, before: Left | undefined, turn: TargetOptions, threadId: string | undefined, decided?: { readonly approved: boolean; readonly runId: string }): EventStream => {
    const heard = watch();
    const own = typeof further === "function" ? further(turn) : (further ?? {});
    const callbacks = listOf(member(own, "callbacks")) ?? [];
    const config = {
      ...own,
      ...STREAM,
      callbacks: [...callbacks, ...heard.callbacks],
      signal: turn.signal,
      configurable: { ...membersOf(member(own, "configurable")), ...(threadId === undefined ? {} : { thread_id: threadId }) },
    };
    const runId = newRunId?.() ?? crypto.randomUUID();
    const decision = decided === undefined ? {} : { decision: () => decided.approved };
    // The graph starts with the first look at its events, so that nothing runs whose failure nobody would see.
    return eventsOf(() => graph.stream(input, config), { ...reading, ...decision, runId, sessionId: turn.threadId, watch: heard, signal: turn.signal }, {
      earlier: before === undefined ? NOTHING_EARLIER : { ...before, continued: decided !== undefined },
      resume,
      keep: (left) => {
        if (threadId === undefined || !memory) return;
        threads.keep(threadId, left);
        if (left.interrupts.length > 0 || left.asked.size > 0) waiting.keep({ threadId, left }, runId, ...(decided === undefined ? [] : [decided.runId]));
      },
    });
  };

  return {
    observes: observed({ ...reading, watch: watch() }),
    memory,
    send(input, turn): EventStream {
      const threadId = turn.threadId ?? (memory ? crypto.randomUUID() : undefined);
      const before = threadId === undefined ? undefined : threads.recall(threadId);
      return read(turnOf(input, before, turn), before, turn, threadId);
    },
    ...(memory && {
      resume({ approved, evidence }: Decision, turn: TargetOptions): EventStream {
        const { threadId, left } = waiting.take(evidence.runId);
        const before = threads.recall(threadId);
        if (before?.asked !== left.asked) throw new EntailError("option_invalid", "resume() goes on with the last run of its thread, and the thread has gone on since that run stopped");
        const { input, value } = going(left.interrupts, approved, answer);
        return read({ input, resume: { value } }, before, turn, threadId, { approved, runId: evidence.runId });
      },
    }),
  };
}
