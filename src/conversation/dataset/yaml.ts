// Owns the reading of YAML into rows. Only what JSON would write as a number, true, false or null is one; any other plain scalar is the text that stands there.

import type { Node, ParsedNode, Scalar } from "yaml";
import { datasetInvalid, placeOf, type DatasetRow } from "./row.ts";
import { inexact, isExact } from "./json.ts";
import { type OpenDataset, wholeText } from "./source.ts";

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([["", null], ["~", null], ["null", null], ["true", true], ["false", false]]);

/** One list of items, or one item a document, divided by `---`. It is read whole. */
export async function* yamlRows(source: OpenDataset): AsyncGenerator<DatasetRow, void> {
  const { parseAllDocuments, LineCounter, isMap, isScalar, isSeq, visit } = await import("yaml");
  const counter = new LineCounter();
  const documents = parseAllDocuments(await wholeText(source), { schema: "failsafe", merge: true, lineCounter: counter, prettyErrors: false, uniqueKeys: true });
  const lineOf = (node: unknown): number => counter.linePos((node as Node | null)?.range?.[0] ?? 0).line;
  let row = 0;
  for (const document of Array.isArray(documents) ? documents : []) {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined) throw datasetInvalid(`${source.name}, line ${counter.linePos(fault.pos[0]).line}`, `not YAML: ${fault.message}`);
    const contents: ParsedNode | null = document.contents;
    // What stands between two `---` may be nothing at all.
    if (contents === null || (isScalar(contents) && WORDS.get(plain(contents) ?? "x") === null)) continue;
    for (const item of isSeq(contents) && documents.length === 1 ? contents.items : [contents]) {
      const place = { row: ++row, line: lineOf(item) };
      if (!isMap(item)) throw datasetInvalid(placeOf(source.name, place), "a row must be an object with the members of an item; a dataset in YAML is a list of them, or one a document");
      const digits = new Map<string, string>();
      const own = new Map<unknown, string>(item.items.map(({ key, value }) => [value, isScalar(key) ? String(key.value) : ""]));
      visit(item, {
        Scalar(key, scalar) {
          if (scalar.value instanceof Uint8Array) throw datasetInvalid(placeOf(source.name, { ...place, line: lineOf(scalar) }), "a value is binary, and an item holds texts, numbers, lists and objects alone");
          const text = key === "key" ? undefined : plain(scalar);
          if (text === undefined) return;
          if (WORDS.has(text)) scalar.value = WORDS.get(text);
          else if (NUMBER.test(text)) {
            // `1.10` and `1e3` are ids of their own, not 1.1 and 1000.
            if (own.get(scalar) === "id") return;
            if (isExact(text)) scalar.value = Number(text);
            else if (own.has(scalar)) digits.set(own.get(scalar) ?? "", text);
            else throw inexact(placeOf(source.name, { ...place, line: lineOf(scalar) }), "a value", text);
          }
        },
      });
      let values: unknown;
      try {
        values = item.toJS(document, { maxAliasCount: 100 });
      } catch (thrown) {
        throw datasetInvalid(placeOf(source.name, place), `its anchors cannot be followed: ${(thrown as Error).message}`, thrown);
      }
      yield { ...place, cells: false, values: values as Record<string, unknown>, digits };
    }
  }
}

/** The text of a scalar without quotes, block form or tag. */
function plain(scalar: Scalar): string | undefined {
  return scalar.type === "PLAIN" && scalar.tag === undefined ? (scalar.source ?? "") : undefined;
}
