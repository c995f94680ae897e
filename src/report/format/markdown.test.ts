import * as fc from "fast-check";
import type { Nodes, Root, Table } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { Comparison, ScenarioChange } from "../../core/comparison.ts";
import type { Report } from "entail";
import { COMMENT_BYTES, markdownParts, type MarkdownOptions, SUMMARY_BYTES } from "entail/report";
import { expect, test } from "vitest";
import { HOSTILE, hostileReport, hostileText, joined, reportOf, sample } from "../../../test/report-samples.ts";
import { prose } from "./markdown-text.ts";

const written = (report: Report, options?: MarkdownOptions): Promise<string> => joined(markdownParts(report, report.scenarios, options));
const tree = (text: string): Root => fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

function* nodes(node: Nodes): Generator<Nodes> {
  yield node;
  if ("children" in node) for (const child of node.children) yield* nodes(child);
}
const all = <Type extends Nodes["type"]>(text: string, type: Type): Extract<Nodes, { type: Type }>[] => [...nodes(tree(text))].filter((node): node is Extract<Nodes, { type: Type }> => node.type === type);
const textOf = (node: Nodes): string => [...nodes(node)].map((each) => ("value" in each ? each.value : "")).join("");
const widths = (table: Table): number[] => table.children.map((row) => row.children.length);

/** Elements of our own: a mark for the next run, and folds. */
const OWN_HTML = /^(?:<!-- entail \w{0,80} -->|<details><summary>[^<>]*<\/summary>|<pre>[^<>]*(?:<\/pre>)?|[^<>]*(?:<\/pre>)?|<\/details>|<sub>|<\/sub>)$/;
/** What GitHub makes links and pictures of. */
const LIVE = ["link", "linkReference", "image", "imageReference", "definition", "footnoteReference", "footnoteDefinition"] as const;

const CELLS = ["a|b", "a\\|b", "a\\", "`x|y`", "line1\nline2", "<details>", "@team ![](http://tracker.test/p.png)"];

test("case 201: a cell cannot leave its cell, and becomes no element, image, line break or mention", async () => {
  const text = await written(reportOf(CELLS.map((id) => sample(id, "failed", id))));
  const [table] = all(text, "table");
  expect(widths(table as Table)).toEqual(Array.from({ length: CELLS.length + 1 }, () => 3));
  const shown = table?.children.slice(1).map((row) => textOf(row.children[1] as Nodes).replaceAll("\u200b", ""));
  expect(shown).toEqual(CELLS.map((cell) => cell.replace("\n", " ")));
  expect(text).not.toMatch(/@(?!&#8203;)\w/);
  expect(all(text, "html").flatMap(({ value }) => value.split("\n")).filter((line) => !OWN_HTML.test(line))).toEqual([]);
  expect(LIVE.flatMap((type) => all(text, type))).toEqual([]);
});

test("kind unescaped-output: no text of a report becomes anything but text, in cells, folds and lines", async () => {
  await fc.assert(
    fc.asyncProperty(hostileReport, async (report) => {
      const text = await written(report);
      for (const table of all(text, "table")) expect(new Set(widths(table))).toEqual(new Set([3]));
      expect(all(text, "html").flatMap(({ value }) => value.split("\n")).filter((line) => !OWN_HTML.test(line))).toEqual([]);
      expect([...LIVE, "emphasis", "strong", "delete", "inlineCode", "blockquote", "thematicBreak"].flatMap((type) => all(text, type as Nodes["type"]))).toEqual([]);
      expect(all(text, "heading").map(({ depth }) => depth).filter((depth) => depth !== 2 && depth !== 3)).toEqual([]);
      // Outside of blocks of code nothing calls anybody or anything.
      const outside = [...nodes(tree(text))].filter(({ type }) => type === "text").map((node) => textOf(node)).join("\n");
      expect(outside).not.toMatch(/[@#]\w|GH-\d/i);
    }),
    { numRuns: 40 },
  );
});

test("a line of any text is shown as it is, where a paragraph may begin too", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const shown = tree(`${prose(text)}\n`);
      const expected = prose(text) === "" ? [] : ["paragraph"];
      expect(shown.children.map(({ type }) => type)).toEqual(expected);
      expect([...nodes(shown)].filter(({ type }) => !["root", "paragraph", "text"].includes(type))).toEqual([]);
    }),
    { numRuns: 300 },
  );
  expect(HOSTILE.map((text) => prose(text)).filter((line) => line.includes("\n"))).toEqual([]);
});

test("kind size-limits: a comment and a summary stay within what GitHub takes, and what is left out is counted", async () => {
  const many = reportOf(Array.from({ length: 1_200 }, (_, at) => sample(`scenario_${at}`, at % 2 === 0 ? "failed" : "errored", `日本 @team ${"|`<&".repeat(150)}`)));
  for (const maxBytes of [COMMENT_BYTES, SUMMARY_BYTES, 10_000]) {
    const text = await written(many, { maxBytes });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
    const told = all(text, "table").reduce((sum, table) => sum + table.children.length - 1, 0);
    const untold = Number(/([\d,]+) more scenarios? did not pass/.exec(text)?.[1]?.replaceAll(",", "") ?? 0);
    expect(told).toBeGreaterThan(0);
    expect(told + untold).toBe(1_200);
  }
});

test("kind noisy-output: what passed is a count, however much it is", async () => {
  const text = await written(reportOf(Array.from({ length: 5_000 }, (_, at) => sample(`s_${at}`))));
  expect(text).toBe("<!-- entail chat -->\n## ○ chat: passed\n\nAll 5,000 scenarios passed.\n\n5,000 of 5,000 measured scenarios passed, 100% (95% interval 99.9% to 100%).\n\n\n<sub>1.3s · run 0193a000-0000-7000-8000-000000000000</sub>\n");
});

const change = (id: string, direction: "worse" | "better"): ScenarioChange => {
  const [first, second] = direction === "worse" ? (["passed", "failed"] as const) : (["failed", "passed"] as const);
  const side = (outcome: "passed" | "failed"): ScenarioChange["before"] => ({ outcome, passed: outcome === "passed" ? 1 : 0, scored: 1 });
  return { suite: "chat", id, before: side(first), after: side(second), certain: true, flips: [{ kind: "claim", id: "complete|answer", direction, before: { held: 1, of: 1, text: "entailed" }, after: { held: 0, of: 1, text: "contradicted" } }] };
};

const comparison = (gotWorse: readonly ScenarioChange[], gotBetter: readonly ScenarioChange[]): Comparison => ({
  verdict: "regressed", difference: -0.5, interval: [-0.8, -0.1], p: 0.01, scenarios: 4, worse: gotWorse.length, better: gotBetter.length, same: 0,
  words: ["Regressed: 2 of 4 scenarios got worse.", "The pass rate fell by 50 points (95% interval -80 to -10)."],
  before: { name: "baseline", suites: ["chat"], runIds: [], scenarios: 4 }, after: { name: "#412", suites: ["chat"], runIds: [], scenarios: 4 },
  level: 0.95, margin: 0, method: "tango", unit: "scenario", units: 4, smallestDrop: 0.4, trialsNeeded: null, gate: { exitCode: 1, reasons: [] },
  gotWorse, gotBetter, alsoChanged: [], unchanged: [], stillNotPassing: [], renamed: [], missing: [{ suite: "chat", id: "gone", outcome: "passed" }], new: [], revised: [],
  notCompared: [{ suite: "chat", id: "broken", reason: "errored in the second run" }], groups: [], measures: [{ measure: "tool_calls", before: 2, after: 3, change: 0.5, scenarios: 4 }], warnings: [],
});

test("with a comparison its verdict and its flips come first, the worse ones before the better", async () => {
  const text = await written(reportOf([sample("a", "failed"), sample("b")]), { comparison: comparison([change("alarm_cleanup", "worse")], [change("greeting", "better")]) });
  const at = (part: string): number => text.indexOf(part);
  const order = ["### ▼ regressed: baseline → &#35;&#8203;412", "Regressed&#58; 2 of 4", "**Got worse** (1)", "alarm&#95;cleanup | ○ passed | ● failed | claim complete&#124;answer: entailed", "**Got better** (1)", "1 scenario missing: gone", "not compared: broken (errored", "tool calls: &#43;50.0%", "### What did not pass"];
  expect(order.filter((part) => at(part) === -1)).toEqual([]);
  expect(order.map(at)).toEqual(order.map(at).sort((a, b) => a - b));
  expect(all(text, "table").map((table) => new Set(widths(table)))).toEqual([new Set([4]), new Set([4]), new Set([3])]);
});

test("a comparison of thousands of flips leaves room for what did not pass", async () => {
  const text = await written(reportOf([sample("a", "failed")]), { comparison: comparison(Array.from({ length: 4_000 }, (_, at) => change(`s_${at}_${"x".repeat(200)}`, "worse")), []) });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(COMMENT_BYTES);
  expect(text).toMatch(/more scenarios; the comparison has them all/);
  expect(text).toContain("### What did not pass");
});

test("kind secrets-leak: a secret is in no part of the text", async () => {
  const secret = "sk-test-abcdef0123456789";
  const report = reportOf([sample(secret, "failed", `key ${secret}`, secret), sample("b", "errored", secret)], { suiteId: secret, error: { code: "cancelled", stage: "hook", message: secret }, warnings: [{ code: "late_rejection", message: secret }] });
  expect(await written(report, { mask: (text) => text.replaceAll(secret, "‹masked›") })).not.toContain("abcdef0123456789");
});
