// Owns the items of data with whatever may stand for a scorer in them.

import type * as item from "../core/data-item.ts";
import type { AnyScorer, ScorerEntry } from "../score/scorer-entry.ts";

export type { InputItem, InputsItem, ItemCommon, PlayedItem } from "../core/data-item.ts";
export type EvalTurn = item.EvalTurn<ScorerEntry>;
export type TurnsItem = item.TurnsItem<ScorerEntry>;
export type DataItem = item.DataItem<ScorerEntry>;
export type AgentScorers = item.AgentScorers<ScorerEntry>;
export type WorkflowScorers = item.WorkflowScorers<ScorerEntry>;
export type Scorers = item.Scorers<ScorerEntry>;
export type { AnyScorer, ScorerEntry };
