// Owns how a comparison reads in a terminal: the verdict in words, then what flipped, then everything that is not in the rate.

import type { Comparison, Flip, Measure, MeasureChange, ScenarioChange, ScenarioRef } from "../../core/comparison.ts";
import { formatDuration } from "../../core/duration.ts";
import { counted, percent, thousands } from "../../report/number-text.ts";
import { signedPoints } from "../../report/points-text.ts";
import type { Clean } from "./failure-text.ts";
import type { Page, Piece } from "./page.ts";
import type { Marks } from "./style.ts";
import { cut } from "./text-width.ts";

const MAX_CHANGES = 25;
const MAX_FLIPS = 4;
const MAX_NAMES = 40;

/** Writes all of it; lists are cut, with a word on how many more there are. */
export function writeComparison(page: Page, comparison: Comparison, marks: Marks, clean: Clean): void {
  const { verdict, words, before, after, gate, gotWorse, gotBetter, alsoChanged, unchanged, stillNotPassing, warnings } = comparison;
  const mark = marks.comparison(verdict);
  const several = new Set([...before.suites, ...after.suites]).size > 1;
  const name = ({ suite, id }: ScenarioRef): string => (several ? `${clean.line(suite)} ${marks.arrow} ${clean.line(id)}` : clean.line(id));
  const about = several || after.suites[0] === undefined ? [] : [["strong", clean.line(after.suites[0])] satisfies Piece];
  page.row(2, [mark.tone, `${mark.sign} ${verdict}`], ...about, ["mute", `${sideText(before, clean)} -> ${sideText(after, clean)}`]);
  for (const sentence of words.slice(1)) page.text(4, "plain", sentence);
  writeRates(page, comparison);
  writeGroups(page, comparison, clean);
  writeChanges(page, "got worse", gotWorse, name, marks, clean);
  writeChanges(page, "got better", gotBetter, name, marks, clean);
  writeChanges(page, "changed within, their pass rate did not", alsoChanged, name, marks, clean);
  writeMeasures(page, comparison.measures, clean);
  writeRest(page, comparison, name, clean);
  page.blank();
  if (unchanged.length > 0) page.text(4, "mute", `${counted(unchanged.length, "scenario")} unchanged`);
  if (stillNotPassing.length > 0) page.text(4, "mute", `${thousands(stillNotPassing.length)} did not pass before and ${stillNotPassing.length === 1 ? "does" : "do"} not now: ${names(stillNotPassing.map(name))}`);
  for (const { message } of warnings) page.labelled(4, "warning", clean.line(message), "warn");
  page.row(4, ["mute", "gate"], gate.exitCode === 0 ? ["good", "exit 0"] : [gate.exitCode === 1 ? "bad" : "warn", `exit ${gate.exitCode}: ${gate.reasons.map((reason) => clean.line(reason)).join("; ")}`]);
}

function sideText({ name, subject, variant }: Comparison["before"], clean: Clean): string {
  const more = [variant, subject].flatMap((text) => (text === undefined ? [] : [cut(clean.line(text), 24)]));
  return `${clean.line(name)}${more.length === 0 ? "" : ` (${more.join(", ")})`}`;
}

function writeRates(page: Page, { verdict, before, after, level, margin, difference, interval, method, p, scenarios }: Comparison): void {
  if (difference === null || interval === null || before.rate === undefined || after.rate === undefined) return;
  const ends = ([lower, upper]: readonly [number, number]): string => `${percent(lower, 1)} to ${percent(upper, 1)}`;
  const trials = (side: Comparison["before"]): string => (side.trials === undefined ? "" : side.trials[0] === side.trials[1] ? counted(side.trials[0], "trial") : `${side.trials[0]} to ${side.trials[1]} trials`);
  page.blank();
  const line = (word: string, rate: NonNullable<Comparison["before"]["rate"]>, side: Comparison["before"]): void =>
    page.raw(4, "plain", `${word.padEnd(8)}${percent(rate.rate, 1).padStart(6)}  ${ends(rate.interval).padEnd(16)}  ${counted(scenarios, "scenario")}, ${trials(side)} each`);
  line("before", before.rate, before);
  line("after", after.rate, after);
  const chance = p === null || !(verdict === "regressed" || verdict === "improved") ? "" : p < 0.001 ? "two equal agents differ as much in less than 0.1% of comparisons" : `two equal agents differ as much in ${percent(p, 1)} of comparisons`;
  page.row(4, ["mute", "change"], ["strong", signedPoints(difference)], ["mute", `${signedPoints(interval[0])} to ${signedPoints(interval[1])} points`], ["mute", `${Math.round(level * 1e4) / 100}%, ${method ?? ""}${margin > 0 ? `, margin ${Math.round(margin * 1e4) / 100}` : ""}`], ["mute", chance]);
}

function writeGroups(page: Page, { groups }: Comparison, clean: Clean): void {
  const told = groups.toSorted((a, b) => (a.difference ?? 0) - (b.difference ?? 0)).filter(({ worse, better }) => worse + better > 0);
  if (told.length === 0) return;
  page.blank();
  for (const { kind, name, scenarios, difference, interval, verdict } of told.slice(0, 12)) {
    if (difference === null || interval === null) continue;
    page.row(4, ["accent", `${kind === "tag" ? "#" : ""}${clean.line(name)}`], ["mute", thousands(scenarios)], [verdict === "regressed" ? "bad" : "plain", signedPoints(difference)], ["mute", `${signedPoints(interval[0])} to ${signedPoints(interval[1])}`]);
  }
  if (told.length > 12) page.text(4, "mute", `and ${told.length - 12} more`);
  page.text(4, "mute", told.some(({ verdict }) => verdict === "regressed" || verdict === "improved") ? "adjusted for so many comparisons" : "adjusted for so many comparisons, none of them alone shows a change");
}

function writeChanges(page: Page, title: string, changes: readonly ScenarioChange[], name: (scenario: ScenarioRef) => string, marks: Marks, clean: Clean): void {
  if (changes.length === 0) return;
  page.blank();
  page.text(4, "strong", `${thousands(changes.length)} ${title}`);
  for (const change of changes.slice(0, MAX_CHANGES)) {
    const { from, before, after, certain, flips } = change;
    const mark = marks.outcome(after.outcome);
    const counts = before.scored > 1 || after.scored > 1 ? `${before.passed} of ${before.scored} -> ${after.passed} of ${after.scored}` : "";
    page.row(6, [mark.tone, mark.sign], ["plain", `${from === undefined ? "" : `${clean.line(from)} -> `}${name(change)}`], ["mute", before.outcome === after.outcome ? after.outcome : `${before.outcome} -> ${after.outcome}`], ["mute", counts], ["mute", certain ? "not by chance" : ""]);
    for (const flip of flips.slice(0, MAX_FLIPS)) page.text(10, "mute", flipText(flip, clean));
    if (flips.length > MAX_FLIPS) page.text(10, "mute", `and ${flips.length - MAX_FLIPS} more`);
  }
  if (changes.length > MAX_CHANGES) page.text(6, "mute", `and ${thousands(changes.length - MAX_CHANGES)} more; --json has them all`);
}

function flipText({ kind, id, turn, before, after }: Flip, clean: Clean): string {
  const where = turn === undefined || kind === "turn" ? "" : `turn ${turn + 1} `;
  return `${where}${kind} ${cut(clean.line(id), 80)}: ${before?.text ?? "absent"} -> ${after?.text ?? "absent"}`;
}

const MEASURE_WORDS: Readonly<Record<Measure, string>> = { cost: "cost a scenario", duration: "time a scenario", tokens: "tokens of the agent", tool_calls: "tool calls", score: "score" };

function writeMeasures(page: Page, measures: readonly MeasureChange[], clean: Clean): void {
  if (measures.length === 0) return;
  page.blank();
  page.text(4, "strong", "also");
  for (const { measure, name, before, after, change, interval } of measures) {
    const share = measure === "score" ? signedPoints : (value: number): string => `${value < 0 ? "-" : "+"}${Math.round(Math.abs(value) * 1000) / 10}%`;
    page.row(6, ["plain", `${MEASURE_WORDS[measure]}${name === undefined ? "" : ` ${cut(clean.line(name), 60)}`}`], ["mute", `${amount(measure, before)} -> ${amount(measure, after)}`], ["plain", change === null ? "" : share(change)], ["mute", interval === undefined ? "" : `${share(interval[0])} to ${share(interval[1])}${measure === "score" ? " points" : ""}`]);
  }
}

function amount(measure: Measure, value: number): string {
  if (measure === "cost") return `$${value.toFixed(value < 1 ? 4 : 2)}`;
  if (measure === "duration") return formatDuration(Math.round(value));
  return measure === "score" ? value.toFixed(2) : thousands(Math.round(value * 10) / 10);
}

function writeRest(page: Page, { missing, notCompared, renamed, revised, new: added }: Comparison, name: (scenario: ScenarioRef) => string, clean: Clean): void {
  if (missing.length + notCompared.length + renamed.length + revised.length + added.length === 0) return;
  page.blank();
  if (missing.length > 0) page.labelled(4, "missing", names(missing.map(name)), "bad");
  if (notCompared.length > 0) {
    page.text(4, "strong", `${thousands(notCompared.length)} not compared`);
    for (const item of notCompared.slice(0, MAX_CHANGES)) page.row(6, ["plain", name(item)], ["mute", `${item.before ?? "not there"} -> ${item.after ?? "not there"}`], ["mute", cut(clean.line(item.reason), 160)]);
    if (notCompared.length > MAX_CHANGES) page.text(6, "mute", `and ${thousands(notCompared.length - MAX_CHANGES)} more; --json has them all`);
  }
  if (renamed.length > 0) page.labelled(4, "renamed", names(renamed.map(({ from, to }) => `${clean.line(from)} -> ${clean.line(to)}`)));
  if (revised.length > 0) page.labelled(4, "revised", `${names(revised.map(name))}; compared all the same`);
  if (added.length > 0) page.labelled(4, "new", names(added.map((item) => `${name(item)} (${item.outcome})`)));
}

function names(all: readonly string[]): string {
  return all.length <= MAX_NAMES ? all.join(", ") : `${all.slice(0, MAX_NAMES).join(", ")} and ${thousands(all.length - MAX_NAMES)} more`;
}
