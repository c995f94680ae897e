// Owns the verb `show`: a stored run, one scenario of it, or a scenario's past over the runs.

import { EntailError } from "../../core/error.ts";
import { didYouMean } from "../../core/nearest.ts";
import type { ScenarioPast, Store, StoredRun } from "../../core/store.ts";
import { formatDuration } from "../../core/duration.ts";
import { counted } from "../../report/number-text.ts";
import { scenarioToWire } from "../../report/encode-report.ts";
import type { FlagValues } from "../command-line.ts";
import { findRuns, lazyStore } from "../compared-run.ts";
import { type Desk, writeJson } from "../desk.ts";
import { missingWords, rateWords, runBody, sourceWords, stateWord, totalsWords } from "../run-words.ts";
import { pageFor, toneOf, writePage } from "../run-list.ts";
import { totalsOf } from "../stored-run.ts";
import { writeStoredScenario } from "../terminal/stored-scenario.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Tone } from "../terminal/style.ts";
import { projectOf } from "./compare.ts";

/** So many scenarios that did not pass are told of one run. */
const SHOWN = 50;
/** So many runs are told of one scenario. */
const PAST = 20;

/** Returns 0. Throws `run_unknown`, `selector_unknown`, `usage_invalid`. */
export async function show(operands: readonly string[], flags: FlagValues, desk: Desk): Promise<number> {
  const [name, ...more] = operands;
  if (more.length > 0) throw new EntailError("usage_invalid", "show takes one run");
  const scenario = flags["scenario"] as string | undefined;
  const lazy = lazyStore(flags, await projectOf(flags, desk));
  try {
    const store = await lazy.open();
    desk.view.rest();
    if (name === undefined && scenario !== undefined) await showPast(store, scenario, flags, desk);
    else {
      const runs = await findRuns(name ?? "last", store);
      await (scenario === undefined ? showRuns(runs, store, flags, desk) : showScenario(runs, scenario, store, flags, desk));
    }
    return 0;
  } finally {
    await lazy.close();
  }
}

async function showRuns(runs: readonly StoredRun[], store: Store, flags: FlagValues, desk: Desk): Promise<void> {
  if (flags["json"] === true) return writeJson({ runs: await Promise.all(runs.map(async (run) => ({ ...runBody(run), events: await store.events(run.runId) }))) }, desk);
  const page = pageFor(desk);
  const line = (text: string): string => printableLine(desk.mask(text));
  for (const run of runs) {
    page.blank();
    page.row(0, ["strong", `#${run.ordinal}`], ["strong", line(run.suiteId)], [toneOf(run), line(stateWord(run))], ["mute", run.runId]);
    page.row(2, ["plain", totalsWords(totalsOf(run))], ["mute", rateWords(run.totals)]);
    const missing = missingWords(run);
    if (missing !== "") page.text(2, "warn", missing);
    page.row(2, ["mute", run.startedAt], ["mute", run.head === undefined ? "" : formatDuration(run.head.durationMs)], ["mute", line(sourceWords(run))], ["mute", line(run.file ?? "")], ["mute", line(run.variant ?? "")]);
    if (run.subject !== undefined) page.labelled(2, "subject", line(run.subject));
    if (run.invocation.command.length > 0) page.labelled(2, "entail", line(run.invocation.command.join(" ")));
    if (run.head?.error !== undefined) page.labelled(2, "error", line(`${run.head.error.stage}: ${run.head.error.message}`), "warn");
    for (const { code, message } of run.head?.warnings ?? []) page.labelled(2, "warning", line(`${code}: ${message}`), "warn");
    // The head has those of scenarios too, with how often they came.
    const told = new Set((run.head?.warnings ?? []).map(keyOf));
    for (const { type, body } of (await store.events(run.runId)).filter((event) => event.type !== "warning" || !told.has(keyOf(event.body)))) page.labelled(2, type, line(textOf(body)), "warn");
    const { rows, total } = await store.scenarios(run.runId, { outcomes: ["failed", "errored", "cancelled", "scored", "missing"], limit: SHOWN });
    for (const row of rows) page.row(4, [toneOfOutcome(row.outcome), row.outcome ?? "missing"], ["plain", line(row.id)], ["mute", line(row.reason ?? "")]);
    if (total > rows.length) page.text(4, "mute", `and ${counted(total - rows.length, "more scenario")}`);
  }
  await writePage(page, desk);
}

async function showScenario(runs: readonly StoredRun[], id: string, store: Store, flags: FlagValues, desk: Desk): Promise<void> {
  for (const run of runs) {
    const position = await store.positionOf(run.runId, id);
    if (position === undefined) continue;
    const report = await store.scenario(run.runId, position);
    if (flags["json"] === true) return writeJson({ run: runBody(run), scenario: report === undefined ? null : scenarioToWire(report) }, desk);
    const page = pageFor(desk);
    page.row(0, ["strong", `#${run.ordinal}`], ["plain", printableLine(run.suiteId)], ["strong", printableLine(id)]);
    if (report === undefined) page.text(2, "warn", "it has no result: the run is incomplete");
    else await writeStoredScenario(page, report, { store, runId: run.runId, position }, desk.mask);
    return writePage(page, desk);
  }
  const [first] = runs;
  const known = first === undefined ? [] : (await store.scenarios(first.runId, { limit: 1000 })).rows.map((row) => row.id);
  throw new EntailError("selector_unknown", `run ${runs.map(({ ordinal }) => `#${ordinal}`).join(", ")} has no scenario ${JSON.stringify(id)}${didYouMean(id, known)}`);
}

async function showPast(store: Store, id: string, flags: FlagValues, desk: Desk): Promise<void> {
  const suites: { readonly suite: string; readonly past: readonly ScenarioPast[] }[] = [];
  for (const suite of await store.suiteIds()) {
    const past = await store.past(suite, id, (flags["limit"] as number | undefined) ?? PAST);
    if (past.length > 0) suites.push({ suite, past });
  }
  if (suites.length === 0) throw new EntailError("selector_unknown", `no stored run has a scenario ${JSON.stringify(id)}`);
  if (flags["json"] === true) {
    return writeJson({ scenario: id, suites: suites.map(({ suite, past }) => ({ suite_id: suite, runs: past.map(({ runId, ordinal, startedAt, row, revision }) => ({ ordinal, run_id: runId, started_at: startedAt, outcome: row.outcome ?? "missing", trials: row.trials, duration_ms: row.durationMs, cost: row.cost, reason: row.reason, revision })) })) }, desk);
  }
  const page = pageFor(desk);
  const line = (text: string): string => printableLine(desk.mask(text));
  for (const { suite, past } of suites) {
    page.blank();
    page.row(0, ["strong", line(suite)], ["strong", line(id)], ["mute", counted(past.length, "run")]);
    for (const [at, { ordinal, startedAt, row, revision }] of past.entries()) {
      const before = past[at + 1]?.revision;
      const several = row.trials.length > 1 ? `${row.trials.filter((outcome) => outcome === "passed").length} of ${row.trials.length} trials passed` : "";
      page.row(2, ["mute", `#${ordinal}`], [toneOfOutcome(row.outcome), row.outcome ?? "missing"], ["plain", several], ["mute", row.durationMs === undefined ? "" : formatDuration(row.durationMs)], ["mute", startedAt], ["warn", before !== undefined && before !== revision ? "changed since the run before" : ""], ["mute", line(row.reason ?? "")]);
    }
  }
  await writePage(page, desk);
}

function toneOfOutcome(outcome: string | undefined): Tone {
  if (outcome === "passed") return "good";
  return outcome === "failed" ? "bad" : "warn";
}

function keyOf(warning: unknown): string {
  const { code, scenario } = (typeof warning === "object" && warning !== null ? warning : {}) as { readonly code?: unknown; readonly scenario?: unknown };
  return JSON.stringify([code, scenario]);
}

function textOf(body: unknown): string {
  const { code, message } = (typeof body === "object" && body !== null ? body : {}) as { readonly code?: unknown; readonly message?: unknown };
  return typeof message === "string" ? `${typeof code === "string" ? `${code}: ` : ""}${message}` : (JSON.stringify(body) ?? "");
}
