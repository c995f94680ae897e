// Holds ARCHITECTURE.md true: it names every folder of src, and every path it names is there.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { read, root } from "./source.ts";

const page = read("ARCHITECTURE.md");

test("ARCHITECTURE.md names every folder of src", () => {
  const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map((folder) => folder.name).filter((name) => !page.includes(`\`${name}/`))).toEqual([]);
});

test("every path that ARCHITECTURE.md names is on disk", () => {
  const paths = [...page.matchAll(/`([\w.-]+\/[\w./-]*|[\w-]+\.(?:ts|md|json))`/g)].map((match) => match[1] ?? "").filter((path) => !path.startsWith("entail/"));
  const missing = paths.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, "src", path)));
  expect(missing).toEqual([]);
});
