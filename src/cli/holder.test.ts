import { hostname } from "node:os";
import { expect, onTestFinished, test, vi } from "vitest";
import { memoryStore } from "../store/memory-store.ts";
import { beat, isGone, newHolder } from "./holder.ts";

const NOW = Date.parse("2026-11-30T10:10:00Z");
const at = (secondsAgo: number): string => new Date(NOW - secondsAgo * 1000).toISOString();
/** No process has it: the largest number that Linux gives is 2^22. */
const DEAD = 2 ** 22 + 1;

test.each([
  ["here and alive", { host: hostname(), pid: process.ppid, seenAt: at(5) }, false],
  ["here, alive and silent while it is blocked", { host: hostname(), pid: process.ppid, seenAt: at(120) }, false],
  ["here, its number another's by now", { host: hostname(), pid: process.ppid, seenAt: at(600) }, true],
  ["here and ended just now", { host: hostname(), pid: DEAD, seenAt: at(0) }, true],
  ["here, with our own number, before us", { host: hostname(), pid: process.pid, seenAt: at(5) }, true],
  ["on another machine, heard of", { host: "elsewhere", pid: DEAD, seenAt: at(30) }, false],
  ["on another machine, silent", { host: "elsewhere", pid: DEAD, seenAt: at(90) }, true],
  ["of no known time", { host: "elsewhere", pid: 1, seenAt: "then" }, true],
])("a holder that is %s", (_what, holder, gone) => {
  expect(isGone({ token: "t", ...holder }, NOW)).toBe(gone);
});

test("whoever takes an invocation from a holder that is gone has it, and the one before is told at its next word", async () => {
  const store = memoryStore();
  const before = { ...newHolder(NOW), pid: DEAD };
  await store.beginInvocation({ id: "i", startedAt: at(60), command: ["run"], cwd: "/", holder: before });
  const after = newHolder(NOW);
  expect(await store.holdInvocation("i", after, (current) => isGone(current, NOW))).toBeUndefined();
  expect(await store.holdInvocation("i", before, () => false)).toEqual(after);
});

test("a holder says every 10 s that it is there, and stops saying so once it is told of another", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const store = memoryStore();
  const [holder, other] = [newHolder(NOW), newHolder(NOW)];
  await store.beginInvocation({ id: "i", startedAt: at(60), command: ["run"], cwd: "/", holder });
  await store.beginRun({ runId: "r", invocationId: "i", suiteId: "s", startedAt: at(60), selected: false, strict: false, scenarios: [] });
  const seen = async (): Promise<unknown> => (await store.run("r"))?.invocation.holder;
  const lost: string[] = [];
  const beating = beat(store, "i", holder, () => NOW + 20_000, ({ token }) => void lost.push(token));
  await vi.advanceTimersByTimeAsync(10_000);
  expect([await seen(), lost, beating.lost()]).toEqual([{ ...holder, seenAt: "2026-11-30T10:10:20.000Z" }, [], false]);
  await store.holdInvocation("i", other, () => true);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([await seen(), lost, beating.lost()]).toEqual([other, [other.token], true]);
  beating.stop();
});
