// Owns what a turn comes to: its report, from what the stage `score` left of it and what the judge said to its claims.

import { wholeNanoseconds } from "../core/duration.ts";
import type { ReportError, ReportJudgment, TurnReport } from "../core/report.ts";
import type { ScoredTurn } from "../core/score-stage.ts";
import { grade } from "./grade.ts";

/** `judgments` by turn: those of every turn whose claims were judged. */
export type TurnJudgments = ReadonlyMap<number, readonly ReportJudgment[]>;

/** The reports of turns that were measured as far as they were reached. `unjudged`: why the claims of a turn have no judgments. */
export function turnReports(turns: readonly ScoredTurn[], judgments: TurnJudgments, unjudged?: ReportError): readonly TurnReport[] {
  return turns.map((turn) => {
    if (!turn.reached) return report(turn, "not_reached");
    if (turn.error !== undefined) return report(turn, "errored", turn.error);
    const { scores = [], claims = [] } = turn;
    const broken = scores.find(({ error }) => error !== undefined)?.error;
    if (broken !== undefined) return report(turn, "errored", { code: "scorer_failed", stage: "score", message: broken });
    const said = judgments.get(turn.turn);
    if (claims.length > 0 && said === undefined) return report(turn, "errored", unjudged ?? { code: "judge_failed", stage: "judge", message: "the claims of this turn were not judged" });
    return report(turn, grade({ claims, judgments: said ?? [], scores }).outcome, undefined, said);
  });
}

/** The reports of turns whose attempt was cut short before they could be scored: none of them is more than its attempt. */
export function cutTurns(turns: readonly ScoredTurn[], outcome: "errored" | "cancelled", error: ReportError): readonly TurnReport[] {
  const last = turns.findLast(({ reached }) => reached);
  return turns.map((turn) => (turn.reached ? report(turn, outcome, turn.error ?? (turn === last ? error : undefined)) : report(turn, "not_reached")));
}

function report({ turn, id, durationMs, input, played, output, scores = [], claims = [], reference = "", toolCalls, startedMs, confirmation, usage }: ScoredTurn, outcome: TurnReport["outcome"], error?: ReportError, judgments: readonly ReportJudgment[] = []): TurnReport {
  return {
    turn,
    ...(id !== undefined && { id }),
    outcome,
    ...(durationMs !== undefined && { durationMs: wholeNanoseconds(Math.max(0, durationMs)) }),
    ...(input !== undefined && { input }),
    ...(played === true && { played }),
    ...(output !== undefined && output !== "" && { output }),
    ...(scores.length > 0 && { scores }),
    ...(claims.length > 0 && { claims, ...(reference !== "" && { reference }) }),
    ...(judgments.length > 0 && { judgments }),
    ...(toolCalls !== undefined && { toolCalls }),
    ...(startedMs !== undefined && { startedMs: wholeNanoseconds(startedMs) }),
    ...(confirmation !== undefined && { confirmation }),
    ...(usage !== undefined && { usage }),
    ...(error !== undefined && { error }),
  };
}
