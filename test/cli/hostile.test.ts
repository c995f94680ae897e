// Proves with the real command that nothing a hook, a judge or a model does is lost, goes unsaid or ends as a stack trace.
import { decodeReport, type Report } from "entail";
import { expect, test } from "vitest";
import { createProject, evalFile, type Ran } from "./project.ts";

const outcomes = (report: Report): Record<string, string> => Object.fromEntries(report.scenarios.map(({ id, outcome, error }) => [id, error === undefined ? outcome : `${outcome} ${error.code}`]));
const noStack = ({ stderr }: Ran): boolean => !/^\s+at .*:\d+:\d+\)?$|node:internal/m.test(stderr);

test("hooks that never return, or return what is no plain data, are told for what they are, and their neighbours run", async () => {
  const text = evalFile(
    "hooks",
    `scenario("never", () => new Promise(() => {}), { timeoutMs: 60 }),
     scenario("cyclic", () => { const loop = { checks: [check("right", true, "")], metadata: {} }; loop.metadata.self = loop; return loop; }),
     scenario("cyclic_checks", () => { const checks = []; checks.push(checks); return { checks }; }),
     scenario("bigint", () => ({ checks: [check("right", true, "")], metadata: { count: 10n } })),
     scenario("bigint_score", () => ({ scores: [{ id: "a", score: 1n }] })),
     scenario("getter", () => ({ get checks() { throw new Error("not to be read"); } })),
     scenario("proxy", () => new Proxy({}, { ownKeys() { throw new Error("not to be listed"); } })),
     scenario("same_one", () => shared), scenario("same_two", () => shared),
     scenario("nothing", () => undefined),
     scenario("misspelt", () => ({ checks: [check("right", true, "")], claim: [] })),
     scenario("throws_null", () => { throw null; }),
     scenario("throws_hostile", () => { throw { get message() { throw new Error("again"); }, toString() { throw new Error("again"); } }; }),
     scenario("good", pass)`,
    "",
    `const shared = { checks: [check("right", true, "")], metadata: { seen: 0 } };`,
  );
  const ran = await createProject({ "a.eval.ts": text }).entail(["run"]);
  expect([ran.code, noStack(ran)]).toEqual([3, true]);
  expect(outcomes(decodeReport(ran.stdout))).toEqual({
    never: "errored deadline_exceeded",
    cyclic: "passed",
    cyclic_checks: "errored result_member_invalid",
    bigint: "passed",
    bigint_score: "errored result_member_invalid",
    getter: "errored result_unreadable",
    proxy: "errored result_unreadable",
    same_one: "passed",
    same_two: "passed",
    nothing: "errored result_not_an_object",
    misspelt: "errored result_member_unknown",
    throws_null: "errored hook_threw",
    throws_hostile: "errored hook_threw",
    good: "passed",
  });
  expect(ran.stderr).toContain("1 call ignored the signal to stop and still runs (hooks › never); nothing waits for it");
  expect(ran.stderr).toContain("not to be read");
});

const CLAIM = `() => ({ output: "It rains.", claims: [{ id: "rain", text: "It rains." }], checks: [check("right", true, "")] })`;
const JUDGE = `import { createJudge } from "entail/judge";\nimport { createClient } from "entail/model";\n`;

test("a judge that answers nonsense four times makes the scenario errored, never failed, and every request is in the report", async () => {
  const provider = `
    let asked = 0;
    const provider = { async complete({ tools }) {
      const [tool] = tools;
      const answers = Object.fromEntries(Object.keys(tool.inputSchema.properties).map((id) => [id, { label: id.replace("calibration_", ""), rationale: "so it is" }]));
      const calibrating = JSON.stringify(tool).includes("calibration_entailed");
      if (!calibrating) asked += 1;
      return { content: calibrating ? [{ type: "tool_call", id: "1", name: tool.name, arguments: JSON.stringify(answers) }] : [{ type: "text", text: "Well, it depends." }], stopReason: calibrating ? "tool_calls" : "stop" };
    } };
    const judge = createJudge(createClient(provider), { maxOutputTokens: 1000 });
    process.on("exit", () => console.error("ASKED " + asked));`;
  const ran = await createProject({ "a.eval.ts": evalFile("judged", `scenario("rain", ${CLAIM}), scenario("good", pass)`, "judge", JUDGE + provider) }).entail(["run"]);
  const report = decodeReport(ran.stdout);
  expect([ran.code, outcomes(report), noStack(ran)]).toEqual([3, { rain: "errored judge_invalid_response", good: "passed" }, true]);
  expect(ran.stderr).toContain("ASKED 4");
  const [rain] = report.scenarios;
  expect([rain?.result?.output, rain?.judging?.length]).toEqual(["It rains.", 4]);
});

test("a model that cannot be reached fails the calibration: no hook runs, every scenario is reported, the exit code is 3", async () => {
  const provider = `const provider = { async complete(request, { signal }) { await fetch("http://127.0.0.1:9/v1", { signal }); throw new Error("unreachable"); } };\nconst judge = createJudge(createClient(provider), { maxOutputTokens: 1000 });`;
  const ran = await createProject({ "a.eval.ts": evalFile("judged", `scenario("rain", () => { console.error("HOOK RAN"); return (${CLAIM})(); }), scenario("good", pass)`, "judge", JUDGE + provider) }).entail(["run"]);
  const report = decodeReport(ran.stdout);
  expect([ran.code, outcomes(report), report.passed, report.error?.code, noStack(ran), ran.stderr.includes("HOOK RAN")]).toEqual([3, { rain: "skipped calibration_failed", good: "skipped calibration_failed" }, false, "calibration_failed", true, false]);
  expect(ran.stderr).toMatch(/calibration_failed at calibration\n\s+.*(fetch failed|bad port|ECONNREFUSED)/);
  expect(ran.stderr).toContain("The judge failed its calibration, so nothing was asked of it.");
});

test("a judge that never answers, throws what is no error, or answers for other claims is an error of the judge", async () => {
  const text = (id: string, answer: string): string =>
    evalFile(id, `scenario("rain", ${CLAIM}, { timeoutMs: 300 })`, `judge: { async judge({ claims }) { if (claims[0].id.startsWith("calibration_")) return claims.map(({ id }) => ({ claimId: id, label: id.replace("calibration_", ""), rationale: "so" })); ${answer} } }`);
  const ran = await createProject({
    "never.eval.ts": text("never", "return new Promise(() => {});"),
    "nulls.eval.ts": text("nulls", "throw null;"),
    "others.eval.ts": text("others", `return [{ claimId: "snow", label: "entailed", rationale: "so" }];`),
    "label.eval.ts": text("label", `return [{ claimId: "rain", label: "yes", rationale: "so" }];`),
    "nothing.eval.ts": text("nothing", ""),
  }).entail(["run"]);
  const { reports } = JSON.parse(ran.stdout) as { reports: { suite_id: string; scenarios: { outcome: string; error_stage: string }[] }[] };
  expect([ran.code, noStack(ran)]).toEqual([3, true]);
  expect(reports.map(({ suite_id, scenarios }) => [suite_id, scenarios[0]?.outcome, scenarios[0]?.error_stage])).toEqual(["label", "never", "nothing", "nulls", "others"].map((id) => [id, "errored", "judge"]));
});

test("an output that orders the terminal about is shown as text, in the report as it was", async () => {
  const text = evalFile("orders", `scenario("first", () => ({ checks: [check("right", false, "ok\\u001b]52;c;aGk=\\u0007\\u001b[2J\\r PASS")] }))`);
  const ran = await createProject({ "a.eval.ts": text }).entail(["run"], { env: { FORCE_COLOR: "1" } });
  const orders = ["\u001b]", "\u0007", "\u001b[2J", "\r"].filter((order) => ran.stderr.includes(order));
  expect([ran.code, orders, ran.stderr.includes("\\x1b]52;c;aGk=\\x07\\x1b[2J\\r PASS"), ran.stderr.includes("\u001b[31m")]).toEqual([1, [], true, true]);
  expect(decodeReport(ran.stdout).scenarios[0]?.result?.checks?.[0]?.diagnostic).toBe("ok\u001b]52;c;aGk=\u0007\u001b[2J\r PASS");
});
