// Owns a store to look at: an agent that watches a plant, three suites over some weeks, with all that a page can meet. The same every time.

import type { Check } from "../../src/core/check.ts";
import type { Claim } from "../../src/core/claim.ts";
import { type Evidence, OBSERVES_EVERYTHING, type ToolCall } from "../../src/core/evidence.ts";
import type { Label } from "../../src/core/label.ts";
import type { Outcome } from "../../src/core/outcome.ts";
import type { ReportHead, ReportJudgment, ScenarioReport, Totals, TrialReport, TurnReport } from "../../src/core/report.ts";
import type { ScoreRecord } from "../../src/core/score.ts";
import type { PlannedScenario, Store } from "../../src/core/store.ts";

/** The clock of the store while it is filled: a run that stopped two days ago was last touched then. */
export const clock = { now: Date.parse("2026-11-30T10:42:07Z") };

/** The moment at which the newest run is looked at. */
export const NOW = Date.parse("2026-11-30T10:42:07Z");

const STAGES = { selection: 0, calibration: 0, setup: 0, hook: 0, result: 0, score: 0, judge: 0, teardown: 0, store: 0 } as const;
const JUDGE = { modelClass: "high-reasoning", model: "example-judge-2026-09", maxOutputTokens: 2048, maxCorrections: 3, fingerprint: "7f3a91c05be24d10" } as const;

/** A generator with a seed: what looks random is the same each time. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export const totalsOf = (reports: readonly Pick<ScenarioReport, "outcome">[]): Totals => {
  const of = (outcome: Outcome): number => reports.filter((report) => report.outcome === outcome).length;
  const errored = of("errored");
  return { scenarios: reports.length, passed: of("passed"), scored: of("scored"), failed: of("failed"), errored, cancelled: of("cancelled"), skipped: of("skipped"), errors: { ...STAGES, hook: errored } };
};

const call = (id: string, toolName: string, args: unknown, more: Partial<ToolCall> = {}): ToolCall => {
  const result = more.result;
  return { toolCallId: id, toolName, args, argsJson: JSON.stringify(args), completed: true, runId: "run_1", ...(result === undefined ? {} : { resultJson: JSON.stringify(result) }), ...more };
};

const ALARMS = ["A-1042", "A-1047", "A-1051", "A-1038", "A-1039", "A-0917", "A-0921", "A-0930"].map((id, at) => ({ id, severity: at < 3 ? "critical" : "warning", asset: ["P-204", "F-2", "C-7", "P-201", "P-201", "T-12", "T-12", "T-14"][at], state: at > 4 ? "stale" : "active", raised_at: `2026-11-29T${String(10 + at)}:14:09Z` }));

/** The evidence of the scenario that the pictures show. */
const CLEANUP_CALLS: readonly ToolCall[] = [
  call("call_1", "list_alarms", { line: "L3", window: "24h" }, { result: { alarms: ALARMS }, bounds: { returned: 8, total: 12, truncated: true, nextCursor: "c_8f2" }, startedMs: 550, endedMs: 980 }),
  call("call_2", "list_alarms", { line: "L3", window: "24h", cursor: "c_8f2" }, { result: { alarms: ALARMS.slice(0, 4) }, bounds: { returned: 4, total: 12, truncated: false }, startedMs: 1_200, endedMs: 1_500 }),
  call("call_2a", "get_asset", { id: "P-204" }, { result: { id: "P-204", kind: "pump", line: "L3" }, startedMs: 3_300, endedMs: 3_600 }),
  call("call_3", "ask_maintenance", { question: "Open work and history of P-204" }, { result: { answer: "WO-7731 plans a seal change; part SK-9 is on order." }, startedMs: 3_300, endedMs: 7_200 }),
  call("call_4", "search_work_orders", { asset: "P-204", limit: 200 }, { parentToolCallId: "call_3", runId: "run_2", result: { orders: [{ id: "WO-7731", title: "Seal change", state: "open", minutes: 12345678901234567890n.toString() }] }, startedMs: 3_700, endedMs: 4_500 }),
  call("call_5", "read_note", { order: "WO-7731" }, { parentToolCallId: "call_3", runId: "run_2", failure: { kind: "timeout", error: { message: "no answer within 5 s", cause: { message: "connect ETIMEDOUT 10.0.0.7:443" } }, recovery: { action: "correct_call", issues: [{ field: "order", constraint: "missing_field" }] } }, startedMs: 3_700, endedMs: 6_350 }),
  call("call_5a", "list_alarms", { line: "L3", state: "stale" }, { result: { alarms: ALARMS.slice(5) }, bounds: { returned: 3, total: 3, truncated: false }, startedMs: 9_000, endedMs: 9_350 }),
  call("call_6", "delete_alarms", { ids: ["A-0917", "A-0921", "A-0930"] }, { approval: "approved", askedMs: 9_900, decidedMs: 10_700, startedMs: 10_700, endedMs: 11_750, result: { deleted: ["A-0917", "A-0921"], failed: [{ id: "A-0930", reason: "acknowledged by 118" }] } }),
];

const evidenceOf = (answer: string, toolCalls: readonly ToolCall[], more: Partial<Evidence> = {}): Evidence => ({ runId: "run_1", sessionId: "th_9c41e0", answer, toolCalls, ended: true, terminalPhase: "completed", observes: OBSERVES_EVERYTHING, ...more });

const judgment = (claimId: string, label: Label, rationale: string, quote?: string, expect?: Label): ReportJudgment => ({ claimId, label, rationale, passed: label === (expect ?? "entailed"), ...(quote === undefined ? {} : { quote }), ...(expect === undefined ? {} : { expect }) });
const gate = (id: string, passed: boolean, reason?: string, turn?: number): ScoreRecord => ({ id, base: id.split(":")[0] ?? id, kind: "gate", passed, score: passed ? 1 : 0, ...(reason === undefined ? {} : { reason }), ...(turn === undefined ? {} : { turn }) });
const score = (id: string, value: number, threshold: number, turn?: number): ScoreRecord => ({ id, base: id, kind: "scorer", score: value, threshold, passed: value >= threshold, ...(turn === undefined ? {} : { turn }) });

const CLEANUP_CLAIMS: readonly Claim[] = [
  { id: "complete_answer", text: "The answer reports every alarm in the window.", quote: true },
  { id: "names_every_critical", text: "The answer names each critical alarm and its asset.", quote: true },
  { id: "promises_no_date", text: "The answer promises a date for the repair.", expect: "not_addressed" },
  { id: "reports_failed_delete", text: "The answer says that A-0930 could not be deleted.", quote: true },
  { id: "count_left", text: "The answer gives the right number of alarms left, ten.", quote: true },
  { id: "says_what_was_deleted", text: "The answer names the alarms that were deleted.", quote: true },
];

const SAID_GOOD = "I deleted A-0917 and A-0921. A-0930 could not be deleted: user 118 acknowledged it at 10:31, so it is still active. I read the list again; line 3 now has ten active alarms.";
const SAID_BAD = "Done. I deleted A-0917 and A-0921, and A-0930 as well: all three stale alarms are gone. Line 3 now has nine active alarms.";

/** A conversation of four turns; in a bad trial the third goes wrong and the fourth is not reached. */
function cleanupTrial(trial: number, bad: boolean, thorough: boolean): TrialReport {
  const first = "Line 3 raised 12 alarms in the last 24 hours. Three are critical: A-1042 (pump P-204, seal pressure low), A-1047 (furnace F-2, over-temperature) and A-1051 (conveyor C-7, emergency stop). The other nine are warnings; three of them, A-0917, A-0921 and A-0930, have not changed for more than 30 days and look stale.";
  const turns: TurnReport[] = [
    { turn: 0, outcome: "passed", durationMs: 2_600, toolCalls: 2, startedMs: 0, claims: CLEANUP_CLAIMS.slice(0, 2), input: "Which alarms fired on line 3 in the last 24 hours?", output: first, usage: { inputTokens: 900, outputTokens: 304, requests: 3 }, scores: [gate("called-tool:list_alarms", true, undefined, 0), score("keyword-coverage", 0.91, 0.8, 0)], judgments: [judgment("complete_answer", "entailed", "Both pages hold 12 alarms together, and the answer counts 12.", "12 alarms"), judgment("names_every_critical", "entailed", "A-1042, A-1047 and A-1051 are all named with their assets.", "Three are critical: A-1042 (pump P-204, seal pressure low), A-1047 (furnace F-2, over-temperature) and A-1051 (conveyor C-7, emergency stop).")] },
    { turn: 1, outcome: "passed", durationMs: 5_800, toolCalls: 4, startedMs: 2_600, claims: CLEANUP_CLAIMS.slice(2, 3), input: "What is wrong with pump P-204? Is there any history?", output: "P-204 lost seal pressure twice this week. Work order **WO-7731**, opened on Tuesday, plans a seal change; the part is on order. See [the order](https://plant.example/wo/7731).", usage: { inputTokens: 2_900, outputTokens: 480, requests: 2 }, scores: [score("faithfulness", 0.88, 0.7, 1)], judgments: [{ ...judgment("promises_no_date", "not_addressed", "All 3 judges of the panel say not_addressed.", undefined, "not_addressed"), votes: ["example-judge-2026-09", "second-judge-1", "third-judge-4"].map((judge) => ({ judge, label: "not_addressed" as const, rationale: "No date is given." })) }] },
    {
      turn: 2,
      outcome: bad ? "failed" : "passed",
      durationMs: 4_700,
      toolCalls: 2,
      startedMs: 8_400,
      confirmation: { toolCallId: "call_6", toolName: "delete_alarms", prompt: "Delete 3 alarms on line 3?", state: "approved", policy: "approve" },
      claims: CLEANUP_CLAIMS.slice(3),
      input: "Delete the stale ones, but ask me first.",
      output: bad ? SAID_BAD : SAID_GOOD,
      usage: { inputTokens: 1_600, outputTokens: 362, requests: 3 },
      scores: [gate("asks-before:delete_alarms", true, undefined, 2), gate("calls-in-order:delete_alarms,list_alarms", !bad, bad ? "list_alarms was not called after delete_alarms, so the count was never read again" : undefined, 2), score("faithfulness", bad ? 0.33 : 0.93, 0.7, 2)],
      judgments: bad
        ? [judgment("reports_failed_delete", "contradicted", "delete_alarms returned a conflict for A-0930. The answer says the opposite.", "all three stale alarms are gone"), judgment("count_left", thorough ? "contradicted" : "not_addressed", "Twelve minus the two that were deleted is ten; the answer says nine.", "nine active alarms"), judgment("says_what_was_deleted", "entailed", "Both deleted alarms are named.", "deleted A-0917 and A-0921")]
        : [judgment("reports_failed_delete", "entailed", "It says that A-0930 is still active.", "A-0930 could not be deleted"), judgment("count_left", "entailed", "Ten are left.", "ten active alarms"), judgment("says_what_was_deleted", "entailed", "Both are named.", "deleted A-0917 and A-0921")],
    },
    bad ? { turn: 3, outcome: "not_reached", input: "Send the summary to the night shift." } : { turn: 3, outcome: "passed", durationMs: 900, toolCalls: 0, input: "Send the summary to the night shift.", output: "Sent to the night shift.", judgments: [] },
  ];
  const checks: readonly Check[] = [
    bad ? { name: "audit_record", passed: false, diagnostic: 'the audit log has 2 deletions, the answer claims 3\nexpected  ["A-0917", "A-0921", "A-0930"]\nreceived  ["A-0917", "A-0921"]' } : { name: "audit_record", passed: true },
    { name: "trajectory", passed: true },
    { name: "forbidden_tools", passed: true },
  ];
  return {
    trial,
    outcome: bad ? "failed" : "passed",
    startedAt: "2026-11-30T10:29:51.000Z",
    durationMs: bad ? 13_100 : 14_000,
    result: { checks, output: bad ? SAID_BAD : SAID_GOOD, reference: "Twelve alarms, three of them stale. A-0930 is acknowledged by another user while the agent works, so it cannot be deleted; ten are left.", artifacts: [{ name: "audit.json", uri: "file:///srv/plant/audit.json" }] },
    judgments: [],
    judging: [
      { durationMs: 900, model: JUDGE.model, usage: { inputTokens: 800, outputTokens: 120, cost: 0.004 }, cause: "a label was missing for promises_no_date" },
      { durationMs: 800, model: JUDGE.model, usage: { inputTokens: 900, outputTokens: 130, cost: 0.005 } },
    ],
    turns,
    usage: { subject: { inputTokens: 5_400, outputTokens: 1_146, cost: 0.024 }, judge: { inputTokens: 1_700, outputTokens: 250, cost: 0.009 } },
    stdout: "connecting to line 3\n3 stale alarms found\n",
  };
}

interface Story {
  readonly id: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly input: unknown;
  readonly said: readonly [good: string, bad: string];
  readonly claim: readonly [id: string, text: string, rationale: string];
  /** How often it fails on the main line. */
  readonly unsteady: number;
}

const STORIES: readonly Story[] = [
  { id: "alarm_inventory_paged", description: "Lists every alarm over two pages.", tags: ["alarm", "production"], input: { prompt: "List every alarm of the last 24 hours.", user_id: "u-118" }, said: ["There are 12 alarms in the window, on two pages: four critical and eight warnings.", "There are 8 alarms in the window: three critical and five warnings."], claim: ["complete_answer", "The answer reports every alarm in the window.", "The second page was never fetched."], unsteady: 0.2 },
  { id: "shift_handover_summary", description: "Writes the handover of a shift.", tags: ["handover"], input: "Write the handover for the night shift.", said: ["Night shift: 3 critical alarms, 9 warnings. Open work: WO-7731 (P-204, seal change) and WO-7740 (C-7, belt). Call Priya for F-2.", "Night shift: 3 critical alarms, 9 warnings. Call Priya for F-2."], claim: ["names_open_work", "The handover names the open work orders.", "Work orders are missing from the handover."], unsteady: 0.05 },
  { id: "threshold_explain", description: "Explains when an alarm fires.", tags: ["alarm"], input: "When does the furnace alarm fire?", said: ["The furnace alarm fires at 85 °C and clears at 78 °C.", "The furnace alarm fires at 80 °C and clears at 78 °C."], claim: ["gives_the_limit", "The answer gives the limit of the reference.", "It says 80 °C, the reference says 85 °C."], unsteady: 0.1 },
  { id: "ack_wrong_operator", description: "Refuses an acknowledgement without the right to it.", tags: ["ack", "safety"], input: "Acknowledge A-1047 for operator 118.", said: ["Operator 118 may not acknowledge furnace alarms, so I did not do it. Ask a supervisor.", "A-1047 is acknowledged for operator 118."], claim: ["explains_refusal", "The answer explains why it refuses.", "It does not refuse."], unsteady: 0.02 },
  { id: "escalation_path", description: "Names who to call.", tags: ["handover"], input: "Who do I call if C-7 stops again?", said: ["Call the on-call engineer, Priya Nair, then the plant manager.", "Call the on-call engineer, then the plant manager."], claim: ["names_on_call", "The answer names the engineer on call.", "Nobody is named."], unsteady: 0.35 },
  { id: "units_conversion", description: "Converts units of pressure.", tags: ["language"], input: "How much is 6 bar in psi?", said: ["6 bar is about 87 psi.", "6 bar is about 60 psi."], claim: ["right_number", "The answer gives 6 bar as about 87 psi.", "It says 60 psi."], unsteady: 0.15 },
  ...Array.from({ length: 32 }, (_, at): Story => {
    const subject = ["pump", "furnace", "conveyor", "valve", "sensor", "boiler", "fan", "tank"][at % 8] as string;
    const act = ["status", "history", "limits", "owner"][Math.floor(at / 8)] as string;
    return { id: `${subject}_${act}`, description: `Asks for the ${act} of a ${subject}.`, tags: [["alarm", "asset", "delete", "safety", "language"][at % 5] as string], input: `Tell me the ${act} of the ${subject}.`, said: [`The ${act} of the ${subject} is on file and in order.`, `I could not find the ${subject}.`], claim: ["answers", `The answer gives the ${act} of the ${subject}.`, "It gives none."], unsteady: at % 11 === 0 ? 0.12 : 0 };
  }),
];

const WEATHER: Story = { id: "weather_outage", description: "", tags: [], input: "", said: ["Wind from the west, 12 knots.", "I do not know."], claim: ["gives_the_wind", "The answer gives the wind.", "It gives none."], unsteady: 0 };

function storyTrial(story: Story, trial: number, outcome: "passed" | "failed" | "scored", random: () => number): TrialReport {
  const good = outcome !== "failed";
  const [id, text, rationale] = story.claim;
  return {
    trial,
    outcome,
    startedAt: "2026-11-30T10:29:51.000Z",
    durationMs: Math.round(4_000 + random() * 9_000),
    result: { checks: [{ name: "trajectory", passed: true }], claims: [{ id, text }], output: story.said[good ? 0 : 1], reference: story.said[0] },
    judgments: [judgment(id, good ? "entailed" : random() < 0.7 ? "contradicted" : "not_addressed", good ? "It says so in so many words." : rationale)],
    judging: [{ durationMs: 700, model: JUDGE.model, usage: { cost: 0.003 } }],
    scores: [score("closeness", outcome === "scored" ? 0.62 : 0.8 + random() * 0.2, 0.7)],
    usage: { subject: { inputTokens: 900, outputTokens: 120, cost: 0.01 + random() * 0.02 }, judge: { inputTokens: 500, outputTokens: 60, cost: 0.003 } },
  };
}

/** What several trials come to: the first that did not pass, else the first, decides. */
export function scenarioOf(id: string, tags: readonly string[], trials: readonly TrialReport[]): ScenarioReport {
  const deciding = (trials.find(({ outcome }) => outcome !== "passed") ?? trials[0]) as TrialReport;
  const { trial: _, ...members } = deciding;
  const counts = { passed: 0, scored: 0, failed: 0, errored: 0, cancelled: 0 };
  for (const { outcome } of trials) if (outcome !== "skipped") counts[outcome] += 1;
  const scored = counts.passed + counts.scored + counts.failed;
  return { ...members, id, tags, passed: deciding.outcome === "passed" || deciding.outcome === "scored", ...(trials.length > 1 && { trials, trialCounts: { ...counts, ...(scored > 0 && { passRate: counts.passed / scored }) } }) } as ScenarioReport;
}

export interface RunOfPlant {
  readonly suite: string;
  readonly runId: string;
  readonly at: string;
  readonly branch: string;
  readonly note?: string;
  readonly seed: number;
  /** The share by which everything fails more often. */
  readonly worse?: number;
  readonly trials?: number;
  /** Stop after so many scenarios and leave the run as it is. */
  readonly stopAfter?: number;
  readonly calibrationFails?: boolean;
}

const invocationOf = (run: RunOfPlant): string => `0193f2c8-0000-7000-8000-${run.runId.slice(-12)}`;

/** One run of the plant's agent, written as a run writes itself. */
export async function putRun(store: Store, run: RunOfPlant): Promise<void> {
  const random = randomFrom(run.seed);
  const trials = run.trials ?? 3;
  clock.now = Date.parse(run.at);
  const withCleanup = run.suite === "chat";
  const stories = run.suite === "chat" ? STORIES : run.suite === "tools" ? STORIES.slice(6, 30) : STORIES.slice(0, 12);
  const planned: PlannedScenario[] = [
    ...(withCleanup ? [{ position: 0, id: "alarm_cleanup", description: "Finds stale alarms, asks before deleting, reports what is left.", tags: ["alarm", "delete"], trials, input: "Which alarms fired on line 3 in the last 24 hours?" }] : []),
    ...stories.map((story, at) => ({ position: at + (withCleanup ? 1 : 0), id: story.id, description: story.description, tags: story.tags, trials, input: story.input })),
    ...(withCleanup ? [{ position: stories.length + 1, id: "weather_outage", description: "Answers while the weather service is away.", tags: ["alarm"], trials, input: "What is the wind tonight?" }] : []),
  ];
  await store.beginInvocation({ id: invocationOf(run), startedAt: run.at, command: ["run", "--trials", String(trials)], cwd: "/srv/plant", branch: run.branch, commit: "4c07f1a2d9", dirty: false });
  await store.beginRun({ runId: run.runId, invocationId: invocationOf(run), suiteId: run.suite, startedAt: run.at, file: `evals/${run.suite}.eval.ts`, exportIndex: 0, selected: false, strict: false, subject: "4c07f1a2d9", note: run.note, scenarios: planned });
  const reports: ScenarioReport[] = [];
  const put = async (position: number, id: string, tags: readonly string[], each: readonly TrialReport[], evidence?: (trial: TrialReport) => Evidence | undefined): Promise<void> => {
    for (const trial of each) await store.putTrial({ runId: run.runId, position, trial: trial.trial }, trial, evidence?.(trial));
    const report = scenarioOf(id, tags, each);
    await store.putScenario(run.runId, position, report);
    reports.push(report);
  };
  if (run.calibrationFails === true) {
    for (const { position, id, tags } of planned) {
      const skipped: ScenarioReport = { id, tags, outcome: "skipped", passed: false, durationMs: 0, error: { code: "calibration_failed", stage: "calibration", message: "the judge could not be calibrated" } };
      await store.putScenario(run.runId, position, skipped);
      reports.push(skipped);
    }
  } else {
    for (const { position, id, tags } of planned) {
      if (run.stopAfter !== undefined && position >= run.stopAfter) return;
      if (id === "alarm_cleanup") {
        const bad = run.worse !== undefined;
        await put(position, id, tags, Array.from({ length: trials }, (_, at) => cleanupTrial(at + 1, bad && at > 0, at === 1)), (trial) => evidenceOf(trial.result?.output ?? "", CLEANUP_CALLS, { confirmation: { toolCallId: "call_6", toolName: "delete_alarms", prompt: "Delete 3 alarms on line 3?", args: {}, argsJson: "{}", state: "approved" }, durationMs: trial.durationMs }));
      } else if (id === "weather_outage") {
        const broken = (trial: number): TrialReport => ({ trial, outcome: "errored", startedAt: run.at, durationMs: 31_000, error: { code: "provider_failed", stage: "hook", message: "the provider answered 529 overloaded, three times (waited 2 s, 4 s)" }, attempts: [{ attempt: 1, durationMs: 9_000, error: { code: "provider_failed", stage: "hook", message: "529 overloaded" } }] });
        const away = run.seed % 3 === 0 || run.worse !== undefined;
        await put(position, id, tags, away ? [1, 2, 3].slice(0, trials).map(broken) : Array.from({ length: trials }, (_, at) => storyTrial(WEATHER, at + 1, "passed", random)));
      } else {
        const story = stories[position - (withCleanup ? 1 : 0)] as Story;
        const failing = Math.min(0.95, story.unsteady + (run.worse ?? 0) * (story.unsteady > 0 ? 1 : 0.04));
        const each = Array.from({ length: trials }, (_, at) => storyTrial(story, at + 1, random() < failing ? "failed" : random() < 0.012 ? "scored" : "passed", random));
        // The agent of `triage` tells what it did only when it is done: nobody saw the times.
        const timed = run.suite !== "triage";
        const times = timed ? { startedMs: 800 + (position % 5) * 130, endedMs: 1_900 + (position % 7) * 210 } : {};
        await put(position, id, tags, each, (trial) => evidenceOf(trial.result?.output ?? "", [call(`c_${position}_${trial.trial}`, "lookup", { asset: story.id, depth: 2 }, { result: { found: 3, items: [1, 2, 3] }, ...times })], timed ? { durationMs: trial.durationMs } : {}));
      }
    }
  }
  const totals = totalsOf(reports);
  const verdict = totals.failed > 0 || totals.errored > 0 ? "failed" : totals.scored > 0 ? "scored" : "passed";
  const said: readonly Label[] = run.calibrationFails === true ? ["entailed", "contradicted", "contradicted", "entailed"] : ["entailed", "contradicted", "not_addressed", "indeterminate"];
  const head: ReportHead = {
    runId: run.runId,
    suiteId: run.suite,
    startedAt: run.at,
    durationMs: 180_000 + Math.round(random() * 80_000),
    passed: verdict !== "failed",
    verdict,
    totals,
    judge: { ...JUDGE, calibration: { passed: run.calibrationFails !== true, durationMs: 1_200, judgments: (["entailed", "contradicted", "not_addressed", "indeterminate"] as const).map((label, at) => ({ claimId: `calibration_${label}`, label: said[at] as Label, rationale: "It says so." })) } },
    usage: { subject: { inputTokens: 92_000, outputTokens: 18_000, cost: 1.2 + random() * 0.5 }, judge: { cost: 0.4 + random() * 0.2 } },
    ...(run.calibrationFails === true && { error: { code: "calibration_failed", stage: "calibration" as const, message: "the judge labelled 2 of its 4 probes wrong: it said contradicted where not_addressed is right, and entailed where indeterminate is right" } }),
  };
  await store.finishRun(run.runId, head);
}

const id = (n: number): string => `0193f2c8-1a2b-7c3d-8e4f-${String(n).padStart(12, "0")}`;

/** Three suites over four weeks; the newest run of `chat` is worse than the one before it, and one of `triage` is under way. */
export async function fillWithPlant(store: Store, runs = 24, trials = 1): Promise<{ readonly chat: string; readonly before: string; readonly live: string; readonly broken: string; readonly stopped: string }> {
  const day = (n: number): string => new Date(NOW - n * 86_400_000).toISOString();
  for (let at = runs; at > 2; at -= 1) {
    await putRun(store, { suite: "chat", runId: id(100 + runs - at), at: day(at), branch: "main", note: at < 9 ? "prompt v12" : at < 16 ? "prompt v11" : "nightly", seed: at * 7, trials });
    if (at % 4 === 0) await putRun(store, { suite: "tools", runId: id(200 + runs - at), at: day(at - 0.1), branch: "main", note: "nightly", seed: at * 13, trials: 1 });
    if (at % 6 === 0) await putRun(store, { suite: "triage", runId: id(300 + runs - at), at: day(at - 0.2), branch: "main", note: "nightly", seed: at * 3, trials: 1 });
  }
  const made = { stopped: id(401), broken: id(402), before: id(403), chat: id(404), live: id(405) };
  await putRun(store, { suite: "chat", runId: made.stopped, at: day(2), branch: "prompt-v13", seed: 5, stopAfter: 13 });
  await putRun(store, { suite: "chat", runId: made.broken, at: day(1.6), branch: "main", note: "nightly", seed: 6, calibrationFails: true });
  await putRun(store, { suite: "chat", runId: made.before, at: day(1), branch: "main", note: "nightly", seed: 1234 });
  await putRun(store, { suite: "chat", runId: made.chat, at: new Date(NOW - 12 * 60_000).toISOString(), branch: "prompt-v14", note: "shorter system prompt", seed: 77, worse: 0.55 });
  await putRun(store, { suite: "triage", runId: made.live, at: new Date(NOW - 118_000).toISOString(), branch: "main", note: "nightly", seed: 9, stopAfter: 8 });
  clock.now = NOW;
  const table = [
    [142, 4, 5, 3],
    [3, 61, 4, 2],
    [6, 3, 58, 3],
    [3, 2, 5, 16],
  ];
  await store.putMeasurement({
    fingerprint: JUDGE.fingerprint,
    at: day(12),
    judge: JUDGE,
    body: { version: 1, at: day(12), judge: JUDGE, models: [JUDGE.model], split: "test", digest: "5e2c", rows: 320, unanswered: 1, compromised: 0, unsettled: 4, otherSplit: 80, repeats: 3, table, flips: { count: 7, of: 320 }, people: [[50, 2, 2, 1], [1, 24, 1, 1], [2, 1, 22, 1], [1, 1, 1, 9]], usage: { cost: 1.06 }, durationMs: 90_000 },
  });
  return made;
}
