// Holds the doors: a folder is public exactly when it has an index.ts, and its path is its door.
import { expect, test } from "vitest";
import { filesBelow, read } from "./source.ts";

const exportsMap = (JSON.parse(read("package.json")) as { exports: Record<string, Record<string, string> | string> }).exports;

test("tests read the source through the package's own name", () => {
  expect(import.meta.resolve("entail")).toMatch(/\/src\/index\.ts$/);
});

test("the doors are exactly the folders with an index.ts", () => {
  const folders = filesBelow("src", /^index\.ts$/).map((path) => path.replace(/^src\/?/, "").replace(/\/?index\.ts$/, ""));
  const doors = Object.keys(exportsMap).filter((door) => !door.endsWith(".json"));
  expect(doors.sort()).toEqual(folders.map((folder) => (folder === "" ? "." : `./${folder}`)).sort());
});

test("each door leads to its folder, in the source and in what is published", () => {
  for (const [door, target] of Object.entries(exportsMap)) {
    if (typeof target === "string") continue;
    const folder = door === "." ? "" : `${door.slice(2)}/`;
    expect(target).toEqual({ "entail-source": `./src/${folder}index.ts`, types: `./dist/${folder}index.d.ts`, default: `./dist/${folder}index.js` });
  }
});

test("an index only re-exports, by name", () => {
  expect(filesBelow("src", /^index\.ts$/).filter((path) => /^export \* from|^(const|let|function|import) /m.test(read(path)))).toEqual([]);
});
