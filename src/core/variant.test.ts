import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Variants, variantsOf } from "./variant.ts";

const of = (variants: unknown) => variantsOf(variants as Variants, "evaluation()");

test("every combination is a variant, and the last list changes fastest", () => {
  expect(of({ model: ["small", "large"], prompt: ["v13", "v14"] })).toEqual([
    { name: "model=small,prompt=v13", values: { model: "small", prompt: "v13" } },
    { name: "model=small,prompt=v14", values: { model: "small", prompt: "v14" } },
    { name: "model=large,prompt=v13", values: { model: "large", prompt: "v13" } },
    { name: "model=large,prompt=v14", values: { model: "large", prompt: "v14" } },
  ]);
});

test.each([
  [{}, "evaluation() needs an object of lists as its variants"],
  [[], "evaluation() needs an object of lists as its variants"],
  [{ model: [] }, "evaluation() needs a list of at least one name as its variants.model"],
  [{ model: "small" }, "evaluation() needs a list of at least one name as its variants.model"],
  [{ model: ["a", 3] }, "evaluation() has a number as its variants.model[1]"],
  [{ model: ["a", "a"] }, 'evaluation() names "a" twice in its variants.model'],
  [{ model: ["a,b"] }, 'evaluation() has "a,b" as its variants.model[0]'],
  [{ "mo=del": ["a"] }, 'evaluation() has a variant of the name "mo=del"'],
  [{ model: ["a\u001b[2J"] }, "a control character"],
  [{ a: Array.from({ length: 15 }, (_, at) => `${at}`), b: Array.from({ length: 15 }, (_, at) => `${at}`) }, "more than 200 combinations"],
])("what names none is refused: %j", (variants, sentence) => {
  expect(() => of(variants)).toThrow(sentence);
});

test("names are distinct and values are as they were given, whatever the words", () => {
  const word = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => /^[^\p{Cc}\p{Zl}\p{Zp}\p{Cs},=]+$/v.test(text));
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(fc.oneof(word, fc.constant("__proto__")), fc.uniqueArray(word, { minLength: 1, maxLength: 3 })), { minLength: 1, maxLength: 3, selector: ([axis]) => axis }), (axes) => {
      const made = of(Object.fromEntries(axes));
      expect(new Set(made.map(({ name }) => name)).size).toBe(axes.reduce((product, [, values]) => product * values.length, 1));
      for (const { values } of made) expect(Object.keys(values).toSorted()).toEqual(axes.map(([axis]) => axis).toSorted());
    }),
    { numRuns: 60 },
  );
});
