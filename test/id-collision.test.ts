// Holds the kind id-collision where no single folder can: ids of runs, and of scenarios that somebody made from rows.
import { createRunner, type Scenario } from "entail";
import { expect, test } from "vitest";
import { createRunIds } from "../src/run/run-id.ts";

test("case 205: fifty runs that start in one millisecond in two processes have fifty ids, and those of a process sort as they began", () => {
  const frozen = (): number => 1_700_000_000_000;
  const [one, other] = [createRunIds(frozen), createRunIds(frozen)];
  const [first, second] = [Array.from({ length: 25 }, one), Array.from({ length: 25 }, other)];
  expect(new Set([...first, ...second]).size).toBe(50);
  expect([[...first].sort(), [...second].sort()]).toEqual([first, second]);
});

test("case 232: rows that share an id are refused before anything is called, each of them named; none replaces another", async () => {
  const called: string[] = [];
  const row = (id: string, input: string): Scenario => ({
    id,
    description: `Row ${input}.`,
    tags: [],
    timeoutMs: 1000,
    run: () => {
      called.push(input);
      return { checks: [{ name: "ran", passed: true }] };
    },
  });
  const report = await createRunner({ maxConcurrency: 2 }).run({ id: "rows", description: "Made from rows.", scenarios: [row("row_1", "a"), row("row_1", "b"), row("row_1", "c"), row("row_2", "d")] });
  expect(called).toEqual([]);
  expect(report.passed).toBe(false);
  expect(report.error).toMatchObject({ code: "suite_invalid", message: expect.stringContaining("row_1") });
});
