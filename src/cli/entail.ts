// Owns the command: it reads the line, opens a desk and hands over to one verb, whose file alone is loaded.

import { type CommandLine, readCommandLine } from "./command-line.ts";
import { type Desk, openDesk, tellProblem } from "./desk.ts";
import { ownPackage } from "./own-package.ts";
import { startWatchdog, type Watchdog } from "./process/watchdog.ts";

/** Runs the command and ends the process with its exit code. `watchdog` is there where one was started early. Never rejects. */
export async function runEntail(argv: readonly string[], watchdog?: Watchdog): Promise<void> {
  const asked = { json: argv.includes("--json"), debug: argv.includes("--debug") };
  let line: CommandLine;
  try {
    line = readCommandLine(argv, () => ownPackage().version);
  } catch (thrown) {
    const desk = openDesk({ flags: asked, command: "npx entail run" });
    return desk.guard.finish(await tellProblem(thrown, desk, asked));
  }
  if (line.kind === "text") return printText(line);
  const desk = openDesk({ flags: line.flags, command: "npx entail run" });
  try {
    desk.guard.finish(await runVerb(line, desk, watchdog));
  } catch (thrown) {
    desk.guard.finish(await tellProblem(thrown, desk, line.flags));
  }
}

async function runVerb({ verb, operands, flags }: Extract<CommandLine, { kind: "verb" }>, desk: Desk, watchdog: Watchdog | undefined): Promise<number> {
  switch (verb) {
    case "init":
      return (await import("./command/init.ts")).init(operands, flags, desk);
    case "gen":
      return (await import("./command/gen.ts")).gen(operands, flags, desk);
    case "example":
      return (await import("./command/example.ts")).example(operands, flags, desk);
    case "list":
      return (await import("./command/list.ts")).list(operands, flags, desk);
    case "show":
      return (await import("./command/show.ts")).show(operands, flags, desk);
    case "export":
      return (await import("./command/export.ts")).exportRuns(operands, flags, desk);
    case "import":
      return (await import("./command/import.ts")).importRuns(operands, flags, desk);
    case "store":
      return (await import("./command/store.ts")).store(operands, flags, desk);
    case "compare":
      return (await import("./command/compare.ts")).compare(operands, flags, desk);
    case "baseline":
      return (await import("./command/baseline.ts")).baseline(operands, flags, desk);
    case "lint":
      return (await import("./command/lint.ts")).lint(operands, flags, desk);
    case "judge":
      return (await import("./command/judge.ts")).judge(operands, flags, desk);
    case "view":
      return (await import("./command/view.ts")).view(operands, flags, desk);
    case "resume":
      return (await import("./command/resume.ts")).resume(operands, flags, desk, watchdog ?? startWatchdog());
    case "rejudge":
      return (await import("./command/rejudge.ts")).rejudge(operands, flags, desk, watchdog ?? startWatchdog());
    case "gateway":
      return (await import("./command/gateway.ts")).gateway(operands, flags, desk);
    default:
      return (await import("./command/run.ts")).run({ kind: "paths", operands }, flags, desk, watchdog ?? startWatchdog());
  }
}

/** Help and version: to whoever asked for it, or as the answer to a line without a verb. */
export function printText({ text, code }: Extract<CommandLine, { kind: "text" }>): void {
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exitCode = code;
}

