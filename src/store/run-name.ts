// Owns how a run is named by people: its ordinal, its id, or the beginning of it.

/** Shorter beginnings are mistyped more often than meant. */
const LEAST_PREFIX = 4;

export type RunName = { readonly ordinal: number } | { readonly prefix: string };

/** What `text` may name, in the order in which it is tried. */
export function runNames(text: string): readonly RunName[] {
  const trimmed = text.trim();
  const names: RunName[] = [];
  const digits = /^#?([1-9]\d{0,14})$/.exec(trimmed)?.[1];
  if (digits !== undefined) names.push({ ordinal: Number(digits) });
  if (trimmed.length >= LEAST_PREFIX && /^[\x21-\x7e]+$/.test(trimmed) && !trimmed.startsWith("#")) names.push({ prefix: trimmed.toLowerCase() });
  return names;
}
