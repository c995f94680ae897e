// Owns the parts of Goa-AI's payloads that have members of their own: bounds, failures, usage, what was left out.

import type { Bounds, ResultOmitted, RunFailure, ToolFailure } from "../../core/evidence.ts";
import { countMember, flagMember, listOf, member, recordOf } from "../../core/member.ts";
import type { Usage } from "../../core/usage.ts";
import { field, renamed, spelled } from "./spelling.ts";

/** What is malformed stays so: the collector refuses it and says why, which is better than a guess. */
export function boundsOf(value: unknown): Bounds | undefined {
  if (value === undefined) return undefined;
  if (recordOf(value) === undefined) return value as Bounds;
  const read = renamed(value, { returned: "returned", total: "total", truncated: "truncated", nextCursor: "next_cursor", refinementHint: "refinement_hint" });
  return read as unknown as Bounds;
}

export function omittedOf(body: unknown): ResultOmitted | undefined {
  const flag = spelled(body, "result_omitted");
  if (flag === undefined || !flagMember(body, flag)) return undefined;
  return renamed(body, { reason: "result_omitted_reason", bytes: "result_bytes" });
}

const ISSUE = { field: "field", constraint: "constraint", allowed: "allowed", minLen: "min_len", maxLen: "max_len", pattern: "pattern", format: "format", expectedJsonType: "expected_json_type", actualJsonType: "actual_json_type" } as const;

export function toolFailureOf(value: unknown): ToolFailure | undefined {
  if (value === undefined) return undefined;
  if (recordOf(value) === undefined) return value as ToolFailure;
  const read = renamed(value, { kind: "kind", error: "error", recovery: "recovery" });
  if ("error" in read) read["error"] = causeOf(read["error"]);
  if ("recovery" in read) read["recovery"] = recoveryOf(read["recovery"]);
  return read as unknown as ToolFailure;
}

const MAX_CAUSES = 200;

/** Deeper than anything real the rest is kept as it came; the collector bounds it. */
function causeOf(value: unknown, depth = 0): unknown {
  if (recordOf(value) === undefined || depth > MAX_CAUSES) return value;
  const read = renamed(value, { message: "message", cause: "cause" });
  if ("cause" in read) read["cause"] = causeOf(read["cause"], depth + 1);
  return read;
}

function recoveryOf(value: unknown): unknown {
  if (recordOf(value) === undefined) return value;
  const read = renamed(value, { action: "action", issues: "issues", priorInput: "prior_input", exampleJson: "example_json" });
  const issues = listOf(read["issues"]);
  if (issues !== undefined) read["issues"] = issues.map((issue) => (recordOf(issue) === undefined ? issue : renamed(issue, ISSUE)));
  return read;
}

export function runFailureOf(value: unknown): RunFailure | undefined {
  if (value === undefined) return undefined;
  if (recordOf(value) === undefined) return { message: typeof value === "string" && value !== "" ? value : "the run failed without saying why" };
  const read = renamed(value, {
    message: "message", debugMessage: "debug_message", provider: "provider", operation: "operation", kind: "kind", code: "code", httpStatus: "http_status", retryable: "retryable",
  });
  if (typeof read["message"] !== "string" || read["message"] === "") read["message"] = read["debugMessage"] ?? "the run failed without saying why";
  // Go writes what it does not know as 0.
  if (read["httpStatus"] === 0) delete read["httpStatus"];
  return read as unknown as RunFailure;
}

/** One model call. Go cannot say that a count is missing: a call that read nothing was not counted. */
export function usageOf(body: unknown): Usage {
  const count = (name: string): number | undefined => {
    const spelling = spelled(body, name);
    return spelling === undefined ? undefined : countMember(body, spelling);
  };
  const input = count("input_tokens");
  const output = count("output_tokens");
  const inputTokens = input === 0 ? undefined : input;
  const outputTokens = inputTokens === undefined && output === 0 ? undefined : output;
  const cachedInputTokens = count("cache_read_tokens");
  const reasoningTokens = count("reasoning_tokens");
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    ...(cachedInputTokens === undefined || inputTokens === undefined ? {} : { cachedInputTokens }),
    requests: 1,
    ...(inputTokens === undefined && outputTokens === undefined ? { unknownRequests: 1 } : {}),
  };
}

export function cancellationOf(value: unknown): { readonly reason?: string | undefined } | undefined {
  if (value === undefined) return undefined;
  const reason = typeof value === "string" ? value : (field(value, "reason") ?? member(value, "message"));
  return typeof reason === "string" && reason !== "" ? { reason } : {};
}
