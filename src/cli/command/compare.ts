// Owns the verb `compare`: two runs held against each other, in words, as JSON or as Markdown; the comparison decides the exit code.

import type { Comparison } from "../../core/comparison.ts";
import { EntailError } from "../../core/error.ts";
import { comparisonMarkdown } from "../../report/comparison-markdown.ts";
import { compareReports } from "../../report/compare-reports.ts";
import { encodeComparison } from "../../report/encode-comparison.ts";
import type { FlagValues } from "../command-line.ts";
import { lazyStore, type NamedRuns, readNamedRuns } from "../compared-run.ts";
import type { Desk } from "../desk.ts";
import type { Loader } from "../flag.ts";
import { openProject, type Project } from "../project.ts";
import { writeComparison } from "../terminal/comparison-text.ts";
import { createPage } from "../terminal/page.ts";
import { printable, printableLine } from "../terminal/printable.ts";
import { createPaint, wantsColour } from "../terminal/style.ts";

/** Returns 0, 1 or 3 by the comparison. Throws `usage_invalid`, and what the runs cannot be read for. */
export async function compare(operands: readonly string[], flags: FlagValues, desk: Desk): Promise<number> {
  if (operands.length !== 0 && operands.length !== 2) throw new EntailError("usage_invalid", "compare takes two runs, the earlier one first; or none, for the baseline and the last run");
  if (flags["json"] === true && flags["markdown"] === true) throw new EntailError("usage_invalid", "--json and --markdown cannot be given together");
  const [first = "baseline", second = "last"] = operands;
  const project = await projectOf(flags, desk);
  const store = lazyStore(flags, project);
  try {
    const after = await readNamedRuns(second, project, store);
    const before = only(await readNamedRuns(first, project, store), after, first === "baseline");
    const comparison = compareReports(before.runs, after.runs, {
      level: flags["level"] as number | undefined,
      margin: flags["margin"] as number | undefined,
      names: { before: before.name, after: after.name },
      unselected: unselectedIn(after),
    });
    await write(comparison, flags, desk);
    return comparison.gate.exitCode;
  } finally {
    await store.close();
  }
}

/** The project without its eval files, for verbs that read runs. */
export async function projectOf(flags: FlagValues, desk: Desk): Promise<Project> {
  const { cwd, env } = desk;
  const project = await openProject({ cwd, env, configPath: flags["config"] as string | undefined, envFile: flags["envFile"] as string | undefined, loader: (flags["loader"] as Loader | undefined) ?? "auto" });
  if (project.config.secrets !== undefined) desk.keepSecret(project.config.secrets);
  return project;
}

/** Of all baselines, those of the suites that the other side ran. */
function only(named: NamedRuns, { runs }: NamedRuns, baselines: boolean): NamedRuns {
  if (!baselines) return named;
  const suites = new Set(runs.map(({ suiteId }) => suiteId));
  const own = named.runs.filter(({ suiteId }) => suites.has(suiteId));
  if (own.length === 0) throw new EntailError("baseline_missing", `there is no baseline of ${[...suites].map((id) => JSON.stringify(id)).join(" or ")}: accept a run with npx entail baseline accept`);
  return { ...named, runs: own };
}

/** A run of a selection leaves out the rest on purpose. */
function unselectedIn({ stored = [] }: NamedRuns): (scenario: { readonly suite: string }) => boolean {
  const selected = new Set(stored.filter((run) => run.selected).map(({ suiteId }) => suiteId));
  return ({ suite }) => selected.has(suite);
}

async function write(comparison: Comparison, flags: FlagValues, desk: Desk): Promise<void> {
  const { mask, output, screen } = desk;
  desk.view.rest();
  if (flags["json"] === true) return output.write(encodeComparison(comparison, { mask })).catch(() => {});
  if (flags["markdown"] === true) return output.write(comparisonMarkdown(comparison, { mask })).catch(() => {});
  const page = createPage(output.isTerminal ? screen.width() : 120, createPaint(wantsColour(desk.env, output.isTerminal)));
  writeComparison(page, comparison, screen.marks, { text: (text) => printable(mask(text)), line: (text) => printableLine(mask(text)) });
  await output.write(page.lines().map((line) => `${line}\n`).join("")).catch(() => {});
}
