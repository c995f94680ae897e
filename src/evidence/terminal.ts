// Owns how a run must have ended: completed, or stopped at a confirmation that nobody has answered.

import type { Confirmation, Evidence } from "../core/evidence.ts";
import type { ExpectedConfirmation } from "./confirmation-expectation.ts";
import { callText } from "./describe.ts";
import { askArguments } from "./satisfaction.ts";

/** What is wrong with the end of a run that should have completed. */
export function completionProblems({ terminalPhase, terminalFailure, ended, confirmation }: Evidence): readonly string[] {
  if (terminalPhase === "completed") return [];
  const got = terminalPhase ?? (ended ? "an end without a phase" : "no end: the stream stopped before it");
  const why = terminalFailure === undefined ? "" : `: ${terminalFailure.message}`;
  const waits = terminalPhase === "suspended" && confirmation?.state === "pending" ? `: it waits for the confirmation of ${confirmation.toolName}` : "";
  return [`got ${got}, want completed${why}${waits}`];
}

/** What is wrong with the end of a run that should have stopped at a confirmation. */
export function confirmationProblems(expected: ExpectedConfirmation, evidence: Evidence): readonly string[] {
  const { confirmation, terminalPhase } = evidence;
  const phase = terminalPhase ?? "no terminal phase";
  if (confirmation === undefined) return [`no pending confirmation: got ${phase}, want a confirmation of ${expected.name}`];
  const problems: string[] = [];
  if (confirmation.toolName !== expected.name) problems.push(`the confirmation is of ${confirmation.toolName}, want ${expected.name}`);
  else if (expected.args !== undefined) {
    const answer = askArguments(expected.args, confirmation);
    if (!answer.passed) problems.push(`${expected.name} confirmation arguments: ${answer.reason}`);
  }
  return [...problems, ...goneOn(confirmation, evidence)];
}

/** A run that stopped has asked, has got no answer, and has not done meanwhile what it asked for. */
function goneOn(confirmation: Confirmation, { terminalPhase, toolCalls }: Evidence): readonly string[] {
  const problems: string[] = [];
  if (confirmation.state !== "pending") problems.push(`no pending confirmation: the one of ${confirmation.toolName} was ${confirmation.state}`);
  if (terminalPhase !== undefined && terminalPhase !== "suspended") problems.push(`the run did not stop at the confirmation: got ${terminalPhase}, want suspended`);
  const call = toolCalls.find(({ toolCallId }) => toolCallId === confirmation.toolCallId);
  if (confirmation.state === "pending" && call?.completed === true) problems.push(`${call.toolName} was executed before approval: ${callText(call)}`);
  return problems;
}
