// Owns the finding of the judge that is to be measured: the one a file exports, else the configuration's, else the one of the eval files.

import { resolve } from "node:path";
import { EntailError, isEntailError, messageOf } from "../../core/error.ts";
import type { Judge } from "../../core/judge.ts";
import { evaluationOptions } from "../../evaluation.ts";
import { defaultOf } from "../config.ts";
import type { FlagValues } from "../command-line.ts";
import { EVAL_FILE, findFiles } from "../find-files.ts";
import { displayPath } from "../path.ts";
import { inFile } from "../problem.ts";
import type { Project } from "../project.ts";

const isJudge = (value: unknown): value is Judge => typeof value === "object" && value !== null && typeof (value as Partial<Judge>).judge === "function";

/** Throws `judge_required` where there is none, or where several could be meant. */
export async function findJudge(flags: FlagValues, project: Project): Promise<Judge> {
  const named = flags["judge"] as string | undefined;
  if (named !== undefined) {
    const found = judgesOf(await load(resolve(project.cwd, named), project));
    if (found.length === 0) throw inFile(new EntailError("judge_required", `${named} exports no judge: its default export is a judge, or an evaluation with one`), resolve(project.cwd, named));
    return only(found, `${named} has evaluations with different judges: export the judge itself from a file of its own, and name that`);
  }
  if (project.config.judge !== undefined) return project.config.judge;
  const evals = typeof project.config.evals === "string" ? [project.config.evals] : project.config.evals;
  const { found: files } = findFiles(evals ?? ["."], { from: project.root, named: EVAL_FILE });
  const judges: Judge[] = [];
  for (const file of files) judges.push(...judgesOf(await load(file, project)));
  if (judges.length === 0) throw new EntailError("judge_required", "there is no judge to measure: neither the configuration nor an eval file has one; name a file that exports it with --judge");
  return only(judges, "the eval files have different judges: name the file of one with --judge");
}

async function load(file: string, { modules, cwd }: Project): Promise<unknown> {
  try {
    return defaultOf(await modules.load(file));
  } catch (cause) {
    if (isEntailError(cause) && cause.code === "usage_invalid") throw cause;
    throw inFile(new EntailError("eval_file_broken", `${displayPath(file, cwd)} could not be loaded: ${messageOf(cause)}`, { cause }), file);
  }
}

function judgesOf(exported: unknown): readonly Judge[] {
  if (isJudge(exported)) return [exported];
  return (Array.isArray(exported) ? exported : [exported]).flatMap((each) => {
    const judge = evaluationOptions(each)?.judge;
    return isJudge(judge) ? [judge] : [];
  });
}

/** Two objects with one fingerprint are one judge made twice. */
function only(judges: readonly Judge[], several: string): Judge {
  const [first, ...rest] = judges as readonly [Judge, ...Judge[]];
  const print = first.identity?.fingerprint;
  if (rest.some((judge) => judge !== first && (print === undefined || judge.identity?.fingerprint !== print))) throw new EntailError("judge_required", several);
  return first;
}
