// Owns `target`: an agent or a workflow of Mastra's behind Entail's target port.

import type { EventStream } from "../../core/event.ts";
import type { Evidence } from "../../core/evidence.ts";
import type { Decision, Target, TargetOptions } from "../../core/target.ts";
import { EntailError } from "../../core/error.ts";
import { member, recordOf, textMember } from "../../core/member.ts";
import { eventsOf, observed, type EventsOptions, type StreamSource } from "./events.ts";
import { copyRequestContext } from "./request-context.ts";
import type { Decided } from "./tree.ts";

/** A message as Mastra takes it; an application's own may hold any of its parts. */
export interface InputMessage {
  readonly role: string;
  readonly content: unknown;
}

/** One turn: a text, several texts of one turn, or messages. */
export type TurnInput = string | readonly string[] | readonly InputMessage[];

/** What a turn is sent with. */
export interface AgentCall {
  // `any`: Mastra's messages and options are types that only it can name.
  readonly messages: any;
  readonly options: any;
}

/** An agent of Mastra's. */
export interface AgentLike {
  stream(messages: any, options: any): StreamSource | PromiseLike<StreamSource>;
  hasOwnMemory?(): boolean;
}

/** For an application that makes the call itself: `({ messages, options }) => agent.network(messages, options)`. */
export type StreamCall = (call: AgentCall) => StreamSource | PromiseLike<StreamSource>;

/** A workflow of Mastra's. */
export interface WorkflowLike {
  createRun(options?: any): WorkflowRun | PromiseLike<WorkflowRun>;
}

export interface WorkflowRun {
  stream(options: any): StreamSource | PromiseLike<StreamSource>;
  cancel(): PromiseLike<unknown>;
}

/** Further members of each call: `maxSteps`, `modelSettings`, `requestContext`, `memory` and the like. They are never changed. */
export type FurtherOptions = Readonly<Record<string, unknown>> | ((turn: TargetOptions) => Readonly<Record<string, unknown>>);

export interface MastraTargetOptions extends Omit<EventsOptions, "runId" | "sessionId" | "signal" | "continues"> {
  /** For an agent the options of `stream`, for a workflow those of its run's `stream`. */
  readonly call?: FurtherOptions | undefined;
  /** Whether the target keeps a thread. An agent says so itself; needed for one whose memory comes from elsewhere, and for a function. */
  readonly memory?: boolean | undefined;
  /** Names the run of a turn. A random id when absent. */
  readonly newRunId?: (() => string) | undefined;
}

function optionsOf(further: FurtherOptions | undefined, turn: TargetOptions): Readonly<Record<string, unknown>> {
  const given = typeof further === "function" ? further(turn) : (further ?? {});
  return given["requestContext"] === undefined ? given : { ...given, requestContext: copyRequestContext(given["requestContext"]) };
}

/** The memory of a turn: the caller's, with the conversation's thread, and its owner where one is known. */
function memoryOf(given: unknown, { threadId, resourceId }: TargetOptions): object {
  const memory = recordOf(given) ?? {};
  if (threadId === undefined) return given === undefined ? {} : { memory };
  return { memory: { ...memory, thread: threadId, resource: resourceId ?? textMember(memory, "resource") ?? threadId } };
}

/** So many runs are remembered; one that stopped longer ago is not gone on with. */
const MAX_RUNS = 1_000;

function remember(runs: Map<string, string>, id: string, own: string): void {
  runs.set(id, own);
  const [oldest] = runs.keys();
  if (runs.size > MAX_RUNS && oldest !== undefined) runs.delete(oldest);
}

type Decide = (approved: boolean, options: object) => StreamSource | PromiseLike<StreamSource>;

/** How an agent goes on after a decision; `undefined` for one that cannot. */
function decisions(agent: AgentLike): Decide | undefined {
  const [approve, decline] = ["approveToolCall", "declineToolCall"].map((name) => {
    const found = member(agent, name);
    return typeof found === "function" ? (found as (options: object) => StreamSource).bind(agent) : undefined;
  });
  return approve === undefined || decline === undefined ? undefined : (approved, options) => (approved ? approve(options) : decline(options));
}

/** Mastra's own id of the call; one that was made up, or is of a run within a call, is not. Without one it is the call that waits. */
function toolCallOf(toolCallId: string): { readonly toolCallId?: string } {
  return toolCallId.startsWith("made-up:") || toolCallId.includes("/") ? {} : { toolCallId };
}

function messagesOf(input: TurnInput): readonly unknown[] {
  if (typeof input === "string") return [{ role: "user", content: input }];
  return input.map((item) => (typeof item === "string" ? { role: "user", content: item } : item));
}

function aborting(signal: AbortSignal, given: unknown): AbortSignal {
  return given instanceof AbortSignal ? AbortSignal.any([signal, given]) : signal;
}

/**
 * Makes a target of an agent of Mastra's, of a function that calls one, or of a workflow. An agent with memory keeps the thread itself: a
 * turn's `threadId` and `resourceId` go to it as `memory`; to one without, what was said before is sent again. The turn's signal goes to
 * an agent as `abortSignal` and cancels a workflow's run; a workflow takes the turn's input as `inputData`. What the caller gives is never
 * changed, a `requestContext` is copied for each turn. Throws `option_invalid` for what can be called in no such way.
 */
export function target(agent: AgentLike | StreamCall, options?: MastraTargetOptions): Target<TurnInput>;
export function target(workflow: WorkflowLike, options?: MastraTargetOptions): Target;
export function target(asked: AgentLike | StreamCall | WorkflowLike, options: MastraTargetOptions = {}): Target<any> {
  const { call: further, memory: said, newRunId, ...reading } = options;
  const observes = observed(reading, true);
  /** Mastra's own runs, by the ids that evidence has for them: a decision about a call goes to one of these. */
  const runs = new Map<string, string>();
  const read = (open: () => StreamSource | PromiseLike<StreamSource>, turn: TargetOptions, continues?: Evidence, decision?: Decided): EventStream => {
    const runId = newRunId?.() ?? crypto.randomUUID();
    const opened = async (): Promise<StreamSource> => {
      const source = await open();
      const own = textMember(source, "runId");
      if (own !== undefined) remember(runs, runId, own);
      return source;
    };
    return eventsOf(opened, { ...reading, runId, sessionId: turn.threadId, signal: turn.signal, ...(continues === undefined ? {} : { continues }) }, true, decision === undefined ? [] : [decision]);
  };

  if (typeof member(asked, "createRun") === "function") {
    const workflow = asked as WorkflowLike;
    return {
      observes,
      memory: said ?? false,
      send: (input: unknown, turn) =>
        read(async () => {
          const given = optionsOf(further, turn);
          const run = await workflow.createRun(turn.resourceId === undefined ? {} : { resourceId: turn.resourceId });
          const cancel = (): void => void Promise.resolve(run.cancel()).catch(() => undefined);
          turn.signal.addEventListener("abort", cancel, { once: true });
          if (turn.signal.aborted) cancel();
          return run.stream({ ...given, inputData: input });
        }, turn),
    };
  }

  if (typeof asked !== "function" && typeof member(asked, "stream") !== "function") {
    throw new EntailError("option_invalid", "target() needs an agent of Mastra's with a stream() method, a workflow with createRun(), or a function ({ messages, options }) => agent.stream(messages, options)");
  }
  const agent = asked as AgentLike | StreamCall;
  const memory = said ?? (typeof agent !== "function" && typeof agent.hasOwnMemory === "function" && agent.hasOwnMemory());
  const callOptions = (turn: TargetOptions): Readonly<Record<string, unknown>> => {
    const given = optionsOf(further, turn);
    return { ...given, ...(memory ? memoryOf(given["memory"], turn) : {}), abortSignal: aborting(turn.signal, given["abortSignal"]) };
  };
  const decided = typeof agent === "function" ? undefined : decisions(agent);
  return {
    observes,
    memory,
    ...(decided !== undefined && {
      resume: ({ confirmation, approved, evidence }: Decision, turn: TargetOptions) =>
        read(() => {
          const runId = runs.get(evidence.runId);
          if (runId === undefined) throw new EntailError("option_invalid", "resume() goes on with a run that this target has sent; this one it does not know");
          return decided(approved, { ...callOptions(turn), runId, ...toolCallOf(confirmation.toolCallId) });
        }, turn, evidence, { toolCallId: confirmation.toolCallId, toolName: confirmation.toolName, approved }),
    }),
    send: (input: TurnInput, turn) =>
      // The agent starts with the first look at its events, so that nothing runs whose failure nobody would see.
      read(() => {
        const messages = [...(memory ? [] : (turn.history ?? [])), ...messagesOf(input)];
        const call = callOptions(turn);
        return typeof agent === "function" ? agent({ messages, options: call }) : agent.stream(messages, call);
      }, turn),
  };
}
