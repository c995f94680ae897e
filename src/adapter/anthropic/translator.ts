// Owns the way from the parts of one run that talks to the Messages API to Entail's events: messages put together from their pieces, calls of the
// application's tools and of the API's own, and the results that the application sends back.

import { TERMINAL_PHASES, type Bounds } from "../../core/evidence.ts";
import { PROGRESS_EVENTS, type StreamEvent } from "../../core/event.ts";
import { flagMember, member, namesOf, recordMember, textMember } from "../../core/member.ts";
import { sameJson } from "../../json/write-json.ts";
import { argumentMembers, type ArgumentMembers } from "../../message/event-payload.ts";
import { assembly, type Assembly } from "./assembly.ts";
import { callEvents, type CallOutcome, type EventBase } from "./call-events.ts";
import { callLedger, type SeenCall } from "./call-ledger.ts";
import { endingOf, type SaidEnd } from "./ending.ts";
import { failedResult, serverFailure, type FailureOptions } from "./failure.ts";
import { readPart, SAID, type Part, type ResultPart } from "./part.ts";
import { laterUsage, runUsage } from "./usage.ts";
import type { Warnings } from "./warning.ts";

export interface TranslatorOptions extends FailureOptions {
  readonly base: EventBase;
  readonly bounds?: ((toolName: string, output: unknown) => Bounds | undefined) | undefined;
  /** True where the application says who may make which call: a call is then told only when it is known to be made. */
  readonly approvals: boolean;
  readonly warnings: Warnings;
}

export interface Translator {
  take(part: unknown): StreamEvent[];
  /** A call of the run before, as a block of the API, that this one decides. */
  earlier(block: object, inputText: string): StreamEvent[];
  /** The call of that id is being made. */
  begin(rawId: string): StreamEvent[];
  /** How the tool of the application ended, in its own terms. The result block that follows says it again. */
  settle(rawId: string, outcome: CallOutcome): StreamEvent[];
  /** What is left to say once the run has ended, or has broken. */
  rest(): StreamEvent[];
  /** The end of the run; nothing where it came to none. */
  end(thrown?: { readonly error: unknown }): StreamEvent[];
  /** The id in evidence of the open call of that id. */
  idOf(rawId: string): string;
}

/** A part that happens to have one of these names is no event of Entail's. */
const ENTAIL_EVENTS: ReadonlySet<string> = new Set<StreamEvent["type"]>([
  ...PROGRESS_EVENTS, ...SAID, "tool_start", "tool_end", "assistant_reply", "usage", "run_stream_end",
]);

/** Blocks that are known, and of no weight as evidence. */
const WEIGHTLESS: ReadonlySet<string> = new Set(["thinking", "redacted_thinking", "container_upload", "compaction", "fallback", "image", "document", "search_result", "tool_reference"]);

type Entry =
  | { readonly kind: "call"; readonly call: SeenCall }
  | { readonly kind: "request"; readonly call: SeenCall; readonly prompt: string | undefined }
  | { readonly kind: "decision"; readonly call: SeenCall; readonly approved: boolean; readonly summary: string | undefined; readonly by: string | undefined }
  | { readonly kind: "end"; readonly call: SeenCall; readonly outcome: CallOutcome };

interface OpenMessage {
  readonly blocks: Assembly;
  usage: object | undefined;
  usageWhole: boolean;
  stopReason: string | undefined;
}

export function translator(options: TranslatorOptions): Translator {
  const { base, bounds, approvals, warnings } = options;
  const ledger = callLedger(warnings);
  const usage = runUsage();
  const say = callEvents(base, bounds);
  let entries: Entry[] = [];
  let message: OpenMessage | undefined;
  let messages = 0;
  let stop: { readonly reason: string | undefined; readonly detail: string | undefined } = { reason: undefined, detail: undefined };
  let failed: { readonly error: unknown } | undefined;
  let saidEnd: SaidEnd | undefined;
  let textSaid = false;
  /** Questions about calls that were never told. */
  const strayRequests = new Set<string>();

  const reply = (text: string | undefined): StreamEvent[] => {
    if (text === undefined || text === "") return [];
    textSaid = true;
    return [{ ...base, type: "assistant_reply", text }];
  };

  /** True for a call of which nobody knows yet whether somebody will be asked about it. */
  const isHeld = (call: SeenCall): boolean => approvals && !call.providerExecuted && call.approval === undefined && call.ended === undefined && !call.said.start;

  /** The events of what was kept, in its order; a call that waits for approval is asked for, not started. */
  const commit = (all = false): StreamEvent[] => {
    const events: StreamEvent[] = [];
    const kept: Entry[] = [];
    for (const entry of entries) {
      if (!all && isHeld(entry.call)) {
        kept.push(entry);
        continue;
      }
      switch (entry.kind) {
        case "call":
          // Where somebody is asked, the start comes with the decision.
          if (entry.call.approval === undefined || entry.call.approval.late) events.push(...say.start(entry.call));
          break;
        case "request":
          events.push(...say.confirmation(entry.call, entry.prompt));
          break;
        case "decision":
          events.push(...say.decision(entry.call, entry.approved, entry.summary, entry.by), ...say.start(entry.call));
          break;
        case "end":
          events.push(...say.start(entry.call), ...say.end(entry.call, entry.outcome));
          break;
        default:
          entry satisfies never;
      }
    }
    entries = kept;
    return events;
  };

  const argumentsOf = (block: unknown, inputText: string | undefined): ArgumentMembers => {
    if (inputText !== undefined && inputText.trim() !== "") return { argsJson: inputText };
    return argumentMembers(undefined, member(block, "input") ?? {}, false);
  };

  const issue = (block: unknown, inputText: string | undefined): void => {
    const rawId = textMember(block, "id") ?? "";
    const toolName = textMember(block, "name") ?? "";
    const providerExecuted = textMember(block, "type") !== "tool_use";
    const { call, repeated } = ledger.issue({ rawId, toolName, arguments: argumentsOf(block, inputText), providerExecuted, callerId: textMember(member(block, "caller"), "tool_id") }, messages);
    if (repeated) warnings.add("call_repeated", `the call ${JSON.stringify(rawId)} of ${JSON.stringify(toolName)} came twice; it counts once`);
    else entries.push({ kind: "call", call });
  };

  const finish = (call: SeenCall, outcome: CallOutcome, by: unknown, settled = false): void => {
    call.ended = { by, settled };
    // The answer to a call that was refused is no result of its tool.
    if (call.approval?.state !== "denied") entries.push({ kind: "end", call, outcome });
  };

  /** The call that a result ends. One that nobody knows is a call of an earlier run, or one whose start is missing. */
  const ended = (rawId: string, by: unknown): SeenCall | undefined => {
    const found = ledger.find(rawId);
    const before = found === undefined ? ledger.findEnded(rawId) : undefined;
    if (before !== undefined) {
      if (before.ended?.settled === false && !sameJson(before.ended.by, by)) warnings.add("result_repeated", `the call ${JSON.stringify(rawId)} of ${JSON.stringify(before.toolName)} ended a second time, in another way; the first end counts`);
      return undefined;
    }
    if (found === "ambiguous" || rawId === "") {
      warnings.add("result_unmatched", `a result of the call ${JSON.stringify(rawId)} cannot be told to belong to one call; it is not evidence`);
      return undefined;
    }
    if (found !== undefined) return found;
    const { call } = ledger.issue({ rawId, toolName: "", arguments: argumentMembers(undefined, undefined, false), providerExecuted: false }, messages);
    // The run before this one started it; only in the middle of a run is its start missing.
    if (messages === 0) call.said.start = true;
    else {
      warnings.add("result_unmatched", `a result came for the call ${JSON.stringify(rawId)}, which was never told; nobody knows of which tool it is`);
      entries.push({ kind: "call", call });
    }
    return call;
  };

  const takeResult = ({ rawId, content, isError }: ResultPart): void => {
    const by = { content, isError };
    const call = ended(rawId, by);
    if (call === undefined) return;
    finish(call, isError ? { kind: "failure", failure: failedResult(call.toolName, content, options) } : { kind: "shown", content }, by);
  };

  /** A block that has come whole. Texts of a streamed one were said as they came. */
  const takeBlock = (block: unknown, inputText: string | undefined, streamed: boolean): StreamEvent[] => {
    const type = textMember(block, "type") ?? "";
    if (type === "text") return streamed ? [] : reply(textMember(block, "text"));
    if (type.endsWith("tool_use")) issue(block, inputText);
    else if (type === "tool_result") takeResult({ kind: "tool_result", rawId: textMember(block, "tool_use_id") ?? "", content: member(block, "content"), isError: flagMember(block, "is_error") });
    else if (type.endsWith("tool_result")) {
      const content = member(block, "content");
      const call = ended(textMember(block, "tool_use_id") ?? "", { content });
      const failure = serverFailure(block);
      if (call !== undefined) finish(call, failure === undefined ? { kind: "shown", content } : { kind: "failure", failure }, { content });
    } else if (!WEIGHTLESS.has(type)) return [unknown(type === "" ? "a block without a type" : type)];
    return [];
  };

  const unknown = (type: string): StreamEvent => {
    warnings.add("part_unknown", `a part of the unknown type ${JSON.stringify(type)} was left out`);
    // The collector counts what it does not know, so that evidence shows it too.
    return { ...base, type: ENTAIL_EVENTS.has(type) ? `anthropic:${type}` : type } as unknown as StreamEvent;
  };

  const open = (told: unknown): OpenMessage => {
    stop = { reason: undefined, detail: undefined };
    return { blocks: assembly(), usage: laterUsage(undefined, told), usageWhole: false, stopReason: undefined };
  };

  /** The last of a message: its usage is counted once, whether it came to its end or not. */
  const close = (): void => {
    if (message === undefined) return;
    usage.message(message.usage, message.usageWhole);
    messages += 1;
    message = undefined;
  };

  const takeSaid = (event: object): StreamEvent[] => {
    const type = textMember(event, "type");
    if (type === "workflow") {
      const phase = TERMINAL_PHASES.find((one) => one === textMember(event, "phase"));
      if (phase !== undefined) saidEnd = { phase, failure: recordMember(event, "failure") };
      return [];
    }
    const rawId = textMember(event, "toolCallId") ?? "";
    const found = ledger.find(rawId);
    const call = found === "ambiguous" ? undefined : (found ?? ledger.findEnded(rawId));
    // Of a call of an earlier run, or of one that was never told, the event says itself all that is known.
    if (call === undefined) {
      if (type === "await_confirmation") strayRequests.add(rawId);
      else strayRequests.delete(rawId);
      return [{ ...base, ...ownMembers(event) } as unknown as StreamEvent];
    }
    if (type === "await_confirmation") {
      call.approval = { late: call.said.start || call.ended !== undefined, state: "pending" };
      entries.push({ kind: "request", call, prompt: textMember(event, "prompt") });
    } else {
      const approved = flagMember(event, "approved");
      call.approval ??= { late: call.said.start, state: "pending" };
      call.approval.state = approved ? "approved" : "denied";
      entries.push({ kind: "decision", call, approved, summary: textMember(event, "summary"), by: textMember(event, "approvedBy") });
    }
    return [];
  };

  const read = (part: Part): StreamEvent[] => {
    switch (part.kind) {
      case "message_start":
        close();
        message = open(part.usage);
        return commit(true);
      case "block_start": {
        message ??= open(undefined);
        message.blocks.start(part.index, part.block);
        return textMember(part.block, "type") === "text" ? reply(textMember(part.block, "text")) : [];
      }
      case "block_piece": {
        message ??= open(undefined);
        message.blocks.piece(part.index, part.delta);
        if (textMember(part.delta, "type") === "text_delta") return reply(textMember(part.delta, "text"));
        const piece = textMember(part.delta, "partial_json");
        const toolCallId = textMember(message.blocks.open(part.index), "id");
        return piece === undefined || piece === "" || toolCallId === undefined ? [] : [{ ...base, type: "tool_call_args_delta", toolCallId, delta: piece }];
      }
      case "block_stop": {
        const finished = message?.blocks.stop(part.index);
        return finished === undefined ? [] : takeBlock(finished.block, finished.inputText, true);
      }
      case "message_delta":
        message ??= open(undefined);
        message.usage = laterUsage(message.usage, part.usage);
        message.usageWhole ||= recordMember({ usage: part.usage }, "usage") !== undefined;
        if (part.stopReason !== undefined) stop = { reason: part.stopReason, detail: part.detail };
        return [];
      case "message_stop":
        close();
        return [];
      case "message": {
        close();
        message = open(part.usage);
        message.usageWhole = true;
        const events = [...commit(true), ...part.content.flatMap((block) => takeBlock(block, undefined, false))];
        stop = { reason: part.stopReason, detail: part.detail };
        close();
        return events;
      }
      case "block":
        return takeBlock(part.block, undefined, false);
      case "tool_results":
        part.results.forEach(takeResult);
        return [];
      case "failure":
        failed ??= { error: part.error };
        return [];
      case "said":
        return takeSaid(part.event);
      case "none":
        return [];
      case "unknown":
        return [unknown(part.type)];
      default:
        return part satisfies never;
    }
  };

  return {
    take: (part) => [...read(readPart(part)), ...commit()],
    earlier(block, inputText) {
      issue(block, inputText);
      return commit();
    },
    begin(rawId) {
      const call = ledger.find(rawId);
      return call === undefined || call === "ambiguous" ? [] : [...say.start(call), ...commit()];
    },
    settle(rawId, outcome) {
      const call = ledger.find(rawId);
      if (call === undefined || call === "ambiguous") return [];
      finish(call, outcome, undefined, true);
      return commit();
    },
    rest() {
      close();
      const events = commit(true);
      const sum = usage.sum();
      return sum === undefined ? events : [...events, { ...base, type: "usage", usage: sum }];
    },
    end(thrown) {
      const calls = ledger.all();
      const ending = endingOf({
        failed: failed ?? thrown,
        said: saidEnd,
        waits: strayRequests.size > 0 || calls.some(({ approval }) => approval?.state === "pending"),
        open: calls.some((call) => call.ended === undefined && !call.providerExecuted && call.approval?.state !== "denied"),
        stopReason: stop.reason,
        detail: stop.detail,
      });
      if (ending === undefined) return [];
      if (ending.phase === "completed" && !textSaid && calls.length === 0) warnings.add("answer_empty", "the run completed without a word of answer and without a call");
      const cancellation = ending.phase === "cancelled" ? { cancellation: ending.reason === undefined ? {} : { reason: ending.reason } } : {};
      const failure = ending.failure ?? ending.said;
      const workflow = ending.phase === undefined ? [] : [{ ...base, type: "workflow", phase: ending.phase, ...(failure === undefined ? {} : { failure }), ...cancellation } as StreamEvent];
      return [...workflow, { ...base, type: "run_stream_end" }];
    },
    idOf(rawId) {
      const call = ledger.find(rawId);
      return call === undefined || call === "ambiguous" ? rawId : call.id;
    },
  };
}

/** An event of the application's, without a run of its own: it is this one's. */
function ownMembers(event: object): object {
  return Object.fromEntries(namesOf(event).filter((name) => name !== "runId" && name !== "sessionId").map((name) => [name, member(event, name)]));
}
