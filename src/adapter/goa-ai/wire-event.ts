// Owns one event as it came over the wire: its envelope, the members of its payload, and their text with every digit where text came.

import { EntailError, messageOf } from "../../core/error.ts";
import { member, recordOf, textMember } from "../../core/member.ts";
import { canonicalText, valueOf } from "../../json/json-value.ts";
import { type JsonNode, readJson } from "../../json/read-json.ts";
import { field, spelled } from "./spelling.ts";

export interface WireEvent {
  readonly type: string;
  readonly runId: string | undefined;
  readonly sessionId: string | undefined;
  readonly eventKey: string | undefined;
  /** What the event is about. */
  readonly body: unknown;
  /** A member of the body as canonical text, digits kept; `undefined` where the event came as an object. */
  readonly textOf: (name: string) => string | undefined;
  /** The same for two events exactly when one repeats the other, whenever it was sent. */
  readonly content: () => string | undefined;
}

/** A member of its payload that an event of this type cannot do without: beside `type` it shows that there is no envelope. */
const OWN_MEMBERS: ReadonlyMap<string, readonly string[]> = new Map([
  ["tool_start", ["tool_call_id"]],
  ["tool_end", ["tool_call_id"]],
  ["tool_update", ["tool_call_id"]],
  ["tool_call_args_delta", ["tool_call_id"]],
  ["tool_output_delta", ["tool_call_id"]],
  ["tool_authorization", ["tool_call_id"]],
  ["await_confirmation", ["tool_call_id"]],
  ["await_questions", ["tool_call_id"]],
  ["child_run_linked", ["tool_call_id", "child_run_id"]],
  ["assistant_reply", ["text"]],
  ["workflow", ["phase"]],
  ["usage", ["input_tokens", "output_tokens", "total_tokens"]],
]);

function textOrNothing(value: unknown, name: string): string | undefined {
  const text = field(value, name);
  return typeof text === "string" && text !== "" ? text : undefined;
}

/** `node` where the event came as text. `eventName` is the name that its transport gave it. Throws `event_invalid`. */
function readEnvelope(value: unknown, node: JsonNode | undefined, eventName: string | undefined): WireEvent {
  if (recordOf(value) === undefined) throw new EntailError("event_invalid", `an event of a Goa-AI stream must be an object; one is ${value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`}`);
  const own = textMember(value, "type") ?? textMember(value, "Type");
  const type = own ?? eventName;
  if (type === undefined || type === "") throw new EntailError("event_invalid", "an event of a Goa-AI stream has no type");
  const flat = OWN_MEMBERS.get(type)?.some((name) => spelled(value, name) !== undefined) === true || (own === undefined && spelled(value, "payload") === undefined);
  const holder = flat ? undefined : (spelled(value, "payload") ?? "payload");
  const bodyNode = holder === undefined ? node : memberNode(node, holder);
  return {
    type,
    runId: textOrNothing(value, "run_id"),
    sessionId: textOrNothing(value, "session_id"),
    eventKey: textOrNothing(value, "event_key"),
    body: holder === undefined ? value : member(value, holder),
    textOf: (name) => {
      const found = memberNode(bodyNode, name);
      return found === undefined ? undefined : canonicalText(found);
    },
    content: () => contentOf(value, node),
  };
}

function memberNode(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.kind === "object" ? node.members.get(name) : undefined;
}

/** Without the time of sending, which is another one when an event is sent again. */
function contentOf(value: unknown, node: JsonNode | undefined): string | undefined {
  if (node?.kind === "object") return canonicalText({ kind: "object", members: new Map([...node.members].filter(([name]) => name !== "timestamp")) });
  try {
    const { timestamp: _timestamp, ...rest } = value as { readonly timestamp?: unknown };
    return JSON.stringify(rest);
  } catch {
    return undefined;
  }
}

/** An event that came as an object. Throws `event_invalid`. */
export function wireEventOf(value: unknown): WireEvent {
  return readEnvelope(value, undefined, undefined);
}

/** An event that came as text. Throws `event_invalid`, for what is no JSON too. */
export function readWireEvent(text: string, eventName?: string): WireEvent {
  let node: JsonNode;
  try {
    node = readJson(text);
  } catch (thrown) {
    throw new EntailError("event_invalid", `an event of a Goa-AI stream cannot be read: ${messageOf(thrown)}`, { cause: thrown });
  }
  return readEnvelope(valueOf(node), node, eventName);
}
