// Owns the direct run of an eval file: `node evals/chat.eval.ts --tag production`, with the flags and exit codes of `entail run`.

import { isMainThread } from "node:worker_threads";
import { type CommandLine, readFlags } from "./command-line.ts";
import { openDesk, tellProblem } from "./desk.ts";
import { printText } from "./entail.ts";
import { VERBS } from "./flag.ts";
import { ownPackage } from "./own-package.ts";
import { displayPath } from "./path.ts";
import { startWatchdog } from "./process/watchdog.ts";

/** Runs the evaluations that `script`, the process's own script, exports. Never rejects; nothing in a thread that a hook started from the same file. */
export async function runDirectly(script: string): Promise<void> {
  if (!isMainThread) return;
  const argv = process.argv.slice(2);
  const verb = VERBS.find(({ name }) => name === "run");
  if (verb === undefined) return;
  const asked = { json: argv.includes("--json"), debug: argv.includes("--debug") };
  let line: CommandLine;
  try {
    line = readFlags(verb, `node ${displayPath(script, process.cwd())}`, argv, () => ownPackage().version);
  } catch (thrown) {
    const desk = openDesk({ flags: asked, command: "node" });
    return desk.guard.finish(await tellProblem(thrown, desk, asked));
  }
  if (line.kind === "text") return printText(line);
  const desk = openDesk({ flags: line.flags, command: "node" });
  try {
    const watchdog = startWatchdog();
    const { run } = await import("./command/run.ts");
    desk.guard.finish(await run({ kind: "direct", script }, line.flags, desk, watchdog));
  } catch (thrown) {
    desk.guard.finish(await tellProblem(thrown, desk, line.flags));
  }
}
