import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EntailError, isEntailError } from "../core/error.ts";
import { canonicalText, valueOf } from "./json-value.ts";
import { MAX_JSON_DEPTH, readJson } from "./read-json.ts";

function refusal(text: string): EntailError {
  try {
    readJson(text);
  } catch (thrown) {
    if (isEntailError(thrown)) return thrown;
    throw thrown;
  }
  throw new Error(`${text} was read`);
}

describe("a JSON text", () => {
  test("keeps every digit of a number, and its value is JavaScript's", () => {
    const node = readJson('{"id": 9007199254740993, "price": 1.10, "tiny": 1e-7}');
    expect(canonicalText(node)).toBe('{"id":9007199254740993,"price":1.10,"tiny":1e-7}');
    expect(valueOf(node)).toEqual({ id: 9007199254740992, price: 1.1, tiny: 1e-7 });
  });

  test("has one canonical text whatever its layout, its escapes and the order of its members", () => {
    const canonical = '{"\u00e9":2,"\ud83d\ude00":3,"\uff5e":4}';
    expect(canonicalText(readJson('{ "\\u00e9" : 2,\n"\\uff5e":4 ,\t"\\ud83d\\ude00":3 }'))).toBe(canonical);
    expect(canonicalText(readJson(canonical))).toBe(canonical);
  });

  test("named __proto__ gives an own member and changes no prototype", () => {
    const value = valueOf(readJson('{"__proto__": {"admin": true}, "constructor": 1, "toString": 2}')) as Record<string, unknown>;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(["__proto__", "constructor", "toString"]);
    expect(Object.getOwnPropertyDescriptor(value, "__proto__")?.value).toEqual({ admin: true });
    expect((value as { admin?: unknown }).admin).toBeUndefined();
  });

  test("takes one step a character, a million brackets and a million members included", () => {
    const wide = `[${"1,".repeat(200_000)}1]`;
    expect((valueOf(readJson(wide)) as unknown[]).length).toBe(200_001);
    expect(refusal("[".repeat(1_000_000)).code).toBe("json_invalid");
  });

  test(`may hold ${MAX_JSON_DEPTH} levels and no more`, () => {
    const levels = (n: number): string => "[".repeat(n) + "]".repeat(n);
    expect(canonicalText(readJson(levels(MAX_JSON_DEPTH)))).toBe(levels(MAX_JSON_DEPTH));
    expect(refusal(levels(MAX_JSON_DEPTH + 1)).message).toContain("1000 objects and lists within one another");
  });
});

describe("what is no JSON is refused", () => {
  const invalid: readonly (readonly [what: string, text: string, says: string])[] = [
    ["nothing", "", "the text is empty (line 1, column 1, at the root)"],
    ["white space alone", " \n\t", "the text is empty (line 2, column 2"],
    ["a code fence", '```json\n{"a":1}\n```', "the text stands in a code fence"],
    ["a byte order mark", '\uFEFF{"a":1}', "begins with a byte order mark"],
    ["text after the value", '{"a":1} done', "there is text after the value (line 1, column 9"],
    ["a second value", "1 2", "there is text after the value"],
    ["prose", "Here is the answer", '"Here" is no value'],
    ["a trailing comma in an object", '{"a":1,}', "a member needs a name in double quotes here (line 1, column 8"],
    ["a trailing comma in a list", "[1,]", '"]" begins no value (line 1, column 4, at [1])'],
    ["a missing comma", '{"a":1 "b":2}', 'an object needs "," or "}" here'],
    ["a missing colon", '{"a" 1}', 'a member needs ":" after its name'],
    ["a single-quoted string", "['a']", '"\'" begins no value'],
    ["a name without quotes", "{a:1}", "a member needs a name in double quotes"],
    ["a comment", "[1 /* one */]", 'a list needs "," or "]" here'],
    ["an unknown escape", '["\\x41"]', 'the escape "\\\\x" is not one of JSON\'s'],
    ["a short unicode escape", '["\\u12"]', "is not one of JSON's"],
    ["a signed unicode escape", '["\\u+123"]', "is not one of JSON's"],
    ["a raw control character", '["a\nb"]', "the control character U+000A"],
    ["a raw NUL", '["\u0000"]', "the control character U+0000"],
    ["a leading zero", "[012]", '"012" is no number as JSON writes it'],
    ["a leading zero after the sign", "-01", '"-01" is no number'],
    ["a plus sign", "+1", '"+1" is no value'],
    ["a leading point", ".5", '".5" is no value'],
    ["a trailing point", "5.", '"5." is no number'],
    ["an empty exponent", "1e", '"1e" is no number'],
    ["a hexadecimal number", "0x10", '"0x10" is no number'],
    ["NaN", '{"score": NaN}', '"NaN" is no value (line 1, column 11, at score)'],
    ["an infinity", "[-Infinity]", '"-Infinity" is no number'],
    ["True", "[True]", '"True" is no value'],
    ["a word that only begins well", "nullable", '"nullable" is no value'],
    ["undefined", "undefined", '"undefined" is no value'],
    ["an open object", '{"a":{"b":1}', "an object has no end"],
    ["an open list", "[1, 2", "a list has no end"],
    ["an open string", '{"a":"b', "a string has no end (line 1, column 6, at a)"],
    ["a lone closing bracket", "]", '"]" begins no value'],
    ["a space that is not JSON's", "\u00a01", "begins no value"],
  ];
  test.each(invalid)("%s", (_what, text, says) => {
    const error = refusal(text);
    expect(error.code).toBe("json_invalid");
    expect(error.message).toContain(says);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  test("at line 3, column 14 and at items[1].price, where it stands", () => {
    expect(refusal('{\n  "items": [{"price": 1},\r\n   {"price": 0x}]\n}').message).toContain("(line 3, column 14, at items[1].price)");
  });
});

describe("a member that stands twice in one object is refused", () => {
  const twice: readonly (readonly [what: string, text: string, places: readonly string[]])[] = [
    ["at the top", '{"a":1,"a":2}', ["a"]],
    ["with one value both times", '{"a":1,"a":1}', ["a"]],
    ["three times, said once", '{"a":1,"a":2,"a":3}', ["a"]],
    ["deep in objects", '{"x":{"y":{"z":1,"z":2}}}', ["x.y.z"]],
    ["deep in lists", '[[{"z":1,"z":2}]]', ["[0][0].z"]],
    ["with an escape in one of them", '{"label":1,"l\\u0061bel":2}', ["label"]],
    ["with two escapes of one character", '{"\\/":1,"\\u002f":2}', ['["/"]']],
    ["named by the empty text", '{"":1,"":2}', ['[""]']],
    ["named by NUL", '{"\\u0000":1,"\\u0000":2}', ['["\\u0000"]']],
    ["named __proto__", '{"__proto__":1,"__proto__":2}', ["__proto__"]],
    ["in several places", '{"a":1,"b":[{"c":1,"c":2},{"d":{"e":1,"e":2}}],"a":2}', ["b[0].c", "b[1].d.e", "a"]],
    ["inside a member that stands twice", '{"a":{"b":1},"a":{"b":1,"b":2}}', ["a", "a.b"]],
  ];
  test.each(twice)("%s", (_what, text, places) => {
    const error = refusal(text);
    expect(error.code).toBe("json_duplicate_member");
    expect(error.faults.map((fault) => fault.place)).toEqual(places);
    expect(error.faults.map((fault) => fault.code)).toEqual(places.map(() => "json_duplicate_member"));
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  test("and the message says line, column and path of the first, and how many more there are", () => {
    expect(refusal('{"a": 1,\n "b": {"c": 1, "c": 2, "d": 1, "d": 1}}').message).toBe(
      'the member "c" stands more than once in one object (line 2, column 16, at b.c), and 1 more like it',
    );
  });

  test("but not a name in sibling objects, in other items, in another case or with a space", () => {
    const text = '{"a":{"n":1},"b":{"n":2},"list":[{"n":1},{"n":2}],"N":1," n":2,"n ":3,"\\u00e9":1,"e\\u0301":2}';
    expect(valueOf(readJson(text))).toEqual(JSON.parse(text));
  });

  test("and a broken text is invalid before anything else", () => {
    expect(refusal('{"a":1,"a":2').code).toBe("json_invalid");
  });

  test("and the faults that are named stay few, however many there are", () => {
    const error = refusal(`[${Array.from({ length: 500 }, () => '{"a":1,"a":2}').join(",")}]`);
    expect(error.faults.length).toBe(100);
    expect(error.message).toContain("and 499 more like it");
  });
});

describe("half a surrogate pair is refused", () => {
  const halves: readonly (readonly [what: string, text: string, place: string])[] = [
    ["escaped and high", '{"a":"\\ud800"}', "a"],
    ["escaped and low", '{"a":"\\udc00 x"}', "a"],
    ["raw", '["\ud83d"]', "[0]"],
    ["in the wrong order", '["\\ude00\\ud83d"]', "[0]"],
    ["high before an ordinary character", '["\\ud83dx"]', "[0]"],
    ["in a member's name", '{"\\udfff":1}', ""],
  ];
  test.each(halves)("%s", (_what, text, place) => {
    const error = refusal(text);
    expect(error.code).toBe("json_lone_surrogate");
    expect(error.faults.map((fault) => fault.place)).toEqual([place]);
  });

  test("but a pair is read, escaped, raw or half and half", () => {
    expect(valueOf(readJson('["\\ud83d\\ude00","\ud83d\ude00","\\ud83d\ude00"]'))).toEqual(["\u{1f600}", "\u{1f600}", "\u{1f600}"]);
  });
});

function outcomeOf(read: () => unknown): { readonly value?: unknown; readonly refused?: unknown } {
  try {
    return { value: read() };
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return { refused: "json_invalid" };
    if (thrown instanceof EntailError) return { refused: thrown.code };
    throw thrown;
  }
}

describe("against JSON.parse", () => {
  test("every valid text has the same value, pretty or not", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        if (text.includes("\\ud")) return;
        expect(valueOf(readJson(text))).toStrictEqual(JSON.parse(text));
      }),
    );
  });

  test("the canonical text of every valid text parses back to the same value and is its own canonical text", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        if (/\\ud[89a-f]/i.test(text)) return;
        const canonical = canonicalText(readJson(text));
        expect(JSON.parse(canonical)).toStrictEqual(JSON.parse(text));
        expect(canonicalText(readJson(canonical))).toBe(canonical);
      }),
    );
  });

  test("a text with a character changed is read as JSON.parse reads it, or is refused by an EntailError", () => {
    const characters = fc.constantFrom("{", "}", "[", "]", ",", ":", '"', "\\", "u", "0", "1", "-", "+", ".", "e", "t", "n", " ", "\n", "\u0000", "\ud800", "a", "/");
    fc.assert(
      fc.property(fc.json(), fc.nat(), characters, fc.boolean(), (text, place, character, insert) => {
        const at = place % (text.length + 1);
        const changed = text.slice(0, at) + character + text.slice(insert ? at : at + 1);
        const theirs = outcomeOf(() => JSON.parse(changed) as unknown);
        const ours = outcomeOf(() => valueOf(readJson(changed)));
        // Ours is stricter in two ways and no other.
        expect(ours).toStrictEqual(["json_duplicate_member", "json_lone_surrogate"].includes(String(ours.refused)) && "value" in theirs ? ours : theirs);
      }),
      { numRuns: 500 },
    );
  });

  test("any text at all is read, or refused by an EntailError", () => {
    const outcome = (text: string): string => {
      try {
        return readJson(text).kind;
      } catch (thrown) {
        if (!(thrown instanceof EntailError)) throw thrown;
        return thrown.code;
      }
    };
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 30 }), (text) => {
      expect(outcome(text)).toMatch(/^[a-z_]+$/);
    }));
  });
});
