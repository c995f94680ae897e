import * as fc from "fast-check";
import { expect, test } from "vitest";
import { printable, printableLine, printableOutput } from "./printable.ts";
import { cut, textWidth, wrap } from "./text-width.ts";

// Every character that a terminal may obey, or that hides or reorders what is beside it.
const OBEYED = /(?!\n)(?:\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff])/u;

test("case 203: escapes, bells, carriage returns and direction overrides of a model are shown, not obeyed", () => {
  expect(printable("ok\u001b]52;c;aGk=\u0007\u001b[2J\u001b[1A\r PASS \u009b31m\u202eelif")).toBe("ok\\x1b]52;c;aGk=\\x07\\x1b[2J\\x1b[1A\\r PASS \\x9b31m\\u202eelif");
  expect(printableLine("a\u001b[8mhidden")).toBe("a\\x1b[8mhidden");
  expect(printableLine("a\n● passed  forged")).toBe("a\\n● passed  forged");
});

test("kind unescaped-output: no text leaves a character that a terminal obeys, and harmless text stays as it is", () => {
  const hostile = fc.string({ unit: fc.oneof(fc.constantFrom("\u001b", "\u009b", "\r", "\u0007", "\u202e", "\u2066", "\u2028", "\u200f", "\ufeff", "\ud800", "\u0000", "\u{e0041}", "\n", "\t"), fc.string({ minLength: 1, maxLength: 1 })) });
  fc.assert(
    fc.property(hostile, (text) => {
      expect(printable(text)).not.toMatch(OBEYED);
      expect(printableLine(text)).not.toMatch(/\n/);
      expect(printable(text).isWellFormed()).toBe(true);
    }),
  );
  fc.assert(fc.property(fc.stringMatching(/^[a-zA-Z äöüß日本語🌍\n{}"':,.-]*$/u), (text) => {
      expect(printable(text)).toBe(text);
    }),
  );
});

test("what user code prints keeps its colours and nothing else", () => {
  expect(printableOutput("\u001b[31mred\u001b[0m \u001b[2J\u001b]0;title\u0007\n")).toBe("\u001b[31mred\u001b[0m \\x1b[2J\\x1b]0;title\\x07\n");
});

test("wide characters, marks and joined signs are measured as a terminal shows them", () => {
  expect(["abc", "日本", "é", "e\u0301", "🌍", "", "한국어"].map(textWidth)).toEqual([3, 4, 1, 1, 2, 0, 6]);
});

test("wrapping keeps every word and no line is wider than asked", () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 8, max: 60 }), (text, width) => {
      const lines = wrap(printable(text), width);
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
      expect(lines.join("").replace(/\s/g, "")).toBe(printable(text).replace(/\s/g, ""));
    }),
  );
  expect(wrap("  seen: get_weather, get_time", 16)).toEqual(["  seen:", "  get_weather,", "  get_time"]);
});

test("cutting never exceeds its width and says that something is missing", () => {
  expect([cut("alarm_inventory", 8), cut("日本語テキスト", 7), cut("short", 8), cut("x", 0)]).toEqual(["alarm_i…", "日本語…", "short", ""]);
  fc.assert(fc.property(fc.string(), fc.nat(40), (text, width) => {
      expect(textWidth(cut(printableLine(text), width))).toBeLessThanOrEqual(width);
    }),
  );
});
