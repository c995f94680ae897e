// Owns the verb `store`: what the store holds, and the removal of runs that nobody needs.

import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { EntailError } from "../../core/error.ts";
import { didYouMean } from "../../core/nearest.ts";
import type { Store, StoredRun } from "../../core/store.ts";
import { counted } from "../../report/number-text.ts";
import type { FlagValues } from "../command-line.ts";
import { lazyStore } from "../compared-run.ts";
import { type Desk, writeJson } from "../desk.ts";
import { displayPath } from "../path.ts";
import { pageFor, writePage } from "../run-list.ts";
import { projectOf } from "./compare.ts";

const WORDS = ["info", "prune"] as const;
/** A run that something was stored of so lately may still go on. */
const ALIVE_MS = 60 * 60 * 1000;

/** `store info` and `store prune`. Returns 0. Throws `usage_invalid`. */
export async function store([word, ...more]: readonly string[], flags: FlagValues, desk: Desk): Promise<number> {
  if (word === undefined || more.length > 0 || !(WORDS as readonly string[]).includes(word)) {
    throw new EntailError("usage_invalid", `store takes ${WORDS.join(" or ")}${word === undefined ? "" : `, not ${JSON.stringify([word, ...more].join(" "))}${didYouMean(word, WORDS)}`}`);
  }
  const [keep, olderThan] = [flags["keep"] as number | undefined, flags["olderThan"] as number | undefined];
  if (word === "info" && (keep !== undefined || olderThan !== undefined)) throw new EntailError("usage_invalid", "--keep and --older-than belong to store prune");
  if (word === "prune" && keep === undefined && olderThan === undefined) throw new EntailError("usage_invalid", "store prune needs --keep <n>, --older-than <age> or both: a run goes when neither keeps it");
  const lazy = lazyStore(flags, await projectOf(flags, desk));
  try {
    const opened = await lazy.open();
    await (word === "info" ? info(opened, flags, desk) : prune(opened, { keep, olderThan }, flags, desk));
    return 0;
  } finally {
    await lazy.close();
  }
}

/** Newest first, all of them. */
async function allRuns(opened: Store): Promise<readonly StoredRun[]> {
  const runs: StoredRun[] = [];
  for (let before: number | undefined; ; before = runs.at(-1)?.ordinal) {
    const page = await opened.runs({ limit: 1000, before });
    runs.push(...page);
    if (page.length < 1000) return runs;
  }
}

async function info(opened: Store, flags: FlagValues, desk: Desk): Promise<void> {
  const path = opened.url.replace(/^sqlite:/, "");
  const runs = await allRuns(opened);
  const sum = (of: (run: StoredRun) => number): number => runs.reduce((total, run) => total + of(run), 0);
  const bytes = [path, `${path}-wal`].reduce((total, file) => total + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
  const spills = spillFiles(path);
  const body = {
    store: opened.url,
    bytes,
    runs: runs.length,
    unfinished: runs.filter(({ state }) => state === "running").length,
    suites: await opened.suiteIds(),
    scenarios: sum((run) => run.totals.scenarios),
    trials: sum((run) => run.storedTrials),
    ...(runs[0] !== undefined && { newest: runs[0].startedAt, oldest: runs.at(-1)?.startedAt }),
    spill_files: spills,
  };
  desk.view.rest();
  if (flags["json"] === true) return writeJson(body, desk);
  const page = pageFor(desk);
  page.row(0, ["strong", displayPath(path, desk.cwd)], ["mute", `${(bytes / 1e6).toFixed(1)} MB`]);
  page.row(2, ["plain", counted(body.runs, "run")], ["plain", counted(body.suites.length, "suite")], ["plain", counted(body.scenarios, "scenario")], ["plain", counted(body.trials, "trial")], ["warn", body.unfinished === 0 ? "" : `${body.unfinished} not finished`]);
  if (body.oldest !== undefined) page.row(2, ["mute", `from ${body.oldest} to ${body.newest}`]);
  for (const file of spills) page.labelled(2, "spill file", `${displayPath(file, desk.cwd)}: entail import takes it back`, "warn");
  await writePage(page, desk);
}

function spillFiles(path: string): readonly string[] {
  try {
    return readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.spill-`)).map((name) => join(dirname(path), name));
  } catch {
    return [];
  }
}

async function prune(opened: Store, { keep = 0, olderThan }: { readonly keep: number | undefined; readonly olderThan: number | undefined }, flags: FlagValues, desk: Desk): Promise<void> {
  const now = desk.clock.now();
  const kept = new Map<string, number>();
  const going = (await allRuns(opened)).filter((run) => {
    const newer = kept.get(run.suiteId) ?? 0;
    kept.set(run.suiteId, newer + 1);
    if (newer < keep) return false;
    if (olderThan !== undefined && now - Date.parse(run.startedAt) < olderThan) return false;
    return run.state === "finished" || now - Date.parse(run.touchedAt) > ALIVE_MS;
  });
  const removed = await opened.removeRuns(going.map(({ runId }) => runId));
  if (flags["json"] === true) return writeJson({ removed: going.map(({ ordinal, runId }) => ({ ordinal, run_id: runId })) }, desk);
  desk.view.note(removed === 0 ? "nothing to remove" : `${counted(removed, "run")} removed`);
}
