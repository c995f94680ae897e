// Owns the reading of failure data: of a call, with its causes and the agent's way out of it, and of a run.

import { EntailError } from "../core/error.ts";
import { FAILURE_KINDS, type FailureCause, type FailureKind, FIELD_CONSTRAINTS, type FieldIssue, type Recovery, type RunFailure, type ToolFailure } from "../core/evidence.ts";
import { freezeDeep } from "../core/freeze-deep.ts";
import { canonicalJson } from "../json/write-json.ts";
import { isRecord, malformed, optionalText, requiredText } from "./malformed.ts";
import { nameOf } from "./predicate.ts";

const ACTIONS = ["correct_call", "replan", "finish"] as const;
/** The kinds of failure that another call of the same tool can mend. */
const CORRECTABLE: readonly FailureKind[] = ["invalid_call", "domain_rejection"];
const MAX_CAUSES = 100;

/** A frozen copy that shares nothing with `value`. Throws `tool_failure_invalid` for the first fault, naming it. */
export function readToolFailure(value: unknown, where: string): ToolFailure {
  const fault = (text: string): EntailError => new EntailError("tool_failure_invalid", `${where}: ${text}`);
  if (!isRecord(value)) throw fault(`failure must be an object; it is ${nameOf(value)}`);
  const { kind, error, recovery } = value;
  if (!isOneOf(FAILURE_KINDS, kind)) throw fault(`failure.kind must be one of ${FAILURE_KINDS.join(", ")}; it is ${nameOf(kind)}`);
  const failure = {
    kind,
    error: readCause(error, fault),
    ...(recovery !== undefined && recovery !== null && { recovery: readRecovery(recovery, kind, fault) }),
  };
  return freezeDeep(failure);
}

type Fault = (text: string) => EntailError;

function readCause(value: unknown, fault: Fault): FailureCause {
  const messages: string[] = [];
  let place = "failure.error";
  for (let cause = value; messages.length === 0 || (cause !== undefined && cause !== null); place += ".cause") {
    if (!isRecord(cause)) throw fault(`${place} must be an object with a message; it is ${nameOf(cause)}`);
    const { message, cause: deeper } = cause;
    if (typeof message !== "string" || message === "") throw fault(`${place}.message must be a text that is not empty; it is ${nameOf(message)}`);
    if (messages.length === MAX_CAUSES) throw fault(`failure.error has more than ${MAX_CAUSES} causes within one another, or is its own cause`);
    messages.push(message);
    cause = deeper;
  }
  return messages.reduceRight<FailureCause | undefined>((cause, message) => ({ message, ...(cause !== undefined && { cause }) }), undefined) as FailureCause;
}

function readRecovery(value: unknown, kind: FailureKind, fault: Fault): Recovery {
  if (!isRecord(value)) throw fault(`failure.recovery must be an object; it is ${nameOf(value)}`);
  const { action } = value;
  if (!isOneOf(ACTIONS, action)) throw fault(`failure.recovery.action must be one of ${ACTIONS.join(", ")}; it is ${nameOf(action)}`);
  if (action === "correct_call" && !CORRECTABLE.includes(kind)) {
    throw fault(`failure.recovery.action is correct_call, which only a failure of kind ${CORRECTABLE.join(" or ")} allows; this one is ${kind}`);
  }
  const issues = readIssues(value["issues"], fault);
  const priorInput = readObject(value["priorInput"], "priorInput", fault);
  const exampleJson = readObject(value["exampleJson"], "exampleJson", fault);
  if (action !== "correct_call" && (issues !== undefined || priorInput !== undefined || exampleJson !== undefined)) {
    throw fault(`failure.recovery carries data for a correction, which only the action correct_call may; this one is ${action}`);
  }
  return { action, ...(issues !== undefined && { issues }), ...(priorInput !== undefined && { priorInput }), ...(exampleJson !== undefined && { exampleJson }) };
}

function readIssues(value: unknown, fault: Fault): readonly FieldIssue[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw fault(`failure.recovery.issues must be a list; it is ${nameOf(value)}`);
  return value.length === 0 ? undefined : value.map((issue, at) => readIssue(issue, `failure.recovery.issues[${at}]`, fault));
}

function readIssue(value: unknown, place: string, fault: Fault): FieldIssue {
  if (!isRecord(value)) throw fault(`${place} must be an object; it is ${nameOf(value)}`);
  const { field, constraint, allowed } = value;
  if (typeof field !== "string" || field === "") throw fault(`${place}.field must name the field; it is ${nameOf(field)}`);
  if (!isOneOf(FIELD_CONSTRAINTS, constraint)) throw fault(`${place}.constraint must be one of ${FIELD_CONSTRAINTS.join(", ")}; it is ${nameOf(constraint)}`);
  if (allowed !== undefined && allowed !== null && !(Array.isArray(allowed) && allowed.every((item) => typeof item === "string"))) {
    throw fault(`${place}.allowed must be a list of texts`);
  }
  const issue: { -readonly [K in keyof FieldIssue]: FieldIssue[K] } = { field, constraint };
  if (Array.isArray(allowed)) issue.allowed = [...allowed];
  for (const member of ["minLen", "maxLen"] as const) {
    const length = value[member];
    if (length === undefined || length === null) continue;
    if (typeof length !== "number" || !Number.isSafeInteger(length) || length < 0) throw fault(`${place}.${member} must be a whole number, 0 or more; it is ${nameOf(length)}`);
    issue[member] = length;
  }
  for (const member of ["pattern", "format", "expectedJsonType", "actualJsonType"] as const) {
    const text = value[member];
    if (text === undefined || text === null || text === "") continue;
    if (typeof text !== "string") throw fault(`${place}.${member} must be a text; it is ${nameOf(text)}`);
    issue[member] = text;
  }
  return issue;
}

function readObject(value: unknown, member: string, fault: Fault): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined || value === null) return undefined;
  let copy: unknown;
  try {
    copy = JSON.parse(canonicalJson(value));
  } catch (thrown) {
    throw fault(`failure.recovery.${member} must be a JSON object: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  if (!isRecord(copy)) throw fault(`failure.recovery.${member} must be a JSON object; it is ${nameOf(copy)}`);
  return copy;
}

function isOneOf<Item extends string>(list: readonly Item[], value: unknown): value is Item {
  return (list as readonly unknown[]).includes(value);
}

/** A frozen copy of why a run failed. Throws `event_invalid`. */
export function readRunFailure(value: unknown, where: string): RunFailure {
  if (!isRecord(value)) throw malformed(where, "failure must be an object", value);
  const failure: { -readonly [K in keyof RunFailure]: RunFailure[K] } = { message: requiredText(value["message"], "failure.message", where) };
  for (const member of ["debugMessage", "provider", "operation", "kind", "code"] as const) {
    const text = optionalText(value[member], `failure.${member}`, where);
    if (text !== undefined) failure[member] = text;
  }
  const { httpStatus, retryable } = value;
  if (httpStatus !== undefined && httpStatus !== null) {
    if (typeof httpStatus !== "number" || !Number.isSafeInteger(httpStatus)) throw malformed(where, "failure.httpStatus must be a whole number", httpStatus);
    failure.httpStatus = httpStatus;
  }
  if (retryable !== undefined && retryable !== null) {
    if (typeof retryable !== "boolean") throw malformed(where, "failure.retryable must be true or false", retryable);
    failure.retryable = retryable;
  }
  return Object.freeze(failure);
}
