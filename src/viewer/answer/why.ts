// Owns why a trial did not pass: the lines that its page begins with.

import type { GateForm, ScoreForm, TrialAnswer, TurnForm, WhyLine } from "./form.ts";

const SHOWN = 6;
const WORDS = 200;

const firstLine = (text: string): string => text.split("\n", 1)[0]?.slice(0, WORDS) ?? "";

/** Each thing that does not hold, in the order of the conversation. */
export function whyOf({ outcome, turns, whole, error }: Pick<TrialAnswer, "outcome" | "turns" | "whole" | "error">, single: boolean): Pick<TrialAnswer, "why" | "moreWhy"> {
  if (outcome === "passed" || outcome === "skipped") return { why: [], moreWhy: 0 };
  const lines: WhyLine[] = error === undefined ? [] : [{ kind: "error", id: error.code, words: firstLine(error.message) }];
  for (const turn of turns) lines.push(...linesOf(turn, single ? undefined : turn.turn));
  lines.push(...linesOf(whole, undefined));
  return { why: lines.slice(0, SHOWN), moreWhy: Math.max(0, lines.length - SHOWN) };
}

function linesOf({ claims, gates, scores, error }: Pick<TurnForm, "claims" | "gates" | "scores" | "error">, turn: number | undefined): readonly WhyLine[] {
  return [
    ...(error === undefined ? [] : [{ turn, kind: "error", id: error.code, words: firstLine(error.message) } as const]),
    ...claims.filter(({ passed }) => !passed).map((claim) => ({ turn, kind: "claim", label: claim.label, id: claim.id, words: firstLine(claim.quote === undefined ? claim.rationale : `“${claim.quote}”`) }) as const),
    ...gates.filter(({ passed }) => !passed).map((gate) => ({ turn, kind: gate.kind, id: gate.id, words: firstLine(gateWords(gate)) }) as const),
    ...scores.filter(({ passed, error: failed }) => passed === false || failed !== undefined).map((score) => ({ turn, kind: "score", id: score.id, words: firstLine(scoreWords(score)) }) as const),
  ];
}

const gateWords = ({ diagnostic, error }: GateForm): string => error ?? diagnostic?.text ?? "does not hold";

export function scoreWords({ score, threshold, thresholdMax, reason, error, notScorable }: ScoreForm): string {
  if (error !== undefined) return error;
  if (score === undefined) return notScorable ?? "not scored";
  const bar = threshold !== undefined && score < threshold ? `, below the threshold of ${threshold.toFixed(2)}` : thresholdMax !== undefined && score > thresholdMax ? `, above the most of ${thresholdMax.toFixed(2)}` : "";
  return `${score.toFixed(2)}${bar}${reason === undefined ? "" : `: ${reason}`}`;
}
