// Proves with the real command that a run is held against a baseline and a run against another: who decides the exit code, what is refused, what is kept.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProject, type Project, type Ran } from "./project.ts";

/** 20 scenarios of 3 trials each, and two more that are missing on demand; `MODE` says how they do. */
const EVALS = `import { check, evaluation } from "entail";
const mode = process.env.MODE ?? "fine";
const say = (passed) => ({ checks: [check("right", passed, "wrong answer")] });
const scenario = (id, run, more = {}) => ({ id, description: "About " + id, tags: ["all"], timeoutMs: 5000, run, ...more });
const scenarios = [
  ...Array.from({ length: 20 }, (_, at) => scenario("s_" + at, ({ trial }) => say(mode === "worse" ? at >= 9 || trial === 2 : mode === "unsure" ? at > 0 || trial > 1 : true))),
  scenario("known", () => say(false)),
  scenario(mode === "renamed" ? "new_name" : "shaky", () => { if (mode === "error") throw new Error("no network"); return say(true); }, { description: "About a shaky one" }),
  ...(mode === "missing" ? [] : [scenario("last", () => say(true))]),
  ...(mode === "new" ? [scenario("young", () => say(false))] : []),
];
export default evaluation({ suite: { id: "chat", description: "A suite.", scenarios }, trials: 3, subject: "v1" });
`;

interface Wire {
  readonly passed: boolean;
  readonly comparison: { readonly verdict: string; readonly gate: { readonly exit_code: number; readonly reasons: readonly string[] }; readonly missing: readonly { readonly id: string }[]; readonly new: readonly { readonly id: string }[]; readonly renamed: readonly object[]; readonly still_not_passing: readonly { readonly id: string }[] };
}

const wireOf = ({ stdout }: Ran): Wire => JSON.parse(stdout) as Wire;
const run = (project: Project, mode: string, ...args: readonly string[]): Promise<Ran> => project.entail(["run", ...args], { env: { MODE: mode } });

test("with a baseline the comparison alone decides: 0 for what fails as it failed or is new, 1 for a regression or a missing scenario, 3 for an error or too few trials", async () => {
  const project = createProject({ "chat.eval.ts": EVALS });
  const before = await run(project, "fine", "--baseline");
  expect([before.code, before.stdout]).toEqual([2, ""]);
  expect(before.stderr).toContain("error  there is no baseline in baselines: accept a run with npx entail baseline accept");

  // One scenario fails, so a plain run is red; it is accepted as it is.
  expect((await run(project, "fine")).code).toBe(1);
  const accepted = await project.entail(["baseline", "accept"]);
  expect([accepted.code, accepted.stdout, accepted.stderr]).toEqual([0, "accepted  baselines/chat.json  23 scenarios of chat\n", ""]);
  const file = project.read("baselines/chat.json");
  rmSync(join(project.path, "baselines"), { recursive: true });
  await project.entail(["baseline", "accept", "#1"]);
  expect(project.read("baselines/chat.json")).toBe(file);
  expect(file).not.toMatch(/\d{4}-\d\d-\d\dT|[0-9a-f]{8}-[0-9a-f]{4}-7/);

  const fine = await run(project, "new", "--baseline");
  expect([fine.code, wireOf(fine)]).toMatchObject([0, { passed: false, comparison: { verdict: "no evidence", gate: { exit_code: 0, reasons: [] }, new: [{ id: "young", outcome: "failed" }], still_not_passing: [{ id: "known" }] } }]);
  expect(fine.stderr).toContain("○ no regression found");

  const worse = await run(project, "worse", "--baseline");
  expect([worse.code, wireOf(worse).comparison.verdict]).toEqual([1, "regressed"]);
  expect(worse.stderr).toContain("▼ regressed  chat  baseline -> this run (v1)");
  expect(worse.stderr).toContain("Of 23 scenarios that both runs scored, 9 got worse and none got better.");
  expect(worse.stderr).toContain("check right: holds 3 of 3 -> holds 1 of 3");
  expect(worse.stderr).toContain("gate  exit 1: the pass rate fell");
  // A margin puts up with it, but not with more than it says.
  expect([(await run(project, "worse", "--baseline", "--margin", "60")).code, (await run(project, "worse", "--baseline", "--margin", "10")).code]).toEqual([0, 1]);

  const missing = await run(project, "missing", "--baseline=baselines/chat.json");
  expect([missing.code, wireOf(missing).comparison.missing]).toEqual([1, [{ suite: "chat", id: "last", outcome: "passed" }]]);
  const renamed = await run(project, "renamed", "--baseline", "baselines/chat.json");
  expect([renamed.code, wireOf(renamed).comparison]).toMatchObject([0, { missing: [], new: [], renamed: [{ suite: "chat", from: "shaky", to: "new_name" }] }]);

  const error = await run(project, "error", "--baseline");
  expect([error.code, wireOf(error).comparison.gate.reasons]).toEqual([3, ["1 scenario errored"]]);
  const unsure = await run(project, "unsure", "--baseline");
  expect([unsure.code, wireOf(unsure).comparison.verdict]).toEqual([3, "too few"]);
  expect(unsure.stderr).toMatch(/About \d+ trials of each scenario in each run would settle it; these have 3\./);

  // What was not selected is not missing; a suite that is gone is.
  const part = await run(project, "fine", "--baseline", "--scenario", "known", "--scenario", "last");
  expect([part.code, wireOf(part).comparison.missing]).toEqual([0, []]);
  project.write({ "chat.eval.ts": EVALS.replace('id: "chat"', 'id: "talk"'), "baselines/talk.json": file.replace('"suite_id": "chat"', '"suite_id": "talk"') });
  const gone = await run(project, "fine", "--baseline");
  expect([gone.code, wireOf(gone).comparison.gate.reasons]).toEqual([1, ["23 scenarios of the first run are missing"]]);
});

test("a run with an error, a selection, a tree that is not clean or a regression is refused; with --force and a reason it is kept with both", async () => {
  const project = createProject({ "chat.eval.ts": EVALS, ".gitignore": ".entail\nnode_modules\n" });
  rmSync(join(project.path, ".git"), { recursive: true });
  const git = (...args: readonly string[]): unknown => execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], { cwd: project.path, stdio: "ignore" });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "Begin");
  await run(project, "fine");
  expect((await project.entail(["baseline", "accept"])).code).toBe(0);
  git("add", ".");
  git("commit", "-qm", "Accept");

  await run(project, "error", "--scenario", "shaky");
  const refused = await project.entail(["baseline", "accept", "--json"]);
  expect(refused.code).toBe(2);
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: "baseline_refused", message: expect.stringContaining("chat is not accepted into baselines/chat.json: 1 scenario errored, it has no scored trial, it holds only a selection of its suite, 22 scenarios of the baseline are missing") as string } });

  project.write({ "chat.eval.ts": `${EVALS}// Changed.\n` });
  await run(project, "worse");
  const worse = await project.entail(["baseline", "accept", "last", "--force"]);
  expect(worse.code).toBe(2);
  expect(worse.stderr).toContain("the work tree was not clean, it regressed by 26.1 points (--force and --reason accept it all the same, and the reason is kept in the file)");
  expect((await project.entail(["baseline", "accept", "--force", "--reason", "a smaller model, agreed with Ana"])).code).toBe(0);
  const file = project.read("baselines/chat.json");
  expect(JSON.parse(file)).toMatchObject({ accepted: { over: ["the work tree was not clean", "it regressed by 26.1 points"], reason: "a smaller model, agreed with Ana" } });
  // Accepted once more, it is the same file: what it was accepted over is kept.
  expect((await project.entail(["baseline", "accept", "--force"])).stdout).toBe("unchanged  baselines/chat.json  23 scenarios of chat\n");
  expect(project.read("baselines/chat.json")).toBe(file);
});

test("compare takes runs and report files, tells the verdict in words, as JSON and as Markdown, and ends as the comparison does", async () => {
  const project = createProject({ "chat.eval.ts": EVALS });
  await run(project, "fine", "--output", "before.json");
  await run(project, "worse", "--output", "after.json");
  const words = await project.entail(["compare", "#1", "last"]);
  expect([words.code, words.stderr]).toEqual([1, ""]);
  expect(words.stdout).toContain("  ▼ regressed  chat  #1 (v1) -> #2 (v1)\n    Of 23 scenarios that both runs scored, 9 got worse and none got better.\n    The pass rate fell by 26.1 points, from 95.7% to 69.6%;");
  const json = await project.entail(["compare", "before.json", "after.json", "--json", "--level", "99"]);
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { schema_version: 1, verdict: "regressed", level: 0.99, worse: 9, before: { name: "before.json" }, gate: { exit_code: 1 }, got_worse: { length: 9 } }]);
  const markdown = await project.entail(["compare", "last", "last~1", "--markdown"]);
  expect(markdown.code).toBe(0);
  expect(markdown.stdout).toContain("### △ improved: ");
  const none = await project.entail(["compare", "#1", "nowhere.json"]);
  expect([none.code, none.stderr]).toEqual([2, '  error  "nowhere.json" is no file; a run is #412, an id, last or baseline\n']);
  expect((await project.entail(["compare", "#1", "#9"])).stderr).toContain('there is no run "#9"');
});

test("--matrix runs three variants of a suite, hands each hook its own, and compares them in pairs; without it the first one runs", async () => {
  const variants = `import { check, evaluation } from "entail";
const good = { small: 10, medium: 20, large: 20 };
const scenario = (at) => ({ id: "s_" + at, description: "About " + at, tags: [], timeoutMs: 5000, run: ({ variant }) => ({ checks: [check("right", at < good[variant.values.model], "wrong")], output: variant.name }) });
export default evaluation({ variants: { model: ["small", "medium", "large"] }, suite: { id: "chat", description: "A suite.", scenarios: Array.from({ length: 20 }, (_, at) => scenario(at)) } });
`;
  const project = createProject({ "chat.eval.ts": variants });
  const matrix = await project.entail(["run", "--matrix"]);
  expect(matrix.code).toBe(1);
  const wire = JSON.parse(matrix.stdout) as { readonly matrices: readonly object[]; readonly reports: readonly { readonly variant: string; readonly scenarios: readonly { readonly result: { readonly output: string } }[] }[] };
  expect(wire.reports.map(({ variant, scenarios }) => [variant, scenarios[19]?.result.output])).toEqual(["model=small", "model=medium", "model=large"].map((name) => [name, name]));
  expect(wire.matrices).toMatchObject([
    {
      suite: "chat",
      variants: [{ variant: "model=small", rate: { rate: 0.5 } }, { variant: "model=medium", rate: { rate: 1 } }, { variant: "model=large", rate: { rate: 1 } }],
      pairs: [
        { before: "model=small", after: "model=medium", verdict: "improved", difference: 0.5 },
        { before: "model=small", after: "model=large", verdict: "improved" },
        { before: "model=medium", after: "model=large", verdict: "no evidence", difference: 0, adjusted_p: 1 },
      ],
    },
  ]);
  expect(matrix.stderr).toMatch(/△ {2}model=small {2}-> model=medium {2}improved {2}\+50\.0/);

  expect(matrix.stderr).toContain("npx entail run chat.eval.ts --scenario s_10 --variant model=small\n");

  const alone = await project.entail(["run"]);
  expect([alone.code, (JSON.parse(alone.stdout) as { readonly variant: string }).variant]).toEqual([1, "model=small"]);
  const named = await project.entail(["run", "--variant", "model=large"]);
  expect([named.code, (JSON.parse(named.stdout) as { readonly variant: string }).variant]).toEqual([0, "model=large"]);
  expect((await project.entail(["run", "--variant", "model=huge"])).stderr).toContain('--variant "model=huge": no eval file has this variant; did you mean "model=large"?');
});
