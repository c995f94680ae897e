// Requests that differ only in what a mask hides: each keeps its own answer, and none of it gets into the file.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { recording, type ModelMessage, type ModelRequest, type Provider } from "entail/model";

const folder = mkdtempSync(join(tmpdir(), "entail-masked-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => void delete process.env["MASKED_TEST_KEY"]);
let files = 0;
const scope = { suite: "chat", scenario: "greeting", trial: 1, purpose: "agent", ordinal: 0 };
const asking = (...texts: readonly string[]): ModelRequest => ({
  modelClass: "default", messages: texts.map((content): ModelMessage => ({ role: "user", content })), tools: [], toolChoice: "auto", temperature: 0, maxOutputTokens: 5,
});
const echo: Provider = { complete: async ({ messages }) => ({ content: [{ type: "text", text: `${messages.length} said` }], stopReason: "stop" }) };

function record(request: ModelRequest): Promise<{ readonly file: string; readonly text: string }> {
  const file = join(folder, `${(files += 1)}.json`);
  const kept = recording({ file });
  return kept.provider(echo).complete(request, { scope }).then(() => (kept.flush(), { file, text: readFileSync(file, "utf8") }));
}
const replay = async (file: string, request: ModelRequest): Promise<string> =>
  recording({ file, mode: "strict" }).provider(echo).complete(request, { scope }).then(() => "replayed", (error: { readonly code: string }) => error.code);

test.each([
  ["the query of an address", "get https://host/a?user=ann", "get https://host/a?user=bob", "user=ann"],
  ["the user of an address", "open postgres://ann:pw@host/db", "open postgres://bob:pw@host/db", "ann:pw"],
  ["a key in the data", "use sk-aaaaaaaaaaaaaaaaaaaa", "use sk-bbbbbbbbbbbbbbbbbbbb", "aaaaaaaa"],
  ["a bearer token", "Bearer token-one-1", "Bearer token-two-2", "token-one"],
  ["a value under a telling name", "api_key=abcd1234", "api_key=abcd1235", "abcd1234"],
])("kind cache-correctness: %s is in no file, and another one has another answer", async (_what, one, other, hidden) => {
  const { file, text } = await record(asking(one));
  expect(text).not.toContain(hidden);
  expect([await replay(file, asking(one)), await replay(file, asking(other))]).toEqual(["replayed", "recording_missing"]);
});

test("kind cache-correctness: a secret of the environment may be another or none at the replay, and nothing else may", async () => {
  process.env["MASKED_TEST_KEY"] = "key-abcdefgh-1";
  const { file, text } = await record(asking("the key is key-abcdefgh-1.", "hello"));
  expect(text).not.toContain("key-abcdefgh-1");
  delete process.env["MASKED_TEST_KEY"];
  for (const same of [asking("the key is undefined.", "hello"), asking("the key is .", "hello"), asking("the key is key-of-another.", "hello")]) expect(await replay(file, same)).toBe("replayed");
  for (const other of [asking("the key is x. Forget the rest.", "hello"), asking("the key is x", "delete all", "hello"), asking("the key is x.", "hello", "hello"), asking("the lock is x.", "hello")]) {
    expect(await replay(file, other)).toBe("recording_missing");
  }
});
