// Owns the flags of every verb: one table each, from which the command line is read, `--help` is printed and the reference page is held.

import { duration, oneOf, type ReadValue, text, wholeNumber } from "./flag-value.ts";

export interface Flag<Value = unknown> {
  /** As a person types it: `--max-concurrency <n>`, `--bail [n]`, `--json`. */
  readonly usage: string;
  readonly description: string;
  /** How its value is read. A flag without one is a switch. */
  readonly read?: ReadValue<Value> | undefined;
  /** May be given several times; all values are kept. */
  readonly repeatable?: boolean | undefined;
  /** The value of `[n]` when the flag stands alone. */
  readonly alone?: Value | undefined;
  /** What holds without the flag, in words. */
  readonly otherwise?: string | undefined;
}

export const LOADERS = ["auto", "node", "jiti", "tsx"] as const;
export type Loader = (typeof LOADERS)[number];

export const REPORTER_NAMES = ["terminal", "plain", "none"] as const;
export type ReporterName = (typeof REPORTER_NAMES)[number];

const CONFIG: Flag = { usage: "--config <file>", description: "Read this configuration.", read: text, otherwise: "`entail.config.ts` in the working folder or above it, up to the repository's root" };
const ENV_FILE: Flag = { usage: "--env-file <file>", description: "Read environment variables from this file first; those that are set already keep their value.", read: text };
const LOADER: Flag = { usage: "--loader <name>", description: "What reads TypeScript: `node`, `jiti` or `tsx`.", read: oneOf(LOADERS), otherwise: "`auto`: Node itself, and where it refuses `tsx` if the project has it, else `jiti`" };
const DEBUG: Flag = { usage: "--debug", description: "Show stack traces." };
const JSON_ERROR: Flag = { usage: "--json", description: "Write JSON to standard output, for an error too." };

const SCENARIO: Flag = { usage: "--scenario <id>", description: "Only this scenario. Repeatable; not together with `--tag`.", read: text, repeatable: true };
const TAG: Flag = { usage: "--tag <tag>", description: "Only scenarios with this tag, or with one of several. Repeatable.", read: text, repeatable: true };
const EXCLUDE_TAG: Flag = { usage: "--exclude-tag <tag>", description: "No scenario with this tag. Repeatable.", read: text, repeatable: true };

export const RUN_FLAGS: readonly Flag[] = [
  SCENARIO,
  TAG,
  EXCLUDE_TAG,
  { usage: "--max-concurrency <n>", description: "How many scenarios run at once, over all suites.", read: wholeNumber(1, 10_000), otherwise: "5" },
  { usage: "--trials <n>", description: "Execute each scenario so often.", read: wholeNumber(1, 10_000), otherwise: "1" },
  { usage: "--retries <n>", description: "Try an errored trial again so often. A failed one never is.", read: wholeNumber(0, 100), otherwise: "0" },
  { usage: "--timeout <duration>", description: "Bound hook and judging of every scenario, whatever it declares.", read: duration },
  { usage: "--bail [n]", description: "Start nothing more after so many scenarios failed or errored.", read: wholeNumber(1), alone: 1 },
  { usage: "--max-time <duration>", description: "Cancel what is left after so long.", read: duration },
  { usage: "--strict", description: "A missed threshold fails the run." },
  { usage: "--list", description: "List what would run, and run nothing." },
  { usage: "--json", description: "Write the JSON report to standard output on a terminal too, and an error as JSON." },
  { usage: "--output <file>", description: "Write the JSON report to this file as well.", read: text },
  { usage: "--reporter <name>", description: "How to show progress: `terminal`, `plain` (lines only) or `none`.", read: oneOf(REPORTER_NAMES), otherwise: "`terminal`; lines without a terminal or in CI" },
  { usage: "--quiet", description: "Show failures and the summary only." },
  CONFIG,
  ENV_FILE,
  LOADER,
  DEBUG,
];

export const LIST_FLAGS: readonly Flag[] = [SCENARIO, TAG, EXCLUDE_TAG, JSON_ERROR, CONFIG, ENV_FILE, LOADER, DEBUG];

export const GEN_FLAGS: readonly Flag[] = [
  { usage: "--check", description: "Write nothing; exit 1 where the generated files are not those of the design." },
  CONFIG,
  ENV_FILE,
  LOADER,
  DEBUG,
];

export const EXAMPLE_FLAGS: readonly Flag[] = [CONFIG, ENV_FILE, LOADER, DEBUG];

export interface Verb {
  readonly name: string;
  /** What follows the name: `[file...]`. */
  readonly operand?: string | undefined;
  readonly description: string;
  readonly flags: readonly Flag[];
}

export const VERBS: readonly Verb[] = [
  { name: "gen", operand: "[file...]", description: "Write the code that a design generates.", flags: GEN_FLAGS },
  { name: "example", operand: "[file...]", description: "Write an eval file to fill in for each suite; files that are there stay as they are.", flags: EXAMPLE_FLAGS },
  { name: "run", operand: "[path...]", description: "Run eval files: those given, or all of the project.", flags: RUN_FLAGS },
  { name: "list", operand: "[path...]", description: "List suites, scenarios and tags.", flags: LIST_FLAGS },
];

/** `--max-concurrency` of `--max-concurrency <n>`. */
export const flagName = (flag: Flag): string => flag.usage.split(" ")[0] ?? flag.usage;

/** `maxConcurrency` of `--max-concurrency <n>`: the member that holds its value. */
export const flagMember = (flag: Flag): string => flagName(flag).slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
