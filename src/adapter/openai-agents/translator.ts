// Owns the way from the parts of one run to Entail's events. What a response asked for is kept until the next one, for the SDK tells only at the
// end of a turn which of its calls wait for approval: such a call is asked for, not started.

import type { Bounds } from "../../core/evidence.ts";
import { PROGRESS_EVENTS, type StreamEvent } from "../../core/event.ts";
import { textMember } from "../../core/member.ts";
import { sameJson } from "../../json/write-json.ts";
import { argumentsOf, callEvents, hostedOutcome, type EventBase } from "./call-events.ts";
import { callLedger, type SeenCall } from "./call-ledger.ts";
import { endingOf } from "./ending.ts";
import { blamedCall, outcomeOf, toolFailure, type CallOutcome, type FailureOptions } from "./failure.ts";
import { isOfModel, readItem, type ApprovalItem, type CallItem, type OutputItem, type RunItem } from "./item.ts";
import { nestedRun } from "./nested.ts";
import type { RunState } from "./run-state.ts";
import { readPart } from "./stream-part.ts";
import type { RunUsage } from "./usage.ts";
import type { Warnings } from "./warning.ts";

/** A handoff from one agent to another: a call like any other, which the SDK carries out itself. */
export interface Handoff {
  readonly toolCallId: string;
  readonly from?: string | undefined;
  readonly to: string;
}

export interface TranslatorOptions extends FailureOptions {
  readonly base: EventBase;
  /** Of a nested agent: the call that started it, and the calls made below it so far. */
  readonly below?: { readonly parent: string; readonly earlier: CallItem[] } | undefined;
  readonly bounds?: ((toolName: string, output: unknown) => Bounds | undefined) | undefined;
  readonly state: RunState;
  readonly usage: RunUsage;
  readonly warnings: Warnings;
  /** Called when something was learnt of a call beside the stream. */
  readonly notify: () => void;
  readonly handoffs: Handoff[];
  /** Requests for approval that were told already, as the SDK holds them. */
  readonly asked: Set<object>;
  /** The ids of calls that were told: those of the runs before that this one goes on with, to which its own are added. */
  readonly told: Set<string>;
}

export interface Translator {
  /** A part of the run's stream. */
  take(part: unknown): StreamEvent[];
  /** An item of a run that was not streamed. */
  takeItem(item: unknown): StreamEvent[];
  /** What was learnt meanwhile of calls that had been told: that they have begun, and what agents below them did. */
  takeNested(): StreamEvent[];
  /** What is left to say once the run has ended, or has broken. */
  rest(thrown?: { readonly error: unknown }): StreamEvent[];
  /** The end of the run; nothing where it came to none. */
  end(thrown?: { readonly error: unknown }): StreamEvent[];
}

/** A part of the SDK that happens to have one of these names is no event of Entail's. */
const ENTAIL_EVENTS: ReadonlySet<string> = new Set<StreamEvent["type"]>([
  ...PROGRESS_EVENTS, "tool_start", "tool_end", "assistant_reply", "workflow", "await_confirmation", "tool_authorization", "usage", "run_stream_end",
]);

type Entry =
  | { readonly kind: "call"; readonly call: SeenCall }
  /** `id` is that of the call in evidence. */
  | { readonly kind: "request"; readonly id: string; readonly asked: ApprovalItem }
  | { readonly kind: "decision"; readonly call: SeenCall; readonly approved: boolean; readonly reason?: string | undefined; readonly by?: string | undefined }
  | { readonly kind: "end"; readonly call: Pick<SeenCall, "id" | "toolName">; readonly started: SeenCall | undefined; readonly outcome: CallOutcome };

export function translator(options: TranslatorOptions): Translator {
  const { base, below, state, usage, warnings, notify, asked } = options;
  const prefix = below === undefined ? "" : `${below.parent}/`;
  const ledger = callLedger(prefix, warnings, options.told);
  const say = callEvents({ base, parent: below?.parent, bounds: options.bounds, told: options.told });
  const nested = new Map<object, Translator>();
  /** Calls of which something was learnt that has not been told. */
  const stirred = new Set<object>();
  let entries: Entry[] = [];
  /** What the model streamed of a message that has not come whole yet. */
  let streamed = "";
  let textSaid = false;
  /** An output of the application's came after the last response. */
  let answered = false;
  let spoken = false;
  /** A model has said or asked for something in this run. */
  let begun = false;
  /** Requests for approval of calls that were never told. */
  let strayRequests = 0;
  /** What the model's own stream said of its last response: whether its dialect is known, and why it stopped. */
  let response: { readonly known: boolean; readonly reason: string | undefined } = { known: false, reason: undefined };

  const reply = (text: string): StreamEvent[] => {
    if (text === "") return [];
    textSaid = true;
    return [{ ...base, type: "assistant_reply", text }];
  };

  const commit = (): StreamEvent[] => {
    const events: StreamEvent[] = [];
    for (const entry of entries) {
      switch (entry.kind) {
        case "call":
          // Where somebody is asked, the start comes with the decision.
          if (entry.call.approval === undefined || entry.call.approval.late) events.push(...say.start(entry.call));
          break;
        case "request":
          events.push(...say.confirmation(entry.id, entry.asked, argumentsOf(entry.asked)));
          break;
        case "decision":
          events.push(...say.decision(entry.call, entry.approved, entry.reason, entry.by), ...say.start(entry.call));
          break;
        case "end":
          if (entry.started !== undefined) events.push(...say.start(entry.started));
          events.push(...say.end(entry.call, entry.outcome));
          break;
        default:
          entry satisfies never;
      }
    }
    entries = [];
    return events;
  };

  const issue = (item: CallItem): SeenCall => {
    const { call, repeated } = ledger.issue(item, argumentsOf(item));
    if (repeated) {
      // A handoff may be told twice: as a call, and as a handoff.
      call.handoff ||= item.handoff;
      if (!item.handoff && call.raw !== item.raw) warnings.add("call_repeated", `the call ${JSON.stringify(item.rawId)} of ${JSON.stringify(item.toolName)} came twice; it counts once`);
      return call;
    }
    below?.earlier.push(item);
    entries.push({ kind: "call", call });
    if (item.approvalId !== undefined) decide(call, true);
    if (item.end !== undefined) finish(call, hostedOutcome(item.end), item.raw);
    listen(item.raw);
    return call;
  };

  const listen = (raw: object): void => {
    const run = nestedRun(raw);
    run.notify = () => {
      stirred.add(raw);
      notify();
    };
    if (run.begun || run.events.length > 0) stirred.add(raw);
  };

  const decide = (call: SeenCall, approved: boolean, reason?: string, by?: string): void => {
    call.approval ??= { late: false, state: "pending" };
    call.approval.state = approved ? "approved" : "denied";
    entries.push({ kind: "decision", call, approved, reason, by });
  };

  const finish = (call: SeenCall, outcome: CallOutcome, shown: unknown): void => {
    if (outcome.kind === "denied") decide(call, false, outcome.reason);
    call.ended = { shown };
    entries.push({ kind: "end", call, started: call, outcome });
  };

  /** A call of the runs before an approval, as their items have it. */
  const earlier = (rawId: string): CallItem | undefined => {
    const known = below?.earlier ?? state.items().map(readItem);
    return known.findLast((item): item is CallItem => item.kind === "call" && item.rawId === rawId && rawId !== "");
  };

  const refused = (toolName: string, rawId: string) => (text: string): boolean => state.approved(toolName, rawId) === false || state.refusedByGuardrail(text);

  const takeOutput = (item: OutputItem): void => {
    const found = ledger.find(item.rawId, item.toolName);
    if (found === "ambiguous" || (found === undefined && item.rawId === "")) {
      warnings.add("result_unmatched", `a result of ${JSON.stringify(item.toolName ?? "")} cannot be told to belong to one call; it is not evidence`);
      return;
    }
    const before = found === undefined ? ledger.findEnded(item.rawId) : undefined;
    if (before !== undefined) {
      if (!sameJson(before.ended?.shown, item.shown)) warnings.add("result_repeated", `the call ${JSON.stringify(item.rawId)} of ${JSON.stringify(before.toolName)} ended a second time, in another way; the first end counts`);
      return;
    }
    if (found === undefined) return takeLateOutput(item);
    finish(found, outcomeOf(item, found, refused(found.toolName, found.rawId), options), item.shown);
    const to = item.handedTo ?? found.toolName.replace(/^transfer_to_/, "");
    if (found.handoff) options.handoffs.push({ toolCallId: found.id, to, ...(item.handedFrom === undefined ? {} : { from: item.handedFrom }) });
  };

  /** The result of a call that this run did not tell: an earlier run stopped at it, for somebody to be asked, or its start is missing. */
  const takeLateOutput = (item: OutputItem): void => {
    const known = earlier(item.rawId);
    const toolName = known?.toolName ?? item.toolName ?? "";
    const call: CallItem = known ?? { kind: "call", rawId: item.rawId, toolName, arguments: { value: undefined }, raw: {}, agent: undefined, handoff: false, providerExecuted: item.providerExecuted };
    const outcome = outcomeOf(item, call, refused(toolName, item.rawId), options);
    // Nothing but a granted approval lets a run begin with a result.
    const approved = state.known ? state.approved(toolName, item.rawId) : !begun && !item.providerExecuted ? true : undefined;
    if (state.known && approved === undefined && outcome.kind !== "denied") {
      // It had been started: an agent below it was stopped by such a question.
      entries.push({ kind: "end", call: { id: prefix + item.rawId, toolName }, started: undefined, outcome });
      return;
    }
    const seen = issue(call);
    if (outcome.kind !== "denied" && approved === true) decide(seen, true);
    finish(seen, outcome, item.shown);
  };

  const takeRequest = (item: ApprovalItem): void => {
    if (asked.has(item.raw)) return;
    asked.add(item.raw);
    const byId = ledger.findRaw(item.raw) ?? ledger.find(item.rawId, item.toolName) ?? ledger.findEnded(item.rawId);
    if (byId === "ambiguous") {
      warnings.add("approval_unmatched", `an approval was asked for a call that cannot be told from another: ${JSON.stringify(item.rawId)}`);
      return;
    }
    // The same id under another name is a call of another agent's.
    const found = byId?.toolName === item.toolName ? byId : undefined;
    if (found !== undefined) found.approval = { late: found.said.start || found.ended !== undefined, state: "pending" };
    else strayRequests += 1;
    const stray = item.rawId === "" || byId !== undefined ? `made-up:${prefix}request:${strayRequests}` : prefix + item.rawId;
    entries.push({ kind: "request", id: found?.id ?? stray, asked: item });
  };

  const takeItem = (item: RunItem): StreamEvent[] => {
    const events: StreamEvent[] = [];
    if (isOfModel(item) && answered) {
      events.push(...commit());
      answered = false;
    }
    begun ||= item.kind === "message" || item.kind === "call";
    switch (item.kind) {
      case "message":
        streamed = "";
        spoken = item.text !== "";
        return [...events, ...reply(item.text)];
      case "call":
        issue(item);
        break;
      case "output":
        answered ||= !item.providerExecuted;
        spoken = false;
        takeOutput(item);
        break;
      case "approval":
        takeRequest(item);
        break;
      case "none":
        break;
      case "unknown":
        events.push(unknown(item.type));
        break;
      default:
        item satisfies never;
    }
    return events;
  };

  const unknown = (type: string): StreamEvent => {
    warnings.add("part_unknown", `a part of the unknown type ${JSON.stringify(type)} was left out`);
    // The collector counts what it does not know, so that evidence shows it too.
    return { ...base, type: ENTAIL_EVENTS.has(type) ? `openai-agents:${type}` : type } as unknown as StreamEvent;
  };

  const takeNested = (): StreamEvent[] => {
    const events: StreamEvent[] = [];
    for (const raw of stirred) {
      stirred.delete(raw);
      const call = ledger.findRaw(raw);
      // A call of an earlier run, below which an agent goes on, has no start in this one.
      const id = call?.id ?? prefix + rawIdOf(raw);
      const run = nestedRun(raw);
      // What has begun, or streams, has been started.
      if (call !== undefined) events.push(...say.start(call));
      if (run.events.length === 0) continue;
      const inner = nested.get(raw) ?? translator({ ...options, base: { ...base, runId: `${base.runId}/${id}` }, below: { parent: id, earlier: run.calls } });
      nested.set(raw, inner);
      for (const event of run.events.splice(0)) events.push(...inner.take(event));
    }
    for (const inner of nested.values()) events.push(...inner.takeNested());
    return events;
  };

  /** What the model had asked for last, where the run broke before it told: the SDK drops what it had not handed out yet. */
  const takeUntold = (): StreamEvent[] =>
    state.lastResponse().flatMap((raw) => {
      const item = readItem({ type: "tool_call_item", rawItem: raw });
      if (textMember(raw, "type") !== "function_call" || item.kind !== "call") return [];
      const known = ledger.findRaw(item.raw) ?? ledger.find(item.rawId, item.toolName) ?? ledger.findEnded(item.rawId);
      return known === undefined ? takeItem(item) : [];
    });

  /** What the error of a run says of its calls. */
  const blame = (error: unknown): void => {
    const blamed = blamedCall(error);
    if (blamed === undefined) return;
    const open = ledger.all().filter((call) => call.ended === undefined && !call.providerExecuted);
    const meant = open.filter((call) => (blamed.raw === undefined || call.raw === blamed.raw) && (blamed.toolName === undefined || call.toolName === blamed.toolName));
    const [call] = meant;
    // Of several that could be meant nobody knows which it was.
    if (call === undefined || meant.length > 1) return;
    if (blamed.refused) decide(call, false, undefined, "guardrail");
    else finish(call, { kind: "failure", failure: toolFailure(call.toolName, blamed.error, options) }, undefined);
  };

  if (below === undefined) for (const item of state.items().map(readItem)) if (item.kind === "call") listen(item.raw);

  const self: Translator = {
    take(event) {
      const events = takeNested();
      const part = readPart(event);
      switch (part.kind) {
        case "item":
          return [...events, ...takeItem(readItem(part.item)), ...takeNested()];
        case "response_start":
          response = { known: false, reason: undefined };
          streamed = "";
          answered = false;
          return [...events, ...commit()];
        case "text":
          streamed += part.text;
          return events;
        case "model":
          response = { known: response.known || part.known, reason: part.reason ?? response.reason };
          return events;
        case "response_end":
          usage.response(part.usage);
          return events;
        case "none":
          return events;
        case "unknown":
          return [...events, unknown(part.type)];
        default:
          return part satisfies never;
      }
    },
    takeItem: (item) => takeItem(readItem(item)),
    takeNested,
    rest(thrown) {
      const events = takeNested();
      if (below === undefined && (thrown !== undefined || state.cancelled)) events.push(...takeUntold());
      if (thrown !== undefined) blame(thrown.error);
      if (below === undefined) for (const one of state.interruptions()) events.push(...takeItem(readItem(one)));
      events.push(...commit());
      for (const inner of nested.values()) events.push(...inner.rest());
      events.push(...reply(streamed));
      streamed = "";
      if (below !== undefined) return events;
      if (thrown === undefined && !state.cancelled && state.interruptions().length === 0 && !spoken) events.push(...reply(state.finalText() ?? ""));
      const sum = usage.sum();
      return sum === undefined ? events : [...events, { ...base, type: "usage", usage: sum }];
    },
    end(thrown) {
      const waits = strayRequests > 0 || state.interruptions().length > 0 || ledger.all().some((call) => call.approval?.state === "pending");
      const open = ledger.all().some((call) => call.ended === undefined && !call.providerExecuted);
      const reason = response.known ? (response.reason ?? "broken") : undefined;
      const ending = endingOf({ thrown, waits, open, spoken, reason }, state);
      if (ending === undefined) return [];
      if (ending.phase === "completed" && !textSaid && ledger.all().length === 0) warnings.add("answer_empty", "the run completed without a word of answer and without a call");
      const cancellation = ending.phase === "cancelled" ? { cancellation: ending.reason === undefined ? {} : { reason: ending.reason } } : {};
      return [
        { ...base, type: "workflow", phase: ending.phase, ...(ending.failure === undefined ? {} : { failure: ending.failure }), ...cancellation },
        { ...base, type: "run_stream_end" },
      ];
    },
  };
  return self;
}

/** The id of a call as the SDK holds it. */
function rawIdOf(raw: object): string {
  return textMember(raw, "callId") ?? textMember(raw, "id") ?? "";
}
