// Owns the contract of the store port: named checks that every store passes, whatever it is made of.

import type { ScenarioReport, TrialReport } from "../core/report.ts";
import type { Holder, Store, StoredLabel } from "../core/store.ts";
import { all, begun, codeOf, evidenceOf, headOf, INVOCATION, manifest, planned, ran, reportOf, require, runId, same, trialOf } from "./stored-samples.ts";
import type { ContractCheck } from "./target-contract.ts";

export interface StoreHarness {
  /** An empty store. */
  readonly open: () => Store | Promise<Store>;
  /** The same store opened a second time, as another process would; leave it out where there is no second time. */
  readonly again?: ((store: Store) => Store | Promise<Store>) | undefined;
}

const CHECKS: readonly (readonly [name: string, prove: (store: Store, again: () => Promise<Store>) => Promise<void>])[] = [
  [
    "an empty store has nothing, and says so without an error",
    async (store) => {
      same(await store.runs(), [], "the runs");
      same(await store.suiteIds(), [], "the suites");
      same(await store.labels(), [], "the labels");
      same(await store.measurements(), [], "the measurements");
      same([...(await store.durations("chat"))], [], "the durations");
      same(await store.past("chat", "greeting", 10), [], "the past of a scenario");
      require((await store.run(runId(1))) === undefined, "a run that is not there should be undefined");
    },
  ],
  [
    "runs are counted from 1, listed newest first, and each keeps its manifest and its invocation",
    async (store) => {
      const scenarios = [planned(0, "greeting", { tags: ["smoke"], input: { text: "hi", n: [1, null] }, inputSchema: { type: "object" }, trials: 3, passRate: 0.5, revision: "2" }), planned(1, "farewell", { skip: "not yet", knownFailure: "issue 7" })];
      same(await begun(store, 1, scenarios, { file: "evals/chat.eval.ts", exportIndex: 1, selected: true, strict: true, subject: "v1", variant: "small", note: "first" }), 1, "the first ordinal");
      same(await store.beginRun(manifest(2, scenarios, { suiteId: "alarms" })), 2, "the second ordinal");
      const runs = await store.runs();
      same(runs.map(({ ordinal }) => ordinal), [2, 1], "the ordinals, newest first");
      const first = runs[1];
      same(first?.invocation, INVOCATION, "the invocation");
      same([first?.file, first?.exportIndex, first?.selected, first?.strict, first?.subject, first?.variant, first?.note], ["evals/chat.eval.ts", 1, true, true, "v1", "small", "first"], "the manifest");
      same([first?.state, first?.plannedScenarios, first?.plannedTrials, first?.storedTrials], ["running", 2, 4, 0], "state, planned scenarios, planned and stored trials");
      same(await store.planned(runId(1)), scenarios, "the planned scenarios");
      same([await store.plannedScenario(runId(1), 1), (await store.plannedScenario(runId(1), 2)) ?? null], [scenarios[1], null], "one of them, and one that is not there");
      same(await store.suiteIds(), ["alarms", "chat"], "the suites");
      same((await store.runs({ suiteId: "chat" })).map(({ ordinal }) => ordinal), [1], "the runs of one suite");
      same((await store.runs({ before: 2 })).map(({ ordinal }) => ordinal), [1], "the runs before #2");
      same((await store.runs({ limit: 1 })).map(({ ordinal }) => ordinal), [2], "one run");
      same((await store.runs({ branch: "other" })).length, 0, "the runs of another branch");
      same((await store.runs({ invocationId: INVOCATION.id })).length, 2, "the runs of an invocation");
    },
  ],
  [
    "a run's id that is there already is refused, and the run that has it stays as it is",
    async (store) => {
      await begun(store, 1, [planned(0, "greeting")]);
      same(await codeOf(() => store.beginRun(manifest(1, [planned(0, "other")]))), "run_exists", "the error's code");
      same((await store.planned(runId(1))).map(({ id }) => id), ["greeting"], "its scenarios");
    },
  ],
  [
    "what is unknown is refused by name",
    async (store) => {
      same(await codeOf(() => store.putTrial({ runId: runId(9), position: 0, trial: 1 }, trialOf(1))), "run_unknown", "the code of a trial's error");
      same(await codeOf(() => store.scenarios(runId(9))), "run_unknown", "the code of a list's error");
    },
  ],
  [
    "a trial, its scenario and the head are read back as they were given",
    async (store) => {
      await begun(store, 1, [planned(0, "greeting", { trials: 2 }), planned(1, "farewell")]);
      const trials = [trialOf(1), trialOf(2, "failed")];
      for (const report of trials) await store.putTrial({ runId: runId(1), position: 0, trial: report.trial }, report);
      const [, second = trialOf(2)] = trials;
      const report = { ...reportOf("greeting", second), durationMs: 20, trials, trialCounts: { passed: 1, scored: 0, failed: 1, errored: 0, cancelled: 0, passRate: 0.5, stability: "flaky" } } as ScenarioReport;
      await store.putScenario(runId(1), 0, report);
      same(await store.trial({ runId: runId(1), position: 0, trial: 2 }), trials[1], "the trial");
      require((await store.trial({ runId: runId(1), position: 0, trial: 3 })) === undefined, "a trial that is not stored should be undefined");
      same(await store.scenario(runId(1), 0), report, "the scenario");
      require((await store.scenario(runId(1), 1)) === undefined, "a scenario that has not finished should be undefined");
      same(await all(store.scenarioReports(runId(1))), [report], "the scenarios' reports");
      same(await all(store.trials(runId(1))), trials.map((each) => ({ position: 0, report: each })), "the stored trials");
      const { rows } = await store.scenarios(runId(1));
      same(rows[0], { position: 0, id: "greeting", tags: [], outcome: "failed", passed: false, durationMs: 20, cost: 0.2, trials: ["passed", "failed"], trialCounts: report.trialCounts, reason: "right: was wrong" }, "the row");
      same(rows[1], { position: 1, id: "farewell", tags: [], trials: [] }, "the row of a scenario that has not finished");
      const run = await store.run(runId(1));
      same([run?.storedTrials, run?.totals.failed, run?.totals.scenarios, run?.state], [2, 1, 1, "running"], "stored trials, failed and finished scenarios, state");
      const head = headOf(1, { warnings: [{ code: "nothing_required", message: "…" }] });
      await store.finishRun(runId(1), head);
      const finished = await store.run(runId(1));
      same(finished?.head, head, "the head");
      same(finished?.state, "finished", "the state");
      await store.reopenRun(runId(1));
      same((await store.run(runId(1)))?.state, "running", "the state of a run that goes on");
      await store.amendRun(runId(1), { subject: "abc" });
      same((await store.run(runId(1)))?.subject, "abc", "the subject");
    },
  ],
  [
    "a trial that is stored again takes the place of what was stored, and so does its scenario",
    async (store) => {
      await begun(store, 1, [planned(0, "greeting")]);
      for (const outcome of ["failed", "passed"] as const) {
        const report = trialOf(1, outcome);
        await store.putTrial({ runId: runId(1), position: 0, trial: 1 }, report);
        await store.putScenario(runId(1), 0, reportOf("greeting", report));
      }
      same((await all(store.trials(runId(1)))).map(({ report }) => report.outcome), ["passed"], "the outcomes");
      const run = await store.run(runId(1));
      same([run?.storedTrials, run?.totals.scenarios, run?.totals.passed, run?.totals.failed], [1, 1, 1, 0], "stored trials, scenarios, passed, failed");
    },
  ],
  [
    "scenarios are listed in pages, searched, filtered and sorted, and the counts are those of the whole run",
    async (store) => {
      await ran(store, 1, ["passed", "failed", "passed", "failed", "passed"]);
      const ids = async (query: Parameters<Store["scenarios"]>[1]): Promise<unknown> => {
        const page = await store.scenarios(runId(1), query);
        same([page.counts.passed, page.counts.failed, page.counts.missing], [3, 2, 0], "the counts, whatever is asked for");
        return [page.rows.map(({ position }) => position), page.total];
      };
      same(await ids({}), [[0, 1, 2, 3, 4], 5], "all");
      same(await ids({ from: 1, limit: 2 }), [[1, 2], 5], "the second page");
      same(await ids({ outcomes: ["failed"] }), [[1, 3], 2], "those that failed");
      same(await ids({ outcomes: ["missing"] }), [[], 0], "those that are missing");
      same(await ids({ tag: "alarm" }), [[1, 3], 2], "those of a tag");
      same(await ids({ tag: "larm" }), [[], 0], "those of a part of a tag");
      same(await ids({ search: "WRONG  scenario_3" }), [[3], 1], "words of the reason and of the id");
      same(await ids({ search: "100%_" }), [[], 0], "characters that mean something elsewhere");
      same(await ids({ sort: "duration" }), [[4, 3, 2, 1, 0], 5], "the longest first");
      same(await ids({ sort: "cost", limit: 1 }), [[0], 5], "the dearest first, equal ones in order");
      same(await store.positionOf(runId(1), "scenario_3"), 3, "a scenario's position");
      require((await store.positionOf(runId(1), "nobody")) === undefined, "the position of a scenario that is not there should be undefined");
    },
  ],
  [
    "scenarios whose trials disagree come first where that is asked for",
    async (store) => {
      await begun(store, 1, [planned(0, "stable", { trials: 2 }), planned(1, "flaky", { trials: 2 })]);
      for (const [position, outcomes] of [["passed", "passed"], ["passed", "failed"]].entries()) {
        const trials = outcomes.map((outcome, at) => trialOf(at + 1, outcome as "passed" | "failed"));
        for (const report of trials) await store.putTrial({ runId: runId(1), position, trial: report.trial }, report);
        await store.putScenario(runId(1), position, { ...reportOf(position === 0 ? "stable" : "flaky", trials[1] ?? trialOf(1)), trials });
      }
      same((await store.scenarios(runId(1), { sort: "flaky" })).rows.map(({ id }) => id), ["flaky", "stable"], "the scenarios");
    },
  ],
  [
    "evidence is read whole, by its head, and by pages of its calls",
    async (store) => {
      await begun(store, 1, [planned(0, "greeting")]);
      const key = { runId: runId(1), position: 0, trial: 1 };
      const evidence = evidenceOf(1_234, 500);
      const report = trialOf(1);
      await store.putTrial(key, report, evidence);
      await store.putScenario(runId(1), 0, reportOf("greeting", report));
      same(await store.evidence(key), evidence, "the evidence");
      const { toolCalls: _calls, ...head } = evidence;
      same(await store.evidenceHead(key), { ...head, toolCalls: 1_234 }, "its head");
      const page = await store.calls(key, 995, 10);
      same([page.total, page.calls.map(({ toolCallId }) => toolCallId)], [1_234, Array.from({ length: 10 }, (_, at) => `call_${995 + at}`)], "a page of its calls");
      same((await store.calls(key, 1_230, 100)).calls.length, 4, "the calls of the last page");
      same((await store.scenarios(runId(1))).rows[0]?.toolCalls, 1_234, "the calls in the row");
      const none = { ...key, trial: 2 };
      require((await store.evidence(none)) === undefined && (await store.evidenceHead(none)) === undefined, "evidence that is not there should be undefined");
      same(await store.calls(none, 0, 10), { calls: [], total: 0 }, "the calls of no evidence");
    },
  ],
  [
    "every text comes back as it was: NUL, half an emoji, any language; and numbers stay numbers",
    async (store) => {
      await begun(store, 1, [planned(0, "greeting")]);
      const metadata = { score: 0.1, passed: true, started: "2024-02-29T23:59:59.999Z", tokens: 9_007_199_254_740_991, meta: { b: 1, a: null }, "k\u0000": "v\u0000", __proto__x: [false, -0.5, 1e300] };
      const report: TrialReport = { ...trialOf(1), result: { checks: [{ name: "right", passed: true }], output: "a\u0000b cut \ud83d 試験 é", metadata } } as TrialReport;
      const key = { runId: runId(1), position: 0, trial: 1 };
      const evidence = { ...evidenceOf(1), answer: "\ude00 tail\u0000" };
      await store.putTrial(key, report, evidence);
      await store.putScenario(runId(1), 0, reportOf("greeting", report));
      same(await store.trial(key), report, "the trial");
      same((await store.evidence(key))?.answer, "\ude00 tail\u0000", "the answer");
      same((await store.scenario(runId(1), 0))?.result, report.result, "the scenario's result");
    },
  ],
  [
    "a run is found by its ordinal, by its id and by a beginning that no other has",
    async (store) => {
      await begun(store, 1, [planned(0, "greeting")]);
      await store.beginRun(manifest(2, [], { runId: "0197ffff-0000-7000-8000-000000000002" }));
      const found = async (text: string): Promise<unknown> => (await store.findRun(text))?.ordinal ?? null;
      same(await Promise.all(["#2", "2", runId(1), "0197f", "#3", "zzzz"].map(found)), [2, 2, 1, 2, null, null], "the runs found");
      same(await found("0197"), null, "the run of a beginning that two share");
    },
  ],
  [
    "the past of a scenario is one entry a run, newest first, with what the scenario was then",
    async (store) => {
      await ran(store, 1, ["passed"]);
      await ran(store, 2, ["failed"]);
      await ran(store, 3, ["passed"], { suiteId: "other" });
      const past = await store.past("chat", "scenario_0", 10);
      same(past.map(({ ordinal, row }) => [ordinal, row.outcome]), [[2, "failed"], [1, "passed"]], "the past");
      require(past[0]?.revision === past[1]?.revision && past[0]?.revision !== "", "a scenario that did not change should keep its revision");
      same((await store.past("chat", "scenario_0", 1)).length, 1, "the latest entry alone");
    },
  ],
  [
    "the duration of a scenario is the median of its latest runs",
    async (store) => {
      for (const [at, durationMs] of [100, 20, 30].entries()) await ran(store, at + 1, ["passed"], {}, durationMs);
      same([...(await store.durations("chat"))], [["scenario_0", 30]], "the durations");
    },
  ],
  [
    "cells are one key a trial, and change with the subject, the input, the variant and the revision",
    async (store) => {
      const scenario = planned(0, "greeting", { trials: 2, input: { text: "hi" } });
      const keys: (string | undefined)[] = [];
      for (const [at, [more, changed]] of ([[{}, {}], [{ subject: "v2" }, {}], [{ variant: "big" }, {}], [{}, { input: { text: "ho" } }], [{}, { revision: "2" }], [{}, { tags: ["new"] }]] as const).entries()) {
        await begun(store, at + 1, [{ ...scenario, ...changed }], more);
        const cells = await store.cells(runId(at + 1));
        same([...cells.keys()], ["0/1", "0/2"], "the cells");
        keys.push(cells.get("0/1"));
      }
      same(new Set(keys.slice(0, 5)).size, 5, "how many of five keys differ");
      same(keys[5], keys[0], "the key of a scenario with another tag");
    },
  ],
  [
    "a run that goes on keeps what holds by the ids of its scenarios, wherever they stand now, and nothing of what does not",
    async (store) => {
      await begun(store, 1, ["a", "gone", "b", "c"].map((id, at) => planned(at, id)));
      for (const [at, id] of ["a", "gone", "b", "c"].entries()) {
        await store.putTrial({ runId: runId(1), position: at, trial: 1 }, trialOf(1, "passed", at + 1), evidenceOf(at));
        await store.putScenario(runId(1), at, reportOf(id, trialOf(1, "passed", at + 1)));
      }
      await store.reopenRun(runId(1), { stale: [{ position: 3, trial: 1 }], unfinished: [3], manifest: manifest(1, ["c", "new", "b", "a"].map((id, at) => planned(at, id)), { subject: "v2" }) });
      same((await all(store.trials(runId(1)))).map(({ position, report }) => [position, report.durationMs]), [[2, 3], [3, 1]], "the trials");
      same((await store.scenarios(runId(1))).rows.map(({ position, id, outcome }) => [position, id, outcome ?? null]), [[0, "c", null], [1, "new", null], [2, "b", "passed"], [3, "a", "passed"]], "the scenarios");
      same([(await store.evidence({ runId: runId(1), position: 2, trial: 1 }))?.toolCalls.length, (await store.run(runId(1)))?.subject, (await store.planned(runId(1))).map(({ id }) => id)], [2, "v2", ["c", "new", "b", "a"]], "evidence, subject and plan");
    },
  ],
  [
    "one process at a time holds an invocation, until another may take it",
    async (store) => {
      await begun(store, 1, [planned(0, "greeting")]);
      const [a, b] = ["a", "b"].map((token) => ({ token, pid: 1, host: "h", seenAt: "2026-11-30T10:00:00.000Z" })) as [Holder, Holder];
      const hold = (holder: Holder, may: boolean): Promise<Holder | undefined> => store.holdInvocation(INVOCATION.id, holder, () => may);
      same([await hold(a, false), await hold(b, false), await hold(a, false), await hold(b, true), await hold(a, false)].map((by) => by?.token ?? "held"), ["held", "a", "held", "held", "b"], "who holds it");
    },
  ],
  [
    "events, labels and measurements are kept, and a label can be taken back",
    async (store) => {
      await begun(store, 1, [planned(0, "greeting")]);
      const event = { at: "2026-11-30T10:00:00.000Z", type: "warning", body: { message: "mind" } };
      await store.putEvent(runId(1), event);
      same(await store.events(runId(1)), [event], "the events");
      const label: StoredLabel = { id: "l1", at: event.at, label: "contradicted", output: "o", reference: "", claim: { id: "c", text: "t" }, judged: { label: "entailed", rationale: "r", fingerprint: "f" }, from: { runId: runId(1), position: 0, trial: 1, suiteId: "chat", scenario: "greeting" } };
      await store.putLabel(label);
      await store.putLabel({ ...label, note: "sent twice" });
      same((await store.labels()).map(({ note }) => note), ["sent twice"], "the labels");
      same([(await store.labels({ fingerprint: "f", suiteId: "chat" })).length, (await store.labels({ fingerprint: "g" })).length, (await store.labels({ suiteId: "other" })).length], [1, 0, 0], "labels by judge and suite");
      await store.putMeasurement({ fingerprint: "f", at: event.at, judge: { model: "m" }, body: { n: 1 } });
      same(await store.measurements(), [{ fingerprint: "f", at: event.at, judge: { model: "m" }, body: { n: 1 } }], "the measurements");
      await store.removeRuns([runId(1)]);
      same((await store.labels()).length, 1, "the labels once their run is gone");
      await store.removeLabel("l1");
      same(await store.labels(), [], "the labels once they are taken back");
    },
  ],
  [
    "removed runs are gone with all that is theirs, the others stay, and no ordinal is given twice",
    async (store) => {
      await ran(store, 1, ["passed"]);
      await ran(store, 2, ["passed"]);
      same(await store.removeRuns([runId(2), runId(9)]), 1, "how many went");
      same((await store.runs()).map(({ ordinal }) => ordinal), [1], "the runs left");
      same(await codeOf(() => store.scenarios(runId(2))), "run_unknown", "the error of a removed run");
      same((await all(store.scenarioReports(runId(1)))).length, 1, "the scenarios of the other run");
      same(await store.beginRun(manifest(3, [])), 3, "the next ordinal");
    },
  ],
  [
    "the version grows with every change",
    async (store) => {
      const versions = [await store.version()];
      const grown = async (what: string): Promise<void> => {
        await store.flush();
        const version = await store.version();
        require(version > (versions.at(-1) ?? 0), `the version should grow with ${what}`);
        versions.push(version);
      };
      await begun(store, 1, [planned(0, "greeting")]);
      await grown("a run");
      const report = trialOf(1);
      await store.putTrial({ runId: runId(1), position: 0, trial: 1 }, report);
      await grown("a trial");
      await store.putScenario(runId(1), 0, reportOf("greeting", report));
      await grown("a scenario");
      await store.finishRun(runId(1), headOf(1));
      await grown("a head");
    },
  ],
  [
    "what was flushed is seen by another that opens the same store",
    async (store, again) => {
      await ran(store, 1, ["passed", "failed"]);
      await store.flush();
      const other = await again();
      same((await other.run(runId(1)))?.totals.failed, 1, "the failed scenarios, as the other sees them");
      same(await codeOf(() => other.beginRun(manifest(1, [planned(0, "other")]))), "run_exists", "the error of an id that the first has given");
      same(await other.beginRun(manifest(2, [])), 2, "the other's ordinal");
      same((await store.runs()).map(({ ordinal }) => ordinal), [2, 1], "the runs, as the first sees them");
      await other.close();
    },
  ],
];

/** The checks, for any test runner: `for (const { name, run } of storeContract(harness)) test(name, run)`. Each opens a store of its own. */
export function storeContract({ open, again }: StoreHarness): readonly ContractCheck[] {
  return CHECKS.filter(([, prove]) => again !== undefined || prove.length < 2).map(([name, prove]) => ({
    name,
    async run() {
      const store = await open();
      try {
        await prove(store, async () => (again === undefined ? store : again(store)));
        require(store.warnings.length === 0, `the store should have had nothing to warn of: ${store.warnings.map(({ message }) => message).join("; ")}`);
      } finally {
        await store.close();
      }
    },
  }));
}
