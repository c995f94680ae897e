// Owns the files of labels on disk, and what a store keeps of a label.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { EntailError, isEntailError, messageOf } from "../../core/error.ts";
import { sha256 } from "../../core/sha-256.ts";
import type { Store, StoredLabel } from "../../core/store.ts";
import { readLabelledRows, type LabelledRow } from "../../judge/labelled-row.ts";
import { renderEvidence } from "../../judge/render-evidence.ts";
import { inFile } from "../problem.ts";

/** Throws `labels_invalid`, which names the file and the line. */
export function readLabelsFile(shown: string, cwd: string): readonly LabelledRow[] {
  const file = resolve(cwd, shown);
  try {
    return readLabelledRows(readFileSync(file, "utf8"));
  } catch (cause) {
    const message = isEntailError(cause) ? cause.message : (cause as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such file" : `the labels cannot be read: ${messageOf(cause)}`;
    throw inFile(new EntailError("labels_invalid", `${shown}: ${message}`, { cause }), file);
  }
}

/** As the store keeps it; the same row gives the same id, so that it can be read twice. `undefined` without a label. */
export function storedLabel(row: LabelledRow, at: string): StoredLabel | undefined {
  const { output, reference, claim, label, by, note, judged, drawn, from } = row;
  if (label === undefined) return undefined;
  return {
    id: `label_${sha256(JSON.stringify([output, reference, claim.text, by ?? "", from?.runId ?? "", from?.scenario ?? "", from?.trial ?? 0, from?.turn ?? 0])).slice(0, 24)}`,
    at,
    label,
    output,
    reference,
    claim: { id: claim.id, text: claim.text },
    ...(by !== undefined && { by }),
    ...(note !== undefined && { note }),
    ...(judged !== undefined && { judged }),
    ...(drawn !== undefined && { drawn }),
    ...(from?.runId !== undefined && { from: { runId: from.runId, position: from.position ?? 0, trial: from.trial, suiteId: from.suiteId, scenario: from.scenario, ...(from.turn !== undefined && { turn: from.turn }) } }),
  };
}

/** The row of a label that a store keeps. */
export function rowOfStored({ output, reference, claim, label, by, note, judged, drawn, from }: StoredLabel): LabelledRow {
  return {
    output,
    reference,
    claim,
    label,
    ...(by !== undefined && { by }),
    ...(note !== undefined && { note }),
    ...(judged !== undefined && { judged }),
    ...(drawn !== undefined && { drawn }),
    ...(from !== undefined && { from: { suiteId: from.suiteId, scenario: from.scenario, trial: from.trial, runId: from.runId, position: from.position, ...(from.turn !== undefined && { turn: from.turn }) } }),
  };
}

/** Labels that the store keeps, with what a judge was shown of the evidence where it is to see it. Of what a person labelled twice, the later one. */
export async function storedRows(store: Store, withEvidence: boolean): Promise<readonly LabelledRow[]> {
  const latest = new Map<string, StoredLabel>();
  for (const label of (await store.labels()).toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))) {
    latest.set(JSON.stringify([label.output, label.reference, label.claim.text, label.by ?? ""]), label);
  }
  return Promise.all(
    Array.from(latest.values(), async (label) => {
      const { text } = withEvidence && label.from !== undefined ? renderEvidence(await store.evidence(label.from)) : { text: "" };
      return { ...rowOfStored(label), ...(text !== "" && { evidence: text }) };
    }),
  );
}
