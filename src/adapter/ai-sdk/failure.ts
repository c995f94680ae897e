// Owns what an error of the AI SDK, of a tool or of a provider means as evidence: a tool's failure and its kind.

import type { FailureKind, ToolFailure } from "../../core/evidence.ts";
import { thrownCause, thrownKind } from "../../core/thrown.ts";

/** Names of the SDK's errors for calls that break their contract. */
const KIND_BY_NAME: ReadonlyMap<string, FailureKind> = new Map([
  ["AI_NoSuchToolError", "invalid_call"],
  ["AI_InvalidToolInputError", "invalid_call"],
  ["AI_ToolCallRepairError", "invalid_call"],
]);

/** The failure of a call that the SDK itself refused: its arguments or its tool break the contract. */
export function invalidCall(error: unknown): ToolFailure {
  return { kind: "invalid_call", error: thrownCause(error) };
}

/** The failure of a call whose tool threw, or whose provider gave an error back. `said` is the application's own word for its kind. */
export function toolFailure(error: unknown, said: FailureKind | undefined): ToolFailure {
  return { kind: said ?? thrownKind(error, KIND_BY_NAME), error: thrownCause(error) };
}
