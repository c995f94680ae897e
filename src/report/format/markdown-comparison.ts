// Owns how a comparison reads in Markdown: its words, then what got worse, what got better, and what could not be compared.

import type { Comparison, Flip, FlipSide, ScenarioChange } from "../../core/comparison.ts";
import { counted } from "../number-text.ts";
import { COMPARISON_SIGNS, OUTCOME_SIGNS } from "../sign.ts";
import { prose } from "./markdown-text.ts";

const MAX_ROWS = 100;
const MAX_FLIPS = 4;
const MAX_NAMES = 20;

/** `cell` makes a text of others harmless, `take` gives back what still fits. */
export function writeComparison(comparison: Comparison, cell: (text: string) => string, take: (text: string) => string): string {
  const { verdict, words, before, after, gotWorse, gotBetter, alsoChanged, notCompared, missing, new: added, measures } = comparison;
  const heading = `### ${COMPARISON_SIGNS[verdict]} ${verdict}: ${cell(before.name)} → ${cell(after.name)}\n\n${words.map((sentence) => `${cell(sentence)}\n`).join("")}\n`;
  const lines = [
    missing.length === 0 ? "" : `- ${counted(missing.length, "scenario")} missing: ${names(missing.map(({ id }) => id), cell)}\n`,
    notCompared.length === 0 ? "" : `- ${counted(notCompared.length, "scenario")} not compared: ${names(notCompared.map(({ id, reason }) => `${id} (${reason})`), cell)}\n`,
    added.length === 0 ? "" : `- ${counted(added.length, "scenario")} new: ${names(added.map(({ id }) => id), cell)}\n`,
    alsoChanged.length === 0 ? "" : `- ${counted(alsoChanged.length, "scenario")} changed within, their pass rate did not: ${names(alsoChanged.map(({ id }) => id), cell)}\n`,
    ...measures.map(({ measure, name, change }) => (change === null || measure === "score" ? "" : `- ${prose(name ?? measure.replace("_", " "))}: ${change >= 0 ? "&#43;" : "−"}${(Math.abs(change) * 100).toFixed(1)}%\n`)),
  ];
  return [take(heading), table("Got worse", gotWorse, cell, take), table("Got better", gotBetter, cell, take), take(`${lines.join("")}\n`)].join("");
}

function table(title: string, changes: readonly ScenarioChange[], cell: (text: string) => string, take: (text: string) => string): string {
  if (changes.length === 0) return "";
  let text = take(`**${title}** (${changes.length})\n\n| scenario | before | after | what flipped |\n| --- | --- | --- | --- |\n`);
  if (text === "") return "";
  let told = 0;
  for (const change of changes.slice(0, MAX_ROWS)) {
    const row = take(rowOf(change, cell));
    if (row === "") break;
    text += row;
    told += 1;
  }
  return `${text}${told === changes.length ? "" : take(`\n${counted(changes.length - told, "more scenario")}; the comparison has them all.\n`)}\n`;
}

function rowOf({ id, from, before, after, certain, flips }: ScenarioChange, cell: (text: string) => string): string {
  const shown = flips.slice(0, MAX_FLIPS).map((flip) => flipText(flip, cell));
  const more = flips.length > MAX_FLIPS ? ` and ${flips.length - MAX_FLIPS} more` : "";
  return `| ${from === undefined || from === id ? "" : `${cell(from)} → `}${cell(id)}${certain ? "" : " (may be chance)"} | ${sideText(before)} | ${sideText(after)} | ${shown.join("; ")}${more} |\n`;
}

function sideText({ outcome, passed, scored }: ScenarioChange["before"]): string {
  return `${OUTCOME_SIGNS[outcome]} ${outcome}${scored > 1 ? ` (${passed} of ${scored})` : ""}`;
}

function flipText({ kind, id, turn, before, after }: Flip, cell: (text: string) => string): string {
  const side = (of: FlipSide | undefined): string => (of === undefined ? "absent" : cell(of.text));
  return `${turn === undefined ? "" : `turn ${turn + 1}, `}${kind} ${cell(id)}: ${side(before)} → ${side(after)}`;
}

function names(all: readonly string[], cell: (text: string) => string): string {
  const more = all.length > MAX_NAMES ? ` and ${all.length - MAX_NAMES} more` : "";
  return `${all.slice(0, MAX_NAMES).map(cell).join(", ")}${more}`;
}
