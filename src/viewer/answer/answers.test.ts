import { expect, test } from "vitest";
import * as fc from "fast-check";
import { piecesOf } from "../app/part/unseen.ts";
import { sinceOf } from "./query.ts";
import { rowForm } from "./scenarios.ts";
import { outcomeLetter, outcomesOf } from "./outcome-letter.ts";
import { OUTCOMES } from "../../core/outcome.ts";
import { wholeEnd } from "./words.ts";

const bytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

test("kind size-limits: a row weighs at most 300 bytes, whatever language its reason is in", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 100, maxLength: 160 }), fc.integer({ min: 0, max: 1e6 }), fc.array(fc.constantFrom(...OUTCOMES), { maxLength: 40 }), (reason, position, trials) => {
      const row = rowForm({ position, id: `scenario_${position}`, tags: [], outcome: "failed", passed: false, durationMs: 12_345.678, cost: 0.123456, trials, reason, claims: { held: 1, of: 9 }, turns: { held: 2, of: 4 } }, "passed");
      expect(bytes(row)).toBeLessThanOrEqual(300);
    }),
  );
});

test("the letters of a row stand for its outcomes, and others for none", () => {
  expect(outcomesOf(OUTCOMES.map(outcomeLetter).join(""))).toEqual(OUTCOMES);
  expect(outcomesOf("x.p")).toEqual(["passed"]);
});

test("a piece of a text never ends within a character", () => {
  expect(["a😀b".slice(0, wholeEnd("a😀b", 2)), "a😀b".slice(0, wholeEnd("a😀b", 3))]).toEqual(["a", "a😀"]);
});

test("`since` is an age or a date; anything else is none", () => {
  const now = Date.parse("2026-11-30T00:00:00Z");
  expect([sinceOf("30d", now), sinceOf("12h", now), sinceOf("2026-11-01", now), sinceOf("soon", now)]).toEqual([now - 30 * 86_400_000, now - 12 * 3_600_000, Date.parse("2026-11-01"), undefined]);
});

test("kind unescaped-output: every character of a text is shown, seen or named, and nothing unseen is left", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const pieces = piecesOf(text);
      const shown = pieces.map((piece) => (typeof piece === "string" ? piece : String.fromCodePoint(Number.parseInt(piece.code.slice(2), 16)))).join("");
      expect(shown).toBe(text);
      const left = pieces.filter((piece) => typeof piece === "string").join("");
      expect([0x00, 0x07, 0x0d, 0x1b, 0x7f, 0x9b, 0x200b, 0x200e, 0x200f, 0x2028, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0xfeff].filter((code) => left.includes(String.fromCodePoint(code)))).toEqual([]);
    }),
  );
});

test("an emoji of several characters stays one, and a joiner between letters is named", () => {
  expect(piecesOf("👩‍🚀❤️")).toEqual(["👩‍🚀❤️"]);
  expect(piecesOf("a\u200db")).toEqual(["a", { code: "U+200D" }, "b"]);
});
