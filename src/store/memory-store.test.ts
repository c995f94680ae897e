import { openStore } from "entail/store";
import { storeContract } from "entail/testing";
import { describe, expect, test } from "vitest";

describe("a store in memory", () => {
  test.each(storeContract({ open: () => openStore("memory:") }))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

test("an address of no kind of store is refused by name", async () => {
  for (const url of [":memory:", "sqlite::memory:", undefined, 5]) await expect(openStore(url as string)).rejects.toMatchObject({ code: "store_url_invalid" });
  await expect(openStore("redis://here")).rejects.toMatchObject({ code: "store_url_invalid", message: expect.stringContaining("redis://here") });
});
