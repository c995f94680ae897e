// Owns the life of the process while the command works: user code does not end it, and it never ends green before its work is done.

import { writeSync } from "node:fs";
import { currentTrial } from "../../core/current-trial.ts";
import { EntailError, messageOf } from "../../core/error.ts";

export interface ProcessGuard {
  /** The work is done: the process ends with `code`, whatever user code does to the exit code or leaves open. */
  finish(code: number): void;
  /** Ends the process now. */
  readonly end: (code: number) => never;
}

/** Nothing was concluded. */
const UNFINISHED = 3;
/** How long a process whose work is done waits for what user code left open. */
const PATIENCE_MS = 100;

/**
 * `warn` is told of a promise that was rejected and of an error that was thrown where nobody handled it, outside any trial that is
 * still there to be told. `leftOpen` is told what still keeps the process alive when its work is done.
 */
export function guardProcess(options: { readonly warn: (message: string) => void; readonly leftOpen: (what: string) => void }): ProcessGuard {
  const exit = process.exit.bind(process);
  let code: number | undefined;

  process.exit = ((asked?: string | number) => {
    if (code !== undefined) exit(code);
    throw new EntailError("hook_threw", `process.exit(${asked ?? ""}) was called; only entail ends the process, so throw an error instead`);
  });

  process.on("exit", () => {
    process.exitCode = code ?? UNFINISHED;
    if (code === undefined) writeSync(2, "error  the process ended before the run was over: something ended it, or the run waits for what never comes\n");
  });

  const unhandled = (thrown: unknown, what: string): void => {
    const message = `${what}: ${messageOf(thrown)}`;
    if (code === undefined && currentTrial()?.warn("late_rejection", message) !== true) options.warn(message);
  };
  process.on("unhandledRejection", (reason) => unhandled(reason, "a promise was rejected and nobody handled it"));
  process.on("uncaughtException", (thrown) => unhandled(thrown, "an error was thrown where nobody could catch it"));

  return {
    finish(finalCode) {
      code = finalCode;
      process.exitCode = finalCode;
      // After every other listener: Node would take down what the system takes down anyway, and close a database that is safe as it is open, which waits for the disk.
      process.once("exit", () => exit(finalCode));
      // Unreferenced: a process that nothing keeps alive ends at once.
      setTimeout(() => {
        options.leftOpen(openHandles());
        exit(finalCode);
      }, PATIENCE_MS).unref();
    },
    end(finalCode) {
      code = finalCode;
      return exit(finalCode);
    },
  };
}

function openHandles(): string {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) {
    if (name !== "TTYWrap" && name !== "PipeWrap") counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => (count === 1 ? name : `${count} ${name}`)).join(", ");
}
