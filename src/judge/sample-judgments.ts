// Owns the drawing of judgments for people to label: some at random, which speak for all, and some of what passed and what failed, which show the errors.

import { EntailError } from "../core/error.ts";
import { createRandom } from "../stats/random.ts";
import type { JudgedClaim } from "./judged-claim.ts";
import type { LabelledRow } from "./labelled-row.ts";

export interface SampleOptions {
  /** How many rows; fewer where the run has fewer. */
  readonly count: number;
  /** How many of them are drawn at random; three in five when absent. The others come half from what passed and half from what failed. */
  readonly random?: number | undefined;
  /** The same seed draws the same rows; 1 when absent. */
  readonly seed?: number | undefined;
  readonly suiteId: string;
  readonly runId?: string | undefined;
  readonly fingerprint?: string | undefined;
  /** What the judge was shown of the evidence, where it was. */
  readonly evidenceOf?: ((claim: JudgedClaim) => string | undefined) | undefined;
}

/** Rows without a label, in the order of the run. A row that is drawn once is not drawn again. Throws `option_invalid` for a number that is none. */
export function sampleJudgments(claims: readonly JudgedClaim[], options: SampleOptions): readonly LabelledRow[] {
  const { count, random: atRandom = Math.ceil((count * 3) / 5), seed = 1 } = options;
  for (const [name, value] of Object.entries({ count, random: atRandom, seed })) {
    if (!Number.isSafeInteger(value) || value < 0) throw new EntailError("option_invalid", `sampleJudgments needs ${name} as a whole number, not ${String(value)}`);
  }
  const random = createRandom(seed);
  const drawn = new Map<number, LabelledRow["drawn"]>();
  const draw = (from: readonly number[], most: number, how: LabelledRow["drawn"]): void => {
    const left = from.filter((at) => !drawn.has(at));
    for (let taken = 0; taken < most && left.length > 0; taken++) {
      const at = random.below(left.length);
      drawn.set(left[at] as number, how);
      left[at] = left.at(-1) as number;
      left.pop();
    }
  };
  const all = claims.map((_, at) => at);
  const passed = (at: number): boolean => claims[at]?.judgment.passed === true;
  draw(all, Math.min(atRandom, count), "random");
  const rest = count - drawn.size;
  draw(all.filter((at) => !passed(at)), Math.ceil(rest / 2), "by_label");
  draw(all.filter(passed), count - drawn.size, "by_label");
  // Where too few passed, more of what failed.
  draw(all, count - drawn.size, "by_label");
  return [...drawn.keys()].sort((a, b) => a - b).map((at) => rowOf(claims[at] as JudgedClaim, drawn.get(at), options));
}

function rowOf(claim: JudgedClaim, drawn: LabelledRow["drawn"], { suiteId, runId, fingerprint, evidenceOf }: SampleOptions): LabelledRow {
  const { scenario, trial, turn, output, reference, judgment } = claim;
  const evidence = evidenceOf?.(claim);
  return {
    output,
    reference,
    ...(evidence !== undefined && evidence !== "" && { evidence }),
    claim: { id: claim.claim.id, text: claim.claim.text, ...(claim.claim.quote === true && { quote: true }) },
    drawn,
    judged: { label: judgment.label, rationale: judgment.rationale, ...(fingerprint !== undefined && { fingerprint }) },
    from: { suiteId, scenario, trial, ...(runId !== undefined && { runId }), ...(turn !== undefined && { turn }) },
  };
}
