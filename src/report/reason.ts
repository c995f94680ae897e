// Owns the reasons why a scenario did not pass, read from its report once for every form that tells them: terminal, JUnit, Markdown, annotations, CSV.

import type { Label } from "../core/label.ts";
import type { ReportError, ReportJudgment, ScenarioReport } from "../core/report.ts";
import type { ScoreRecord } from "../core/score.ts";
import { apart } from "./number-text.ts";

interface Placed {
  /** The turn it is about, counted from 1; absent for the whole. */
  readonly turn?: number | undefined;
}

export type Reason = Placed &
  (
    | { readonly kind: "error"; readonly code: string; readonly stage: string; readonly message: string }
    | { readonly kind: "check"; readonly name: string; readonly diagnostic: string }
    | { readonly kind: "claim"; readonly id: string; readonly text: string; readonly label: Label; readonly expect: Label; readonly rationale: string; readonly quote?: string | undefined }
    | { readonly kind: "score"; readonly id: string; readonly gate: boolean; readonly measure: string; readonly reason: string }
  );

export interface Reasons {
  /** Those of the whole first, then those of its turns in order. */
  readonly reasons: readonly Reason[];
  /** What held beside them, turns included. */
  readonly held: { readonly checks: number; readonly claims: number; readonly scores: number };
  /** Turns that were never sent. */
  readonly notReached: number;
}

export function reasonsOf(report: ScenarioReport): Reasons {
  const { checks = [], claims = [] } = report.result ?? {};
  const { turns = [], error } = report;
  const texts = new Map([...claims, ...turns.flatMap((turn) => turn.claims ?? [])].map((claim) => [claim.id, claim.text]));
  // A turn's records may stand in the list of the whole as well.
  const scores = distinct([...(report.scores ?? []), ...turns.flatMap((turn) => (turn.scores ?? []).map((score) => ({ ...score, turn: score.turn ?? turn.turn })))], (score) => [score.turn, score.kind, score.id]);
  const judged = distinct([...(report.judgments ?? []).map((judgment) => ({ judgment, turn: undefined })), ...turns.flatMap(({ turn, judgments = [] }) => judgments.map((judgment) => ({ judgment, turn })))], ({ judgment }) => [judgment.claimId, judgment.label, judgment.rationale]);
  const missed = scores.filter((score) => score.passed === false || score.error !== undefined);
  // A gate is a check too, and would be told twice.
  const gates = new Set(scores.filter(({ kind }) => kind === "gate").map(({ id, turn, passed }) => JSON.stringify([turn === undefined ? id : `turn ${turn + 1}: ${id}`, passed])));
  const own = checks.filter(({ name, passed }) => !gates.has(JSON.stringify([name, passed])));

  const errors = [...(error === undefined || report.skip !== undefined ? [] : [errorReason(error, undefined)]), ...turns.flatMap(({ turn, error: broken }) => (broken === undefined || sameError(broken, error) ? [] : [errorReason(broken, turn)]))];
  const broken = own.flatMap((check): Reason[] => (check.passed ? [] : [{ kind: "check", name: check.name, diagnostic: check.diagnostic }]));
  const contradicted = judged.filter(({ judgment }) => !judgment.passed).map(({ judgment, turn }) => claimReason(judgment, texts, turn));
  const all = [...errors, ...broken, ...contradicted, ...missed.map(scoreReason)];
  return {
    reasons: [...all].sort((a, b) => (a.turn ?? 0) - (b.turn ?? 0)),
    held: { checks: own.filter((check) => check.passed).length, claims: judged.filter(({ judgment }) => judgment.passed).length, scores: scores.filter((score) => score.passed === true && score.error === undefined).length },
    notReached: turns.filter((turn) => turn.outcome === "not_reached").length,
  };
}

const counted = (turn: number | undefined): Placed => (turn === undefined ? {} : { turn: turn + 1 });

function errorReason({ code, stage, message }: ReportError, turn: number | undefined): Reason {
  return { ...counted(turn), kind: "error", code, stage, message };
}

function sameError(a: ReportError, b: ReportError | undefined): boolean {
  return a.code === b?.code && a.message === b.message;
}

function claimReason({ claimId, label, expect = "entailed", rationale, quote }: ReportJudgment, texts: ReadonlyMap<string, string>, turn: number | undefined): Reason {
  return { ...counted(turn), kind: "claim", id: claimId, text: texts.get(claimId) ?? "", label, expect, rationale, quote };
}

function scoreReason(record: ScoreRecord): Reason {
  const { id, kind, turn, reason = "", error } = record;
  return { ...counted(turn), kind: "score", id, gate: kind === "gate", measure: measureText(record), reason: error ?? reason };
}

function measureText({ kind, score, threshold, thresholdMax, error, reason }: ScoreRecord): string {
  if (error !== undefined) return "could not be scored";
  // A gate holds or does not; that it has 0 says no more than its reason.
  if (score === undefined || (kind === "gate" && score === 0 && reason !== undefined)) return "";
  if (thresholdMax !== undefined && score > thresholdMax) return bar(score, thresholdMax, "above");
  return threshold === undefined ? score.toFixed(2) : bar(score, threshold, "below");
}

function bar(score: number, threshold: number, where: string): string {
  const [measured, wanted] = apart(score, threshold);
  return `${measured}, ${where} ${wanted}`;
}

function distinct<Item>(items: readonly Item[], key: (item: Item) => unknown): readonly Item[] {
  const seen = new Map<string, Item>();
  for (const item of items) {
    const name = JSON.stringify(key(item));
    if (!seen.has(name)) seen.set(name, item);
  }
  return [...seen.values()];
}

/** The first reason on one line, as texts of others wrote it; empty where there is none. */
export function firstReason(report: ScenarioReport): string {
  if (report.outcome === "skipped" && report.skip !== undefined) return report.skip;
  const [reason] = reasonsOf(report).reasons;
  return reason === undefined ? "" : reasonLine(reason);
}

/** `turn 2: gate check-called-tool: get_weather was not called`. */
export function reasonLine(reason: Reason): string {
  const rest = (...texts: readonly string[]): string => texts.filter((text) => text !== "").join("; ");
  const place = turnWords(reason);
  switch (reason.kind) {
    case "error":
      return `${place}${reason.stage}: ${reason.message}`;
    case "check":
      return `${place}${reason.name}: ${reason.diagnostic}`;
    case "claim":
      return `${place}${reason.id}: ${labelWords(reason.label)}${expectedWords(reason)}. ${reason.rationale}`;
    case "score":
      return `${place}${reason.gate ? "gate " : ""}${reason.id}: ${rest(reason.measure, reason.reason)}`;
    default:
      return reason satisfies never;
  }
}

/** The same in full, in lines. */
export function reasonText(reason: Reason): string {
  if (reason.kind !== "claim") return reason.kind === "error" ? `${turnWords(reason)}${reason.code} at ${reason.stage}\n${reason.message}` : reasonLine(reason);
  const { id, text, label, rationale, quote } = reason;
  const lines = [`${turnWords(reason)}${id}: ${labelWords(label)}${expectedWords(reason)}`, text === "" ? "" : `claim: ${text}`, `why: ${rationale}`, quote === undefined ? "" : `quote: “${quote}”`];
  return lines.filter((line) => line !== "").join("\n");
}

/** `turn 2: `, or nothing. */
export function turnWords({ turn }: Placed): string {
  return turn === undefined ? "" : `turn ${turn}: `;
}

export function expectedWords({ expect }: { readonly expect: Label }): string {
  return expect === "entailed" ? "" : `, ${labelWords(expect)} was expected`;
}

export function labelWords(label: Label): string {
  return label.replaceAll("_", " ");
}
