// Proves with the real command what becomes of a run when it is interrupted, blocked, left open or torn at from outside.
import { expect, test } from "vitest";
import { createProject, evalFile, type Ran } from "./project.ts";

interface WireReport {
  readonly passed: boolean;
  readonly error?: string;
  readonly error_code?: string;
  readonly warnings?: readonly { readonly code: string; readonly message: string; readonly scenario?: string }[];
  readonly scenarios: readonly { readonly id: string; readonly outcome: string; readonly error?: string; readonly error_code?: string; readonly stdout?: string }[];
}

const reportOf = ({ stdout }: Ran): WireReport => JSON.parse(stdout) as WireReport;
const outcomes = (report: WireReport): Record<string, string> => Object.fromEntries(report.scenarios.map(({ id, outcome }) => [id, outcome]));

/** Sends a signal once the run has said that it got so far. */
const whenSaid = (said: string, signal: NodeJS.Signals, times = 1): { onStderr: (text: string, kill: (signal: NodeJS.Signals) => void) => void } => {
  let sent = 0;
  return {
    onStderr(text, kill) {
      if (sent === 0 && text.includes(said)) {
        sent = 1;
        kill(signal);
        for (let more = 1; more < times; more++) setTimeout(() => kill(signal), 150 * more);
      }
    },
  };
};

const TEN = evalFile(
  "ten",
  `...Array.from({ length: 10 }, (_, at) => scenario("s_" + at, async (ctx) => {
    if (at === 7) console.error("SEVEN");
    await new Promise((resolve, reject) => { const timer = setTimeout(resolve, at < 7 ? 30 : 4000); ctx.signal.addEventListener("abort", () => { clearTimeout(timer); reject(ctx.signal.reason); }); });
    return pass();
  }))`,
  `maxConcurrency: 2, afterEach: () => console.error("AFTER_EACH"), afterAll: () => console.error("AFTER_ALL")`,
);

test("case 166: an interrupt leaves a valid report of what finished, cancels the rest, tears down and exits with 130", async () => {
  const ran = await createProject({ "ten.eval.ts": TEN }).entail(["run"], whenSaid("SEVEN", "SIGINT"));
  expect(ran.code).toBe(130);
  const report = reportOf(ran);
  expect(report.passed).toBe(false);
  expect(JSON.stringify(report)).toContain("interrupted (SIGINT)");
  expect(report.scenarios.filter(({ outcome }) => outcome === "passed").length).toBeGreaterThanOrEqual(6);
  expect(report.scenarios.filter(({ outcome }) => outcome === "cancelled").length).toBeGreaterThanOrEqual(3);
  expect(ran.stderr).toContain("AFTER_EACH");
  expect(ran.stderr).toContain("AFTER_ALL");
  expect(ran.stderr).toContain("⊘ interrupted");
});

test("case 166: SIGTERM does the same with 143", async () => {
  const ran = await createProject({ "ten.eval.ts": TEN }).entail(["run"], whenSaid("SEVEN", "SIGTERM"));
  expect(ran.code).toBe(143);
  expect(JSON.stringify(reportOf(ran))).toContain("terminated (SIGTERM)");
  expect(ran.stderr).toContain("⊘ terminated");
});

test("case 167: a run that is stopped before its first scenario ends is not passed, whatever finished", async () => {
  const text = evalFile("three", `...["a", "b", "c"].map((id) => scenario(id, async () => { console.error("BEGUN"); await sleep(4000); return pass(); }))`, "maxConcurrency: 1");
  const ran = await createProject({ "three.eval.ts": text }).entail(["run"], whenSaid("BEGUN", "SIGTERM", 1));
  expect([ran.code, reportOf(ran).passed, Object.values(outcomes(reportOf(ran)))]).toEqual([143, false, ["cancelled", "cancelled", "cancelled"]]);
}, 20_000);

test("kind interrupt: a second interrupt ends the process at once, also where a hook ignores its signal", async () => {
  const text = evalFile("deaf", `scenario("a", async () => { console.error("BEGUN"); await sleep(20000); return pass(); }, { timeoutMs: 60000 })`);
  const ran = await createProject({ "deaf.eval.ts": text }).entail(["run"], whenSaid("BEGUN", "SIGINT", 2));
  expect([ran.code, ran.ms < 5_000]).toEqual([130, true]);
}, 20_000);

test("kind interrupt: a file that is run directly ends with 130 and its report too", async () => {
  const ran = await createProject({ "ten.eval.ts": TEN }).node(["ten.eval.ts"], whenSaid("SEVEN", "SIGINT"));
  expect([ran.code, reportOf(ran).passed]).toEqual([130, false]);
});

const LOOPS: Record<string, string> = {
  "after an await": `async () => { await null; while (true) {} }`,
  "in a timer": `() => new Promise(() => { setTimeout(() => { while (true) {} }, 5); })`,
  "at once, by a pattern": `() => /^(a+)+$/.test("a".repeat(60) + "b")`,
};

test("case 165: a hook that blocks the event loop for good ends the run after its deadline, told with its place, and nothing that finished is lost", async () => {
  const ended = Object.entries(LOOPS).map(async ([name, hook]) => {
    const text = evalFile("loop", `scenario("before", pass), scenario("endless", ${hook}, { timeoutMs: 200 }), scenario("other", pass)`, "maxConcurrency: 1");
    return [name, await createProject({ "loop.eval.ts": text }).entail(["run"])] as const;
  });
  for (const [name, ran] of await Promise.all(ended)) {
    const report = reportOf(ran);
    expect([name, ran.code, report.passed, outcomes(report)]).toEqual([name, 3, false, { before: "passed", endless: "errored", other: "cancelled" }]);
    expect(ran.stderr).toMatch(/warning {2}code at .*loop\.eval\.ts:7 has not given the event loop back/);
    expect(report.scenarios[1]).toMatchObject({ error_code: "deadline_exceeded", error: expect.stringMatching(/^code at .*loop\.eval\.ts:7 did not give the event loop back, and every running scenario is past its deadline$/) as string });
    expect(ran.stderr).toContain("▲ nothing concluded");
  }
}, 40_000);

test("case 165: code that only computes for too long costs its own scenario, and the run goes on", async () => {
  const text = evalFile("slow", `scenario("slow", () => { const end = Date.now() + 3000; while (Date.now() < end) {} return pass(); }, { timeoutMs: 200 }), scenario("other", async () => { await sleep(50); return pass(); })`, "maxConcurrency: 1");
  const ran = await createProject({ "slow.eval.ts": text }).entail(["run"], whenSaid("NEVER", "SIGINT"));
  expect([ran.code, outcomes(reportOf(ran))]).toEqual([3, { slow: "errored", other: "passed" }]);
}, 20_000);

test("case 165: while the event loop is blocked a second Ctrl-C ends the process at once", async () => {
  const text = evalFile("loop", `scenario("endless", () => { console.error("BEGUN"); while (true) {} }, { timeoutMs: 600000 })`);
  let sent = false;
  const ran = await createProject({ "loop.eval.ts": text }).entail(["run"], {
    onStderr(said, kill) {
      if (sent || !said.includes("BEGUN")) return;
      sent = true;
      kill("SIGINT");
      setTimeout(() => kill("SIGINT"), 4_000);
    },
  });
  expect([ran.code === 0, ran.ms < 8_000]).toEqual([false, true]);
}, 30_000);

test("kind interrupt: once a blocked event loop turns again an interrupt is heard as before", async () => {
  const text = evalFile("slow", `scenario("slow", async ({ signal }) => { const end = Date.now() + 3000; while (Date.now() < end) {} await sleep(500); console.error("BACK"); await new Promise((resolve) => signal.addEventListener("abort", resolve)); return pass(); }, { timeoutMs: 20000 })`);
  const ran = await createProject({ "slow.eval.ts": text }).entail(["run"], whenSaid("BACK", "SIGINT"));
  expect([ran.code, outcomes(reportOf(ran))]).toEqual([130, { slow: "cancelled" }]);
}, 20_000);

test("case 161: a promise that is rejected after its scenario is told with the scenario's name, charged to none, and the run goes on", async () => {
  const text = evalFile("late", `scenario("a", () => { sleep(30).then(() => { throw new Error("late boom"); }); return pass(); }), scenario("b", async () => { await sleep(120); return pass(); })`);
  const ran = await createProject({ "late.eval.ts": text }).entail(["run"]);
  expect([ran.code, outcomes(reportOf(ran))]).toEqual([0, { a: "passed", b: "passed" }]);
  expect(reportOf(ran).warnings).toEqual([{ code: "late_rejection", message: "a promise was rejected and nobody handled it: late boom", scenario: "a" }]);
  expect(ran.stderr).toContain("warning  a: a promise was rejected and nobody handled it: late boom");
});

test("kind cancellation: whatever is thrown where nobody can catch it ends no run and is told once", async () => {
  const text = evalFile(
    "loose",
    `scenario("timer", () => { setTimeout(() => { throw new Error("from a timer"); }, 10); return pass(); }),
     scenario("null", () => { Promise.reject(null); return pass(); }),
     scenario("many", () => { for (let i = 0; i < 50; i++) Promise.reject(new Error("again")); return pass(); }),
     scenario("exit", () => { process.exit(0); }),
     scenario("exit_later", async () => { setTimeout(() => process.exit(0), 5); await sleep(40); return pass(); }),
     scenario("emitter", async () => { const { EventEmitter } = await import("node:events"); queueMicrotask(() => new EventEmitter().emit("error", new Error("from an emitter"))); return pass(); }),
     scenario("code", () => { process.exitCode = 0; process.on("beforeExit", () => { process.exitCode = 0; }); return fail(); })`,
  );
  const ran = await createProject({ "loose.eval.ts": text }).entail(["run"]);
  const report = reportOf(ran);
  expect([ran.code, outcomes(report)]).toEqual([1, { timer: "passed", null: "passed", many: "passed", exit: "errored", exit_later: "passed", emitter: "passed", code: "failed" }]);
  expect(report.scenarios.find(({ id }) => id === "exit")?.error).toContain("process.exit(0) was called; only entail ends the process, so throw an error instead");
  expect(report.warnings?.map(({ message, scenario }) => `${scenario ?? "?"}: ${message.split(": ").slice(1).join(": ")}`).sort()).toEqual(["emitter: from an emitter", "exit_later: process.exit(0) was called; only entail ends the process, so throw an error instead", "many: again (50 times)", "null: null", "timer: from a timer"]);
});

test("case 169: what a hook leaves open does not keep the process alive, and is named", async () => {
  const text = evalFile("open", `scenario("a", async () => { setInterval(() => {}, 1000); const server = (await import("node:net")).createServer(); await new Promise((resolve) => server.listen(0, resolve)); return pass(); }), scenario("b", fail)`);
  const ran = await createProject({ "open.eval.ts": text }).entail(["run"]);
  expect([ran.code, ran.ms < 5_000, outcomes(reportOf(ran))]).toEqual([1, true, { a: "passed", b: "failed" }]);
  expect(ran.stderr).toMatch(/ended with handles left open: .*(Timeout.*TCPServerWrap|TCPServerWrap.*Timeout)/);
});

test("kind process-lifetime: a process with nothing left open says nothing of it", async () => {
  const ran = await createProject({ "a.eval.ts": evalFile("a", `scenario("a", pass)`) }).entail(["run"]);
  expect([ran.code, ran.stderr.includes("handles")]).toEqual([0, false]);
});

test("what user code writes to standard output is not in the report's way, and is kept with its trial", async () => {
  const text = evalFile("loud", `scenario("a", async () => { console.log("from a"); await sleep(20); process.stdout.write("more of a\\n"); return pass(); }), scenario("b", async () => { await sleep(10); console.log("from b"); return pass(); })`, "", `console.log("at load");`);
  const ran = await createProject({ "loud.eval.ts": text }).entail(["run"]);
  expect(reportOf(ran).scenarios.map(({ stdout }) => stdout)).toEqual(["from a\nmore of a\n", "from b\n"]);
  for (const said of ["at load", "from a", "from b"]) expect(ran.stderr).toContain(said);
});
