// Owns the one file of a run: the same page with its data, which opens from a disk and asks nobody for anything.

import { createHash } from "node:crypto";
import type { Evidence } from "../core/evidence.ts";
import type { ReportHead, ScenarioReport } from "../core/report.ts";
import { encodeReportParts } from "../report/encode-report.ts";
import { cutScenario, cutText, FILE_BYTES, type FileCut, openScale } from "./file-cut.ts";
import { pageFolder, readFilePage } from "./page-files.ts";
import { filePolicy } from "./policy.ts";

/** A run to be put into a file. Its scenarios are read twice, one after the other. */
export interface HtmlRun {
  readonly head: ReportHead;
  readonly scenarios: () => Iterable<ScenarioReport> | AsyncIterable<ScenarioReport>;
  /** For people: `#412`. */
  readonly ordinal?: number | undefined;
  readonly branch?: string | undefined;
  readonly note?: string | undefined;
  /** What was planned for a scenario, where it is known. */
  readonly planned?: ((position: number) => Promise<{ readonly description?: string | undefined; readonly input?: unknown } | undefined>) | undefined;
  readonly evidence?: ((position: number, trial: number) => Promise<Evidence | undefined>) | undefined;
}

export interface ExportHtmlOptions {
  /** Applied to every text that a person, a model or a program wrote. */
  readonly mask?: ((text: string) => string) | undefined;
  /** About how large the reports in the file may be; 32 MB when absent. Longer texts are then cut, and say so. */
  readonly maxBytes?: number | undefined;
  /** Where the built page lies; the package's own when absent. */
  readonly pageFolder?: string | undefined;
}

/** Evidence in the file; what did not pass comes first. */
const EVIDENCE_BYTES = 16_000_000;

/**
 * One HTML document in parts: never as one string, however large the run. Its data stand in blocks that no browser runs; its one script and its one
 * stylesheet are named by their digests, and nothing else may be loaded. Throws `viewer_not_built` where the page's files are missing.
 */
export async function* exportHtml(runs: readonly HtmlRun[], { mask = (text) => text, maxBytes = FILE_BYTES, pageFolder: folder = pageFolder() }: ExportHtmlOptions = {}): AsyncGenerator<string, void, undefined> {
  const { script, style } = readFilePage(folder);
  const scale = openScale({ mask });
  for (const run of runs) for await (const scenario of run.scenarios()) scale.add(scenario);
  const cut = scale.cut(maxBytes);
  yield `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="color-scheme" content="light dark">\n<meta http-equiv="Content-Security-Policy" content="${filePolicy(digestOf(script), digestOf(style))}">\n<title>${escaped(mask(titleOf(runs)))}</title>\n<link rel="icon" href="data:,">\n<style>`;
  yield style;
  yield '</style>\n</head>\n<body>\n<div id="app"></div>\n';
  let left = EVIDENCE_BYTES;
  for (const run of runs) {
    yield '<script type="application/json" class="report">';
    for await (const part of encodeReportParts(run.head, cutRun(run, cut), { mask, indent: 0 })) yield inert(part);
    yield "</script>\n";
    yield `<script type="application/json" class="beside">${inert(textOf({ ordinal: run.ordinal, branch: run.branch, note: run.note, cut: cut.characters, passedInShort: cut.passedInShort }, mask, cut))}</script>\n`;
    yield '<script type="application/json" class="planned">[';
    yield* plannedOf(run, mask, cut);
    yield ']</script>\n<script type="application/json" class="evidence">[null';
    for (const passed of [false, true]) {
      for await (const part of evidenceOf(run, passed, mask, cut)) {
        if (part.length > left) continue;
        left -= part.length;
        yield part;
      }
    }
    yield "]</script>\n";
  }
  yield "<script>";
  yield script;
  yield "</script>\n</body>\n</html>\n";
}

const digestOf = (text: string): string => `sha256-${createHash("sha256").update(text).digest("base64")}`;

/** JSON that cannot end its block, nor begin a comment. */
const inert = (json: string): string => json.replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const titleOf = (runs: readonly HtmlRun[]): string => runs.map(({ head, ordinal }) => `${head.suiteId}${ordinal === undefined ? "" : ` #${ordinal}`}`).join(", ") || "Entail";

const textOf = (value: unknown, mask: (text: string) => string, cut: FileCut): string => JSON.stringify(value, (_, each: unknown) => (typeof each === "string" ? cutText(mask(each), cut) : each)) ?? "null";

async function* cutRun(run: HtmlRun, cut: FileCut): AsyncGenerator<ScenarioReport, void, undefined> {
  for await (const scenario of run.scenarios()) yield cutScenario(scenario, cut);
}

/** In the order of the scenarios, `null` where nothing is known. */
async function* plannedOf(run: HtmlRun, mask: (text: string) => string, cut: FileCut): AsyncGenerator<string, void, undefined> {
  let position = 0;
  for await (const _ of run.scenarios()) {
    const planned = cut.passedInShort ? undefined : await run.planned?.(position);
    const text = planned === undefined ? "null" : textOf({ description: planned.description, input: planned.input }, mask, cut);
    yield inert(position === 0 ? text : `,${text}`);
    position += 1;
  }
}

/** `,["3.1",{…}]` for each trial whose scenario passed, or did not. */
async function* evidenceOf(run: HtmlRun, passed: boolean, mask: (text: string) => string, cut: FileCut): AsyncGenerator<string, void, undefined> {
  if (run.evidence === undefined) return;
  let position = 0;
  for await (const scenario of run.scenarios()) {
    if ((scenario.outcome === "passed") === passed) {
      for (const { trial } of scenario.trials ?? [{ trial: 1 }]) {
        const evidence = await run.evidence(position, trial);
        // The texts beside `args` and `result` say the same with every digit kept; one of them is enough.
        if (evidence !== undefined) yield inert(`,${textOf([`${position}.${trial}`, { ...evidence, toolCalls: evidence.toolCalls.map((call) => ({ ...call, args: null, result: undefined })) }], mask, cut)}`);
      }
    }
    position += 1;
  }
}
