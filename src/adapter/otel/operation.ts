// Owns what a span is the record of: an agent at work, a model's answer or the run of a tool, by the GenAI conventions or by the AI SDK's older names.

import type { FailureKind, FailureCause } from "../../core/evidence.ts";
import { readUsage } from "./usage.ts";
import type { Usage } from "../../core/usage.ts";
import { contentOf, listFrom, readCalls, readChoice, readOutput, readResponses, type CallResponse, type Content, type Spoken } from "./message.ts";
import type { Span } from "./span.ts";
import type { Warnings } from "./warning.ts";

/** Why an operation failed, as its span says it. */
export interface OperationError {
  /** The class of the error: `timeout`, the name of an exception, a status. Empty where it is not said. */
  readonly type: string;
  readonly message: string;
}

interface OperationBase {
  readonly span: Span;
  readonly error: OperationError | undefined;
}

export interface AgentOperation extends OperationBase {
  readonly kind: "agent";
  /** The agent's id, or its name; empty where neither is said. */
  readonly agent: string;
  readonly spoken: Spoken | undefined;
  readonly finishReason: string | undefined;
  readonly usage: Usage | undefined;
}

export interface ModelOperation extends OperationBase {
  readonly kind: "model";
  /** `undefined` where the trace does not hold it. */
  readonly spoken: Spoken | undefined;
  readonly responses: readonly CallResponse[];
  readonly finishReason: string | undefined;
  readonly usage: Usage | undefined;
}

export interface ToolOperation extends OperationBase {
  readonly kind: "tool";
  readonly toolName: string;
  /** Empty where it is not said. */
  readonly callId: string;
  readonly args: Content | undefined;
  readonly result: Content | undefined;
}

/** Anything else that happened: a step, a request over HTTP, an embedding. */
export interface OtherOperation extends OperationBase {
  readonly kind: "other";
}

export type Operation = AgentOperation | ModelOperation | ToolOperation | OtherOperation;

const KINDS: ReadonlyMap<string, Operation["kind"]> = new Map([
  ["invoke_agent", "agent"],
  ["invoke_workflow", "agent"],
  ["chat", "model"],
  ["text_completion", "model"],
  ["generate_content", "model"],
  ["execute_tool", "tool"],
  // The AI SDK's older spans.
  ["ai.generateText", "agent"],
  ["ai.streamText", "agent"],
  ["ai.generateObject", "agent"],
  ["ai.streamObject", "agent"],
  ["ai.generateText.doGenerate", "model"],
  ["ai.streamText.doStream", "model"],
  ["ai.generateObject.doGenerate", "model"],
  ["ai.streamObject.doStream", "model"],
  ["ai.toolCall", "tool"],
]);

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** What the span is called to be; its name's first word where nothing else says it. */
function kindOf({ name, attributes }: Span): Operation["kind"] {
  const said = textOf(attributes.get("gen_ai.operation.name")) ?? textOf(attributes.get("ai.operationId"));
  if (said !== undefined) return KINDS.get(said) ?? "other";
  const word = /^(invoke_agent|invoke_workflow|execute_tool)\b/.exec(name)?.[1];
  return word === undefined ? "other" : (KINDS.get(word) ?? "other");
}

function errorOf({ status, statusMessage, attributes, events }: Span): OperationError | undefined {
  const said = attributes.get("error.type");
  if (status !== "error" && (said === undefined || said === "")) return undefined;
  const exception = events.findLast(({ name }) => name === "exception" || name === "gen_ai.client.operation.exception")?.attributes;
  const type = textOf(typeof said === "number" ? `${said}` : said) ?? textOf(exception?.get("exception.type")) ?? "";
  const message = textOf(statusMessage) ?? textOf(attributes.get("error.message")) ?? textOf(exception?.get("exception.message")) ?? textOf(type) ?? "it failed without saying why";
  return { type, message };
}

function finishReasonOf({ attributes }: Span): string | undefined {
  const reasons = attributes.get("gen_ai.response.finish_reasons");
  const list = typeof reasons === "string" ? (listFrom(reasons) ?? [reasons]) : (listFrom(reasons) ?? []);
  return textOf(list[0]) ?? textOf(attributes.get("ai.response.finishReason"));
}

/** What was said, wherever the span holds it; `undefined` where it does not. */
function spokenOf(span: Span, warnings: Warnings): Spoken | undefined {
  const { attributes, events } = span;
  const details = events.findLast(({ name, attributes: own }) => name === "gen_ai.client.inference.operation.details" && own.has("gen_ai.output.messages"));
  const output = attributes.get("gen_ai.output.messages") ?? details?.attributes.get("gen_ai.output.messages");
  if (output !== undefined) {
    const read = readOutput(output, Number(attributes.get("gen_ai.request.choice.count") ?? 1), warnings);
    if (read === undefined) warnings.add("messages_unreadable", "the messages that a span recorded are no whole JSON: they are taken for not recorded");
    return read;
  }
  const choices = events.flatMap(({ name, attributes: own }) => (name === "gen_ai.choice" ? (readChoice(own, warnings) ?? []) : []));
  const first = choices.find(({ index }) => index === 0) ?? choices[0];
  if (first !== undefined) return first.spoken;
  const text = attributes.get("ai.response.text") ?? attributes.get("ai.response.object");
  const calls = attributes.get("ai.response.toolCalls");
  if (text === undefined && calls === undefined) return undefined;
  return { text: textOf(text) ?? "", calls: readCalls(calls), responses: [], finishReason: undefined };
}

function responsesOf({ attributes, events }: Span, warnings: Warnings): readonly CallResponse[] {
  const recorded = [attributes.get("gen_ai.input.messages") ?? attributes.get("ai.prompt.messages"), ...events.map(({ attributes: own }) => own.get("gen_ai.input.messages"))];
  const tools = events.filter(({ name }) => name === "gen_ai.tool.message").map(({ attributes: own }) => {
    const content = own.get("gen_ai.event.content");
    return { id: textOf(own.get("id")) ?? "", response: contentOf(content ?? own.get("content")) };
  });
  return [...recorded.flatMap((messages) => (messages === undefined ? [] : readResponses(messages, warnings))), ...tools];
}

/** Reads a span. Never throws: what cannot be read is taken for not recorded. */
export function readOperation(span: Span, warnings: Warnings): Operation {
  const { attributes } = span;
  const base = { span, error: errorOf(span) };
  const kind = kindOf(span);
  if (kind !== "other" && span.dropped) warnings.add("attributes_dropped", "a span lost attributes or events to the limits of its exporter: what they held cannot be seen");
  switch (kind) {
    case "agent": {
      const spoken = spokenOf(span, warnings);
      return { ...base, kind, agent: textOf(attributes.get("gen_ai.agent.id")) ?? textOf(attributes.get("gen_ai.agent.name")) ?? "", spoken, finishReason: finishReasonOf(span) ?? spoken?.finishReason, usage: readUsage(attributes) };
    }
    case "model": {
      const spoken = spokenOf(span, warnings);
      return { ...base, kind, spoken, responses: responsesOf(span, warnings), finishReason: finishReasonOf(span) ?? spoken?.finishReason, usage: readUsage(attributes) };
    }
    case "tool":
      return {
        ...base,
        kind,
        toolName: textOf(attributes.get("gen_ai.tool.name")) ?? textOf(attributes.get("ai.toolCall.name")) ?? /^execute_tool\s+(\S.*)$/.exec(span.name)?.[1] ?? "",
        callId: textOf(attributes.get("gen_ai.tool.call.id")) ?? textOf(attributes.get("ai.toolCall.id")) ?? "",
        args: contentOf(attributes.get("gen_ai.tool.call.arguments") ?? attributes.get("ai.toolCall.args")),
        result: contentOf(attributes.get("gen_ai.tool.call.result") ?? attributes.get("ai.toolCall.result")),
      };
    case "other":
      return { ...base, kind };
    default:
      return kind satisfies never;
  }
}

const KIND_BY_TYPE: readonly (readonly [RegExp, FailureKind])[] = [
  [/^(timeout|.*timeouterror|.*deadlineexceeded.*|etimedout|504)$/i, "timeout"],
  [/^(429|rate_?limit.*|.*ratelimiterror|toomanyrequests.*)$/i, "rate_limited"],
  [/^(503|529|unavailable|econnrefused|econnreset|enotfound|eai_again|.*connectionerror|.*serviceunavailable.*)$/i, "unavailable"],
  [/^(aborterror|cancell?ed|.*cancell?ed(error|exception)?|context canceled)$/i, "cancelled"],
  [/^(ai_nosuchtoolerror|ai_invalidtoolinputerror|invalid_?arguments?|invalid_?call)$/i, "invalid_call"],
];

/** The kind of a failure, where the class of its error leaves no doubt; else `unknown`. */
export function failureKindOf({ type }: OperationError): FailureKind {
  return KIND_BY_TYPE.find(([pattern]) => pattern.test(type))?.[1] ?? "unknown";
}

export function causeOf({ message, type }: OperationError): FailureCause {
  return type === "" || type === message ? { message } : { message, cause: { message: type } };
}
