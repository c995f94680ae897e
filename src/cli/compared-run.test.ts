import { expect, test } from "vitest";
import { compareReports } from "entail/report";
import { openStore, type RunManifest } from "entail/store";
import type { ScenarioReport } from "../core/report.ts";
import { findRuns, storedRun } from "./compared-run.ts";

const passed = (id: string): ScenarioReport => ({ id, outcome: "passed", passed: true, startedAt: "2026-01-01T00:00:00Z", durationMs: 1, result: { checks: [{ name: "right", passed: true }] } });
const id = (digit: number): string => `01900000-0000-7000-8000-00000000000${digit}`;

const manifest = (run: number, invocation: number, suiteId = "chat"): RunManifest => ({
  runId: id(run),
  invocationId: id(invocation),
  suiteId,
  startedAt: "2026-01-01T00:00:00Z",
  selected: false,
  strict: false,
  subject: "v1",
  scenarios: ["first", "second"].map((name, position) => ({ position, id: name, description: `About ${name}.`, tags: [], trials: 1 })),
});

async function storeOf(...runs: readonly RunManifest[]) {
  const store = await openStore("memory:");
  for (const invocation of new Set(runs.map(({ invocationId }) => invocationId))) await store.beginInvocation({ id: invocation, startedAt: "2026-01-01T00:00:00Z", command: ["run"], cwd: "/" });
  for (const run of runs) await store.beginRun(run);
  return store;
}

test("a run whose process died is compared with all that it planned: what has no result is cancelled, and the gate is 3", async () => {
  const store = await storeOf(manifest(1, 8));
  await store.putTrial({ runId: id(1), position: 0, trial: 1 }, { trial: 1, outcome: "passed", startedAt: "2026-01-01T00:00:00Z", durationMs: 1, result: { checks: [{ name: "right", passed: true }] } });
  await store.putScenario(id(1), 0, passed("first"));
  const [stored] = await findRuns("last", store);
  if (stored === undefined) throw new Error("no run");
  const run = await storedRun(stored, store);
  expect(run.scenarios.map((scenario) => [scenario.id, scenario.outcome, scenario.error?.code])).toEqual([["first", "passed", undefined], ["second", "cancelled", "run_incomplete"]]);
  expect([run.subject, run.error?.code, run.scenarios[0]?.revision?.length, run.scenarios[0]?.content?.length]).toEqual(["v1", "run_incomplete", 16, 16]);
  const whole = { ...run, error: undefined, scenarios: run.scenarios.map((scenario) => ({ ...scenario, outcome: "passed" as const, trials: { passed: 1, scored: 0, failed: 0, errored: 0, cancelled: 0 } })) };
  expect(compareReports(whole, run).gate).toEqual({ exitCode: 3, reasons: ["the run of chat did not come to its end (run_incomplete)", "1 scenario was cancelled"] });
});

test("last is every run of the latest invocation in their order, last~1 the one before, and one that is not there is said so", async () => {
  const store = await storeOf(manifest(1, 8), manifest(2, 9, "one"), manifest(3, 9, "two"));
  const found = async (text: string): Promise<readonly string[]> => (await findRuns(text, store)).map(({ suiteId, ordinal }) => `${suiteId} #${ordinal}`);
  expect(await found("last")).toEqual(["one #2", "two #3"]);
  expect(await found("last~1")).toEqual(["chat #1"]);
  expect(await found("#2")).toEqual(["one #2"]);
  await expect(found("last~2")).rejects.toThrow('there is no run "last~2": the store holds those of 2 invocations');
  await expect(found("#9")).rejects.toThrow('there is no run "#9"');
  await expect(findRuns("last", await storeOf())).rejects.toThrow("there is no run yet: npx entail run makes one");
});
