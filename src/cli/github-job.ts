// Owns what a job of GitHub's is told of an invocation: annotations in its log, and its summary.

import { appendFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Comparison } from "../core/comparison.ts";
import { messageOf } from "../core/error.ts";
import { githubProblem, githubRun } from "../report/format/github.ts";
import { markdownProblems, markdownRun, SUMMARY_BYTES } from "../report/format/markdown.ts";
import { type FileProblem, joinPartsSync } from "../report/format/parts.ts";
import { counted } from "../report/number-text.ts";
import type { Desk } from "./desk.ts";
import { displayPath } from "./path.ts";
import type { SuiteRun } from "./report-parts.ts";

export interface JobRun extends SuiteRun {
  /** The eval file, relative to the working folder. */
  readonly file: string;
  readonly comparison?: Comparison | undefined;
}

/** Less than this tells nothing of a suite. */
const LEAST_BYTES = 10_000;

/** Writes the annotations to standard error, which the runner reads too, and appends to the summary. False where the summary could not be written. */
export function writeGithubJob(runs: readonly JobRun[], problems: readonly FileProblem[], desk: Desk): boolean {
  const { mask, env, screen, view, cwd } = desk;
  const taken = { errors: 0, warnings: 0 };
  // The runner takes paths from the root of the repository.
  const root = env["GITHUB_WORKSPACE"] ?? cwd;
  const shown = (file: string): string => displayPath(resolve(cwd, file), root);
  for (const problem of problems.slice(0, 10)) {
    screen.raw(githubProblem({ ...problem, file: problem.file === undefined ? undefined : shown(problem.file) }, { mask }));
    taken.errors += 1;
  }
  for (const { head, scenarios, file } of runs) {
    for (const part of joinPartsSync(githubRun(head, { mask, file: shown(file), taken }), scenarios())) screen.raw(part);
  }
  const summary = env["GITHUB_STEP_SUMMARY"];
  if (summary === undefined || summary === "") return true;
  try {
    appendSummary(summary, runs, problems, mask);
    return true;
  } catch (thrown) {
    view.warning({ code: "reporter_failed", message: `the summary of the job cannot be written: ${messageOf(thrown)}` });
    return false;
  }
}

function appendSummary(file: string, runs: readonly JobRun[], problems: readonly FileProblem[], mask: (text: string) => string): void {
  const sizeOf = (): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  appendFileSync(file, markdownProblems(problems, { mask }));
  for (const [at, { head, scenarios, comparison }] of runs.entries()) {
    // What other commands of the same step have written counts as well.
    const left = SUMMARY_BYTES - sizeOf() - 200;
    if (left < LEAST_BYTES) {
      appendFileSync(file, `\n${counted(runs.length - at, "more suite")}: the log has them all.\n`);
      return;
    }
    const maxBytes = Math.max(LEAST_BYTES, Math.floor(left / (runs.length - at)));
    for (const part of joinPartsSync(markdownRun(head, { mask, comparison, maxBytes }), scenarios())) appendFileSync(file, part);
  }
}
