// Owns the terminal reporter of an invocation: progress while its suites run, then every failure in full, then the summary.

import type { Clock } from "../../core/clock.ts";
import { formatDuration } from "../../core/duration.ts";
import type { ScenarioReport, Warning } from "../../core/report.ts";
import type { Reporter } from "../../core/reporter.ts";
import type { Problem } from "../problem.ts";
import { createFailureList, type FailureGroup } from "./failure-list.ts";
import { type Clean, writeFailure } from "./failure-text.ts";
import { thousands } from "../../report/number-text.ts";
import { createPage, type Page } from "./page.ts";
import { printable, printableLine } from "./printable.ts";
import { type Progress, progressLines, silenceLine, type SuiteProgress } from "./progress.ts";
import { firstReason, reasonsOf } from "../../report/reason.ts";
import { type Rerun, rerunCommand } from "./rerun-command.ts";
import { inCi, type Screen } from "./screen.ts";
import { type Ending, writeEnding, writeSuite } from "./summary-text.ts";
import { cut } from "./text-width.ts";

export interface ViewOptions {
  readonly screen: Screen;
  readonly clock: Clock;
  readonly env: NodeJS.ProcessEnv;
  /** Nothing but failures and the summary. */
  readonly quiet: boolean;
  /** Nothing but what the command itself has to say: its problems. */
  readonly silent: () => boolean;
  readonly debug: boolean;
  readonly rerun: Rerun;
  readonly mask: () => (text: string) => string;
  /** Calls again and again without keeping the process alive; gives back what stops it. */
  readonly every: (ms: number, call: () => void) => () => void;
}

export interface SuiteView {
  readonly file: string;
  readonly suiteId: string;
  /** That a second run of its scenarios needs beside those of the command. */
  readonly flags?: readonly string[] | undefined;
  readonly hasJudge: boolean;
  /** The ids of the selected scenarios. */
  readonly order: () => readonly string[];
  /** How many scenarios of all suites may run at once; 1 when absent. */
  readonly slots?: number | undefined;
  /** Milliseconds that one trial took in earlier runs, where that is known. */
  readonly durationOf?: ((id: string) => number | undefined) | undefined;
}

export interface View {
  /** What goes on before any suite runs. */
  phase(text: string | undefined): void;
  /** The reporter of one suite of the invocation, in their order. */
  suite(about: SuiteView): Reporter;
  problem(problem: Problem): void;
  warning(warning: Warning): void;
  note(text: string): void;
  /** The first interrupt was heard. */
  readonly interrupted: (signal: string) => void;
  /** Draws nothing more: something else is about to be written to the same terminal. */
  rest(): void;
  /** Tells failures and summary. */
  finish(ending: Ending): void;
  close(): void;
}

const FRAME_MS = 100;
const SILENCE_MS = 10_000;
const SILENCE_IN_CI_MS = 60_000;
const MAX_COMMAND_SCENARIOS = 5;
const MAX_UNSTOPPED = 10;

export function createView({ screen, clock, env, quiet, silent, debug, rerun, mask, every }: ViewOptions): View {
  const { paint, marks } = screen;
  const suites: SuiteProgress[] = [];
  const progress: Progress = { suites, phase: undefined, since: undefined, slots: 1, cost: { subject: undefined, judge: undefined } };
  const about: { readonly file: string; readonly suiteId: string; readonly flags: readonly string[] | undefined; readonly order: () => readonly string[] }[] = [];
  const failures = createFailureList();
  const warned = new Set<string>();
  const clean: Clean = { text: (text) => printable(mask()(text)), line: (text) => printableLine(mask()(text)) };
  const unstopped: string[] = [];
  let spoken = clock.elapsed();
  let frame = 0;
  let stop: (() => void) | undefined;

  const say = (write: (page: Page) => void): void => {
    const page = createPage(screen.width(), paint);
    write(page);
    spoken = clock.elapsed();
    screen.print(page.lines());
  };

  const tick = (): void => {
    frame += 1;
    if (screen.live()) return screen.draw(progressLines(progress, clock, screen.width(), paint, marks, frame));
    if (clock.elapsed() - spoken < (inCi(env) ? SILENCE_IN_CI_MS : SILENCE_MS)) return;
    say((page) => page.text(2, "mute", silenceLine(progress, clock)));
  };
  const watch = (): void => {
    if (quiet || silent()) return;
    stop ??= every(screen.live() ? FRAME_MS : 1_000, tick);
  };

  const name = (suite: number, id: string): string => `${clean.line(about[suite]?.suiteId ?? "")} ${marks.arrow} ${clean.line(id)}`;

  /** One line as it happens, for the first of its kind; all of it comes at the end. */
  const scenarioFinished = (suite: number, report: ScenarioReport): void => {
    const state = suites[suite];
    if (state === undefined) return;
    state.running.delete(clean.line(report.id));
    if (report.startedAt !== undefined) {
      state.spent.ms += report.durationMs;
      state.spent.scenarios += 1;
    }
    for (const who of ["subject", "judge"] as const) {
      const cost = report.usage?.[who]?.cost;
      if (cost !== undefined) progress.cost[who] = (progress.cost[who] ?? 0) + cost;
    }
    state.outcomes.set(report.outcome, (state.outcomes.get(report.outcome) ?? 0) + 1);
    if (wasCut(report) && unstopped.length < MAX_UNSTOPPED) unstopped.push(name(suite, report.id));
    if (silent() || !isTold(report)) return;
    const first = failures.add({ suite, id: report.id }, report, likeness(report, clean));
    if (!first || quiet) return;
    const mark = marks.outcome(report.outcome);
    const reason = clean.line(firstReason(report).slice(0, 2_000).replaceAll(/\s*\n\s*/g, " "));
    const head = `${mark.sign} ${report.outcome}  ${name(suite, report.id)}  ${formatDuration(report.durationMs)}`;
    const beside = screen.width() - 4 - head.length;
    const room = Math.min(200, beside < 24 ? screen.width() - 4 : beside);
    say((page) => page.row(2, [mark.tone, `${mark.sign} ${report.outcome}`], ["strong", name(suite, report.id)], ["mute", formatDuration(report.durationMs)], ["plain", cut(reason, room)]));
  };

  const warning = ({ code, message, scenario }: Warning): void => {
    const key = JSON.stringify([code, message]);
    if (silent() || warned.has(key)) return;
    warned.add(key);
    const about = scenario === undefined || message.includes(JSON.stringify(scenario)) ? "" : `${clean.line(scenario)}: `;
    say((page) => page.labelled(2, "warning", about + clean.line(message), "warn"));
  };

  const writeGroup = (page: Page, { outcome, report, scenarios, count }: FailureGroup): void => {
    const [first] = scenarios;
    const mark = marks.outcome(outcome);
    page.blank();
    if (count === 1) page.row(2, [mark.tone, `${mark.sign} ${outcome}`], ["strong", name(first?.suite ?? 0, report.id)], ["mute", formatDuration(report.durationMs)]);
    else {
      page.row(2, [mark.tone, `${mark.sign} ${outcome} ${marks.times} ${thousands(count)}`], ["strong", `${thousands(count)} scenarios, for the same reason`]);
      const names = scenarios.slice(0, 12).map(({ suite, id }) => name(suite, id));
      page.text(6, "plain", `${names.join(", ")}${count > 12 ? ` and ${thousands(count - 12)} more` : ""}`);
    }
    if (report.knownFailure !== undefined) page.text(6, "mute", `known to fail: ${clean.line(report.knownFailure)}`);
    writeFailure(page, report, marks, clean, 6);
    page.blank();
    const file = about[first?.suite ?? 0]?.file ?? "";
    const own = about[first?.suite ?? 0]?.flags ?? [];
    const sameFile = scenarios.filter(({ suite }) => about[suite]?.file === file && (about[suite]?.flags ?? []).join() === own.join()).map(({ id }) => id);
    page.raw(6, "mute", clean.line(file));
    page.raw(6, "accent", clean.line(rerunCommand({ ...rerun, flags: [...rerun.flags, ...own] }, file, count > MAX_COMMAND_SCENARIOS ? sameFile.slice(0, 1) : sameFile)));
  };

  return {
    phase(text) {
      progress.phase = text;
      if (text !== undefined) watch();
    },
    suite({ file, suiteId, flags, hasJudge, order, slots = 1, durationOf }) {
      const suite = suites.length;
      const state: SuiteProgress = { name: clean.line(suiteId), total: undefined, outcomes: new Map(), running: new Map(), phase: undefined, left: { knownMs: 0, unknown: 0 }, spent: { ms: 0, scenarios: 0 } };
      suites.push(state);
      progress.slots = Math.max(progress.slots, slots);
      let trials = 1;
      const expected = (id: string): number | undefined => {
        const ms = durationOf?.(id);
        return ms === undefined ? undefined : ms * trials;
      };
      const expect = (id: string, sign: 1 | -1): void => {
        const ms = expected(id);
        if (ms === undefined) state.left.unknown += sign;
        else state.left.knownMs += sign * ms;
      };
      about.push({ file, suiteId, flags, order });
      return {
        name: "terminal",
        runStarted(run) {
          state.total = run.scenarios;
          trials = Math.max(1, run.trials);
          if (durationOf === undefined) state.left.unknown = run.scenarios;
          else for (const id of order()) expect(id, 1);
          progress.since ??= clock.elapsed();
          if (hasJudge) state.phase = "calibrating the judge";
          watch();
        },
        scenarioStarted(id) {
          state.phase = undefined;
          state.running.set(clean.line(id), { since: clock.elapsed(), expectedMs: expected(id) });
        },
        scenarioFinished(report) {
          expect(report.id, -1);
          scenarioFinished(suite, report);
        },
        warning,
      };
    },
    problem({ code, message, file, place, stack }) {
      say((page) => {
        page.labelled(2, "error", clean.text(message).trimEnd(), "bad");
        const where = place ?? file;
        if (where !== undefined && !message.includes(where)) page.row(9, ["mute", "at"], ["accent", clean.line(where)]);
        if (debug && stack !== undefined) for (const line of clean.text(`${code}: ${stack}`).split("\n")) page.raw(4, "mute", line);
      });
    },
    warning,
    note(text) {
      if (!silent() && !quiet) say((page) => page.text(2, "mute", clean.line(text)));
    },
    interrupted(signal) {
      say((page) => page.text(2, "warn", `${signal === "SIGINT" ? "interrupted" : "terminated"}: what runs is being stopped and the report written; a second ${signal === "SIGINT" ? "Ctrl-C" : "signal"} ends the process at once`));
    },
    rest() {
      stop?.();
      screen.draw([]);
    },
    finish(ending) {
      if (silent()) return;
      say((page) => {
        for (const group of sorted(failures.groups(), about)) writeGroup(page, group);
        if (failures.untold() > 0) {
          page.blank();
          page.text(2, "warn", `${thousands(failures.untold())} more did not pass; the JSON report has them all`);
        }
        page.blank();
        if (failures.groups().length > 0) {
          page.raw(2, "mute", marks.rule.repeat(Math.max(0, Math.min(screen.width() - 4, 76))));
        }
        if (!quiet || ending.suites.length > 1) for (const suite of ending.suites) writeSuite(page, suite, marks, clean);
        if (ending.compared !== undefined) {
          page.blank();
          ending.compared.write(page, marks, clean);
        }
        page.blank();
        writeEnding(page, ending, unstopped, marks, clean);
      });
    },
    close() {
      stop?.();
      screen.close();
    },
  };
}

/** Passing rows are folded into a count; so are those that never ran, unless their author says why or a known failure is among them. */
function isTold(report: ScenarioReport): boolean {
  return report.outcome === "failed" || report.outcome === "errored" || (report.outcome === "scored" && reasonsOf(report).reasons.length > 0);
}

/** It ran when its deadline or the end of the run came. */
function wasCut({ error, startedAt }: ScenarioReport): boolean {
  return error?.code === "deadline_exceeded" || (startedAt !== undefined && error !== undefined && ["cancelled", "max_time_reached"].includes(error.code));
}

/** What two scenarios that failed alike have in common, as text. */
function likeness(report: ScenarioReport, clean: Clean): string {
  return clean.line(JSON.stringify([reasonsOf(report).reasons, report.knownFailure]));
}

function sorted(groups: readonly FailureGroup[], about: readonly { readonly order: () => readonly string[] }[]): readonly FailureGroup[] {
  const orders = new Map<number, ReadonlyMap<string, number>>();
  const place = ({ scenarios: [first] }: FailureGroup): readonly [number, number] => {
    const suite = first?.suite ?? 0;
    let order = orders.get(suite);
    if (order === undefined) orders.set(suite, (order = new Map((about[suite]?.order() ?? []).map((id, at) => [id, at]))));
    return [suite, order.get(first?.id ?? "") ?? 0];
  };
  return [...groups].sort((a, b) => {
    const [suiteA, atA] = place(a);
    const [suiteB, atB] = place(b);
    return suiteA - suiteB || atA - atB;
  });
}
