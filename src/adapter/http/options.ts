// Owns the reading of options at this adapter's door: nothing unknown is passed over.

import { EntailError } from "../../core/error.ts";
import { didYouMean } from "../../core/nearest.ts";

/** Throws `option_invalid` for a member of `options` that is not among `known`, or where they are no object. */
export function requireKnown(options: unknown, known: readonly string[], place: string): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) throw invalid(`the options of ${place} must be an object`);
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw invalid(`the options of ${place} have a member ${JSON.stringify(name)} that Entail does not know${didYouMean(name, known)}`);
  }
}

export function invalid(message: string): EntailError {
  return new EntailError("option_invalid", message);
}
