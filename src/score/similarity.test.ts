import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bestWindow, checks, dice, editDistance, levenshtein, rougeL, runScorer } from "entail/score";
import { agentRun } from "../../test/score-messages.ts";

test("case 086: the smallest texts have finite values, a text and itself 1, and the order of the two does not matter", () => {
  const pairs: readonly (readonly [string, string])[] = [["", ""], ["", "a"], ["a", "a"], ["a", "b"], [" ", "  "], ["ab", "ab"], ["ab", "ba"]];
  expect(pairs.map(([a, b]) => dice(a, b))).toEqual([1, 0, 1, 0, 1, 1, 0]);
});
test("the Dice value counts each pair as often as both have it, over the pairs of both", () => {
  expect([dice("abc", "abcde"), dice("aaaa", "aa"), dice("a b c", "abc"), dice("abab", "baba")].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([0.666666667, 0.5, 1, 0.666666667]);
});
test("case 087: an emoji is one character, also where it is a whole family, and half of one does no harm", () => {
  expect([["ok \u{1f600}", "ok \u{1f916}"], ["ok \u{1f600}", "ok "], ["\u{1f468}\u200d\u{1f469}\u200d\u{1f467}", "\u{1f468}"], ["e\u0301", "\u00e9"], ["\ud83d", "\u{1f600}"]].map(([a = "", b = ""]) => editDistance(a, b))).toEqual([1, 1, 1, 0, 1]);
});
test("case 089: Japanese is measured, and texts without a word are equal or not", () => {
  const japanese = "\u304a\u554f\u3044\u5408\u308f\u305b\u3042\u308a\u304c\u3068\u3046";
  expect([rougeL(japanese, japanese), rougeL("!!!", "???"), rougeL("\u304a", "")]).toEqual([1, 0, 0]);
});
test("case 090: two very long texts are refused at once instead of holding everything up", () => {
  const started = performance.now();
  expect(() => editDistance("lorem ipsum ".repeat(10_000), "lorem ipsun ".repeat(10_000))).toThrow(expect.objectContaining({ code: "text_too_long" }));
  expect(performance.now() - started).toBeLessThan(1000);
});
test("kind size-limits: the linear measures answer on texts of any length, and equal long texts cost nothing", () => {
  const long = "lorem ipsum ".repeat(20_000);
  expect(dice(long, long)).toBe(1);
  expect(bestWindow("lorem ipsum", long)).toBe(1);
  expect(editDistance(long, `${long}!`)).toBe(1);
});
test("kind text-similarity-edge: each measure lies within 0 and 1, is 1 for a text and itself, and all but the window are symmetric", () => {
  const text = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: "grapheme", maxLength: 8 }), fc.string({ unit: "binary", maxLength: 8 }));
  fc.assert(
    fc.property(text, text, (a, b) => {
      for (const measure of [dice, levenshtein, rougeL, bestWindow]) {
        const value = measure(a, b);
        expect({ measure: measure.name, value, within: value >= 0 && value <= 1 }).toEqual({ measure: measure.name, value, within: true });
        expect(measure(a, a)).toBe(1);
      }
      for (const measure of [dice, levenshtein, rougeL]) expect(measure(a, b)).toBeCloseTo(measure(b, a), 12);
    }),
  );
});
test("kind text-similarity-edge: the distance of edits is a metric", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\u{1f600}"), maxLength: 7 });
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
      expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
    }),
  );
});
test("the best window is the greatest Dice value of any window as long as the text", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(text, fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 14 }), (part, whole) => {
      if (whole.length <= part.length) return;
      const windows = Array.from({ length: whole.length - part.length + 1 }, (_, at) => dice(part, whole.slice(at, at + part.length)));
      expect(bestWindow(part, whole)).toBeCloseTo(Math.max(...windows), 12);
    }),
  );
});
test("mastra 65: the Dice values of similarity are Mastra's", async () => {
  const value = async (expected: string, said: string): Promise<number | undefined> => {
    const seen = await runScorer(checks.similarity(expected), agentRun("x", said));
    return seen.kind === "scored" ? seen.score : undefined;
  };
  expect(await value("weather forecast", "forecast weather")).toBeCloseTo(0.9285714285714286, 9);
  expect(await value("night", "nacht")).toBeCloseTo(0.25, 9);
  expect(await value("hello world", "helloworld")).toBe(1);
  expect(await value("healed", "sealed")).toBeCloseTo(0.8, 9);
});
test("a text that stands in a long conversation is found by its best window, where Dice comes to nothing", async () => {
  const run = agentRun("x", `${"Some other words about the day. ".repeat(20)}The weather forecast is sunny.`);
  const scores = await Promise.all([checks.similarity("weather forecast"), checks.similarity("weather forecast", { metric: "best-window" })].map((check) => runScorer(check, run)));
  expect(scores.map((each) => (each.kind === "scored" ? each.score : undefined))).toEqual([expect.toSatisfy((score: number) => score < 0.2), 1]);
});
