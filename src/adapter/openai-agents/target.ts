// Owns `target`: an agent of the OpenAI Agents SDK behind Entail's target port.

import { EntailError } from "../../core/error.ts";
import type { EventStream } from "../../core/event.ts";
import { textMember } from "../../core/member.ts";
import type { Target, TargetOptions } from "../../core/target.ts";
import { waitingRuns } from "../../core/waiting-runs.ts";
import { eventsOf, observed, type EventsOptions, type Going, type RunSource } from "./events.ts";
import { watch } from "./nested.ts";
import { decide } from "./run-state.ts";
import { ownRunner, type RunnerLike } from "./runner.ts";

/** `Agent` of the SDK. */
export interface AgentLike {
  readonly name: string;
  readonly tools: readonly unknown[];
  readonly handoffs: readonly unknown[];
}

/** One turn: a text, or items of the SDK that follow what was said before. */
export type TurnInput = string | readonly object[];

export interface AgentTargetOptions extends Omit<EventsOptions, "runId" | "sessionId"> {
  /** Runs the agent. Without it the SDK's own runner does, without tracing. */
  readonly runner?: RunnerLike | undefined;
  /** Further options of each run: `context`, `maxTurns`, `session` and the like. */
  readonly call?: Readonly<Record<string, unknown>> | ((turn: TargetOptions) => Readonly<Record<string, unknown>>) | undefined;
  /** Whether the runs keep the thread by themselves, as with a `session` in `call`; nothing that was said before is then sent again. */
  readonly memory?: boolean | undefined;
  /** False leaves agents alone that are used as tools: their calls are not seen then. */
  readonly nested?: boolean | undefined;
  /** Names the run of a turn. A random id when absent. */
  readonly newRunId?: (() => string) | undefined;
}

/** A run that stopped for approval, and the ids of the calls that were told so far in the turn. */
interface Waiting {
  readonly source: RunSource;
  readonly told: ReadonlySet<string>;
}

/** What was said before, as items of the SDK. */
function pastItems(turn: TargetOptions): object[] {
  return (turn.history ?? []).map(({ role, content }) =>
    role === "user" ? { type: "message", role, content } : { type: "message", role, status: "completed", content: [{ type: "output_text", text: content }] });
}

/**
 * Makes a target of an agent of the SDK. Each turn is one streamed run, with the turn's signal; its thread is the session of the evidence. Agents
 * that it uses as tools are watched. A run that stopped for approval goes on from its state, with every call decided that waits. Throws `option_invalid` for what is no agent.
 */
export function target(agent: AgentLike, options: AgentTargetOptions = {}): Target<TurnInput> {
  const { runner, call: further, memory = false, nested = true, newRunId, ...reading } = options;
  if (typeof agent !== "object" || agent === null || textMember(agent, "name") === undefined) throw new EntailError("option_invalid", "target() needs an agent of the OpenAI Agents SDK");
  if (runner !== undefined && typeof (runner as Partial<RunnerLike> | null)?.run !== "function") {
    throw new EntailError("option_invalid", "target(): the runner must have a run() method, as new Runner() of the OpenAI Agents SDK has");
  }
  const observes = observed(reading, { nested, streamed: true });
  const waiting = waitingRuns<Waiting>();
  let own: Promise<RunnerLike> | undefined;
  // The run starts with the first look at its events, so that nothing runs whose failure nobody would see.
  const read = (input: unknown, turn: TargetOptions, before?: { readonly runId: string; readonly told: ReadonlySet<string>; readonly decided: Going["decided"] }): EventStream => {
    const start = async (): Promise<RunSource> => {
      if (nested) watch(agent);
      const runs = runner ?? (await (own ??= ownRunner()));
      return runs.run(agent, input, { ...(typeof further === "function" ? further(turn) : further), stream: true, signal: turn.signal });
    };
    const runId = newRunId?.() ?? crypto.randomUUID();
    return eventsOf(start, { ...reading, runId, sessionId: turn.threadId }, observes, true, {
      decided: before?.decided,
      told: before?.told,
      suspended: (source, told) => waiting.keep({ source, told }, runId, ...(before === undefined ? [] : [before.runId])),
    });
  };
  return {
    observes,
    memory,
    send(input, turn): EventStream {
      const past = memory ? [] : pastItems(turn);
      return read(typeof input === "string" ? (past.length === 0 ? input : [...past, { type: "message", role: "user", content: input }]) : [...past, ...input], turn);
    },
    resume({ approved, confirmation: { toolCallId, toolName }, evidence: { runId } }, turn): EventStream {
      const { source, told } = waiting.take(runId);
      return read(decide(source, approved), turn, { runId, told, decided: { toolCallId, toolName, approved } });
    },
  };
}
