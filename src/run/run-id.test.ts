import { createRunner } from "entail";
import { expect, test } from "vitest";
import { createRunIds } from "./run-id.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("a run's id is a UUID of version 7 whose first 48 bits are the time", async () => {
  const id = createRunIds(() => 0x0192_3456_789a)();
  expect(id).toMatch(UUID_V7);
  expect(id.startsWith("01923456-789a-7")).toBe(true);
  const report = await createRunner({ maxConcurrency: 1 }).run({ id: "chat", description: "A suite.", scenarios: [] });
  expect(report.runId).toMatch(UUID_V7);
});

test("10,000 ids of one millisecond differ and only grow, also when the clock is set back", () => {
  let now = 1_700_000_000_000;
  const next = createRunIds(() => now);
  const ids = Array.from({ length: 10_000 }, (_, at) => {
    if (at === 5_000) now -= 60_000;
    return next();
  });
  expect(new Set(ids).size).toBe(10_000);
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(UUID_V7);
});
