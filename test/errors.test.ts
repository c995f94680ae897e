// Holds the list of error codes and its page equal: no code without a cause and a mend, no heading without a code.
import { expect, test } from "vitest";
import { ERROR_CODES } from "entail";
import { read, sourceFiles } from "./source.ts";

test("docs/reference/errors.md has one heading for each error code, in the same order", () => {
  const headings = [...read("docs/reference/errors.md").matchAll(/^### `([a-z_]+)`$/gm)].map((match) => match[1]);
  expect(headings).toEqual([...ERROR_CODES]);
});

test("every error code is thrown somewhere in the source", () => {
  const source = readAll();
  expect(ERROR_CODES.filter((code) => !source.includes(`"${code}"`))).toEqual([]);
});

function readAll(): string {
  return sourceFiles()
    .filter((path) => path !== "src/core/error.ts")
    .map(read)
    .join("\n");
}
