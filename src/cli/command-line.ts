// Owns the reading of the command line: a verb, what follows it and its flags, or one sentence on what is wrong with it.

import { Command, CommanderError } from "commander";
import { EntailError } from "../core/error.ts";
import { didYouMean } from "../core/nearest.ts";
import { type Flag, flagMember, flagName, type Verb, VERBS } from "./flag.ts";

/** The values of the flags that were given, by member name (`maxConcurrency`). */
export type FlagValues = Readonly<Record<string, unknown>>;

export type CommandLine =
  | { readonly kind: "verb"; readonly verb: string; readonly operands: readonly string[]; readonly flags: FlagValues }
  /** `code` is 2 where the text stands in for a verb that is missing. */
  | { readonly kind: "text"; readonly text: string; readonly code: 0 | 2 };

/** Reads what follows `entail`. Throws `usage_invalid`. */
export function readCommandLine(argv: readonly string[], version: () => string): CommandLine {
  if (asksForVersion(argv)) return { kind: "text", text: `${version()}\n`, code: 0 };
  let read: CommandLine | undefined;
  const program = silent(new Command("entail")).description("Evaluates LLM agents: exact checks, judged claims, a report a team can trust.").usage("<verb> [options]").helpCommand(false);
  program.option("--version", "Print the version.");
  for (const verb of VERBS) {
    // Only those that were given: to make options of all costs three milliseconds of every run.
    const flags = verb.name !== argv[0] ? [] : argv.includes("--help") ? verb.flags : verb.flags.filter((flag) => isGiven(flag, argv));
    const command = addFlags(silent(program.command(`${verb.name}${verb.operand === undefined ? "" : ` ${verb.operand}`}`)).description(verb.description), flags);
    // A verb that takes none says so itself.
    command.allowExcessArguments().action(() => {
      read = { kind: "verb", verb: verb.name, operands: command.args, flags: command.opts() };
    });
  }
  const text = parse(program, argv, VERBS.find((verb) => verb.name === argv[0]));
  if (text !== undefined) return text;
  return read ?? { kind: "text", text: program.helpInformation(), code: 2 };
}

/** Reads the flags of a verb alone, for a file that is its own command. Throws `usage_invalid`. */
export function readFlags(verb: Verb, name: string, argv: readonly string[], version: () => string): CommandLine {
  if (asksForVersion(argv)) return { kind: "text", text: `${version()}\n`, code: 0 };
  const command = addFlags(silent(new Command(name)), verb.flags).allowExcessArguments(false);
  return parse(command, argv, verb) ?? { kind: "verb", verb: verb.name, operands: [], flags: command.opts() };
}

function parse(command: Command, argv: readonly string[], verb: Verb | undefined): CommandLine | undefined {
  let help = "";
  const output = { writeOut: (text: string) => void (help += text), writeErr: () => {} };
  for (const each of [command, ...command.commands]) each.configureOutput(output);
  checkWords(argv, verb);
  try {
    command.parse(settleOptional(argv, verb), { from: "user" });
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.code === "commander.helpDisplayed") return { kind: "text", text: help, code: 0 };
    if (thrown.code === "commander.help") return { kind: "text", text: command.helpInformation(), code: 2 };
    throw new EntailError("usage_invalid", sentence(thrown, verb), { cause: thrown });
  }
}

/** A switch with a value, and a flag beside the one that takes it back: neither says what is wanted. */
function checkWords(argv: readonly string[], verb: Verb | undefined): void {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  const names = (verb?.flags ?? []).map((flag) => ({ name: flagName(flag), isSwitch: flag.read === undefined }));
  for (const { name, isSwitch } of names) {
    if (isSwitch && words.some((word) => word.startsWith(`${name}=`))) throw new EntailError("usage_invalid", `${name} takes no value: give it alone, or leave it out`);
    const opposite = `--no-${name.slice(2)}`;
    const isGiven = words.some((word) => word === name || word.startsWith(`${name}=`));
    if (isGiven && words.includes(opposite) && names.some((other) => other.name === opposite)) throw new EntailError("usage_invalid", `${name} and ${opposite} cannot be given together`);
  }
}

function sentence(error: CommanderError, verb: Verb | undefined): string {
  const word = /'([^]*)'/.exec(error.message)?.[1] ?? "";
  const name = word.split(/[= ]/)[0] ?? word;
  switch (error.code) {
    case "commander.unknownOption":
      return `there is no flag ${name}${verb === undefined ? "" : ` for ${verb.name}`}${didYouMean(name, (verb?.flags ?? []).map(flagName))}`;
    case "commander.unknownCommand":
      return `there is no verb ${JSON.stringify(word)}${didYouMean(word, VERBS.map((each) => each.name)) || "; entail --help lists them"}`;
    case "commander.optionMissingArgument":
      return `${name} needs a value: ${word}`;
    case "commander.excessArguments":
      return "a file that is run directly takes flags alone; entail run takes paths";
    default:
      return error.message.replace(/^error: /, "").replaceAll("\n", " ");
  }
}

/** `--bail` takes its value only where the next word is a number, so that `--bail evals/` keeps its path. */
function settleOptional(argv: readonly string[], verb: Verb | undefined): string[] {
  const optional = new Map((verb?.flags ?? []).filter((flag) => flag.alone !== undefined).map((flag) => [flagName(flag), flag]));
  return argv.map((word, at) => {
    const flag = optional.get(word);
    return flag === undefined || (flag.mayFollow ?? /^-?[\d.]/).test(argv[at + 1] ?? "") ? word : `${word}=${String(flag.alone)}`;
  });
}

function isGiven(flag: Flag, argv: readonly string[]): boolean {
  const name = flagName(flag);
  return argv.some((word) => word === name || word.startsWith(`${name}=`));
}

function asksForVersion(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end === -1 ? undefined : end).includes("--version");
}

function silent(command: Command): Command {
  return command.exitOverride().showSuggestionAfterError(false).helpOption("--help", "Print this.");
}

function addFlags(command: Command, flags: readonly Flag[]): Command {
  for (const flag of flags) {
    const { read } = flag;
    const description = `${flag.description}${flag.otherwise === undefined ? "" : ` Without it: ${flag.otherwise}.`}`.replaceAll("`", "");
    if (read === undefined) {
      command.option(flag.usage, description);
      continue;
    }
    const name = flagName(flag);
    command.option(flag.usage, description, (text: string, before: unknown) => {
      const value = read(name, text);
      return flag.repeatable === true ? [...((before as unknown[] | undefined) ?? []), value] : value;
    });
  }
  return command;
}

/** The value of one flag, where it was given. */
export function flagValue(flags: FlagValues, flag: Flag): unknown {
  return flags[flagMember(flag)];
}
