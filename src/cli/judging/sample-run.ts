// Owns `entail judge sample`: judgments of a run as rows for people to label.

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { EntailError, messageOf } from "../../core/error.ts";
import { judgedClaims, type JudgedClaim } from "../../judge/judged-claim.ts";
import { writeLabelledRow, type LabelledRow } from "../../judge/labelled-row.ts";
import { renderEvidence } from "../../judge/render-evidence.ts";
import { sampleJudgments } from "../../judge/sample-judgments.ts";
import type { FlagValues } from "../command-line.ts";
import type { LazyStore } from "../compared-run.ts";
import type { Desk } from "../desk.ts";
import { counted } from "../../report/number-text.ts";
import type { Project } from "../project.ts";
import { nothingJudged, readJudgedRuns, type JudgedRun } from "./judged-run.ts";

const DEFAULT_COUNT = 100;

/** Writes the rows to `--output`, else to standard output. Throws `judge_no_claims` where nothing of the run was judged. */
export async function sampleRun(text: string, flags: FlagValues, project: Project, store: LazyStore, desk: Desk): Promise<number> {
  const runs = await readJudgedRuns(text, project.cwd, store);
  const count = (flags["count"] as number | undefined) ?? DEFAULT_COUNT;
  const claims = runs.map((run) => run.scenarios.flatMap((scenario) => [...judgedClaims(scenario)]));
  const all = claims.reduce((sum, each) => sum + each.length, 0);
  if (all === 0) throw nothingJudged(text);
  const rows: LabelledRow[] = [];
  for (const [at, run] of runs.entries()) {
    const own = claims[at] ?? [];
    rows.push(...(await rowsOf(run, own, Math.min(own.length, Math.round((count * own.length) / all)), flags)));
  }
  const lines = rows.map((row) => `${desk.mask(writeLabelledRow(row))}\n`).join("");
  const output = flags["output"] as string | undefined;
  if (output === undefined) await desk.output.write(lines);
  else write(output, lines, project.cwd);
  const drawn = rows.filter((row) => row.drawn === "random").length;
  desk.view.note(`${counted(rows.length, "judgment")} of ${all}, ${drawn} drawn at random and ${rows.length - drawn} from what passed and what failed: fill in each "label", then npx entail judge test measures the judge by them`);
  return 0;
}

/** What the judge was shown of the evidence is part of what is labelled; where the judgment stands in the store is how others find it. */
async function rowsOf(run: JudgedRun, claims: readonly JudgedClaim[], count: number, flags: FlagValues): Promise<readonly LabelledRow[]> {
  const identity = run.head?.judge;
  const rows = sampleJudgments(claims, { count, random: atRandom(flags, count), seed: flags["seed"] as number | undefined, suiteId: run.suiteId, runId: run.runId, fingerprint: identity?.fingerprint });
  return Promise.all(
    rows.map(async (row) => {
      if (row.from === undefined) return row;
      const position = await run.positionOf(row.from.scenario);
      const { text } = identity?.judgeEvidence === true ? renderEvidence(await run.evidence(row.from.scenario, row.from.trial)) : { text: "" };
      return { ...row, ...(text !== "" && { evidence: text }), from: { ...row.from, ...(position !== undefined && { position }) } };
    }),
  );
}

/** `--random` says it for the whole sample; a run has its part of both. */
function atRandom(flags: FlagValues, count: number): number | undefined {
  const random = flags["random"] as number | undefined;
  return random === undefined ? undefined : Math.min(count, Math.round((random * count) / ((flags["count"] as number | undefined) ?? DEFAULT_COUNT)));
}

function write(shown: string, text: string, cwd: string): void {
  try {
    // Labels are work of people: what is there is never written over.
    writeFileSync(resolve(cwd, shown), text, { flag: "wx" });
  } catch (cause) {
    const there = (cause as NodeJS.ErrnoException).code === "EEXIST";
    throw new EntailError("output_unwritable", there ? `${shown} is there already, and may hold labels: name another file` : `the rows cannot be written to ${shown}: ${messageOf(cause)}`, { cause });
  }
}
