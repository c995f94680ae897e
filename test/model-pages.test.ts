// Compiles every code fence of the pages on recordings and the gateway under the strictest flags, and holds the modes of a recording equal to its page.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RECORDING_MODES } from "entail/model";
import { expect, test } from "vitest";
import { read, root } from "./source.ts";
import { compileProject } from "./strict-compile.ts";

const PAGES = ["docs/reference/recordings.md", "docs/reference/gateway.md"];

test("every TypeScript fence compiles, each as a file of its own", () => {
  const folder = mkdtempSync(join(root, "test/fixture/pages-"));
  try {
    const { compilerOptions } = JSON.parse(read("tsconfig.json")) as { readonly compilerOptions: object };
    const fences = PAGES.flatMap((page) => [...read(page).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? ""));
    expect(fences).toHaveLength(5);
    for (const [at, text] of fences.entries()) {
      mkdirSync(join(folder, `fence-${at}`));
      writeFileSync(join(folder, `fence-${at}`, "fence.ts"), text);
    }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...compilerOptions, noEmit: true }, include: ["**/*.ts"] }));
    expect(compileProject(join(folder, "tsconfig.json")).map((line) => line.replaceAll(folder, ""))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the page names every mode of a recording", () => {
  const modes = [...read("docs/reference/recordings.md").matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]);
  expect(modes).toEqual([...RECORDING_MODES]);
});
