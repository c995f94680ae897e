// Holds where calls stand on their turn's clock.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { axisTicks, modelSpans, seconds, timesOf } from "../app/part/clock.ts";
import type { CallForm } from "./form.ts";

const call = (more: Partial<CallForm>): CallForm => ({ at: 0, depth: 0, toolCallId: "a", toolName: "look", completed: true, args: { text: "{}" }, ...more });

test("a call stands where it ran; while somebody was asked it only waited, before it or within it", () => {
  expect(timesOf(call({ startedMs: 1_100, endedMs: 1_400 }), [1_000, 2_000])).toEqual({ ran: [[100, 400]], waited: [], ms: 300 });
  expect(timesOf(call({ askedMs: 1_050, decidedMs: 1_090, startedMs: 1_100, endedMs: 1_400 }), [1_000, 2_000])).toEqual({ ran: [[100, 400]], waited: [[50, 90]], ms: 300 });
  expect(timesOf(call({ startedMs: 100, askedMs: 200, decidedMs: 500, endedMs: 600 }), [0, 1_000])).toEqual({ ran: [[100, 200], [500, 600]], waited: [[200, 500]], ms: 200 });
  // Nobody told of the decision.
  expect(timesOf(call({ askedMs: 100, startedMs: 300, endedMs: 400 }), [0, 1_000])).toEqual({ ran: [[300, 400]], waited: [[100, 300]], ms: 100 });
});

test("a call without an end goes on to the turn's, without a number; one that took no time is still there; one without times is not", () => {
  expect(timesOf(call({ startedMs: 100, completed: false }), [0, 1_000])).toEqual({ ran: [[100, 1_000]], waited: [], ms: undefined });
  expect(timesOf(call({ startedMs: 100, endedMs: 100 }), [0, 1_000])).toEqual({ ran: [[100, 100]], waited: [], ms: 0 });
  expect(timesOf(call({}), [0, 1_000])).toBeUndefined();
});

test("the model has what is left of the turn between the agent's own calls, and what waits is not the model's", () => {
  const calls = [call({ startedMs: 100, endedMs: 400 }), call({ at: 1, startedMs: 300, endedMs: 500 }), call({ at: 2, depth: 1, startedMs: 600, endedMs: 700 }), call({ at: 3, askedMs: 800, decidedMs: 850, startedMs: 850, endedMs: 900 })];
  expect(modelSpans(calls, [0, 1_000])).toEqual([[0, 100], [500, 800], [900, 1_000]]);
});

test("whatever the times are, bars stay within their turn and in order, and the model's with those of the calls fill it", () => {
  const moment = fc.option(fc.double({ min: -10, max: 2_000, noNaN: true }), { nil: undefined });
  const times = fc.record({ startedMs: moment, endedMs: moment, askedMs: moment, decidedMs: moment, completed: fc.boolean() });
  fc.assert(
    fc.property(fc.array(times, { maxLength: 6 }), fc.double({ min: 0, max: 100, noNaN: true }), fc.double({ min: 0.001, max: 1_500, noNaN: true }), (made, from, ms) => {
      const calls = made.map((each, at) => call({ ...each, at }));
      const spans = [...calls.flatMap((each) => timesOf(each, [from, ms]) ?? []).flatMap(({ ran, waited }) => [...ran, ...waited]), ...modelSpans(calls, [from, ms])];
      for (const [a, b] of spans) {
        expect(a).toBeGreaterThanOrEqual(0);
        expect(b).toBeLessThanOrEqual(ms);
        expect(b).toBeGreaterThanOrEqual(a);
      }
      const covered = spans.toSorted((a, b) => a[0] - b[0]).reduce((to, [a, b]) => (a > to + 1e-9 ? Number.NaN : Math.max(to, b)), 0);
      expect(covered).toBeCloseTo(ms, 6);
    }),
  );
});

test("the axis has few round marks, from a thousandth of a second to hours", () => {
  expect(axisTicks(4_700).map(({ name }) => name)).toEqual(["0 s", "1", "2", "3", "4"]);
  expect(axisTicks(5_800).map(({ name }) => name)).toEqual(["0 s", "2", "4"]);
  expect(axisTicks(12).map(({ name }) => name)).toEqual(["0 ms", "2.5", "5", "7.5", "10"]);
  for (const ms of [0.01, 3, 77, 999, 61_000, 9e6]) expect(axisTicks(ms).length).toBeLessThan(7);
  expect([0, 4.2, 350, 9_994, 12_340, 250_400].map(seconds)).toEqual(["0 ms", "4 ms", "0.35 s", "9.99 s", "12.3 s", "250 s"]);
});
