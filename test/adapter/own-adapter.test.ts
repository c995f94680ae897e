// Holds docs/guide/your-own-adapter.md: its code is that of own-adapter.ts, word for word, and that adapter keeps the contract.
// region test
import { targetContract } from "entail/testing";
import { expect, test } from "vitest";
import { harness } from "./own-adapter.ts";

test.each(targetContract(harness))("$name", async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});
// endregion

test("the guide shows this very code", async () => {
  const { read } = await import("../source.ts");
  const code = read("test/adapter/own-adapter.ts") + read("test/adapter/own-adapter.test.ts");
  const fences = [...read("docs/guide/your-own-adapter.md").matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
  expect(fences).toHaveLength(3);
  expect(fences.filter((fence) => !code.includes(fence))).toEqual([]);
});
