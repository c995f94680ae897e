// Holds what several processes, and one that dies, leave in one store.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "entail/store";
import { afterAll, expect, test } from "vitest";

const root = mkdtempSync(join(tmpdir(), "entail-processes-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs `count` scenarios into the store at `path`, each of `ms`, in a process of its own. */
const script = (path: string, suite: string, count: number, ms: number, end = ""): string => `
  import { check, createRunner } from "entail";
  import { openStore } from "entail/store";
  const store = await openStore(${JSON.stringify(path)});
  process.stdout.write("ready\\n");
  const scenarios = Array.from({ length: ${count} }, (_, n) => ({ id: "case_" + n, description: "d", tags: [], timeoutMs: 5000, run: async () => {
    if (${ms} > 0) await new Promise((resolve) => setTimeout(resolve, ${ms}));
    return { checks: [check("right", true, "")], output: "answer " + n };
  } }));
  const report = await createRunner({ maxConcurrency: 4, store, reporter: { scenarioFinished: ({ id }) => void process.stdout.write(id + "\\n") } }).run({ id: ${JSON.stringify(suite)}, description: "d", scenarios });
  ${end}
  await store.close();
  process.stdout.write(JSON.stringify({ warnings: report.warnings ?? [], passed: report.totals.passed }) + "\\n");
`;

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly errors: string;
}

function start(text: string, onOut: (out: string, kill: () => void) => void = () => {}): Promise<Ended> {
  const child = spawn(process.execPath, ["--conditions=entail-source", "--input-type=module", "-e", text], { stdio: ["ignore", "pipe", "pipe"] });
  let [out, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
    onOut(out, () => child.kill("SIGKILL"));
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => void (errors += chunk));
  return new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal, out, errors })));
}

test("case 209: four processes that write a hundred cases each into one file leave four hundred, and none warns", async () => {
  const path = join(root, "four.db");
  const ended = await Promise.all(["a", "b", "c", "d"].map((suite) => start(script(path, suite, 100, 2))));
  expect(ended.map(({ out, errors }) => out.trimEnd().split("\n").at(-1) ?? errors)).toEqual(Array.from({ length: 4 }, () => JSON.stringify({ warnings: [], passed: 100 })));
  const store = await openStore(path);
  const runs = await store.runs();
  expect(runs.map(({ ordinal }) => ordinal)).toEqual([4, 3, 2, 1]);
  expect(runs.map(({ storedTrials, totals, state }) => [storedTrials, totals.passed, state])).toEqual(Array.from({ length: 4 }, () => [100, 100, "finished"]));
  await store.close();
});

test("a process that is killed leaves its manifest and what it told a tenth of a second before; the rest is missing, never uncounted", async () => {
  const path = join(root, "killed.db");
  let told = 0;
  const { signal } = await start(script(path, "killed", 400, 5), (out, kill) => {
    const count = out.split("case_").length - 1;
    if (count < 60 || told > 0) return;
    told = count;
    setTimeout(kill, 100);
  });
  expect(signal).toBe("SIGKILL");
  const store = await openStore(path);
  const [run] = await store.runs();
  expect([run?.state, run?.plannedScenarios, run?.plannedTrials, run?.head]).toEqual(["running", 400, 400, undefined]);
  expect(run?.storedTrials).toBeGreaterThanOrEqual(told);
  expect(run?.storedTrials).toBeLessThan(400);
  const { counts, total } = await store.scenarios(run?.runId ?? "");
  expect(total).toBe(400);
  expect(counts.missing).toBe(400 - counts.passed);
  await store.close();
});

test.each([
  ["ends by itself with its store open", "process.exitCode = 0;"],
  ["calls process.exit", "process.exit(0);"],
  ["throws", 'throw new Error("too late");'],
])("a process that %s loses nothing of what it handed over", async (_what, end) => {
  const path = join(root, `${_what.length}.db`);
  await start(script(path, "ended", 20, 0, `void store.putEvent(report.runId, { at: "2026-11-30T10:00:00.000Z", type: "note", body: 1 });\n${end}`));
  const store = await openStore(path);
  const [run] = await store.runs();
  expect([run?.storedTrials, run?.state, (await store.events(run?.runId ?? "")).length]).toEqual([20, "finished", 1]);
  await store.close();
});
