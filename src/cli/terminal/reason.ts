// Owns the reasons why a scenario did not pass, from its report: what the terminal prints in full, and in one line.

import type { Label } from "../../core/label.ts";
import type { ScenarioReport } from "../../core/report.ts";
import { apart } from "./number-text.ts";

export type Reason =
  | { readonly kind: "error"; readonly code: string; readonly stage: string; readonly message: string }
  | { readonly kind: "check"; readonly name: string; readonly diagnostic: string }
  | { readonly kind: "claim"; readonly id: string; readonly text: string; readonly label: Label; readonly expect: Label; readonly rationale: string; readonly quote?: string | undefined }
  | { readonly kind: "score"; readonly id: string; readonly gate: boolean; readonly measure: string; readonly reason: string };

export interface Reasons {
  readonly reasons: readonly Reason[];
  /** What held beside it: `3 checks`, `1 claim`. */
  readonly held: { readonly checks: number; readonly claims: number; readonly scores: number };
}

export function reasonsOf(report: ScenarioReport): Reasons {
  const { checks = [], claims = [] } = report.result ?? {};
  const { judgments = [], scores = [], error } = report;
  const texts = new Map(claims.map((claim) => [claim.id, claim.text]));
  const reasons: Reason[] = [];
  if (error !== undefined && report.skip === undefined) reasons.push({ kind: "error", code: error.code, stage: error.stage, message: error.message });
  for (const check of checks) {
    if (!check.passed) reasons.push({ kind: "check", name: check.name, diagnostic: check.diagnostic });
  }
  for (const { passed, claimId, label, expect = "entailed", rationale, quote } of judgments) {
    if (!passed) reasons.push({ kind: "claim", id: claimId, text: texts.get(claimId) ?? "", label, expect, rationale, quote });
  }
  const missed = scores.filter((score) => score.passed === false || score.error !== undefined);
  for (const { id, kind, score, threshold, reason = "", error: broken } of missed) {
    reasons.push({ kind: "score", id, gate: kind === "gate", measure: measureText(score, threshold), reason: broken ?? reason });
  }
  return {
    reasons,
    held: { checks: checks.filter((check) => check.passed).length, claims: judgments.filter((judgment) => judgment.passed).length, scores: scores.filter((score) => score.passed === true).length },
  };
}

function measureText(score: number | undefined, threshold: number | undefined): string {
  if (score === undefined) return "";
  if (threshold === undefined) return score.toFixed(2);
  const [measured, wanted] = apart(score, threshold);
  return `${measured}, below ${wanted}`;
}

/** The first reason on one line, not yet made printable. */
export function firstReason(report: ScenarioReport): string {
  if (report.outcome === "skipped" && report.skip !== undefined) return report.skip;
  const reason = reasonsOf(report).reasons[0];
  switch (reason?.kind) {
    case undefined:
      return "";
    case "error":
      return `${reason.stage}: ${reason.message}`;
    case "check":
      return `${reason.name}: ${reason.diagnostic}`;
    case "claim":
      return `${reason.id}: ${labelWords(reason.label)}. ${reason.rationale}`;
    case "score":
      return `${reason.id}: ${[reason.measure, reason.reason].filter((text) => text !== "").join("; ")}`;
    default:
      return reason satisfies never;
  }
}

export function labelWords(label: Label): string {
  return label.replace("_", " ");
}
