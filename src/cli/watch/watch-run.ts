// Owns `run --watch`: a process for each run, so that no module is ever an old one, and another run whenever a file that matters changes.

import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Desk } from "../desk.ts";
import { displayPath } from "../path.ts";
import { counted } from "../../report/number-text.ts";
import { createFileGraph, type FileNews } from "./file-graph.ts";
import { watchFiles } from "./watch-files.ts";
import { WATCH_VARIABLE, type WatchOrder } from "./watch-order.ts";

export interface WatchRun {
  /** The words after `node` and its own flags: the command's file, its verb, what follows without `--watch`. */
  readonly words: readonly string[];
  /** The command was given selectors, which a part of the files may not know. */
  readonly selected: boolean;
  readonly desk: Desk;
}

/** A run that ignores its signal for longer is ended. */
const PATIENCE_MS = 8_000;
/** Somebody who saves a file while it runs means another run; for ever nobody does. */
const MAX_REPEATED = 3;
/** What an environment variable may hold on any system. */
const MAX_ORDER = 30_000;

/** Resolves with the exit code once it is ended: 130 or 143 by a signal, that of the last run by the key `q`. */
export function watchRun({ words, selected, desk }: WatchRun): Promise<number> {
  const graph = createFileGraph();
  const failed = new Map<string, readonly string[]>();
  const keys = process.stdin.isTTY && process.stderr.isTTY;
  let child: ChildProcess | undefined;
  let lastCode = 0;
  /** What runs once the present run has gone; `undefined` for nothing. */
  let next: WatchOrder | undefined;
  let running: WatchOrder = {};
  let ending: number | undefined;
  let startedAt = 0;
  let endedAt = 0;
  /** What the present run was started for. */
  let cause: readonly string[] = [];
  /** How many runs in a row a file has caused in which it changed again. */
  const repeated = new Map<string, number>();
  let end: (code: number) => void = () => {};

  const changed = (all: readonly string[]): void => {
    if (ending !== undefined) return;
    const files = all.filter((file) => !isAnswered(file));
    const touched = [...new Set(files.flatMap((file) => (graph.watched().has(file) ? graph.touched(file) : [file])))];
    if (touched.length === 0) return;
    const names = files.slice(0, 3).map((file) => displayPath(file, desk.cwd));
    desk.view.note(`changed: ${names.join(", ")}${files.length > 3 ? ` and ${files.length - 3} more` : ""}`);
    const order: WatchOrder = selected || touched.length === graph.evals().length ? {} : { files: touched };
    cause = files;
    rerun(child === undefined ? order : joined(running, order));
  };
  const watcher = watchFiles(changed);

  /** True for a change that has been answered often enough: a file that changes in every run that it caused is written by a program that a hook starts. */
  const isAnswered = (file: string): boolean => {
    // It may have been written just before the run was over.
    const during = child !== undefined || (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) <= endedAt;
    const times = repeated.get(file) ?? 0;
    if (times >= MAX_REPEATED) return during;
    repeated.set(file, during && cause.includes(file) && !graph.isModule(file) ? times + 1 : 0);
    if (repeated.get(file) !== MAX_REPEATED) return false;
    desk.view.note(`${displayPath(file, desk.cwd)} changes in every run, so it starts another only while nothing runs`);
    return true;
  };

  const rerun = (order: WatchOrder): void => {
    next = next === undefined ? order : joined(next, order);
    if (child === undefined) start();
    else stop(child, "SIGTERM");
  };

  const start = (): void => {
    running = next ?? {};
    next = undefined;
    startedAt = Date.now();
    graph.forget(running.files ?? graph.evals());
    const text = JSON.stringify(running);
    child = spawn(process.execPath, [...process.execArgv, ...words], {
      cwd: desk.cwd,
      env: { ...desk.env, [WATCH_VARIABLE]: text.length > MAX_ORDER ? "{}" : text },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      // A group of its own: Ctrl-C reaches this process alone, which hands it on once.
      detached: process.platform !== "win32",
    });
    child.on("message", (news) => hear(news as FileNews));
    child.on("error", () => over(3));
    child.on("exit", (code, signal) => over(code ?? (signal === "SIGINT" ? 130 : 143)));
  };

  const hear = (news: FileNews): void => {
    if (news.kind === "failed") return void failed.set(news.file, news.ids);
    graph.add(news);
    const missed = watcher.add(graph.watched(), startedAt);
    if (missed.length > 0) changed(missed);
  };

  const over = (code: number): void => {
    if (child === undefined) return;
    child = undefined;
    endedAt = Date.now();
    if (ending !== undefined) return end(ending);
    if (next !== undefined) return start();
    lastCode = code;
    desk.view.note(`watching ${counted(graph.watched().size, "file")}${keys ? "; a runs all, f what did not pass, q ends" : ""}`);
  };

  const finish = (code: number): void => {
    if (child === undefined) return end(code);
    if (ending !== undefined) return void child.kill("SIGKILL");
    ending = code;
    stop(child, code === 143 ? "SIGTERM" : "SIGINT");
  };

  const press = (key: string): void => {
    if (key === "\u0003") finish(130);
    else if (key === "q") finish(child === undefined ? lastCode : 130);
    else if (child !== undefined) return;
    else if (key === "a" || key === "\r") rerun({});
    else if (key === "f") {
      const some = [...failed].filter(([, ids]) => ids.length > 0);
      if (some.length === 0) desk.view.note("nothing failed");
      else rerun({ files: some.map(([file]) => file), scenarios: [...new Set(some.flatMap(([, ids]) => ids))] });
    }
  };

  return new Promise((resolve) => {
    const onInterrupt = (): void => finish(130);
    const onTerminate = (): void => finish(143);
    const onKeys = (bytes: Buffer): void => press(bytes.toString("utf8"));
    end = (code) => {
      watcher.close();
      process.off("SIGINT", onInterrupt).off("SIGTERM", onTerminate);
      if (keys) {
        process.stdin.off("data", onKeys).setRawMode(false);
        process.stdin.pause();
      }
      resolve(code);
    };
    process.on("SIGINT", onInterrupt).on("SIGTERM", onTerminate);
    if (keys) process.stdin.setRawMode(true).on("data", onKeys).resume();
    next = {};
    start();
  });
}

function stop(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.killed) return;
  child.kill(signal);
  const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  child.once("exit", () => clearTimeout(timer));
}

/** Both of them: everything where one of them is everything. */
function joined(a: WatchOrder, b: WatchOrder): WatchOrder {
  if (a.files === undefined || b.files === undefined) return {};
  return { files: [...new Set([...a.files, ...b.files])] };
}

/** The words of a watched run: `argv` as the process has it, without the flag; for an eval file that is its own command, the command's own. */
export function wordsOf(argv: readonly string[], own: { readonly script: string; readonly main: string } | undefined): readonly string[] {
  const words = argv.slice(1).filter((word) => word !== "--watch");
  return own === undefined ? words : [own.main, "run", own.script, ...words.slice(1)];
}

/** The command's own file in this copy of the package. */
export function mainOf(root: string): string {
  return import.meta.url.endsWith(".ts") ? join(root, "src/cli/main.ts") : join(root, "dist/cli/main.js");
}
