import { expect, test } from "vitest";
import type { ScenarioReport } from "entail";
import { createSlots } from "../run/slots.ts";
import { createBail } from "./bail.ts";

const report = (outcome: string, more: object = {}): ScenarioReport => ({ id: "a", outcome, ...more }) as unknown as ScenarioReport;

test("after the limit no place is given out, and the signal comes when the last running scenario has ended", async () => {
  const bail = createBail(createSlots(2), 1);
  const { signal } = new AbortController();
  expect([bail.slots.tryTake(), await bail.slots.take(signal)]).toEqual([true, true]);
  const waiting = bail.slots.take(bail.signal);
  bail.count(report("failed"));
  bail.slots.release();
  expect(bail.signal.aborted).toBe(false);
  expect(bail.slots.tryTake()).toBe(false);
  bail.slots.release();
  expect(bail.signal.aborted).toBe(true);
  expect(bail.signal.reason).toMatchObject({ code: "bail_reached", message: "stopped after 1 scenario that did not pass" });
  expect(await waiting).toBe(false);
});

test("a scenario that is known to fail, and one that passes, do not count", () => {
  const bail = createBail(createSlots(1), 1);
  bail.count(report("failed", { knownFailure: "issue 7" }));
  bail.count(report("passed"));
  bail.count(report("cancelled"));
  expect(bail.slots.tryTake()).toBe(true);
});
