// Proves with the real command that a run which was killed or interrupted goes on, and that nothing that was stored runs twice.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore, type Store } from "entail/store";
import { createProject, evalFile, type Project, type Ran } from "./project.ts";

/** Times and ids are another's each time; everything else has to be the same. */
function withoutTimes(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) => (["started_at", "duration", "duration_ms", "measures", "run_id", "threadId", "resourceId"].includes(name) ? undefined : value));
}

const linesOf = (project: Project, file = "log.txt"): readonly string[] => {
  try {
    return readFileSync(join(project.path, file), "utf8").split("\n").slice(0, -1);
  } catch {
    return [];
  }
};

async function reading<Value>(project: Project, read: (store: Store) => Promise<Value>): Promise<Value> {
  const store = await openStore(join(project.path, ".entail", "entail.db"));
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}

const outcomes = (ran: Ran): Record<string, string> => Object.fromEntries((JSON.parse(ran.stdout) as { readonly scenarios: readonly { readonly id: string; readonly outcome: string }[] }).scenarios.map(({ id, outcome }) => [id, outcome]));

/** Writes a line, safe on the disk, each time a trial is executed. */
const LOGGING = `import { fsyncSync, openSync, writeSync } from "node:fs";
const log = openSync("log.txt", "a");
const ran = (ctx) => { writeSync(log, ctx.scenario + "/" + ctx.trial + "\\n"); fsyncSync(log); if (!globalThis.begun) { globalThis.begun = true; console.error("BEGUN"); } };`;

/** 100 scenarios of five trials each: most pass, some fail in one trial, some break, some miss a threshold. */
const FIVE_HUNDRED = evalFile(
  "many",
  `...Array.from({ length: 100 }, (_, at) => scenario("s_" + at, async (ctx) => {
    ran(ctx);
    await sleep(3);
    if (at % 17 === 3 && ctx.trial === 2) throw new Error("the agent is not there");
    const right = at % 7 !== 2 || ctx.trial !== 4;
    return { output: "answer " + at + " of trial " + ctx.trial, checks: [check("right", right, "wrong answer")], scores: [{ id: "close", score: at % 5 === 1 ? 0.2 : 0.9, threshold: 0.5 }], usage: { inputTokens: 10 + at, outputTokens: ctx.trial, cost: 0.001 } };
  }, at % 11 === 5 ? { trials: 5, require: { passRate: 0.6 } } : { trials: 5 }))`,
  "maxConcurrency: 2",
  LOGGING,
);

/** A generator of numbers from 0 to 1 that gives the same ones each time (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

test("a run of 500 trials that is killed at 20 moments and resumed each time has one result a trial, runs none twice once it was stored, and its report is that of a run nobody killed", async () => {
  const whole = createProject({ "many.eval.ts": FIVE_HUNDRED });
  const uninterrupted = whole.entail(["run", "--json"]);
  const project = createProject({ "many.eval.ts": FIVE_HUNDRED });
  const moment = random(412);
  const storedAt: { readonly executed: number; readonly stored: readonly string[] }[] = [];
  for (let kill = 0; kill < 20; kill++) {
    let waiting = false;
    const ran = await project.entail(kill === 0 ? ["run", "--json"] : ["resume"], {
      onStderr(said, end) {
        if (waiting || !said.includes("BEGUN")) return;
        waiting = true;
        setTimeout(() => end("SIGKILL"), moment() * 90);
      },
    });
    expect([kill, ran.signal, ran.stderr]).toEqual([kill, "SIGKILL", expect.stringContaining("BEGUN")]);
    const stored: string[] = [];
    await reading(project, async (store) => {
      const [run] = await store.runs();
      expect([(await store.runs()).length, run?.state, run?.plannedTrials]).toEqual([1, "running", 500]);
      for await (const { position, report } of store.trials(run?.runId ?? "")) stored.push(`s_${position}/${report.trial}`);
    });
    storedAt.push({ executed: linesOf(project).length, stored });
  }
  const last = await project.entail(["resume"]);
  const first = await uninterrupted;
  const executed = linesOf(project);
  expect(new Set(executed).size).toBe(500);
  for (const { executed: before, stored } of storedAt) {
    const kept = new Set(stored);
    expect(executed.slice(before).filter((line) => kept.has(line))).toEqual([]);
  }
  // It got on, and was stopped in the middle of it.
  expect(storedAt.at(-1)?.stored.length).toBeGreaterThan(50);
  expect(executed.length).toBeGreaterThan(500);
  expect(last.code).toBe(first.code);
  expect(withoutTimes(last.stdout)).toEqual(withoutTimes(first.stdout));
  await reading(project, async (store) => {
    const [run, ...others] = await store.runs();
    expect([others, run?.ordinal, run?.state, run?.storedTrials, run?.totals]).toEqual([[], 1, "finished", 500, run?.head?.totals]);
  });
  expect(linesOf(whole).length).toBe(500);
}, 60_000);

/** Ends its process by a signal while the scenario of this number runs; `STOP` says which, in the environment. */
const stopping = (id: string, more = "", options = "maxConcurrency: 1"): string =>
  evalFile(
    id,
    `...["a", "b", "c", "d"].map((name) => scenario(name, async (ctx) => {
      ran(ctx);
      if (process.env.STOP === name) { await sleep(120); process.kill(process.pid, process.env.SIGNAL); await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve)); }
      if (name === "b") throw new Error("not there");
      return { checks: [check("right", name !== "c", "wrong answer")] };
    }${more}))`,
    options,
    LOGGING,
  );

const stop = (at: string, signal: NodeJS.Signals): { readonly env: Readonly<Record<string, string>> } => ({ env: { STOP: at, SIGNAL: signal } });

test("after Ctrl-C resume runs what was cancelled and not what failed or errored, under the same run; a second time there is nothing to do, and it exits as then", async () => {
  const project = createProject({ "four.eval.mjs": stopping("four") });
  const stopped = await project.entail(["run"], stop("d", "SIGINT"));
  expect([stopped.code, outcomes(stopped)]).toEqual([130, { a: "passed", b: "errored", c: "failed", d: "cancelled" }]);
  const resumed = await project.entail(["resume", "last"]);
  expect([resumed.code, outcomes(resumed)]).toEqual([1, { a: "passed", b: "errored", c: "failed", d: "passed" }]);
  expect(resumed.stderr).toContain("run #1 of four goes on: 3 results taken as they are, 1 trial to run (1 cancelled)");
  expect(linesOf(project)).toEqual(["a/1", "b/1", "c/1", "d/1", "d/1"]);
  const [before, after] = [stopped, resumed].map(({ stdout }) => JSON.parse(stdout) as { readonly run_id: string; readonly started_at: string; readonly duration: number });
  expect([after?.run_id, after?.started_at]).toEqual([before?.run_id, before?.started_at]);
  expect(after?.duration).toBeGreaterThan(before?.duration ?? 0);
  const again = await project.entail(["resume"]);
  expect([again.code, again.stdout, again.stderr]).toEqual([1, "", expect.stringContaining("there is nothing to do: run #1 came to its end")]);
  expect((await project.entail(["list", "--runs"])).stdout).toMatch(/#1 .*four/);
  expect((await project.entail(["show", "#1"])).stdout).toContain("run #1 of four goes on");
});

test("a changed input, a new scenario and a scenario that moved: what changed runs again, the rest stays with its name, and what is gone is named", async () => {
  const suite = (list: string): string => evalFile("moving", list, 'maxConcurrency: 1, subject: "v1"', `${LOGGING}\nconst of = (id, input, more) => scenario(id, async (ctx) => { ran(ctx); if (process.env.STOP === id) { await sleep(150); process.kill(process.pid, "SIGKILL"); } return { output: String(input), checks: [check("right", true, "")] }; }, { input, ...more });`);
  const project = createProject({ "moving.eval.mjs": suite(`of("a", 1), of("b", 1), of("gone", 1), of("c", 1), of("d", 1), of("e", 1)`) });
  const killed = await project.entail(["run"], stop("e", "SIGKILL"));
  expect([killed.signal, linesOf(project)]).toEqual(["SIGKILL", ["a/1", "b/1", "gone/1", "c/1", "d/1", "e/1"]]);
  project.write({ "moving.eval.mjs": suite(`of("fresh", 1), of("d", 1), of("c", 2), of("b", 1, { revision: "2" }), of("a", 1), of("e", 1)`) });
  const resumed = await project.entail(["resume", "#1"]);
  expect([resumed.code, Object.keys(outcomes(resumed))]).toEqual([0, ["fresh", "d", "c", "b", "a", "e"]]);
  expect(linesOf(project).slice(6)).toEqual(["fresh/1", "c/1", "b/1", "e/1"]);
  expect(resumed.stderr).toContain("2 results taken as they are, 4 trials to run (1 scenario changed, 1 input changed, 1 missing, 1 new); gone from the suite, with what was stored: gone");
  await reading(project, async (store) => {
    const [run] = await store.runs();
    const id = run?.runId ?? "";
    const stored: unknown[] = [];
    for await (const { position, report } of store.trials(id)) stored.push([position, report.result?.output]);
    expect(stored).toEqual([[0, "1"], [1, "1"], [2, "2"], [3, "1"], [4, "1"], [5, "1"]]);
    expect([run?.plannedScenarios, (await store.planned(id)).map((planned) => planned.id), (await store.scenarios(id)).rows.map((row) => [row.position, row.id, row.outcome])]).toEqual([6, ["fresh", "d", "c", "b", "a", "e"], ["fresh", "d", "c", "b", "a", "e"].map((name, at) => [at, name, "passed"])]);
  });
});

test("another version of the agent: nothing that was stored stands for it, and a kill in between does not mix the two", async () => {
  const suite = (subject: string): string => stopping("agent", "", `maxConcurrency: 1, subject: "${subject}"`);
  const project = createProject({ "agent.eval.mjs": suite("v1") });
  await project.entail(["run"], stop("d", "SIGKILL"));
  project.write({ "agent.eval.mjs": suite("v2") });
  const killed = await project.entail(["resume"], stop("c", "SIGKILL"));
  expect([killed.signal, killed.stderr]).toEqual(["SIGKILL", expect.stringContaining("0 results taken as they are, 4 trials to run (3 agent changed, 1 missing)")]);
  const resumed = await project.entail(["resume"]);
  expect([resumed.code, outcomes(resumed)]).toEqual([1, { a: "passed", b: "errored", c: "failed", d: "passed" }]);
  expect(linesOf(project)).toEqual(["a/1", "b/1", "c/1", "d/1", "a/1", "b/1", "c/1", "c/1", "d/1"]);
  await reading(project, async (store) => expect((await store.runs()).map((run) => [run.subject, run.storedTrials])).toEqual([["v2", 4]]));
});

test("a run that is going on is not resumed, nor is one that another resume goes on with", async () => {
  const project = createProject({ "four.eval.mjs": stopping("four").replace("process.kill(process.pid, process.env.SIGNAL); await new Promise((resolve) => ctx.signal.addEventListener(\"abort\", resolve))", "console.error('WAITING'); await sleep(process.env.SIGNAL === 'SIGKILL' ? 4000 : 1200)") });
  let during: Promise<Ran> | undefined;
  const first = await project.entail(["run"], { ...stop("b", "SIGTERM"), onStderr: (said) => void (said.includes("WAITING") && (during ??= project.entail(["resume"]))) });
  const refused = await during;
  expect([first.code, refused?.code, refused?.stderr]).toEqual([1, 2, expect.stringMatching(/run #1 is being run by process \d+ on .+, last heard of at .+: wait for its end, or end it first/)]);
  const killed = project.entail(["run"], { ...stop("b", "SIGKILL"), onStderr: (said, kill) => void (said.includes("WAITING") && kill("SIGKILL")) });
  expect((await killed).signal).toBe("SIGKILL");
  const both = await Promise.all([project.entail(["resume"], stop("b", "SIGTERM")), project.entail(["resume"], stop("b", "SIGTERM"))]);
  expect(new Set(both.map(({ code }) => code))).toEqual(new Set([1, 2]));
  expect(both.find(({ code }) => code === 2)?.stderr).toContain("run #2 is being run by process");
});

test("the flags of the command hold, limits can be raised, and every run of the invocation ends in one report", async () => {
  const other = evalFile("other", `scenario("only", pass, { tags: ["slow"] })`);
  const project = createProject({ "evals/four.eval.mjs": stopping("four", ", { tags: ['slow'] }"), "evals/other.eval.mjs": other, "evals/left.eval.mjs": evalFile("left", `scenario("quick", pass)`) });
  await project.entail(["run", "--tag", "slow", "--trials", "2", "--bail", "2", "--max-concurrency", "1", "--output", "report.json"], stop("b", "SIGKILL"));
  const bailed = await project.entail(["resume"]);
  const suites = (ran: Ran): readonly unknown[] => (JSON.parse(ran.stdout) as { readonly reports: readonly { readonly suite_id: string; readonly totals: object }[] }).reports.map(({ suite_id: id, totals }) => [id, totals] as const).toSorted(([a], [b]) => a.localeCompare(b));
  expect(suites(bailed)).toMatchObject([["four", { passed: 1, errored: 1, failed: 1, cancelled: 1 }], ["other", { passed: 1 }]]);
  expect(JSON.parse(project.read("report.json"))).toEqual(JSON.parse(bailed.stdout));
  const raised = await project.entail(["resume", "--bail", "10"]);
  expect(suites(raised)).toMatchObject([["four", { passed: 2, errored: 1, failed: 1, cancelled: 0 }], ["other", { passed: 1 }]]);
  expect(raised.stderr).toContain("run #2 of other had come to its end");
  await reading(project, async (store) => expect((await store.runs()).map(({ suiteId, storedTrials, plannedTrials }) => [suiteId, storedTrials, plannedTrials] as const).toSorted(([a], [b]) => a.localeCompare(b))).toEqual([["four", 8, 8], ["other", 2, 2]]));
});

test("the variants of a matrix go on each under its own run, one of them alone where it is named, and trials that a rule ended early are whole", async () => {
  const text = evalFile("varied", `...["a", "b"].map((name) => scenario(name, async (ctx) => { ran({ scenario: ctx.variant.name + " " + name, trial: ctx.trial }); await sleep(30); if (process.env.STOP === ctx.variant.name + name && ctx.trial === 2) { await sleep(120); process.kill(process.pid, "SIGKILL"); } return { checks: [check("right", true, "")] }; }, { trials: 30 }))`, `maxConcurrency: 1, subject: "v1", variants: { model: ["small", "large"] }, stopEarly: { rule: "sprt", p0: 0.2, p1: 0.9 }`, LOGGING);
  const [project, whole] = [createProject({ "varied.eval.mjs": text }), createProject({ "varied.eval.mjs": text })];
  await project.entail(["run", "--matrix"], stop("model=largeb", "SIGKILL"));
  const uninterrupted = await whole.entail(["run", "--matrix"]);
  const executed = linesOf(project).length;
  const resumed = await project.entail(["resume"]);
  expect([resumed.code, withoutTimes(resumed.stdout)]).toEqual([uninterrupted.code, withoutTimes(uninterrupted.stdout)]);
  expect(new Set(linesOf(project))).toEqual(new Set(linesOf(whole)));
  expect(linesOf(project).length - executed).toBeLessThan(linesOf(whole).length);
  expect(await project.entail(["resume"])).toMatchObject({ code: resumed.code, stderr: expect.stringContaining("there is nothing to do") });
  await project.entail(["run", "--matrix"], stop("model=smallb", "SIGKILL"));
  const one = await project.entail(["resume", "#3"]);
  expect([one.code, (JSON.parse(one.stdout) as { readonly variant: string; readonly passed: boolean }).variant]).toEqual([0, "model=small"]);
});

test("a suite of data goes on: its verdict is that of all items together, those that were stored too", async () => {
  const text = `import { evaluation } from "entail";
import { checks } from "entail/conversation";
${LOGGING}
const items = ["one", "two", "three", "four"];
export default evaluation({
  name: "talks",
  data: items.map((id) => ({ id, input: "Say " + id })),
  target: async (input, ctx) => {
    const scenario = JSON.stringify(input).includes("four") ? "four" : "other";
    ran({ scenario, trial: 1 });
    if (scenario === "four" && process.env.STOP) { await new Promise((resolve) => setTimeout(resolve, 150)); process.kill(process.pid, "SIGKILL"); }
    return { text: JSON.stringify(input).includes("two") ? "something else" : "hello there" };
  },
  scorers: [{ scorer: checks.similarity("hello there"), threshold: 0.6 }],
  maxConcurrency: 1,
});
`;
  const [project, whole] = [createProject({ "talks.eval.mjs": text }), createProject({ "talks.eval.mjs": text })];
  await project.entail(["run", "--strict"], stop("four", "SIGKILL"));
  const [resumed, uninterrupted] = [await project.entail(["resume"]), await whole.entail(["run", "--strict"])];
  expect([resumed.code, resumed.stderr]).toEqual([uninterrupted.code, expect.stringContaining("3 results taken as they are, 1 trial to run (1 missing)")]);
  expect((withoutTimes(resumed.stdout) as { readonly verdict: string }).verdict).toBe("passed");
  expect(withoutTimes(resumed.stdout)).toEqual(withoutTimes(uninterrupted.stdout));
});

test("the judge is calibrated again, what was said of stored results stays said, and a judge that is another one is named", async () => {
  const judges = `import { appendFileSync } from "node:fs";
import { CALIBRATION_CLAIMS } from "entail/judge";
export const judgeOf = (print) => ({
  identity: { model: "own-1", fingerprint: print },
  judge: async ({ claims }) => { if (claims.length === 4) appendFileSync("calibrated.txt", print + " "); return claims.map(({ id }) => ({ claimId: id, label: CALIBRATION_CLAIMS.find((claim) => claim.id === id)?.label ?? "entailed", rationale: "So it reads." })); },
});
`;
  const suite = (print: string): string => evalFile("judged", `...["a", "b", "c"].map((name) => scenario(name, async (ctx) => { ran(ctx); if (process.env.STOP === name) { await sleep(150); process.kill(process.pid, "SIGKILL"); } return { output: name, claims: [{ id: "c", text: "It is a letter." }], ...(name === "a" && { metadata: { model: "own-1" } }) }; }))`, `judge: judgeOf("${print}"), maxConcurrency: 1, subject: "v1"`, `import { judgeOf } from "./judges.mjs";\n${LOGGING}`);
  const project = createProject({ "judges.mjs": judges, "judged.eval.mjs": suite("first") });
  await project.entail(["run"], stop("b", "SIGKILL"));
  expect((await project.entail(["resume"], stop("c", "SIGKILL"))).signal).toBe("SIGKILL");
  project.write({ "judged.eval.mjs": suite("second") });
  const resumed = await project.entail(["resume"]);
  expect([resumed.code, outcomes(resumed), project.read("calibrated.txt")]).toEqual([0, { a: "passed", b: "passed", c: "passed" }, "first first second "]);
  const { warnings } = JSON.parse(resumed.stdout) as { readonly warnings: readonly { readonly code: string; readonly message: string; readonly scenario?: string }[] };
  expect(warnings.map(({ code, scenario: id }) => [code, id])).toEqual([["judge_is_subject", undefined], ["judge_changed", undefined]]);
  expect(warnings[1]?.message).toContain("the judge is another one than that of the 2 stored results: npx entail rejudge #1");
  expect((await project.entail(["show", "#1"])).stdout.match(/judge_is_subject/g)).toHaveLength(1);
});

test("run --failed runs again what failed or errored in the last run, and has nothing to do once nothing does", async () => {
  const project = createProject({ "four.eval.mjs": stopping("four").replace('name !== "c"', 'name !== "c" || process.env.MENDED === "1"').replace('name === "b"', 'name === "b" && process.env.MENDED !== "1"'), "other.eval.mjs": evalFile("other", `scenario("only", pass)`) });
  expect((await project.entail(["run"])).code).toBe(1);
  const failed = await project.entail(["run", "--failed"]);
  expect([failed.code, outcomes(failed)]).toEqual([1, { b: "errored", c: "failed" }]);
  expect(failed.stderr).toMatch(/of run #\d, #\d, 2 scenarios failed or errored/);
  const mended = await project.entail(["run", "--failed"], { env: { MENDED: "1" } });
  expect([mended.code, outcomes(mended)]).toEqual([0, { b: "passed", c: "passed" }]);
  const nothing = await project.entail(["run", "--failed"]);
  expect([nothing.code, nothing.stdout, nothing.stderr]).toEqual([0, "", expect.stringContaining("there is nothing to do: nothing failed or errored in run #4")]);
  await reading(project, async (store) => expect((await store.runs()).map(({ suiteId, selected }) => [suiteId, selected]).slice(0, 2)).toEqual([["four", true], ["four", true]]));
  const both = await project.entail(["run", "--failed", "--tag", "slow"]);
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("--failed selects by the last run, so --tag cannot be given with it")]);
});

test("what cannot go on says why: no run, a run that was imported, a suite that is gone", async () => {
  const project = createProject({ "four.eval.mjs": stopping("four") });
  expect(await project.entail(["resume"])).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no run yet") });
  await project.entail(["run", "--output", "report.json"], stop("c", "SIGINT"));
  project.write({ "four.eval.mjs": stopping("five") });
  expect(await project.entail(["resume"])).toMatchObject({ code: 2, stderr: expect.stringContaining('run #1 is of the suite "four", which four.eval.mjs no longer has') });
  project.write({ "four.eval.mjs": stopping("four") });
  const elsewhere = await project.entail(["import", "report.json", "--store", "other.db"]);
  expect(elsewhere.code).toBe(0);
  expect(await project.entail(["resume", "#1", "--store", "other.db"])).toMatchObject({ code: 2, stderr: expect.stringContaining("run #1 was not begun by entail run") });
  expect((await project.entail(["resume"])).code).toBe(1);
});
