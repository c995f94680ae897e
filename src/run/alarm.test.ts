import { fakeClock } from "entail/testing";
import { expect, test } from "vitest";
import { createAlarm } from "./alarm.ts";
import { createLimit } from "./limit.ts";

test("calls ring at their times, in their order, each once; those taken back do not", async () => {
  const clock = fakeClock();
  const alarm = createAlarm(clock);
  const rung: string[] = [];
  alarm.set(300, () => rung.push(`c ${clock.elapsed()}`));
  alarm.set(100, () => rung.push(`a ${clock.elapsed()}`));
  const take = alarm.set(150, () => rung.push("taken back"));
  alarm.set(200, () => rung.push(`b ${clock.elapsed()}`));
  take();
  await clock.advance(1_000);
  expect(rung).toEqual(["a 100", "b 200", "c 300"]);
});

test("many calls share one timer, and a closed alarm leaves none", async () => {
  const clock = fakeClock();
  const alarm = createAlarm(clock);
  let rung = 0;
  for (let at = 1; at <= 1_000; at++) alarm.set(at, () => (rung += 1));
  expect(clock.sleepers()).toBe(1);
  await clock.advance(500);
  expect(rung).toBe(500);
  alarm.close();
  await clock.advance(1_000);
  expect(rung).toBe(500);
  expect(clock.sleepers()).toBe(0);
  alarm.set(2_000, () => (rung += 1));
  expect(clock.sleepers()).toBe(0);
});

test("a clock that wakes up too early is asked again, so nothing rings before its time", async () => {
  const clock = fakeClock();
  const hasty = { ...clock, sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms > 2 ? ms - 2 : ms, signal) };
  const alarm = createAlarm(hasty);
  let rungAt = 0;
  alarm.set(100, () => (rungAt = clock.elapsed()));
  await clock.advance(200);
  expect(rungAt).toBe(100);
});

test("a limit that is paused past its deadline is not over; it goes on with what was left", async () => {
  const clock = fakeClock();
  const limit = createLimit({ clock, alarm: createAlarm(clock), ms: 100, message: "over", onRunning() {} });
  await clock.advance(60);
  const goOn = limit.pause();
  await clock.advance(1_000);
  expect(limit.cut()).toBeUndefined();
  goOn();
  await clock.advance(39);
  expect(limit.cut()).toBeUndefined();
  await clock.advance(1);
  expect(limit.cut()).toEqual({ kind: "deadline" });
  expect(limit.signal.reason).toMatchObject({ code: "deadline_exceeded", message: "over" });
});
