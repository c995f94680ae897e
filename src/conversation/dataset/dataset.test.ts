// Holds datasets: tables, JSON Lines, JSON and YAML as items, nothing guessed, nothing lost, and the row in every error.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import type { DataItem } from "../data-item.ts";
import { csvRows } from "./csv.ts";
import { dataset, type DatasetOptions } from "./dataset.ts";
import type { DatasetFormat } from "./source.ts";

const folder = mkdtempSync(join(tmpdir(), "entail-dataset-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
function file(content: string | Uint8Array, ending: string): string {
  const path = join(folder, `cases-${++files}.${ending}`);
  writeFileSync(path, content);
  return path;
}
const items = async (text: string, format: DatasetFormat, options: DatasetOptions = {}): Promise<DataItem[]> => dataset({ text, name: `cases.${format}` }, { ...options, format });
/** The rows as they stand, before anything is made of them. */
async function rows(text: string, format: DatasetFormat, options: DatasetOptions = {}): Promise<unknown[]> {
  const made = await items(text, format, { ...options, item: (values) => ({ input: values }) });
  return made.map(({ input }): unknown => input);
}
async function fault(reading: PromiseLike<unknown>): Promise<string> {
  try {
    await reading;
  } catch (thrown) {
    return `${(thrown as { code?: string }).code}: ${(thrown as Error).message}`;
  }
  return "no error";
}

describe("tables", () => {
  test("case 233: a byte order mark is no part of the first column's name, and UTF-16 is decoded", async () => {
    expect(await rows("\ufeffid,input\r\n1,hi\r\n", "csv")).toEqual([{ id: "1", input: "hi" }]);
    const text = "\ufeffid,input\r\n1,hé 😀\r\n";
    const little = Buffer.from(text, "utf16le");
    expect(await dataset(file(little, "csv"))).toEqual([{ id: "1", input: "hé 😀" }]);
    expect(await dataset(file(Buffer.from(little).swap16(), "csv"))).toEqual([{ id: "1", input: "hé 😀" }]);
    expect(await dataset(file(text, "csv"))).toEqual([{ id: "1", input: "hé 😀" }]);
  });

  test("case 234: a byte order mark before a quoted header leaves the quotes what they are", async () => {
    expect(await rows('\ufeff"id","the input"\n"1","say ""hi"""\n', "csv")).toEqual([{ id: "1", "the input": 'say "hi"' }]);
    expect(await rows('\ufeff{"id":"1"}\n', "jsonl")).toHaveLength(1);
  });

  test("case 235: cells hold line ends, delimiters and quotes; an empty cell is an empty text; the last line needs no end", async () => {
    expect(await rows('id,input\n1,"line 1\nline 2"\n2,""""""\n3,"a,b"\n4,""\n5,x', "csv")).toEqual([
      { id: "1", input: "line 1\nline 2" },
      { id: "2", input: '""' },
      { id: "3", input: "a,b" },
      { id: "4", input: "" },
      { id: "5", input: "x" },
    ]);
  });

  test("case 236: nothing is converted by its looks, only by request", async () => {
    const csv = "zip,id,ok,when,n,e\n00123,12345678901234567890,true,2024-05-01,1e5,-\n";
    const values = { zip: "00123", id: "12345678901234567890", ok: "true", when: "2024-05-01", n: "1e5", e: "-" };
    expect(await rows(csv, "csv")).toEqual([values]);
    const { id, ...rest } = values;
    const columns = { when: "input" };
    const { when, ...metadata } = rest;
    expect(await items(csv, "csv", { columns })).toEqual([{ id, input: when, metadata }]);
    expect(await items(csv, "csv", { columns, convert: { n: "number", ok: "boolean" } })).toMatchObject([{ metadata: { n: 100_000, ok: true, zip: "00123" } }]);
    expect(await fault(items(csv, "csv", { columns, convert: { zip: "number" } }))).toBe('dataset_invalid: cases.csv, row 1 (line 2), column "zip": "00123" is no number as JSON writes it, or one that would be rounded');
    expect(await fault(items(csv, "csv", { columns, convert: { e: "boolean" } }))).toContain('row 1 (line 2), column "e"');
  });

  test("case 238: a quote that is never closed is an error that names its line; a quote within a cell is a character", async () => {
    expect(await fault(rows('id,input\n1,"never closed\n2,b\n3,c\n', "csv"))).toBe('dataset_invalid: cases.csv, line 2: the quote that opens the cell "never closed\\n2,b\\n3,c\\n" is never closed; within quotes a quote is written twice');
    expect(await rows('id,input\n1,5" pipe\n2,b\n', "csv")).toEqual([{ id: "1", input: '5" pipe' }, { id: "2", input: "b" }]);
    expect(await fault(rows('id,input\n1,"a" b\n', "csv"))).toContain("line 2: there is text after the closing quote of the cell that begins on line 2");
  });

  test("kind dataset-parsing: blank lines are no rows, and lines are counted through cells of several lines", async () => {
    const csv = 'id,input\r\n\r\n1,"a\r\nb"\r\n\n2,x,y\r\n';
    expect(await fault(rows(csv, "csv"))).toBe('dataset_invalid: cases.csv, row 2 (line 6): it has 3 cells and the header 2; put a cell that holds "," or a line end in double quotes');
    expect(await rows(csv.replace(",y", ""), "csv")).toEqual([{ id: "1", input: "a\r\nb" }, { id: "2", input: "x" }]);
    expect(await rows("a\r1\r2\r", "csv")).toEqual([{ a: "1" }, { a: "2" }]);
    expect(await rows('a\n""\n\n"x"\n', "csv")).toEqual([{ a: "" }, { a: "x" }]);
  });

  test.each([
    ["a header that stands twice", "id,input,id\n1,a,2\n", 'cases.csv, line 1: the columns 1 and 3 have one name, "id"; give each its own'],
    ["a header without a name", "id,,input\n1,a,2\n", "cases.csv, line 1: column 2 has no name"],
    ["another delimiter", "id;input\n1;a\n", 'cases.csv, line 1: the header is one cell, "id;input"; if the cells are divided by ";", give delimiter: ";"'],
    ["too few cells", "id,input\n1,a\n2\n", "cases.csv, row 2 (line 3): it has 1 cell and the header 2"],
    ["a row of nothing", "id,input\n1,a\n,\n", "cases.csv, row 2 (line 3): all its cells are empty; take the row out"],
    ["no row", "id,input\n", "cases.csv: it holds no row"],
    ["nothing at all", "", "cases.csv: it holds no row"],
    ["no input", "id,question\n1,a\n", 'cases.csv, row 1 (line 2): it has no input; call it input, inputs or turns, or say what is one: columns: { "id": "input" }'],
    ["a column that is nearly a member", "input,ground_truth\na,b\n", 'cases.csv, row 1 (line 2): the column "ground_truth" is no member of an item; did you mean groundTruth?'],
    ["a blank before a column's name", "id, input\n1,a\n", 'the column " input" is no member of an item; did you mean input?'],
    ["claims that are no JSON", "input,claims\na,[1\n", 'cases.csv, row 1 (line 2), column "claims": it must hold JSON, and is "[1"'],
    ["a gap among inputs", "inputs.1,inputs.2,inputs.3\na,,c\n", "inputs.3 is given and inputs.2 is not"],
    ["a timeout that is no number", "input,timeoutMs\na,5s\n", 'column "timeoutMs": "5s" is no number'],
  ])("kind dataset-parsing: %s is an error with its place", async (_, csv, message) => expect(await fault(items(csv, "csv"))).toContain(`dataset_invalid: ${message}`.replace(/^dataset_invalid: (?!cases)/, "")));

  test("columns are members of an item, with a dot members within one; the others are metadata, and an empty cell is nothing", async () => {
    const csv = 'id,input,tags,groundTruth,claims.hours_named,targetOptions.memory.resource,source,inputs.1,inputs.2\n7,hi,"a, b",,The hours are named.,user-42,desk,,\n8,,,5,,,,one,two\n';
    expect(await items(csv, "csv")).toEqual([
      { id: "7", input: "hi", tags: ["a", "b"], claims: [{ id: "hours_named", text: "The hours are named." }], targetOptions: { memory: { resource: "user-42" } }, metadata: { source: "desk" } },
      { id: "8", groundTruth: "5", inputs: ["one", "two"] },
    ]);
    expect(await items("q;a;note\n1;2;3\n", "csv", { delimiter: ";", columns: { q: "input", a: "groundTruth", note: null } })).toEqual([{ input: "1", groundTruth: "2" }]);
    expect(await items('turns\n"[{""input"":""a""},{""input"":""b""}]"\n', "csv")).toEqual([{ turns: [{ input: "a" }, { input: "b" }] }]);
    expect(await items("id,input\n4,\"\"\n", "csv")).toEqual([{ id: "4", input: "" }]);
    expect(await items("__proto__,input\nx,a\n", "csv")).toEqual([{ input: "a", metadata: JSON.parse('{"__proto__":"x"}') as unknown }]);
  });

  test("kind dataset-parsing: any table that a writer of RFC 4180 writes reads back, whatever its line ends and the pieces it comes in", async () => {
    const cell = fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[",\n\r x]{0,6}$/)).filter((text) => text.isWellFormed());
    const quote = (text: string, always: boolean): string => (always || text === "" || /[",\r\n\ufeff]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const wide = fc.integer({ min: 1, max: 4 });
    const tables = wide.chain((width) => fc.tuple(fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }), fc.constantFrom("\n", "\r\n"), fc.boolean(), fc.boolean(), fc.integer({ min: 1, max: 5 })));
    await fc.assert(
      fc.asyncProperty(tables, async ([table, end, last, always, size]) => {
        const header = table[0]?.map((_, at) => `c${at}`) ?? [];
        const filled = table.map((line) => (line.length > 1 && line.every((text) => text === "") ? line.map(() => "x") : line));
        const text = [header, ...filled].map((line) => line.map((each) => quote(each, always)).join(",")).join(end) + (last ? end : "");
        const found = await rows(text, "csv");
        expect(found).toEqual(filled.map((line) => Object.fromEntries(line.map((each, at) => [`c${at}`, each]))));
        const pieces = async function* (): AsyncGenerator<string, void> {
          for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
        };
        const pieced: unknown[] = [];
        for await (const { values } of csvRows({ name: "t", format: "csv", delimiter: ",", pieces }, ",")) pieced.push(values);
        expect(pieced).toEqual(found);
        // Another reader of the standard agrees.
        expect(found).toEqual(parse(text, { columns: true, record_delimiter: end }).map((each) => ({ ...(each as object) })));
      }),
      { numRuns: 300 },
    );
  });

  test("a large file is read in pieces, and walked without being held", async () => {
    const long = '"' + "é\r\n\"\"".repeat(30_000) + '"';
    const path = file(`id,input\r\n${Array.from({ length: 3000 }, (_, at) => `${at},"row ${at}\r\n😀"\r\n`).join("")}last,${long}`, "csv");
    const walked: DataItem[] = [];
    for await (const item of dataset(path)) walked.push(item);
    expect([walked.length, walked[2999]?.input, walked[3000]?.input]).toEqual([3001, "row 2999\r\n😀", 'é\r\n"'.repeat(30_000)]);
    for await (const item of dataset(path)) {
      expect(item).toEqual({ id: "0", input: "row 0\r\n😀" });
      break;
    }
  });
});

describe("JSON Lines", () => {
  test("case 239: blank lines are no rows, and U+2028 ends no line", async () => {
    expect(await rows('{"id":"1"}\r\n\r\n   \n{"id":"2","t":"a\\u2028b\u2028c"}\n{"id":"3"}\n\n', "jsonl")).toEqual([{ id: "1" }, { id: "2", t: "a\u2028b\u2028c" }, { id: "3" }]);
  });

  test.each([
    ["a line that is no JSON", '{"input":"a"}\n\n{"input":\n', "cases.jsonl, row 2 (line 3): not JSON: the text ends where a value must stand (column 10"],
    ["a member that stands twice", '{"input":"a","input":"b"}', 'row 1 (line 1): the member "input" stands more than once'],
    ["two objects on a line", '{"input":"a"}{"input":"b"}', "there is text after the value"],
    ["a line that is no object", '{"input":"a"}\n["b"]', "row 2 (line 2): a row must be an object"],
    ["a number that would be rounded", '{"input":"a","groundTruth":{"n":[12345678901234567890]}}', "row 1 (line 1): groundTruth.n[0] is 12345678901234567890, a number that would be rounded"],
    ["an item without input", '{"groundTruth":"a"}', "row 1 (line 1): it has no input"],
    ["a member that is nearly one", '{"input":"a","groundtruth":"b"}', 'the member "groundtruth" is no member of an item; did you mean groundTruth?'],
    ["a user who is played", '{"user":{"persona":"Ann"}}', "is code"],
  ])("kind dataset-parsing: %s is an error with its place", async (_, text, message) => expect(await fault(items(text, "jsonl"))).toContain(message));

  test("lines longer than a piece of the file are one line", async () => {
    const long = "é\u2028".repeat(60_000);
    const lines = Array.from({ length: 4 }, (_, at) => JSON.stringify({ id: `${at}`, input: `${at}${long}` }));
    expect((await dataset(file(lines.join("\n"), "jsonl"))).map(({ input }): unknown => input)).toEqual([0, 1, 2, 3].map((at) => `${at}${long}`));
  });

  test("items stay what they are, numbers and nulls too; an id's digits are kept; other members are metadata", async () => {
    const text = '{"id":12345678901234567890,"input":[{"role":"user","content":"hi"}],"groundTruth":null,"a.b":1.50}\n{"id":7,"turns":[{"input":""}],"metadata":{"k":1},"extra":2}';
    expect(await items(text, "jsonl")).toEqual([
      { id: "12345678901234567890", input: [{ role: "user", content: "hi" }], groundTruth: null, metadata: { "a.b": 1.5 } },
      { id: "7", turns: [{ input: "" }], metadata: { k: 1, extra: 2 } },
    ]);
  });

  test("kind dataset-parsing: whatever JSON holds reads back, line by line and as one list", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false })), { minLength: 1, maxLength: 5 }), async (values) => {
        const plain = values.map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>).filter((value) => !JSON.stringify(value).match(/\d{16,}/));
        fc.pre(plain.length > 0);
        expect(await rows(plain.map((value) => JSON.stringify(value)).join("\n"), "jsonl")).toEqual(plain);
        expect(await rows(JSON.stringify(plain, null, 2), "json")).toEqual(plain);
      }),
      { numRuns: 100 },
    );
  });
});

describe("JSON and YAML", () => {
  test.each([
    ["json", "{}", "a dataset in JSON is a list of items, and this is one object; for one object a line name it .jsonl"],
    ["json", '[{"input":"a"},7]', "cases.json, row 2: a row must be an object"],
    ["json", '[\n{"input":"a"},\n]', "line 3, column 1"],
    ["yaml", "- input: a\n  input: b\n", "cases.yaml, line 2: not YAML: Map keys must be unique"],
    ["yaml", "- input: a\n- b\n", "cases.yaml, row 2 (line 2): a row must be an object"],
    ["yaml", "- input: [a\n", "not YAML"],
    ["yaml", "- input: !code a\n", "not YAML"],
    ["yaml", "- input: a\n  groundTruth:\n    n: 12345678901234567890\n", "row 1 (line 3): a value is 12345678901234567890"],
  ] as const)("kind dataset-parsing: %s that is not as it should be is an error with its place: %j", async (format, text, message) => expect(await fault(items(text, format))).toContain(message));

  test("YAML gives texts, but for what JSON would write as a number, true, false or null", async () => {
    const text = `# cases
- id: 007
  input: |
    two
    lines
  groundTruth: { zip: 00123, hex: 0x1F, on: no, when: 2024-05-01, n: 1.5, ok: true, none: ~, quoted: "1", inf: .inf, v: 1_000 }
  tags: [a, b]
- id: 12345678901234567890
  turns:
    - input: &greeting hello
    - input: *greeting
`;
    expect(await items(text, "yaml")).toEqual([
      { id: "007", input: "two\nlines\n", groundTruth: { zip: "00123", hex: "0x1F", on: "no", when: "2024-05-01", n: 1.5, ok: true, none: null, quoted: "1", inf: ".inf", v: "1_000" }, tags: ["a", "b"] },
      { id: "12345678901234567890", turns: [{ input: "hello" }, { input: "hello" }] },
    ]);
    expect(await items("input: a\n---\ninput: b\n---\n", "yaml")).toEqual([{ input: "a" }, { input: "b" }]);
  });

  test("what an item shares with another by an anchor and << is its own too", async () => {
    const text = "- &base\n  input: a\n  groundTruth: 7\n  tags: [x]\n- <<: *base\n  input: b\n- input: c\n  metadata:\n    '<<': d\n";
    expect(await items(text, "yaml")).toEqual([{ input: "a", groundTruth: 7, tags: ["x"] }, { input: "b", groundTruth: 7, tags: ["x"] }, { input: "c", metadata: { "<<": "d" } }]);
  });

  test("kind dataset-parsing: whatever a writer of YAML writes of JSON's values reads back", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false })), { minLength: 1, maxLength: 4 }), async (values) => {
        const plain = values.map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>).filter((value) => !JSON.stringify(value).match(/\d{16,}/));
        fc.pre(plain.length > 0 && JSON.stringify(plain).isWellFormed());
        expect(await rows(stringify(plain), "yaml")).toEqual(plain);
      }),
      { numRuns: 60 },
    );
  });

  test("anchors that multiply are stopped", async () => {
    const bomb = `- input: &a [x,x,x,x,x,x,x,x,x]\n  b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n  c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n  d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n  e: [*d,*d,*d,*d,*d,*d,*d,*d,*d]\n`;
    expect(await fault(items(bomb, "yaml"))).toContain("its anchors cannot be followed");
  });

  test("a hostile member name is a member like any other", async () => {
    for (const [format, text] of [["json", '[{"input":"a","__proto__":{"x":1}}]'], ["yaml", "- input: a\n  __proto__: { x: 1 }\n"]] as const) {
      const [item] = await items(text, format);
      expect([Object.getPrototypeOf(item), JSON.stringify(item)]).toEqual([Object.prototype, '{"input":"a","metadata":{"__proto__":{"x":1}}}']);
    }
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describe("a dataset", () => {
  test("case 232: rows that share an id are refused, each of them named, a number as its digits", async () => {
    const text = '{"id":"1","input":"a"}\n{"id":"1","input":"b"}\n{"id":1,"input":"c"}\n{"input":"d"}\n';
    expect(await fault(items(text, "jsonl"))).toBe('dataset_invalid: cases.jsonl: the id "1" stands in the rows 1, 2, 3; an id names one item, so give each row its own or leave the id out');
  });

  test("kind id-collision: whatever the format, an id that stands twice is an error, walked or awaited, and one that stands once is none", async () => {
    const doubled: readonly (readonly [DatasetFormat, string])[] = [
      ["csv", "id,input\na,1\nb,2\na,3\n"],
      ["json", '[{"id":"a","input":1},{"id":"b","input":2},{"id":"a","input":3}]'],
      ["jsonl", '{"id":"a","input":1}\n{"id":"b","input":2}\n{"id":"a","input":3}'],
      ["yaml", "- {id: a, input: x}\n- {id: b, input: x}\n- {id: a, input: x}\n"],
      ["csv", "id,input\n__proto__,1\nconstructor,2\n__proto__,3\n"],
    ];
    for (const [format, text] of doubled) {
      expect(await fault(items(text, format))).toContain("stands in the rows 1, 3");
      const walk = async (): Promise<void> => {
        for await (const { id } of dataset({ text }, { format })) walked.push(id ?? "");
      };
      const walked: string[] = [];
      expect(await fault(walk())).toContain("stands in the rows 1, 3");
      expect(walked).toHaveLength(2);
    }
    expect(await items("id,input\na,1\nA,2\n a,3\n", "csv")).toHaveLength(3);
  });

  test("is a path, the address of a file or a text, its format its ending", async () => {
    const path = file('{"input":"a"}\n', "ndjson");
    expect([await dataset(path), await dataset(pathToFileURL(path)), await dataset({ text: "a", name: "x" }, { format: "yaml", item: undefined }).then(() => 0, (thrown: Error) => thrown.message)]).toEqual([[{ input: "a" }], [{ input: "a" }], expect.stringContaining("x, row 1 (line 1)")]);
    expect(await dataset(file("id\tinput\n1\ta,b\n", "tsv"))).toEqual([{ id: "1", input: "a,b" }]);
    expect(() => dataset("cases.xlsx")).toThrowError(/its format is not known by its name/);
    expect(() => dataset({ text: "" }, { format: "csv", delimiter: ";;" })).toThrowError(/delimiter must be one character/);
    expect(() => dataset({ text: "" }, { format: "csv", convert: { a: "date" as never } })).toThrowError(/convert gives "a" as "date"/);
  });

  test("that holds no row is an error, walked or awaited", async () => {
    const walk = async (): Promise<void> => {
      for await (const item of dataset({ text: "[]" }, { format: "json" })) expect(item).toBeUndefined();
    };
    expect([await fault(walk()), await fault(items("\n \n", "jsonl")), await fault(items("# nothing\n", "yaml"))]).toEqual(["dataset_invalid: the dataset: it holds no row", "dataset_invalid: cases.jsonl: it holds no row", "dataset_invalid: cases.yaml: it holds no row"]);
  });

  test("that is not there, or is no text, says so", async () => {
    expect(await fault(dataset(join(folder, "none.csv")))).toMatch(/^dataset_invalid: .*none\.csv: there is no such file; a path is taken from the working folder, /);
    expect(await fault(dataset(folder, { format: "csv" }))).toContain("it cannot be read");
    expect(await fault(dataset(file(Buffer.from([0x69, 0x64, 0x0a, 0xe9, 0x0a]), "csv")))).toContain("its bytes are no UTF-8; save it as UTF-8");
  });

  test("takes the items that the option item makes, and says where it makes none", async () => {
    const csv = "q,a\none,1\ntwo,2\n";
    expect(await items(csv, "csv", { item: ({ q, a }, { row, line }) => ({ input: `${row}/${line}: ${String(q)}`, groundTruth: Number(a) }) })).toEqual([{ input: "1/2: one", groundTruth: 1 }, { input: "2/3: two", groundTruth: 2 }]);
    expect(await fault(items(csv, "csv", { item: () => undefined as never }))).toContain("cases.csv, row 1 (line 2): the option item must give an item");
  });
});
