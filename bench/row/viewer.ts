// Owns the rows about the viewer: its first script, and how soon a run of 100,000 scenarios and a call of 50 MB are on show in a real browser.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { openStore, type Store } from "entail/store";
import { serveViewer } from "entail/viewer";
import { buildViewer } from "../../script/build-viewer.ts";
import { OBSERVES_EVERYTHING } from "../../src/core/evidence.ts";
import type { ReportHead, TrialReport } from "../../src/core/report.ts";
import { openBrowser } from "../../test/viewer/browser.ts";
import { scenarioOf, totalsOf } from "../../test/viewer/store-of-plant.ts";
import type { Figure } from "../figure.ts";

const SCENARIOS = 100_000;
const RUN = "0193f2c8-1a2b-7c3d-8e4f-000000000001";
const AT = "2026-11-30T10:00:00.000Z";

async function fill(store: Store): Promise<void> {
  await store.beginInvocation({ id: RUN, startedAt: AT, command: [], cwd: "/" });
  await store.beginRun({ runId: RUN, invocationId: RUN, suiteId: "big", startedAt: AT, selected: false, strict: false, scenarios: Array.from({ length: SCENARIOS }, (_, position) => ({ position, id: `scenario_${position}`, description: "", tags: [], trials: 1 })) });
  const trialOf = (position: number): TrialReport => ({ trial: 1, outcome: position % 40 === 0 ? "failed" : "passed", startedAt: AT, durationMs: 3, result: { output: "done", checks: [position % 40 === 0 ? { name: "sum", passed: false, diagnostic: `expected ${position}, got something else` } : { name: "sum", passed: true }] } });
  for (let position = 0; position < SCENARIOS; position += 1) {
    const resultJson = position === 0 ? JSON.stringify({ log: "all is well. ".repeat(3_900_000) }) : '{"n":1}';
    await store.putTrial({ runId: RUN, position, trial: 1 }, trialOf(position), position > 100 ? undefined : { runId: "r", sessionId: "s", answer: "done", ended: true, observes: OBSERVES_EVERYTHING, toolCalls: [{ toolCallId: "c1", toolName: "read_log", args: {}, argsJson: "{}", completed: true, resultJson }] });
    await store.putScenario(RUN, position, scenarioOf(`scenario_${position}`, [], [trialOf(position)]));
  }
  const head: ReportHead = { runId: RUN, suiteId: "big", startedAt: AT, durationMs: 1000, passed: false, verdict: "failed", totals: { ...totalsOf([]), scenarios: SCENARIOS, passed: SCENARIOS - SCENARIOS / 40, failed: SCENARIOS / 40 } };
  await store.finishRun(RUN, head);
  await store.flush();
}

export async function* viewer(): AsyncGenerator<Figure> {
  await buildViewer();
  const assets = fileURLToPath(new URL("../../dist/viewer/app/asset/", import.meta.url));
  const first = readdirSync(assets).filter((name) => name.startsWith("base-") && name.endsWith(".js"));
  yield { name: "viewer: first script", value: first.reduce((sum, name) => sum + gzipSync(readFileSync(assets + name)).length, 0) / 1000, unit: "kB gzip", note: "all that runs and a run need" };

  const folder = mkdtempSync(join(tmpdir(), "entail-bench-viewer-"));
  const store = await openStore(join(folder, "entail.db"));
  await fill(store);
  const served = await serveViewer({ store });
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    let bytes = 0;
    let requests = 0;
    page.on("response", (response) => {
      requests += 1;
      if (!response.url().includes("events")) void response.body().then((body) => (bytes += body.length)).catch(() => undefined);
    });
    await page.goto("about:blank");
    let started = performance.now();
    await page.goto(`${served.address}#/run/${RUN}`);
    await page.waitForSelector(".t-sc tr[data-href]");
    yield { name: "viewer: first row of 100,000 scenarios", value: (performance.now() - started) / 1000, unit: "s", note: `${requests} requests, ${Math.round(bytes / 1000)} kB` };
    started = performance.now();
    await page.goto(`${served.address}#/run/${RUN}/scenario_0`);
    await page.waitForSelector(".call summary");
    await page.locator(".call summary").click();
    await page.waitForSelector(".piece");
    yield { name: "viewer: a call of 50 MB", value: (performance.now() - started) / 1000, unit: "s", note: "from the address to the first piece" };
  } finally {
    await browser.close();
    await served.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
