// Owns the viewer's server as a fetch handler: the page's files, the answers, the labels, the stream of changes.

import { Hono } from "hono";
import { EntailError } from "../core/error.ts";
import type { Store } from "../core/store.ts";
import { acceptedRunOf } from "./accepted-run.ts";
import { answer } from "./answer/answers.ts";
import { openContext } from "./answer/context.ts";
import { giveLabel } from "./answer/label.ts";
import { isMissing } from "./answer/missing.ts";
import { followStore } from "./follow.ts";
import { refusalOf, tokenCookie } from "./guard.ts";
import { readPageFiles } from "./page-files.ts";
import { SAFE_HEADERS } from "./policy.ts";

export interface ViewerOptions {
  readonly store: Store;
  /** The names that it answers to, with the port: `127.0.0.1:4173`. */
  readonly hosts: readonly string[];
  /** Asked of every request; for a viewer that others can reach. */
  readonly token?: string | undefined;
  /** The id of the run that is a suite's accepted baseline; the one that the store says was accepted last when absent. */
  readonly baselineOf?: ((suiteId: string) => Promise<string | undefined>) | undefined;
  /** Milliseconds since the epoch; the system's clock when absent. */
  readonly now?: (() => number) | undefined;
  /** Where the built page lies; the package's own when absent. */
  readonly pageFolder?: string | undefined;
}

export interface Viewer {
  fetch(request: Request): Promise<Response>;
  /** Ends the streams of pages that still follow. The store stays open. */
  close(): void;
}

/** No note or label is longer. */
const BODY_AT_MOST = 16_384;

/** Throws `viewer_not_built` where the page's files are missing. */
export function createViewer({ store, hosts, token, baselineOf, now = Date.now, pageFolder }: ViewerOptions): Viewer {
  const files = readPageFiles(pageFolder);
  const context = openContext({ reads: store, now, baselineOf: baselineOf ?? acceptedRunOf(store, now) });
  const followers = followStore(store);
  const app = new Hono();

  app.use(async (c, next) => {
    const refusal = refusalOf(c.req.raw, { hosts, token });
    if (refusal === undefined) await next();
    else c.res = problem(refusal.status, "refused", refusal.message);
    for (const [name, value] of Object.entries(SAFE_HEADERS)) c.res.headers.set(name, value);
  });
  app.get("/api/events", () => new Response(followers.stream(), { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } }));
  app.get("/api/*", async (c) => {
    const url = new URL(c.req.url);
    return Response.json(await answer(context, url.pathname.slice("/api/".length) + url.search), { headers: { "cache-control": "no-store" } });
  });
  app.post("/api/labels", async (c) => Response.json(await giveLabel(context, store, await bodyOf(c.req.raw))));
  app.delete("/api/labels/:id", async (c) => {
    await store.removeLabel(c.req.param("id"));
    return Response.json({ id: c.req.param("id") });
  });
  app.get("*", (c) => {
    const { pathname, searchParams } = new URL(c.req.url);
    if (token !== undefined && searchParams.has("token")) return new Response(null, { status: 303, headers: { location: "/", "set-cookie": tokenCookie(token) } });
    const file = files.get(pathname === "/" ? "/index.html" : pathname);
    if (file === undefined) return problem(404, "viewer_address_unknown", "there is no such file");
    return new Response(file.body, { headers: { "content-type": file.type, "cache-control": file.forever ? "public, max-age=31536000, immutable" : "no-cache" } });
  });
  app.notFound(() => problem(404, "viewer_address_unknown", "there is no such address"));
  app.onError((thrown) => {
    if (isMissing(thrown)) return problem(404, thrown.code, thrown.message);
    if (thrown instanceof EntailError) return problem(thrown.code === "value_invalid" ? 400 : 500, thrown.code, thrown.message);
    return problem(500, "viewer_failed", thrown.message);
  });

  return {
    fetch: async (request) => app.fetch(request),
    close() {
      followers.close();
    },
  };
}

function problem(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status });
}

async function bodyOf(request: Request): Promise<unknown> {
  if (!(request.headers.get("content-type") ?? "").startsWith("application/json")) throw new EntailError("value_invalid", "a label is sent as application/json");
  const text = await request.text();
  if (text.length > BODY_AT_MOST) throw new EntailError("value_invalid", `a label of more than ${BODY_AT_MOST} characters`);
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new EntailError("value_invalid", "a label is sent as JSON", { cause: thrown });
  }
}
