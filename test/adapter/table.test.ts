// Writes docs/reference/adapters.md from the cells that each adapter's tests recorded, and holds that no adapter and no situation is left out.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesBelow, read, root } from "../source.ts";
import { CELLS, SITUATIONS, type Cell, type Situation } from "./cell.ts";

const situations = Object.entries(SITUATIONS) as [Situation, string][];
const tables = readdirSync(CELLS)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .map((name) => ({ adapter: name.replace(/\.json$/, ""), cells: JSON.parse(readFileSync(join(CELLS, name), "utf8")) as Readonly<Record<Situation, Cell>> }));

test("every adapter has recorded its cells, and nothing else has", () => {
  // A door with neither `events` nor `target` runs nothing of its own, so nothing can occur in it.
  const doors = filesBelow("src/adapter", /^index\.ts$/).filter((path) => /\b(?:events|target)\b/.test(read(path)));
  const adapters = doors.map((path) => path.split("/")[2] ?? "");
  expect(tables.map(({ adapter }) => adapter)).toEqual(adapters.sort());
});

test.each(tables)("$adapter has a cell for each of the twelve situations", ({ cells }) => {
  expect(Object.keys(cells)).toEqual(situations.map(([situation]) => situation));
});

test("the table in the reference is what the adapters recorded", async () => {
  const mark = { seen: "seen", "cannot occur": "cannot occur" } as const;
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const lines = [
    "# Adapters: what each of them sees",
    "",
    "This page is written by the tests: a real agent of each framework runs through each situation, and the test that proves a cell records it.",
    "*Cannot occur* means that the source never says it; a test then shows that the adapter never makes it up. What an adapter cannot see decides",
    "nothing: an expectation that needs it makes the scenario `errored` with `not_observable`.",
    "",
    row(["situation", ...tables.map(({ adapter }) => `\`${adapter}\``)]),
    row(["---", ...tables.map(() => "---")]),
    ...situations.map(([situation, what]) => row([what, ...tables.map(({ cells }) => mark[cells[situation].outcome])])),
    ...tables.flatMap(({ adapter, cells }) => [
      "",
      `## \`entail/adapter/${adapter}\``,
      "",
      row(["situation", "outcome", "in evidence, or why not"]),
      row(["---", "---", "---"]),
      ...situations.map(([situation, what]) => row([what, mark[cells[situation].outcome], cells[situation].how])),
    ]),
  ];
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(join(root, "docs/reference/adapters.md"));
});
