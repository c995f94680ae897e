// Owns a page of the viewer under test: it stands in a real browser, and keeps what it asked for and what went wrong.

import type { Browser, Page, Request } from "playwright-core";

export interface OpenedPage {
  readonly page: Page;
  /** Paths of requests, in order, with the bytes of their bodies. */
  readonly requests: { readonly path: string; bytes: number }[];
  /** Errors of scripts and of the console. */
  readonly errors: string[];
  readonly go: (hash: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
  /** What the page takes for now. */
  readonly now?: number;
}

/** What each page is still waiting for; the stream that follows a live run never ends. */
const awaited = new WeakMap<Page, Set<Request>>();

export async function openPage(browser: Browser, address: string, { width = 1280, height = 720, theme = "light", now }: PageOptions = {}): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: "reduce", timezoneId: "UTC", locale: "en-GB" });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const requests: OpenedPage["requests"] = [];
  const errors: string[] = [];
  const open = new Set<Request>();
  awaited.set(page, open);
  page.on("request", (request) => {
    if (!request.url().includes("api/events")) open.add(request);
  });
  page.on("requestfinished", (request) => void open.delete(request));
  page.on("requestfailed", (request) => void open.delete(request));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    // A page that shows that an address leads to nothing has asked for it.
    if ((message.type() === "error" || message.type() === "warning") && !/status of 404/.test(message.text())) errors.push(message.text());
  });
  page.on("response", (response) => {
    const entry = { path: response.url().replace(address, ""), bytes: 0 };
    requests.push(entry);
    if (entry.path.includes("api/events")) return;
    response.body().then(
      (body) => {
        entry.bytes = body.length;
      },
      () => undefined,
    );
  });
  if (now !== undefined) await page.clock.setFixedTime(now);
  return {
    page,
    requests,
    errors,
    async go(hash) {
      await page.goto(`${address}${hash}`);
      await page.waitForSelector("main :is(h1, h2)");
      await settled(page);
    },
    close: () => context.close(),
  };
}

/** Until nothing on it loads any more: what a key asked for has been answered, and drawn. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector("main .skel, main .row-later") === null);
  for (let quiet = 0, turns = 0; quiet < 2 && turns < 300; turns++) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    quiet = (awaited.get(page)?.size ?? 0) === 0 ? quiet + 1 : 0;
  }
}
