// Owns how a call of Mastra's failed, as far as its end shows it: what was thrown, what Mastra itself refused, and what it hands to the
// model as a result although it is none.

import type { FailureKind, ToolFailure } from "../../core/evidence.ts";
import { flagMember, member, namesOf, textMember } from "../../core/member.ts";
import { thrownCause, thrownKind, thrownMessage } from "../../core/thrown.ts";
import type { End } from "./part.ts";

const KIND_BY_NAME: ReadonlyMap<string, FailureKind> = new Map([
  ["ToolNotFoundError", "invalid_call"],
  ["AI_NoSuchToolError", "invalid_call"],
  ["AI_InvalidToolInputError", "invalid_call"],
]);

/** How Mastra begins the message of a result that it made itself, because something did not fit its schema. */
const REFUSALS: readonly (readonly [prefix: string, kind: FailureKind])[] = [
  ["Tool input validation failed", "invalid_call"],
  ["Tool output validation failed", "malformed_result"],
  ["Tool suspension data validation failed", "internal"],
  ["Request context validation failed", "internal"],
];

/** The kind of a refusal: a tool's own result that happens to hold an `error` is none. */
function refusalKind(value: unknown): FailureKind | undefined {
  if (!flagMember(value, "error") || member(value, "validationErrors") === undefined) return undefined;
  const message = textMember(value, "message") ?? "";
  return REFUSALS.find(([prefix]) => message.startsWith(prefix))?.[1];
}

/** A workflow that an agent delegated to and that failed: Mastra gives the model `{ error, runId }`. */
function isFailedWorkflow(toolName: string, value: unknown): boolean {
  return toolName.startsWith("workflow-") && textMember(value, "error") !== undefined && textMember(value, "runId") !== undefined && namesOf(value).length === 2;
}

/** What was thrown, without the errors that Mastra wraps around it with the same words. */
function unwrapped(error: unknown, depth = 0): unknown {
  const cause = member(error, "cause");
  const wraps = textMember(error, "domain") !== undefined && textMember(error, "category") !== undefined && textMember(cause, "message") === textMember(error, "message");
  return wraps && depth < 8 ? unwrapped(cause, depth + 1) : error;
}

function thrownFailure(toolName: string, error: unknown, said: FailureKind | undefined): ToolFailure {
  // A stored message holds no more of an error than its text.
  const unknownTool = thrownMessage(error).startsWith(`Tool ${JSON.stringify(toolName)} not found`);
  return { kind: said ?? (unknownTool ? "invalid_call" : thrownKind(error, KIND_BY_NAME)), error: thrownCause(unwrapped(error)) };
}

/** How the call failed; `undefined` where it did not. `saidKind` is the application's word for the kind of what was thrown. */
export function endFailure(toolName: string, end: End, saidKind: ((toolName: string, error: unknown) => FailureKind | undefined) | undefined): ToolFailure | undefined {
  const { value } = end;
  if (end.kind === "error") return thrownFailure(toolName, value, saidKind?.(toolName, unwrapped(value)));
  const refused = refusalKind(value);
  if (refused !== undefined) return { kind: refused, error: { message: thrownMessage(value) } };
  if (isFailedWorkflow(toolName, value)) return thrownFailure(toolName, { message: textMember(value, "error") }, saidKind?.(toolName, value));
  return end.flagged ? thrownFailure(toolName, value, saidKind?.(toolName, value)) : undefined;
}
