// Owns how a played conversation ends, and what of it is never sent. Who may play the user is `TurnPlayer`, a port.

export type { PlayedTurn, PlayerContext, TurnPlayer } from "../core/conversation.ts";

/** How a played conversation ended, where the player gave no reason of its own. */
export const PLAYED_ENDS = ["max_turns", "stop_word", "nothing_said"] as const;

export interface Cut {
  readonly message: string;
  readonly stopped: boolean;
}

/** What stands before the stop word, and whether it is there: in any case, glued to a text or alone, but not as the beginning of a longer word. */
export function cutStopWord(message: string, stopWord: string | undefined): Cut {
  if (stopWord === undefined || stopWord === "") return { message, stopped: false };
  const escaped = stopWord.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const bounded = `${/^[\p{L}\p{N}_]/u.test(stopWord) ? String.raw`(?<![\p{L}\p{N}_])` : ""}${escaped}${/[\p{L}\p{N}_]$/u.test(stopWord) ? String.raw`(?![\p{L}\p{N}_])` : ""}`;
  const found = new RegExp(bounded, "iu").exec(message);
  return found === null ? { message, stopped: false } : { message: message.slice(0, found.index).trimEnd(), stopped: true };
}
