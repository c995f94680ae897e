// Owns what an answer to a request for approval decides, in the words and forms that frameworks and people use for it.

import { member, textMember } from "./member.ts";

const YES: ReadonlySet<string> = new Set(["accept", "accepted", "approve", "approved", "allow", "allowed", "yes", "y", "ok", "true", "edit", "continue"]);
const NO: ReadonlySet<string> = new Set(["reject", "rejected", "deny", "denied", "refuse", "refused", "ignore", "no", "n", "false", "cancel", "cancelled", "response", "respond"]);

function ofWord(word: string): boolean | undefined {
  const said = word.trim().toLowerCase();
  return YES.has(said) ? true : NO.has(said) ? false : undefined;
}

/**
 * True where `answer` allows, false where it refuses, `undefined` where it does not say so in words that leave no doubt. It may be a truth value, a single
 * word, or an object that says so in `approved` and its like or in `type`, `decision`, `action` or `status`. Never throws.
 */
export function decisionIn(answer: unknown): boolean | undefined {
  if (typeof answer === "boolean") return answer;
  if (typeof answer === "string") return ofWord(answer);
  for (const name of ["approved", "approve", "accepted", "allowed"]) {
    const flag = member(answer, name);
    if (typeof flag === "boolean") return flag;
  }
  for (const name of ["type", "decision", "action", "status"]) {
    const word = textMember(answer, name);
    if (word !== undefined && word !== "") return ofWord(word);
  }
  return undefined;
}
