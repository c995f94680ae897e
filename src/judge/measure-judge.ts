// Owns the measuring of a judge: its labels against those of people, over rows that nobody tuned it on.

import type { Clock } from "../core/clock.ts";
import { wholeNanoseconds } from "../core/duration.ts";
import { EntailError, isEntailError } from "../core/error.ts";
import type { Judge, JudgeAttempt, JudgeIdentity } from "../core/judge.ts";
import { validateJudgments } from "../core/judgment.ts";
import type { Label } from "../core/label.ts";
import { sha256 } from "../core/sha-256.ts";
import { addUsage, type Usage } from "../core/usage.ts";
import { rowDigest, splitOf, writeLabelledRow, type LabelledRow, type Split } from "./labelled-row.ts";
import { emptyTable, placeOf, type MeasuredQuality } from "./measured-quality.ts";
import { checkQuotes, quoteFinder } from "./quote.ts";

export interface MeasureOptions {
  readonly clock: Clock;
  /** How often each row is judged, to see which labels do not hold; 3 when absent. */
  readonly repeats?: number | undefined;
  /** `test` when absent. A measurement of `dev` rows is never one of the judge: it was tuned on them. */
  readonly split?: Split | undefined;
  /** Requests at once; 5 when absent. */
  readonly maxConcurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told after each request: how many are done of how many. */
  readonly progress?: ((done: number, of: number) => void) | undefined;
}

/** One thing that was labelled, by whomever and how often. */
interface Case {
  readonly row: LabelledRow;
  readonly label: Label;
  readonly second: Label | undefined;
}

/** What stands in one request, as in a run: the claims of one output. */
interface Batch {
  readonly cases: readonly Case[];
  readonly answers: (readonly (Label | undefined)[])[];
}

/**
 * Judges the labelled rows of one split, all claims of an output in one request, `repeats` times, and counts. A row without an answer is in no rate and is
 * told. It does not calibrate. Throws `labels_invalid` where no row of the split has a label, `option_invalid` for options, `cancelled` for an aborted
 * signal; what the judge throws is counted, but for its `cancelled`.
 */
export async function measureJudge(judge: Judge, rows: readonly LabelledRow[], options: MeasureOptions): Promise<MeasuredQuality> {
  const { clock, repeats = 3, split = "test", maxConcurrency = 5, signal, progress } = options;
  for (const [name, value] of Object.entries({ repeats, maxConcurrency })) {
    if (!Number.isSafeInteger(value) || value < 1) throw new EntailError("option_invalid", `measureJudge needs ${name} as a whole number of 1 or more, not ${String(value)}`);
  }
  const started = clock.elapsed();
  const { cases, unsettled, otherSplit, people } = settle(rows, split);
  if (cases.length === 0) {
    throw new EntailError("labels_invalid", `no labelled row belongs to the split ${JSON.stringify(split)}${otherSplit > 0 ? `; ${otherSplit} belong to the other` : ""}: label more rows, or say "split" in them`);
  }
  const batches = batchesOf(cases);
  const models = new Set<string>();
  let usage: Usage | undefined;
  let compromised = 0;
  const record = ({ model, usage: spent }: JudgeAttempt): void => {
    if (model !== undefined) models.add(model);
    usage = addUsage(usage, spent, { requests: 1, ...(spent === undefined && { unknownRequests: 1 }) });
  };

  const work = batches.flatMap((batch, number) => Array.from({ length: repeats }, (_, repeat) => ({ batch, number, repeat })));
  let next = 0;
  let done = 0;
  const worker = async (): Promise<void> => {
    for (let unit = work[next++]; unit !== undefined; unit = work[next++]) {
      const { batch, number, repeat } = unit;
      signal?.throwIfAborted();
      try {
        batch.answers[repeat] = await ask(judge, batch.cases, { signal, record, scope: { suite: "", scenario: `measurement_${number + 1}`, trial: repeat + 1, purpose: "measurement", ordinal: 0 } });
      } catch (error) {
        if (signal?.aborted === true) throw error;
        // The first time counts, as in the table.
        if (repeat === 0 && isEntailError(error) && error.code === "judge_compromised") compromised += batch.cases.length;
        batch.answers[repeat] = batch.cases.map(() => undefined);
      }
      progress?.(++done, work.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(maxConcurrency, work.length) }, worker));
  } catch (cause) {
    throw signal?.aborted === true ? new EntailError("cancelled", "the measuring of the judge was cancelled", { cause }) : cause;
  }

  const counted = count(batches, repeats);
  return {
    version: 1,
    at: new Date(clock.now()).toISOString(),
    judge: identityOf(judge),
    models: [...models].sort(),
    split,
    digest: sha256(cases.map(({ row, label }) => `${rowDigest(row)} ${label}`).sort().join("\n")),
    ...counted,
    compromised,
    unsettled,
    otherSplit,
    repeats,
    ...(people !== undefined && { people }),
    ...(usage !== undefined && { usage }),
    durationMs: wholeNanoseconds(Math.max(0, clock.elapsed() - started)),
  };
}

function identityOf(judge: Judge): JudgeIdentity {
  try {
    return judge.identity ?? {};
  } catch {
    return {};
  }
}

/** Rows of one thing become one case: a second person's row is the second label, and where the two differ nobody knows which is right. */
function settle(rows: readonly LabelledRow[], split: Split): { readonly cases: readonly Case[]; readonly unsettled: number; readonly otherSplit: number; readonly people: number[][] | undefined } {
  const things = new Map<string, LabelledRow[]>();
  let otherSplit = 0;
  for (const row of rows) {
    if (row.label === undefined) continue;
    if (splitOf(row) !== split) {
      otherSplit += 1;
      continue;
    }
    const digest = rowDigest(row);
    const same = things.get(digest) ?? [];
    if (same.some((before) => before.by === row.by)) {
      throw new EntailError("labels_invalid", `the labels hold the same output and claim twice${row.by === undefined ? "" : ` by ${JSON.stringify(row.by)}`}: ${writeLabelledRow({ ...row, output: row.output.slice(0, 80) }).slice(0, 200)}; keep one, or say in "by" who labelled which`);
    }
    things.set(digest, [...same, row]);
  }
  const people = emptyTable();
  let twice = 0;
  let unsettled = 0;
  const cases: Case[] = [];
  for (const [row, another, ...more] of things.values() as Iterable<[LabelledRow, ...LabelledRow[]]>) {
    const first = row.label as Label;
    const second = row.secondLabel ?? another?.label;
    if (second !== undefined) {
      twice += 1;
      (people[placeOf(first)] as number[])[placeOf(second)]! += 1;
    }
    const labels = [first, ...[another, ...more].flatMap((each) => each?.label ?? [])];
    // `label` beside `second_label` in one row is what was settled; of two rows none is.
    const settled = settledLabel(labels);
    if (settled === undefined) unsettled += 1;
    else cases.push({ row, label: settled, second });
  }
  return { cases, unsettled, otherSplit, people: twice > 0 ? people : undefined };
}

/** What more than half of the people say. */
function settledLabel(labels: readonly Label[]): Label | undefined {
  return labels.find((label) => labels.filter((each) => each === label).length * 2 > labels.length);
}

/** The claims of one output together, each with an id of its own. */
function batchesOf(cases: readonly Case[]): readonly Batch[] {
  const byText = new Map<string, Case[]>();
  for (const each of cases) {
    const { output, reference, evidence = "" } = each.row;
    const key = JSON.stringify([output, reference, evidence]);
    byText.set(key, [...(byText.get(key) ?? []), each]);
  }
  return Array.from(byText.values(), (together) => {
    const ids = new Set<string>();
    const named = together.map((each) => {
      let { id } = each.row.claim;
      while (ids.has(id)) id = `${id}_`;
      ids.add(id);
      return { ...each, row: { ...each.row, claim: { ...each.row.claim, id } } };
    });
    return { cases: named, answers: [] };
  });
}

async function ask(judge: Judge, cases: readonly Case[], more: Pick<Parameters<Judge["judge"]>[0], "signal" | "record" | "scope">): Promise<readonly (Label | undefined)[]> {
  const { output, reference, evidence } = (cases[0] as Case).row;
  const claims = cases.map(({ row: { claim } }) => ({ id: claim.id, text: claim.text, ...(claim.quote === true && { quote: true }) }));
  const shown = judge.judgeEvidence === true ? evidence : undefined;
  const judgments = await judge.judge({ output, reference, claims, ...(shown !== undefined && { evidence: shown }), ...more });
  validateJudgments(claims, judgments);
  checkQuotes(claims, judgments, quoteFinder({ output, reference, evidence: shown }));
  const byId = new Map(judgments.map(({ claimId, label }) => [claimId, label]));
  return claims.map(({ id }) => byId.get(id));
}

function count(batches: readonly Batch[], repeats: number): Pick<MeasuredQuality, "rows" | "unanswered" | "table" | "flips"> {
  const table = emptyTable();
  let rows = 0;
  let unanswered = 0;
  const flips = { count: 0, of: 0 };
  for (const { cases, answers } of batches) {
    for (const [at, { label }] of cases.entries()) {
      const given = answers.map((answer) => answer[at]);
      const [first] = given;
      if (first === undefined) unanswered += 1;
      else {
        rows += 1;
        (table[placeOf(label)] as number[])[placeOf(first)]! += 1;
      }
      if (given.includes(undefined)) continue;
      flips.of += 1;
      if (given.some((each) => each !== first)) flips.count += 1;
    }
  }
  return { rows, unanswered, table, ...(repeats > 1 && { flips }) };
}
