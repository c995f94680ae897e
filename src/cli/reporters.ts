// Owns which reporters of ours a run has: one that shows progress, and those that write beside it.

import { EntailError } from "../core/error.ts";

const SHOWN = ["terminal", "plain", "none"] as const;
/** How progress is shown on standard error. */
export type Shown = (typeof SHOWN)[number];

export const REPORTER_NAMES = ["terminal", "plain", "none", "github", "jsonl"] as const;
export type ReporterName = (typeof REPORTER_NAMES)[number];

export interface Reporters {
  readonly shown: Shown;
  /** Annotations, and the summary of the job where it has one. */
  readonly github: boolean;
  /** Events on standard output, in place of the report. */
  readonly jsonl: boolean;
}

const shownOf = (names: readonly ReporterName[]): readonly Shown[] => SHOWN.filter((name) => names.includes(name));

/** What the names come to; none means `terminal`, and in a job of GitHub's `github` beside it. */
export function readReporters(names: readonly ReporterName[], env: NodeJS.ProcessEnv): Reporters {
  return {
    shown: shownOf(names)[0] ?? "terminal",
    github: names.includes("github") || (names.length === 0 && env["GITHUB_ACTIONS"] === "true"),
    jsonl: names.includes("jsonl"),
  };
}

/** Throws `usage_invalid` for reporters that want the same place. */
export function checkReporters(names: readonly ReporterName[], json: boolean): void {
  const shown = shownOf(names);
  if (shown.length > 1) throw new EntailError("usage_invalid", `the reporters ${shown.join(" and ")} cannot be given together: each is a way to show the same progress`);
  if (json && names.includes("jsonl")) throw new EntailError("usage_invalid", "--json and the reporter jsonl cannot be given together: both write to standard output");
}
