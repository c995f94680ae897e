// Owns the loading of eval files: the evaluations that each exports, or the one problem that keeps a file from running.

import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import { openTodos, todosError } from "../core/todo.ts";
import { type DataEvaluationOptions, type EvaluationOptions, evaluationOptions, isOfData } from "../evaluation.ts";
import { checkSuite } from "../run/check-suite.ts";
import { defaultOf } from "./config.ts";
import type { ModuleLoader, Namespace } from "./loading/load-module.ts";
import { displayPath } from "./path.ts";
import { inFile, type Problem, problemOf } from "./problem.ts";

export interface LoadedEvaluation {
  readonly file: string;
  /** Which of the file's evaluations it is, from 0. */
  readonly exportIndex: number;
  readonly options: EvaluationOptions;
}

export interface LoadedFiles {
  readonly evaluations: readonly LoadedEvaluation[];
  readonly problems: readonly Problem[];
}

/** One file after the other: what goes wrong in one does not touch the next. */
export async function loadEvaluations(files: readonly string[], modules: ModuleLoader, cwd: string, onFile: (shown: string) => void): Promise<LoadedFiles> {
  const evaluations: LoadedEvaluation[] = [];
  const problems: Problem[] = [];
  for (const file of files) {
    onFile(displayPath(file, cwd));
    try {
      evaluations.push(...(await loadFile(file, modules, cwd)));
    } catch (thrown) {
      // A loader that is not there is missing for every file.
      if (isEntailError(thrown) && thrown.code === "usage_invalid") throw thrown;
      problems.push(problemOf(thrown, cwd));
    }
  }
  return { evaluations, problems };
}

async function loadFile(file: string, modules: ModuleLoader, cwd: string): Promise<readonly LoadedEvaluation[]> {
  const name = displayPath(file, cwd);
  let namespace: Namespace;
  try {
    namespace = await modules.load(file);
  } catch (cause) {
    if (isEntailError(cause) && cause.code === "usage_invalid") throw cause;
    throw brokenFile(cause, file, name);
  }
  return await evaluationsOf(namespace, file, name);
}

/** The error `eval_file_broken`, made from what the file or its loader threw. */
export function brokenFile(cause: unknown, file: string, name: string): EntailError {
  return inFile(new EntailError("eval_file_broken", `${name} could not be loaded: ${firstLines(messageOf(cause))}${mendFor(cause)}`, { cause }), file);
}

/** The evaluations of a module that was loaded. Throws `eval_file_empty`, `eval_todo_open`, `suite_invalid` or, for data, `data_invalid`, `scorer_invalid` or `option_invalid`, which name the file. */
export async function evaluationsOf(namespace: Namespace, file: string, name: string): Promise<readonly LoadedEvaluation[]> {
  const exported = defaultOf(namespace);
  const items: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  const empty = (why: string): never => {
    throw inFile(new EntailError("eval_file_empty", `${name} ${why}; it needs export default evaluation({ suite, … }), or a list of them`), file);
  };
  if (exported === undefined) empty("has no default export");
  if (items.length === 0) empty("exports an empty list");
  const loaded: LoadedEvaluation[] = [];
  for (const [exportIndex, item] of items.entries()) {
    const marked = evaluationOptions(item) ?? empty(Array.isArray(exported) ? "exports a list with something that is no evaluation" : "exports by default what is no evaluation");
    // A target of an application's own may be a whole framework; nobody writes a todo() into that.
    const open = openTodos((isOfData(marked) ? { judge: marked.judge } : marked) as Readonly<Record<string, unknown>>);
    if (open.length > 0) throw inFile(new EntailError("eval_todo_open", `${name}: ${todosError(open).message}`, { faults: open }), file);
    try {
      const options = isOfData(marked) ? await compiled(marked) : marked;
      checkSuite(options.suite);
      loaded.push({ file, exportIndex, options });
    } catch (cause) {
      throw isEntailError(cause) ? inFile(new EntailError(cause.code, `${name}: ${cause.message}`, { faults: cause.faults }), file) : cause;
    }
  }
  return loaded;
}

/** Only what has data loads what runs conversations. */
async function compiled({ name, data, target, gates, scorers, targetOptions, compat, ...shared }: DataEvaluationOptions): Promise<EvaluationOptions> {
  const { compileData } = await import("../conversation/compile-data.ts");
  const { suite } = await compileData({ name, data, target, gates, scorers, targetOptions, compat });
  return { ...shared, suite };
}

/** A parser's message may hold the text of the file; the first line says what is wrong, those of a fault list are wanted whole. */
function firstLines(message: string): string {
  return message.split("\nRequire stack:")[0]?.trimEnd() ?? message;
}

function mendFor(cause: unknown): string {
  const message = messageOf(cause);
  if (message.includes("does not provide an export named")) return " (a type is imported with import type)";
  return /^Cannot find package '(?:entail)'/.test(message) ? " (npm install --save-dev entail brings it)" : "";
}

/** Throws `suite_id_duplicate`, which names both files. */
export function checkSuiteIds(evaluations: readonly LoadedEvaluation[], cwd: string): void {
  const files = new Map<string, string>();
  for (const { file, options } of evaluations) {
    const { id } = options.suite;
    const before = files.get(id);
    if (before !== undefined) {
      const [a, b] = [displayPath(before, cwd), displayPath(file, cwd)];
      throw inFile(new EntailError("suite_id_duplicate", `the suite ${JSON.stringify(id)} is in ${a} ${a === b ? "twice" : `and in ${b}`}; a suite's id names one suite of an invocation`), file);
    }
    files.set(id, file);
  }
}
