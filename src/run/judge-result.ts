// Owns one judging of one result: the request, the answer read defensively, and the record of how the judge came to it.

import { freezeDeep } from "../core/freeze-deep.ts";
import type { Claim } from "../core/claim.ts";
import type { Evidence } from "../core/evidence.ts";
import { wholeNanoseconds } from "../core/duration.ts";
import type { Judge, JudgeAttempt } from "../core/judge.ts";
import { validateJudgments, type Judgment, type Vote } from "../core/judgment.ts";
import { isLabel } from "../core/label.ts";
import type { ReportJudgment } from "../core/report.ts";
import type { Scope } from "../core/scope.ts";
import { wireSafe } from "../core/wire-safe.ts";
import { checkQuotes, quoteFinder } from "../judge/quote.ts";
import { renderEvidence } from "../judge/render-evidence.ts";
import { reportJudgments } from "./grade.ts";
import type { Settled } from "./limit.ts";

export interface Judging {
  readonly judge: Judge;
  readonly output: string;
  readonly claims: readonly Claim[];
  readonly reference: string;
  /** For a judge that is shown it. */
  readonly evidence: Evidence | undefined;
  /** Told where not all of the evidence fitted in: so many characters were left out. */
  readonly evidenceCut: (leftOut: number) => void;
  readonly signal: AbortSignal;
  readonly scope: Scope;
  /** Calls within the attempt's limit. */
  readonly within: (call: () => Promise<readonly Judgment[]>) => Promise<Settled<readonly Judgment[]>>;
  readonly record: (attempt: JudgeAttempt) => void;
}

export type Judged = { readonly kind: "judged"; readonly judgments: readonly ReportJudgment[] } | { readonly kind: "threw"; readonly thrown: unknown } | { readonly kind: "abandoned" };

/** Calls the judge once. `threw` is what the judge threw, or the first fault of its answer. It never rejects. */
export async function judgeResult({ judge, output, claims, reference, evidence, evidenceCut, signal, scope, within, record }: Judging): Promise<Judged> {
  let open = true;
  let shown: string | undefined;
  const settled = await within(async () => {
    shown = judge.judgeEvidence === true ? rendered(evidence, evidenceCut) : undefined;
    return judge.judge({
      output,
      claims,
      reference,
      ...(shown !== undefined && { evidence: shown }),
      signal,
      scope,
      record(attempt) {
        if (open) record(readAttempt(attempt));
      },
    });
  });
  open = false;
  if (settled.kind !== "returned") return settled;
  try {
    const judgments = readJudgments(settled.value);
    validateJudgments(claims, judgments);
    checkQuotes(claims, judgments, quoteFinder({ output, reference, evidence: shown }));
    return { kind: "judged", judgments: reportJudgments(claims, judgments) };
  } catch (thrown) {
    return { kind: "threw", thrown };
  }
}

function rendered(evidence: Evidence | undefined, evidenceCut: (leftOut: number) => void): string | undefined {
  const { text, leftOut } = renderEvidence(evidence);
  if (leftOut > 0) evidenceCut(leftOut);
  return text === "" ? undefined : text;
}

/** Known members alone, each read once; whether they are right is `validateJudgments`' to say. */
function readJudgments(value: readonly Judgment[]): readonly Judgment[] {
  if (!Array.isArray(value)) return value;
  return Array.from(value as readonly (Judgment | null | undefined)[], (judgment) => {
    if (typeof judgment !== "object" || judgment === null) return judgment as unknown as Judgment;
    const { claimId, label, rationale, quote, votes } = judgment;
    const read = readVotes(votes);
    return { claimId, label, rationale, ...(typeof quote === "string" && quote !== "" && { quote }), ...(read.length > 0 && { votes: read }) };
  });
}

/** A panel's votes as a report holds them; what is none is left out. */
function readVotes(votes: unknown): readonly Vote[] {
  const copy = votes === undefined ? undefined : wireSafe(votes);
  if (!Array.isArray(copy)) return [];
  return (copy as readonly (Partial<Vote> | null)[]).flatMap((vote) => {
    const { judge, label, rationale, quote } = vote ?? {};
    if (typeof judge !== "string" || !isLabel(label) || typeof rationale !== "string") return [];
    return [{ judge, label, rationale, ...(typeof quote === "string" && quote !== "" && { quote }) }];
  });
}

/** A custom judge may record anything; a report holds plain data. */
export function readAttempt(attempt: JudgeAttempt): JudgeAttempt {
  const copy = wireSafe(attempt);
  if (typeof copy !== "object" || copy === null || Array.isArray(copy)) return { durationMs: 0 };
  const { durationMs } = copy as { readonly durationMs?: unknown };
  return freezeDeep({ ...copy, durationMs: typeof durationMs === "number" ? wholeNanoseconds(Math.max(0, durationMs)) : 0 });
}
