import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lintClaim } from "entail/judge";

const rules = (text: string): readonly string[] => lintClaim(text).map(({ rule, word }) => `${rule}: ${word}`);

describe("a claim that reads well draws no warning", () => {
  test.each([
    "The answer reports every alarm in the window.",
    "The answer states the price.",
    "Pump 3 is running.",
    "The price lies between 3 and 5 euros.",
    "The answer gives the temperature as 20.5 degrees.",
    'The answer contains the words "terms and conditions".',
    "The answer calls the product “Salt and Pepper, not Sugar”.",
    "Any price quoted must match the reference; quoting none satisfies this.",
    "The order arrives no later than noon.",
    "The answer asks the customer for the number of the order.",
    "It is stated that the pump is running.",
    "The customer is told that the refund goes to their card.",
    "The answer names the pump by its number.",
    "Pump 3 is back at its speed.",
    "L'agent a remboursé la commande.",
    "注文は返金された。",
  ])("%s", (text) => expect(lintClaim(text)).toEqual([]));
});

describe("a claim of two facts", () => {
  test.each([
    ["The answer names the price and offers a refund.", "and"],
    ["The pump is running but boiler 2 is not on.", "but"],
    ["The answer states the price as well as the date.", "as well as"],
    ["The order is paid; the parcel is sent.", ";"],
    ["The pump is running. The boiler is off.", ""],
    ["The answer names A-1, while the list holds A-2.", "while"],
  ])("%s is to be split at %j", (text, word) => {
    expect(lintClaim(text)[0]).toMatchObject({ rule: "compound", word, message: expect.stringContaining("make a claim of each") });
  });
});

describe("a claim that does not say of what it speaks", () => {
  test.each([["It is running.", "It"], ["They were refunded.", "They"], ["This order was refunded.", "This"], ["He is told the price.", "He"], ["Says that it costs 3 euros.", "it"], ["Those alarms are named.", "Those"]])("%s lacks what %j is", (text, word) => {
    expect(lintClaim(text)[0]).toMatchObject({ rule: "pronoun", word, message: expect.stringContaining("name it") });
  });
});

describe("a claim that denies", () => {
  test.each([["The answer does not mention the refund.", "not"], ["The answer never asks for a card number.", "never"], ["The answer doesn’t promise a date.", "doesn’t"], ["No alarm is left out.", "No"], ["The answer is given without a price.", "without"], ["The agent cannot delete alarms.", "cannot"]])("%s is to expect another label than say %j", (text, word) => {
    expect(lintClaim(text)[0]).toMatchObject({ rule: "negation", word, message: expect.stringContaining('let the claim expect "not_addressed" or "contradicted"') });
  });
});

test("several warnings stand in the order of their words, one of a kind", () => {
  expect(rules("It does not name the price and it does not name the date.")).toEqual(["pronoun: It", "negation: not", "compound: and"]);
});

test("any text at all is read in little time, and gives warnings of words that stand in it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      for (const { word } of lintClaim(text)) expect(text).toContain(word);
    }),
    { seed: 9, numRuns: 200 },
  );
  const started = performance.now();
  for (const text of ["'".repeat(20_000), `${"between ".repeat(5_000)}and`, "; quoting ".repeat(3_000), "the ".repeat(20_000), "a.".repeat(20_000)]) lintClaim(text);
  expect(performance.now() - started).toBeLessThan(1_000);
});
