// Owns the desk that a verb works at: the streams, the process, what is shown and what is masked. Only here is the environment read.

import { systemClock, type Clock } from "../core/clock.ts";
import type { Warning } from "../core/report.ts";
import type { FlagValues } from "./command-line.ts";
import { checkReporters, readReporters, type ReporterName, type Reporters } from "./reporters.ts";
import { maskedJson } from "../report/form.ts";
import { errorBody } from "./report-parts.ts";
import { type Problem, problemOf } from "./problem.ts";
import { guardProcess, type ProcessGuard } from "./process/guard.ts";
import { hideNodeWarnings } from "./process/node-warning.ts";
import { type StandardOutput, takeStandardOutput } from "./process/standard-output.ts";
import { createMask } from "../core/secret.ts";
import { createScreen, type Screen } from "./terminal/screen.ts";
import { createView, type View } from "./terminal/view.ts";

export interface Desk {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly screen: Screen;
  readonly view: View;
  readonly output: StandardOutput;
  readonly guard: ProcessGuard;
  /** What went wrong outside any suite that could be told. */
  readonly warnings: Warning[];
  readonly mask: (text: string) => string;
  /** Names variables whose values are masked from now on. */
  keepSecret(names: readonly string[]): void;
  readonly reporters: () => Reporters;
  /** The configuration's reporters, which a flag beats. Throws `usage_invalid`. */
  useReporters(names: readonly ReporterName[]): void;
}

export interface DeskOptions {
  readonly flags: FlagValues;
  /** What a person types to run the file again: `npx entail run`, `node`. */
  readonly command: string;
}

/** Flags that a second run of one scenario needs to be the same. */
const KEPT_FLAGS = { "--config": "config", "--env-file": "envFile", "--loader": "loader", "--replay": "replay", "--trials": "trials", "--strict": "strict" } as const;

export function openDesk({ flags, command }: DeskOptions): Desk {
  const { env } = process;
  const cwd = process.cwd();
  const clock = systemClock;
  const named = flags["reporter"] as readonly ReporterName[] | undefined;
  let reporters = readReporters(named ?? [], env);
  let mask = createMask(env);
  const warnings: Warning[] = [];
  const errors = process.stderr;
  const write = errors.write.bind(errors);
  // Whoever closed it does not read: nothing to tell and nobody to tell it to.
  errors.on("error", () => {});

  hideNodeWarnings();
  const screen = createScreen({
    write: (text) => void write(text),
    columns: () => errors.columns,
    isTerminal: errors.isTTY,
    env,
    platform: process.platform,
    mayDraw: () => reporters.shown === "terminal" && flags["quiet"] !== true,
  });
  const view = createView({
    screen,
    clock,
    env,
    quiet: flags["quiet"] === true,
    silent: () => reporters.shown === "none",
    debug: flags["debug"] === true,
    rerun: { command, flags: keptFlags(flags) },
    mask: () => mask,
    every(ms, call) {
      const timer = setInterval(call, ms).unref();
      return () => clearInterval(timer);
    },
  });
  const output = takeStandardOutput(screen.pass);
  if (screen.live()) {
    // What user code writes here would tear the drawn area.
    errors.write = ((chunk: unknown, encoding?: unknown, done?: unknown) => {
      screen.pass(typeof chunk === "string" ? chunk : Buffer.from(chunk as Uint8Array).toString("utf8"));
      const callback = typeof encoding === "function" ? encoding : done;
      if (typeof callback === "function") process.nextTick(callback);
      return true;
    });
  }
  const guard = guardProcess({
    warn(message) {
      const warning: Warning = { code: "late_rejection", message };
      if (warnings.length < 100 && !warnings.some((each) => each.message === message)) warnings.push(warning);
      view.warning(warning);
    },
    leftOpen: (what) => view.note(`the run is over; ended with handles left open: ${what}`),
  });
  process.on("exit", () => view.close());

  return {
    cwd,
    env,
    clock,
    screen,
    view,
    output,
    guard,
    warnings,
    mask: (text) => mask(text),
    keepSecret: (names) => void (mask = createMask(env, names)),
    reporters: () => reporters,
    useReporters(names) {
      const all = named ?? names;
      checkReporters(all, flags["json"] === true);
      reporters = readReporters(all, env);
    },
  };
}

/** Says what is wrong, on standard error and with `--json` on standard output too. Returns the exit code. */
export async function tellProblem(thrown: unknown, desk: Desk, flags: FlagValues): Promise<number> {
  const problem = problemOf(thrown, desk.cwd);
  desk.view.rest();
  desk.view.problem(problem);
  if (flags["json"] === true) await writeJson({ error: errorBody(problem) }, desk);
  return exitCodeFor(problem);
}

/** Whoever closed standard output is not told. */
export async function writeJson(value: unknown, desk: Desk): Promise<void> {
  await desk.output.write(`${JSON.stringify(maskedJson(value, desk.mask), null, 2)}\n`).catch(() => {});
}

/** 2 for what a user can mend, 3 for what nobody foresaw. */
function exitCodeFor({ code }: Problem): number {
  return code === "unexpected" ? 3 : 2;
}

function keptFlags(flags: FlagValues): readonly string[] {
  return Object.entries(KEPT_FLAGS).flatMap(([flag, member]) => {
    const value = flags[member];
    if (value === true) return [flag];
    return typeof value === "string" || typeof value === "number" ? [flag, `${value}`] : [];
  });
}
