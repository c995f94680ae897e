// Proves with the real command that stored results are judged again by another judge, and that no agent is asked for it.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProject, evalFile, type Project, type Ran } from "./project.ts";

/** A judge that knows the calibration, and says of an output what a table says; `entailed` where it says nothing. It throws where it is to. */
const JUDGES = `import { CALIBRATION_CLAIMS } from "entail/judge";
export const judgeOf = (print, labels) => ({
  identity: { model: print, fingerprint: print },
  judge: async ({ output, claims, reference, evidence, record }) => {
    if (labels[output] === "throw") throw new Error("the judge is not there");
    record?.({ durationMs: 1, usage: { inputTokens: 7, outputTokens: 3 } });
    return claims.map(({ id }) => ({ claimId: id, label: CALIBRATION_CLAIMS.find((claim) => claim.id === id)?.label ?? labels[output] ?? "entailed", rationale: "By " + print + ": " + reference + (evidence ?? "") }));
  },
});
export default judgeOf("mild", { three: "throw" });
`;
const STRICT = `import { judgeOf } from "./judges.mjs";
export default judgeOf("strict", { two: "contradicted", four: "not_addressed" });
`;

/** Counts by a file how often its agent was asked. */
const ASKED = `import { appendFileSync } from "node:fs";
import judge from "./judges.mjs";
const ask = (output) => { appendFileSync("asked.txt", output + "\\n"); return output; };`;
const CLAIM = `claims: [{ id: "c", text: "It says how many." }]`;
const EVALS = evalFile(
  "counting",
  `...["one", "two", "three", "four"].map((name) => scenario(name, () => ({ output: ask(name), reference: "A number.", ${CLAIM}, checks: [check("short", true, "")], scores: [{ id: "close", score: 0.9, threshold: 0.5 }], usage: { inputTokens: 100, outputTokens: 5, cost: 0.5 } }), { trials: name === "four" ? 2 : 1 })),
   scenario("broken", () => { ask("broken"); throw new Error("the agent is not there"); }),
   scenario("plain", () => ({ output: ask("plain"), checks: [check("right", true, "")] })),
   scenario("empty", () => ({ output: "", ${CLAIM} })),
   scenario("left", pass, { skip: "not yet" })`,
  "judge, maxConcurrency: 2",
  ASKED,
);

interface Wire {
  readonly run_id: string;
  readonly rejudged_from?: string;
  readonly judge: { readonly fingerprint: string; readonly calibration: { readonly passed: boolean } };
  readonly totals: Readonly<Record<string, unknown>>;
  readonly usage: { readonly subject: unknown; readonly judge: { readonly requests: number } };
  readonly scenarios: readonly { readonly id: string; readonly outcome: string; readonly started_at?: string; readonly duration?: number; readonly result?: object; readonly scores?: object; readonly judgments?: readonly { readonly label: string; readonly rationale: string }[]; readonly turns?: readonly { readonly reference?: string; readonly judgments?: readonly { readonly label: string; readonly rationale: string }[] }[]; readonly error_code?: string }[];
}
const wire = (ran: Ran): Wire => JSON.parse(ran.stdout) as Wire;
const outcomes = (ran: Ran): Record<string, string> => Object.fromEntries(wire(ran).scenarios.map(({ id, outcome }) => [id, outcome]));
const project = (more: Readonly<Record<string, string>> = {}): Project => createProject({ "judges.mjs": JUDGES, "strict.mjs": STRICT, "counting.eval.mjs": EVALS, ...more });

test("another judge labels what was stored, as a new run that names the old one: outputs, checks and scores stay, what only the judge broke is judged, and no agent is asked", async () => {
  const folder = project();
  const first = await folder.entail(["run"]);
  const before = { one: "passed", two: "passed", three: "errored", four: "passed", broken: "errored", plain: "passed", empty: "failed", left: "skipped" };
  expect([first.code, outcomes(first)]).toEqual([1, before]);
  const asked = folder.read("asked.txt");
  const again = await folder.entail(["rejudge", "#1", "--judge", "strict.mjs"]);
  expect([again.code, outcomes(again)]).toEqual([1, { ...before, two: "failed", three: "passed", four: "failed" }]);
  expect(folder.read("asked.txt")).toBe(asked);
  const [old, now] = [wire(first), wire(again)];
  expect([now.rejudged_from, now.judge.fingerprint, now.judge.calibration.passed, old.rejudged_from]).toEqual([old.run_id, "strict", true, undefined]);
  expect(now.run_id).not.toBe(old.run_id);
  for (const [at, scenario] of now.scenarios.entries()) expect([scenario.result, scenario.scores]).toEqual([old.scenarios[at]?.result, old.scenarios[at]?.scores]);
  // The times are those of the agent, however long the judge took.
  expect(now.scenarios.map((scenario) => [scenario.started_at, scenario.duration])).toEqual(old.scenarios.map((scenario) => [scenario.started_at, scenario.duration]));
  expect(now.scenarios[1]?.judgments).toEqual([expect.objectContaining({ label: "contradicted", rationale: "By strict: A number." })]);
  expect([now.usage.subject, now.usage.judge.requests]).toEqual([old.usage.subject, 6]);
  expect(now.scenarios[4]?.error_code).toBe("hook_threw");
  expect(again.stderr).toContain("run #1 of counting, labels then and now: 3 of 4 changed (entailed to not_addressed 2, entailed to contradicted 1); kappa 0.00; 1 claim judged that had no label");
  expect((await folder.entail(["show", "#2"])).stdout).toContain("of run #1, labels then and now: 3 of 4 changed");
  const stored = await folder.entail(["export", "json", "#2"]);
  expect((JSON.parse(stored.stdout) as Wire).scenarios).toEqual(now.scenarios);
});

test("without --judge it is the judge of the eval file as it is now; equal labels say so", async () => {
  const folder = project({ "counting.eval.mjs": EVALS.replace('"./judges.mjs"', '"./strict.mjs"') });
  await folder.entail(["run"]);
  const again = await folder.entail(["rejudge"]);
  expect([again.code, wire(again).judge.fingerprint, again.stderr]).toEqual([1, "strict", expect.stringContaining("labels then and now: no label of 5 changed; kappa 1.00")]);
});

test("a judge that fails its calibration judges nothing: exit code 3, and the stored run is as it was", async () => {
  const folder = project({ "bad.mjs": 'export default { judge: async ({ claims }) => claims.map(({ id }) => ({ claimId: id, label: "entailed", rationale: "Yes." })) };\n' });
  await folder.entail(["run"]);
  const again = await folder.entail(["rejudge", "--judge", "bad.mjs"]);
  // What no judge has a say in stays as it is; the rest is not judged.
  expect([again.code, wire(again).totals]).toMatchObject([3, { passed: 1, errored: 1, skipped: 6 }]);
  expect((await folder.entail(["show", "#1"])).stdout).toContain("4 passed, 1 failed, 2 errored (1 hook, 1 judge), 1 skipped of 8");
});

test("what was killed in between is cancelled in the new run too, never left out", async () => {
  const folder = project({ "counting.eval.mjs": EVALS.replace('ask("plain")', '(await new Promise((resolve) => setTimeout(resolve, process.env.KILL ? 150 : 0)), process.env.KILL ? process.kill(process.pid, "SIGKILL") : 0, ask("plain"))').replace('"plain", () =>', '"plain", async () =>').replace("maxConcurrency: 2", "maxConcurrency: 1") });
  expect((await folder.entail(["run"], { env: { KILL: "1" } })).signal).toBe("SIGKILL");
  const again = await folder.entail(["rejudge", "--judge", "strict.mjs"]);
  expect([again.code, outcomes(again)]).toEqual([1, { one: "passed", two: "failed", three: "passed", four: "failed", broken: "errored", plain: "cancelled", empty: "cancelled", left: "skipped" }]);
});

test("the claims of turns are judged again with what was said before them, and the verdict of data goes by all items", async () => {
  const text = `import { evaluation } from "entail";
import { checks } from "entail/conversation";
import { appendFileSync } from "node:fs";
import judge from "./judges.mjs";
export default evaluation({
  name: "talks",
  judge,
  data: [{ id: "talk", turns: [{ input: "How many?", gates: [checks.includes("t")] }, { input: "And now?", claims: [{ id: "c", text: "It says how many." }] }] }, { id: "short", input: "Hello" }],
  target: async (input) => { appendFileSync("asked.txt", "x"); return { text: JSON.stringify(input).includes("now") ? "two" : "ten" }; },
  scorers: [{ scorer: checks.similarity("ten"), threshold: 0.1 }],
});
`;
  const folder = createProject({ "judges.mjs": JUDGES, "strict.mjs": STRICT, "talks.eval.mjs": text });
  const first = await folder.entail(["run"]);
  expect([first.code, (JSON.parse(first.stdout) as { readonly verdict: string }).verdict]).toEqual([0, "passed"]);
  const asked = folder.read("asked.txt");
  const again = await folder.entail(["rejudge", "--judge", "strict.mjs"]);
  const turns = wire(again).scenarios[0]?.turns;
  expect([again.code, outcomes(again), (JSON.parse(again.stdout) as { readonly verdict: string }).verdict]).toEqual([1, { talk: "failed", short: "passed" }, "failed"]);
  const reference = "What was said before the answer:\nUser: How many?\nAssistant: ten\nUser: And now?";
  expect(turns?.[1]).toMatchObject({ reference, judgments: [{ label: "contradicted", rationale: `By strict: ${reference}` }] });
  expect(wire(again).scenarios[0]?.scores).toEqual(wire(first).scenarios[0]?.scores);
  expect(folder.read("asked.txt")).toBe(asked);
});

test("without a judge, without a run and without its eval file it says what is missing", async () => {
  const folder = createProject({ "plain.eval.mjs": evalFile("plain", `scenario("only", pass)`) });
  expect(await folder.entail(["rejudge"])).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no run yet") });
  await folder.entail(["run"]);
  expect(await folder.entail(["rejudge"])).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no judge for run #1: neither its eval file nor the configuration has one") });
  rmSync(join(folder.path, "plain.eval.mjs"));
  folder.write({ "strict.mjs": STRICT, "judges.mjs": JUDGES });
  const gone = await folder.entail(["rejudge", "--judge", "strict.mjs"]);
  expect([gone.code, gone.stderr, existsSync(join(folder.path, "asked.txt"))]).toEqual([2, expect.stringContaining("plain.eval.mjs"), false]);
});
