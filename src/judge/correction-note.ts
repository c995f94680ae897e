// Owns the correction note: what a judge's model is told about the answer that was refused, in structure alone.

import type { AnswerFault } from "./answer-fault.ts";
import { ROOT_DESCRIPTION } from "./grading-tool.ts";

/** In bytes of UTF-8. */
export const MAX_NOTE_BYTES = 4096;

const HEAD = `Your previous call was rejected and nothing of it is kept. Replace it: call the supplied grading tool exactly once, with complete arguments for every claim.
$payload is the root of the arguments. ${ROOT_DESCRIPTION}
What was wrong:`;

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** At most 4,096 bytes: a line for each fault, and where they do not all fit, how many more there were. */
export function correctionNote(faults: readonly AnswerFault[]): string {
  const lines = faults.map((fault) => `\n- ${fault.note}.`);
  const whole = HEAD + lines.join("");
  if (bytes(whole) <= MAX_NOTE_BYTES) return whole;
  const rest = (count: number): string => `\n- and ${count} more.`;
  const room = MAX_NOTE_BYTES - bytes(rest(lines.length));
  let note = HEAD;
  let size = bytes(HEAD);
  for (const [index, line] of lines.entries()) {
    size += bytes(line);
    if (size > room) return note + rest(lines.length - index);
    note += line;
  }
  return note;
}
