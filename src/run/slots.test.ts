import { expect, test } from "vitest";
import { createSlots } from "./slots.ts";

const never = new AbortController().signal;

test("a pool of two gives two places, and the third comes when one is given back", async () => {
  const slots = createSlots(2);
  expect([slots.tryTake(), slots.tryTake(), slots.tryTake()]).toEqual([true, true, false]);
  const third = slots.take(never);
  slots.release();
  expect(await third).toBe(true);
  expect(slots.tryTake()).toBe(false);
});

test("who waits is served in the order of asking, and nobody slips in between", async () => {
  const slots = createSlots(1);
  slots.tryTake();
  const served: number[] = [];
  const first = slots.take(never).then(() => served.push(1));
  const second = slots.take(never).then(() => served.push(2));
  slots.release();
  expect(slots.tryTake()).toBe(false);
  slots.release();
  await Promise.all([first, second]);
  expect(served).toEqual([1, 2]);
});

test("who stops waiting takes no place with them", async () => {
  const slots = createSlots(1);
  slots.tryTake();
  const controller = new AbortController();
  const left = slots.take(controller.signal);
  controller.abort();
  expect(await left).toBe(false);
  slots.release();
  expect(slots.tryTake()).toBe(true);
  expect(await slots.take(AbortSignal.abort())).toBe(false);
});
