// Counts the numbered facts about generated evaluations: each is a test whose title starts with its number.
import { expect, test } from "vitest";
import { filesBelow, read } from "./source.ts";

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Facts of another language, of another system's producer, or of a form that was given up. */
const NOT_OURS = new Set([20, ...range(54, 64), ...range(101, 115), ...range(147, 153), 159, 164, 184, 190]);

test("every numbered fact from 1 to 224 has its test, and none that is not ours", () => {
  const titles = filesBelow("src", /\.test\.ts$/)
    .concat(filesBelow("test", /\.test\.ts$/))
    .flatMap((path) => [...read(path).matchAll(/\b(?:test|it)(?:\.each\([\s\S]*?\))?\(\s*["'`]\[(\d+)\] /g)].map((match) => Number(match[1])));
  const expected = range(1, 224).filter((fact) => !NOT_OURS.has(fact));
  expect([...new Set(titles)].sort((a, b) => a - b)).toEqual(expected);
});
