// Owns the list of stored runs, for people and as JSON.

import type { StoredRun } from "../core/store.ts";
import type { FlagValues } from "./command-line.ts";
import { lazyStore } from "./compared-run.ts";
import { projectOf } from "./command/compare.ts";
import { type Desk, writeJson } from "./desk.ts";
import { missingWords, rateWords, runBody, sourceWords, stateWord, totalsWords } from "./run-words.ts";
import { isIncomplete, totalsOf } from "./stored-run.ts";
import { createPage, type Page } from "./terminal/page.ts";
import { printableLine } from "./terminal/printable.ts";
import { createPaint, type Tone, wantsColour } from "./terminal/style.ts";

/** `list --runs`: the newest first. Returns 0. */
export async function listRuns(flags: FlagValues, desk: Desk): Promise<number> {
  const project = await projectOf(flags, desk);
  const lazy = lazyStore(flags, project);
  try {
    const store = await lazy.open();
    const runs = await store.runs({ limit: (flags["limit"] as number | undefined) ?? 20, suiteId: flags["suite"] as string | undefined });
    desk.view.rest();
    if (flags["json"] === true) {
      await writeJson({ runs: runs.map(runBody) }, desk);
      return 0;
    }
    const page = pageFor(desk);
    for (const run of runs) writeRun(page, run, desk.mask);
    await writePage(page, desk);
    if (runs.length === 0) desk.view.note("there is no such run");
    return 0;
  } finally {
    await lazy.close();
  }
}

export function pageFor(desk: Desk): Page {
  const { isTerminal } = desk.output;
  return createPage(isTerminal ? desk.screen.width() : 120, createPaint(wantsColour(desk.env, isTerminal)));
}

export async function writePage(page: Page, desk: Desk): Promise<void> {
  await desk.output.write(page.lines().map((line) => `${line}\n`).join("")).catch(() => {});
}

/** What a state looks like: green only where all of it is there and holds. */
export function toneOf(run: StoredRun): Tone {
  if (isIncomplete(run) || run.head?.error !== undefined) return "warn";
  return run.head?.passed === true ? "good" : "bad";
}

function writeRun(page: Page, run: StoredRun, mask: (text: string) => string): void {
  const line = (text: string): string => printableLine(mask(text));
  page.row(0, ["strong", `#${run.ordinal}`], ["plain", line(run.suiteId)], [toneOf(run), line(stateWord(run))], ["plain", totalsWords(totalsOf(run))], ["mute", rateWords(run.totals)]);
  const missing = missingWords(run);
  page.row(2, ["mute", run.startedAt], ["mute", line(sourceWords(run))], ["mute", line(run.variant ?? "")], ["mute", run.selected ? "selection" : ""], ["warn", missing]);
}
