import { expect, test } from "vitest";
import type { Scenario, Suite } from "entail";
import { checkSelectors, type Selectors, selectSuites } from "./selection.ts";

const suite = (id: string, scenarios: Record<string, string[]>): Suite => ({
  id,
  description: "",
  scenarios: Object.entries(scenarios).map(([name, tags]): Scenario => ({ id: name, description: "", tags, timeoutMs: 1, run: () => ({}) })),
});

const suites = [suite("chat", { greeting: ["smoke"], inventory: ["alarm", "slow"] }), suite("mail", { greeting: [], send: ["alarm"] })];
const select = (selectors: Partial<Selectors>): string[][] => {
  const { suites: selected, left } = selectSuites(suites, (each) => each, { scenarios: [], tags: [], excludeTags: [], ...selectors });
  return [...selected.map(({ item, scenarios }) => [item.id, ...scenarios.map(({ id }) => id)]), ["left", ...left.map(({ id }) => id)]];
};

test("each suite runs what it knows of the selectors, and a suite without a match is left out and named", () => {
  expect(select({})).toEqual([["chat", "greeting", "inventory"], ["mail", "greeting", "send"], ["left"]]);
  expect(select({ scenarios: ["greeting", "send"] })).toEqual([["chat", "greeting"], ["mail", "greeting", "send"], ["left"]]);
  expect(select({ tags: ["smoke"] })).toEqual([["chat", "greeting"], ["left", "mail"]]);
  expect(select({ tags: ["alarm"], excludeTags: ["slow"] })).toEqual([["mail", "send"], ["left", "chat"]]);
});

test("a selection hands on only the selectors that the suite knows", () => {
  const { suites: selected } = selectSuites(suites, (each) => each, { scenarios: ["send", "greeting"], tags: [], excludeTags: [] });
  expect(selected.map(({ selection }) => selection)).toEqual([{ kind: "scenarios", ids: ["greeting"] }, { kind: "scenarios", ids: ["send", "greeting"] }]);
});

test("a selector that no suite knows is refused with the nearest one that is known", () => {
  expect(() => select({ scenarios: ["greting"] })).toThrow('--scenario "greting": no suite has this scenario; did you mean "greeting"?');
  expect(() => select({ tags: ["zzzzzzzz"] })).toThrow('--tag "zzzzzzzz": no suite has this tag; entail list shows the tags there are');
  expect(() => select({ excludeTags: ["smok"] })).toThrow('--exclude-tag "smok": no suite has this tag; did you mean "smoke"?');
  expect(() => select({ tags: ["__proto__"] })).toThrow("no suite has this tag");
});

test("nothing left to run is a mistake, not a success", () => {
  expect(() => select({ tags: ["smoke"], excludeTags: ["smoke"] })).toThrow("nothing is left to run: every selected scenario has an excluded tag");
});

test("scenarios and tags exclude each other, and none is named twice", () => {
  expect(() => checkSelectors({ scenarios: ["a"], tags: ["b"], excludeTags: [] })).toThrow("--scenario and --tag cannot be given together");
  expect(() => checkSelectors({ scenarios: ["a", "a"], tags: [], excludeTags: [] })).toThrow('--scenario "a" is given twice');
});
