// Owns the list of suites, scenarios and tags, for people and as JSON.

import { formatDuration } from "../core/duration.ts";
import type { Scenario, Suite } from "../core/suite.ts";
import type { FlagValues } from "./command-line.ts";
import { type Desk, writeJson } from "./desk.ts";
import { displayPath } from "./path.ts";
import { counted } from "../report/number-text.ts";
import { createPage } from "./terminal/page.ts";
import { printable, printableLine } from "./terminal/printable.ts";
import { createPaint, wantsColour } from "./terminal/style.ts";

export interface ListedSuite {
  readonly file: string;
  readonly suite: Suite;
  readonly scenarios: readonly Scenario[];
}

/** Writes it to standard output: it is what was asked for. */
export async function writeSuiteList(suites: readonly ListedSuite[], flags: FlagValues, desk: Desk): Promise<void> {
  desk.view.rest();
  if (flags["json"] === true) return writeJson({ suites: suites.map((listed) => suiteBody(listed, desk.cwd)) }, desk);
  const { isTerminal } = desk.output;
  const page = createPage(isTerminal ? desk.screen.width() : 120, createPaint(wantsColour(desk.env, isTerminal)));
  for (const [at, { file, suite, scenarios }] of suites.entries()) {
    if (at > 0) page.blank();
    page.row(0, ["strong", printableLine(suite.id)], ["plain", counted(scenarios.length, "scenario")], ["mute", printableLine(displayPath(file, desk.cwd))]);
    page.text(2, "mute", printable(suite.description));
    for (const { id, description, tags, timeoutMs, skip, knownFailure } of scenarios) {
      page.row(2, ["plain", printableLine(id)], ["accent", tags.map((tag) => `#${printableLine(tag)}`).join(" ")], ["mute", formatDuration(timeoutMs)], ["warn", skip === undefined ? "" : `skipped: ${printableLine(skip)}`], ["warn", knownFailure === undefined ? "" : `known to fail: ${printableLine(knownFailure)}`]);
      page.text(4, "mute", printable(description));
    }
  }
  await desk.output.write(page.lines().map((line) => `${line}\n`).join("")).catch(() => {});
}

function suiteBody({ file, suite, scenarios }: ListedSuite, cwd: string): unknown {
  return {
    id: suite.id,
    description: suite.description,
    file: displayPath(file, cwd),
    scenarios: scenarios.map(({ id, description, tags, timeoutMs, skip, knownFailure }) => ({
      id,
      description,
      tags,
      timeout: formatDuration(timeoutMs),
      ...(skip !== undefined && { skip }),
      ...(knownFailure !== undefined && { known_failure: knownFailure }),
    })),
  };
}
