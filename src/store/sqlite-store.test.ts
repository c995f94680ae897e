import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "entail/store";
import { storeContract } from "entail/testing";
import { afterAll, describe, expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "entail-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

describe("a store in a file of SQLite", () => {
  const harness = {
    open: () => openStore(join(folder, `${(files += 1)}.db`)),
    again: () => openStore(`sqlite:${join(folder, `${files}.db`)}`),
  };
  test.each(storeContract(harness))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
