// Owns the parts that a run consists of, whatever Mastra wrote it as: chunks of an agent, of a network or of a workflow, or a whole result.

/** A call was issued: of a tool, of an agent or a workflow that an agent delegates to, or of a workflow's step. */
export interface CallPart {
  readonly kind: "call";
  readonly rawId: string;
  readonly toolName: string;
  readonly args: unknown;
  /** The arguments as the model wrote them, where the part itself holds them. */
  readonly argsJson?: string | undefined;
  readonly providerExecuted: boolean;
  /** A step of a workflow: `plan.inc` is a step within the step `plan`. */
  readonly step: boolean;
}

/** How a call ended. `toolName` and `args` are the call's, where the source repeats them. */
export interface EndPart {
  readonly kind: "end";
  readonly rawId: string;
  readonly toolName?: string | undefined;
  readonly args?: unknown;
  readonly end: End;
}

/** A result, or what was thrown. `flagged`: a result that the source itself marks as an error. */
export type End =
  | { readonly kind: "result"; readonly value: unknown; readonly flagged: boolean }
  | { readonly kind: "error"; readonly value: unknown };

/** Somebody is asked: to allow a call, or for what a call needs that suspended itself. */
export interface RequestPart {
  readonly kind: "request";
  readonly rawId: string;
  readonly toolName: string;
  readonly args: unknown;
  readonly by: "approval" | "suspension";
  /** What a suspended call says it waits for. */
  readonly payload?: unknown;
}

export interface DecisionPart {
  readonly kind: "decision";
  readonly rawId: string;
  readonly toolName?: string | undefined;
  readonly args?: unknown;
  readonly approved: boolean;
  readonly reason?: string | undefined;
}

/** What was seen of the end of a run. */
export type SeenEnd =
  | { readonly kind: "aborted"; readonly reason?: string | undefined }
  /** Without an error it is that of the last call that failed. */
  | { readonly kind: "failed"; readonly error?: unknown }
  | { readonly kind: "tripwire"; readonly reason?: string | undefined; readonly processor?: string | undefined }
  | { readonly kind: "suspended" }
  | { readonly kind: "finished"; readonly reason?: string | undefined; readonly rawReason?: string | undefined };

export type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "input_start"; readonly rawId: string }
  | { readonly kind: "input_delta"; readonly rawId: string; readonly delta: string }
  | CallPart
  | EndPart
  /** What a call gives out before its end: a chunk of the run within it, or any other value. Without an id it is of the open call of that name. */
  | { readonly kind: "output"; readonly rawId: string; readonly toolName?: string | undefined; readonly output: unknown }
  | RequestPart
  | DecisionPart
  /** The tool goes on in the background: the next result of the call says no more than that. */
  | { readonly kind: "background"; readonly rawId: string }
  | { readonly kind: "step_start" }
  /** `retracted`: a processor refused what the step said. */
  | { readonly kind: "step_end"; readonly usage: unknown; readonly retracted: boolean }
  /** A model call that no step tells of. */
  | { readonly kind: "usage"; readonly usage: unknown }
  | { readonly kind: "end_of_run"; readonly end: SeenEnd }
  | { readonly kind: "unknown"; readonly type: string };
