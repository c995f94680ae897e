// Owns the collector: it takes the events of one run and of the runs within it, one by one, and gives evidence.

import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import { PROGRESS_EVENTS, type StreamEvent } from "../core/event.ts";
import { type Approval, type Confirmation, type Evidence, type Observes, OBSERVES_EVERYTHING, type RunFailure, type TerminalPhase } from "../core/evidence.ts";
import { heldFor } from "../core/held-event.ts";
import { USAGE_MEMBERS, type Usage } from "../core/usage.ts";
import { type CallEnd, readEnd, requireSameCall } from "./call-end.ts";
import { causalOrder } from "./causal-order.ts";
import { type CollectorOptions, readCollectorOptions, readObserves } from "./collector-options.ts";
import { continuationOf, type EarlierCall, type Memory, NO_MEMORY, rememberPast } from "./continuation.ts";
import { eventPlace, malformed, optionalText, requiredText } from "./malformed.ts";
import { type Asking, completeCall, type ObservedCall, showCall } from "./observed-call.ts";
import { catchArguments, type Payload, showArguments } from "./payload.ts";
import { readRunFailure } from "./tool-failure.ts";

export interface Collector {
  /**
   * Takes the next event. An event without a run is the root's; one of a type that Entail does not know is counted and left aside. Throws
   * `event_invalid`, `session_foreign`, `tool_failure_invalid` or one of `tool_start_duplicate`, `tool_end_unknown`, `tool_end_duplicate` and
   * `tool_end_mismatch`; the event then changed nothing, and the next one may come.
   */
  readonly consume: (event: StreamEvent) => void;
  /** True once the root run's `run_stream_end` was seen. What comes later is still taken. */
  readonly done: boolean;
  /**
   * What was seen so far, as a snapshot that no later event changes. Throws `causal_orphan` for a call whose parent was never seen or is among
   * its own descendants, and `continuation_invalid` where the run that should go on was not seen.
   */
  readonly finish: () => Evidence;
}

/** A collector that also shows what it has where `finish` would throw. */
export interface OpenCollector extends Collector {
  /** What the source can see, where it says so only as it goes. Throws `option_invalid`. */
  readonly see: (observes: Observes) => void;
  /** Whether times are told; they are from the start, where there is a clock. */
  readonly tellTimes: (told: boolean) => void;
  /** How many calls were seen. */
  readonly size: number;
  /** What was seen so far, whatever state it is in; calls without a root come last. Never throws. */
  readonly glimpse: () => Evidence;
}

/** Throws `option_invalid`, or `continuation_invalid` where `continues` cannot be continued. */
export function createCollector(options: CollectorOptions = {}): Collector {
  const collector = openCollector(options);
  return {
    consume: collector.consume,
    get done() {
      return collector.done;
    },
    finish: collector.finish,
  };
}

const TERMINAL: ReadonlyMap<string, TerminalPhase> = new Map([
  ["completed", "completed"],
  ["failed", "failed"],
  ["cancelled", "cancelled"],
  ["canceled", "cancelled"],
  ["suspended", "suspended"],
]);
const PROGRESS: ReadonlySet<string> = new Set(PROGRESS_EVENTS);

/** The members of every event, each read by the case that it belongs to. */
type Members = Readonly<Record<string, unknown>>;

interface Waiting {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly id: string | undefined;
  readonly title: string | undefined;
  readonly prompt: string;
  readonly args: Payload;
}

export function openCollector(given: CollectorOptions): OpenCollector {
  const { rootRunId, sessionId, continues, observes, clock } = readCollectorOptions(given);
  const began = clock?.elapsed() ?? 0;
  let timed = clock !== undefined;
  const memory: Memory = continues === undefined ? NO_MEMORY : continuationOf(continues, rootRunId, sessionId);
  let sees: Observes = observes ?? continues?.observes ?? OBSERVES_EVERYTHING;

  let root: string | undefined = rootRunId;
  let session = sessionId ?? continues?.sessionId ?? "";
  /** In a run that goes on: whether its first event has come. */
  let begun = continues === undefined;
  let foreign: EntailError | undefined;
  let done = false;
  let answer = "";
  let phase: TerminalPhase | undefined;
  let failure: RunFailure | undefined;
  let waiting: Waiting | undefined;
  let usage: { -readonly [K in keyof Usage]: number } | undefined;
  const calls = new Map<string, ObservedCall>();
  const completions = new Map<string, { readonly earlier: EarlierCall; readonly end: CallEnd; readonly endedMs: number | undefined }>();
  const approvals = new Map<string, Approval>();
  const askings = new Map<string, Asking>();
  let durationMs: number | undefined;
  const unknown = new Map<string, number>();
  if (continues?.confirmation !== undefined) approvals.set(continues.confirmation.toolCallId, continues.confirmation.state);

  const moment = (event?: object): number | undefined =>
    clock === undefined ? undefined : Math.round(Math.max(0, clock.elapsed() - began - (event === undefined ? 0 : heldFor(event))) * 1000) / 1000;

  const consume = (event: StreamEvent): void => {
    try {
      take(event as unknown as Members);
    } catch (thrown) {
      if (isEntailError(thrown)) throw thrown;
      throw new EntailError("event_invalid", `an event cannot be read: ${messageOf(thrown)}`, { cause: thrown });
    }
  };

  const take = (event: Members): void => {
    if (typeof event !== "object" || event === null) throw malformed("an event", "must be an object", event);
    const type = event["type"];
    if (typeof type !== "string" || type === "") throw malformed("an event", "its type must be a text that is not empty", type);
    const runId = optionalText(event["runId"], "runId", type);
    const eventSession = optionalText(event["sessionId"], "sessionId", type);
    belongs(type, runId, eventSession);
    apply(type, event, runId);
    // Only what was taken decides: an event that was refused has changed nothing.
    root ??= runId;
    if (session === "" && eventSession !== undefined) session = eventSession;
    begun = true;
  };

  const belongs = (type: string, runId: string | undefined, eventSession: string | undefined): void => {
    if (foreign !== undefined) throw foreign;
    let error: EntailError | undefined;
    if (eventSession !== undefined && session !== "" && eventSession !== session) {
      error = new EntailError("session_foreign", `${type}: the event is of session ${JSON.stringify(eventSession)}, the run of session ${JSON.stringify(session)}; give each its own collector`);
    } else if (!begun && runId !== undefined && runId !== root) {
      error = new EntailError("continuation_invalid", `${type}: the first event is of run ${JSON.stringify(runId)}, but the run that goes on is ${JSON.stringify(root)}`);
    }
    if (error === undefined) return;
    if (!begun) foreign = error;
    throw error;
  };

  const apply = (type: string, event: Members, runId: string | undefined): void => {
    const ofRoot = runId === undefined || root === undefined || runId === root;
    switch (type) {
      case "assistant_reply": {
        const text = event["text"];
        if (typeof text !== "string") throw malformed(type, "text must be a text", text);
        if (ofRoot) answer += text;
        return;
      }
      case "tool_start":
        return start(event, runId);
      case "tool_end":
        return end(event);
      case "workflow":
        return ofRoot ? workflow(event) : undefined;
      case "await_confirmation":
        return awaitConfirmation(event);
      case "tool_authorization":
        return authorize(event);
      case "usage":
        return count(event["usage"]);
      case "run_stream_end":
        if (!ofRoot) return;
        if (!done) durationMs = moment();
        done = true;
        return;
      default:
        if (!PROGRESS.has(type)) unknown.set(type, (unknown.get(type) ?? 0) + 1);
    }
  };

  const start = (event: Members, runId: string | undefined): void => {
    const id = requiredText(event["toolCallId"], "toolCallId", "tool_start");
    const name = event["toolName"];
    if (typeof name !== "string") throw malformed(eventPlace("tool_start", id), "toolName must be a text", name);
    if (calls.has(id) || memory.calls.has(id)) {
      const first = calls.get(id)?.name ?? memory.calls.get(id)?.call.toolName ?? "";
      throw new EntailError("tool_start_duplicate", `call ${JSON.stringify(id)} of ${JSON.stringify(name)} was started before, as ${JSON.stringify(first)}; a call has one start and an id of its own`);
    }
    const parent = optionalText(event["parentToolCallId"], "parentToolCallId", "tool_start");
    const args = catchArguments(event["args"], event["argsJson"], "tool_start", id);
    calls.set(id, { id, name, parent, runId, args, end: undefined, approval: approvals.get(id), startedMs: moment(event), endedMs: undefined, asking: askings.get(id), shown: undefined });
  };

  const end = (event: Members): void => {
    const id = requiredText(event["toolCallId"], "toolCallId", "tool_end");
    const name = event["toolName"];
    if (typeof name !== "string") throw malformed(eventPlace("tool_end", id), "toolName must be a text", name);
    const call = calls.get(id);
    const earlier = call === undefined ? memory.calls.get(id) : undefined;
    if (call === undefined && earlier?.open !== true) {
      const why = earlier === undefined ? "whose start was never seen" : "that had ended in an earlier run";
      throw new EntailError("tool_end_unknown", `an end came for call ${JSON.stringify(id)} of ${JSON.stringify(name)}, ${why}`);
    }
    if (call?.end !== undefined || completions.has(id)) {
      throw new EntailError("tool_end_duplicate", `a second end came for call ${JSON.stringify(id)} of ${JSON.stringify(name)}; a call has one end`);
    }
    requireSameCall(id, event, call ?? { name: earlier?.call.toolName ?? "", parent: earlier?.call.parentToolCallId, runId: earlier?.call.runId });
    const ending = readEnd(event, id, done);
    if (earlier !== undefined) completions.set(id, { earlier, end: ending, endedMs: moment() });
    if (call === undefined) return;
    if (call.name === "") call.name = name;
    call.end = ending;
    call.endedMs = moment();
    call.shown = undefined;
  };

  const workflow = (event: Members): void => {
    const name = event["phase"];
    if (typeof name !== "string") throw malformed("workflow", "phase must be a text", name);
    const ended = TERMINAL.get(name);
    if (ended === undefined) return;
    const why = event["failure"];
    failure = ended === "failed" && why !== undefined && why !== null ? readRunFailure(why, "workflow") : undefined;
    phase = ended;
  };

  const awaitConfirmation = (event: Members): void => {
    const toolCallId = requiredText(event["toolCallId"], "toolCallId", "await_confirmation");
    const where = eventPlace("await_confirmation", toolCallId);
    const { toolName, prompt } = event;
    if (typeof toolName !== "string") throw malformed(where, "toolName must be a text", toolName);
    if (typeof prompt !== "string") throw malformed(where, "prompt must be a text", prompt);
    const asked: Waiting = {
      toolCallId,
      toolName,
      id: optionalText(event["id"], "id", where),
      title: optionalText(event["title"], "title", where),
      prompt,
      args: catchArguments(event["args"], event["argsJson"], "await_confirmation", toolCallId),
    };
    waiting = asked;
    decide(toolCallId, "pending");
  };

  const authorize = (event: Members): void => {
    const toolCallId = requiredText(event["toolCallId"], "toolCallId", "tool_authorization");
    const approved = event["approved"];
    if (typeof approved !== "boolean") throw malformed(eventPlace("tool_authorization", toolCallId), "approved must be true or false", approved);
    decide(toolCallId, approved ? "approved" : "denied");
  };

  const decide = (id: string, state: Approval): void => {
    approvals.set(id, state);
    const at = moment();
    if (at !== undefined) askings.set(id, state === "pending" ? { askedMs: at } : { askedMs: askings.get(id)?.askedMs, decidedMs: at });
    const call = calls.get(id);
    if (call === undefined) return;
    call.approval = state;
    call.asking = askings.get(id);
    call.shown = undefined;
  };

  const count = (value: unknown): void => {
    if (typeof value !== "object" || value === null) throw malformed("usage", "usage must be an object", value);
    for (const member of USAGE_MEMBERS) {
      const amount = (value as Members)[member];
      if (amount !== undefined && !(typeof amount === "number" && Number.isFinite(amount) && amount >= 0)) {
        throw malformed("usage", `${member} must be a number that is not negative`, amount);
      }
    }
    for (const member of USAGE_MEMBERS) {
      const amount = (value as Members)[member] as number | undefined;
      if (amount !== undefined) (usage ??= {})[member] = (usage[member] ?? 0) + amount;
    }
  };

  const snapshot = (ordered: readonly ObservedCall[]): Evidence =>
    Object.freeze({
      runId: root ?? "",
      sessionId: session,
      answer,
      toolCalls: Object.freeze(ordered.map((call) => showCall(call, timed))),
      ...(waiting !== undefined && { confirmation: showConfirmation(waiting, approvals.get(waiting.toolCallId) ?? "pending") }),
      ...(continues !== undefined && {
        completions: Object.freeze(
          [...completions.values()].map(({ earlier, end: ending, endedMs }) =>
            Object.freeze({ call: completeCall(earlier.call, ending, approvals.get(earlier.call.toolCallId), timed ? endedMs : undefined), startedInRunId: earlier.startedInRunId }),
          ),
        ),
      }),
      ...(phase !== undefined && { terminalPhase: phase }),
      ...(failure !== undefined && { terminalFailure: failure }),
      ended: done,
      observes: sees,
      ...(usage !== undefined && { usage: Object.freeze({ ...usage }) }),
      ...(timed && { durationMs: durationMs ?? moment() }),
      ...(unknown.size > 0 && { unknownEvents: Object.freeze(Array.from(unknown, ([type, times]) => Object.freeze({ type, times }))) }),
    });

  const order = (): ReturnType<typeof causalOrder<ObservedCall>> => causalOrder([...calls.values()], (id) => memory.calls.has(id));

  const glimpse = (): Evidence => {
    const { ordered, orphans } = order();
    return snapshot([...ordered, ...orphans]);
  };

  const finish = (): Evidence => {
    if (foreign !== undefined) throw foreign;
    if (!begun) throw new EntailError("continuation_invalid", `no event of the run ${JSON.stringify(root)}, which should go on, was seen`);
    const { ordered, orphans } = order();
    if (orphans.length > 0) throw orphaned(orphans);
    const evidence = snapshot(ordered);
    rememberPast(evidence, memory);
    return evidence;
  };

  return {
    consume,
    see(seen) {
      sees = readObserves(seen);
    },
    tellTimes(told) {
      if (clock === undefined || told === timed) return;
      timed = told;
      for (const call of calls.values()) call.shown = undefined;
    },
    get done() {
      return done;
    },
    get size() {
      return calls.size;
    },
    finish,
    glimpse,
  };
}

function showConfirmation({ toolCallId, toolName, id, title, prompt, args }: Waiting, state: Approval): Confirmation {
  const { value, json } = showArguments(args);
  return Object.freeze({ toolCallId, toolName, ...(id !== undefined && { id }), ...(title !== undefined && { title }), prompt, args: value, argsJson: json, state });
}

function orphaned(orphans: readonly ObservedCall[]): EntailError {
  const named = orphans.slice(0, 5).map(({ id, name, parent }) => `call ${JSON.stringify(id)} of ${JSON.stringify(name)} has the parent ${JSON.stringify(parent)}`);
  const more = orphans.length > named.length ? `, and ${orphans.length - named.length} more` : "";
  return new EntailError("causal_orphan", `${named.join(", ")}${more}: that call was never seen, or is among its own descendants`);
}
