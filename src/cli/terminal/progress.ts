// Owns how far an invocation has got: what runs, what is done, how long it may still take, how long nothing was said, and how that looks.

import type { Clock } from "../../core/clock.ts";
import { formatDuration } from "../../core/duration.ts";
import type { Outcome } from "../../core/outcome.ts";
import { counted } from "../../report/number-text.ts";
import type { Marks, Paint } from "./style.ts";
import { cut, padEnd, textWidth } from "./text-width.ts";

export interface Running {
  /** When it began, in the clock's elapsed milliseconds. */
  readonly since: number;
  /** By the store's measures. */
  readonly expectedMs: number | undefined;
}

export interface SuiteProgress {
  readonly name: string;
  /** `undefined` until it has started. */
  total: number | undefined;
  readonly outcomes: Map<Outcome, number>;
  /** By scenario. */
  readonly running: Map<string, Running>;
  /** What goes on before its first scenario. */
  phase: string | undefined;
  /** Milliseconds that scenarios without an end take by the store's measures, and how many of them it has not measured. */
  readonly left: { knownMs: number; unknown: number };
  /** Measured milliseconds of this run, and over how many scenarios. */
  readonly spent: { ms: number; scenarios: number };
}

export interface Progress {
  readonly suites: readonly SuiteProgress[];
  /** What goes on before any suite. */
  phase: string | undefined;
  /** When the first suite began, in the clock's elapsed milliseconds. */
  since: number | undefined;
  /** How many scenarios may run at once. */
  slots: number;
  /** US dollars so far; `undefined` while nothing is known of it. */
  readonly cost: { subject: number | undefined; judge: number | undefined };
}

const MAX_RUNNING = 6;
const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const PLAIN_FRAMES = "|/-\\";

export function doneOf(suite: SuiteProgress): number {
  let done = 0;
  for (const count of suite.outcomes.values()) done += count;
  return done;
}

/** The lines of the drawn area, none wider than `width`. `frame` turns the one moving sign. */
export function progressLines(progress: Progress, clock: Clock, width: number, paint: Paint, marks: Marks, frame: number): string[] {
  const frames = marks.rule === "-" ? PLAIN_FRAMES : FRAMES;
  const turning = frames[frame % frames.length] ?? "";
  const started = progress.suites.filter((suite) => suite.total !== undefined && doneOf(suite) < suite.total);
  if (started.length === 0) return progress.phase === undefined ? [] : [` ${turning} ${cut(progress.phase, width - 4)}`];
  const nameWidth = Math.min(24, Math.max(...started.map((suite) => textWidth(suite.name))));
  const lines = started.slice(0, 8).map((suite, at) => {
    const total = suite.total ?? 0;
    const done = doneOf(suite);
    const bar = width >= 60 ? `${barText(done, total, 16, marks)} ` : "";
    const left = ` ${at === 0 ? turning : " "} ${padEnd(cut(suite.name, nameWidth), nameWidth)}  ${bar}`;
    const rest = suite.phase ?? `${done} of ${total}${troubleText(suite, marks)}`;
    return paint("plain", left) + cut(rest, Math.max(0, width - 1 - textWidth(left)));
  });
  if (started.length > 8) lines.push(paint("mute", cut(`   and ${counted(started.length - 8, "more suite")}`, width - 1)));
  const running = runningNow(progress, clock);
  for (const { name, ms } of running.slice(0, MAX_RUNNING)) {
    // Whole seconds only, so that lines change once a second.
    const time = ms < 1_000 ? "" : wholeSeconds(ms);
    const room = Math.max(0, Math.min(width - 8 - time.length, 60));
    lines.push(paint("mute", `     ${padEnd(cut(name, room), time === "" ? 0 : Math.min(room, Math.max(nameWidth + 18, 24)))}  ${time}`.trimEnd()));
  }
  if (running.length > MAX_RUNNING) lines.push(paint("mute", cut(`     and ${running.length - MAX_RUNNING} more`, width - 1)));
  const footing = footingText(progress, clock, running.length, width - 4);
  if (footing !== "") lines.push(paint("mute", `   ${footing}`));
  return lines;
}

/** `12s · about 40s left · 4 of 5 slots · agent $0.0123`, as many of them as fit. */
function footingText(progress: Progress, clock: Clock, running: number, width: number): string {
  if (progress.since === undefined || running === 0) return "";
  const left = timeLeft(progress, clock);
  const dollars = (cost: number): string => `$${cost.toFixed(cost < 1 ? 4 : 2)}`;
  const { subject, judge } = progress.cost;
  const parts = [
    wholeSeconds(clock.elapsed() - progress.since),
    left === undefined ? "" : `about ${wholeSeconds(left)} left`,
    `${Math.min(running, progress.slots)} of ${counted(progress.slots, "slot")}`,
    subject === undefined ? "" : `agent ${dollars(subject)}`,
    judge === undefined ? "" : `judge ${dollars(judge)}`,
  ].filter((part) => part !== "");
  let text = "";
  for (const part of parts) {
    const longer = text === "" ? part : `${text} · ${part}`;
    if (textWidth(longer) > width) break;
    text = longer;
  }
  return text;
}

/** Milliseconds that are left, by what the store measured and else by the mean of this run; `undefined` where that says nothing. */
export function timeLeft(progress: Progress, clock: Clock): number | undefined {
  let left = 0;
  for (const { total, left: rest, spent, running } of progress.suites) {
    if (total === undefined) continue;
    if (rest.unknown > 0 && spent.scenarios === 0) return undefined;
    const mean = spent.scenarios === 0 ? 0 : spent.ms / spent.scenarios;
    left += rest.knownMs + rest.unknown * mean;
    // What runs has done a part of it, and never more than all of its own.
    for (const { since, expectedMs = mean } of running.values()) left -= Math.min(clock.elapsed() - since, expectedMs);
  }
  const ms = left / Math.max(1, progress.slots);
  // Less than a second is over before it is read, and where all took longer than expected nothing is known.
  return ms < 1_000 ? undefined : ms;
}

function wholeSeconds(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  return seconds < 60 ? `${seconds}s` : formatDuration(seconds * 1_000);
}

function barText(done: number, total: number, width: number, marks: Marks): string {
  // A bar is full only when all is done.
  const full = total === 0 ? width : Math.floor((width * done) / total);
  const [on, off] = marks.rule === "-" ? ["#", "."] : ["━", "╌"];
  return on.repeat(full) + off.repeat(width - full);
}

function troubleText(suite: SuiteProgress, marks: Marks): string {
  return (["failed", "errored"] as const)
    .map((outcome) => [outcome, suite.outcomes.get(outcome) ?? 0] as const)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `  ${marks.outcome(outcome).sign} ${count} ${outcome}`)
    .join("");
}

/** What runs, the longest first. */
function runningNow(progress: Progress, clock: Clock): readonly { readonly name: string; readonly ms: number }[] {
  const now = clock.elapsed();
  const several = progress.suites.length > 1;
  return progress.suites
    .flatMap((suite) => [...suite.running].map(([id, { since }]) => ({ name: several ? `${suite.name} › ${id}` : id, ms: now - since })))
    .sort((a, b) => b.ms - a.ms);
}

/** One plain line for a log in which nothing was said for a while. */
export function silenceLine(progress: Progress, clock: Clock): string {
  const running = runningNow(progress, clock);
  const total = progress.suites.reduce((sum, suite) => sum + (suite.total ?? 0), 0);
  const done = progress.suites.reduce((sum, suite) => sum + doneOf(suite), 0);
  const phase = progress.suites.find((suite) => suite.phase !== undefined)?.phase ?? progress.phase;
  if (running.length === 0) return `… ${phase ?? "waiting"}`;
  const names = running.slice(0, 3).map(({ name, ms }) => `${name} (${formatDuration(ms)})`);
  const more = running.length > 3 ? ` and ${running.length - 3} more` : "";
  const left = timeLeft(progress, clock);
  return `… ${done} of ${total} done${left === undefined || done === 0 ? "" : `, about ${wholeSeconds(left)} left`}; running: ${names.join(", ")}${more}`;
}
