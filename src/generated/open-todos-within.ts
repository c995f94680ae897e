// Owns the search for TODOs that stand inside an input: `{ user_id: todo("…"), prompt: "…" }`.

import { todoText } from "../core/todo.ts";

const MAX_DEPTH = 100;

/** Every TODO in the value, with its place. What cannot be read holds none: whoever decodes the value says so. */
export function openTodosWithin(value: unknown, place: string, above: readonly object[] = []): readonly { readonly place: string; readonly message: string }[] {
  const message = todoText(value);
  if (message !== undefined) return [{ place, message }];
  if (typeof value !== "object" || value === null || above.includes(value) || above.length >= MAX_DEPTH) return [];
  try {
    return Object.entries(value).flatMap(([member, item]) => openTodosWithin(item, Array.isArray(value) ? `${place}[${member}]` : `${place}.${member}`, [...above, value]));
  } catch {
    return [];
  }
}
