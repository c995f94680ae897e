// Owns the way from the parts of one run to Entail's events: a step's parts are kept until the step is committed, so that what the
// SDK retracts never becomes evidence.

import type { Bounds, FailureKind } from "../../core/evidence.ts";
import { PROGRESS_EVENTS, type StreamEvent } from "../../core/event.ts";
import { isAbort } from "../../core/thrown.ts";
import { sameJson } from "../../json/write-json.ts";
import { argumentMembers } from "../../message/event-payload.ts";
import { callEvents, type EventBase } from "./call-events.ts";
import { callLedger, type SeenCall } from "./call-ledger.ts";
import { endingOf, type SeenEnd } from "./ending.ts";
import { readPart, type CallPart, type EndPart, type RequestPart, type StreamPart } from "./part.ts";
import { runUsage } from "./usage.ts";
import type { Warnings } from "./warning.ts";

/** A call at which the run before stopped, and what was said to it. */
export interface DecidedCall {
  /** In evidence. */
  readonly id: string;
  readonly rawId: string;
  readonly approvalId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly providerExecuted: boolean;
  readonly approved: boolean;
}

export interface TranslatorOptions {
  readonly base: EventBase;
  readonly bounds?: ((toolName: string, output: unknown) => Bounds | undefined) | undefined;
  readonly failureKind?: ((toolName: string, error: unknown) => FailureKind | undefined) | undefined;
  /** Keeps the texts of committed steps for `end`, where the SDK's own record of them will be known. */
  readonly holdTexts: boolean;
  readonly warnings: Warnings;
  readonly decided?: readonly DecidedCall[] | undefined;
  /** The ids of the calls that the runs before have told. */
  readonly earlier?: readonly string[] | undefined;
}

export interface Translator {
  /** What was decided before the run went on. */
  opening(): StreamEvent[];
  take(part: unknown): StreamEvent[];
  readonly finished: boolean;
  /** What is left to say once the stream has stopped, or has broken. `stepTexts` is the SDK's own record of each step's text. */
  rest(stepTexts?: readonly (string | undefined)[]): StreamEvent[];
  /** The end of the run; nothing where the stream came to none. */
  end(): StreamEvent[];
  calls(): readonly SeenCall[];
}

/** A part of the SDK that happens to have one of these names is no event of Entail's. */
const ENTAIL_EVENTS: ReadonlySet<string> = new Set<StreamEvent["type"]>([
  ...PROGRESS_EVENTS, "tool_start", "tool_end", "assistant_reply", "workflow", "await_confirmation", "tool_authorization", "usage", "run_stream_end",
]);

type Entry =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly call: SeenCall }
  | { readonly kind: "request"; readonly call: SeenCall }
  | { readonly kind: "decision"; readonly call: SeenCall; readonly approved: boolean; readonly reason: string | undefined }
  | { readonly kind: "end"; readonly call: SeenCall; readonly end: EndPart };

export function translator({ base, bounds, failureKind, holdTexts, warnings, decided = [], earlier }: TranslatorOptions): Translator {
  const ledger = callLedger(warnings, earlier);
  const usage = runUsage();
  const say = callEvents({ base, bounds, failureKind });
  /** The arguments of calls, as far as they were streamed. */
  const inputs = new Map<string, string>();
  let entries: Entry[] = [];
  const heldTexts: string[] = [];
  let stepsStarted = 0;
  let end: SeenEnd | undefined;
  let textSaid = false;

  const reply = (text: string): StreamEvent[] => {
    if (text === "") return [];
    textSaid = true;
    return [{ ...base, type: "assistant_reply", text }];
  };

  /** The events of what was kept, in its order; a call that waits for approval is asked for, not started. */
  const commit = (): { readonly events: StreamEvent[]; readonly text: string } => {
    const events: StreamEvent[] = [];
    let text = "";
    for (const entry of entries) {
      switch (entry.kind) {
        case "text":
          text += entry.text;
          if (!holdTexts) events.push(...reply(entry.text));
          break;
        case "call":
          // Where somebody is asked, the start comes with the decision.
          if (entry.call.approval === undefined || entry.call.approval.late) events.push(...say.start(entry.call));
          break;
        case "request":
          events.push(...say.confirmation(entry.call));
          break;
        case "decision":
          events.push(...say.decision(entry.call, entry.approved, entry.reason), ...say.start(entry.call));
          break;
        case "end":
          events.push(...say.start(entry.call), ...say.end(entry.call, entry.end));
          break;
        default:
          entry satisfies never;
      }
    }
    // A policy that was asked and said nothing has not held the call back.
    for (const entry of entries) if (entry.kind === "call" && entry.call.approval?.automatic === true) events.push(...say.start(entry.call));
    entries = [];
    inputs.clear();
    return { events, text };
  };

  const issue = (part: CallPart, id?: string): SeenCall => {
    const written = part.rawId === "" ? undefined : inputs.get(part.rawId);
    inputs.delete(part.rawId);
    const args = argumentMembers(written, part.input, part.invalid !== undefined);
    const { call, repeated } = ledger.issue(part, args, stepsStarted, id);
    if (repeated) warnings.add("call_repeated", `the call ${JSON.stringify(part.rawId)} of ${JSON.stringify(part.toolName)} came twice; it counts once`);
    else entries.push({ kind: "call", call });
    return call;
  };

  /** A call of an earlier run that this one goes on with. A UI message stream does not repeat its name: evidence then has it unnamed. */
  const adopt = (part: EndPart | RequestPart | Extract<StreamPart, { kind: "denied" }>): SeenCall | undefined => {
    if (part.rawId === "") return undefined;
    const providerExecuted = "providerExecuted" in part && part.providerExecuted;
    return issue({ kind: "call", rawId: part.rawId, toolName: part.toolName ?? "", input: "input" in part ? part.input : undefined, providerExecuted });
  };

  const takeEnd = (part: EndPart): StreamEvent[] => {
    const found = ledger.find(part);
    if (found === "ambiguous" || (found === undefined && part.rawId === "")) {
      warnings.add("result_unmatched", `a result of ${JSON.stringify(part.toolName ?? "")} cannot be told to belong to one call; it is not evidence`);
      return [];
    }
    if (found === undefined) {
      const before = ledger.findEnded(part.rawId);
      if (before !== undefined) {
        const same = before.ended?.kind === part.kind && sameJson(before.ended.value, part.value);
        if (!part.preliminary && !same) warnings.add("result_repeated", `the call ${JSON.stringify(part.rawId)} of ${JSON.stringify(before.toolName)} ended a second time, in another way; the first end counts`);
        return [];
      }
    }
    if (part.preliminary) return found === undefined ? [] : [{ ...base, type: "tool_output_delta", toolCallId: found.id, toolName: found.toolName, output: part.value }];
    const call = found ?? adopt(part);
    if (call === undefined) return [];
    if (found === undefined && stepsStarted === 0 && !part.providerExecuted) {
      // Nothing but a granted approval lets a run begin with a result.
      call.approval = { approvalId: "", automatic: false, late: false, state: "approved" };
      entries.push({ kind: "decision", call, approved: true, reason: undefined });
    }
    call.ended = { kind: part.kind, value: part.value };
    entries.push({ kind: "end", call, end: part });
    return [];
  };

  const takeRequest = (part: RequestPart): void => {
    const found = ledger.find(part);
    const call = (found === "ambiguous" ? undefined : found) ?? ledger.findEnded(part.rawId) ?? (found === undefined ? adopt(part) : undefined);
    if (call === undefined) {
      warnings.add("approval_unmatched", `an approval was asked for a call that is not known: ${JSON.stringify(part.rawId)}`);
      return;
    }
    // A request that is told again does not undo what was decided.
    if (part.approvalId !== "" && call.approval?.approvalId === part.approvalId) return;
    call.approval = { approvalId: part.approvalId, reason: part.reason, automatic: part.automatic, late: call.said.start || call.ended !== undefined, state: "pending" };
    if (!part.automatic) entries.push({ kind: "request", call });
  };

  const decide = (call: SeenCall, approved: boolean, reason: string | undefined): void => {
    call.approval ??= { approvalId: "", automatic: false, late: false, state: "pending" };
    call.approval.state = approved ? "approved" : "denied";
    entries.push({ kind: "decision", call, approved, reason });
  };

  const retract = (): void => {
    const kept = new Set(entries.flatMap((entry) => (entry.kind === "end" ? [entry.call] : [])));
    for (const entry of entries) {
      if (entry.kind === "text") warnings.add("text_retracted", "the SDK retracted text of a step; it is not part of the answer");
      if (entry.kind !== "call" || kept.has(entry.call)) continue;
      warnings.add("call_retracted", `the SDK retracted a call of ${JSON.stringify(entry.call.toolName)} that had not been executed`);
      ledger.drop(entry.call);
    }
    // A call that was executed has happened, whatever becomes of the step.
    entries = entries.filter((entry) => entry.kind !== "text" && kept.has(entry.call));
    inputs.clear();
  };

  const read = (part: StreamPart): StreamEvent[] => {
    switch (part.kind) {
      case "text":
        if (part.text !== "") entries.push(part);
        return [];
      case "input_start":
        inputs.set(part.rawId, "");
        return [];
      case "input_delta":
        inputs.set(part.rawId, (inputs.get(part.rawId) ?? "") + part.delta);
        return part.delta === "" ? [] : [{ ...base, type: "tool_call_args_delta", toolCallId: part.rawId, delta: part.delta }];
      case "call":
        issue(part);
        return [];
      case "result":
      case "error":
        return takeEnd(part);
      case "approval_request":
        takeRequest(part);
        return [];
      case "approval_response": {
        const byId = part.rawId === undefined ? undefined : ledger.find({ rawId: part.rawId });
        const call = ledger.findByApproval(part.approvalId) ?? (byId === "ambiguous" ? undefined : byId);
        if (call === undefined) warnings.add("approval_unmatched", `a decision came for an approval that is not known: ${JSON.stringify(part.approvalId)}`);
        else decide(call, part.approved, part.reason);
        return [];
      }
      case "denied": {
        const found = ledger.find(part);
        const call = found === "ambiguous" ? undefined : (found ?? adopt(part));
        if (call === undefined) warnings.add("approval_unmatched", `a call that is not known was denied: ${JSON.stringify(part.rawId)}`);
        else decide(call, false, undefined);
        return [];
      }
      case "step_start": {
        const { events, text } = commit();
        stepsStarted += 1;
        return holdTexts ? [...events, ...reply(text)] : events;
      }
      case "step_end": {
        usage.step(part.usage);
        const { events, text } = commit();
        if (holdTexts) heldTexts.push(text);
        return events;
      }
      case "step_reset":
        retract();
        return [];
      case "finish":
        usage.total(part.usage);
        end ??= { kind: "finished", reason: part.reason, rawReason: part.rawReason };
        return [];
      case "abort":
        end ??= { kind: "aborted", reason: part.reason };
        return [];
      case "failure":
        // An error is not overruled by a finish, before it or after it.
        if (end === undefined || end.kind === "finished") end = isAbort(part.error) ? { kind: "aborted" } : { kind: "failed", error: part.error };
        return [];
      case "unknown":
        warnings.add("part_unknown", `a part of the unknown type ${JSON.stringify(part.type)} was left out`);
        // The collector counts what it does not know, so that evidence shows it too.
        return [{ ...base, type: ENTAIL_EVENTS.has(part.type) ? `ai-sdk:${part.type}` : part.type } as unknown as StreamEvent];
      case "none":
        return [];
      default:
        return part satisfies never;
    }
  };

  for (const { id, approvalId, approved, ...part } of decided) {
    const call = issue({ kind: "call", ...part }, id);
    call.approval = { approvalId, automatic: false, late: false, state: "pending" };
    decide(call, approved, undefined);
  }

  return {
    opening: () => commit().events,
    take: (part) => read(readPart(part)),
    get finished() {
      return end?.kind === "finished";
    },
    rest(stepTexts) {
      const { events, text } = commit();
      heldTexts.forEach((held, step) => {
        const recorded = stepTexts?.[step];
        if (recorded !== undefined && recorded !== held) warnings.add("text_retracted", "the SDK retracted text of a step; it is not part of the answer");
        events.push(...reply(recorded ?? held));
      });
      if (holdTexts) events.push(...reply(text));
      for (const call of ledger.all()) if (call.said.start) events.push(...say.invalid(call));
      const sum = usage.sum();
      if (sum !== undefined) events.push({ ...base, type: "usage", usage: sum });
      return events;
    },
    calls: () => ledger.all(),
    end() {
      const ending = endingOf(end, ledger.all());
      if (ending === undefined) return [];
      if (ending.phase === "completed" && !textSaid && ledger.all().length === 0) warnings.add("answer_empty", "the run completed without a word of answer and without a call");
      const cancellation = ending.phase === "cancelled" ? { cancellation: ending.reason === undefined ? {} : { reason: ending.reason } } : {};
      return [
        { ...base, type: "workflow", phase: ending.phase, ...(ending.failure === undefined ? {} : { failure: ending.failure }), ...cancellation },
        { ...base, type: "run_stream_end" },
      ];
    },
  };
}
