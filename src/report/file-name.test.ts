import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { fileNameOf } from "entail/report";
import { expect, onTestFinished, test } from "vitest";

const IDS = ["long ".repeat(200), 'a/b\\c:d*?"<>|', "..", "CON", "\u8a66\u9a13 \ud83d\ude00", " trailing. "];

test("case 179: long and odd ids are files of their own inside the folder, and each holds the id that it was made from", () => {
  const folder = mkdtempSync(join(tmpdir(), "entail-names-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const id of IDS) writeFileSync(join(folder, `${fileNameOf(id)}.json`), JSON.stringify({ id }));
  const files = readdirSync(folder);
  expect(files.map((file) => (JSON.parse(readFileSync(join(folder, file), "utf8")) as { id: string }).id).sort()).toEqual([...IDS].sort());
  expect(files.filter((file) => Buffer.byteLength(file) >= 255)).toEqual([]);
  expect(existsSync(join(folder, "..json"))).toBe(false);
});

test("kind file-naming: any two ids have two names on any system, none of which is a path, a device or hidden", () => {
  const id = fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.constantFrom(...IDS, "con", "NUL.txt", "a", "A", "a.", "a ", "A.json", ".", "", "-", "alarm_inventory", "\u00e9", "e\u0301", "com1"));
  fc.assert(
    fc.property(id, id, (one, other) => {
      const [first, second] = [fileNameOf(one), fileNameOf(other)];
      expect(first).toMatch(/^[a-z0-9_][a-z0-9_-]{0,99}$/);
      expect(first).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/);
      expect(first.toLowerCase() === second.toLowerCase()).toBe(one === other);
    }),
    { numRuns: 500 },
  );
});

test("an id that is declared in a design is its own name", () => {
  expect(["alarm_inventory", "evaporator_14c_pid"].map(fileNameOf)).toEqual(["alarm_inventory", "evaporator_14c_pid"]);
});
