import { createRunner, type Report, type Suite } from "entail";
import { createJudge } from "entail/judge";
import { createClient, priced } from "entail/model";
import { judgeAnswer, scriptedProvider } from "entail/testing";
import { describe, expect, test } from "vitest";

const suite = (count: number, run: Suite["scenarios"][number]["run"]): Suite => ({ id: "s", description: "S.", scenarios: Array.from({ length: count }, (_, at) => ({ id: `s${at}`, description: "One.", tags: [], timeoutMs: 10_000, run })) });
const costing = (cost: number | undefined, tokens = 10) => () => ({ checks: [{ name: "ok", passed: true as const }], usage: { inputTokens: tokens, outputTokens: 0, ...(cost !== undefined && { cost }) } });
const outcomes = (report: Report): readonly string[] => report.scenarios.map(({ outcome }) => outcome);

describe("a budget", () => {
  test("stops the run once it is spent: what is done stays, the rest is cancelled, and the report says why", async () => {
    const report = await createRunner({ maxConcurrency: 1, maxCost: 0.3 }).run(suite(6, costing(0.1)));
    expect(outcomes(report)).toEqual(["passed", "passed", "passed", "cancelled", "cancelled", "cancelled"]);
    expect(report).toMatchObject({ passed: false, error: { code: "budget_reached", message: "the run spent $0.30 of the $0.30 that it may cost" }, usage: { subject: { cost: expect.closeTo(0.3, 9) } } });
    expect(report.scenarios[3]).toMatchObject({ error: { code: "budget_reached", stage: "selection" } });
  });

  test("is reached in spite of the last digits of a sum", async () => {
    expect((await createRunner({ maxConcurrency: 1, maxCost: 1 }).run(suite(12, costing(0.1)))).totals).toMatchObject({ passed: 10, cancelled: 2 });
  });

  test("what is going on when it is spent ends by itself and counts", async () => {
    const report = await createRunner({ maxConcurrency: 3, maxCost: 0.1 }).run(suite(6, async () => (await new Promise((resolve) => setTimeout(resolve, 5)), costing(0.1)())));
    expect(report.totals).toMatchObject({ passed: 3, cancelled: 3, failed: 0, errored: 0 });
  });

  test("that is spent with the last scenario cancels nothing and fails nothing", async () => {
    expect(await createRunner({ maxConcurrency: 1, maxCost: 0.3 }).run(suite(3, costing(0.1)))).toMatchObject({ passed: true });
  });

  test("of tokens counts input and output of both", async () => {
    const report = await createRunner({ maxConcurrency: 1, maxTokens: 25 }).run(suite(5, costing(undefined)));
    expect(outcomes(report)).toEqual(["passed", "passed", "passed", "cancelled", "cancelled"]);
    expect(report.error?.message).toBe("the run used 30 of the 25 tokens that it may use");
  });

  test("counts agent and judge together and keeps them apart in the report, the calibration with the judge", async () => {
    const provider = priced(
      scriptedProvider((request) => ({ ...judgeAnswer(request, (claim) => (claim.id.startsWith("calibration_") ? (claim.id.slice("calibration_".length) as "entailed") : "entailed")), model: "m", usage: { inputTokens: 1000, outputTokens: 0 } })),
      { m: { input: 100, output: 0 } },
    );
    const judge = createJudge(createClient(provider), { maxOutputTokens: 500 });
    const report = await createRunner({ judge, maxConcurrency: 1, maxCost: 0.5 }).run(suite(5, () => ({ ...costing(0.1)(), claims: [{ id: "c", text: "It is so." }], output: "It is so." })));
    // 0.1 for the calibration, 0.2 for each scenario.
    expect(outcomes(report)).toEqual(["passed", "passed", "cancelled", "cancelled", "cancelled"]);
    expect(report.usage).toMatchObject({ subject: { cost: expect.closeTo(0.2, 9) }, judge: { cost: expect.closeTo(0.3, 9), requests: 3 } });
    const spentAtOnce = await createRunner({ judge, maxConcurrency: 1, maxCost: 0.05 }).run(suite(2, costing(0.1)));
    expect(outcomes(spentAtOnce)).toEqual(["cancelled", "cancelled"]);
    expect(spentAtOnce).toMatchObject({ error: { code: "budget_reached" }, judge: { calibration: { passed: true } } });
  });

  test("says what it could not count, and does not take it for nothing", async () => {
    const report = await createRunner({ maxConcurrency: 1, maxCost: 1 }).run(suite(3, costing(undefined)));
    expect(report.passed).toBe(true);
    expect(report.warnings).toEqual([{ code: "cost_unknown", message: "the cost of 3 trials of the agent is unknown and not counted against the budget" }]);
    const judge = createJudge(createClient(scriptedProvider((request) => judgeAnswer(request, () => "entailed"), { calibrates: true })), { maxOutputTokens: 500 });
    const judged = await createRunner({ judge, maxConcurrency: 1, maxCost: 1 }).run(suite(1, () => ({ ...costing(0.1)(), claims: [{ id: "c", text: "It is so." }], output: "It is so." })));
    expect(judged.warnings).toContainEqual({ code: "cost_unknown", message: "the cost of 2 requests of the judge is unknown and not counted against the budget" });
    const known = await createRunner({ maxConcurrency: 1, maxCost: 1 }).run(suite(3, costing(0)));
    expect(known.warnings).toBeUndefined();
  });

  test.each([[{ maxCost: 0 }], [{ maxCost: Number.NaN }], [{ maxCost: "1" }], [{ maxTokens: 1.5 }], [{ maxTokens: -1 }]])("%j is refused at construction", (options) => {
    expect(() => createRunner({ maxConcurrency: 1, ...(options as object) })).toThrow(expect.objectContaining({ code: "option_invalid" }));
  });
});
