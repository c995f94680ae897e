// Proves with the real command what `--record`, `--replay`, `--max-cost`, `--max-tokens` and `gateway` do.
import { createJudge } from "entail/judge";
import { createClient, remoteProvider } from "entail/model";
import { expect, test } from "vitest";
import { createProject, evalFile, type Ran } from "./project.ts";

interface WireReport {
  readonly passed: boolean;
  readonly error_code?: string;
  readonly usage?: { readonly subject?: { readonly cost?: number } };
  readonly warnings?: readonly { readonly code: string; readonly message: string }[];
  readonly scenarios: readonly { readonly id: string; readonly outcome: string; readonly error_code?: string; readonly error?: string; readonly result?: { readonly output?: string } }[];
}
const reportOf = ({ stdout }: Ran): WireReport => JSON.parse(stdout) as WireReport;

const MODEL = `import { recording } from "entail/model";
import { appendFileSync } from "node:fs";
export const all = recording({ file: "evals/chat.recording.json" });
export const model = all.provider({
  async complete() {
    appendFileSync("asked.txt", "x");
    return { content: [{ type: "text", text: "number " + Math.random() + " " + (process.env.CHAT_TOKEN ?? "") }], stopReason: "stop" };
  },
});
export const ask = async (prompt) => (await model.complete({ modelClass: "default", messages: [{ role: "user", content: prompt }], tools: [], toolChoice: "auto", temperature: 0, maxOutputTokens: 9 }, {})).content[0].text;
`;
const EVAL = (prompt: string): string =>
  evalFile("chat", `...["one", "two", "three"].map((id) => scenario(id, async () => ({ ...pass(), output: await ask("${prompt}") })))`, "maxConcurrency: 3, trials: 2", 'import { ask } from "./model.ts";');
const outputs = (ran: Ran): readonly unknown[] => reportOf(ran).scenarios.map(({ result }) => result?.output);

test("--record asks and keeps, --replay answers without one call, and a changed prompt is exit 3 and names the nearest recording", async () => {
  const project = createProject({ "evals/model.ts": MODEL, "evals/chat.eval.ts": EVAL("What is the weather?") });
  const missing = await project.entail(["run", "--replay"]);
  expect([missing.code, reportOf(missing).scenarios.map(({ error_code }) => error_code)]).toEqual([3, ["recording_missing", "recording_missing", "recording_missing"]]);
  const secret = { CHAT_TOKEN: "abcd-efgh-ijkl" };
  const recorded = await project.entail(["run", "--record"], { env: secret });
  expect([recorded.code, project.read("asked.txt")]).toEqual([0, "xxxxxx"]);
  expect(project.read("evals/chat.recording.json")).not.toContain("abcd-efgh");
  const first = outputs(recorded);
  expect(new Set(first).size).toBe(3);
  const replayed = await project.entail(["run", "--replay"]);
  expect([replayed.code, replayed.stderr.includes("left open")]).toEqual([0, false]);
  expect(replayed.stderr).toContain("6 answers came from evals/chat.recording.json and not from a model or a tool");
  expect(recorded.stderr).not.toContain("came from");
  expect(outputs(replayed)).toEqual(first);
  // Without a flag what is recorded is replayed too.
  expect(outputs(await project.entail(["run"]))).toEqual(first);
  expect(project.read("asked.txt")).toBe("xxxxxx");
  project.write({ "evals/chat.eval.ts": EVAL("What is the time?") });
  const changed = await project.entail(["run", "--replay"]);
  expect(changed.code).toBe(3);
  expect(reportOf(changed).scenarios[0]).toMatchObject({ outcome: "errored", error_code: "recording_missing", error: expect.stringContaining('messages[0].content: "What is the weather?" was recorded, "What is the time?" was asked') });
  expect(changed.stderr).toContain("--record");
  const both = await project.entail(["run", "--record", "--replay"]);
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("give one of them")]);
});

const COSTS = (suite: string): string => evalFile(suite, '...[1, 2, 3, 4].map((at) => scenario("s_" + at, () => ({ ...pass(), usage: { inputTokens: 100, outputTokens: 50, cost: 0.1 } })))', "maxConcurrency: 1");

test("--max-cost stops all suites of the command together: the rest is cancelled and the exit code is 3; --max-tokens likewise", async () => {
  const project = createProject({ "evals/one.eval.ts": COSTS("one") });
  const stopped = await project.entail(["run", "--max-cost", "0.2"]);
  const report = reportOf(stopped);
  expect([stopped.code, report.error_code, report.scenarios.map(({ outcome }) => outcome)]).toEqual([3, "budget_reached", ["passed", "passed", "cancelled", "cancelled"]]);
  expect(report.usage?.subject?.cost).toBeCloseTo(0.2, 9);
  expect(stopped.stderr).toContain("$0.20");
  const tokens = await project.entail(["run", "--max-tokens", "400"]);
  expect([tokens.code, reportOf(tokens).scenarios.map(({ outcome }) => outcome)]).toEqual([3, ["passed", "passed", "passed", "cancelled"]]);

  project.write({ "evals/two.eval.ts": COSTS("two") });
  const { code, stdout } = await project.entail(["run", "--max-cost", "0.5", "--max-concurrency", "1"]);
  const { reports } = JSON.parse(stdout) as { reports: readonly WireReport[] };
  const all = reports.flatMap(({ scenarios }) => scenarios.map(({ outcome }) => outcome));
  expect([code, all.filter((outcome) => outcome === "passed").length, all.filter((outcome) => outcome === "cancelled").length]).toEqual([3, 5, 3]);
});

test("gateway serves the provider of a file with the token of its variable, until it is interrupted", async () => {
  const project = createProject({ "provider.ts": `import { judgeAnswer } from "entail/testing";\nexport default { complete: async (request: any) => judgeAnswer(request, () => "entailed") };\n` });
  let asked: Promise<unknown> | undefined;
  const ran = await project.entail(["gateway", "provider.ts", "--port", "0"], {
    env: { ENTAIL_GATEWAY_TOKEN: "a-token-of-the-test" },
    onStderr(text, kill) {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
      if (url === undefined || asked !== undefined) return;
      const judge = createJudge(createClient(remoteProvider({ url, token: "a-token-of-the-test" })), { maxOutputTokens: 500 });
      asked = judge.judge({ output: "It is so.", claims: [{ id: "so", text: "It is so." }], reference: "" }).finally(() => kill("SIGINT"));
    },
  });
  expect(await asked).toMatchObject([{ claimId: "so", label: "entailed" }]);
  expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining("a-token")]);

  project.write({ "empty.ts": "export default {};\n" });
  const empty = await project.entail(["gateway", "empty.ts"]);
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining("empty.ts has no provider")]);
});

