// Owns selection: which scenarios of a suite a run is about, and the first fault of asking for them.

import { EntailError, type ErrorCode } from "../core/error.ts";
import { didYouMean } from "../core/nearest.ts";
import type { Scenario, Suite } from "../core/suite.ts";
import type { Selection } from "./plan.ts";

/**
 * The selected scenarios in the order of their declaration. Throws an `EntailError` of stage `selection`: `selection_empty`, then for
 * each value in the caller's order `selector_empty` or `selector_duplicate`, then `selector_unknown`, then `selection_no_scenarios`.
 */
export function select(suite: Suite, selection: Selection, excludeTags: readonly string[] = []): readonly Scenario[] {
  const { scenarios } = suite;
  let selected = scenarios;
  if (selection.kind === "scenarios") {
    const wanted = readSelectors(selection.ids, "scenario", "scenarios", suite, () => scenarios.map(({ id }) => id));
    selected = scenarios.filter(({ id }) => wanted.has(id));
  } else if (selection.kind === "tags") {
    const wanted = readSelectors(selection.tags, "tag", "tags", suite, () => tagsOf(scenarios));
    selected = scenarios.filter(({ tags }) => tags.some((tag) => wanted.has(tag)));
  }
  if (excludeTags.length > 0) {
    const unwanted = new Set(excludeTags);
    selected = selected.filter(({ tags }) => !tags.some((tag) => unwanted.has(tag)));
  }
  if (selected.length === 0) {
    throw fault("selection_no_scenarios", scenarios.length === 0 ? `suite ${quoted(suite.id)} has no scenarios` : `every selected scenario of suite ${quoted(suite.id)} has an excluded tag`);
  }
  return selected;
}

/** The tags of all scenarios, each once. */
export function tagsOf(scenarios: readonly Scenario[]): readonly string[] {
  return [...new Set(scenarios.flatMap(({ tags }) => tags))];
}

function readSelectors(values: readonly string[], word: string, words: string, suite: Suite, known: () => readonly string[]): ReadonlySet<string> {
  if (!Array.isArray(values) || values.length === 0) throw fault("selection_empty", `the selection is empty: name at least one ${word}`);
  const wanted = new Set<string>();
  for (const value of values) {
    if (typeof value !== "string" || value === "") throw fault("selector_empty", `the selected ${word} is empty`);
    if (wanted.has(value)) throw fault("selector_duplicate", `duplicate ${word} ${quoted(value)} in the selection`);
    wanted.add(value);
  }
  const there = new Set(known());
  for (const value of wanted) {
    if (!there.has(value)) throw fault("selector_unknown", `unknown ${word} ${quoted(value)} in suite ${quoted(suite.id)}${didYouMean(value, there) || `; its ${words} are ${listed([...there])}`}`);
  }
  return wanted;
}

function listed(words: readonly string[]): string {
  const shown = words.slice(0, 20).map(quoted).join(", ");
  if (words.length === 0) return "none";
  return words.length > 20 ? `${shown} and ${words.length - 20} more` : shown;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function fault(code: ErrorCode, message: string): EntailError {
  return new EntailError(code, message, { stage: "selection" });
}
