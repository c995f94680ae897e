import { describe, expect, test } from "vitest";
import { createJudge, findMeasurement, type JudgeIdentity, type JudgeMeasurement, type JudgeOptions, type MeasuredQuality } from "entail/judge";
import { createClient } from "entail/model";
import { scriptedProvider } from "entail/testing";

const identity = (options: Partial<JudgeOptions> = {}, model: string | null = "m-1"): JudgeIdentity => {
  const provider = scriptedProvider([], model === null ? {} : { modelName: () => model });
  return createJudge(createClient(provider), { maxOutputTokens: 100, ...options }).identity ?? {};
};

describe("a fingerprint", () => {
  test("is the same for a judge made the same way", () => expect(identity().fingerprint).toBe(identity({ modelClass: "high-reasoning", maxCorrections: 3, controls: false, judgeEvidence: false }).fingerprint));

  test.each([
    ["the model", identity({}, "m-2")],
    ["its class", identity({ modelClass: "small" })],
    ["the budget", identity({ maxOutputTokens: 101 })],
    ["the number of corrections", identity({ maxCorrections: 2 })],
    ["what it is shown", identity({ judgeEvidence: true })],
    ["controls", identity({ controls: true })],
  ])("is another once %s is another", (_what, other) => expect(other.fingerprint).not.toBe(identity().fingerprint));
});

describe("a measurement belongs to a run", () => {
  const table = [[9, 1, 0, 0], [0, 5, 0, 0], [0, 0, 5, 0], [0, 0, 0, 2]];
  const quality = (more: Partial<MeasuredQuality> = {}): MeasuredQuality => ({
    version: 1, at: "2026-09-10T12:00:00.000Z", judge: identity(), models: ["m-1-0914"], split: "test", digest: "d", rows: 22, unanswered: 0, compromised: 0, unsettled: 0, otherSplit: 0, repeats: 1, table, durationMs: 5, ...more,
  });
  const kept = (more: Partial<MeasuredQuality> = {}, of: JudgeIdentity = identity()): JudgeMeasurement => ({ fingerprint: of.fingerprint ?? "", at: quality(more).at, judge: of, body: quality(more) });
  const reason = (measurements: readonly JudgeMeasurement[], of: JudgeIdentity | undefined, models: readonly string[]): string => {
    const found = findMeasurement(measurements, of, models);
    return "reason" in found ? found.reason : "measured";
  };

  test("of the same judge whose answers name the same model, the newest", () => {
    const newer = kept({ at: "2026-09-11T12:00:00.000Z" });
    expect(findMeasurement([kept(), newer, kept()], identity(), ["m-1-0914"])).toEqual({ quality: newer.body });
    expect(reason([kept()], identity(), [])).toBe("measured");
  });

  test.each([
    ["none is there", [], identity(), [], "it was never measured against human labels"],
    ["the judge is a custom one", [kept()], {}, [], "it is a judge of your own without a fingerprint, which a measurement could be tied to"],
    ["anything about it has changed", [kept()], identity({ maxOutputTokens: 99 }), [], "its model, parameters or request texts are not those of any judge that was measured"],
    ["another revision of the model answers", [kept()], identity(), ["m-1-1101"], "the model that answers is m-1-1101, and m-1-0914 was measured"],
    ["it was measured by rows that it was tuned on", [kept({ split: "dev" })], identity(), [], "it was never measured against human labels"],
    ["what is kept is of another form", [{ ...kept(), body: { ...quality(), table: [[1]] } }], identity(), [], "it was never measured against human labels"],
    ["what is kept does not add up", [{ ...kept(), body: { ...quality(), rows: 900 } }], identity(), [], "it was never measured against human labels"],
    ["nobody names the model", [kept({}, identity({}, null))], identity({}, null), [], "neither its provider nor its answers name its model, so nothing says that it is the one that was measured"],
  ] as const)("not where %s", (_why, measurements, of, models, sentence) => expect(reason(measurements, of, models)).toBe(sentence));

  test("where its answers alone name the model, these decide", () => {
    const unnamed = identity({}, null);
    expect(reason([kept({}, unnamed)], unnamed, ["m-1-0914"])).toBe("measured");
    expect(reason([kept({}, unnamed)], unnamed, ["other"])).toContain("other");
    expect(reason([kept({ models: [] }, unnamed)], unnamed, ["other"])).toContain("a model without a name was measured");
  });
});
