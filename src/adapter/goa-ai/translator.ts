// Owns the way from Goa-AI's events to Entail's: one for one, in their order, with the links between runs filled in.

import { EntailError } from "../../core/error.ts";
import type { StreamEvent } from "../../core/event.ts";
import { member } from "../../core/member.ts";
import { boundsOf, cancellationOf, omittedOf, runFailureOf, toolFailureOf, usageOf } from "./payload.ts";
import { camelMembers, field, spelled } from "./spelling.ts";
import type { Warnings } from "./warning.ts";
import type { WireEvent } from "./wire-event.ts";

export interface TranslatorOptions {
  /** Events of other sessions are left out. */
  readonly sessionId: string | undefined;
  /** The stream has no `tool_start`: an end then opens its call. */
  readonly endsAlone: boolean;
  readonly warnings: Warnings;
}

export interface Translator {
  /** Throws `event_invalid` for an end that does not say whose call it ends. */
  take(event: WireEvent): StreamEvent[];
}

const REQUIRED_OF_END = ["call_run_id", "tool_call_id", "tool_name"] as const;

export function translator({ sessionId, endsAlone, warnings }: TranslatorOptions): Translator {
  /** The call of the parent run that each child run was started by. */
  const parents = new Map<string, string>();
  const opened = new Set<string>();
  const delivered = new Map<string, string>();

  /** Delivery is at least once: an event may come again with its key, word for word. */
  const isRepeated = (event: WireEvent): boolean => {
    if (event.eventKey === undefined) return false;
    const content = event.content();
    if (content === undefined) return false;
    // One fact of the run may make two events, of different types, under one key.
    const place = JSON.stringify([event.eventKey, event.type, event.runId]);
    const before = delivered.get(place);
    delivered.set(place, content);
    return before === content;
  };

  const text = (body: unknown, name: string): string => {
    const read = field(body, name);
    // Whatever else stands there is for the collector to refuse.
    return read === undefined ? "" : (read as string);
  };
  const optional = (body: unknown, wire: string, name: string): object => {
    const read = field(body, wire);
    return read === undefined ? {} : { [name]: read };
  };
  /** Arguments or a result: the text with every digit where there is one, else the value. `null` is a value too. */
  const payload = ({ body, textOf }: WireEvent, wire: string, valueName: string, textName: string): object => {
    const name = spelled(body, wire) ?? wire;
    const json = textOf(name);
    if (json !== undefined) return { [textName]: json };
    const value = member(body, name);
    return value === undefined ? {} : { [valueName]: value };
  };

  /** The call's own word for its parent, else the call that its run was started by. */
  const parentOf = ({ body, runId }: WireEvent): { readonly parentToolCallId?: string } => {
    const own = field(body, "parent_tool_call_id");
    const parent = own === undefined || own === "" ? parents.get(runId ?? "") : (own as string);
    return parent === undefined ? {} : { parentToolCallId: parent };
  };

  const start = (event: WireEvent, base: object): StreamEvent => {
    const { body } = event;
    opened.add(text(body, "tool_call_id"));
    return {
      ...base,
      type: "tool_start",
      toolCallId: text(body, "tool_call_id"),
      toolName: text(body, "tool_name"),
      ...payload(event, "payload", "args", "argsJson"),
      ...parentOf(event),
    };
  };

  const end = (event: WireEvent, base: object): StreamEvent[] => {
    const { body, runId } = event;
    for (const name of REQUIRED_OF_END) {
      if (text(body, name) !== "") continue;
      const id = text(body, "tool_call_id");
      throw new EntailError("event_invalid", `tool_end${id === "" ? "" : ` of call ${JSON.stringify(id)}`}: ${name} is missing; Goa-AI sends it with every end, so whoever encodes its stream again must keep it`);
    }
    const [toolCallId, callRunId] = [text(body, "tool_call_id"), text(body, "call_run_id")];
    const events: StreamEvent[] = [];
    // The end of a call that another run started opens nothing here.
    if (endsAlone && !opened.has(toolCallId) && (runId === undefined || callRunId === runId)) {
      opened.add(toolCallId);
      events.push({ ...base, type: "tool_start", toolCallId, toolName: text(body, "tool_name"), ...parentOf(event) });
    }
    const failure = toolFailureOf(field(body, "failure"));
    const omitted = omittedOf(body);
    const bounds = boundsOf(field(body, "bounds"));
    const absent = failure !== undefined && field(body, "result") === undefined;
    events.push({
      ...base,
      type: "tool_end",
      toolCallId,
      toolName: text(body, "tool_name"),
      callRunId,
      ...optional(body, "parent_tool_call_id", "parentToolCallId"),
      ...(absent || omitted !== undefined ? {} : payload(event, "result", "result", "resultJson")),
      ...(omitted === undefined ? {} : { resultOmitted: omitted }),
      ...(bounds === undefined ? {} : { bounds }),
      ...(failure === undefined ? {} : { failure }),
    });
    return events;
  };

  const workflow = ({ body }: WireEvent, base: object): StreamEvent => {
    const phase = text(body, "phase");
    const failure = runFailureOf(field(body, "failure"));
    const cancellation = cancellationOf(field(body, "cancellation"));
    return {
      ...base,
      type: "workflow",
      phase: phase === "canceled" ? "cancelled" : phase,
      ...(failure === undefined ? {} : { failure }),
      ...(cancellation === undefined ? {} : { cancellation }),
    };
  };

  const translate = (event: WireEvent, base: object): StreamEvent[] => {
    const { body, type } = event;
    switch (type) {
      case "tool_start":
        return [start(event, base)];
      case "tool_end":
        return end(event, base);
      case "assistant_reply":
        return [{ ...base, type, text: text(body, "text") }];
      case "workflow":
        return [workflow(event, base)];
      case "await_confirmation":
        return [{
          ...base,
          type,
          toolCallId: text(body, "tool_call_id"),
          toolName: text(body, "tool_name"),
          prompt: text(body, "prompt"),
          ...optional(body, "id", "id"),
          ...optional(body, "title", "title"),
          ...payload(event, "payload", "args", "argsJson"),
        }];
      case "tool_authorization":
        return [{
          ...base,
          type,
          toolCallId: text(body, "tool_call_id"),
          ...optional(body, "tool_name", "toolName"),
          approved: field(body, "approved") as boolean,
          ...optional(body, "approved_by", "approvedBy"),
          ...optional(body, "summary", "summary"),
        }];
      case "usage":
        return [{ ...base, type, usage: usageOf(body) }];
      case "run_stream_end":
        return [{ ...base, type }];
      case "child_run_linked": {
        const [child, call] = [text(body, "child_run_id"), text(body, "tool_call_id")];
        if (child !== "" && call !== "") parents.set(child, call);
        return [{ ...camelMembers(body), ...base, type }];
      }
      default:
        // Progress, and types that a later version adds: the collector counts those that it does not know.
        return [{ ...camelMembers(body), ...base, type } as unknown as StreamEvent];
    }
  };

  return {
    take(event) {
      if (sessionId !== undefined && event.sessionId !== undefined && event.sessionId !== sessionId) {
        warnings.add("session_left_out", `events of session ${JSON.stringify(event.sessionId)} were left out`);
        return [];
      }
      if (isRepeated(event)) {
        warnings.add("event_repeated", `an event ${JSON.stringify(event.type)} came again, word for word; it counts once`);
        return [];
      }
      const { runId, sessionId: session, eventKey } = event;
      return translate(event, {
        ...(runId === undefined ? {} : { runId }),
        ...(session === undefined ? {} : { sessionId: session }),
        ...(eventKey === undefined ? {} : { eventKey }),
      });
    },
  };
}
