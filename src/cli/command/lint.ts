// Owns the verb `lint`: claims that a judge will find hard, named with where they stand, before they cost a run.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { EntailError } from "../../core/error.ts";
import { evaluationOptions, isOfData } from "../../evaluation.ts";
import { lintClaim, type ClaimWarning } from "../../judge/lint-claim.ts";
import { counted } from "../../report/number-text.ts";
import { defaultOf } from "../config.ts";
import type { FlagValues } from "../command-line.ts";
import { lazyStore, type LazyStore } from "../compared-run.ts";
import { type Desk, writeJson } from "../desk.ts";
import { EVAL_FILE, findFiles } from "../find-files.ts";
import { readJudgedRuns, type JudgedRun } from "../judging/judged-run.ts";
import { readLabelsFile } from "../judging/labels-file.ts";
import { writeText } from "../judging/write-text.ts";
import { brokenFile } from "../load-evaluations.ts";
import { displayPath } from "../path.ts";
import type { Project } from "../project.ts";
import { projectOf } from "./compare.ts";

/** A claim and the places where it stands: a claim of ten trials is told once. */
interface FoundClaim {
  readonly text: string;
  readonly place: string;
}

/**
 * Reads claims from eval files whose items hold them, from report files and labels, and from runs of the store, where the claims of hooks are. Without an
 * operand: the project's eval files, and its last run where there is one. Returns 0, or 1 with `--strict` and a warning.
 */
export async function lint(operands: readonly string[], flags: FlagValues, desk: Desk): Promise<number> {
  const project = await projectOf(flags, desk);
  const store = lazyStore(flags, project);
  try {
    const found = operands.length === 0 ? await ofProject(project, store) : (await Promise.all(operands.map((operand) => ofOperand(operand, project, store)))).flat();
    const claims = [...new Map(found.map((claim) => [JSON.stringify([claim.text, claim.place]), claim])).values()];
    const warned = claims.flatMap(({ text, place }) => lintClaim(text).map((warning) => ({ place, claim: text, ...warning })));
    if (flags["json"] === true) await writeJson({ claims: claims.length, warnings: warned }, desk);
    else await writeText(textOf(warned), desk);
    desk.view.note(claims.length === 0 ? "no claim was found: those of hooks exist once they have run, so lint the run or its report" : `${counted(claims.length, "claim")}, ${counted(warned.length, "warning")}`);
    return warned.length > 0 && flags["strict"] === true ? 1 : 0;
  } finally {
    await store.close();
  }
}

function textOf(warned: readonly (ClaimWarning & { readonly place: string; readonly claim: string })[]): string {
  return warned.map(({ place, claim, rule, message }) => `${oneLine(place)}: ${rule}: ${message}\n    ${oneLine(claim)}\n`).join("");
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ");

async function ofProject(project: Project, store: LazyStore): Promise<readonly FoundClaim[]> {
  const evals = typeof project.config.evals === "string" ? [project.config.evals] : project.config.evals;
  const { found } = findFiles(evals ?? ["."], { from: project.root, named: EVAL_FILE });
  const ofFiles = await claimsOfFiles(found, project);
  // A project that was never run has no claims of hooks yet.
  const runs = await readJudgedRuns("last", project.cwd, store).catch(() => []);
  return [...ofFiles, ...runs.flatMap((run) => claimsOfRun(run, run.suiteId))];
}

async function ofOperand(operand: string, project: Project, store: LazyStore): Promise<readonly FoundClaim[]> {
  const isFile = statSync(resolve(project.cwd, operand), { throwIfNoEntry: false })?.isFile() === true;
  if (isFile && /\.jsonl$/i.test(operand)) return readLabelsFile(operand, project.cwd).map(({ claim }) => ({ text: claim.text, place: `${operand}, claim ${claim.id}` }));
  if (isFile && /\.json$/i.test(operand)) return (await readJudgedRuns(operand, project.cwd, store)).flatMap((run) => claimsOfRun(run, `${operand}, ${run.suiteId}`));
  const { found } = findFiles([operand], { from: project.cwd, named: EVAL_FILE });
  if (found.length > 0) return claimsOfFiles(found, project);
  if (/[\\/]|\.[cm]?[jt]sx?$/.test(operand)) throw new EntailError("eval_file_not_found", `${JSON.stringify(operand)} leads to no eval file, no report and no labels`);
  return (await readJudgedRuns(operand, project.cwd, store)).flatMap((run) => claimsOfRun(run, run.suiteId));
}

function claimsOfRun({ scenarios }: JudgedRun, name: string): readonly FoundClaim[] {
  return scenarios.flatMap((scenario) => {
    const parts = (scenario.trials ?? [scenario]).flatMap((trial) => [trial.result?.claims ?? [], ...(trial.turns ?? []).map((turn) => turn.claims ?? [])]);
    return parts.flat().map(({ id, text }) => ({ text, place: `${name}, scenario ${scenario.id}, claim ${id}` }));
  });
}

async function claimsOfFiles(files: readonly string[], project: Project): Promise<readonly FoundClaim[]> {
  const claims: FoundClaim[] = [];
  for (const file of files) {
    const name = displayPath(file, project.cwd);
    let exported: unknown;
    try {
      exported = defaultOf(await project.modules.load(file));
    } catch (cause) {
      throw brokenFile(cause, file, name);
    }
    for (const each of Array.isArray(exported) ? (exported as readonly unknown[]) : [exported]) {
      const options = evaluationOptions(each);
      if (options !== undefined && isOfData(options)) claims.push(...((await options.data) as readonly unknown[]).flatMap((item, at) => claimsOfItem(item, `${name}, data[${at}]`)));
    }
  }
  return claims;
}

/** The items are checked when they are compiled; what is no claim here is told there. */
function claimsOfItem(item: unknown, place: string): readonly FoundClaim[] {
  const { claims, turns } = (typeof item === "object" && item !== null ? item : {}) as { readonly claims?: unknown; readonly turns?: unknown };
  const own = (Array.isArray(claims) ? (claims as readonly unknown[]) : []).flatMap((claim) => {
    const { id, text } = (typeof claim === "object" && claim !== null ? claim : {}) as { readonly id?: unknown; readonly text?: unknown };
    return typeof text === "string" ? [{ text, place: `${place}, claim ${String(id)}` }] : [];
  });
  return [...own, ...(Array.isArray(turns) ? turns.flatMap((turn, at) => claimsOfItem(turn, `${place}.turns[${at}]`)) : [])];
}
