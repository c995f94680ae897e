import { expect, test } from "vitest";
import { abortError, untilAborted } from "./abort.ts";
import { EntailError } from "./error.ts";

test("the reason of an abort is its error where it is an EntailError, else the cause of `cancelled`", () => {
  const deadline = new EntailError("deadline_exceeded", "too late");
  expect(abortError(AbortSignal.abort(deadline), "the call")).toBe(deadline);
  const gone = new Error("gone");
  expect(abortError(AbortSignal.abort(gone), "the call")).toMatchObject({ code: "cancelled", message: "the call was cancelled", cause: gone });
});

test("work settles as it does while nobody aborts", async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve(1), signal, "it")).toBe(1);
  expect(await untilAborted(Promise.resolve(2), undefined, "it")).toBe(2);
  await expect(untilAborted(Promise.reject(new Error("own")), signal, "it")).rejects.toThrow("own");
});

test("an abort ends the waiting at once, and what the work does later is nobody's rejection", async () => {
  const controller = new AbortController();
  let fail = (_error: Error): void => undefined;
  const waiting = untilAborted(new Promise((_resolve, reject) => (fail = reject)), controller.signal, "it");
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
  fail(new Error("late"));
  await new Promise((resolve) => setTimeout(resolve, 0));
  await expect(untilAborted(new Promise(() => undefined), AbortSignal.abort(), "it")).rejects.toMatchObject({ code: "cancelled" });
});
