// Owns which address gives which answer. The server and the exported page ask the same function.

import type { AnswerContext } from "./context.ts";
import { answerCompare } from "./compare.ts";
import { answerJudge, answerQueue } from "./judge.ts";
import { missing } from "./missing.ts";
import { sinceOf, textOf, wholeNumber, wordsOf } from "./query.ts";
import { answerFacts, answerRun } from "./run.ts";
import { answerRuns, answerSuites } from "./runs.ts";
import { answerCalls, answerScenario, answerText, answerTrial } from "./scenario.ts";
import { answerNear, answerScenarios } from "./scenarios.ts";
import { answerTrends } from "./trends.ts";

/** `path` is what follows `/api/`, with its query. Rejects with `viewer_address_unknown` where nothing stands there. */
export async function answer(context: AnswerContext, path: string): Promise<unknown> {
  const mark = path.indexOf("?");
  const query = new URLSearchParams(mark === -1 ? "" : path.slice(mark + 1));
  const steps = (mark === -1 ? path : path.slice(0, mark)).split("/").map(decode);
  const [page, first, ...rest] = steps;
  if (page === "suites") return answerSuites(context);
  if (page === "runs") return first === undefined ? answerRuns(context, runsAsked(query, context.now())) : answerOfRun(context, first, rest, query);
  if (page === "compare" && first !== undefined) return answerCompare(context, first, query);
  if (page === "trends" && first !== undefined) return answerTrends(context, first, query);
  if (page === "judge") return first === "queue" ? answerQueue(context, query) : answerJudge(context, first);
  throw missing("there is no such page");
}

async function answerOfRun(context: AnswerContext, run: string, [part, scenario, what, trialText, last]: readonly string[], query: URLSearchParams): Promise<unknown> {
  if (part === undefined) return answerRun(context, run);
  if (part === "facts") return answerFacts(context, run);
  if (part === "scenarios") return answerScenarios(context, run, query);
  if (part !== "scenario" || scenario === undefined) throw missing("there is no such page of a run");
  if (what === undefined) return answerScenario(context, run, scenario);
  if (what === "near") return answerNear(context, run, scenario, query);
  const trial = wholeNumber(trialText ?? null);
  if (what !== "trials" || trial === undefined) throw missing("there is no such page of a scenario");
  if (last === undefined) return answerTrial(context, run, scenario, trial);
  if (last === "calls") return answerCalls(context, run, scenario, trial, wholeNumber(query.get("from")) ?? 0);
  if (last === "text") return answerText(context, run, scenario, trial, query.get("part") ?? "", wholeNumber(query.get("at")) ?? 0, textOf(query, "find"));
  throw missing("there is no such page of a trial");
}

function runsAsked(query: URLSearchParams, now: number): Parameters<typeof answerRuns>[1] {
  return {
    suite: textOf(query, "suite"),
    verdict: textOf(query, "verdict"),
    branch: textOf(query, "branch"),
    tag: textOf(query, "tag"),
    since: sinceOf(textOf(query, "since"), now),
    words: wordsOf(query.get("q")),
    before: wholeNumber(query.get("before")),
    limit: wholeNumber(query.get("limit")),
  };
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
