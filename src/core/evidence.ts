// Owns evidence: what an agent's run did, in the order of cause, and how much of it could be seen.

import type { Usage } from "./usage.ts";

/** What an adapter can or cannot see of its framework's runs. */
export const OBSERVABLES = ["args", "results", "failureKinds", "parents", "approvals", "bounds", "deltas"] as const;
export type Observable = (typeof OBSERVABLES)[number];
export type Observes = { readonly [K in Observable]: boolean } & {
  /** Whether a call that failed can be told from one that succeeded, whatever is known of its kind; true when absent. */
  readonly failures?: boolean | undefined;
};

export const OBSERVES_EVERYTHING: Observes = Object.freeze({ args: true, results: true, failureKinds: true, parents: true, approvals: true, bounds: true, deltas: true });

/** How a run ended. */
export const TERMINAL_PHASES = ["completed", "failed", "cancelled", "suspended"] as const;
export type TerminalPhase = (typeof TERMINAL_PHASES)[number];

/**
 * Why a tool call failed. `invalid_call`: arguments or tool choice break the contract. `domain_rejection`: well-formed but refused.
 * `malformed_result`: the provider broke its own contract. `internal`: an invariant broke. `unknown`: the source does not say.
 */
export const FAILURE_KINDS = ["invalid_call", "domain_rejection", "unavailable", "rate_limited", "timeout", "malformed_result", "internal", "cancelled", "unknown"] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

export interface FailureCause {
  readonly message: string;
  readonly cause?: FailureCause | undefined;
}

export const FIELD_CONSTRAINTS = [
  "missing_field",
  "invalid_enum_value",
  "invalid_format",
  "invalid_pattern",
  "invalid_range",
  "invalid_length",
  "invalid_field_type",
  "unknown_field",
] as const;

export interface FieldIssue {
  readonly field: string;
  readonly constraint: (typeof FIELD_CONSTRAINTS)[number];
  readonly allowed?: readonly string[] | undefined;
  readonly minLen?: number | undefined;
  readonly maxLen?: number | undefined;
  readonly pattern?: string | undefined;
  readonly format?: string | undefined;
  readonly expectedJsonType?: string | undefined;
  readonly actualJsonType?: string | undefined;
}

/** What the agent may do about a failed call: `correct_call` may carry correction data, `replan` and `finish` may not. */
export interface Recovery {
  readonly action: "correct_call" | "replan" | "finish";
  readonly issues?: readonly FieldIssue[] | undefined;
  readonly priorInput?: Readonly<Record<string, unknown>> | undefined;
  readonly exampleJson?: Readonly<Record<string, unknown>> | undefined;
}

export interface ToolFailure {
  readonly kind: FailureKind;
  readonly error: FailureCause;
  readonly recovery?: Recovery | undefined;
}

/** How much of a bounded result came back. */
export interface Bounds {
  readonly returned: number;
  readonly total?: number | undefined;
  readonly truncated: boolean;
  readonly nextCursor?: string | undefined;
  readonly refinementHint?: string | undefined;
}

export interface ResultOmitted {
  readonly reason?: string | undefined;
  readonly bytes?: number | undefined;
}

/** Whether a person or policy had to allow the call, and what they said. `approved` means permitted, not executed. */
export type Approval = "pending" | "approved" | "denied";

export interface ToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The parsed arguments; the raw text where they are not JSON. */
  readonly args: unknown;
  /** Their canonical JSON text with every digit kept; the raw text where they are not JSON. */
  readonly argsJson: string;
  /** How the arguments came, where `args` is `{}` only because there were none. */
  readonly argsRaw?: "absent" | "null" | "empty" | undefined;
  readonly result?: unknown;
  readonly resultJson?: string | undefined;
  /** Set where the source left the result out on purpose. */
  readonly resultOmitted?: ResultOmitted | undefined;
  readonly failure?: ToolFailure | undefined;
  readonly bounds?: Bounds | undefined;
  readonly approval?: Approval | undefined;
  /** The call whose agent made this call. */
  readonly parentToolCallId?: string | undefined;
  /** The run that started the call. */
  readonly runId?: string | undefined;
  /** True once an end was seen: a result, or a failure. */
  readonly completed: boolean;
  /** True where that end came only after the root run's own end: the answer cannot rest on it. */
  readonly endedLate?: true | undefined;
  /** When its start was seen, in milliseconds since the collection began; absent where nobody looked at a clock, or all was there at once. */
  readonly startedMs?: number | undefined;
  /** When its end was seen. */
  readonly endedMs?: number | undefined;
  /** When a person or policy was asked to allow it. */
  readonly askedMs?: number | undefined;
  /** When they had decided. */
  readonly decidedMs?: number | undefined;
}

/** The confirmation that a run stopped at. */
export interface Confirmation {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly prompt: string;
  readonly args: unknown;
  readonly argsJson: string;
  readonly state: Approval;
}

/** Why a run failed. */
export interface RunFailure {
  readonly message: string;
  readonly debugMessage?: string | undefined;
  readonly provider?: string | undefined;
  readonly operation?: string | undefined;
  readonly kind?: string | undefined;
  readonly code?: string | undefined;
  readonly httpStatus?: number | undefined;
  readonly retryable?: boolean | undefined;
}

/** The end, seen in this run, of a call that an earlier run started. */
export interface Completion {
  readonly call: ToolCall;
  /** The root run that started the call. */
  readonly startedInRunId: string;
}

/** Events of a type that Entail does not know: they were left aside. */
export interface UnknownEvents {
  readonly type: string;
  readonly times: number;
}

/** A snapshot that nobody can change. */
export interface Evidence {
  readonly runId: string;
  readonly sessionId: string;
  /** The text that the root run said, joined as it came. */
  readonly answer: string;
  /** Every call of the whole tree of runs; a parent stands right before its children, siblings in the order of their start. */
  readonly toolCalls: readonly ToolCall[];
  /** The confirmation asked for last. */
  readonly confirmation?: Confirmation | undefined;
  /** Ends of calls that an earlier run started; only where this evidence continues another. */
  readonly completions?: readonly Completion[] | undefined;
  readonly terminalPhase?: TerminalPhase | undefined;
  readonly terminalFailure?: RunFailure | undefined;
  /** True once the root run's `run_stream_end` was seen: only then does an absence prove anything. */
  readonly ended: boolean;
  readonly observes: Observes;
  readonly usage?: Usage | undefined;
  /** How long was collected until the root run's end, or until now; in milliseconds. Absent where no time is known. Of a conversation the sum of its turns. */
  readonly durationMs?: number | undefined;
  /** In the order in which each type was first met. */
  readonly unknownEvents?: readonly UnknownEvents[] | undefined;
}
