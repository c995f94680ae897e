// Owns the one error class, its closed list of codes and the stages at which a run can break.

import type { Evidence } from "./evidence.ts";

/** Where in a run something broke. */
export const STAGES = ["selection", "calibration", "setup", "hook", "result", "score", "judge", "teardown", "store"] as const;
export type Stage = (typeof STAGES)[number];

/** Every code an `EntailError` can carry. Each has a heading in `docs/reference/errors.md`. */
export const ERROR_CODES = [
  // design
  "design_invalid",
  "bad_context",
  "design_member_unknown",
  "design_member_invalid",
  "suite_name_duplicate",
  "suite_name_invalid",
  "suite_description_missing",
  "suite_timeout_missing",
  "suite_empty",
  "agent_name_invalid",
  "agent_name_duplicate",
  "agent_unknown",
  "toolset_name_invalid",
  "toolset_name_duplicate",
  "toolset_not_exported",
  "toolset_unreachable",
  "package_missing",
  "tool_name_invalid",
  "tool_name_duplicate",
  "scenario_name_invalid",
  "scenario_description_missing",
  "hook_method_collision",
  "hook_method_reserved",
  "tag_invalid",
  "tag_duplicate",
  "timeout_unparsable",
  "timeout_not_positive",
  "timeout_too_long",
  "input_empty",
  "input_not_a_schema",
  "input_not_expressible",
  "input_format_unknown",
  "input_literal_and_schema",
  "schema_invalid",
  // binding hooks and inputs to a suite
  "suite_binding_invalid",
  "value_invalid",
  "tool_unreachable",
  "suite_invalid",
  // runner
  "concurrency_not_positive",
  "trials_not_positive",
  "retries_negative",
  "option_invalid",
  "selection_empty",
  "selection_no_scenarios",
  "selector_empty",
  "selector_duplicate",
  "selector_unknown",
  "calibration_failed",
  "deadline_exceeded",
  "cancelled",
  "bail_reached",
  "max_time_reached",
  "budget_reached",
  "scenario_skipped",
  "hook_threw",
  "target_failed",
  "simulated_user_failed",
  "setup_failed",
  "teardown_failed",
  "reporter_failed",
  "late_rejection",
  "run_not_passed",
  // result
  "result_not_an_object",
  "result_unreadable",
  "result_empty",
  "result_member_unknown",
  "result_member_invalid",
  "check_name_missing",
  "check_duplicate",
  "check_passed_with_diagnostic",
  "check_failed_without_diagnostic",
  "claim_incomplete",
  "claim_duplicate",
  "artifact_incomplete",
  "artifact_duplicate",
  "score_invalid",
  "score_duplicate",
  // data
  "data_invalid",
  "dataset_invalid",
  // scorers
  "scorer_invalid",
  "scorer_failed",
  "scorer_answer_invalid",
  "pattern_timeout",
  "text_too_long",
  "model_unresolved",
  // judge
  "judge_required",
  "judge_budget_not_positive",
  "judge_no_claims",
  "judge_schema_too_large",
  "judge_invalid_response",
  "judge_compromised",
  "judge_failed",
  "judgment_count_differs",
  "judgment_claim_unknown",
  "judgment_duplicate",
  "judgment_label_invalid",
  "judgment_rationale_missing",
  "judgment_quote_missing",
  "judgment_quote_not_found",
  "labels_invalid",
  // model
  "provider_failed",
  "provider_response_invalid",
  "model_class_missing",
  "model_setting_lost",
  "model_unresolved",
  "recording_missing",
  "recording_scope_missing",
  "recording_unreadable",
  "gateway_request_invalid",
  "gateway_unauthorized",
  // evidence
  "event_invalid",
  "tool_start_duplicate",
  "tool_end_unknown",
  "tool_end_duplicate",
  "tool_end_mismatch",
  "tool_failure_invalid",
  "causal_orphan",
  "session_foreign",
  "continuation_invalid",
  "message_unreadable",
  "stream_incomplete",
  "evidence_incomplete",
  "not_observable",
  "expectation_invalid",
  "contract_broken",
  // report
  "report_unreadable",
  "baseline_missing",
  "baseline_unreadable",
  "baseline_refused",
  // store
  "store_url_invalid",
  "store_unreadable",
  "store_unwritable",
  "store_newer",
  "run_unknown",
  "run_exists",
  "run_held",
  "run_not_resumable",
  // viewer
  "viewer_address_unknown",
  "viewer_not_built",
  "viewer_port_taken",
  // json
  "json_invalid",
  "json_duplicate_member",
  "json_lone_surrogate",
  // command line
  "usage_invalid",
  "config_invalid",
  "env_file_missing",
  "eval_file_not_found",
  "eval_file_broken",
  "eval_file_empty",
  "eval_todo_open",
  "design_not_found",
  "design_stale",
  "suite_id_duplicate",
  "nothing_to_run",
  "output_unwritable",
  "node_too_old",
  "import_extension_refused",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** One of several faults that are reported together. */
export interface Fault {
  readonly code: ErrorCode;
  /** Where it is, in the author's terms: `suite "chat", scenario "greeting"`, `inputs.alarmInventory.user_id`. */
  readonly place: string;
  /** What is wrong and what would mend it, in one sentence. */
  readonly message: string;
}

export interface EntailErrorOptions {
  readonly cause?: unknown;
  /** All faults, where the error reports several at once; its message then has a line for each. */
  readonly faults?: readonly Fault[];
  /** Where a run stood, when the thrower knows it. */
  readonly stage?: Stage;
  /** What was seen of the agent's run before this error. */
  readonly evidence?: Evidence;
  /** Mastra's id for the same error, where it has one. */
  readonly id?: string;
}

/**
 * The one error that Entail throws. A wrong answer of an agent is never an error: it is a failed check or claim.
 * Recognise it by `name` and `code` (`isEntailError`), which also works across two copies of the package.
 */
export class EntailError extends Error {
  override readonly name = "EntailError";
  readonly code: ErrorCode;
  readonly stage: Stage | undefined;
  readonly faults: readonly Fault[];
  /** What was seen of the agent's run before this error, where something was; it is no own member elsewhere. */
  declare readonly evidence?: Evidence;
  /** Mastra's id for the same error (`INVALID_SCORER_THRESHOLD`); it is no own member where Mastra has none. */
  declare readonly id?: string;

  constructor(code: ErrorCode, message: string, options: EntailErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.stage = options.stage;
    this.faults = options.faults ?? [];
    if (options.evidence !== undefined) this.evidence = options.evidence;
    if (options.id !== undefined) this.id = options.id;
  }
}

/** True for an `EntailError` of this or another copy of the package. */
export function isEntailError(value: unknown): value is EntailError {
  try {
    return value instanceof Error && value.name === "EntailError" && typeof (value as { code?: unknown }).code === "string";
  } catch {
    // What throws when it is looked at is no error of ours.
    return false;
  }
}

/** The text of whatever was thrown, also where it is no `Error` or its `message` throws. */
export function messageOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) {
      const { message, name }: { readonly message: unknown; readonly name: unknown } = thrown;
      return typeof message === "string" && message !== "" ? message : String(name);
    }
    if (typeof thrown === "string") return thrown;
    const text = JSON.stringify(thrown) as string | undefined;
    return text ?? String(thrown);
  } catch {
    return "something was thrown that cannot be read";
  }
}
