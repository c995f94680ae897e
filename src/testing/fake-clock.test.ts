import { fakeClock, recordingReporter } from "entail/testing";
import { expect, test } from "vitest";

test("time passes only when told, and sleepers wake in the order of their times", async () => {
  const clock = fakeClock({ now: 1_000 });
  const woken: string[] = [];
  void clock.sleep(20).then(() => woken.push(`b ${clock.elapsed()}`));
  void clock.sleep(10).then(async () => {
    woken.push(`a ${clock.elapsed()}`);
    await clock.sleep(5);
    woken.push(`a again ${clock.elapsed()}`);
  });
  expect([clock.now(), clock.elapsed(), clock.sleepers()]).toEqual([1_000, 0, 2]);
  await clock.advance(30);
  expect(woken).toEqual(["a 10", "a again 15", "b 20"]);
  expect([clock.now(), clock.elapsed(), clock.sleepers()]).toEqual([1_030, 30, 0]);
});

test("an aborted sleep ends at once and leaves nobody asleep", async () => {
  const clock = fakeClock();
  const controller = new AbortController();
  const sleep = clock.sleep(1_000, controller.signal);
  controller.abort();
  await sleep;
  await clock.sleep(1_000, AbortSignal.abort());
  expect([clock.elapsed(), clock.sleepers()]).toEqual([0, 0]);
});

test("with `auto` time jumps to the next sleeper as soon as everybody sleeps", async () => {
  const clock = fakeClock({ auto: true });
  const both = Promise.all([clock.sleep(86_400_000).then(() => clock.elapsed()), clock.sleep(5).then(() => clock.elapsed())]);
  expect(await both).toEqual([86_400_000, 5]);
});

test("it says 2030 unless told otherwise, so that no test depends on the day it runs", () => {
  expect(new Date(fakeClock().now()).toISOString()).toBe("2030-01-01T00:00:00.000Z");
});

test("a recording reporter keeps each call in its order, and passes on what a test does with it", async () => {
  const reporter = recordingReporter(({ call }) => { if (call === "warning") throw new Error("told to"); });
  await reporter.scenarioStarted("a", "2030-01-01T00:00:00.000Z");
  expect(() => reporter.warning({ code: "x", message: "y" })).toThrow("told to");
  expect(reporter.calls).toEqual([{ call: "scenarioStarted", id: "a", startedAt: "2030-01-01T00:00:00.000Z" }, { call: "warning", warning: { code: "x", message: "y" } }]);
  expect(reporter.started).toEqual(["a"]);
  expect(reporter.warnings).toHaveLength(1);
});
