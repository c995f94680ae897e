// Owns which scenarios of which suites a command is about: the same selectors for all suites found, each known to at least one of them.

import { EntailError } from "../core/error.ts";
import { didYouMean } from "../core/nearest.ts";
import type { Scenario, Suite } from "../core/suite.ts";
import type { Selection } from "../run/plan.ts";

export interface Selectors {
  readonly scenarios: readonly string[];
  readonly tags: readonly string[];
  readonly excludeTags: readonly string[];
}

export interface SelectedSuite<Item> {
  readonly item: Item;
  readonly selection: Selection;
  readonly scenarios: readonly Scenario[];
}

export interface Selected<Item> {
  readonly suites: readonly SelectedSuite<Item>[];
  /** Suites without a match. */
  readonly left: readonly Item[];
}

/** Before anything else is read: `--scenario` and `--tag` exclude each other, and nothing is named twice. Throws `usage_invalid` or `selector_duplicate`. */
export function checkSelectors({ scenarios, tags, excludeTags }: Selectors): void {
  if (scenarios.length > 0 && tags.length > 0) throw new EntailError("usage_invalid", "--scenario and --tag cannot be given together: name scenarios or tags");
  for (const [flag, values] of [["--scenario", scenarios], ["--tag", tags], ["--exclude-tag", excludeTags]] as const) {
    const twice = values.find((value, at) => values.indexOf(value) !== at);
    if (twice !== undefined) throw new EntailError("selector_duplicate", `${flag} ${JSON.stringify(twice)} is given twice`);
  }
}

/** Throws `selector_unknown` for a selector that no suite knows, `nothing_to_run` where nothing is left. */
export function selectSuites<Item>(items: readonly Item[], suiteOf: (item: Item) => Suite, selectors: Selectors): Selected<Item> {
  const { scenarios, tags, excludeTags } = selectors;
  const suites = items.map(suiteOf);
  const ids = known(suites, ({ id }) => [id]);
  const allTags = known(suites, (scenario) => scenario.tags);
  for (const id of scenarios) require("--scenario", "scenario", id, ids);
  for (const tag of tags) require("--tag", "tag", tag, allTags);
  for (const tag of excludeTags) require("--exclude-tag", "tag", tag, allTags);

  const selected: SelectedSuite<Item>[] = [];
  const left: Item[] = [];
  for (const [at, item] of items.entries()) {
    const own = suites[at]?.scenarios ?? [];
    const matching = own.filter(
      (scenario) =>
        (scenarios.length === 0 || scenarios.includes(scenario.id)) &&
        (tags.length === 0 || scenario.tags.some((tag) => tags.includes(tag))) &&
        !scenario.tags.some((tag) => excludeTags.includes(tag)),
    );
    // A suite without any scenario is a fault that the run itself tells, where it was asked for.
    if (matching.length === 0 && (own.length > 0 || scenarios.length + tags.length > 0)) left.push(item);
    else selected.push({ item, selection: selectionOf(own, selectors), scenarios: matching });
  }
  if (selected.length === 0) throw new EntailError("nothing_to_run", excludeTags.length > 0 ? "nothing is left to run: every selected scenario has an excluded tag" : "nothing is left to run");
  return { suites: selected, left };
}

/** What this suite knows of the selectors. */
function selectionOf(own: readonly Scenario[], { scenarios, tags }: Selectors): Selection {
  if (scenarios.length > 0) return { kind: "scenarios", ids: scenarios.filter((id) => own.some((scenario) => scenario.id === id)) };
  if (tags.length > 0) return { kind: "tags", tags: tags.filter((tag) => own.some((scenario) => scenario.tags.includes(tag))) };
  return { kind: "all" };
}

function known(suites: readonly Suite[], read: (scenario: Scenario) => readonly string[]): ReadonlySet<string> {
  return new Set(suites.flatMap((suite) => suite.scenarios.flatMap(read)));
}

function require(flag: string, word: string, value: string, there: ReadonlySet<string>): void {
  if (there.has(value)) return;
  throw new EntailError("selector_unknown", `${flag} ${JSON.stringify(value)}: no suite has this ${word}${didYouMean(value, there) || `; entail list shows the ${word}s there are`}`);
}
