// Owns the data block: the one place of a judge's request where output, reference and evidence stand, and out of which none can break.

import type { JudgeRequest } from "../core/judge.ts";
import { dataLine } from "../json/data-line.ts";

/**
 * One JSON object on one line, `reference` and `evidence` left out where they are empty. Parsing it gives the texts back, character for
 * character. Its only delimiters are JSON's own, which JSON escapes inside a text; so are `<` and every kind of line end, for models and
 * templates that give them a meaning of their own.
 */
export function dataBlock({ output, reference, evidence = "" }: Pick<JudgeRequest, "output" | "reference" | "evidence">): string {
  return dataLine({ output, ...(reference !== "" && { reference }), ...(evidence !== "" && { evidence }) });
}
