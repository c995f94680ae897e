import * as fc from "fast-check";
import { expect, test } from "vitest";
import { STAGES, type ReportHead, type ScenarioReport, type Totals } from "entail";
import type { Clock } from "../../core/clock.ts";
import { percent, rate } from "../../report/number-text.ts";
import { rerunCommand, shellWord } from "./rerun-command.ts";
import { createScreen } from "./screen.ts";
import type { Ending } from "./summary-text.ts";
import { textWidth } from "./text-width.ts";
import { createView, type View } from "./view.ts";

const ESC = "\u001b";

interface Stage {
  readonly view: View;
  readonly written: () => string;
  readonly pass: (text: string) => void;
  readonly tick: (ms: number) => void;
}

interface Setting {
  readonly columns?: number;
  readonly isTerminal?: boolean;
  readonly env?: Record<string, string>;
  readonly quiet?: boolean;
}

function stage({ columns, isTerminal = false, env = {}, quiet = false }: Setting = {}): Stage {
  let written = "";
  let now = 0;
  const clock: Clock = { now: () => now, elapsed: () => now, sleep: () => Promise.resolve() };
  const screen = createScreen({ write: (text) => void (written += text), columns: () => columns, isTerminal, env, platform: "linux", mayDraw: () => !quiet });
  const calls: { readonly ms: number; readonly call: () => void }[] = [];
  const every = (ms: number, call: () => void): (() => void) => {
    const entry = { ms, call };
    calls.push(entry);
    return () => void calls.splice(calls.indexOf(entry), 1);
  };
  const view = createView({ screen, clock, env, quiet, silent: () => false, debug: false, rerun: { command: "npx entail run", flags: [] }, mask: () => (text) => text, every });
  return { view, written: () => written, pass: screen.pass, tick: (ms) => {
      now += ms;
      for (const { call } of calls) call();
    },
  };
}

const completed = (id: string, outcome: "passed" | "failed" = "passed", diagnostic = "wrong"): ScenarioReport => ({
  id,
  outcome,
  passed: outcome === "passed",
  startedAt: "2026-11-30T00:00:00Z",
  durationMs: 12,
  result: { checks: [outcome === "passed" ? { name: "right", passed: true } : { name: "right", passed: false, diagnostic }] },
});

const errored = (id: string, message: string): ScenarioReport => ({ id, outcome: "errored", passed: false, startedAt: "2026-11-30T00:00:00Z", durationMs: 3, error: { code: "hook_threw", stage: "hook", message } });

function head(reports: readonly ScenarioReport[]): ReportHead {
  const errors = Object.fromEntries(STAGES.map((each) => [each, reports.filter((report) => report.outcome === "errored" && report.error.stage === each).length])) as Totals["errors"];
  const count = (outcome: string): number => reports.filter((report) => report.outcome === outcome).length;
  const totals = { scenarios: reports.length, passed: count("passed"), scored: count("scored"), failed: count("failed"), errored: count("errored"), cancelled: count("cancelled"), skipped: count("skipped"), errors };
  return { suiteId: "chat", startedAt: "2026-11-30T00:00:00Z", durationMs: 12, passed: totals.passed === reports.length, totals };
}

function tell({ view, tick }: Stage, reports: readonly ScenarioReport[], more: Partial<Ending> = {}): void {
  const reporter = view.suite({ file: "evals/chat.eval.ts", suiteId: "chat", hasJudge: false, order: () => reports.map(({ id }) => id) });
  void reporter.runStarted?.({ runId: "r", suiteId: "chat", startedAt: "", scenarios: reports.length, trials: 1 });
  for (const report of reports) {
    void reporter.scenarioStarted?.(report.id, "");
    tick(1);
    void reporter.scenarioFinished?.(report);
  }
  const whole = head(reports);
  view.rest();
  view.finish({ suites: [{ file: "evals/chat.eval.ts", head: whole }], broken: 0, exitCode: whole.passed ? 0 : 1, durationMs: 20, strict: false, ...more });
  view.close();
}

test("a failure is told with its diagnostic, its file and the command that runs it again", () => {
  const on = stage();
  tell(on, [completed("health_check"), completed("alarm_inventory", "failed", "list_alarms was expected\n  seen: nothing")]);
  expect(on.written()).toBe(`  ● failed  chat › alarm_inventory  12ms  right: list_alarms was expected seen: nothing

  ● failed  chat › alarm_inventory  12ms
      ✗ right
        list_alarms was expected
          seen: nothing

      evals/chat.eval.ts
      npx entail run evals/chat.eval.ts --scenario alarm_inventory

  ────────────────────────────────────────────────────────────────────────────
  ● chat  1 passed  1 failed  of 2  12ms  evals/chat.eval.ts

  ● failed  1 of 2 scenarios failed.
    1 of 2 measured scenarios passed  20ms
`);
});

test("a claim is told with its text, label and rationale, and with the output that was judged", () => {
  const on = stage();
  const report: ScenarioReport = {
    id: "claims", outcome: "failed", passed: false, startedAt: "2026-11-30T00:00:00Z", durationMs: 5,
    result: { output: "3 alarms", claims: [{ id: "complete", text: "It reports every alarm." }, { id: "denied", text: "It denies it." }] },
    judgments: [
      { claimId: "complete", label: "not_addressed", rationale: "It names three.", passed: false },
      { claimId: "denied", label: "entailed", rationale: "It does.", passed: false, expect: "contradicted" },
    ],
  };
  tell(on, [report]);
  expect(on.written()).toContain(`      ▫ complete  not addressed
        claim  It reports every alarm.
        why    It names three.
      □ denied  entailed, contradicted was expected
        claim  It denies it.
        why    It does.
      output  3 alarms
`);
});

test("a failure of a conversation names the turn of each claim, gate and score, and shows what was said in it", () => {
  const on = stage();
  const gate = { id: "check-called-tool", base: "check-called-tool", kind: "gate", turn: 1, score: 0, passed: false, reason: "get_weather was not called" } as const;
  const report: ScenarioReport = {
    id: "brooklyn", outcome: "failed", passed: false, startedAt: "2026-11-30T00:00:00Z", durationMs: 5,
    result: { output: "Goodbye.", checks: [{ name: "turn 2: check-called-tool", passed: false, diagnostic: "get_weather was not called" }] },
    turns: [
      { turn: 0, outcome: "passed", output: "Hello." },
      { turn: 1, outcome: "failed", output: "It rains.", scores: [gate], claims: [{ id: "polite", text: "It is polite." }], judgments: [{ claimId: "polite", label: "contradicted", rationale: "It is rude.", passed: false }] },
      { turn: 2, outcome: "not_reached" },
    ],
  };
  tell(on, [report]);
  expect(on.written()).toContain(`
      turn 2  ■ polite  contradicted
        claim  It is polite.
        why    It is rude.
      turn 2  ✗ gate check-called-tool
        get_weather was not called
      1 turn not reached
      output of turn 2  It rains.
`);
});

test("case 218: the same error of five scenarios is told once, with its count", () => {
  const on = stage();
  tell(on, ["a", "b", "c", "d", "e"].map((id) => errored(id, "HTTP 401 Unauthorized")));
  const blocks = on.written().split("\n").filter((line) => line.includes("401"));
  expect(blocks).toHaveLength(2);
  expect(on.written()).toContain("▲ errored × 5  5 scenarios, for the same reason\n      chat › a, chat › b, chat › c, chat › d, chat › e");
});

test("case 203: what a model wrote never reaches the terminal as an order, and cannot forge a line", () => {
  const on = stage({ isTerminal: true, columns: 80, env: { FORCE_COLOR: "1" } });
  tell(on, [completed("a\u001b[8mhidden\n  ○ passed  forged", "failed", "ok\u001b]52;c;aGk=\u0007\u001b[2J\u001b[1A\r PASS \u009b31m\u202eelif")]);
  // Colours, and the view's own drawing.
  const orders = on.written().split(ESC).slice(1);
  expect(orders.filter((order) => !/^\[(?:\d+m|\d*[AJ])/.test(order))).toEqual([]);
  for (const order of ["\u0007", "\u009b", "\u202e"]) expect(on.written()).not.toContain(order);
  expect(on.written().split("\n").filter((line) => line.trimStart().startsWith("○ passed  forged"))).toEqual([]);
  expect(on.written()).toContain("\u001b[31m");
});

test("case 204: a log of continuous integration has no cursor codes, no carriage return and fewer lines than cases", () => {
  const on = stage({ env: { CI: "true" }, isTerminal: true, columns: 0 });
  tell(on, Array.from({ length: 500 }, (_, at) => completed(`s_${at}`, at % 50 === 0 ? "failed" : "passed")));
  expect(on.written()).not.toContain("\r");
  expect(on.written().split(ESC).slice(1).filter((order) => !/^\[\d*m/.test(order))).toEqual([]);
  expect(on.written().split("\n").length).toBeLessThan(100);
});

test("kind noisy-output: without a terminal there is no escape code and never more than a line a case and a summary", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("passed", "failed", "errored"), { minLength: 1, maxLength: 60 }), fc.constantFrom(undefined, 0, 1, 20, 80), (outcomes, columns) => {
      const on = stage({ env: { NO_COLOR: "1" }, ...(columns === undefined ? {} : { columns }) });
      tell(on, outcomes.map((outcome, at) => (outcome === "errored" ? errored(`s_${at}`, "boom") : completed(`s_${at}`, outcome))));
      expect(on.written()).not.toContain("\u001b");
      expect(on.written().split("\n").length).toBeLessThan(outcomes.length + 60);
    }),
    { numRuns: 40 },
  );
});

test("NO_COLOR and FORCE_COLOR are honoured, each over what the terminal says", () => {
  const colours = (env: Record<string, string>, isTerminal: boolean): boolean => {
    const on = stage({ env: { ...env, CI: "1" }, isTerminal });
    tell(on, [completed("a", "failed")]);
    return on.written().includes("\u001b[31m");
  };
  expect([colours({}, true), colours({}, false), colours({ NO_COLOR: "1" }, true), colours({ FORCE_COLOR: "1" }, false), colours({ FORCE_COLOR: "0" }, true), colours({ TERM: "dumb" }, true), colours({ NO_COLOR: "" }, true)]).toEqual([true, false, false, true, false, false, true]);
});

test.each([40, 80, 160])("no line is wider than a terminal of %i columns, but for the command that is to be copied", (columns) => {
  const on = stage({ columns, isTerminal: true, env: { NO_COLOR: "1", CI: "1" } });
  tell(on, [
    completed("a_scenario_with_a_rather_long_name_of_many_words", "failed", "expected a text that is much longer than the terminal is wide, 日本語のテキストも含めて, and a word_without_any_blank_that_has_to_be_broken_somewhere_because_it_is_too_long"),
    errored("b", "boom"),
    completed("c"),
  ]);
  const lines = on.written().split("\n").filter((line) => !line.includes("npx entail run"));
  expect(lines.filter((line) => textWidth(line) > columns)).toEqual([]);
});

test("case 175: 1,999 of 2,000 is not shown as all, and 1 of 2,000 not as none", () => {
  expect([percent(1999, 2000), percent(1, 2000), percent(2000, 2000), percent(0, 2000)]).toEqual(["99.9%", "0.1%", "100%", "0%"]);
  expect(rate(1999, 2000)).toBe("99.9% (95% interval 99.7% to 99.9%)");
  const on = stage();
  tell(on, [...Array.from({ length: 1999 }, (_, at) => completed(`s_${at}`)), completed("last", "failed")]);
  expect(on.written()).toContain("1,999 of 2,000 measured scenarios passed, 99.9%");
  expect(on.written()).not.toMatch(/100(?:\.0)?%/);
});

test("kind rounding: a rate reads 100% or 0% exactly where it is all or none", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
      for (const k of [Math.round(n * share), n - 1, 1]) {
        expect(percent(k, n) === "100%").toBe(k === n);
        expect(percent(k, n) === "0%").toBe(k === 0);
      }
    }),
  );
});

test("a share of fewer than ten is told in counts alone", () => {
  expect([rate(9, 9), rate(5, 9), rate(10, 10)]).toEqual(["", "", "100% (95% interval 72.2% to 100%)"]);
});

test("the area is drawn below what stays, keeps its width, and is gone at the end", () => {
  const on = stage({ isTerminal: true, columns: 60, env: { NO_COLOR: "1" } });
  const reporter = on.view.suite({ file: "f", suiteId: "chat", hasJudge: true, order: () => [] });
  void reporter.runStarted?.({ runId: "r", suiteId: "chat", startedAt: "", scenarios: 2, trials: 1 });
  on.tick(100);
  expect(on.written()).toBe(" ⠙ chat  ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ calibrating the judge\n");
  void reporter.scenarioStarted?.("a", "");
  void reporter.scenarioStarted?.("b", "");
  void reporter.scenarioFinished?.(completed("b"));
  on.tick(1_500);
  expect(on.written()).toContain("\u001b[1A\r\u001b[0J ⠹ chat  ━━━━━━━━╌╌╌╌╌╌╌╌ 1 of 2\n     a                         1s\n   1s · 1 of 1 slot\n");
  on.pass("user text without an end");
  on.view.note("a note");
  expect(on.written()).toContain("\u001b[3A\r\u001b[0Juser text without an end\n  a note\n");
  on.tick(1_000);
  on.view.rest();
  on.view.close();
  expect(on.written().endsWith("\u001b[3A\r\u001b[0J")).toBe(true);
});

test("after 10 s of silence a plain line says what runs, in CI once a minute", () => {
  const lines = (env: Record<string, string>): string => {
    const on = stage({ env });
    const reporter = on.view.suite({ file: "f", suiteId: "chat", hasJudge: false, order: () => [] });
    void reporter.runStarted?.({ runId: "r", suiteId: "chat", startedAt: "", scenarios: 5, trials: 1 });
    for (const id of ["a", "b", "c", "d"]) void reporter.scenarioStarted?.(id, "");
    for (let second = 0; second < 65; second++) on.tick(1_000);
    return on.written();
  };
  expect(lines({}).split("\n")).toHaveLength(7);
  expect(lines({}).split("\n")[0]).toBe("  … 0 of 5 done; running: a (10.0s), b (10.0s), c (10.0s) and 1 more");
  expect(lines({ CI: "true" })).toBe("  … 0 of 5 done; running: a (1m00s), b (1m00s), c (1m00s) and 1 more\n");
});

test("words of a command that a shell would read otherwise are quoted", () => {
  expect(shellWord("evals/chat.eval.ts")).toBe("evals/chat.eval.ts");
  expect(shellWord("evals/my file's [1].eval.ts")).toBe("'evals/my file'\\''s [1].eval.ts'");
  expect(rerunCommand({ command: "node", flags: ["--trials", "3"] }, "a b.ts", ["x"])).toBe("node 'a b.ts' --scenario x --trials 3");
});

test("a suite that cannot begin is not told as a report that could not be written", () => {
  const on = stage();
  const broken: ReportHead = { ...head([]), error: { code: "selection_no_scenarios", stage: "selection", message: 'suite "chat" has no scenarios' } };
  tell(on, [], { exitCode: 2, suites: [{ file: "evals/chat.eval.ts", head: broken }] });
  expect(on.written()).toContain("▲ not all could run  No scenario ran.");
  const unwritten = stage();
  tell(unwritten, [completed("a")], { exitCode: 2 });
  expect(unwritten.written()).toContain("▲ report not written  The one scenario passed.");
});

test("quiet shows failures and the summary only", () => {
  const on = stage({ quiet: true });
  on.view.note("not shown");
  tell(on, [completed("a"), completed("b", "failed")]);
  expect(on.written().startsWith("\n  ● failed  chat › b  12ms\n      ✗ right")).toBe(true);
  expect(on.written()).not.toContain("not shown");
});
