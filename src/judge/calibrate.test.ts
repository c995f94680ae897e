import { describe, expect, test } from "vitest";
import { EntailError, type Clock } from "entail";
import { calibrate, CALIBRATION_CLAIMS, CALIBRATION_OUTPUT, createJudge, LABELS, type Judge, type JudgeAttempt, type JudgeRequest, type Judgment } from "entail/judge";
import { createClient } from "entail/model";
import { calibrationAnswer, judgeTask, scriptedJudge, scriptedProvider, toolCallResponse } from "entail/testing";

/** A clock that stands still until `pass` is called. */
function heldClock(): Clock & { pass(ms: number): void; readonly sleepers: number } {
  let elapsed = 0;
  const sleeping = new Map<() => void, number>();
  return {
    now: () => elapsed,
    elapsed: () => elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          sleeping.delete(wake);
          resolve();
        };
        sleeping.set(wake, elapsed + ms);
        signal?.addEventListener("abort", wake);
      }),
    pass(ms) {
      elapsed += ms;
      for (const [wake, at] of Array.from(sleeping)) if (at <= elapsed) wake();
    },
    get sleepers() {
      return sleeping.size;
    },
  };
}

const right = (): Judgment[] => CALIBRATION_CLAIMS.map(({ id, label }) => ({ claimId: id, label, rationale: "so" }));
const judgeOf = (answer: (request: JudgeRequest) => unknown): Judge => ({ judge: async (request) => (await answer(request)) as readonly Judgment[] });

describe("calibration", () => {
  test("the example has one claim for each label, in the labels' order", () => {
    expect(CALIBRATION_CLAIMS.map(({ id, label }) => [id, label])).toEqual(LABELS.map((label) => [`calibration_${label}`, label]));
  });

  test("[21] it is one request: one output, four claims, an empty reference, and nothing that gives the labels away", async () => {
    const provider = scriptedProvider([], { calibrates: true });
    const judge = createJudge(createClient(provider), { maxOutputTokens: 500 });
    const attempts: JudgeAttempt[] = [];
    const report = await calibrate(judge, { clock: heldClock(), record: (attempt) => attempts.push(attempt) });
    expect(provider.calls).toHaveLength(1);
    const request = provider.calls[0]?.request;
    expect(request && judgeTask(request)).toEqual({ output: CALIBRATION_OUTPUT, reference: "", tool: "grade_claims", claims: CALIBRATION_CLAIMS.map(({ id, text }) => ({ id, text })) });
    expect(report).toStrictEqual({
      passed: true,
      durationMs: 0,
      judgments: CALIBRATION_CLAIMS.map(({ id, label }) => ({ claimId: id, label, rationale: `The script says ${label}.` })),
      attempts,
    });
    expect(attempts).toStrictEqual([{ durationMs: expect.any(Number), request, response: request && calibrationAnswer(request) }]);
  });

  test("[22] it carries a signal of its own even where the caller gave none, and takes no longer than 2 minutes", async () => {
    const clock = heldClock();
    let signal: AbortSignal | undefined;
    const calibrated = calibrate(judgeOf((request) => ((signal = request.signal), new Promise(() => undefined))), { clock });
    await Promise.resolve();
    expect(signal?.aborted).toBe(false);
    clock.pass(119_999);
    await Promise.resolve();
    expect(signal?.aborted).toBe(false);
    clock.pass(1);
    expect(await calibrated).toStrictEqual({ passed: false, durationMs: 120_000, error: { code: "calibration_failed", stage: "calibration", message: "the calibration of the judge failed: it took longer than 2 minutes" } });
    expect(signal?.aborted).toBe(true);
  });

  test("its timer ends with it", async () => {
    const clock = heldClock();
    expect((await calibrate(scriptedJudge({}), { clock })).passed).toBe(true);
    expect(clock.sleepers).toBe(0);
    expect((await calibrate(judgeOf(() => Promise.reject(new Error("x"))), { clock })).passed).toBe(false);
    expect(clock.sleepers).toBe(0);
  });

  test("[23] a judge that calls all four entailed fails, and the first wrong label is named with the right one", async () => {
    const report = await calibrate(scriptedJudge(() => "entailed", { calibrates: false }), { clock: heldClock() });
    expect(report.passed).toBe(false);
    expect(report.error).toEqual({ code: "calibration_failed", stage: "calibration", message: "the calibration of the judge failed: claim calibration_contradicted got the label entailed, and contradicted is right" });
    expect(report.judgments).toHaveLength(4);
  });

  test("of several wrong labels the first in the order of the labels is named, whatever order they came in", async () => {
    const swapped = right().map((judgment) => ({ ...judgment, label: judgment.label === "not_addressed" ? ("indeterminate" as const) : judgment.label === "indeterminate" ? ("not_addressed" as const) : judgment.label }));
    const report = await calibrate(judgeOf(() => swapped.toReversed()), { clock: heldClock() });
    expect(report.error?.message).toContain("claim calibration_not_addressed got the label indeterminate");
  });

  test("each label that is wrong by itself fails it", async () => {
    for (const wrong of LABELS) {
      for (const instead of LABELS.filter((label) => label !== wrong)) {
        const report = await calibrate(judgeOf(() => right().map((judgment) => (judgment.label === wrong ? { ...judgment, label: instead } : judgment))), { clock: heldClock() });
        expect([report.passed, report.error?.message.includes(`calibration_${wrong} got the label ${instead}`)]).toEqual([false, true]);
      }
    }
  });

  test("[24] a judge that throws fails it, and the cause's own words are in the error", async () => {
    const report = await calibrate(judgeOf(() => Promise.reject(new Error("no such model: m-9"))), { clock: heldClock() });
    expect(report).toMatchObject({ passed: false, error: { code: "calibration_failed", message: "the calibration of the judge failed: no such model: m-9" } });
    const thrown = await calibrate({ judge: () => { throw new Error("at once"); } }, { clock: heldClock() });
    expect(thrown.error?.message).toContain("at once");
  });

  test("[25] one judgment of four fails it, with 1 and 4 in the error", async () => {
    const report = await calibrate(judgeOf(() => right().slice(0, 1)), { clock: heldClock() });
    expect(report.error?.message).toContain("1 judgments for 4 claims");
  });

  test.each([
    ["nothing", () => undefined],
    ["no list", () => ({ length: 4 })],
    ["a list of nothing", () => [null, null, null, null]],
    ["an empty rationale", () => right().map((judgment) => ({ ...judgment, rationale: "" }))],
    ["a fifth judgment", () => [...right(), right()[0]]],
    ["one judgment twice", () => [...right().slice(0, 3), right()[0]]],
    ["a getter that throws", () => right().map((judgment) => Object.defineProperty({ ...judgment }, "label", { get: () => { throw new Error("hidden"); } }))],
    ["a label that changes when it is read again", () => right().map((judgment) => { let read = 0; return { ...judgment, get label() { return read++ === 0 ? "maybe" : judgment.label; } }; })],
  ])("an answer that is %s fails it and throws nothing", async (_what, answer) => {
    const report = await calibrate(judgeOf(answer), { clock: heldClock() });
    expect(report).toMatchObject({ passed: false, error: { code: "calibration_failed", stage: "calibration" } });
  });

  test("a judge of ours whose model never gives a valid answer fails it, with all 4 requests kept", async () => {
    const judge = createJudge(createClient(scriptedProvider(() => toolCallResponse("grade_claims", "{}"))), { maxOutputTokens: 9 });
    const report = await calibrate(judge, { clock: heldClock() });
    expect(report.error?.message).toContain("no valid answer in 4 requests");
    expect(report.attempts).toHaveLength(4);
    expect(report.attempts?.every((attempt) => attempt.cause?.includes("calibration_entailed is missing") === true)).toBe(true);
  });

  test("a signal that is aborted already means no request, and one aborted on the way ends it: both are cancelled", async () => {
    const judge = scriptedJudge({});
    const early = await calibrate(judge, { clock: heldClock(), signal: AbortSignal.abort() });
    expect(early).toMatchObject({ passed: false, error: { code: "cancelled", stage: "calibration" } });
    expect(judge.calibrations).toHaveLength(0);

    const controller = new AbortController();
    const late = calibrate(judgeOf(() => new Promise(() => undefined)), { clock: heldClock(), signal: controller.signal });
    controller.abort(new EntailError("deadline_exceeded", "the run took too long"));
    expect((await late).error).toEqual({ code: "deadline_exceeded", stage: "calibration", message: "the run took too long" });
  });

  test("a recorder that throws costs nothing", async () => {
    const judge = createJudge(createClient(scriptedProvider([], { calibrates: true })), { maxOutputTokens: 9 });
    const report = await calibrate(judge, { clock: heldClock(), record: () => { throw new Error("full"); } });
    expect(report).toMatchObject({ passed: true, attempts: [expect.anything()] });
  });
});
