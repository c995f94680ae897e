// Holds docs/reference/cli.md equal to the tables that the command line is read by.
import { expect, test } from "vitest";
import { type Flag, VERBS } from "../../src/cli/flag.ts";
import { read } from "../source.ts";

const page = `\n${read("docs/reference/cli.md")}`;

/** The cells of each row of the first table below a heading. */
function tableBelow(heading: string): string[][] {
  const body = page.split(`\n${heading}\n`)[1] ?? "";
  const rows = body.split("\n").map((line) => line.trim());
  const first = rows.findIndex((line) => line.startsWith("|"));
  const end = rows.findIndex((line, at) => at > first && !line.startsWith("|"));
  return rows.slice(first + 2, end).map((row) => row.split("|").slice(1, -1).map((cell) => cell.trim()));
}

const rowOf = (flag: Flag): string[] => [`\`${flag.usage}\``, flag.description, flag.otherwise ?? ""];

test("the page names every verb, and no other", () => {
  expect(tableBelow("# The command line")).toEqual(VERBS.map(({ name, operand, description }) => [`\`${name}${operand === undefined ? "" : ` ${operand}`}\``, description]));
});

test.each(VERBS.map((verb) => [verb.name, verb] as const))("the page has the flags of %s, word for word", (name, verb) => {
  expect(tableBelow(`## Flags of \`${name}\``)).toEqual(verb.flags.map(rowOf));
});
