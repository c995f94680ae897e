// Holds the viewer in a real browser: every page by its keys, for everybody's eyes, in both themes, on a phone, and with nothing of others ever more than text.
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { openStore, type Store } from "entail/store";
import { OBSERVES_EVERYTHING } from "entail/evidence";
import { serveViewer, type ServedViewer } from "entail/viewer";
import { buildViewer } from "../../script/build-viewer.ts";
import { root } from "../source.ts";
import { openBrowser } from "./browser.ts";
import { type OpenedPage, openPage, type PageOptions, settled } from "./opened-page.ts";
import { clock, fillWithPlant, NOW, putRun, scenarioOf, totalsOf } from "./store-of-plant.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let browser: Browser;
let store: Store;
let served: ServedViewer;
let made: Awaited<ReturnType<typeof fillWithPlant>>;
const opened: OpenedPage[] = [];

beforeAll(async () => {
  await buildViewer();
  store = await openStore("memory:", { now: () => clock.now });
  [browser, made] = await Promise.all([openBrowser(), fillWithPlant(store, 8)]);
  await store.putEvent(made.before, { at: new Date(NOW).toISOString(), type: "baseline_accepted", body: {} });
  served = await serveViewer({ store, now: () => clock.now });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await served?.close();
  await store?.close();
});

afterEach(async () => {
  const pages = opened.splice(0);
  const errors = pages.flatMap((each) => each.errors);
  await Promise.all(pages.map((each) => each.close()));
  if (errors.length > 0) throw new Error(`the page had errors: ${errors.join("; ")}`);
});

async function view(hash: string, options: PageOptions = {}): Promise<OpenedPage> {
  const page = await openPage(browser, served.address, { now: NOW, ...options });
  opened.push(page);
  await page.go(hash);
  return page;
}

const run = (): string => `#/run/${made.chat}`;

/** Every page, in states that matter. */
const pages = (): Readonly<Record<string, string>> => ({
  runs: "#/",
  run: run(),
  "a run that broke": `#/run/${made.broken}`,
  "a run that stopped": `#/run/${made.stopped}`,
  "a run that goes on": `#/run/${made.live}`,
  conversation: `${run()}/alarm_cleanup`,
  answer: `${run()}/threshold_explain`,
  errored: `${run()}/weather_outage`,
  "side by side": `${run()}/alarm_cleanup?view=side`,
  raw: `${run()}/threshold_explain?view=raw`,
  compare: `#/compare/${made.before}..${made.chat}`,
  trends: "#/trends/chat",
  judge: "#/judge",
  labelling: "#/judge?view=label",
  nothing: "#/run/0000",
});

test("the first screen of runs says which suite got worse, against what, and how sure that is", async () => {
  const { page } = await view("#/");
  const chat = await page.locator(".t-suites tr", { hasText: "chat" }).first().innerText();
  expect(chat).toMatch(/failed/);
  expect(chat).toMatch(/\d+\.\d%\s+\d+\.\d to \d+\.\d/);
  expect(chat).toMatch(/regressed/);
  expect(chat).toMatch(/\d+ got worse/);
  expect(await page.locator(".t-runs tbody tr").count()).toBe((await store.runs()).length);
  expect(await page.locator(".t-runs tr", { hasText: "triage" }).first().innerText()).toMatch(/24 of 36\s+trials/);
  expect(await page.locator(".t-runs tr", { hasText: "#" }).filter({ hasText: "prompt-v13" }).innerText()).toMatch(/incomplete, 39 of 120 trials stored/);
});

test("a run is walked by keys alone, from the list to the reason and on to the next", async () => {
  const { page } = await view("#/");
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
    await settled(page);
  };
  await press("j", "j");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^chat #/);
  await press("Enter");
  await page.waitForURL(`**/${run()}`);
  await page.waitForSelector(".t-sc a");
  await press("j");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("alarm_cleanup");
  await press(" ");
  expect(await page.locator(".peek").innerText()).toMatch(/Said[\s\S]*all three stale alarms are gone/);
  await press("j");
  expect(await page.locator(".peek h2").innerText()).toBe("alarm_inventory_paged");
  await press("Escape", "f");
  expect(page.url()).toMatch(/outcome=failed,errored,scored/);
  await press("f", "k", "Enter");
  await page.waitForSelector("h1 code");
  expect(await page.locator("h1").innerText()).toBe("alarm_cleanup");
  await page.waitForSelector(".why li");
  expect(await page.locator(".why").innerText()).toMatch(/Turn 3\s+contradicted\s+reports_failed_delete/);
  await press("n");
  expect(await page.evaluate(() => document.activeElement?.closest("[data-problem]")?.getAttribute("data-claim"))).toBe("reports_failed_delete");
  await press("1");
  await page.waitForSelector('[role=tab][aria-selected=true]:has-text("Trial 1")');
  await press("s");
  expect(await page.locator("#view h2").first().innerText()).toMatch(/^\d+ of \d+ differ between the trials$/);
  await press("r");
  expect(await page.locator("#view .json").innerText()).toMatch(/outcome/);
  await press("r", "j");
  await page.waitForSelector('h1:has-text("alarm_inventory_paged")');
  await press("Escape");
  await page.waitForSelector(".t-sc");
  await press("g", "c");
  await page.waitForSelector("h1:has-text('Compare')");
  await press("g", "t");
  await page.waitForSelector("h1:has-text('Trends')");
  await press("g", "j");
  await page.waitForSelector("h1:has-text('Judge')");
  await press("Shift+D");
  expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
  await press("?");
  expect(await page.locator("dialog h2").innerText()).toBe("Keys");
  await press("Escape");
  await page.waitForFunction(() => document.querySelector("dialog") === null);
  await press("Control+k");
  await page.waitForSelector(".pal input:focus");
  await page.keyboard.type("trends of tools");
  await page.waitForSelector('[role=option][aria-selected=true]:has-text("Trends of tools")');
  await press("Enter");
  await page.waitForURL("**/#/trends/tools");
  await page.goBack();
  await page.waitForSelector("h1:has-text('Judge')");
});

test("calls stand on their turn's clock: side by side, one within another, waiting for somebody; nothing moves while they come", async () => {
  const { page, go } = await view(`${run()}/alarm_cleanup?trial=2`);
  const shifted = await page.evaluate(() => new Promise<number>((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0))).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(0), 50);
  }));
  expect(shifted).toBeLessThan(0.02);
  await go(`${run()}/alarm_cleanup?trial=2&call=call_5`);
  const turns = page.locator(".turn");
  const bars = (at: number): Promise<readonly (readonly [name: string, bars: string, seconds: string])[]> =>
    turns.nth(at).locator(".calls li").evaluateAll((rows) => rows.map((row) => [row.querySelector(".c-name, .c-say")?.textContent ?? "", [...row.querySelectorAll("rect")].map((bar) => `${bar.getAttribute("class")} ${Math.round(Number.parseFloat(bar.getAttribute("x") ?? ""))}+${Math.round(Number.parseFloat(bar.getAttribute("width") ?? ""))}`).join(" "), row.querySelector(".c-t")?.textContent ?? ""] as const));
  expect(await bars(1)).toEqual([
    ["model", "b-model 0+12 b-model 79+21", "1.90 s"],
    ["get_asset", "b-call 12+5", "0.30 s"],
    ["ask_maintenance", "b-sub 12+67", "3.90 s"],
    ["search_work_orders", "b-call 19+14", "0.80 s"],
    ["read_note", "b-fail 19+46", "2.65 s"],
  ]);
  expect(await bars(2)).toEqual([
    ["model", "b-model 0+13 b-model 20+12 b-model 71+29", "2.50 s"],
    ["list_alarms", "b-call 13+7", "0.35 s"],
    ["asks “Delete 3 alarms on line 3?” approved by the turn’s policy", "", "0.80 s"],
    ["delete_alarms", "b-wait 32+17 b-call 49+22", "1.05 s"],
  ]);
  // What the judges of a panel said, each with its mark and its words.
  await turns.nth(1).locator(".claim > summary").click();
  expect(await turns.nth(1).locator(".cl-l .strip").getAttribute("aria-label")).toBe("panel: example-judge-2026-09 not addressed, second-judge-1 not addressed, third-judge-4 not addressed");
  expect(await turns.nth(1).locator(".votes li").allInnerTexts()).toEqual(["example-judge-2026-09", "second-judge-1", "third-judge-4"].map((judge) => `${judge} No date is given.`));
  // The call that the address names is open.
  expect(await turns.nth(1).locator(".call > details[open]").innerText()).toMatch(/timeout[\s\S]*no answer within 5 s/);
  // The trials stay above while the turns go by.
  expect(await page.evaluate(() => (scrollTo(0, 700), document.querySelector(".tabs")?.getBoundingClientRect().top))).toBe(48);
  const phone = await view(`${run()}/alarm_cleanup?trial=2&call=call_5`, { width: 390, height: 844 });
  const row = phone.page.locator(".call", { hasText: "read_note" }).last();
  expect([await row.locator(".tb").isVisible(), await row.locator(".c-t").isVisible(), await row.locator(".c-t").innerText()]).toEqual([false, true, "2.65 s"]);
});

test("a confirmation that was rejected, and one that the run was to stop at, stand in their turns; calls without times are a list", async () => {
  const runId = randomUUID();
  const planned = { position: 0, id: "asks", description: "", tags: [], trials: 1, input: "a" };
  const asked = (state: "denied" | "pending", policy?: "reject" | "expect") => ({ toolName: "remove", prompt: "Remove it?", state, ...(policy !== undefined && { policy }) });
  const turn = (at: number, confirmation: ReturnType<typeof asked>, toolCalls = 0) => ({ turn: at, outcome: "passed", durationMs: 1_000, input: "a", output: "b", toolCalls, confirmation }) as const;
  const trial = { trial: 1, outcome: "passed", startedAt: new Date(NOW).toISOString(), durationMs: 3_000, result: { checks: [{ name: "ok", passed: true }] }, turns: [{ ...turn(0, asked("denied", "reject"), 1), played: true }, turn(1, asked("pending", "expect")), turn(2, asked("pending"))] } as const;
  await store.beginInvocation({ id: runId, startedAt: trial.startedAt, command: ["run"], cwd: "/" });
  await store.beginRun({ runId, invocationId: runId, suiteId: "asking", startedAt: trial.startedAt, exportIndex: 0, selected: false, strict: false, scenarios: [planned] });
  await store.putTrial({ runId, position: 0, trial: 1 }, trial, { runId: "r", sessionId: "s", answer: "b", ended: true, observes: OBSERVES_EVERYTHING, toolCalls: [{ toolCallId: "c", toolName: "look", args: {}, argsJson: "{}", completed: true }] });
  await store.putScenario(runId, 0, scenarioOf("asks", [], [trial]));
  await store.finishRun(runId, { runId, suiteId: "asking", startedAt: trial.startedAt, durationMs: 3_000, passed: true, verdict: "passed", totals: totalsOf([{ outcome: "passed" }]) });
  const { page } = await view(`#/run/${runId}/asks`);
  expect(await page.locator(".calls li").allInnerTexts().then((rows) => rows.map((row) => row.replaceAll(/\s+/g, " ").trim()))).toEqual(["look nothing came back", "asks “Remove it?” rejected by the turn’s policy", "asks “Remove it?” stopped here as expected", "asks “Remove it?” stopped here"]);
  expect(await page.locator(".calls.timed, .calls svg.tb").count()).toBe(0);
  expect(await page.locator(".say.user .who").allInnerTexts().then((words) => words.map((word) => word.replaceAll(/\s+/g, "")))).toEqual(["userplayed", "user", "user"]);
  await store.removeRuns([runId]);
});

test("what a key does a button does too, and each is reached by Tab in the order in which it stands", async () => {
  for (const [name, hash] of Object.entries(pages())) {
    const { page } = await view(hash);
    const expected = await page.evaluate(() => [...document.querySelectorAll<HTMLElement>("a[href], button:not([disabled]), input, select, summary, [tabindex='0']")].filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.closest("[inert]") === null).length);
    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      const seen = new Set<Element>();
      (window as unknown as { seen: Set<Element> }).seen = seen;
      document.addEventListener("focusin", (event) => seen.add(event.target as Element));
    });
    // The browser keeps the order of presses that nobody waits for one by one.
    await Promise.all(Array.from({ length: expected + 2 }, () => page.keyboard.press("Tab")));
    const reached = await page.evaluate(() => [...(window as unknown as { seen: Set<Element> }).seen].length);
    expect({ name, reached }).toEqual({ name, reached: expected });
    const unnamed = await page.evaluate(() => [...document.querySelectorAll<HTMLElement>("a[href], button")].filter((each) => (each.getAttribute("aria-label") ?? each.textContent).trim() === "").length);
    expect({ name, unnamed }).toEqual({ name, unnamed: 0 });
    await opened.pop()?.close();
  }
});

test.each(["light", "dark"] as const)("axe finds nothing on any page in the %s theme", async (theme) => {
  const found: Record<string, readonly string[]> = {};
  const { page, go } = await view("#/", { theme });
  await page.evaluate(axe);
  for (const [name, hash] of Object.entries(pages())) {
    await go(hash);
    if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
    found[name] = await page.evaluate(async () => {
      const { violations } = await (window as unknown as { axe: { run(options: unknown): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }).axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(" | ")}`);
    });
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(pages()).map((name) => [name, []])));
});

test("at 390 pixels no page scrolls sideways, nor at 1280", async () => {
  for (const width of [390, 1280]) {
    const { page, go } = await view("#/", { width, height: 844 });
    for (const [name, hash] of Object.entries(pages())) {
      await go(hash);
      expect({ name, width, over: await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth) }).toEqual({ name, width, over: 0 });
    }
  }
});

test("a judgment is labelled with one key; the judge's own label is told only then, and taken back by one more", async () => {
  const { page } = await view("#/judge?view=label");
  const claim = await page.locator(".q-claim").innerText();
  expect(await page.locator(".lab").innerText()).not.toMatch(/the judge said/);
  expect(await page.content()).not.toMatch(/It says so in so many words|data-judge/);
  await page.keyboard.press("m");
  await page.waitForSelector("input[aria-label=Note]:focus");
  await page.keyboard.type("reads the same to me");
  await page.keyboard.press("Enter");
  await page.keyboard.press("2");
  await page.waitForSelector("[data-told]:has-text('you said contradicted, the judge said')");
  const [label, ...others] = await store.labels();
  expect(others).toEqual([]);
  expect(label).toMatchObject({ label: "contradicted", note: "reads the same to me", claim: { text: claim }, judged: { fingerprint: "7f3a91c05be24d10" } });
  expect(label?.output).not.toBe("");
  expect(await page.locator(".q-claim").innerText()).not.toBe("");
  await page.keyboard.press("u");
  await page.waitForSelector("[data-told]:has-text('Taken back.')");
  expect(await store.labels()).toEqual([]);
  await page.waitForFunction((text) => document.querySelector(".q-claim")?.textContent === text, claim);
});

test("labels that were given make the judge's quality", async () => {
  const { page, go } = await view("#/judge?view=label");
  for (const key of ["1", "2", "1"]) {
    const before = (await store.labels()).length;
    await page.keyboard.press(key);
    await expect.poll(async () => (await store.labels()).length).toBe(before + 1);
    await page.waitForFunction((n) => document.querySelector(".lab-s h2")?.textContent?.startsWith(String(n)), before + 1);
  }
  await go("#/judge");
  expect(await page.locator(".facts-j").innerText()).toMatch(/86\.6%[\s\S]*κ 0\.80/);
  for (const { id } of await store.labels()) await store.removeLabel(id);
});

test("two runs are marked and compared: flips first, the words that differ, and the interval", async () => {
  const { page } = await view("#/?suite=chat");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("c");
  await page.waitForSelector(".verdict");
  expect(await page.locator(".verdict").innerText()).toBe("Regressed");
  expect(await page.locator(".v-say").innerText()).toMatch(/\d+ got worse[\s\S]*with 95% confidence/);
  expect(await page.locator(".plot").getAttribute("aria-label")).toMatch(/All, \d+ pairs, −\d/);
  await page.waitForSelector(".fl[open] del");
  const first = page.locator(".fl[open]").first();
  expect(await first.locator("summary").innerText()).toMatch(/alarm_cleanup\s+passed\s+failed/);
  expect(await first.locator("del").allInnerTexts()).toContain("ten");
  expect(await first.locator("ins").allInnerTexts()).toContain("nine");
  expect(await first.locator(".fl-c").innerText()).toMatch(/claim\s+reports_failed_delete\s+entailed 3 of 3\s+contradicted 2 of 3/);
});

test("a run is followed as it goes on; what is read does not move, new results wait behind a button", async () => {
  const runId = randomUUID();
  await putRun(store, { suite: "triage", runId, at: new Date(NOW - 60_000).toISOString(), branch: "main", seed: 4, stopAfter: 5, trials: 1 });
  clock.now = NOW;
  const { page } = await view(`#/run/${runId}`);
  expect(await page.locator(".verdict").innerText()).toBe("Running");
  const rows = page.locator(".t-sc tr[data-href]");
  const shown = await rows.count();
  await page.locator(".t-sc tr.g button", { hasText: "passed" }).click();
  await settled(page);
  const before = await rows.count();
  const put = async (position: number): Promise<void> => {
    const planned = await store.plannedScenario(runId, position);
    const trial = { trial: 1, outcome: "failed", startedAt: new Date(NOW).toISOString(), durationMs: 12, result: { checks: [{ name: "late", passed: false, diagnostic: "it came late" }], output: "late" } } as const;
    await store.putTrial({ runId, position, trial: 1 }, trial);
    await store.putScenario(runId, position, scenarioOf(planned?.id ?? "", [], [trial]));
  };
  await put(5);
  await page.waitForFunction((n) => document.querySelectorAll(".t-sc tr[data-href]").length === n, before + 1);
  expect(await page.locator(".band-v p").innerText()).toMatch(/^6 of 12 trials done/);
  await page.keyboard.press("j");
  await put(6);
  await page.waitForSelector(".new-rows button");
  expect(await page.locator(".new-rows").innerText()).toMatch(/1 new result/);
  expect(await rows.count()).toBe(before + 1);
  await page.locator(".new-rows button").click();
  await page.waitForFunction((n) => document.querySelectorAll(".t-sc tr[data-href]").length === n, before + 2);
  expect(shown).toBeGreaterThan(0);
  await store.finishRun(runId, { runId, suiteId: "triage", startedAt: new Date(NOW - 60_000).toISOString(), durationMs: 60_000, passed: false, verdict: "failed", totals: totalsOf([{ outcome: "failed" }, { outcome: "failed" }]) });
  await page.waitForSelector(".verdict:has-text('Failed')");
  await store.removeRuns([runId]);
});

test("when the server goes away the page says since when, keeps what it shows, and finds it again", async () => {
  const own = await serveViewer({ store, now: () => clock.now });
  const page = await openPage(browser, own.address);
  await page.go(`#/run/${made.chat}`);
  await own.close();
  await page.page.waitForSelector(".lost");
  expect(await page.page.locator(".lost").innerText()).toMatch(/Not connected\. What you see is from \d\d:\d\d:\d\d/);
  expect(await page.page.locator(".verdict").innerText()).toBe("Failed");
  const again = await serveViewer({ store, port: own.port, now: () => clock.now });
  await page.page.waitForFunction(() => document.querySelector(".lost") === null, undefined, { timeout: 15_000 });
  await page.close();
  await again.close();
});

test("what the real command runs is followed, from another process, in what the real command shows, and what it writes opens", async () => {
  const folder = mkdtempSync(join(tmpdir(), "entail-view-"));
  const main = join(root, "src/cli/main.ts");
  const node = (args: readonly string[]): ChildProcess => spawn(process.execPath, ["--conditions=entail-source", main, ...args, "--store", join(folder, "entail.db")], { cwd: root, env: { ...process.env, CI: "1" }, stdio: ["ignore", "pipe", "ignore"] });
  try {
    const viewer = node(["view", "--no-open"]);
    const address = await new Promise<string>((resolve) => viewer.stdout?.once("data", (text: Buffer) => resolve(text.toString().trim())));
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const page = await openPage(browser, address);
    await page.go("#/");
    expect(await page.page.locator("main").innerText()).toMatch(/npx entail run/);
    await page.page.evaluate(() => Object.assign(window, { same: true }));
    const ran = node(["run", "examples/refunds/refunds.eval.ts", "--reporter", "none"]);
    ran.stdout?.resume();
    await new Promise((resolve) => ran.on("exit", resolve));
    await page.page.waitForSelector(".t-runs .oc:has-text('passed'), .t-runs .oc:has-text('failed')");
    expect(await page.page.evaluate(() => "same" in window)).toBe(true);
    await page.page.locator(".t-runs a").first().click();
    await page.page.waitForSelector(".t-sc a");
    await page.page.locator(".t-sc a").first().click();
    await page.page.waitForSelector(".say.agent");
    expect(await page.page.locator("main").innerText()).toMatch(/Answer|Turn 1/);
    expect(page.errors).toEqual([]);
    await page.close();
    const ended = new Promise((resolve) => viewer.on("exit", (code) => resolve(code)));
    viewer.kill("SIGINT");
    expect(await ended).toBe(0);
    const file = join(folder, "run.html");
    const exported = node(["export", "html", "last", "--output", file]);
    await new Promise((resolve) => exported.on("exit", resolve));
    const opened = await openPage(browser, `file://${file}`);
    await opened.go("");
    expect(await opened.page.locator(".t-sc a").count()).toBeGreaterThan(0);
    expect(opened.errors).toEqual([]);
    await opened.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
