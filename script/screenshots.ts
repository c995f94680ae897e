// Takes the pictures of docs/viewer: each page of the viewer in both themes, on the same data each time. Run by hand: `node --conditions=entail-source script/screenshots.ts`.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openStore } from "../src/store/index.ts";
import { serveViewer } from "../src/viewer/index.ts";
import { openBrowser } from "../test/viewer/browser.ts";
import { clock, fillWithPlant, NOW } from "../test/viewer/store-of-plant.ts";
import { buildViewer } from "./build-viewer.ts";
import { smallPng } from "./small-png.ts";

const folder = fileURLToPath(new URL("../docs/viewer/", import.meta.url));
mkdirSync(folder, { recursive: true });
await buildViewer();
const store = await openStore("memory:", { now: () => clock.now });
const [browser, made] = await Promise.all([openBrowser(), fillWithPlant(store, 24, 3)]);
await store.putEvent(made.before, { at: new Date(NOW).toISOString(), type: "baseline_accepted", body: {} });
const served = await serveViewer({ store, now: () => clock.now });

const shots: readonly (readonly [name: string, hash: string, width?: number])[] = [
  ["runs", "#/"],
  ["run", `#/run/${made.chat}`],
  ["scenario", `#/run/${made.chat}/alarm_cleanup`],
  ["side-by-side", `#/run/${made.chat}/alarm_cleanup?view=side`],
  ["compare", "#/compare"],
  ["trends", "#/trends/chat"],
  ["judge", "#/judge"],
  ["label", "#/judge?view=label"],
  ["scenario-phone", `#/run/${made.chat}/alarm_cleanup`, 390],
];
for (const theme of ["light", "dark"] as const) {
  for (const [name, hash, width = 1280] of shots) {
    const page = await browser.newPage({ viewport: { width, height: width === 390 ? 844 : 720 }, colorScheme: theme, timezoneId: "UTC", locale: "en-GB", reducedMotion: "reduce" });
    await page.clock.setFixedTime(NOW);
    await page.goto(served.address + hash);
    await page.waitForSelector("main h1, main h2");
    // The count of judgments that wait comes a moment later.
    await page.waitForSelector(".nav .pill");
    await page.waitForTimeout(300);
    writeFileSync(`${folder}${name}-${theme}.png`, smallPng(await page.screenshot()));
    await page.close();
  }
}
await browser.close();
await served.close();
await store.close();
