// Holds the numbered cases of Mastra's evaluations: each is a test titled with its number, or stands here with the reason why it is none.
import { expect, test } from "vitest";
import { filesBelow, read } from "./source.ts";

/** Cases about what Entail does not have. */
const WITHOUT: ReadonlyMap<number, string> = new Map([[96, "Mastra's stored experiments: Entail has one engine, and items are isolated in every run of it (77)"]]);

const titles = ["src", "test", "examples"].flatMap((folder) =>
  filesBelow(folder, /\.test\.ts$/).flatMap((path) => [...read(path).matchAll(/\btest\(\s*["'`]mastra (\d+): /g)].map(([, number]) => Number(number))),
);

test("every case from 1 to 96 is a test, or has a reason to be none", () => {
  const there = new Set(titles);
  const cases = Array.from({ length: 96 }, (_, at) => at + 1);
  expect(cases.filter((number) => !there.has(number) && !WITHOUT.has(number))).toEqual([]);
  expect([...WITHOUT.keys()].filter((number) => there.has(number))).toEqual([]);
  expect([...there].filter((number) => number < 1 || number > 96)).toEqual([]);
});
