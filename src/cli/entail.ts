// Owns the command: it reads the line, opens a desk and hands over to one verb, whose file alone is loaded.

import { type CommandLine, readCommandLine } from "./command-line.ts";
import { type Desk, openDesk, tellProblem } from "./desk.ts";
import { ownPackage } from "./own-package.ts";
import { startWatchdog } from "./process/watchdog.ts";

/** Runs the command and ends the process with its exit code. Never rejects. */
export async function runEntail(argv: readonly string[]): Promise<void> {
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
    desk.guard.finish(await runVerb(line, desk));
  } catch (thrown) {
    desk.guard.finish(await tellProblem(thrown, desk, line.flags));
  }
}

async function runVerb({ verb, operands, flags }: Extract<CommandLine, { kind: "verb" }>, desk: Desk): Promise<number> {
  switch (verb) {
    case "gen":
      return (await import("./command/gen.ts")).gen(operands, flags, desk);
    case "example":
      return (await import("./command/example.ts")).example(operands, flags, desk);
    case "list":
      return (await import("./command/list.ts")).list(operands, flags, desk);
    default: {
      const watchdog = startWatchdog();
      return (await import("./command/run.ts")).run({ kind: "paths", operands }, flags, desk, watchdog);
    }
  }
}

/** Help and version: to whoever asked for it, or as the answer to a line without a verb. */
export function printText({ text, code }: Extract<CommandLine, { kind: "text" }>): void {
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exitCode = code;
}

