// Owns what an output of the SDK, or an error of its run, means as evidence: a call that failed or was refused, a run that failed.

import type { FailureKind, RunFailure, ToolFailure } from "../../core/evidence.ts";
import { listMember, member, recordMember, textMember } from "../../core/member.ts";
import type { JsonSchema } from "../../core/schema.ts";
import { isAbort, isBrokenConnection, thrownCause, thrownKind, thrownMessage, thrownRunFailure } from "../../core/thrown.ts";
import { compileSchema } from "../../schema/validator.ts";
import type { OutputItem } from "./item.ts";
import { RUN_FAILED, thrownBy } from "./tool-error.ts";

/** Names of the SDK's errors that say what kind of failure a call's is. */
const KIND_BY_NAME: ReadonlyMap<string, FailureKind> = new Map([
  ["InvalidToolInputError", "invalid_call"],
  ["ToolTimeoutError", "timeout"],
  ["InvalidToolOutputError", "malformed_result"],
]);

/** Names of the errors with which the SDK ends a run: it has failed, and nothing more will come. */
const RUN_ERRORS: ReadonlySet<string> = new Set([
  "MaxTurnsExceededError", "ModelBehaviorError", "ModelRefusalError", "ModelTimeoutError", "SystemError", "GuardrailExecutionError", "ToolCallError", "ToolTimeoutError",
  "InvalidToolInputError", "InvalidToolOutputError", "InputGuardrailTripwireTriggered", "OutputGuardrailTripwireTriggered", "ToolInputGuardrailTripwireTriggered",
  "ToolOutputGuardrailTripwireTriggered",
]);

const NO_RESPONSE = "Model did not produce a final response!";
const PARSE_FAILED = "An error occurred while parsing tool arguments. Please try again with valid JSON.";
const NOT_APPROVED = "Tool execution was not approved.";

export interface FailureOptions {
  /** Says that an output is a failure, for tools whose own `errorFunction` answers in words. */
  readonly isFailure?: ((toolName: string, output: unknown) => boolean) | undefined;
  /** Says what kind of failure an error of a tool is, or the text that stands for one. Where it does not, an error's own `kind` and well-known names and codes do, else it is `unknown`. */
  readonly failureKind?: ((toolName: string, error: unknown) => FailureKind | undefined) | undefined;
}

/** What is known of the call that an output ends. */
export interface EndedCall {
  readonly toolName: string;
  readonly raw: object;
  readonly agent: unknown;
}

/** How a call ended. */
export type CallOutcome =
  | { readonly kind: "result"; readonly value: unknown }
  /** A result of which only the text is known that the model was shown. */
  | { readonly kind: "text"; readonly text: string }
  /** A result that the provider does not show. */
  | { readonly kind: "omitted" }
  | { readonly kind: "failure"; readonly failure: ToolFailure }
  /** It was refused and did not run. */
  | { readonly kind: "denied"; readonly reason: string };

function failed(kind: FailureKind, message: string): CallOutcome {
  return { kind: "failure", failure: { kind, error: { message } } };
}

/** `refused` says whether the run's state has the call refused, by a person or by a guardrail. */
export function outcomeOf(output: OutputItem, call: EndedCall, refused: (text: string) => boolean, options: FailureOptions): CallOutcome {
  const { toolName } = call;
  const text = output.text ?? "";
  const value = output.value === undefined ? output.shown : output.value.of;
  const thrown = thrownBy(call.raw);
  if (thrown !== undefined) return { kind: "failure", failure: toolFailure(toolName, thrown.error, options) };
  if (options.isFailure?.(toolName, value) === true) return { kind: "failure", failure: { kind: options.failureKind?.(toolName, value) ?? "unknown", error: { message: text === "" ? thrownMessage(value) : text } } };
  if (output.exitError) return failed(options.failureKind?.(toolName, value) ?? "unknown", text === "" ? `${toolName} failed` : text);
  if (output.status === "incomplete" && text === "aborted") return failed("cancelled", "the run was cancelled before the tool had an answer");
  if (!output.executed && output.handedTo === undefined) {
    if (refused(text) || text === NOT_APPROVED) return { kind: "denied", reason: text };
    if (text === PARSE_FAILED || text === `Tool '${toolName}' not found.`) return failed("invalid_call", text);
  }
  if (text.startsWith(RUN_FAILED)) {
    const faults = argumentFaults(call);
    return faults === undefined ? failed(options.failureKind?.(toolName, text) ?? "unknown", text) : failed("invalid_call", faults);
  }
  if (text.startsWith(`Tool '${toolName}' timed out after `)) return failed("timeout", text);
  return output.value === undefined && output.text !== undefined ? { kind: "text", text: output.text } : { kind: "result", value };
}

export function toolFailure(toolName: string, error: unknown, { failureKind }: FailureOptions): ToolFailure {
  const named = thrownKind(error, KIND_BY_NAME);
  return { kind: failureKind?.(toolName, error) ?? named, error: thrownCause(error) };
}

/**
 * What is wrong with a call's arguments by the schema of its tool, since the SDK answers alike to arguments that it refused and to a tool that
 * threw. Undeclared members are let through, as the SDK does.
 */
function argumentFaults({ toolName, raw, agent }: EndedCall): string | undefined {
  const tool = (listMember(agent, "tools") ?? []).find((one) => textMember(one, "name") === toolName);
  const schema = recordMember(tool, "parameters");
  if (schema === undefined) return undefined;
  try {
    const faults = compileSchema(opened(schema) as JsonSchema).faults(JSON.parse(textMember(raw, "arguments") ?? "") as unknown);
    if (faults.length === 0) return undefined;
    return faults.map(({ path, message }) => `${path === "" ? "the arguments" : path} ${message}`).join("; ");
  } catch {
    return undefined;
  }
}

function opened(schema: unknown, depth = 0): unknown {
  if (Array.isArray(schema)) return schema.map((item) => opened(item, depth + 1));
  if (typeof schema !== "object" || schema === null || depth > 100) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([name, value]) => !(name === "additionalProperties" && value === false)).map(([name, value]) => [name, opened(value, depth + 1)]));
}

/** How a run ended that threw: `undefined` where nobody knows whether more was to come. */
export type ThrownEnd = { readonly phase: "cancelled"; readonly reason?: string | undefined } | { readonly phase: "failed"; readonly failure: RunFailure };

export function endOfThrown(error: unknown): ThrownEnd | undefined {
  if (isAbort(error)) return { phase: "cancelled", reason: thrownMessage(error) };
  if (isBrokenConnection(error) || textMember(error, "message") === NO_RESPONSE) return undefined;
  const failure = thrownRunFailure(error);
  if (textMember(error, "name") === "ModelRefusalError") return { phase: "failed", failure: { ...failure, kind: "refusal" } };
  return RUN_ERRORS.has(textMember(error, "name") ?? "") || failure.httpStatus !== undefined ? { phase: "failed", failure } : undefined;
}

/** Which call an error of a run is about, and what of it: its failure, or that a guardrail refused it. */
export interface BlamedCall {
  readonly raw?: object | undefined;
  readonly toolName?: string | undefined;
  /** What was thrown; `undefined` where the call was refused. */
  readonly error?: unknown;
  readonly refused: boolean;
}

/** The call that an error of a run is about, as far as the error says; `undefined` for an error that is about none. */
export function blamedCall(error: unknown): BlamedCall | undefined {
  const name = textMember(error, "name") ?? "";
  if (name === "ToolInputGuardrailTripwireTriggered") return { refused: true };
  if (name === "ToolTimeoutError") return { error, toolName: textMember(error, "toolName"), refused: false };
  if (name !== "ToolCallError") return unknownTool(error);
  const inner = member(error, "error") ?? error;
  if (textMember(inner, "name") === "ToolInputGuardrailTripwireTriggered") return { refused: true };
  const raw = recordMember(member(member(inner, "toolInvocation"), "details"), "toolCall");
  return { error: inner, raw, toolName: textMember(inner, "toolName"), refused: false };
}

/** `Tool x not found in agent y.`: the SDK ends a run whose model calls a tool that does not exist. */
function unknownTool(error: unknown): BlamedCall | undefined {
  const toolName = /^Tool (.+) not found in agent .*\.$/su.exec(textMember(error, "message") ?? "")?.[1];
  if (textMember(error, "name") !== "ModelBehaviorError" || toolName === undefined) return undefined;
  return { error: { message: thrownMessage(error), kind: "invalid_call" }, toolName, refused: false };
}
