import { describe, expect, test } from "vitest";
import { calibrate, createJudge, panel, type Judge, type JudgeAttempt, type JudgeRequest, type Label } from "entail/judge";
import { createClient } from "entail/model";
import { fakeClock, judgeAnswer, scriptedJudge, scriptedProvider, type ScriptedLabels } from "entail/testing";

const REQUEST: JudgeRequest = { output: "It costs 3 euros.", reference: "", claims: [{ id: "price", text: "It names the price." }, { id: "tone", text: "It is polite." }] };
const member = (name: string, labels: ScriptedLabels): Judge => createJudge(createClient(scriptedProvider((request) => judgeAnswer(request, labels), { modelName: () => name })), { maxOutputTokens: 100 });

describe("a panel", () => {
  test("says what all its judges say, and where they disagree indeterminate, with each one's label and rationale word for word", async () => {
    const says = (label: Label, rationale: string): { label: Label; rationale: string } => ({ label, rationale });
    const judge = panel([
      member("a", { price: "entailed", tone: says("entailed", "  It is.\n") }),
      member("b", { price: "entailed", tone: says("entailed", "Quite.") }),
      member("c", { price: "entailed", tone: says("not_addressed", "No word of it.") }),
    ]);
    expect(await judge.judge(REQUEST)).toEqual([
      { claimId: "price", label: "entailed", rationale: "All 3 judges of the panel say entailed.", votes: ["a", "b", "c"].map((name) => ({ judge: name, label: "entailed", rationale: "The script says entailed." })) },
      {
        claimId: "tone",
        label: "indeterminate",
        rationale: "The judges of the panel disagree: a says entailed, b says entailed, c says not_addressed.",
        votes: [{ judge: "a", label: "entailed", rationale: "  It is.\n" }, { judge: "b", label: "entailed", rationale: "Quite." }, { judge: "c", label: "not_addressed", rationale: "No word of it." }],
      },
    ]);
  });

  test("that agrees on indeterminate says so as one", async () => {
    const [judgment] = await panel([member("a", () => "indeterminate"), member("b", () => "indeterminate")]).judge(REQUEST);
    expect(judgment).toMatchObject({ label: "indeterminate", rationale: "All 2 judges of the panel say indeterminate." });
  });

  test("keeps the quote of each, and its own only where they agree", async () => {
    const claims = [{ id: "price", text: "It names the price.", quote: true }];
    const quoting = (label: Label, quote: string): ScriptedLabels => () => ({ label, rationale: "r", quote });
    const agreed = await panel([member("a", quoting("entailed", "3 euros")), member("b", quoting("entailed", "costs 3 euros"))]).judge({ ...REQUEST, claims });
    expect(agreed[0]).toMatchObject({ quote: "3 euros", votes: [{ quote: "3 euros" }, { quote: "costs 3 euros" }] });
    const split = await panel([member("a", quoting("entailed", "3 euros")), member("b", quoting("contradicted", "costs"))]).judge({ ...REQUEST, claims });
    expect(split[0]).toMatchObject({ label: "indeterminate", votes: [{ quote: "3 euros" }, { quote: "costs" }] });
    expect(split[0]).not.toHaveProperty("quote");
  });

  test("has no answer where one judge has none: the error names it, and the others are stopped", async () => {
    let stopped = false;
    const waiting: Judge = { judge: ({ signal }) => new Promise((_, reject) => signal?.addEventListener("abort", () => ((stopped = true), reject(new Error("stopped"))))) };
    const broken = createJudge(createClient(scriptedProvider([], { modelName: () => "broken" })), { maxOutputTokens: 1 });
    await expect(panel([waiting, broken]).judge(REQUEST)).rejects.toMatchObject({ code: "provider_failed", message: expect.stringMatching(/^judge 2 of the panel, broken: /) });
    expect(stopped).toBe(true);
    const quoting = scriptedJudge(() => ({ label: "entailed", rationale: "r", quote: "made up" }));
    await expect(panel([member("a", () => "entailed"), quoting]).judge({ ...REQUEST, claims: [{ id: "price", text: "It names the price.", quote: true }] })).rejects.toMatchObject({ code: "judgment_quote_not_found", message: expect.stringMatching(/^judge 2 of the panel/) });
    await expect(panel([member("a", () => "entailed"), { judge: () => Promise.resolve([]) }]).judge(REQUEST)).rejects.toMatchObject({ code: "judgment_count_differs" });
  });

  test("hands on every request with the member that made it, and keeps equal requests apart", async () => {
    const attempts: JudgeAttempt[] = [];
    const scopes: unknown[] = [];
    const watching = (): Judge => createJudge(createClient(scriptedProvider((request, { scope }) => (scopes.push(scope?.purpose), judgeAnswer(request, () => "entailed")))), { maxOutputTokens: 100 });
    await panel([watching(), watching()]).judge({ ...REQUEST, record: (attempt) => void attempts.push(attempt), scope: { suite: "s", scenario: "x", trial: 1, purpose: "judge", ordinal: 0 } });
    expect(new Set(attempts.map(({ member: of }) => of))).toEqual(new Set([1, 2]));
    expect(new Set(scopes)).toEqual(new Set(["judge.1", "judge.2"]));
  });

  test("names its members, one fingerprint for all, and shows evidence to those alone that are to see it", async () => {
    const plain = scriptedJudge({ price: "entailed", tone: "entailed" });
    const seeing = createJudge(createClient(scriptedProvider((request) => judgeAnswer(request, () => "entailed"), { modelName: () => "m" })), { maxOutputTokens: 100, judgeEvidence: true });
    const judge = panel([plain, seeing]);
    expect(judge.judgeEvidence).toBe(true);
    await judge.judge({ ...REQUEST, evidence: "1. x" });
    expect(plain.requests[0]?.evidence).toBeUndefined();
    expect(judge.identity).toMatchObject({ members: [{}, { model: "m", judgeEvidence: true }] });
    expect(judge.identity).not.toHaveProperty("fingerprint");
    const two = [member("a", {}), member("b", {})];
    expect(panel(two).identity).toMatchObject({ model: "a + b", fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(panel(two).identity?.fingerprint).not.toBe(panel(two.toReversed()).identity?.fingerprint);
    expect(panel([panel(two), member("c", {})]).identity?.members).toHaveLength(3);
  });

  test("is calibrated as one judge: a single wrong member fails it", async () => {
    const calibrated = (labels: ScriptedLabels, calibrates: boolean): Judge => createJudge(createClient(scriptedProvider((request) => judgeAnswer(request, labels), { calibrates })), { maxOutputTokens: 100 });
    expect(await calibrate(panel([calibrated({}, true), calibrated({}, true)]), { clock: fakeClock() })).toMatchObject({ passed: true });
    const report = await calibrate(panel([calibrated({}, true), calibrated(() => "entailed", false)]), { clock: fakeClock() });
    expect(report).toMatchObject({ passed: false, error: { message: expect.stringContaining("claim calibration_contradicted got the label indeterminate") } });
    expect(report.judgments?.[1]?.votes).toHaveLength(2);
  });

  test("of fewer than two judges is none", () => {
    for (const judges of [[], [member("a", {})], [member("a", {}), {}], undefined]) expect(() => panel(judges as unknown as readonly Judge[])).toThrow("panel needs a list of two judges or more");
  });
});
