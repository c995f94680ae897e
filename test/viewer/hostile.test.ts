// Holds the viewer against texts that want to be more than text, and against runs and evidence that are too large: served, and as one file.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { encodeReport } from "entail";
import { openStore, type Store } from "entail/store";
import { exportHtml, FILE_BYTES, type HtmlRun, serveViewer, type ServedViewer } from "entail/viewer";
import { buildViewer } from "../../script/build-viewer.ts";
import { OBSERVES_EVERYTHING } from "../../src/core/evidence.ts";
import type { Report, ReportHead, ScenarioReport, TrialReport } from "../../src/core/report.ts";
import { openBrowser } from "./browser.ts";
import { openPage, settled } from "./opened-page.ts";
import { scenarioOf, totalsOf } from "./store-of-plant.ts";

let browser: Browser;
let store: Store;
let served: ServedViewer;
let folder: string;

beforeAll(async () => {
  await buildViewer();
  folder = mkdtempSync(join(tmpdir(), "entail-html-"));
  store = await openStore("memory:");
  browser = await openBrowser();
  served = await serveViewer({ store });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await served?.close();
  await store?.close();
  rmSync(folder, { recursive: true, force: true });
});

const CASE_187 = {
  case_id: "<b>x</b>",
  output: "<img src=x onerror=\"document.title='owned'\"><a href=\"javascript:alert(1)\">hi</a>",
  judge_reason: "<svg/onload=alert(2)>",
  tool_name: '"><script>alert(3)</script>',
  error: "</pre><iframe srcdoc='<script>alert(4)</script>'>",
};
const CASE_188 = ["</script><script>window.owned=1</script>", "<!--<script>", "line\u2028sep\u2029end", "]]>"];

/** A trial that says `text` wherever a text of others can stand. */
function trialOf(text: string, more: Partial<typeof CASE_187> = {}): TrialReport {
  return {
    trial: 1,
    outcome: "failed",
    startedAt: "2026-11-30T10:00:00.000Z",
    durationMs: 5,
    result: {
      checks: [{ name: text, passed: false, diagnostic: `${text}\n${text}` }],
      claims: [{ id: `claim ${text}`, text, quote: true }],
      output: more.output ?? text,
      reference: text,
      artifacts: [{ name: text, uri: "javascript:alert(5)" }, { name: "key", uri: "file:///etc/passwd" }],
    },
    judgments: [{ claimId: `claim ${text}`, label: "contradicted", rationale: more.judge_reason ?? text, quote: (more.output ?? text).slice(0, 8), passed: false, votes: [{ judge: text, label: "contradicted", rationale: more.judge_reason ?? text }, { judge: "second", label: "contradicted", rationale: text }] }],
    scores: [{ id: text, base: text, kind: "scorer", score: 0.1, threshold: 0.5, passed: false, reason: text }],
    stdout: text,
  };
}

async function putHostile(texts: readonly { readonly id: string; readonly text: string; readonly more?: Partial<typeof CASE_187> }[]): Promise<string> {
  const runId = randomUUID();
  const invocation = { id: randomUUID(), startedAt: "2026-11-30T10:00:00.000Z", command: ["run"], cwd: "/", branch: texts[0]?.text ?? "main" };
  await store.beginInvocation(invocation);
  await store.beginRun({ runId, invocationId: invocation.id, suiteId: "<i>suite</i>", startedAt: invocation.startedAt, selected: false, strict: false, note: texts[0]?.text, scenarios: texts.map(({ id, text }, position) => ({ position, id, description: text, tags: [text], trials: 1, input: { [text]: text } })) });
  const reports: ScenarioReport[] = [];
  for (const [position, { id, text, more = {} }] of texts.entries()) {
    const trial = trialOf(text, more);
    await store.putTrial({ runId, position, trial: 1 }, trial, {
      runId: "r",
      sessionId: text,
      answer: text,
      ended: true,
      terminalPhase: "failed",
      terminalFailure: { message: more.error ?? text },
      observes: OBSERVES_EVERYTHING,
      durationMs: 50,
      confirmation: { toolCallId: "c1", toolName: more.tool_name ?? text, prompt: text, args: {}, argsJson: "{}", state: "pending" },
      toolCalls: [
        { toolCallId: "c1", toolName: more.tool_name ?? text, args: { [text]: text }, argsJson: JSON.stringify({ [text]: text }), completed: true, failure: { kind: "internal", error: { message: more.error ?? text, cause: { message: text } } }, askedMs: 5, decidedMs: 9, startedMs: 10, endedMs: 30 },
        { toolCallId: "c2", toolName: text, args: text, argsJson: text, completed: true, result: [text], resultJson: JSON.stringify([text]), bounds: { returned: 1, truncated: true, nextCursor: text, refinementHint: text } },
      ],
    });
    const report = scenarioOf(id, [text], [trial]);
    await store.putScenario(runId, position, report);
    reports.push(report);
  }
  await store.finishRun(runId, headOf(runId, reports, texts[0]?.text ?? ""));
  return runId;
}

const headOf = (runId: string, reports: readonly ScenarioReport[], text: string): ReportHead => ({ runId, suiteId: "<i>suite</i>", startedAt: "2026-11-30T10:00:00.000Z", durationMs: 50, passed: false, verdict: "failed", totals: totalsOf(reports), warnings: text === "" ? [] : [{ code: "late", message: text }], judge: { model: text || "judge", fingerprint: "f00d", calibration: { passed: true, durationMs: 1 } } });

/** What no text of others may become. */
async function madeByData(page: Page): Promise<unknown> {
  return page.evaluate(() => ({
    elements: [...document.querySelectorAll("img, iframe, object, embed, form:not(dialog form), base, main script, main style, main link, main b b, i, svg[onload], [onerror], [onclick], a[href]:not([href^='#'])")].map((each) => each.outerHTML.slice(0, 200)),
    owned: (window as unknown as { owned?: unknown }).owned ?? null,
    title: document.title.includes("owned"),
  }));
}
const NOTHING = { elements: [], owned: null, title: false };

async function openEverything(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const each of document.querySelectorAll("details")) each.open = true;
  });
  await settled(page);
  await page.evaluate(() => {
    for (const each of document.querySelectorAll("details")) each.open = true;
    for (const each of document.querySelectorAll<HTMLElement>("main button.inert, main .out-m button")) each.click();
  });
  await page.waitForTimeout(150);
}

/** The pages on which texts of others stand. */
const places = (runId: string, scenario: string): readonly string[] => {
  const path = `#/run/${runId}/${encodeURIComponent(scenario.toWellFormed())}`;
  return ["#/", `#/run/${runId}`, path, `${path}?view=raw`, `#/trends/${encodeURIComponent("<i>suite</i>")}`, "#/judge", "#/judge?view=label"];
};

test("case 187: HTML of an agent, a judge, a tool and an error is shown as its characters on every page", async () => {
  const runId = await putHostile([{ id: CASE_187.case_id, text: CASE_187.output, more: CASE_187 }]);
  const opened = await openPage(browser, served.address);
  for (const hash of places(runId, CASE_187.case_id)) {
    await opened.go(hash);
    await openEverything(opened.page);
    expect({ hash, made: await madeByData(opened.page) }).toEqual({ hash, made: NOTHING });
  }
  await opened.go(`#/run/${runId}/${encodeURIComponent(CASE_187.case_id)}`);
  await openEverything(opened.page);
  const text = await opened.page.locator("main").innerText();
  for (const each of Object.values(CASE_187)) expect(text).toContain(each);
  // A link shows where it leads and leads nowhere; what is attached is never read from a disk.
  expect(text).toContain("javascript:alert(5)");
  expect(text).toContain("file:///etc/passwd");
  expect(opened.requests.every(({ path }) => !path.startsWith("file:"))).toBe(true);
  expect(opened.errors).toEqual([]);
  await opened.close();
});

test.each([
  ["an element in Markdown", "**bold** <img src=x onerror=alert(1)> [go](javascript:alert(1)) ![p](http://tracker.test/p.png)"],
  ["an entity and a comment", "&lt;img src=x&gt; <!-- --> <![CDATA[ x ]]> <?php ?>"],
  ["a template and an attribute", "\"' onmouseover=alert(1) x=\" {{constructor.constructor('alert(1)')()}} ${alert(1)}"],
  ["letters that turn the order round", "safe \u202egnp.exe\u2066 zero\u200bwidth \u{e0041}\u{e0042} bell\u0007 esc\u001b[31m"],
  ["half a pair and a name of every object", "__proto__ constructor \ud83d toString"],
])("kind unescaped-output: %s stays text", async (_, text) => {
  const runId = await putHostile([{ id: text, text }]);
  const opened = await openPage(browser, served.address);
  // Half a pair has no address of its own; its row stands all the same.
  for (const hash of places(runId, text).slice(0, text.isWellFormed() ? 3 : 2)) {
    await opened.go(hash);
    await openEverything(opened.page);
    expect({ hash, made: await madeByData(opened.page) }).toEqual({ hash, made: NOTHING });
  }
  const shown = await opened.page.locator("main").innerText();
  const unseen = ["\u202e", "\u2066", "\u200b", "\u{e0041}", "\u0007", "\u001b"].filter((character) => text.includes(character));
  expect(unseen.filter((character) => !shown.includes(`U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`))).toEqual([]);
  expect(unseen.filter((character) => shown.includes(character))).toEqual([]);
  expect(opened.requests.every(({ path }) => !path.startsWith("http"))).toBe(true);
  expect(opened.errors).toEqual([]);
  await opened.close();
});

async function fileOf(run: HtmlRun, name: string): Promise<{ readonly address: string; readonly parts: readonly number[]; readonly text: string }> {
  const parts: string[] = [];
  for await (const part of exportHtml([run])) parts.push(part);
  const text = parts.join("");
  writeFileSync(join(folder, name), text);
  return { address: `file://${join(folder, name)}`, parts: parts.map((part) => part.length), text };
}

test("case 188: a report whose texts end a script opens from a disk without a request, and is in the file as it is", async () => {
  const scenarios = CASE_188.map((text, at) => scenarioOf(`case_${at}`, [], [trialOf(text)]));
  const report: Report = { ...headOf("r1", scenarios, "</script>"), scenarios };
  const { scenarios: _, ...head } = report;
  const { address, text } = await fileOf({ head, scenarios: () => scenarios, note: "</title><script>window.owned=1</script>" }, "188.html");
  const block = /<script type="application\/json" class="report">(.*?)<\/script>/s.exec(text)?.[1] ?? "";
  expect(JSON.parse(block)).toEqual(JSON.parse(encodeReport(report)));
  const opened = await openPage(browser, address);
  await opened.go("");
  expect(await opened.page.locator(".t-sc tr[data-href]").count()).toBe(4);
  expect(await madeByData(opened.page)).toEqual(NOTHING);
  for (const at of CASE_188.keys()) {
    await opened.go(`#/run/r1/case_${at}`);
    await openEverything(opened.page);
    expect(await madeByData(opened.page)).toEqual(NOTHING);
  }
  expect(opened.requests.map(({ path }) => path.split("#")[0]).filter((path) => path !== "" && !path?.startsWith("file:"))).toEqual([]);
  expect(opened.errors).toEqual([]);
  await opened.close();
});

test("an exported conversation has its calls, its quotes and its trials, and says that it keeps no label", async () => {
  const runId = await putHostile([{ id: "plain", text: "plain words" }]);
  const run = await store.run(runId);
  const { address } = await fileOf({ head: run?.head as ReportHead, scenarios: () => store.scenarioReports(runId), ordinal: run?.ordinal, planned: (position) => store.plannedScenario(runId, position), evidence: (position, trial) => store.evidence({ runId, position, trial }) }, "plain.html");
  const opened = await openPage(browser, address);
  await opened.go(`#/run/${runId}/plain`);
  expect(await opened.page.locator(".calls .call").count()).toBe(3);
  expect(await opened.page.locator(".calls rect").evaluateAll((bars) => bars.map((bar) => `${bar.getAttribute("class")} ${bar.getAttribute("x")} ${bar.getAttribute("width")}`))).toEqual(["b-wait 10.00% 8.00%", "b-fail 20.00% 40.00%"]);
  expect(await opened.page.locator(".asks .c-t").innerText()).toBe("4 ms");
  expect(await opened.page.locator("mark.q").count()).toBe(1);
  expect(await opened.page.locator(".nav").innerText()).not.toMatch(/Compare/);
  await opened.go("#/judge?view=label");
  expect(await opened.page.locator("[role=tab]").allInnerTexts()).toEqual(["Quality"]);
  expect(opened.errors).toEqual([]);
  await opened.close();
});

test("case 190: a run of 600 MB becomes a file of previews in parts, never one string, and the file opens", async () => {
  const output = "x".repeat(300_000);
  const scenarios = function* (): Generator<ScenarioReport> {
    for (let at = 0; at < 2000; at += 1) yield { id: `case_${at}`, outcome: "passed", passed: true, startedAt: "2026-11-30T10:00:00.000Z", durationMs: 1, result: { checks: [{ name: "c", passed: true }], output } };
  };
  const head = { ...headOf("r190", [], ""), passed: true, verdict: "passed", totals: { ...totalsOf([]), scenarios: 2000, passed: 2000 } } as const;
  const { address, parts } = await fileOf({ head, scenarios }, "190.html");
  expect(parts.reduce((sum, part) => sum + part, 0)).toBeLessThan(FILE_BYTES);
  expect(Math.max(...parts)).toBeLessThan(1_000_000);
  const opened = await openPage(browser, address);
  await opened.go("#/run/r190");
  expect(await opened.page.locator("main").innerText()).toMatch(/Texts of more than 4,096 characters are cut in this file/);
  await opened.go("#/run/r190/case_7");
  expect(await opened.page.locator(".say.agent").innerText()).toContain("(cut in this file: 300000 characters)");
  expect(opened.errors).toEqual([]);
  await opened.close();
});

test("a run of 100,000 scenarios shows its first row after a dozen small requests, and scrolling keeps few rows in the document", async () => {
  const runId = randomUUID();
  const count = 100_000;
  const big = await openStore("memory:");
  await big.beginInvocation({ id: "big", startedAt: "2026-11-30T10:00:00.000Z", command: [], cwd: "/" });
  await big.beginRun({ runId, invocationId: "big", suiteId: "big", startedAt: "2026-11-30T10:00:00.000Z", selected: false, strict: false, scenarios: Array.from({ length: count }, (_, position) => ({ position, id: `scenario_${position}`, description: "", tags: [], trials: 1 })) });
  for (let position = 0; position < count; position += 1) {
    const failed = position % 40 === 0;
    await big.putScenario(runId, position, scenarioOf(`scenario_${position}`, [], [{ trial: 1, outcome: failed ? "failed" : "passed", startedAt: "2026-11-30T10:00:00.000Z", durationMs: 3, result: { checks: [failed ? { name: "sum", passed: false, diagnostic: `expected ${position}, ${"got something else entirely ".repeat(8)}` } : { name: "sum", passed: true }] } }]));
  }
  await big.finishRun(runId, { ...headOf(runId, [], ""), suiteId: "big", totals: { ...totalsOf([]), scenarios: count, passed: count - 2500, failed: 2500 } });

  const server = await serveViewer({ store: big });
  const opened = await openPage(browser, server.address);
  const { page, requests } = opened;
  await page.goto(`${server.address}#/run/${runId}`);
  await page.waitForSelector(".t-sc tr[data-href]");
  const first = requests.filter(({ path }) => !path.includes("facts"));
  const api = first.filter(({ path }) => path.startsWith("api/") && !path.includes("events"));
  await expect.poll(() => api.every(({ bytes }) => bytes > 0)).toBe(true);
  expect(first.length).toBeLessThanOrEqual(14);
  expect(api.find(({ path }) => path === `api/runs/${runId}`)?.bytes).toBeLessThan(4_096);
  const rows = api.filter(({ path }) => path.includes("/scenarios?"));
  expect(rows.length).toBe(1);
  expect(rows[0]?.bytes).toBeLessThan(200 * 300 + 500);
  expect(first.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(400_000);

  await page.locator(".t-sc tr.g button", { hasText: "passed" }).click();
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeGreaterThan(count * 34);
  for (const share of [0.1, 0.5, 0.99, 0.02]) {
    await page.evaluate((to) => scrollTo(0, to), height * share);
    await settled(page);
    await page.waitForFunction(() => document.querySelectorAll(".t-sc tr[data-href]").length > 10);
    expect(await page.evaluate(() => document.querySelectorAll(".t-sc tr").length)).toBeLessThan(150);
  }
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.waitForSelector('.t-sc a:has-text("scenario_99999")');
  await page.keyboard.press("/");
  await page.keyboard.type("scenario_4000");
  await page.waitForFunction(() => document.querySelectorAll(".t-sc tr[data-href]").length === 11);
  expect(opened.errors).toEqual([]);
  await opened.close();
  await server.close();
  await big.close();
});

test("a call that returned 50 MB is read in pieces, and found in where it lies", async () => {
  const runId = await putHostile([{ id: "large", text: "large" }]);
  const trial = await store.trial({ runId, position: 0, trial: 1 });
  const resultJson = JSON.stringify({ log: `${"all is well. ".repeat(3_900_000)}the needle${" and more".repeat(10)}` });
  await store.putTrial({ runId, position: 0, trial: 1 }, trial as TrialReport, { runId: "r", sessionId: "s", answer: "a", ended: true, observes: OBSERVES_EVERYTHING, toolCalls: [{ toolCallId: "c1", toolName: "read_log", args: {}, argsJson: "{}", completed: true, result: null, resultJson }] });
  const opened = await openPage(browser, served.address);
  const { page, requests } = opened;
  await opened.go(`#/run/${runId}/large`);
  await page.locator(".call summary").first().click();
  expect(await page.locator(".c-sum").first().innerText()).toMatch(/^50,\d{3},\d{3} characters$/);
  await page.locator(".pieces input").first().fill("the needle");
  await page.waitForSelector(".piece mark:has-text('the needle')");
  expect(await page.locator(".pieces").first().innerText()).toMatch(/1 of 1/);
  await expect.poll(() => requests.filter(({ path }) => path.includes("/text?")).every(({ bytes }) => bytes > 0)).toBe(true);
  expect(Math.max(...requests.filter(({ path }) => path.startsWith("api/")).map(({ bytes }) => bytes))).toBeLessThan(70_000);
  expect(opened.errors).toEqual([]);
  await opened.close();
});
