// Owns a stored scenario as it is told on a terminal: why it came out so, what was said, and what its agent did.

import { formatDuration } from "../../core/duration.ts";
import type { ScenarioReport } from "../../core/report.ts";
import type { Store, TrialKey } from "../../core/store.ts";
import { counted } from "../../report/number-text.ts";
import { reasonLine, reasonsOf } from "../../report/reason.ts";
import type { Page } from "./page.ts";
import { printable, printableLine } from "./printable.ts";

export interface StoredPlace {
  readonly store: Store;
  readonly runId: string;
  readonly position: number;
}

/** So many calls, and so much of a text, are told; `export` and the viewer have the rest. */
const CALLS = 20;
const TEXT = 4_000;

export async function writeStoredScenario(page: Page, report: ScenarioReport, { store, runId, position }: StoredPlace, mask: (text: string) => string): Promise<void> {
  const line = (text: string): string => printableLine(mask(text));
  const long = (text: string): string => printable(mask(text.length > TEXT ? `${text.slice(0, TEXT)} … (${text.length - TEXT} characters more)` : text));
  page.row(2, [report.outcome === "passed" ? "good" : report.outcome === "failed" ? "bad" : "warn", report.outcome], ["mute", formatDuration(report.durationMs)], ["mute", report.startedAt ?? ""]);
  const { reasons, held } = reasonsOf(report);
  for (const reason of reasons) page.text(4, "bad", line(reasonLine(reason)));
  const holding = [held.checks > 0 ? counted(held.checks, "check") : "", held.claims > 0 ? counted(held.claims, "claim") : "", held.scores > 0 ? counted(held.scores, "score") : ""].filter((text) => text !== "");
  if (holding.length > 0) page.text(4, "mute", `held: ${holding.join(", ")}`);
  for (const trial of report.trials ?? []) page.row(4, ["mute", `trial ${trial.trial}`], [trial.outcome === "passed" ? "good" : "bad", trial.outcome], ["mute", formatDuration(trial.durationMs)]);
  if (report.result?.output !== undefined) page.labelled(2, "output", long(report.result.output), "strong");
  const key = await decidingKey(report, { store, runId, position });
  const head = await store.evidenceHead(key);
  if (head === undefined) return;
  page.row(2, ["strong", "evidence"], ["mute", head.terminalPhase ?? "no end seen"], ["mute", counted(head.toolCalls, "tool call")]);
  const { calls, total } = await store.calls(key, 0, CALLS);
  for (const call of calls) page.row(4, ["plain", line(call.toolName)], ["mute", line(call.argsJson.slice(0, 200))], ["bad", call.failure === undefined ? "" : line(`${call.failure.kind}: ${call.failure.error.message}`)]);
  if (total > calls.length) page.text(4, "mute", `and ${counted(total - calls.length, "more call")}`);
}

/** The trial that the report speaks of. */
async function decidingKey(report: ScenarioReport, { store, runId, position }: StoredPlace): Promise<TrialKey> {
  const deciding = report.trials?.find(({ outcome }) => outcome === report.outcome)?.trial ?? 1;
  const key = { runId, position, trial: deciding };
  return (await store.trial(key)) === undefined ? { ...key, trial: 1 } : key;
}
