// Owns the way from the events of one run to Entail's. The end of a call's arguments is not the end of the call; a call is told once nothing can
// ask for it any more, and its end and the answer are told at the run's end, for a snapshot may still change them.

import { decisionIn } from "../../core/decision.ts";
import { PROGRESS_EVENTS, type StreamEvent } from "../../core/event.ts";
import type { RunFailure, TerminalPhase } from "../../core/evidence.ts";
import { addUsage, type Usage } from "../../core/usage.ts";
import { wireSafe } from "../../core/wire-safe.ts";
import { createCallBook, type CallEnd, type SeenCall } from "./call-book.ts";
import { callEvents, type CallEventsOptions, type EventBase } from "./call-events.ts";
import { readEvent, type AgUiEvent, type Interrupt } from "./event.ts";
import { ownMessages, type AgUiMessage, type ReadMessage } from "./message.ts";
import type { Asked, Left } from "./thread.ts";
import { createTranscript } from "./transcript.ts";
import type { Warnings } from "./warning.ts";

/** An answer to an interrupt, as AG-UI sends it. */
export interface ResumeEntry {
  readonly interruptId: string;
  readonly status: "resolved" | "cancelled";
  readonly payload?: unknown;
}

export interface TranslatorOptions extends Pick<CallEventsOptions, "bounds" | "failureKind"> {
  readonly base: () => EventBase;
  /** The tools that the application runs itself; `undefined` where that is not known. */
  readonly frontendTools: ReadonlySet<string> | undefined;
  readonly asked: readonly Asked[];
  /** What the run before left, where this one goes on with it. */
  readonly before?: Pick<Left, "open" | "told"> | undefined;
  readonly resume: readonly ResumeEntry[];
  readonly decision?: ((entry: ResumeEntry, call: { readonly toolName: string }) => boolean | undefined) | undefined;
  readonly warnings: Warnings;
}

export type Finish = Extract<AgUiEvent, { kind: "run_finished" | "run_error" }>;

export interface Translator {
  /** What was decided before the run went on. */
  opening(): StreamEvent[];
  /** Another request of the same run begins, with these messages. */
  sent(messages: readonly ReadMessage[]): void;
  take(event: unknown): StreamEvent[];
  /** How the source said that its run ended. */
  readonly finish: Finish | undefined;
  readonly interrupts: readonly Interrupt[];
  /** The calls that the application has to answer before the run can go on. */
  pending(): readonly SeenCall[];
  /** The application's own answer to a call. */
  answer(call: SeenCall, end: CallEnd): void;
  conversation(sent: readonly AgUiMessage[]): readonly AgUiMessage[];
  /** What is left to say once the stream has stopped; `broken` where nobody knows what was still to come. */
  rest(broken: boolean): StreamEvent[];
  /** The end of the run; nothing where its source came to none. */
  end(): StreamEvent[];
  left(sent: readonly AgUiMessage[]): Left;
}

/** An event of AG-UI that happens to have one of these names is no event of Entail's. */
const ENTAIL_EVENTS: ReadonlySet<string> = new Set<StreamEvent["type"]>([
  ...PROGRESS_EVENTS, "tool_start", "tool_end", "assistant_reply", "workflow", "await_confirmation", "tool_authorization", "usage", "run_stream_end",
]);

export function translator(options: TranslatorOptions): Translator {
  const { frontendTools, resume, decision, bounds, failureKind, warnings } = options;
  const book = createCallBook(warnings, options.before?.told);
  const transcript = createTranscript(warnings);
  const subagents = new Map<string, { readonly parentSubagent: string; readonly parentCall: string }>();
  const custom: Interrupt[] = [];
  let before: readonly ReadMessage[] = [];
  let asked: readonly Asked[] = [];
  let finish: Finish | undefined;
  let usage: Usage | undefined;
  let told = 0;
  let lastCall: SeenCall | undefined;

  const of = (subagent: string): EventBase => {
    const base = options.base();
    return subagent === "" ? base : { ...base, runId: `${base.runId}/${subagent}` };
  };

  /** The call that runs a subagent, or the one around it. */
  const runs = (subagent: string): SeenCall | undefined => {
    const seen = new Set<string>();
    for (let at = subagent; at !== "" && !seen.has(at); ) {
      seen.add(at);
      const started = subagents.get(at);
      const call = started === undefined || started.parentCall === "" ? undefined : book.byId(started.parentCall);
      if (call !== undefined) return call;
      at = started?.parentSubagent ?? "";
    }
    return undefined;
  };
  // What began later can have caused nothing.
  const parentOf = (call: SeenCall): SeenCall | undefined => {
    const parent = runs(call.subagent);
    return parent !== undefined && parent.order < call.order ? parent : undefined;
  };
  const say = callEvents({ of, parentOf, bounds, failureKind });
  /** Starts are told in the order in which the calls were issued, as far as each of them has ended: what has not may still be asked for. */
  const tellStarts = (): StreamEvent[] => {
    const events: StreamEvent[] = [];
    const calls = book.all();
    for (let call = calls[told]; call !== undefined && (call.end !== undefined || call.said.start); call = calls[++told]) events.push(...say.start(call));
    return events;
  };

  const writeArgs = (call: SeenCall, delta: string): StreamEvent[] => {
    call.text += delta;
    return delta === "" ? [] : [{ ...of(call.subagent), type: "tool_call_args_delta", toolCallId: call.id, toolName: call.toolName, delta }];
  };

  const takeResult = ({ rawId, messageId, content, subagent }: Extract<AgUiEvent, { kind: "call_result" }>): StreamEvent[] => {
    const call = book.of(rawId, subagent);
    if (call === undefined) {
      warnings.add("result_unmatched", "a result without a call's id cannot be told to belong to one call; it is not evidence");
      return [];
    }
    book.end(call, { kind: "result", content }, messageId);
    transcript.call(call);
    transcript.result(call);
    return tellStarts();
  };

  const takeSnapshot = (messages: readonly ReadMessage[], raw: readonly unknown[]): StreamEvent[] => {
    const own = ownMessages(messages, before);
    for (const message of own) {
      for (const { rawId, toolName, text } of message.calls) {
        const known = rawId === "" ? undefined : book.byId(rawId);
        const call = known ?? book.begin(rawId, toolName, message.subagent, message.id);
        if (call.toolName === "") call.toolName = toolName;
        if (call.text === "") call.text = text;
        call.issued = true;
      }
      if (message.role !== "tool") continue;
      const call = book.byId(message.toolCallId);
      if (call !== undefined) book.end(call, message.error === undefined ? { kind: "result", content: message.content } : { kind: "failure", message: message.error, content: message.content }, message.id);
    }
    transcript.replace(own, raw);
    return tellStarts();
  };

  const read = (event: AgUiEvent): StreamEvent[] => {
    switch (event.kind) {
      case "run_started":
        if (event.sent !== undefined && before.length === 0) before = event.sent;
        return [];
      case "run_finished":
      case "run_error":
        usage = addUsage(usage, event.usage);
        // Nothing is read after it, so an error is never overruled by an end.
        finish = event;
        return [];
      case "text_start":
        transcript.begin(event.messageId, event.role, event.subagent);
        return [];
      case "text":
        transcript.add(event.messageId, event.delta, event.subagent);
        return [];
      case "text_end":
        transcript.close(event.messageId);
        return [];
      case "text_chunk":
        if (event.messageId !== undefined) transcript.begin(event.messageId, event.role, event.subagent);
        transcript.add(event.messageId, event.delta, event.subagent);
        return [];
      case "call_start": {
        const call = book.begin(event.rawId, event.toolName, event.subagent, event.messageId);
        transcript.call(call);
        return [];
      }
      case "call_args": {
        const call = book.of(event.rawId, event.subagent);
        return call === undefined ? [] : writeArgs(call, event.delta);
      }
      case "call_end": {
        const call = book.of(event.rawId, event.subagent);
        if (call !== undefined) call.issued = true;
        return [];
      }
      case "call_chunk": {
        const goesOn = event.rawId === undefined || event.rawId === lastCall?.rawId;
        const call = goesOn ? lastCall : (book.byId(event.rawId) ?? book.begin(event.rawId, event.toolName, event.subagent, event.messageId));
        if (call === undefined) return [];
        lastCall = call;
        // Chunks have no end of their own.
        call.issued = true;
        transcript.call(call);
        return writeArgs(call, event.delta);
      }
      case "call_result":
        return takeResult(event);
      case "snapshot":
        return takeSnapshot(event.messages, event.raw);
      case "reasoning":
        return event.delta === "" ? [] : [{ ...of(event.subagent), type: "planner_thought", text: event.delta }];
      case "subagent_started":
        subagents.set(event.id, event);
        return [{ ...options.base(), type: "child_run_linked", childRunId: of(event.id).runId, name: event.name, parentToolCallId: runs(event.id)?.id }];
      case "interrupt":
        custom.push(event.interrupt);
        return [];
      case "unknown":
        warnings.add("event_unknown", `an event of the unknown type ${JSON.stringify(event.type)} was left out`);
        // The collector counts what it does not know, so that evidence shows it too.
        return [{ ...options.base(), type: ENTAIL_EVENTS.has(event.type) ? `ag-ui:${event.type}` : event.type } as unknown as StreamEvent];
      case "none":
        return [];
      default:
        return event satisfies never;
    }
  };

  const interruptsOf = (): readonly Interrupt[] => [...(finish?.kind === "run_finished" ? finish.interrupts : []), ...custom];

  /** Before AG-UI had interrupts, none named its call: it is the one that nothing has ended. */
  const onlyOpenCall = (interrupt: Interrupt): SeenCall | undefined => {
    const open = custom.includes(interrupt) ? book.all().filter(({ end, subagent }) => end === undefined && subagent === "") : [];
    return open.length === 1 ? open[0] : undefined;
  };

  /** Calls without an end that are the application's to answer: those that the source names, or those of tools that are not known to be the agent's own. */
  const pending = (): readonly SeenCall[] => {
    if (finish?.kind !== "run_finished" || finish.outcome !== "success") return [];
    const named = new Set(finish.pending);
    return book.all().filter((call) => call.end === undefined && call.approval !== "denied" && call.subagent === "" && (named.size > 0 ? named.has(call.rawId) : (frontendTools?.has(call.toolName) ?? true)));
  };

  const phase = (): { readonly phase: TerminalPhase; readonly failure?: RunFailure } | undefined => {
    if (finish === undefined) return undefined;
    if (finish.kind === "run_error") return { phase: "failed", failure: { message: finish.message === "" ? "the run failed without saying why" : finish.message, ...(finish.code === undefined ? {} : { code: finish.code }) } };
    switch (finish.outcome) {
      case "success":
        return { phase: custom.length > 0 || pending().length > 0 ? "suspended" : "completed" };
      case "interrupt":
        return { phase: "suspended" };
      case "cancelled":
        return { phase: "cancelled" };
      default:
        // Never taken for an end that went well.
        return { phase: "failed", failure: { message: `the run ended in a way that AG-UI does not know: ${finish.outcome}`, kind: "other", code: finish.outcome } };
    }
  };

  return {
    opening() {
      const events: StreamEvent[] = [];
      for (const one of options.before?.open ?? []) {
        const call = book.adopt(one);
        call.said.start = true;
        transcript.earlier(call);
      }
      for (const one of options.asked) {
        const entry = resume.find(({ interruptId }) => interruptId === one.interruptId);
        if (entry === undefined) continue;
        const said = decision?.(entry, one) ?? (entry.status === "cancelled" ? false : entry.payload === undefined ? true : decisionIn(entry.payload));
        if (said === undefined) continue;
        one.state = said ? "approved" : "denied";
        const call = book.adopt(one);
        call.approval = one.state;
        transcript.earlier(call);
        events.push(say.decision(call, said), ...say.start(call));
      }
      return events;
    },
    sent(messages) {
      before = messages;
      finish = undefined;
      custom.length = 0;
    },
    take: (event) => read(readEvent(event)),
    get finish() {
      return finish;
    },
    get interrupts() {
      return interruptsOf();
    },
    pending,
    answer(call, end) {
      book.end(call, end, "");
      transcript.result(call);
    },
    conversation: (sent) => transcript.conversation(sent),
    rest(broken) {
      const events: StreamEvent[] = [];
      const waiting = new Map<SeenCall, Interrupt>();
      for (const interrupt of interruptsOf()) {
        const call = interrupt.toolCallId === "" ? onlyOpenCall(interrupt) : book.byId(interrupt.toolCallId);
        if (call !== undefined) waiting.set(call, interrupt);
        else events.push({ ...options.base(), type: "await_clarification", id: interrupt.id, prompt: interrupt.message ?? interrupt.reason, value: wireSafe(interrupt.value) ?? null });
        if (call === undefined && interrupt.toolCallId !== "") warnings.add("interrupt_unmatched", `somebody is asked about the call ${JSON.stringify(interrupt.toolCallId)}, which the run has not told`);
      }
      const running = new Set(book.all().map(parentOf));
      for (const call of book.all()) {
        const interrupt = waiting.get(call);
        // What was cut in the middle of its arguments was never issued. A call that runs a subagent has begun, whatever it asks now.
        if (broken && !call.issued && call.end === undefined && !running.has(call)) continue;
        if (interrupt === undefined || call.end !== undefined || running.has(call)) events.push(...say.start(call));
        if (interrupt !== undefined) events.push(say.confirmation(call, interrupt));
      }
      for (const call of book.all()) events.push(...say.end(call));
      asked = [...waiting].filter(([{ end }]) => end === undefined).map(([{ id, rawId, toolName, text }, interrupt]) => ({ id, rawId, toolName, text, interruptId: interrupt.id, state: "pending" }));
      if (usage !== undefined) events.push({ ...options.base(), type: "usage", usage });
      const answer = transcript.answer();
      if (answer !== "") events.push({ ...options.base(), type: "assistant_reply", text: answer });
      return events;
    },
    end() {
      const ended = phase();
      if (ended === undefined) return [];
      if (ended.phase === "completed" && transcript.answer() === "" && book.all().length === 0) warnings.add("answer_empty", "the run completed without a word of answer and without a call");
      return [{ ...options.base(), type: "workflow", ...ended, ...(ended.phase === "cancelled" ? { cancellation: {} } : {}) }, { ...options.base(), type: "run_stream_end" }];
    },
    left: (sent) => ({
      messages: transcript.conversation(sent),
      asked,
      open: book.all().filter(({ end, said, approval, subagent }) => said.start && end === undefined && approval !== "denied" && subagent === "").map(({ id, rawId, toolName, text }) => ({ id, rawId, toolName, text })),
      told: [...new Set([...(options.before?.told ?? []), ...book.all().filter(({ said }) => said.start).map(({ id }) => id)])],
      interrupts: interruptsOf(),
    }),
  };
}
