// Owns the opening of a dataset: a file or a text, its format by its name, its bytes decoded in pieces.

import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { messageOf } from "../../core/error.ts";
import { textMember } from "../../core/member.ts";
import { datasetInvalid } from "./row.ts";

export const DATASET_FORMATS = ["json", "jsonl", "csv", "yaml"] as const;
export type DatasetFormat = (typeof DATASET_FORMATS)[number];

/** A path, taken from the working folder; the address of a file; or the text itself, which needs `format`. */
export type DatasetSource = string | URL | { readonly text: string; /** For errors; `the dataset` when absent. */ readonly name?: string | undefined };

export interface OpenDataset {
  /** As errors name it. */
  readonly name: string;
  readonly format: DatasetFormat;
  /** Of a table whose name says so: a tab. */
  readonly delimiter: "," | "\t";
  /** The text in pieces, without a byte order mark. */
  readonly pieces: () => AsyncGenerator<string, void>;
}

const ENDINGS: Readonly<Record<string, DatasetFormat>> = { json: "json", jsonl: "jsonl", ndjson: "jsonl", csv: "csv", tsv: "csv", yaml: "yaml", yml: "yaml" };

/** Opens nothing yet. Throws `dataset_invalid` where the format is not known. */
export function openDataset(source: DatasetSource, format: DatasetFormat | undefined): OpenDataset {
  const path = source instanceof URL ? fileURLToPath(source) : typeof source === "string" ? source : undefined;
  const name = path ?? textMember(source, "name") ?? "the dataset";
  const ending = /\.([a-z]+)$/i.exec(path ?? "")?.[1]?.toLowerCase() ?? "";
  const found = format ?? (Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined);
  if (found === undefined || !DATASET_FORMATS.includes(found)) {
    throw datasetInvalid(name, `its format is not known by its name; name it .json, .jsonl, .csv, .tsv or .yaml, or give format: ${DATASET_FORMATS.join(", ")}`);
  }
  const text = textMember(source, "text");
  if (path === undefined && text === undefined) throw datasetInvalid(name, "a dataset is a path, a URL, or { text }");
  return {
    name,
    format: found,
    delimiter: ending === "tsv" ? "\t" : ",",
    pieces: () => (path === undefined ? given(text ?? "") : decoded(path, name)),
  };
}

async function* given(text: string): AsyncGenerator<string, void> {
  yield text.startsWith("\uFEFF") ? text.slice(1) : text;
}

async function* decoded(path: string, name: string): AsyncGenerator<string, void> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  try {
    for await (const bytes of createReadStream(path, { highWaterMark: 65_536 }) as AsyncIterable<Uint8Array>) {
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder?.decode() ?? "";
  } catch (thrown) {
    if (textMember(thrown, "code") === "ERR_ENCODING_INVALID_ENCODED_DATA") throw datasetInvalid(name, `its bytes are no ${decoder?.encoding.toUpperCase() ?? "UTF-8"}; save it as UTF-8`, thrown);
    const missing = textMember(thrown, "code") === "ENOENT";
    throw datasetInvalid(name, missing ? `there is no such file; a path is taken from the working folder, ${process.cwd()}` : `it cannot be read: ${messageOf(thrown)}`, thrown);
  }
}

/** By the byte order mark; the decoder takes it away. */
function encodingOf([first, second]: Uint8Array): string {
  return first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** The whole text, for formats that cannot be read in pieces. */
export async function wholeText({ pieces }: OpenDataset): Promise<string> {
  const parts: string[] = [];
  for await (const piece of pieces()) parts.push(piece);
  return parts.join("");
}
