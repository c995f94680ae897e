// Owns the flags of every verb: one table each, from which the command line is read, `--help` is printed and the reference page is held.

import { age, confidence, dollars, duration, oneOf, points, type ReadValue, text, wholeNumber } from "./flag-value.ts";
import { REPORTER_NAMES } from "./reporters.ts";

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
  /** Of `[path]`: which next words are its value; numbers when absent. */
  readonly mayFollow?: RegExp | undefined;
  /** What holds without the flag, in words. */
  readonly otherwise?: string | undefined;
}

export const LOADERS = ["auto", "node", "jiti", "tsx"] as const;
export type Loader = (typeof LOADERS)[number];

const CONFIG: Flag = { usage: "--config <file>", description: "Read this configuration.", read: text, otherwise: "`entail.config.ts` in the working folder or above it, up to the repository's root" };
const ENV_FILE: Flag = { usage: "--env-file <file>", description: "Read environment variables from this file first; those that are set already keep their value.", read: text };
const LOADER: Flag = { usage: "--loader <name>", description: "What reads TypeScript: `node`, `jiti` or `tsx`.", read: oneOf(LOADERS), otherwise: "`auto`: Node itself, and where it refuses `tsx` if the project has it, else `jiti`" };
const DEBUG: Flag = { usage: "--debug", description: "Show stack traces." };
/** Of every verb that reads a project: which one, and how. */
const PROJECT: readonly Flag[] = [CONFIG, ENV_FILE, LOADER, DEBUG];
const JSON_ERROR: Flag = { usage: "--json", description: "Write JSON to standard output, for an error too." };

const STORE: Flag = { usage: "--store <url>", description: "Keep runs here: a path, or `sqlite:` and a path.", read: text, otherwise: "`.entail/entail.db` in the project's root" };

const SCENARIO: Flag = { usage: "--scenario <id>", description: "Only this scenario. Repeatable; not together with `--tag`.", read: text, repeatable: true };
const TAG: Flag = { usage: "--tag <tag>", description: "Only scenarios with this tag, or with one of several. Repeatable.", read: text, repeatable: true };
const EXCLUDE_TAG: Flag = { usage: "--exclude-tag <tag>", description: "No scenario with this tag. Repeatable.", read: text, repeatable: true };

const BASELINE: Flag = {
  usage: "--baseline [path]",
  description: "Compare with the baselines in this folder or file; the comparison alone decides the exit code. A path after a blank ends in `.json` or `baselines`; any other is written `--baseline=<path>`.",
  read: text,
  alone: "baselines",
  mayFollow: /(?:\.json|(?:^|[\\/])baselines[\\/]?)$/,
  otherwise: "nothing is compared; with the flag alone `baselines/` of the project",
};
const MARGIN: Flag = { usage: "--margin <points>", description: "The drop of the pass rate, in points, that a comparison puts up with.", read: points, otherwise: "0" };
const LEVEL: Flag = { usage: "--level <percent>", description: "The confidence of a comparison.", read: confidence, otherwise: "95: at most 5 in 100 unchanged agents are called regressed" };

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
  { usage: "--max-cost <usd>", description: "Start nothing more once the run has cost so many US dollars, as far as costs are known: agent and judge together.", read: dollars },
  { usage: "--max-tokens <n>", description: "Start nothing more once the run has used so many tokens, input and output together.", read: wholeNumber(1, 1_000_000_000_000) },
  { usage: "--record", description: "Record anew what recordings leave to the run: every answer is asked for." },
  { usage: "--replay", description: "Answer from recordings alone: what they do not hold is an error." },
  { usage: "--strict", description: "A missed threshold fails the run." },
  BASELINE,
  MARGIN,
  LEVEL,
  { usage: "--failed", description: "Run again what failed or errored in the last run, and nothing else." },
  { usage: "--matrix", description: "Run every variant that the eval files name, and compare each with each." },
  { usage: "--variant <name>", description: "Only variants with this value, such as `model=small`. Repeatable.", read: text, repeatable: true, otherwise: "the first value of each; all of them with `--matrix`" },
  STORE,
  { usage: "--no-store", description: "Keep nothing of the run." },
  { usage: "--list", description: "List what would run, and run nothing." },
  { usage: "--json", description: "Write the JSON report to standard output on a terminal too, and an error as JSON." },
  { usage: "--output <file>", description: "Write the JSON report to this file as well.", read: text },
  { usage: "--junit <file>", description: "Write the report as JUnit XML to this file as well.", read: text },
  { usage: "--reporter <name>", description: "How to show progress: `terminal`, `plain` (lines only) or `none`; and beside it `github` (annotations and job summary) or `jsonl` (events on standard output, in place of the report). Repeatable.", read: oneOf(REPORTER_NAMES), repeatable: true, otherwise: "`terminal`; lines without a terminal or in CI; in a job of GitHub's `github` beside it" },
  { usage: "--quiet", description: "Show failures and the summary only." },
  { usage: "--watch", description: "Run again what a change of a file touches, until it is ended." },
  ...PROJECT,
];

const SUITE: Flag = { usage: "--suite <id>", description: "With `--runs`: only runs of this suite.", read: text };
const LIMIT: Flag = { usage: "--limit <n>", description: "At most so many runs.", read: wholeNumber(1, 1_000), otherwise: "20" };

export const LIST_FLAGS: readonly Flag[] = [
  SCENARIO,
  TAG,
  EXCLUDE_TAG,
  { usage: "--runs", description: "List the stored runs instead, the newest first." },
  SUITE,
  LIMIT,
  STORE,
  JSON_ERROR,
  ...PROJECT,
];

export const SHOW_FLAGS: readonly Flag[] = [
  { usage: "--scenario <id>", description: "Only this scenario; without a run, what it came to in every run.", read: text },
  LIMIT,
  STORE,
  JSON_ERROR,
  ...PROJECT,
];

export const EXPORT_FLAGS: readonly Flag[] = [
  { usage: "--output <file>", description: "Write to this file.", read: text, otherwise: "standard output" },
  STORE,
  ...PROJECT,
];

export const IMPORT_FLAGS: readonly Flag[] = [STORE, JSON_ERROR, ...PROJECT];

export const STORE_FLAGS: readonly Flag[] = [
  { usage: "--keep <n>", description: "`prune`: the newest runs of each suite stay, so many of them.", read: wholeNumber(0, 1_000_000) },
  { usage: "--older-than <age>", description: "`prune`: only runs that are older go, `30d`, `2w`, `12h`.", read: age },
  STORE,
  JSON_ERROR,
  ...PROJECT,
];

const LIMITS = ["--max-concurrency", "--bail", "--max-time", "--max-cost", "--max-tokens"];
const SHOWN = ["--json", "--output", "--junit", "--reporter", "--quiet"];
const ofRun = (names: readonly string[]): readonly Flag[] => RUN_FLAGS.filter((flag) => names.includes(flagName(flag)));

/** Other flags are those of the command that goes on. */
export const RESUME_FLAGS: readonly Flag[] = [...ofRun([...LIMITS, ...SHOWN]), STORE, ...PROJECT];

export const REJUDGE_FLAGS: readonly Flag[] = [
  { usage: "--judge <file>", description: "Judge with the judge that this file exports, or with the one of its evaluations.", read: text, otherwise: "the judge of the run's eval file, else the configuration's" },
  ...ofRun(["--max-concurrency", "--retries", "--max-cost", "--max-tokens", ...SHOWN]),
  STORE,
  ...PROJECT,
];

export const GEN_FLAGS: readonly Flag[] = [
  { usage: "--check", description: "Write nothing; exit 1 where the generated files are not those of the design." },
  ...PROJECT,
];

export const EXAMPLE_FLAGS: readonly Flag[] = PROJECT;

export const GATEWAY_FLAGS: readonly Flag[] = [
  { usage: "--port <n>", description: "Listen on this port; 0 for one that is free.", read: wholeNumber(0, 65_535), otherwise: "4180" },
  { usage: "--host <name>", description: "Listen on this address.", read: text, otherwise: "127.0.0.1, which only this machine reaches" },
  ...PROJECT,
];

export const VIEW_FLAGS: readonly Flag[] = [
  { usage: "--port <n>", description: "Listen on this port.", read: wholeNumber(0, 65_535), otherwise: "one that is free" },
  { usage: "--host <name>", description: "Listen on this address; whoever opens the page then needs the token that is printed.", read: text, otherwise: "127.0.0.1, which only this machine reaches" },
  { usage: "--no-open", description: "Print the address and open no browser." },
  STORE,
  ...PROJECT,
];

export const COMPARE_FLAGS: readonly Flag[] = [
  MARGIN,
  LEVEL,
  { usage: "--json", description: "Write the comparison as JSON to standard output, and an error as JSON." },
  { usage: "--markdown", description: "Write it as Markdown, for a pull request's comment." },
  STORE,
  ...PROJECT,
];

export const BASELINE_FLAGS: readonly Flag[] = [
  { usage: "--force", description: "Accept a run with errors, with a selection, of a work tree that was not clean, or that is worse; over a regression it needs `--reason`." },
  { usage: "--reason <text>", description: "Why it is accepted all the same. It is kept in the file.", read: text },
  { usage: "--baseline <path>", description: "Keep the files in this folder.", read: text, otherwise: "`baselines/` of the project" },
  MARGIN,
  LEVEL,
  JSON_ERROR,
  STORE,
  ...PROJECT,
];

export const JUDGE_FLAGS: readonly Flag[] = [
  { usage: "--judge <file>", description: "`test`: measure the judge that this file exports, or the one of its evaluations.", read: text, otherwise: "the configuration's judge, else the one of the eval files" },
  { usage: "--repeats <n>", description: "`test`: judge each row so often, to see which labels do not hold.", read: wholeNumber(1, 100), otherwise: "3" },
  { usage: "--split <name>", description: "`test`: use the rows of `test` or of `dev`. Those of `dev` are to be tuned on, and measure nothing.", read: oneOf(["test", "dev"]), otherwise: "`test`" },
  { usage: "--max-concurrency <n>", description: "`test`: how many requests are made at once.", read: wholeNumber(1, 10_000), otherwise: "5" },
  { usage: "--count <n>", description: "`sample`: draw so many judgments.", read: wholeNumber(1, 100_000), otherwise: "100" },
  { usage: "--random <n>", description: "`sample`: so many of them at random; the others half from what passed and half from what failed.", read: wholeNumber(0, 100_000), otherwise: "three in five" },
  { usage: "--seed <n>", description: "`sample`: another seed draws other rows.", read: wholeNumber(0, 1_000_000_000), otherwise: "1" },
  { usage: "--by <name>", description: "`label`: who labels.", read: text },
  { usage: "--labels <file>", description: "`rates`: correct by the labels in this file.", read: text, otherwise: "by those that the store keeps" },
  { usage: "--output <file>", description: "`test`: write the measurement to this file as well, for the configuration's `measurements`. `sample`: write the rows to this file.", read: text },
  { usage: "--json", description: "Write JSON to standard output, for an error too." },
  STORE,
  { usage: "--no-store", description: "Keep nothing." },
  ...PROJECT,
];

export const LINT_FLAGS: readonly Flag[] = [
  { usage: "--strict", description: "Exit 1 where there is a warning." },
  JSON_ERROR,
  STORE,
  ...PROJECT,
];

export const INIT_FLAGS: readonly Flag[] = [DEBUG];

export interface Verb {
  readonly name: string;
  /** What follows the name: `[file...]`. */
  readonly operand?: string | undefined;
  readonly description: string;
  readonly flags: readonly Flag[];
}

export const VERBS: readonly Verb[] = [
  { name: "init", operand: "[folder...]", description: "Begin a project: an eval file that runs, a configuration and a script; what is there stays as it is.", flags: INIT_FLAGS },
  { name: "gen", operand: "[file...]", description: "Write the code that a design generates.", flags: GEN_FLAGS },
  { name: "example", operand: "[file...]", description: "Write an eval file to fill in for each suite; files that are there stay as they are.", flags: EXAMPLE_FLAGS },
  { name: "run", operand: "[path...]", description: "Run eval files: those given, or all of the project.", flags: RUN_FLAGS },
  { name: "list", operand: "[path...]", description: "List suites, scenarios and tags; with `--runs` the stored runs.", flags: LIST_FLAGS },
  { name: "show", operand: "[run...]", description: "Show a stored run, the last one where none is given: `#412`, an id or the beginning of one, `last`.", flags: SHOW_FLAGS },
  { name: "export", operand: "[word...]", description: "`export json [run]` writes a stored run, or a report file, in a form: `json`, `jsonl`, `csv`, `junit`, `markdown`, `html`.", flags: EXPORT_FLAGS },
  { name: "import", operand: "[file...]", description: "Take runs into the store: reports of ours or of Goa-AI's, their JSONL form, spill files.", flags: IMPORT_FLAGS },
  { name: "store", operand: "[word...]", description: "`store info` tells what the store holds, `store prune` removes runs.", flags: STORE_FLAGS },
  { name: "resume", operand: "[run...]", description: "Go on with a run that was interrupted or killed: only what is missing is run. The latest such run where none is given.", flags: RESUME_FLAGS },
  { name: "rejudge", operand: "[run...]", description: "Judge the stored results of a run again, the last one where none is given: a new run, for which no agent is asked.", flags: REJUDGE_FLAGS },
  { name: "compare", operand: "[run...]", description: "Compare two runs: `#412`, an id, `last`, `last~1`, `baseline` or a report file; the baseline with the last run where none is given.", flags: COMPARE_FLAGS },
  { name: "baseline", operand: "[word...]", description: "`baseline accept [run]` keeps a run, the last one where none is given, as the baseline of its suite.", flags: BASELINE_FLAGS },
  { name: "lint", operand: "[path...]", description: "Warn of claims that are compound, speak of something without naming it, or deny: of eval files, report files, labels and runs.", flags: LINT_FLAGS },
  { name: "judge", operand: "[word...]", description: "`judge test [labels]` measures the judge by human labels, `judge sample [run]` draws judgments to label, `judge label <file>` reads labels back, `judge rates [run]` corrects a run's rates.", flags: JUDGE_FLAGS },
  { name: "view", description: "Look at what the store holds, in a page that follows runs as they go on.", flags: VIEW_FLAGS },
  { name: "gateway", operand: "[file...]", description: "Serve the provider that a file exports to judges in other processes.", flags: GATEWAY_FLAGS },
];

/** `--max-concurrency` of `--max-concurrency <n>`. */
export function flagName(flag: Flag): string {
  return flag.usage.split(" ")[0] ?? flag.usage;
}

/** `maxConcurrency` of `--max-concurrency <n>`: the member that holds its value. */
export const flagMember = (flag: Flag): string => flagName(flag).slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
