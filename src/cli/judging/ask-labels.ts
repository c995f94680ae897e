// Owns the asking for labels in a terminal: one row after the other, without showing what the judge said before a person has.

import { LABELS, type Label } from "../../core/label.ts";
import type { LabelledRow } from "../../judge/labelled-row.ts";
import { printable } from "../terminal/printable.ts";

export interface Asking {
  /** Shows the text and resolves with the line that was typed; `undefined` once the input is at its end. */
  readonly ask: (text: string) => Promise<string | undefined>;
  readonly show: (text: string) => void;
  readonly mask: (text: string) => string;
  readonly by: string | undefined;
  /** Handed all rows after each label, so that none is lost whatever ends it. */
  readonly keep: (rows: readonly LabelledRow[]) => void;
}

const KEYS = LABELS.map((label, at) => `${at + 1} ${label}`).join("  ");

/** The rows with the labels that were given, in their order. Ends early with `q` or at the end of the input. */
export async function askLabels(rows: readonly LabelledRow[], { ask, show, mask, by, keep }: Asking): Promise<readonly LabelledRow[]> {
  const open = rows.filter((row) => row.label === undefined).length;
  const labelled = [...rows];
  let asked = 0;
  for (const [at, row] of rows.entries()) {
    if (row.label !== undefined) continue;
    asked += 1;
    show(printable(mask(pageOf(row, asked, open))));
    const answer = await answerOf(ask);
    if (answer === "quit") break;
    if (answer === "skip") continue;
    if (row.judged !== undefined) show(printable(mask(row.judged.label === answer ? "  the judge says so too\n" : `  the judge says ${row.judged.label}: ${row.judged.rationale}\n`)));
    labelled[at] = { ...row, label: answer, ...(by !== undefined && { by }) };
    keep(labelled);
  }
  return labelled;
}

function pageOf({ output, reference, evidence, claim }: LabelledRow, at: number, of: number): string {
  return [
    `\n${at} of ${of}`,
    ...(evidence === undefined ? [] : [`  evidence\n${indent(evidence)}`]),
    ...(reference === "" ? [] : [`  reference\n${indent(reference)}`]),
    `  output\n${indent(output)}`,
    `  claim\n${indent(claim.text)}`,
    "",
  ].join("\n");
}

const indent = (text: string): string => text.split("\n").map((line) => `    ${line}`).join("\n");

async function answerOf(ask: Asking["ask"]): Promise<Label | "skip" | "quit"> {
  for (;;) {
    const typed = (await ask(`  ${KEYS}  s skip  q quit > `))?.trim();
    if (typed === undefined || typed === "q") return "quit";
    if (typed === "s") return "skip";
    const label = LABELS.find((each, at) => typed === String(at + 1) || typed === each);
    if (label !== undefined) return label;
  }
}
