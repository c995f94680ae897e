// Owns `entail judge rates`: what the judged claims of a run come to, raw, open, and corrected by every means there is.

import type { JudgeReport } from "../../core/report.ts";
import { findMeasurement, measurementReport } from "../../judge/find-measurement.ts";
import { judgedClaims } from "../../judge/judged-claim.ts";
import { judgedRates } from "../../judge/judged-rates.ts";
import { createJudgedTally } from "../../judge/judged-tally.ts";
import { measurementText, rateLines } from "../../judge/rate-text.ts";
import { ratesFromLabels } from "../../judge/rates-from-labels.ts";
import { counted } from "../../report/number-text.ts";
import type { LabelledRow } from "../../judge/labelled-row.ts";
import type { JudgeMeasurement } from "../../core/store.ts";
import type { FlagValues } from "../command-line.ts";
import type { LazyStore } from "../compared-run.ts";
import { type Desk, writeJson } from "../desk.ts";
import type { Project } from "../project.ts";
import { nothingJudged, readJudgedRuns, type JudgedRun } from "./judged-run.ts";
import { readLabelsFile, rowOfStored } from "./labels-file.ts";
import { keptMeasurements } from "./kept-measurements.ts";
import { writeText } from "./write-text.ts";

/** Returns 0. Throws `judge_no_claims` where nothing of the run was judged. */
export async function runRates(text: string, flags: FlagValues, project: Project, store: LazyStore, desk: Desk): Promise<number> {
  const runs = await readJudgedRuns(text, project.cwd, store);
  const labelsFile = flags["labels"] as string | undefined;
  const fromStore = await store.open().catch(() => undefined);
  const rows = labelsFile === undefined ? ((await fromStore?.labels()) ?? []).map(rowOfStored) : readLabelsFile(labelsFile, project.cwd);
  const measurements = [...((await fromStore?.measurements()) ?? []), ...keptMeasurements(project)];
  // Rows were written masked, and what the store holds is not.
  const masked = (row: LabelledRow): LabelledRow => ({ ...row, output: desk.mask(row.output) });
  const found = runs.flatMap((run) => ratesOf(run, rows.map(masked), measurements, desk.mask) ?? []);
  if (found.length === 0) throw nothingJudged(text);
  if (labelsFile !== undefined && found.every(({ labels }) => labels === 0)) desk.view.note(`${labelsFile} corrects nothing: ${noneOf(rows, text)}`);
  if (flags["json"] === true) await writeJson(found.length === 1 ? found[0]?.json : found.map(({ json }) => json), desk);
  else await writeText(found.map(({ lines }) => `${lines.join("\n")}\n`).join("\n"), desk);
  return 0;
}

/** Whoever names a file of labels expects it to count. */
function noneOf(rows: readonly LabelledRow[], text: string): string {
  const labelled = rows.filter(({ label }) => label !== undefined).length;
  return labelled === 0 ? `none of its ${counted(rows.length, "row")} has a label yet` : `no label of its ${counted(labelled, "labelled row")} is of a judgment of ${text}`;
}

interface RunRates {
  /** Labels that belong to judgments of the run. */
  readonly labels: number;
  readonly lines: readonly string[];
  readonly json: unknown;
}

function ratesOf({ suiteId, runId, head, scenarios }: JudgedRun, rows: readonly LabelledRow[], measurements: readonly JudgeMeasurement[], mask: (text: string) => string): RunRates | undefined {
  const tally = createJudgedTally();
  for (const scenario of scenarios) tally.add(scenario);
  if (tally.counts().size === 0) return undefined;
  // As the run itself does, but by what is known now.
  const found = findMeasurement(measurements, head?.judge, modelsOf(head?.judge));
  const measurement = measurementReport(found);
  const rates = judgedRates(tally.counts(), "quality" in found ? found.quality : undefined);
  const labelled = ratesFromLabels(scenarios.flatMap((scenario) => [...judgedClaims(scenario)].map((claim) => ({ ...claim, output: mask(claim.output) }))), rows.filter(({ from }) => from?.suiteId === suiteId), runId);
  const by = new Map(labelled.map((each) => [each.expect, each]));
  return {
    labels: labelled.reduce((sum, { labels }) => sum + labels, 0),
    lines: [`${suiteId}: the judge is ${measurementText(measurement)}`, ...rates.flatMap((rate) => rateLines(rate, by.get(rate.expect))).map((line) => `  ${line}`)],
    json: { suite_id: suiteId, ...(runId !== undefined && { run_id: runId }), measurement, rates: rates.map((rate) => ({ ...rate, corrected: [...(rate.corrected ?? []), ...(by.get(rate.expect)?.corrected ?? [])] })) },
  };
}

function modelsOf(judge: JudgeReport | undefined): readonly string[] {
  return [...new Set((judge?.calibration?.attempts ?? []).flatMap(({ model }) => model ?? []))];
}
