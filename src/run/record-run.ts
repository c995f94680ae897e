// Owns the keeping of a run: what `execute` hands on becomes writes into a store, the manifest before anything runs.

import type { RunStarted } from "../core/reporter.ts";
import type { ScenarioReport } from "../core/report.ts";
import type { PlannedScenario, Reopening, RunManifest, Store } from "../core/store.ts";
import type { Scenario } from "../core/suite.ts";
import { sameJson } from "../json/write-json.ts";
import { readIdentity } from "./judge-identity.ts";
import type { Plan, Sink } from "./plan.ts";

/** A run of the store that goes on, instead of one that begins. */
export interface ResumedRun {
  readonly ordinal: number;
  readonly reopening: (manifest: RunManifest) => Reopening;
  /** The report that the store has of a scenario already. */
  readonly before: (position: number) => Promise<ScenarioReport | undefined>;
}

/** Of no one scenario, and of results all the same. */
export const OF_RESULTS: ReadonlySet<string> = new Set(["judge_is_subject", "judge_changed"]);

/** What a manifest says beside what the plan does. */
export interface RecordedRun {
  readonly store: Store;
  readonly invocationId: string;
  readonly plan: Pick<Plan, "trials" | "strict" | "variant" | "selection" | "excludeTags" | "judge" | "rejudgedFrom" | "clock">;
  readonly resumed?: ResumedRun | undefined;
  /** Whether scenarios are missing on purpose; the plan says so when absent. */
  readonly selected?: boolean | undefined;
  readonly file?: string | undefined;
  readonly exportIndex?: number | undefined;
  readonly subject?: string | undefined;
  readonly note?: string | undefined;
  /** Called once the manifest is safe, with what the store calls the run; 0 where it could not be written. */
  readonly begun?: ((run: RunStarted, ordinal: number) => void) | undefined;
}

/**
 * The sink that writes into `store`. It waits for the manifest, and before the head is made for everything that was handed over; in between the store groups.
 * What the store could not keep as it should becomes a warning of the run. A store that loses results rejects, which is a failure of the run at stage `store`.
 */
export function recordRun({ store, invocationId, plan, resumed, selected, file, exportIndex, subject, note, begun }: RecordedRun): Required<Sink> {
  let runId: string | undefined;
  // A store that spilled before this run began spills what comes of it too.
  let told = 0;
  let say: (code: string, message: string) => void = () => {};

  const tellWarnings = (): void => {
    for (const { code, message } of store.warnings.slice(told)) say(code, message);
    told = store.warnings.length;
  };

  /** What is there already is not written a second time. */
  const putChanged = async (id: string, position: number, report: ScenarioReport, { before }: ResumedRun): Promise<void> => {
    if (!sameJson(await before(position), report)) await store.putScenario(id, position, report);
  };

  return {
    async runStarted(run, scenarios, warn) {
      say = warn;
      const judge = plan.judge === undefined ? undefined : readIdentity(plan.judge).fingerprint;
      const manifest: RunManifest = {
        runId: run.runId,
        invocationId,
        suiteId: run.suiteId,
        startedAt: run.startedAt,
        selected: selected ?? (plan.selection.kind !== "all" || (plan.excludeTags ?? []).length > 0),
        strict: plan.strict ?? false,
        ...(file !== undefined && { file }),
        ...(exportIndex !== undefined && { exportIndex }),
        ...(subject !== undefined && { subject }),
        ...(plan.variant !== undefined && { variant: plan.variant.name }),
        ...(note !== undefined && { note }),
        ...(plan.rejudgedFrom !== undefined && { rejudgedFrom: plan.rejudgedFrom }),
        ...(judge !== undefined && { judge }),
        // Each is made when it is asked for: there is no second list of a hundred thousand.
        scenarios: {
          *[Symbol.iterator]() {
            for (const [position, scenario] of scenarios.entries()) yield plannedScenario(scenario, position, plan.trials);
          },
        },
      };
      if (resumed !== undefined) await store.reopenRun(run.runId, resumed.reopening(manifest));
      const ordinal = resumed?.ordinal ?? (await store.beginRun(manifest));
      runId = run.runId;
      tellWarnings();
      begun?.(run, ordinal);
    },
    trialFinished: (position, _id, report, evidence) => (runId === undefined ? undefined : store.putTrial({ runId, position, trial: report.trial }, report, evidence)),
    scenarioFinished(position, report) {
      if (runId === undefined) return undefined;
      if (store.warnings.length > told) tellWarnings();
      return resumed === undefined ? store.putScenario(runId, position, report) : putChanged(runId, position, report, resumed);
    },
    warned(warning) {
      // What is said of a result is not said again where the result is taken by a process that goes on; the rest is worked out anew.
      if (runId === undefined || (warning.scenario === undefined && !OF_RESULTS.has(warning.code))) return undefined;
      return store.putEvent(runId, { at: new Date(plan.clock.now()).toISOString(), type: "warning", body: warning });
    },
    async settled() {
      if (runId === undefined) return;
      try {
        await store.flush();
      } finally {
        tellWarnings();
      }
    },
    async runFinished(head) {
      if (runId === undefined) return;
      await store.finishRun(runId, head);
      await store.flush();
    },
  };
}

export function plannedScenario({ id, description, tags, revision, inputSchema, input, skip, knownFailure, require, trials = 1 }: Scenario, position: number, asked: number | undefined): PlannedScenario {
  return {
    position,
    id,
    description,
    tags,
    // Of what is not to run nothing is missing.
    trials: skip === undefined ? (asked ?? trials) : 0,
    ...(revision !== undefined && { revision }),
    ...(inputSchema !== undefined && { inputSchema }),
    ...(input !== undefined && { input }),
    ...(skip !== undefined && { skip }),
    ...(knownFailure !== undefined && { knownFailure }),
    ...(require !== undefined && { passRate: require.passRate }),
  };
}
