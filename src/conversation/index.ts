// The door "entail/conversation": conversations with any target, scored as a whole and turn by turn, and what a user of Mastra's evals imports.

export { checks } from "../score/checks.ts";
export { createScorer } from "../score/create-scorer.ts";
export { filterRun } from "../score/filter-run.ts";
export { isNotScorable, notScorable } from "../score/not-scorable.ts";
export type { DataOptions } from "./compile-data.ts";
export { converse, type Conversed, type ConversedTurn, type ConverseOptions, type ConverseTurn } from "./converse.ts";
export type { AgentScorers, AnyScorer, DataItem, EvalTurn, InputItem, InputsItem, ItemCommon, PlayedItem, ScorerEntry, Scorers, TurnsItem, WorkflowScorers } from "./data-item.ts";
export { dataset, type Dataset, type DatasetOptions } from "./dataset/dataset.ts";
export type { CellKind } from "./dataset/cell.ts";
export type { DatasetFormat, DatasetSource } from "./dataset/source.ts";
export type { EvalItem, EvalItemTurn, EvalsResult, GateResult, ThresholdResult, TurnResult } from "./evals-result.ts";
export type { AnyTarget } from "./open-speaker.ts";
export { simulatedUser, type SimulatedUserOptions } from "./play-user.ts";
export { type CompletedItem, runEvals, type RunEvalsOptions } from "./run-evals.ts";
export { cutStopWord, PLAYED_ENDS, type PlayedTurn, type PlayerContext, type TurnPlayer } from "./simulated-user.ts";
export { APPROVALS, type ApprovalPolicy, type ConversationSoFar, type ConversationTurn, type TurnInput, type TurnInputFunction } from "./turn.ts";
