// Owns one judging of one result: the request, the answer read defensively, and the record of how the judge came to it.

import { freezeDeep } from "../core/freeze-deep.ts";
import type { Claim } from "../core/claim.ts";
import { wholeNanoseconds } from "../core/duration.ts";
import type { Judge, JudgeAttempt } from "../core/judge.ts";
import { validateJudgments, type Judgment } from "../core/judgment.ts";
import type { ReportJudgment } from "../core/report.ts";
import type { Scope } from "../core/scope.ts";
import { wireSafe } from "../core/wire-safe.ts";
import { reportJudgments } from "./grade.ts";
import type { Settled } from "./limit.ts";

export interface Judging {
  readonly judge: Judge;
  readonly output: string;
  readonly claims: readonly Claim[];
  readonly reference: string;
  readonly signal: AbortSignal;
  readonly scope: Scope;
  /** Calls within the attempt's limit. */
  readonly within: (call: () => Promise<readonly Judgment[]>) => Promise<Settled<readonly Judgment[]>>;
  readonly record: (attempt: JudgeAttempt) => void;
}

export type Judged = { readonly kind: "judged"; readonly judgments: readonly ReportJudgment[] } | { readonly kind: "threw"; readonly thrown: unknown } | { readonly kind: "abandoned" };

/** Calls the judge once. `threw` is what the judge threw, or the first fault of its answer. It never rejects. */
export async function judgeResult({ judge, output, claims, reference, signal, scope, within, record }: Judging): Promise<Judged> {
  let open = true;
  const settled = await within(async () =>
    judge.judge({
      output,
      claims,
      reference,
      signal,
      scope,
      record(attempt) {
        if (open) record(readAttempt(attempt));
      },
    }),
  );
  open = false;
  if (settled.kind !== "returned") return settled;
  try {
    const judgments = readJudgments(settled.value);
    validateJudgments(claims, judgments);
    return { kind: "judged", judgments: reportJudgments(claims, judgments) };
  } catch (thrown) {
    return { kind: "threw", thrown };
  }
}

/** Known members alone, each read once; whether they are right is `validateJudgments`' to say. */
function readJudgments(value: readonly Judgment[]): readonly Judgment[] {
  if (!Array.isArray(value)) return value;
  return Array.from(value as readonly (Judgment | null | undefined)[], (judgment) => {
    if (typeof judgment !== "object" || judgment === null) return judgment as unknown as Judgment;
    const { claimId, label, rationale, quote } = judgment;
    return { claimId, label, rationale, ...(typeof quote === "string" && quote !== "" && { quote }) };
  });
}

/** A custom judge may record anything; a report holds plain data. */
export function readAttempt(attempt: JudgeAttempt): JudgeAttempt {
  const copy = wireSafe(attempt);
  if (typeof copy !== "object" || copy === null || Array.isArray(copy)) return { durationMs: 0 };
  const { durationMs } = copy as { readonly durationMs?: unknown };
  return freezeDeep({ ...copy, durationMs: typeof durationMs === "number" ? wholeNanoseconds(Math.max(0, durationMs)) : 0 });
}
