// Owns a result of which only the text is known that a model was shown.

import type { ToolEndEvent } from "../core/event.ts";

/** The members of a `tool_end`: an object or a list written as JSON is read, with every digit; any other text is the result as it stands. */
export function textResult(text: string): Pick<ToolEndEvent, "result" | "resultJson"> {
  const first = text.trimStart().charAt(0);
  if (first !== "{" && first !== "[") return { result: text };
  try {
    JSON.parse(text);
    return { resultJson: text };
  } catch {
    return { result: text };
  }
}
