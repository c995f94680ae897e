// Owns the two texts that a code scorer compares: what the user asked and what the agent said.

import { EntailError } from "../../core/error.ts";
import type { ScorerRun } from "../../core/scorer.ts";
import { notScorable, type NotScorable } from "../not-scorable.ts";
import { requireWhole, saidIn, userTextOf } from "../observed.ts";
import { wholeText } from "../text-check.ts";

export interface AgentTexts {
  readonly input: string;
  readonly output: string;
}

/** Everything the agent said, joined by a blank. Throws where something could not be read. */
export function outputText(run: ScorerRun): string {
  const said = saidIn(run, "all");
  requireWhole({ unread: said.unread, what: "all that the assistant said" }, run.evidence);
  return wholeText(said.texts, " ");
}

/** Both texts. Without a word of the user's there is nothing to compare with, so nothing to score. In a conversation the user's words are those of every turn. */
export function agentTexts(run: ScorerRun): AgentTexts | NotScorable {
  const asked = run.turns === undefined ? userTextOf(run) : run.turns.map((turn) => userTextOf(turn) ?? "").join(" ");
  if (asked === undefined) throw new EntailError("message_unreadable", "the input holds no message of a user", { stage: "score" });
  return asked.trim() === "" ? notScorable("the user said nothing to compare with") : { input: asked, output: outputText(run) };
}
