// Owns `target`: an A2A agent behind its HTTP endpoint, one task or message a turn.

import { abortError } from "../../core/abort.ts";
import { type Clock, systemClock } from "../../core/clock.ts";
import { EntailError, isEntailError } from "../../core/error.ts";
import type { EventStream } from "../../core/event.ts";
import type { Target, TargetOptions } from "../../core/target.ts";
import { callAgent, placeOf, PROTOCOLS, turnParams, type Answer, type Fetch, type Method, type Protocol } from "./call.ts";
import { eventsOf, OBSERVES, type EventsOptions } from "./events.ts";
import type { InputPart } from "./part.ts";
import type { EarlierArtifacts, Translator } from "./translator.ts";

/** One turn: a text, or the parts of a message. */
export type TurnInput = string | readonly InputPart[];

export interface A2aTargetOptions extends Pick<EventsOptions, "waitsForAuthorization"> {
  /** The agent's JSON-RPC endpoint: the `url` of its card. */
  readonly url: string | URL;
  /** 1.0 when absent, and 0.3 from the first answer on that says the agent does not know 1.0. */
  readonly protocol?: Protocol | undefined;
  /** Whether a turn is streamed; an agent that says it cannot is asked again without. True when absent. */
  readonly streaming?: boolean | undefined;
  /** Of each request. Who owns the turn's memory (`resourceId`) is nothing that A2A can say but by its credentials. */
  readonly headers?: Readonly<Record<string, string>> | ((turn: TargetOptions) => Readonly<Record<string, string>>) | undefined;
  /** The context in which a thread begins, the thread's own id when absent; `() => undefined` for an agent that takes only contexts of its own. */
  readonly contextId?: ((threadId: string) => string | undefined) | undefined;
  /** Further members of a turn's message: `metadata`, `extensions`, `referenceTaskIds`. */
  readonly message?: ((turn: TargetOptions) => Readonly<Record<string, unknown>>) | undefined;
  /** Milliseconds between two looks at a task whose agent answered before it was done. 500 when absent. */
  readonly pollMs?: number | undefined;
  /** Names the run of a turn. A random id when absent. */
  readonly newRunId?: (() => string) | undefined;
  /** The platform's own when absent. */
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
}

/** What is known of a thread: the agent's context for it, and the task that waits there for the next turn. */
interface Thread {
  readonly contextId: string;
  readonly taskId?: string | undefined;
  readonly artifacts?: EarlierArtifacts | undefined;
}

/** A target that is asked for ever must not fill the memory; the oldest threads then begin anew. */
const MAX_THREADS = 10_000;
/** How long a cancelled turn waits for the agent to say that its task is cancelled. */
const CANCEL_WAIT_MS = 2000;
const POLL_MS = 500;

/**
 * Makes a target of an A2A agent. It keeps the thread: the first turn of one opens a context, whose id the agent may choose, and further turns are
 * sent in it; a task that asked for input goes on with the next turn. A turn that is aborted is cancelled at the agent too, and where the agent says
 * so within 2 s its run is `cancelled`.
 *
 * Throws `option_invalid` for an address that is none. Reading a turn's events rejects with `stream_incomplete` where the agent cannot be reached or
 * refuses the message, naming its reason.
 */
export function target(options: A2aTargetOptions): Target<TurnInput> {
  const { headers = {}, contextId = (id) => id, message, newRunId, waitsForAuthorization, fetch = globalThis.fetch, clock = systemClock } = options;
  const pollMs = options.pollMs ?? POLL_MS;
  const url = addressOf(options.url);
  if (options.protocol !== undefined && !PROTOCOLS.includes(options.protocol)) {
    throw new EntailError("option_invalid", `protocol must be one of ${PROTOCOLS.join(", ")}; it is ${JSON.stringify(options.protocol)}`);
  }
  if (!(typeof pollMs === "number" && Number.isFinite(pollMs) && pollMs > 0)) throw new EntailError("option_invalid", "pollMs must be a number of milliseconds above 0");
  let protocol: Protocol = options.protocol ?? "1.0";
  let streaming = options.streaming ?? true;
  const threads = new Map<string, Thread>();

  const call = (method: Method, params: object, turn: TargetOptions, signal: AbortSignal = turn.signal): Promise<Answer> =>
    callAgent(method, params, { url, protocol, headers: typeof headers === "function" ? headers(turn) : headers, signal, fetch });

  /** Sends the turn in the way the agent knows; only a refusal, before which nothing was done, is asked again in another. */
  const send = async (input: TurnInput, turn: TargetOptions, thread: Thread | undefined): Promise<Exclude<Answer, { kind: "refused" }>> => {
    let streamed = streaming;
    for (;;) {
      // Turns of other threads may have learnt meanwhile what the agent speaks.
      const spoken = protocol;
      const answer = await call(streamed ? "stream" : "send", turnParams({ input, contextId: thread?.contextId, taskId: thread?.taskId, message: message?.(turn) }, spoken), turn);
      if (answer.kind !== "refused") {
        streaming &&= streamed;
        return answer;
      }
      if (answer.why === "version" && spoken === "1.0" && options.protocol === undefined) protocol = "0.3";
      else if (answer.why === "streaming" && streamed) streamed = false;
      else throw new EntailError("stream_incomplete", `the agent at ${placeOf(url)} refused the message: ${answer.message}`);
    }
  };

  /** Looks at the task until it has ended or stopped. */
  async function* poll(run: Translator, turn: TargetOptions): AsyncGenerator<unknown, void> {
    for (;;) {
      await clock.sleep(pollMs, turn.signal);
      if (turn.signal.aborted) throw abortError(turn.signal, "the agent's task");
      const answer = await call("get", { id: run.taskId }, turn);
      if (answer.kind !== "result") throw new EntailError("stream_incomplete", `the agent at ${placeOf(url)} does not tell what became of its task${answer.kind === "refused" ? `: ${answer.message}` : ""}`);
      yield { result: answer.result };
      if (run.stopped) return;
    }
  }

  /** Asks the agent to cancel the task; gives what it says, or nothing where it says nothing in time. */
  async function* cancel(run: Translator, turn: TargetOptions, thrown: unknown): AsyncGenerator<unknown, void> {
    const waiting = new AbortController();
    const late = new AbortController();
    void clock.sleep(CANCEL_WAIT_MS, waiting.signal).then(() => late.abort());
    try {
      const answer = await call("cancel", { id: run.taskId }, turn, late.signal);
      if (answer.kind === "result") yield { result: answer.result };
    } catch {
      // What counts is that the turn was aborted.
    } finally {
      waiting.abort();
    }
    if (!run.over) throw thrown;
  }

  return {
    observes: OBSERVES,
    memory: true,
    send(input, turn): EventStream {
      const { threadId } = turn;
      const known = threadId === undefined ? undefined : threads.get(threadId);
      const first = threadId === undefined ? undefined : contextId(threadId);
      const thread = known ?? (first === undefined ? undefined : { contextId: first });
      let whole = false;
      return eventsOf(
        {
          async open() {
            const answer = await send(input, turn, thread);
            whole = answer.kind === "result";
            return answer.kind === "result" ? { result: answer.result } : answer.body;
          },
          // A stream says by itself what becomes of its task; one that stops before is cut off.
          rest: (run) => (whole && run.taskId !== "" ? poll(run, turn) : undefined),
          broke(run, thrown) {
            if (!turn.signal.aborted) return undefined;
            const why = abortError(turn.signal, "the agent's task");
            if (run.taskId === "") throw why;
            return cancel(run, turn, isEntailError(thrown) ? thrown : why);
          },
          ended(run) {
            if (threadId === undefined || run.contextId === "") return;
            threads.delete(threadId);
            threads.set(threadId, { contextId: run.contextId, ...(run.open ? { taskId: run.taskId, artifacts: run.artifacts() } : {}) });
            const oldest = threads.keys().next();
            if (threads.size > MAX_THREADS && oldest.done !== true) threads.delete(oldest.value);
          },
        },
        { runId: newRunId?.(), sessionId: threadId, earlier: known?.artifacts, waitsForAuthorization },
      );
    },
  };
}

function addressOf(url: unknown): URL {
  try {
    return new URL(String(url));
  } catch {
    throw new EntailError("option_invalid", `target() needs the url of an agent's endpoint; ${JSON.stringify(url)} is none`);
  }
}
