// Owns the suite that a stored run is: scenarios whose hooks give back what was stored, so that it is judged and graded by whatever judges and grades runs.

import type { TrialReport, TurnReport } from "../../core/report.ts";
import type { ScoredTurn } from "../../core/score-stage.ts";
import type { PlannedScenario, Store, StoredRun } from "../../core/store.ts";
import type { Scenario, Suite } from "../../core/suite.ts";
import type { StoredTrial } from "../../run/plan.ts";

export interface StoredSuite {
  readonly suite: Suite;
  /** The trials that there is nothing to judge of: they stay as they are. */
  readonly stored: (position: number, id: string, trial: number) => Promise<StoredTrial | undefined>;
  /** A trial that was judged again with the times of the one that the agent ran, and what that wrote. */
  readonly asItRan: (position: number, report: TrialReport) => Promise<TrialReport>;
}

/** The judging of all claims of one trial. */
const TIMEOUT_MS = 600_000;

/** `data` of the suite of the run's eval file, whose verdict goes by all items together. */
export async function storedSuite(run: StoredRun, store: Store, data: Suite["data"]): Promise<StoredSuite> {
  const { runId } = run;
  const planned = await store.planned(runId);
  const scenarios: Scenario[] = [];
  for (const each of planned) scenarios.push(await storedScenario(run, store, each));
  return {
    suite: { id: run.suiteId, description: "", scenarios, ...(data !== undefined && { data }) },
    async stored(position, id, trial) {
      const report = await store.trial({ runId, position, trial });
      if (report === undefined) return { report: { trial, outcome: "cancelled", durationMs: 0, error: { code: "run_incomplete", stage: "store", message: `trial ${trial} of scenario ${JSON.stringify(id)} has no result in run #${run.ordinal}` } } };
      if (isJudged(report)) return undefined;
      const evidence = await store.evidence({ runId, position, trial });
      return { report, ...(evidence !== undefined && { evidence }) };
    },
    async asItRan(position, report) {
      const was = await store.trial({ runId, position, trial: report.trial });
      if (was?.startedAt === undefined) return report;
      return { ...report, startedAt: was.startedAt, durationMs: was.durationMs, ...(was.stdout !== undefined && { stdout: was.stdout }) } as TrialReport;
    },
  };
}

async function storedScenario(run: StoredRun, store: Store, { position, id, description, tags, trials, revision, inputSchema, input, skip, knownFailure, passRate }: PlannedScenario): Promise<Scenario> {
  const { runId } = run;
  const counts = trials > 1 ? (await store.scenario(runId, position))?.trialCounts : undefined;
  // Trials that a rule ended early are those there are.
  const asked = counts?.stopped === undefined ? trials : counts.passed + counts.scored + counts.failed + counts.errored + counts.cancelled;
  const read = async (trial: number): Promise<TrialReport> => {
    const report = await store.trial({ runId, position, trial });
    if (report === undefined) throw new Error(`trial ${trial} is gone from the store`);
    return report;
  };
  return {
    id,
    description,
    tags,
    timeoutMs: TIMEOUT_MS,
    async run({ trial }) {
      const { result = {} } = await read(trial);
      const evidence = await store.evidence({ runId, position, trial });
      return { ...result, ...(evidence !== undefined && { evidence }) };
    },
    score: {
      async score({ trial }) {
        const { scores = [], turns = [], result } = await read(trial);
        // The hook's own come last, and are made of its result again.
        return { scores: scores.slice(0, scores.length - (result?.scores ?? []).length), turns: turns.map(scoredTurn) };
      },
    },
    ...(asked > 0 && { trials: asked }),
    ...(revision !== undefined && { revision }),
    ...(inputSchema !== undefined && { inputSchema }),
    ...(input !== undefined && { input }),
    ...(skip !== undefined && { skip }),
    ...(knownFailure !== undefined && { knownFailure }),
    ...(passRate !== undefined && { require: { passRate } }),
  };
}

/** Whether the judge has, or should have, labelled claims of it: it came to its end, or broke while it was judged. */
export function isJudged({ outcome, error, result, turns = [] }: TrialReport): boolean {
  if (outcome !== "passed" && outcome !== "scored" && outcome !== "failed" && !(outcome === "errored" && error.stage === "judge")) return false;
  return (result?.claims ?? []).length > 0 || turns.some(({ outcome: turn, claims = [] }) => turn !== "not_reached" && claims.length > 0);
}

function scoredTurn({ turn, id, outcome, durationMs, input, played, output, scores, claims, reference, toolCalls, startedMs, confirmation, usage, error }: TurnReport): ScoredTurn {
  return {
    turn,
    reached: outcome !== "not_reached",
    ...(id !== undefined && { id }),
    ...(durationMs !== undefined && { durationMs }),
    ...(input !== undefined && { input }),
    ...(played !== undefined && { played }),
    ...(output !== undefined && { output }),
    ...(scores !== undefined && { scores }),
    ...(claims !== undefined && { claims }),
    ...(reference !== undefined && { reference }),
    ...(toolCalls !== undefined && { toolCalls }),
    ...(startedMs !== undefined && { startedMs }),
    ...(confirmation !== undefined && { confirmation }),
    ...(usage !== undefined && { usage }),
    ...(error !== undefined && error.stage !== "judge" && { error }),
  };
}
