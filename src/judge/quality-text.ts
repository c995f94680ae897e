// Owns how a measurement reads: for people as text, for programs as JSON.

import { LABELS } from "../core/label.ts";
import type { LabelShare } from "../stats/confusion.ts";
import { qualityFigures, type MeasuredQuality } from "./measured-quality.ts";
import { betweenText, percentText } from "./rate-text.ts";

function shareText({ count, of, rate, interval }: LabelShare): string {
  return rate === null || interval === null ? "no row" : `${count} of ${of}, ${percentText(rate)} (${betweenText(interval)})`;
}

const WIDTH = 15;
/** Below it a rate of one label is known to no better than about six points. */
const ENOUGH = 100;

/** The whole measurement in lines; the last ones say what it does not show. Intervals are those of 95 %. */
export function qualityText(quality: MeasuredQuality): string {
  const { judge, models, table, rows, split, repeats, usage } = quality;
  const { confusion, labels, kappa, ac1, abstention, flips, people } = qualityFigures(quality);
  // A provider's word, on one line.
  const name = (judge.model ?? (models.length > 0 ? models.join(", ") : "a judge without a name")).replace(/\s+/g, " ");
  const cells = (values: readonly (string | number)[]): string => values.map((value) => String(value).padStart(WIDTH)).join("");
  const line = (head: string, text: string): string => `${head.padEnd(WIDTH + 2)}${text}`;
  const lines = [
    `${name}, measured by ${rows} human labels of the split "${split}", each judged ${repeats === 1 ? "once" : `${repeats} times`}`,
    "",
    line("people \\ judge", cells(LABELS)),
    ...LABELS.map((label, at) => line(label, cells(table[at] ?? []))),
    "",
    ...labels.map(({ label, precision, recall }) => line(label, `precision ${shareText(precision)}; recall ${shareText(recall)}`)),
    "",
    line("accuracy", shareText(confusion.accuracy)),
    line("kappa", kappa === null ? "not defined: one label throughout" : `${kappa.value.toFixed(3)} (${kappa.interval[0].toFixed(3)} to ${kappa.interval[1].toFixed(3)})`),
    line("AC1", ac1 === null ? "not defined" : ac1.value.toFixed(3)),
    line("abstention", shareText(abstention)),
    ...(flips === null ? [] : [line("flips", `${shareText(flips)} did not get the same label each time`)]),
    ...(people === null ? [] : [line("people", `agree with each other on ${shareText(people.agreed)}${people.kappa === null ? "" : `, kappa ${people.kappa.value.toFixed(3)}`}`)]),
    line("cost", costText(quality)),
    ...caveats(quality).map((caveat) => line("note", caveat)),
  ];
  return `${lines.join("\n")}\n`;

  function costText({ durationMs }: MeasuredQuality): string {
    const parts = [
      usage?.requests === undefined ? "" : `${usage.requests} requests`,
      usage?.inputTokens === undefined ? "" : `${usage.inputTokens} tokens in`,
      usage?.outputTokens === undefined ? "" : `${usage.outputTokens} out`,
      usage?.cost === undefined ? "" : `$${usage.cost.toFixed(4)}`,
      usage?.unknownRequests === undefined || usage.unknownRequests === 0 ? "" : `${usage.unknownRequests} of unknown usage`,
      `${Math.round(durationMs)} ms`,
    ];
    return parts.filter((part) => part !== "").join(", ");
  }
}

/** What the numbers do not show. */
export function caveats(quality: MeasuredQuality): readonly string[] {
  const { table, unanswered, compromised, unsettled, otherSplit, split, judge, rows } = quality;
  const counts = LABELS.map((label, at) => ({ label, count: (table[at] ?? []).reduce((sum, each) => sum + each, 0) }));
  const missing = counts.filter(({ count }) => count === 0).map(({ label }) => label);
  const few = counts.filter(({ count }) => count > 0 && count < ENOUGH).map(({ label, count }) => `${label} ${count}`);
  const { people, confusion } = qualityFigures(quality);
  const beyond = people?.agreed.rate !== undefined && people.agreed.rate !== null && confusion.accuracy.rate !== null && confusion.accuracy.rate > people.agreed.rate;
  return [
    ...(unanswered > 0 ? [`${unanswered} rows got no valid answer and are in no rate${compromised > 0 ? `; of ${compromised} of them the control claim was wrong` : ""}`] : []),
    ...(unsettled > 0 ? [`${unsettled} rows were labelled differently by two people and are left out`] : []),
    ...(otherSplit > 0 ? [`${otherSplit} labelled rows belong to the other split and were not used`] : []),
    ...(split === "dev" ? ["rows of dev are those that a judge may be tuned on: this says nothing of its quality, and is not kept"] : []),
    ...(missing.length > 0 ? [`no row has the label ${missing.join(", ")}: how the judge treats it is not known`] : []),
    ...(few.length > 0 ? [`fewer than ${ENOUGH} rows of a label (${few.join(", ")}): see the intervals`] : []),
    ...(beyond && rows > 0 ? ["the judge agrees with the labels more than people do with each other: look for labels that were made from it"] : []),
    ...(judge.fingerprint === undefined ? ["the judge has no fingerprint, so no run can be tied to this"] : []),
  ];
}

/** The counts and all that follows from them. */
export function qualityJson(quality: MeasuredQuality): unknown {
  return { ...quality, labels: LABELS, figures: qualityFigures(quality), notes: caveats(quality) };
}
