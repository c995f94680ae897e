import type { HookContext, Reporter, Scenario, ScoreRecord, Suite, TrialReport } from "entail";
import { createRunner, decodeReport, encodeReport } from "entail";
import { scriptedJudge } from "entail/testing";
import { describe, expect, test } from "vitest";
import type { Scoring, ScoreStage, VerdictTally } from "../core/score-stage.ts";

const gate = (score: number, more: Partial<ScoreRecord> = {}): ScoreRecord => ({ id: "g", base: "g", kind: "gate", score, passed: score === 1, ...more });
const threshold = (score: number, bar: number): ScoreRecord => ({ id: "s", base: "s", kind: "scorer", score, threshold: bar, passed: score >= bar });
const scenario = (score: ScoreStage, more: Partial<Scenario> = {}): Scenario => ({ id: "one", description: "", tags: [], timeoutMs: 1_000, run: () => ({ output: "said" }), score, ...more });
const suite = (...scenarios: readonly Scenario[]): Suite => ({ id: "talk", description: "", scenarios });
const stage = (scoring: Scoring): ScoreStage => ({ score: () => scoring });
const run = async (one: Scenario, options: Partial<Parameters<typeof createRunner>[0]> = {}): Promise<TrialReport> => {
  const report = await createRunner({ maxConcurrency: 1, ...options }).run(suite(one));
  expect(decodeReport(encodeReport(report))).toStrictEqual(report);
  return report.scenarios[0] as unknown as TrialReport;
};

describe("the stage between hook and judge", () => {
  test("gates are hard, thresholds soft, and what could not be scored requires nothing", async () => {
    const outcomeOf = async (...scores: readonly ScoreRecord[]): Promise<string> => (await run(scenario(stage({ scores })))).outcome;
    expect(await outcomeOf(gate(1))).toBe("passed");
    expect(await outcomeOf(gate(0), threshold(1, 0.5))).toBe("failed");
    expect(await outcomeOf(gate(1), threshold(0.4, 0.5))).toBe("scored");
    expect(await outcomeOf({ id: "g", base: "g", kind: "gate", notScorable: "nothing there" })).toBe("scored");
    expect(await outcomeOf({ id: "s", base: "s", kind: "scorer", threshold: 0.5, notScorable: "nothing there" })).toBe("scored");
    expect(await outcomeOf({ id: "s", base: "s", kind: "scorer", score: 1 })).toBe("scored");
  });

  test("it gets the hook's own context and its result, and its checks stand with those of the hook", async () => {
    const seen: unknown[] = [];
    const contexts: HookContext[] = [];
    const report = await run(
      scenario(
        { score: (ctx, hooked) => (contexts.push(ctx), seen.push(hooked), { scores: [], checks: [{ name: "mine", passed: false, diagnostic: "no" }] }) },
        { run: (ctx) => (contexts.push(ctx), { output: "said", checks: [{ name: "its", passed: true }] }) },
      ),
    );
    expect(contexts[0]).toBe(contexts[1]);
    expect(seen).toEqual([{ kind: "returned", result: { output: "said", checks: [{ name: "its", passed: true }] } }]);
    expect([report.outcome, report.result?.checks?.map(({ name }) => name)]).toEqual(["failed", ["its", "mine"]]);
  });

  test("a turn has its own outcome: what it required, what broke, what was never reached", async () => {
    const turns = [
      { turn: 0, reached: true, output: "a", scores: [gate(1, { turn: 0 })] },
      { turn: 1, reached: true, output: "b", scores: [{ ...threshold(0.4, 0.5), turn: 1 }] },
      { turn: 2, reached: true, output: "c" },
      { turn: 3, reached: false, input: "d" },
    ];
    const report = await run(scenario(stage({ scores: [], turns })));
    expect(report.turns?.map(({ outcome }) => outcome)).toEqual(["passed", "scored", "scored", "not_reached"]);
    expect(report.outcome).toBe("scored");
    expect((await run(scenario(stage({ scores: [gate(1)], turns: [{ turn: 0, reached: true, scores: [gate(0, { turn: 0 })] }] })))).outcome).toBe("failed");
  });

  test("a fault makes the attempt errored at its stage, and what was scored is kept", async () => {
    const broken: ScoreRecord = { id: "b", base: "b", kind: "scorer", error: "it broke" };
    const report = await run(scenario(stage({ scores: [gate(1), broken], turns: [{ turn: 0, reached: true, scores: [{ ...broken, turn: 0 }] }], fault: { thrown: new Error("it broke") } })));
    expect(report).toMatchObject({ outcome: "errored", error: { code: "scorer_failed", stage: "score", message: "it broke" }, scores: [gate(1), broken], turns: [{ outcome: "errored", error: { code: "scorer_failed", stage: "score" } }] });
    expect((await run(scenario({ score: () => { throw new Error("the stage itself"); } }))).error).toMatchObject({ stage: "score", message: "the stage itself" });
  });

  test("what may pass is scored again without another hook, and what cannot is not", async () => {
    let hooks = 0;
    let scorings = 0;
    const failing = (status: number): ScoreStage => ({ score: () => (++scorings === 1 ? { scores: [], fault: { thrown: Object.assign(new Error("busy"), { status }) } } : { scores: [gate(1)] }) });
    const report = await run(scenario(failing(503), { run: () => (hooks++, { output: "x" }) }), { retries: 1 });
    expect([report.outcome, hooks, scorings, report.attempts?.length]).toEqual(["passed", 1, 2, 1]);
    scorings = 0;
    expect((await run(scenario(failing(401)), { retries: 1 })).outcome).toBe("errored");
    expect(scorings).toBe(1);
  });

  test("after a hook that threw the turns before are scored, and its error is the attempt's", async () => {
    const kinds: string[] = [];
    const report = await run(scenario({ score: (_ctx, { kind }) => (kinds.push(kind), { scores: [], turns: [{ turn: 0, reached: true, scores: [gate(1, { turn: 0 })] }, { turn: 1, reached: true, error: { code: "target_failed", stage: "hook", message: "down" } }] }) }, { run: () => { throw new Error("down"); } }));
    expect(kinds).toEqual(["threw"]);
    expect(report).toMatchObject({ outcome: "errored", error: { code: "hook_threw", message: "down" }, turns: [{ outcome: "passed" }, { outcome: "errored" }] });
  });

  test("it shares the hook's deadline, and what is known of the turns is told", async () => {
    const hang = (): Promise<never> => new Promise(() => undefined);
    const turns = (): { turn: number; reached: boolean; output?: string }[] => [{ turn: 0, reached: true, output: "a" }, { turn: 1, reached: true }, { turn: 2, reached: false }];
    const cutInHook = await run(scenario({ score: hang, turns }, { run: hang, timeoutMs: 20 }));
    expect(cutInHook).toMatchObject({ error: { code: "deadline_exceeded", stage: "hook" }, turns: [{ outcome: "errored", output: "a" }, { outcome: "errored", error: { code: "deadline_exceeded" } }, { outcome: "not_reached" }] });
    const cutInScore = await run(scenario({ score: hang, turns }, { timeoutMs: 20 }));
    expect(cutInScore).toMatchObject({ error: { code: "deadline_exceeded", stage: "score", message: expect.stringContaining("the scoring did not end") as unknown }, turns: [{ outcome: "errored" }, { outcome: "errored" }, { outcome: "not_reached" }] });
  });

  test("claims of turns are judged one by one, on their own outputs, after those of the whole", async () => {
    const judge = scriptedJudge({ whole: "entailed", first: "entailed", second: "contradicted" });
    const turns = [
      { turn: 0, reached: true, output: "a", claims: [{ id: "first", text: "t" }], reference: "facts" },
      { turn: 1, reached: true, output: "b", claims: [{ id: "second", text: "t" }] },
      { turn: 2, reached: true, output: "", claims: [{ id: "first", text: "t" }] },
      { turn: 3, reached: false, claims: [{ id: "first", text: "t" }] },
    ];
    const report = await run(scenario(stage({ scores: [], turns }), { run: () => ({ output: "a b", claims: [{ id: "whole", text: "t" }] }) }), { judge });
    expect(judge.requests.map(({ output, reference, claims }) => [output, reference, claims.map(({ id }) => id)])).toEqual([["a b", "", ["whole"]], ["a", "facts", ["first"]], ["b", "", ["second"]]]);
    expect(report.turns?.map(({ outcome, judgments }) => [outcome, judgments?.map(({ passed }) => passed)])).toEqual([["passed", [true]], ["failed", [false]], ["failed", [false]], ["not_reached", undefined]]);
    expect(report.outcome).toBe("failed");
  });

  test("a judge that fails on a turn leaves the judged turns, the scores, and that turn errored", async () => {
    const judge = scriptedJudge(({ id }) => { if (id === "bad") throw new Error("no judge"); return "entailed"; });
    const turns = [{ turn: 0, reached: true, output: "a", claims: [{ id: "good", text: "t" }] }, { turn: 1, reached: true, output: "b", claims: [{ id: "bad", text: "t" }] }];
    const report = await run(scenario(stage({ scores: [gate(1)], turns })), { judge });
    expect(report).toMatchObject({ outcome: "errored", error: { stage: "judge" }, scores: [gate(1)], turns: [{ outcome: "passed" }, { outcome: "errored", error: { stage: "judge", message: "no judge" } }] });
  });

  test("what its models consumed is the judge's side of the usage", async () => {
    expect((await run(scenario(stage({ scores: [gate(1)], usage: { inputTokens: 5, requests: 1 } })))).usage).toEqual({ judge: { inputTokens: 5, requests: 1 } });
  });
});

describe("a suite of data", () => {
  const tally = (verdict: ReturnType<VerdictTally["verdict"]>): Suite["data"] => ({ tally: () => ({ add: () => undefined, verdict: () => verdict }) });
  const data = (verdict: ReturnType<VerdictTally["verdict"]>, ...scores: readonly ScoreRecord[][]): Suite => ({ ...suite(...scores.map((own, at) => scenario(stage({ scores: own }), { id: `Item ${at}: "any" text` }))), id: "Any name", data: tally(verdict) });

  test("its tally says the verdict, and under strict that alone decides", async () => {
    for (const strict of [false, true]) {
      const runner = createRunner({ maxConcurrency: 1, strict });
      expect(await runner.run(data("passed", [threshold(0.4, 0.5)], [threshold(0.9, 0.5)]))).toMatchObject({ verdict: "passed", passed: true, totals: { scored: 1 }, scenarios: [{ outcome: "scored", passed: true }, { outcome: "passed", passed: true }] });
      expect(await runner.run(data("scored", [threshold(0.4, 0.5)]))).toMatchObject({ verdict: "scored", passed: !strict });
      expect(await runner.run(data(undefined, [{ id: "s", base: "s", kind: "scorer", score: 1 }]))).toMatchObject({ passed: !strict });
    }
  });

  test("an errored item makes it failed, and one that was not run leaves it without a verdict", async () => {
    const errored = await createRunner({ maxConcurrency: 1 }).run({ ...data("passed", [gate(1)]), scenarios: [scenario(stage({ scores: [] }), { run: () => { throw new Error("down"); } })] });
    expect(errored).toMatchObject({ verdict: "failed", passed: false });
    const cancelled = await createRunner({ maxConcurrency: 1 }).run(data("passed", [gate(1)]), { signal: AbortSignal.abort() });
    expect(cancelled).not.toHaveProperty("verdict");
  });

  test("its scenarios are named as they like, those of any other suite are not", async () => {
    const odd = scenario(stage({ scores: [gate(1)] }), { id: "Odd name" });
    expect((await createRunner({ maxConcurrency: 1 }).run(suite(odd))).error?.message).toContain("lower_snake_case");
    for (const id of ["", "x".repeat(201), "a\nb"]) {
      expect((await createRunner({ maxConcurrency: 1 }).run({ ...data("passed"), scenarios: [{ ...odd, id }] })).error?.message).toContain("of 1 to 200 characters without control characters");
    }
    expect((await createRunner({ maxConcurrency: 1 }).run({ ...suite(odd), data: {} as never })).error?.code).toBe("suite_invalid");
    expect((await createRunner({ maxConcurrency: 1 }).run(suite({ ...odd, id: "one", score: {} as never }))).error?.code).toBe("suite_invalid");
  });

  test("its reporter sees each item once", async () => {
    const seen: string[] = [];
    const reporter: Reporter = { scenarioFinished: ({ id }) => void seen.push(id) };
    await createRunner({ maxConcurrency: 2, reporter }).run(data("passed", [gate(1)], [gate(1)]));
    expect(seen.sort()).toEqual(['Item 0: "any" text', 'Item 1: "any" text']);
  });
});
