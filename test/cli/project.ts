// Owns throw-away projects and the real command run in them: what a user has on disk, types and sees.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { root } from "../source.ts";

const MAIN = join(root, "src/cli/main.ts");

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A shell line around the command, in which `"$@"` is the command. */
  readonly shell?: string;
  /** Called with what was written to standard error so far, and a way to send a signal. */
  readonly onStderr?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
  readonly nodeOptions?: readonly string[];
}

export interface Project {
  readonly path: string;
  write(files: Readonly<Record<string, string>>): void;
  read(file: string): string;
  /** `entail …` */
  entail(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** `node …` */
  node(args: readonly string[], options?: RunOptions): Promise<Ran>;
}

/** A project in a folder of its own, with `entail` and the named packages installed in it. It is gone when the test is. */
export function createProject(files: Readonly<Record<string, string>>, packages: readonly string[] = []): Project {
  const path = mkdtempSync(join(tmpdir(), "entail-project-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  for (const name of ["entail", ...packages]) {
    mkdirSync(dirname(join(path, "node_modules", name)), { recursive: true });
    symlinkSync(name === "entail" ? root : join(root, "node_modules", name), join(path, "node_modules", name), "dir");
  }
  const write = (more: Readonly<Record<string, string>>): void => {
    for (const [file, text] of Object.entries(more)) {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), text);
    }
  };
  write({ "package.json": '{ "type": "module" }', ".git/HEAD": "", ...files });
  return {
    path,
    write,
    read: (file) => readFileSync(join(path, file), "utf8"),
    // Node itself reads `--env-file` wherever it stands, unless a `--` comes first.
    entail: (args, options) => run(["--", MAIN, ...args], path, options),
    node: (args, options) => run(args, path, options),
  };
}

function run(args: readonly string[], path: string, options: RunOptions = {}): Promise<Ran> {
  const { cwd = ".", env = {}, shell, onStderr, nodeOptions = [] } = options;
  const command = [process.execPath, "--conditions=entail-source", ...nodeOptions, ...args];
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const clean = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", TMPDIR: tmpdir() };
    const [file = "", ...rest] = shell === undefined ? command : ["bash", "-c", shell, "bash", ...command];
    const child = spawn(file, rest, { cwd: join(path, cwd), env: { ...clean, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => void (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      onStderr?.(stderr, (signal) => void child.kill(signal));
    });
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr, ms: performance.now() - started }));
  });
}

/** An eval file with a hand-made suite: `scenarios` is source text of a list; `options` of further members of the evaluation. */
export function evalFile(id: string, scenarios: string, options = "", head = ""): string {
  return `import { check, evaluation } from "entail";
${head}
const scenario = (id, run, more = {}) => ({ id, description: "A scenario.", tags: [], timeoutMs: 5000, run, ...more });
const pass = () => ({ checks: [check("right", true, "")] });
const fail = () => ({ checks: [check("right", false, "wrong answer")] });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export default evaluation({ suite: { id: "${id}", description: "A suite.", scenarios: [${scenarios}] }, ${options} });
`;
}

export const PASSING = (id: string): string => evalFile(id, `scenario("first", pass)`);
