import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, win32 } from "node:path";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { EVAL_FILE, type Files, findFiles } from "./find-files.ts";
import { isPattern, patternTest } from "./glob.ts";

const root = mkdtempSync(join(tmpdir(), "entail-find-"));
afterAll(() => rmSync(root, { recursive: true }));

function tree(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), "");
  }
}

const find = (targets: string[], from = root): { found: string[]; missing: string[] } => {
  const { found, missing } = findFiles(targets, { from, named: EVAL_FILE });
  return { found: found.map((file) => file.slice(root.length + 1)), missing: [...missing] };
};

/** A file system of Windows made of whole paths. */
function windows(...paths: string[]): Files {
  return {
    kind: (path) => (paths.includes(path) ? "file" : paths.some((each) => each.startsWith(path.endsWith("\\") ? path : `${path}\\`)) ? "folder" : undefined),
    list: (folder) => {
      const prefix = folder.endsWith("\\") ? folder : `${folder}\\`;
      const names = new Map<string, "file" | "folder">();
      for (const path of paths.filter((each) => each.startsWith(prefix))) {
        const [name = "", ...rest] = path.slice(prefix.length).split("\\");
        names.set(name, rest.length === 0 ? "file" : "folder");
      }
      return [...names].map(([name, kind]) => ({ name, kind }));
    },
  };
}

test("a folder gives every eval file below it, without node_modules, dist and dot folders", () => {
  tree("all/a.eval.ts", "all/deep/b.eval.mjs", "all/c.eval.tsx", "all/node_modules/x/d.eval.ts", "all/dist/e.eval.js", "all/.cache/f.eval.ts", "all/g.ts", "all/h.eval.d.ts", "all/i.eval.json");
  expect(find(["all"]).found).toEqual(["all/a.eval.ts", "all/c.eval.tsx", "all/deep/b.eval.mjs"]);
});

test("a file that is named is taken whatever it is called, once", () => {
  tree("named/plain.ts");
  expect(find(["named/plain.ts", "./named/../named/plain.ts"])).toEqual({ found: ["named/plain.ts"], missing: [] });
});

test("a target without a file is named, and a second path to a found file is not", () => {
  tree("some/a.eval.ts");
  mkdirSync(join(root, "empty"), { recursive: true });
  expect(find(["some", "some/*.eval.ts", "some/x.eval.ts", "empty", "nowhere/*.eval.ts"]).missing).toEqual(["some/x.eval.ts", "empty", "nowhere/*.eval.ts"]);
});

test("a link to a file counts, a link to a folder above is not followed", () => {
  tree("links/a.eval.ts");
  symlinkSync(join(root, "links", "a.eval.ts"), join(root, "links", "b.eval.ts"));
  symlinkSync(join(root, "links"), join(root, "links", "round"));
  expect(find(["links"]).found).toEqual(["links/a.eval.ts", "links/b.eval.ts"]);
});

test("case 221: Windows patterns with backslashes match, and a path that exists is taken literally even with [ ] ( ) in it", () => {
  const files = windows("C:\\work\\evals\\a.eval.ts", "C:\\work\\evals\\sub [1]\\b.eval.ts");
  const search = { from: "C:\\work", named: EVAL_FILE, files, path: win32 };
  const both = ["C:\\work\\evals\\a.eval.ts", "C:\\work\\evals\\sub [1]\\b.eval.ts"];
  expect(findFiles(["evals\\**\\*.eval.ts"], search).found).toEqual(both);
  expect(findFiles(["C:\\work\\evals\\*.eval.ts"], search).found).toEqual(both.slice(0, 1));
  expect(findFiles([".\\evals"], search).found).toEqual(both);
  expect(findFiles(["evals\\sub [1]\\b.eval.ts"], search).found).toEqual(both.slice(1));
  expect(findFiles(["evals\\sub [1]"], search).found).toEqual(both.slice(1));
  expect(findFiles(["evals/**/*.eval.ts"], search).found).toEqual(both);
});

test("kind path-config: whatever a file is called, its own path finds it and nothing else", () => {
  const name = fc.stringMatching(/^[a-z [\](){}*?!,#%+äß日-]{1,12}$/).filter((text) => !/^\s|\s$/.test(text));
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 4 }), fc.uniqueArray(name, { minLength: 2, maxLength: 5 }), (folders, names) => {
      const folder = `C:\\work\\${folders.join("\\")}`;
      const paths = names.map((each) => `${folder}\\${each}.eval.ts`);
      const search = { from: "C:\\work", named: EVAL_FILE, files: windows(...paths), path: win32 };
      for (const path of paths) expect(findFiles([path], search)).toEqual({ found: [path], missing: [] });
      expect(findFiles([folder], search).found).toEqual([...paths].sort());
    }),
    { numRuns: 60 },
  );
});

test("a pattern says what it matches", () => {
  const table: [string, string, boolean][] = [
    ["*.ts", "a.ts", true],
    ["*.ts", "a/b.ts", false],
    ["**/*.ts", "a.ts", true],
    ["**/*.ts", "a/b/c.ts", true],
    ["a/**", "a/b/c.ts", true],
    ["a/**/c.ts", "a/c.ts", true],
    ["a/**/c.ts", "ac.ts", false],
    ["{a,b}/*.eval.{ts,js}", "b/x.eval.js", true],
    ["{a,b}/*.eval.{ts,js}", "c/x.eval.js", false],
    ["[ab]?.ts", "bx.ts", true],
    ["[!ab]?.ts", "bx.ts", false],
    ["a.ts", "axts", false],
    ["a[.ts", "a[.ts", true],
    ["[z-a].ts", "[z-a].ts", true],
    ["a(1)+.ts", "a(1)+.ts", true],
    ["x{y.ts", "x{y.ts", true],
  ];
  for (const [pattern, path, matches] of table) expect([pattern, path, patternTest(pattern).test(path)]).toEqual([pattern, path, matches]);
});

test("no text makes the pattern reader throw", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect([isPattern(text), patternTest(text) instanceof RegExp]).toEqual([/[*?[\]{}]/.test(text), true]);
    }),
  );
});
