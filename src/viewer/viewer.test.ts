import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openStore, type Store } from "entail/store";
import { createViewer, serveViewer, type Viewer } from "entail/viewer";

const HOST = "127.0.0.1:4173";
let folder: string;
let store: Store;
let viewer: Viewer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "entail-page-"));
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>Entail</title>");
  store = await openStore("memory:");
  viewer = createViewer({ store, hosts: [HOST, "localhost:4173"], pageFolder: folder });
});

afterAll(async () => {
  viewer.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}, asked = viewer): Promise<Response> => asked.fetch(new Request(`http://${HOST}${path}`, { ...init, headers: { host: HOST, ...headers } }));

test("it answers under its own names alone, so that no other name can be made to lead to it", async () => {
  expect((await ask("/")).status).toBe(200);
  expect((await ask("/", { host: "localhost:4173" })).status).toBe(200);
  for (const host of ["evil.test", "evil.test:4173", "127.0.0.1", "127.0.0.1:4174", ""]) expect({ host, status: (await ask("/api/suites", { host })).status }).toEqual({ host, status: 421 });
});

test("a page of another origin or site may neither read nor change anything", async () => {
  const label = { method: "POST", body: "{}" };
  expect((await ask("/api/suites", { origin: "http://evil.test" })).status).toBe(403);
  expect((await ask("/api/suites", { origin: "null" })).status).toBe(403);
  expect((await ask("/api/suites", { "sec-fetch-site": "cross-site" })).status).toBe(403);
  expect((await ask("/", { "sec-fetch-site": "cross-site" })).status).toBe(200);
  expect((await ask("/api/labels", { "content-type": "application/json" }, label)).status).toBe(403);
  expect((await ask("/api/labels", { origin: `http://${HOST}`, "content-type": "text/plain" }, label)).status).toBe(400);
  expect((await ask("/api/labels", { origin: `http://${HOST}`, "content-type": "application/json" }, label)).status).toBe(400);
});

test("every answer, a refusal too, forbids scripts that are not its own, framing and guessing of types", async () => {
  for (const response of [await ask("/"), await ask("/api/suites"), await ask("/nothing"), await ask("/", { host: "evil.test" })]) {
    expect(response.headers.get("content-security-policy")).toMatch(/default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'.*frame-ancestors 'none'.*require-trusted-types-for 'script'/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("access-control-allow-origin")).toBe(null);
  }
});

test("only the files of the page are served, whatever a path asks for", async () => {
  for (const path of ["/../package.json", "/%2e%2e/package.json", "/..%2f..%2fetc/passwd", "/index.html/../../viewer.ts", "//etc/passwd", "/.%00"]) expect({ path, status: (await ask(path)).status }).toEqual({ path, status: 404 });
});

test("with a token, nothing is answered without it; the address keeps it only once", async () => {
  const guarded = createViewer({ store, hosts: [HOST], token: "secret-token", pageFolder: folder });
  expect((await ask("/", {}, {}, guarded)).status).toBe(401);
  expect((await ask("/api/suites?token=wrong", {}, {}, guarded)).status).toBe(401);
  const first = await ask("/?token=secret-token", {}, { redirect: "manual" }, guarded);
  expect({ status: first.status, location: first.headers.get("location") }).toEqual({ status: 303, location: "/" });
  const cookie = first.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
  expect((await ask("/api/suites", { cookie: cookie.split(";")[0] ?? "" }, {}, guarded)).status).toBe(200);
  guarded.close();
});

test("it listens beyond this machine only with a token, and says which port is taken", async () => {
  await expect(serveViewer({ store, host: "0.0.0.0", pageFolder: folder })).rejects.toMatchObject({ code: "option_invalid" });
  const served = await serveViewer({ store, pageFolder: folder });
  await expect(serveViewer({ store, port: served.port, pageFolder: folder })).rejects.toMatchObject({ code: "viewer_port_taken" });
  await served.close();
});

test("without its built page it says how to build it", () => {
  expect(() => createViewer({ store, hosts: [], pageFolder: join(folder, "none") })).toThrow(expect.objectContaining({ code: "viewer_not_built", message: expect.stringContaining("npm run build") as string }) as Error);
});

test("an address that leads to nothing is a 404 with a sentence, and a store that cannot be read no answer that looks like one", async () => {
  const missing = await ask("/api/runs/0193");
  expect({ status: missing.status, body: await missing.json() }).toMatchObject({ status: 404, body: { error: { code: "viewer_address_unknown", message: expect.stringContaining("no run") as string } } });
  const broken = createViewer({ store: { ...store, suiteIds: () => Promise.reject(new Error("the disk is gone")) }, hosts: [HOST], pageFolder: folder });
  const answer = await ask("/api/suites", {}, {}, broken);
  expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 500, body: { error: { code: "viewer_failed", message: "the disk is gone" } } });
  broken.close();
});
