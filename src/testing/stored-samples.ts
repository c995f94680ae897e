// Owns what the contract of a store is proved with: small runs, and what holds of what comes back.

import { EntailError, isEntailError, STAGES } from "../core/error.ts";
import type { Evidence, ToolCall } from "../core/evidence.ts";
import type { ReportHead, ScenarioReport, TrialReport } from "../core/report.ts";
import type { Invocation, PlannedScenario, RunManifest, Store } from "../core/store.ts";
import { sameJson } from "../json/write-json.ts";

export function require(holds: boolean, message: string): void {
  if (!holds) throw new EntailError("contract_broken", message);
}

export function same(given: unknown, wanted: unknown, what: string): void {
  require(sameJson(given, wanted), `${what} should be ${shown(wanted)}; it is ${shown(given)}`);
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? "undefined").slice(0, 500);

export const INVOCATION: Invocation = { id: "01970000-0000-7000-8000-000000000001", startedAt: "2026-11-30T10:00:00.000Z", command: ["run", "--trials", "2"], cwd: "/work", branch: "main", commit: "a".repeat(40), dirty: true };

export function planned(position: number, id: string, more: Partial<PlannedScenario> = {}): PlannedScenario {
  return { position, id, description: `Does ${id}.`, tags: [], trials: 1, ...more };
}

export const runId = (n: number): string => `01970000-0000-7000-8000-${String(n).padStart(12, "0")}`;

export function manifest(n: number, scenarios: readonly PlannedScenario[], more: Partial<RunManifest> = {}): RunManifest {
  return { runId: runId(n), invocationId: INVOCATION.id, suiteId: "chat", startedAt: `2026-11-30T10:00:0${n % 10}.000Z`, selected: false, strict: false, scenarios, ...more };
}

export function trialOf(trial: number, outcome: "passed" | "failed" = "passed", durationMs = 10): TrialReport {
  const check = outcome === "passed" ? ({ name: "right", passed: true } as const) : ({ name: "right", passed: false, diagnostic: "was wrong" } as const);
  return { trial, outcome, startedAt: "2026-11-30T10:00:01.000Z", durationMs, result: { checks: [check], output: `answer ${trial}` }, usage: { subject: { inputTokens: 9_007_199_254_740_991, cost: 0.1 } } };
}

export function reportOf(id: string, report: TrialReport, tags: readonly string[] = []): ScenarioReport {
  const { trial: _trial, ...members } = report;
  return { id, ...(tags.length > 0 && { tags }), ...members, passed: report.outcome === "passed" } as ScenarioReport;
}

export function headOf(n: number, more: Partial<ReportHead> = {}): ReportHead {
  const errors = Object.fromEntries(STAGES.map((stage) => [stage, 0])) as ReportHead["totals"]["errors"];
  return { runId: runId(n), suiteId: "chat", startedAt: `2026-11-30T10:00:0${n % 10}.000Z`, durationMs: 12.5, passed: true, verdict: "passed", totals: { scenarios: 1, passed: 1, scored: 0, failed: 0, errored: 0, cancelled: 0, skipped: 0, errors }, ...more };
}

export function evidenceOf(calls: number, weight = 10): Evidence {
  const toolCalls: ToolCall[] = Array.from({ length: calls }, (_, at) => ({ toolCallId: `call_${at}`, toolName: "search", args: { q: at }, argsJson: `{"q":${at}}`, result: "x".repeat(weight), resultJson: JSON.stringify("x".repeat(weight)), completed: true }));
  return { runId: "agent-1", sessionId: "s", answer: "It is so.", toolCalls, terminalPhase: "completed", ended: true, observes: { args: true, results: true, failureKinds: true, parents: true, approvals: true, bounds: true, deltas: true } };
}

export async function all<Value>(items: AsyncIterable<Value>): Promise<readonly Value[]> {
  const list: Value[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export async function codeOf(act: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (thrown) {
    return isEntailError(thrown) ? thrown.code : String(thrown);
  }
}

export async function begun(store: Store, n: number, scenarios: readonly PlannedScenario[], more: Partial<RunManifest> = {}): Promise<number> {
  await store.beginInvocation(INVOCATION);
  return store.beginRun(manifest(n, scenarios, more));
}

/** A whole run of one trial a scenario, with the outcomes and durations that are given. */
export async function ran(store: Store, n: number, outcomes: readonly ("passed" | "failed")[], more: Partial<RunManifest> = {}, durationMs = 10): Promise<void> {
  await begun(store, n, outcomes.map((_, at) => planned(at, `scenario_${at}`, { tags: at % 2 === 0 ? ["even"] : ["odd", "alarm"] })), more);
  for (const [at, outcome] of outcomes.entries()) {
    const report = trialOf(1, outcome, durationMs + at);
    await store.putTrial({ runId: runId(n), position: at, trial: 1 }, report);
    await store.putScenario(runId(n), at, reportOf(`scenario_${at}`, report, at % 2 === 0 ? ["even"] : ["odd", "alarm"]));
  }
  await store.finishRun(runId(n), headOf(n, more.suiteId === undefined ? {} : { suiteId: more.suiteId }));
}
