import { checks, createScorer, notScorable, runEvals, type AnyScorer, type DataItem, type EvalsResult, type RunEvalsOptions, type ScorerEntry } from "entail/conversation";
import { decodeReport, encodeReport } from "entail";
import { openStore } from "entail/store";
import { scriptedJudge } from "entail/testing";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

/** An agent by shape: it echoes, and remembers what it was asked. */
const echo = (options: { readonly wait?: (input: string) => Promise<unknown> } = {}): { generate(input: unknown): Promise<object>; asked: unknown[] } => ({
  asked: [],
  async generate(input: unknown) {
    this.asked.push(input);
    await options.wait?.(String(input));
    if (input === "boom") throw new Error("it broke");
    return { text: `Echo: ${String(input)}` };
  },
});
/** A scorer whose scores follow the answer that it sees. */
const scorer = (id: string, score: (text: string) => unknown): AnyScorer => createScorer({ id, description: id }).generateScore(({ run }) => score(JSON.stringify(run.output)) as number);
const one = (id: string): AnyScorer => scorer(id, () => 1);
const run = (options: Partial<RunEvalsOptions> & Pick<RunEvalsOptions, "data">): Promise<EvalsResult> => runEvals({ target: echo(), ...options });
const refused = async (options: unknown): Promise<unknown> => {
  const target = echo();
  const thrown: unknown = await runEvals({ target, ...(options as Omit<RunEvalsOptions, "target">) }).then(() => undefined, (error: unknown) => error);
  expect(target.asked).toEqual([]);
  return (thrown as { readonly id?: string } | undefined)?.id;
};

describe("what is refused before anything is called", () => {
  const scorers = [one("s")];
  test("mastra 1: no data", async () => expect(await refused({ data: [], scorers })).toBe("RUN_EXPERIMENT_FAILED_NO_DATA_PROVIDED"));
  test("mastra 2: empty inputs, in the words non-empty array", async () => {
    expect(await refused({ data: [{ inputs: [] }], scorers })).toBe("INVALID_DATA_ITEM");
    await expect(run({ data: [{ inputs: [] }], scorers })).rejects.toThrow("data[0] needs as 'inputs' a non-empty array");
  });
  test("mastra 3: inputs that are undefined beside an input", async () => expect(await refused({ data: [{ input: "x", inputs: undefined }], scorers })).toBe("INVALID_DATA_ITEM"));
  test("mastra 4: inputs that are a text", async () => expect(await refused({ data: [{ inputs: "x" }], scorers })).toBe("INVALID_DATA_ITEM"));
  test("mastra 5: an item with nothing to send", async () => expect(await refused({ data: [{ groundTruth: 1 }], scorers })).toBe("INVALID_DATA_ITEM"));
  test("mastra 6: an item that is null, and one that is a text, named by its place", async () => {
    expect(await refused({ data: [null], scorers })).toBe("INVALID_DATA_ITEM");
    await expect(run({ data: [{ input: "fine" }, "x" as never], scorers })).rejects.toThrow("data[1]");
  });
  test("mastra 7: empty turns", async () => expect(await refused({ data: [{ turns: [] }], scorers })).toBe("INVALID_DATA_ITEM"));
  test("mastra 8: turns beside an input", async () => expect(await refused({ data: [{ turns: [{ input: "a" }], input: "b" }], scorers })).toBe("INVALID_DATA_ITEM"));
  test("mastra 9: turns beside inputs", async () => expect(await refused({ data: [{ turns: [{ input: "a" }], inputs: ["b"] }], scorers })).toBe("INVALID_DATA_ITEM"));
  test("mastra 10: a turn that is a text", async () => expect(await refused({ data: [{ turns: ["hello"] }], scorers })).toBe("INVALID_DATA_ITEM"));
  test("mastra 11: a turn without an input", async () => expect(await refused({ data: [{ turns: [{ gates: [] }] }], scorers })).toBe("INVALID_DATA_ITEM"));
  test("mastra 12: neither scorers nor gates", async () => {
    expect(await refused({ data: [{ input: "a" }] })).toBe("NO_SCORERS_PROVIDED");
    expect(await refused({ data: [{ input: "a" }], scorers: [], gates: [] })).toBe("NO_SCORERS_PROVIDED");
  });
  test("mastra 14: turns without an assertion, and no scorers", async () => expect(await refused({ data: [{ turns: [{ input: "a" }] }] })).toBe("NO_SCORERS_PROVIDED"));
  test("mastra 15: a threshold that is none, of a scorer and of a turn's", async () => {
    for (const threshold of [-0.1, 1.1, Number.NaN, Number.POSITIVE_INFINITY, "0.5", null, [], {}, { min: 0.9, max: 0.1 }, true]) {
      expect(await refused({ data: [{ input: "a" }], scorers: [{ scorer: one("s"), threshold }] })).toBe("INVALID_SCORER_THRESHOLD");
      expect(await refused({ data: [{ turns: [{ input: "a", scorers: [{ scorer: one("s"), threshold }] }] }] })).toBe("INVALID_SCORER_THRESHOLD");
    }
  });
  test("mastra 17: groups that are all empty, also beside gates", async () => {
    expect(await refused({ data: [{ input: "a" }], scorers: { agent: [] }, gates: [one("g")] })).toBe("NO_SCORERS_PROVIDED");
    expect(await refused({ data: [{ input: "a" }], scorers: { workflow: [one("s")] } })).toBe("INVALID_AGENT_SCORERS");
    expect(await refused({ data: [{ input: "a" }], scorers: {} })).toBe("INVALID_AGENT_SCORERS");
  });
  test("a threshold is looked at before the data, and the data before the scorers", async () => {
    expect(await refused({ data: [], scorers: [{ scorer: one("s"), threshold: 2 }] })).toBe("INVALID_SCORER_THRESHOLD");
    expect(await refused({ data: [{}], scorers: [] })).toBe("INVALID_DATA_ITEM");
  });
  test("a gate that is none, a target that is none, a concurrency of 0, and an option that nobody knows", async () => {
    await expect(run({ data: [{ input: "a" }], gates: [{} as never] })).rejects.toMatchObject({ code: "scorer_invalid" });
    await expect(run({ data: [{ input: "a" }], target: {} as never, scorers })).rejects.toMatchObject({ code: "option_invalid" });
    await expect(run({ data: [{ input: "a" }], scorers, concurrency: 0 })).rejects.toMatchObject({ code: "concurrency_not_positive" });
    await expect(run({ data: [{ input: "a" }], scorers, gate: [] } as never)).rejects.toThrow('runEvals has no option "gate"');
  });
  test("two items of one given id, naming both rows", async () => {
    await expect(run({ data: [{ id: "a", input: "1" }, { input: "2" }, { id: "a", input: "3" }], scorers })).rejects.toThrow(/data\[0\] and data\[2\] have the same id "a"/);
  });
});

describe("the verdict of a run", () => {
  const constant = (scores: readonly unknown[]): { readonly data: readonly DataItem[]; readonly by: (id: string) => AnyScorer } => ({
    data: scores.map((_, at) => ({ input: `n${at}.` })),
    by: (id) => scorer(id, (text) => scores[Number(/n(\d+)\./.exec(text)?.[1])]),
  });
  const gate = async (...scores: readonly unknown[]): Promise<EvalsResult> => {
    const { data, by } = constant(scores);
    return run({ data, gates: [by("g")] });
  };
  const threshold = async (bar: number | { min?: number; max?: number }, ...scores: readonly number[]): Promise<EvalsResult> => {
    const { data, by } = constant(scores);
    return run({ data, gates: [one("g")], scorers: [{ scorer: by("s"), threshold: bar }] });
  };

  test("mastra 13: a turn's gates alone are enough, and hold", async () => {
    expect(await run({ data: [{ turns: [{ input: "a", gates: [checks.includes("a")] }] }] })).toMatchObject({ verdict: "passed" });
  });
  test("mastra 18: a bare score of 0 makes no verdict, the item is scored, and a warning says that nothing was required", async () => {
    const result = await run({ data: [{ input: "a" }], scorers: [scorer("s", () => 0)] });
    expect(result).not.toHaveProperty("verdict");
    expect(result.report).not.toHaveProperty("verdict");
    expect(result.items[0]?.outcome).toBe("scored");
    expect(result.warnings.map(({ code }) => code)).toEqual(["nothing_required"]);
  });
  test("mastra 19: a gate of 1 is passed", async () => expect((await gate(1)).verdict).toBe("passed"));
  test("mastra 20: a gate of 0.999 is failed", async () => expect((await gate(0.999)).verdict).toBe("failed"));
  test("mastra 21: a threshold of 0.7 missed by 0.69 is scored", async () => expect((await threshold(0.7, 0.69)).verdict).toBe("scored"));
  test("mastra 22: a threshold of 0.7 met by 0.7 is passed", async () => expect((await threshold(0.7, 0.7)).verdict).toBe("passed"));
  test("mastra 23: a gate of 0 is failed whatever the threshold", async () => {
    expect((await run({ data: [{ input: "a" }], gates: [scorer("g", () => 0)], scorers: [{ scorer: one("s"), threshold: 0.5 }] })).verdict).toBe("failed");
  });
  test("mastra 24: 0.3 meets a maximum of 0.3, and 0.31 does not; the threshold is told as it was given", async () => {
    const result = await threshold({ max: 0.3 }, 0.3);
    expect(result.verdict).toBe("passed");
    expect(result.thresholdResults).toEqual([{ id: "s", passed: true, averageScore: 0.3, threshold: { max: 0.3 } }]);
    expect((await threshold({ max: 0.3 }, 0.31)).verdict).toBe("scored");
    expect((await threshold({ min: 0.2 }, 0.31)).thresholdResults?.[0]?.threshold).toEqual({ min: 0.2 });
  });
  test("mastra 25: both bounds are inclusive", async () => {
    for (const [score, verdict] of [[0.5, "passed"], [0.9, "passed"], [0.91, "scored"]] as const) expect((await threshold({ min: 0.5, max: 0.9 }, score)).verdict).toBe(verdict);
  });
  test("mastra 26: a gate of 1 and 0 has 0.5 and is failed, and the first item passed", async () => {
    const result = await gate(1, 0);
    expect(result.gateResults).toEqual([{ id: "g", passed: false, score: 0.5 }]);
    expect(result.items.map(({ outcome }) => outcome)).toEqual(["passed", "failed"]);
    expect(result.verdict).toBe("failed");
  });
  test("mastra 27: a gate of 2 is no score, so its item is errored and the run failed; under compat the mean of 2 and 0 passes", async () => {
    const result = await gate(2, 0);
    expect(result.items.map(({ outcome }) => outcome)).toEqual(["errored", "failed"]);
    expect(result.verdict).toBe("failed");
    const { data, by } = constant([2, 0]);
    expect((await run({ data, gates: [by("g")], compat: "mastra" })).verdict).toBe("passed");
  });
  test("mastra 28: three scores of 0.7 meet 0.7; under compat the plain sum misses it", async () => {
    expect((await threshold(0.7, 0.7, 0.7, 0.7)).verdict).toBe("passed");
    const { data, by } = constant([0.7, 0.7, 0.7]);
    const exact = await run({ data, scorers: [{ scorer: by("s"), threshold: 0.7 }], compat: "mastra" });
    expect(exact.verdict).toBe("scored");
    expect(exact.thresholdResults?.[0]?.averageScore).toBe(0.6999999999999998);
  });
  test("mastra 29: a gate of NaN is failed", async () => expect((await gate(Number.NaN)).verdict).toBe("failed"));
  test("mastra 30: a gate that is nowhere scorable makes no verdict and is counted", async () => {
    const result = await gate(notScorable("not here"));
    expect(result).not.toHaveProperty("verdict");
    expect(result).not.toHaveProperty("gateResults");
    expect(result.summary).toEqual({ totalItems: 1, notScorable: { g: 1 } });
  });
  test("mastra 31: a gate that is not scorable on one of two items has 1 and is passed", async () => {
    const result = await gate(notScorable(), 1);
    expect(result.verdict).toBe("passed");
    expect(result.gateResults).toEqual([{ id: "g", passed: true, score: 1 }]);
  });
  test("mastra 32: a turn's gate of 0 is failed", async () => {
    expect((await run({ data: [{ turns: [{ input: "a", gates: [scorer("t", () => 0)] }] }], gates: [one("g")] })).verdict).toBe("failed");
  });
  test("mastra 33: a turn's threshold missed is scored", async () => {
    expect((await run({ data: [{ turns: [{ input: "a", scorers: [{ scorer: scorer("t", () => 0.4), threshold: 0.5 }] }] }], gates: [one("g")] })).verdict).toBe("scored");
  });
  test("mastra 34: two thresholds at one turn are two rows, whatever the concurrency", async () => {
    const s = scorer("s", (text) => (text.includes("slow") ? 0.4 : 0.8));
    const data = [{ turns: [{ input: "slow", scorers: [{ scorer: s, threshold: 0.3 }] }] }, { turns: [{ input: "fast", scorers: [{ scorer: s, threshold: 0.9 }] }] }];
    const wait = (input: string): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, input === "slow" ? 20 : 0));
    for (const concurrency of [1, 2]) {
      const result = await run({ data, concurrency, target: echo({ wait }) });
      expect(result.verdict).toBe("scored");
      expect(result.turnResults).toEqual([{ index: 0, thresholdResults: [{ id: "s", passed: true, averageScore: 0.4, threshold: 0.3 }, { id: "s", passed: false, averageScore: 0.8, threshold: 0.9 }], scores: { s: (0.4 + 0.8) / 2 } }]);
    }
  });
  test("mastra 35: two checks of one kind keep both their scores", async () => {
    expect((await run({ data: [{ input: "a" }], scorers: [checks.includes("ZZZ"), checks.includes("Echo")] })).scores).toEqual({ "check-includes:zzz": 0, "check-includes:echo": 1 });
  });
  test("mastra 36: two checks of one kind as gates are two rows", async () => {
    const result = await run({ data: [{ input: "a" }], gates: [checks.includes("ZZZ"), checks.includes("Echo")] });
    expect(result.gateResults).toEqual([{ id: "check-includes:zzz", passed: false, score: 0 }, { id: "check-includes:echo", passed: true, score: 1 }]);
    expect(result.verdict).toBe("failed");
  });
  test("mastra 37: two thresholds of one kind are two rows", async () => {
    const result = await run({ data: [{ input: "a" }], scorers: [{ scorer: checks.similarity("Echo: a"), threshold: 0.9 }, { scorer: checks.similarity("b"), threshold: 0.1 }] });
    expect(result.thresholdResults?.map(({ passed, threshold: bar }) => [passed, bar])).toEqual([[true, 0.9], [false, 0.1]]);
  });
  test("mastra 38: a scorer may be called agent", async () => expect((await run({ data: [{ input: "a" }], scorers: [one("agent")] })).scores).toEqual({ agent: 1 }));
  test("mastra 39: a scorer may be called steps, workflow or __proto__", async () => {
    const { scores } = await run({ data: [{ input: "a" }], scorers: [one("steps"), one("workflow"), one("__proto__")] });
    expect(Object.keys(scores)).toEqual(["steps", "workflow", "__proto__"]);
  });

  test("is the truth table of gates and thresholds, of the whole and of turns together", async () => {
    const state = fc.constantFrom("none", "met", "missed", "unscorable");
    const value = { met: 1, missed: 0.4, unscorable: notScorable() };
    await fc.assert(
      fc.asyncProperty(state, state, state, state, async (topGate, turnGate, topBar, turnBar) => {
        const gates = (of: typeof topGate, id: string): AnyScorer[] => (of === "none" ? [] : [scorer(id, () => value[of])]);
        const bars = (of: typeof topBar, id: string): ScorerEntry[] => gates(of, id).map((entry) => ({ scorer: entry, threshold: 0.5 }));
        const result = await run({ data: [{ turns: [{ input: "a", gates: gates(turnGate, "tg"), scorers: bars(turnBar, "ts") }] }], gates: gates(topGate, "g"), scorers: [...bars(topBar, "s"), one("bare")] });
        const [hard, soft] = [[topGate, turnGate], [topBar, turnBar]];
        const expected = hard.includes("missed") ? "failed" : soft.includes("missed") ? "scored" : [...hard, ...soft].includes("met") ? "passed" : undefined;
        expect(result.verdict).toBe(expected);
        expect(result.items[0]?.outcome).toBe(expected ?? "scored");
      }),
      { numRuns: 60 },
    );
  });
});

describe("one item and the others", () => {
  test("mastra 77: a scorer that throws on item 2 of 3 leaves two results and a verdict that is not passed", async () => {
    const broken = scorer("s", (text) => { if (text.includes("two")) throw new Error("cannot score two"); return 1; });
    const data = [{ input: "one" }, { input: "two" }, { input: "three" }];
    const result = await run({ data, gates: [checks.includes("Echo")], scorers: [broken] });
    expect(result.items.map(({ outcome }) => outcome)).toEqual(["passed", "errored", "passed"]);
    expect(result.items[1]?.error).toMatchObject({ stage: "score", message: expect.stringContaining("cannot score two") as unknown });
    expect(result.scores).toEqual({ s: 1 });
    expect(result.verdict).toBe("failed");
    expect(result.summary).toEqual({ totalItems: 3, erroredItems: 1 });
    await expect(run({ data, scorers: [broken], onError: "throw" })).rejects.toMatchObject({ id: "RUN_EXPERIMENT_SCORER_FAILED_TO_SCORE_RESULT" });
  });

  test("mastra 78: a gate that throws fails the run; it is an error of its item, and no score", async () => {
    const result = await run({ data: [{ input: "a" }], gates: [scorer("g", () => { throw new Error("broken gate"); })] });
    expect(result.verdict).toBe("failed");
    expect(result.gateResults).toEqual([{ id: "g", passed: false, score: 0, errored: 1 }]);
    expect(result.items[0]?.scores).toEqual([expect.not.objectContaining({ score: 0 })]);
    expect(result.items[0]?.outcome).toBe("errored");
  });

  test("mastra 93: a ground truth that refers to itself hides no cause", async () => {
    const groundTruth: Record<string, unknown> = {};
    groundTruth["self"] = groundTruth;
    const result = await run({ data: [{ input: "boom", groundTruth }], scorers: [one("s")] });
    expect(result.items[0]?.error?.message).toContain("it broke");
    await expect(run({ data: [{ input: "boom", groundTruth }], scorers: [one("s")], onError: "throw" })).rejects.toMatchObject({ id: "RUN_EXPERIMENT_TARGET_FAILED_TO_GENERATE_RESULT", cause: new Error("it broke") });
  });

  test("what the callback throws is thrown once every item has ended", async () => {
    const told: string[] = [];
    const failing = run({ data: [{ input: "one" }, { input: "two" }], scorers: [one("s")], onItemComplete: ({ item }) => { told.push(item.input as string); throw new Error(`no ${item.input as string}`); } });
    await expect(failing).rejects.toThrow("no one");
    expect(told).toEqual(["one", "two"]);
  });

  test("the callback gets what the target gave and the scorers' results by their ids", async () => {
    const told: unknown[] = [];
    await run({ data: [{ input: "one", groundTruth: 4 }], scorers: [checks.includes("one")], onItemComplete: (completed) => void told.push(completed) });
    expect(told).toEqual([{ item: { input: "one", groundTruth: 4 }, targetResult: expect.objectContaining({ text: "Echo: one", scoringData: expect.anything() as unknown }) as unknown, scorerResults: { "check-includes": expect.objectContaining({ score: 1, groundTruth: 4 }) as unknown } }]);
  });

  test("an item has an id of its own, given or made of its input, and the report can be written and read back", async () => {
    const result = await run({ data: [{ id: "Ünïcode: yes", input: "a" }, { input: "a" }, { input: "a" }, { inputs: ["a", () => "b"] }, { id: "item_1", input: { city: "Ulm" } }], gates: [checks.includes("Echo")] });
    const ids = result.items.map(({ id }) => id);
    expect(ids.map((id) => id.replace(/[0-9a-f]{12}/, "#"))).toEqual(["Ünïcode: yes", "item_#", "item_#_2", "item_#", "item_1"]);
    expect(decodeReport(encodeReport(result.report))).toStrictEqual(result.report);
    expect(result.report.runId).toBe(result.runId);
  });

  test("trials, retries, a deadline and a signal come from the one runner", async () => {
    let asked = 0;
    const flaky = (): string => { if (++asked === 1) throw new Error("once"); return "fine"; };
    expect((await run({ data: [{ input: "a" }], target: flaky, retries: 1, gates: [checks.includes("fine")] })).items[0]?.outcome).toBe("passed");
    let failures = 0;
    const down = { generate: (): Promise<object> => (++failures === 1 ? Promise.reject(Object.assign(new Error("busy"), { statusCode: 503 })) : Promise.resolve({ text: "fine" })) };
    expect((await run({ data: [{ input: "a" }], target: down, retries: 1, gates: [checks.includes("fine")] })).items[0]?.outcome).toBe("passed");
    let refusals = 0;
    const forbidden = (): never => { refusals++; throw Object.assign(new Error("no key"), { statusCode: 401 }); };
    expect((await run({ data: [{ input: "a" }], target: forbidden, retries: 1, gates: [checks.includes("fine")] })).items[0]?.error).toEqual({ code: "target_failed", stage: "hook", message: "the target failed: no key" });
    expect(refusals).toBe(1);
    const trials = await run({ data: [{ input: "a" }], trials: 3, gates: [checks.includes("Echo")] });
    expect(trials.report.scenarios[0]?.trials).toHaveLength(3);
    expect(trials.verdict).toBe("passed");
    const slow = await run({ data: [{ inputs: ["a", "slow", "c"] }], target: echo({ wait: (input) => (input === "slow" ? new Promise(() => undefined) : Promise.resolve()) }), timeoutMs: 30, gates: [checks.includes("Echo")] });
    expect(slow.items[0]?.error).toMatchObject({ code: "deadline_exceeded", stage: "hook" });
    expect(slow.items[0]?.turns.map(({ outcome, output }) => [outcome, output])).toEqual([["errored", "Echo: a"], ["errored", ""], ["not_reached", ""]]);
    const cancelled = await run({ data: [{ input: "a" }], signal: AbortSignal.abort(), gates: [one("g")] });
    expect(cancelled.items[0]?.outcome).toBe("cancelled");
    expect(cancelled).not.toHaveProperty("verdict");
  });

  test("with trials, enough that hold make the gate hold", async () => {
    let asked = 0;
    const target = (): string => (++asked === 1 ? "bad" : "good");
    const enough = await run({ data: [{ input: "a", trials: 3, require: { passRate: 0.6 } }], target, gates: [checks.includes("good")] });
    expect(enough.verdict).toBe("passed");
    expect(enough.gateResults?.[0]).toMatchObject({ passed: true });
    asked = 0;
    expect((await run({ data: [{ input: "a", trials: 3 }], target, gates: [checks.includes("good")] })).verdict).toBe("failed");
  });

  test("with trials the item holds what the trial that decides said", async () => {
    let asked = 0;
    const target = (): string => (++asked === 2 ? "bad" : "good");
    const { items } = await run({ data: [{ input: "a", trials: 3 }], target, gates: [checks.includes("good")] });
    expect([items[0]?.outcome, items[0]?.output, JSON.stringify(items[0]?.messages).includes("bad")]).toEqual(["failed", "bad", true]);
  });

  test("a judge is calibrated first, and without one a claim is an error", async () => {
    const claims = [{ id: "echoes", text: "Echo" }];
    const judge = scriptedJudge({ echoes: "entailed" });
    const result = await run({ data: [{ input: "a", claims }], judge });
    expect([judge.calibrations.length, judge.requests.length, result.verdict]).toEqual([1, 1, "passed"]);
    expect((await run({ data: [{ input: "a", claims }], judge: scriptedJudge({ echoes: "contradicted" }) })).verdict).toBe("failed");
    const without = await run({ data: [{ input: "a", claims }] });
    expect(without.items[0]?.error?.code).toBe("judge_required");
    expect(without.verdict).toBe("failed");
  });

  test("the judge sees what was said before as reference, and only answers as output", async () => {
    const judge = scriptedJudge(() => "entailed");
    await run({ data: [{ turns: [{ input: "my city is Ulm" }, { input: "which?", claims: [{ id: "c", text: "t" }] }], claims: [{ id: "w", text: "t" }], reference: "Ulm is a city." }], judge });
    const [whole, turn] = judge.requests;
    expect(whole?.output).toBe("Echo: my city is Ulm\n\nEcho: which?");
    expect(whole?.reference).toContain("User: my city is Ulm");
    expect(turn?.output).toBe("Echo: which?");
    expect(turn?.reference).toBe("Ulm is a city.\n\nWhat was said before the answer:\nUser: my city is Ulm\nAssistant: Echo: my city is Ulm\nUser: which?");
  });

  test("a turn may have a ground truth of its own", async () => {
    const truths: unknown[] = [];
    const look = createScorer({ id: "look", description: "looks" }).generateScore(({ run: seen }) => (truths.push(seen.groundTruth), 1));
    await run({ data: [{ groundTruth: "item", turns: [{ input: "a", scorers: [look] }, { input: "b", scorers: [look], groundTruth: "turn" }] }], scorers: [look] });
    expect(truths).toEqual(["item", "item", "turn"]);
  });

  test("an item's target options stand over those of the call", async () => {
    const seen: object[] = [];
    const target = { generate: (_input: unknown, options: object) => (seen.push(options), { text: "ok" }) };
    await run({ data: [{ input: "a", targetOptions: { maxSteps: 2, memory: { resource: "own" } } }, { input: "b" }], target, targetOptions: { maxSteps: 1, instructions: "short", memory: { resource: "all", options: { lastMessages: 1 } } }, scorers: [one("s")] });
    expect(seen).toEqual([
      expect.objectContaining({ maxSteps: 2, instructions: "short", memory: { resource: "own", options: { lastMessages: 1 }, thread: expect.any(String) as unknown }, scorers: {}, returnScorerData: true }),
      expect.objectContaining({ maxSteps: 1, memory: expect.objectContaining({ resource: "all" }) as unknown }),
    ]);
  });

  test("a misspelt member of an item or a turn is a warning", async () => {
    const result = await run({ data: [{ turns: [{ input: "a", gate: [one("g")] } as never] }, { input: "b", grountTruth: 1 } as never], scorers: [one("s")] });
    expect(result.warnings.filter(({ code }) => code === "data_member_unknown").map(({ message }) => message)).toEqual([expect.stringContaining('"gate"'), expect.stringContaining('"grountTruth"')]);
  });

  test("a turn's row where the target keeps its own scores has that turn's trace and span, and a score that is taken again overwrites it", async () => {
    const rows = new Map<string, { traceId: string; spanId: string; threadId: string; batchId: string; metadata: { turnIndex?: number } }>();
    const storage = { getStore: () => Promise.resolve({ saveScore: (row: { id: string }) => Promise.resolve(rows.set(row.id, row as never)) }) };
    let asked = 0;
    const target = { id: "traced", getMastraInstance: () => ({ getStorage: () => storage }), generate: (input: unknown) => Promise.resolve({ text: `Echo: ${String(input)}`, traceId: `trace ${++asked}`, spanId: `span ${asked}` }) };
    let scored = 0;
    const shaky = createScorer({ id: "shaky", description: "breaks once" }).generateScore(() => { if (++scored === 1) throw Object.assign(new Error("busy"), { code: "provider_failed", name: "EntailError" }); return 1; });
    const result = await run({ data: [{ turns: [{ input: "a", gates: [checks.includes("a")] }, { input: "b", gates: [checks.includes("b"), shaky] }] }], target, gates: [checks.includes("Echo")], retries: 1 });
    expect(result.verdict).toBe("passed");
    const saved = [...rows.values()].map(({ metadata, traceId, spanId, threadId, batchId }) => [metadata.turnIndex, traceId, spanId, threadId === result.items[0]?.threadId, batchId === result.runId]);
    expect(saved).toEqual([[0, "trace 1", "span 1", true, true], [1, "trace 2", "span 2", true, true], [undefined, "trace 2", "span 2", true, true], [1, "trace 2", "span 2", true, true]]);
    expect(asked).toBe(2);
  });

  test("a run may be kept in a store, item by item", async () => {
    const store = await openStore("memory:");
    const result = await run({ data: [{ id: "one", input: "a" }, { id: "two", inputs: ["a", "b"] }], gates: [checks.includes("Echo")], store });
    const { rows } = await store.scenarios(result.runId);
    expect(rows.map(({ id, outcome, turns }) => [id, outcome, turns?.of])).toEqual([["one", "passed", undefined], ["two", "passed", 2]]);
    await store.close();
  });
});
