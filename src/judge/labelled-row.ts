// Owns the rows that people label: one JSON object a line, read strictly, since a label that is misread makes a judge look better than it is.

import { EntailError, messageOf } from "../core/error.ts";
import { isLabel, LABELS, type Label } from "../core/label.ts";
import { didYouMean } from "../core/nearest.ts";
import { sha256 } from "../core/sha-256.ts";
import { valueOf } from "../json/json-value.ts";
import { readJson } from "../json/read-json.ts";

export const SPLITS = ["dev", "test"] as const;
export type Split = (typeof SPLITS)[number];

/** How a row was drawn from a run: from all judgments alike, or apart from those that passed and those that failed. */
export const DRAWS = ["random", "by_label"] as const;

export interface LabelledRow {
  readonly output: string;
  /** `""` for none. */
  readonly reference: string;
  /** As `renderEvidence` wrote it, where the judge was shown it. */
  readonly evidence?: string | undefined;
  readonly claim: { readonly id: string; readonly text: string; readonly quote?: boolean | undefined };
  /** A person's; absent until there is one. */
  readonly label?: Label | undefined;
  /** Another person's, given without knowing the first. */
  readonly secondLabel?: Label | undefined;
  /** Set by hand; else it follows from what is labelled. */
  readonly split?: Split | undefined;
  readonly by?: string | undefined;
  readonly note?: string | undefined;
  readonly drawn?: (typeof DRAWS)[number] | undefined;
  readonly judged?: { readonly label: Label; readonly rationale: string; readonly fingerprint?: string | undefined } | undefined;
  readonly from?: { readonly suiteId: string; readonly scenario: string; readonly trial: number; readonly runId?: string | undefined; readonly turn?: number | undefined; readonly position?: number | undefined } | undefined;
}

const MEMBERS = ["output", "reference", "evidence", "claim", "label", "second_label", "split", "by", "note", "drawn", "judged", "from"] as const;

/** Rows of a file in JSON Lines; empty lines are passed over. Throws `labels_invalid`, which names the line and what is wrong there. */
export function readLabelledRows(text: string): readonly LabelledRow[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  return lines.flatMap((line, at) => (line.trim() === "" ? [] : [readRow(line, `line ${at + 1}`)]));
}

function refuse(place: string, sentence: string): never {
  throw new EntailError("labels_invalid", `${place} of the labels ${sentence}`);
}

function readRow(line: string, place: string): LabelledRow {
  let value: unknown;
  try {
    value = valueOf(readJson(line));
  } catch (cause) {
    throw new EntailError("labels_invalid", `${place} of the labels is no JSON object: ${messageOf(cause)}`, { cause });
  }
  const row = objectOf(value, place, "must be a JSON object such as {\"output\": …, \"claim\": …, \"label\": …}");
  for (const member of Object.keys(row)) {
    if (!(MEMBERS as readonly string[]).includes(member)) refuse(place, `has an unknown member ${JSON.stringify(member)}${didYouMean(member, MEMBERS)}`);
  }
  const output = textOf(row, "output", place);
  if (output === undefined || output === "") refuse(place, 'needs "output", the text that was judged; an empty one is not judged at all');
  return {
    output,
    reference: textOf(row, "reference", place) ?? "",
    ...present("evidence", textOf(row, "evidence", place)),
    claim: claimOf(row["claim"], place),
    ...present("label", wordOf(row, "label", LABELS, place)),
    ...present("secondLabel", wordOf(row, "second_label", LABELS, place)),
    ...present("split", wordOf(row, "split", SPLITS, place)),
    ...present("by", textOf(row, "by", place)),
    ...present("note", textOf(row, "note", place)),
    ...present("drawn", wordOf(row, "drawn", DRAWS, place)),
    ...present("judged", judgedOf(row["judged"], place)),
    ...present("from", fromOf(row["from"], place)),
  };
}

type Members = Readonly<Record<string, unknown>>;

function objectOf(value: unknown, place: string, sentence: string): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : refuse(place, sentence);
}

function present<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [N in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: Value };
}

const own = (members: Members, name: string): unknown => (Object.hasOwn(members, name) ? (members[name] ?? undefined) : undefined);

function textOf(members: Members, name: string, place: string): string | undefined {
  const value = own(members, name);
  if (value === undefined || typeof value === "string") return value;
  return refuse(place, `has ${JSON.stringify(name)}, which must be a text`);
}

function wordOf<const Word extends string>(members: Members, name: string, words: readonly Word[], place: string): Word | undefined {
  const value = own(members, name);
  // What was drawn to be labelled has an empty label until somebody gives one.
  if (value === undefined || value === "") return undefined;
  return words.find((word) => word === value) ?? refuse(place, `has ${JSON.stringify(name)}, which must be one of ${words.join(", ")}, not ${JSON.stringify(value)}`);
}

function countOf(members: Members, name: string, place: string): number | undefined {
  const value = own(members, name);
  return value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0) ? (value as number | undefined) : refuse(place, `has ${JSON.stringify(name)}, which must be a whole number`);
}

function claimOf(value: unknown, place: string): LabelledRow["claim"] {
  if (typeof value === "string" && value !== "") return { id: `claim_${sha256(value).slice(0, 8)}`, text: value };
  const members = objectOf(value ?? "", place, 'needs "claim": its text, or { "id": …, "text": … }');
  const text = textOf(members, "text", place);
  if (text === undefined || text === "") refuse(place, "has a claim without a text");
  const id = textOf(members, "id", place);
  return { id: id === undefined || id === "" ? `claim_${sha256(text).slice(0, 8)}` : id, text, ...(own(members, "quote") === true && { quote: true }) };
}

function judgedOf(value: unknown, place: string): LabelledRow["judged"] {
  if (value === undefined || value === null) return undefined;
  const members = objectOf(value, place, 'has "judged", which must be { "label": …, "rationale": … }');
  const label = own(members, "label");
  if (!isLabel(label)) refuse(place, 'has "judged", whose label is none');
  return { label, rationale: textOf(members, "rationale", place) ?? "", ...present("fingerprint", textOf(members, "fingerprint", place)) };
}

function fromOf(value: unknown, place: string): LabelledRow["from"] {
  if (value === undefined || value === null) return undefined;
  const members = objectOf(value, place, 'has "from", which must be { "suite_id": …, "scenario": …, "trial": … }');
  return {
    suiteId: textOf(members, "suite_id", place) ?? "",
    scenario: textOf(members, "scenario", place) ?? "",
    trial: countOf(members, "trial", place) ?? 1,
    ...present("runId", textOf(members, "run_id", place)),
    ...present("turn", countOf(members, "turn", place)),
    ...present("position", countOf(members, "position", place)),
  };
}

/** The row as one line; `readLabelledRows` gives it back. An absent label is written empty, to be filled in. */
export function writeLabelledRow(row: LabelledRow): string {
  const { output, reference, evidence, claim, label = "", secondLabel, split, by, note, drawn, judged, from } = row;
  const { suiteId: suite_id, runId: run_id, ...place } = from ?? {};
  return JSON.stringify({
    claim,
    label,
    output,
    ...(reference !== "" && { reference }),
    ...present("evidence", evidence),
    ...present("second_label", secondLabel),
    ...present("split", split),
    ...present("by", by),
    ...present("note", note),
    ...present("drawn", drawn),
    ...present("judged", judged),
    ...(from !== undefined && { from: { suite_id, ...present("run_id", run_id), ...place } }),
  });
}

/** What was labelled, whoever labelled it how: the same for the same output, reference, evidence and claim. */
export function rowDigest({ output, reference, evidence = "", claim }: LabelledRow): string {
  return sha256(JSON.stringify([output, reference, evidence, claim.text]));
}

/** Of ten outputs so many are kept for tests; the others are for whoever writes claims and request texts. */
const TEST_TENTHS = 7;

/**
 * Which rows may be looked at (`dev`) and which only measure (`test`). It is frozen: it follows from the output alone, so a row stays where it is
 * whatever is added, and the claims of one output stay together. Rows that were drawn by the judge's own label are biased and go to `dev`; a row's own
 * `split` beats all.
 */
export function splitOf({ output, split, drawn }: LabelledRow): Split {
  if (split !== undefined) return split;
  if (drawn === "by_label") return "dev";
  return Number.parseInt(sha256(output).slice(0, 8), 16) % 10 < TEST_TENTHS ? "test" : "dev";
}
