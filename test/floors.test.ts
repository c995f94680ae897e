// Holds the floors of ARCHITECTURE.md: imports go down, never up, never sideways; the lower floors and the root door run in a browser.
import { expect, test } from "vitest";
import { BUNDLED } from "../script/bundled.ts";
import { importsOf, read, sourceFiles } from "./source.ts";

const FLOORS = [
  ["core", "json", "stats", "schema", "message", "language-model"],
  ["design", "evidence", "score", "judge", "report"],
  ["run", "codegen", "generated", "model", "adapter", "postgres"],
  ["conversation", "store", "worker", "viewer", "testing"],
  ["vitest", "cli"],
] as const;

/** The one import that goes up: an eval file that is the process's own script starts the command. */
const UPWARD = { from: "src/evaluation.ts", to: "src/cli/direct.ts" };

const folderOf = (path: string): string => path.split("/")[1] ?? "";
const isRootFile = (path: string): boolean => path.split("/").length === 2;
const floorOf = (path: string): number => (isRootFile(path) ? 3 : FLOORS.findIndex((floor) => (floor as readonly string[]).includes(folderOf(path))));
const isOurs = (to: string): boolean => to.startsWith("src/");

test("every folder of src stands on a floor", () => {
  expect(sourceFiles().filter((path) => !isRootFile(path) && floorOf(path) === -1)).toEqual([]);
});

test("imports go down a floor, never up and never sideways", () => {
  const broken = sourceFiles()
    .flatMap(importsOf)
    .filter(({ to }) => isOurs(to))
    .filter(({ from, to, lazy }) => {
      if (isRootFile(from) && isRootFile(to)) return false;
      if (folderOf(from) === folderOf(to)) return from.startsWith("src/adapter/") && from.split("/")[2] !== to.split("/")[2];
      if (folderOf(to) === "core") return false;
      if (lazy && from === UPWARD.from && to === UPWARD.to) return false;
      // On the ground floor the other folders may lean on each other downwards only: schema and message read with json.
      if (["schema", "message"].includes(folderOf(from)) && folderOf(to) === "json") return false;
      // What a scorer decides of statements, the judge's protocol decides.
      if (folderOf(from) === "score" && folderOf(to) === "judge") return false;
      return isRootFile(to) ? folderOf(from) !== "cli" && folderOf(from) !== "vitest" && folderOf(from) !== "testing" : floorOf(to) >= floorOf(from);
    })
    .map(({ from, to }) => `${from} -> ${to}`);
  expect(broken).toEqual([]);
});

test("core imports nothing but itself", () => {
  const foreign = sourceFiles()
    .filter((path) => folderOf(path) === "core")
    .flatMap(importsOf)
    .filter(({ to }) => !to.startsWith("src/core/"));
  expect(foreign).toEqual([]);
});

test("floors 0 and 1, and all that the root door reaches, use nothing of Node", () => {
  const seen = new Set<string>();
  const walk = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { to, lazy } of importsOf(path)) if (!lazy && isOurs(to)) walk(to);
  };
  walk("src/index.ts");
  for (const path of sourceFiles()) if (!isRootFile(path) && floorOf(path) <= 1) walk(path);
  const node = [...seen].flatMap(importsOf).filter(({ to, lazy }) => to.startsWith("node:") || (!lazy && !isOurs(to) && to !== "@cfworker/json-schema"));
  expect(node).toEqual([]);
});

test("no adapter imports its framework, and no source file imports an optional package", () => {
  const dependencies = [...BUNDLED, ...Object.keys((JSON.parse(read("package.json")) as { dependencies: Record<string, string> }).dependencies)];
  const foreign = sourceFiles()
    .flatMap(importsOf)
    .filter(({ to }) => !isOurs(to) && !to.startsWith("node:") && !dependencies.some((name) => to === name || to.startsWith(`${name}/`)))
    .filter(({ to, lazy }) => !(lazy && to.startsWith("tsx/")));
  expect(foreign).toEqual([]);
});

test("no folder or file is a drawer", () => {
  expect(sourceFiles().filter((path) => /\/(utils?|common|shared|helpers?|lib|types|misc|internal)(\/|\.tsx?$)/.test(path))).toEqual([]);
});

test("no source file is longer than 400 lines, and each begins by saying what it owns", () => {
  const long = sourceFiles().filter((path) => read(path).split("\n").length > 401);
  const silent = sourceFiles().filter((path) => !/^(#!.*\n)?\/\/ /.test(read(path)));
  expect({ long, silent }).toEqual({ long: [], silent: [] });
});

test("source files have no default export", () => {
  expect(sourceFiles().filter((path) => /^export default/m.test(read(path)))).toEqual([]);
});
