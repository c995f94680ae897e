import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checks, matchWithin, type QuickCheck, runScorer, type ScorerOutcome, type ScorerRun } from "entail/score";
import { createCollector } from "entail/evidence";
import { agentRun, assistant } from "../../test/score-messages.ts";

const outcome = (check: QuickCheck, run: ScorerRun): Promise<ScorerOutcome> => runScorer(check, run);
async function verdictOn(check: QuickCheck, run: ScorerRun): Promise<"pass" | "fail" | "error" | "between"> {
  const seen = await outcome(check, run);
  if (seen.kind === "errored") return "error";
  if (seen.kind !== "scored") return "between";
  return seen.score === 1 ? "pass" : seen.score === 0 ? "fail" : "between";
}
const on = async (check: QuickCheck, ...outputs: readonly unknown[]): Promise<readonly string[]> => Promise.all(outputs.map((output) => verdictOn(check, { output: typeof output === "string" ? [assistant(output)] : output })));
async function scoreOf(check: QuickCheck, run: ScorerRun): Promise<number> {
  const seen = await outcome(check, run);
  if (seen.kind !== "scored") throw new Error(seen.kind === "errored" ? seen.error.message : seen.reason);
  return seen.score;
}
async function reasonOf(check: QuickCheck, run: ScorerRun): Promise<string> {
  const seen = await outcome(check, run);
  return seen.kind === "errored" ? seen.error.message : (seen.reason ?? "");
}

describe("the cases", () => {
  test("case 061: decomposed accents and a non-breaking space do not hide a text that looks the same", async () => {
    expect(await on(checks.includes("Caf\u00e9 cr\u00e8me 12 \u20ac"), "Voil\u00e0: Cafe\u0301 cre\u0300me 12\u00a0\u20ac.")).toEqual(["pass"]);
    expect(await reasonOf(checks.includes("tea"), agentRun("x", "cre\u0301me\u00a0\u200b"))).toContain(String.raw`"cre\u0301me\u00a0\u200b"`);
  });
  test("case 063: the dotted and the dotless i of Turkish are both i when case is ignored", async () => {
    expect(await on(checks.includes("istanbul"), "Welcome to \u0130stanbul!", "WELCOME TO ISTANBUL", "ISTANBUL \u0130STANBUL", "\u0131stanbul")).toEqual(["pass", "pass", "pass", "pass"]);
  });
  test("case 064: direction marks around a text do not hide it", async () => {
    expect(await on(checks.includes("\u05e9\u05dc\u05d5\u05dd 42"), "\u200f\u05e9\u05dc\u05d5\u05dd\u200f \u206642\u2069")).toEqual(["pass"]);
  });
  test("case 065: line ends are all alike, and a trailing line break is a difference that the reason names", async () => {
    const check = checks.equals("line 1\r\nline 2\r\n");
    expect(await on(check, "line 1\nline 2\n", "line 1\nline 2", "line 1\n\nline 2\n")).toEqual(["pass", "fail", "fail"]);
    expect(await reasonOf(check, agentRun("x", "line 1\nline 2"))).toContain(String.raw`white space at the end: "\n" and ""`);
    expect(await reasonOf(check, agentRun("x", "line 1\n\nline 2\n"))).toContain("line ends and white space alone");
  });
  test("case 066: a pattern that backtracks without end is an error within its time, and the next case still runs", async () => {
    const check = checks.matches(/^(\w+\s?)*$/, { timeoutMs: 50 });
    const seen = await outcome(check, agentRun("x", `${"a".repeat(40)}!`));
    expect(seen).toMatchObject({ kind: "errored", error: { code: "pattern_timeout" } });
    expect(await on(check, "hello world")).toEqual(["pass"]);
  });
  test("case 067: a global expression answers the same for every text, in any order", async () => {
    const check = checks.matches(/order/g);
    expect(await on(check, "order 1", "order 2", "order 3", "order 4")).toEqual(["pass", "pass", "pass", "pass"]);
    expect(await on(checks.matches(/order/y), "an order", "an order")).toEqual(["pass", "pass"]);
  });
  test("case 069: a number is read whole: 12.5.1, 12 and 12,5 are not 12.5", async () => {
    expect(await on(checks.numberEquals(12.5), "12.5", "12.50", "about 12.5 km", "12,5", "125", "12", "1.25e1", "12.5.1")).toEqual(["pass", "pass", "pass", "fail", "fail", "fail", "pass", "fail"]);
  });
  const called = (expected: Record<string, unknown>, actual: unknown, options = {}): Promise<string> => verdictOn(checks.calledToolWith("t", expected, options), { output: [assistant({ call: "t", args: actual })] });
  test("case 071: 1 and 1.0 and 0 and -0 are equal; a number and its text are not, and the reason shows the types", async () => {
    const pairs: readonly (readonly [unknown, unknown])[] = [[1, 1.0], [0, -0], [1, "1"], [true, 1], [null, 0], [0.1, 0.1]];
    expect(await Promise.all(pairs.map(([a, b]) => called({ x: a }, { x: b })))).toEqual(["pass", "pass", "fail", "fail", "fail", "pass"]);
    expect(() => checks.calledToolWith("t", { x: Number.NaN })).toThrow(expect.objectContaining({ code: "scorer_invalid" }));
    expect(await reasonOf(checks.calledToolWith("t", { x: "1" }), { output: [assistant({ call: "t", args: { x: 1 } })] })).toContain(`x is 1 (number) instead of \\"1\\" (string)`);
  });
  test("case 072: two ids beyond 2^53 are told apart by their digits, and a number that cannot be held exactly is refused", async () => {
    const withId = (digits: string): ScorerRun => ({ output: [{ role: "assistant", content: null, tool_calls: [{ id: "c", type: "function", function: { name: "t", arguments: `{"id":${digits}}` } }] }] });
    expect(() => checks.calledToolWith("t", JSON.parse('{"id":9007199254740993}') as Record<string, unknown>)).toThrow(/cannot be held exactly/);
    expect(await verdictOn(checks.calledToolWith("t", { id: 9007199254740993n }), withId("9007199254740993"))).toBe("pass");
    expect(await verdictOn(checks.calledToolWith("t", { id: 9007199254740993n }), withId("9007199254740992"))).toBe("fail");
    expect(checks.calledToolWith("t", { id: 9007199254740993n }).id).toContain("9007199254740993");
  });
  test("case 073: the order of members does not matter, that of a list does", async () => {
    const expected = { a: 1, b: { x: [1, 2], y: null } };
    expect(await Promise.all([called(expected, { b: { y: null, x: [1, 2] }, a: 1 }), called(expected, { b: { y: null, x: [2, 1] }, a: 1 })])).toEqual(["pass", "fail"]);
  });
  test("case 075: an empty list equals an empty list alone", async () => {
    const actuals = [{ tags: [] }, { tags: {} }, { tags: "" }, { tags: null }, {}, { tags: [[]] }];
    expect(await Promise.all(actuals.map((actual) => called({ tags: [] }, actual)))).toEqual(["pass", "fail", "fail", "fail", "fail", "fail"]);
  });
  test("case 076: an expected null is not met by a missing argument", async () => {
    const actuals = [{ coupon: null }, {}, { coupon: undefined }, { coupon: 0 }];
    expect(await Promise.all(actuals.map((actual) => called({ coupon: null }, actual, { partial: true })))).toEqual(["pass", "fail", "fail", "fail"]);
    expect(await reasonOf(checks.calledToolWith("t", { coupon: null }), { output: [assistant({ call: "t", args: {} })] })).toContain("coupon is missing");
  });
  test("case 077: members named __proto__ and constructor are arguments like any other", async () => {
    const run = { output: [{ role: "assistant", content: null, tool_calls: [{ id: "c", type: "function", function: { name: "t", arguments: '{"__proto__":{"isAdmin":true},"user":"u1","constructor":{"prototype":{"x":1}}}' } }] }] };
    const check = checks.calledToolWith("t", { user: "u1" });
    expect(await verdictOn(check, run)).toBe("fail");
    expect(await reasonOf(check, run)).toMatch(/__proto__ was not expected.*constructor was not expected|constructor was not expected.*__proto__ was not expected/);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
  test("case 078: a negation passes exactly when its check fails", async () => {
    const text = "Your refund is on its way";
    const each = [checks.includes("refund"), checks.matches("re.und"), checks.equals("x"), checks.oneOf(["refund"]), checks.similarity(text, { threshold: 0.9 })];
    expect(await Promise.all(each.map((check) => verdictOn(checks.not(check), agentRun("x", text))))).toEqual(["fail", "fail", "pass", "pass", "fail"]);
  });
  test("case 080: the negation of what could not be measured is an error too", async () => {
    expect(() => checks.not(checks.matchesSchema({ type: "no-such-type" }))).toThrow(expect.objectContaining({ code: "scorer_invalid" }));
    expect(() => checks.not(checks.matches("(["))).toThrow(expect.objectContaining({ code: "scorer_invalid" }));
    expect(await verdictOn(checks.not(checks.includes("x")), { output: undefined })).toBe("error");
    expect(await verdictOn(checks.not(checks.calledTool("x")), { output: "hello" })).toBe("error");
    expect(await verdictOn(checks.not(checks.matches(/^(\w+\s?)*$/, { timeoutMs: 20 })), agentRun("x", `${"a".repeat(40)}!`))).toBe("error");
  });
  test("case 082: a word is found where it stands alone, also beside a script without spaces", async () => {
    expect(await on(checks.includes("UI", { word: true }), "this requires a guide", "the UI is slow", "fix ui.", "UI/UX", "GUI", "\u5728UI\u4e2d")).toEqual(["fail", "pass", "pass", "pass", "fail", "pass"]);
  });
  test("case 083: a structured output is looked at as its JSON", async () => {
    const output = { status: "shipped", items: [{ sku: "A1" }], when: new Date("2024-05-01T10:00:00Z") };
    expect(await Promise.all([checks.not(checks.includes("[object Object]")), checks.includes("A1"), checks.includes("2024-05-01")].map((check) => verdictOn(check, { output })))).toEqual(["pass", "pass", "pass"]);
  });
});

describe("the kinds", () => {
  const decomposable = fc.constantFrom("é", "ü", "ñ", "Å", "ő", "ß", "Σ", "İ", "ﬁ");
  const piece = fc.array(fc.oneof(fc.constantFrom("a", "b", " ", "7", "\n"), decomposable), { minLength: 1, maxLength: 8 }).map((list) => list.join("")).filter((text) => text.trim() !== "");
  test("kind text-normalisation: however a text is composed, spaced, marked and cased, it is found in itself", async () => {
    await fc.assert(
      fc.asyncProperty(piece, piece, piece, async (before, part, after) => {
        const disguised = part.normalize("NFD").replaceAll(" ", "\u00a0\u200f").replaceAll("\n", "\r\n").toUpperCase();
        expect(await on(checks.includes(part), `${before} ${disguised} ${after}`)).toEqual(["pass"]);
        expect(await on(checks.excludes(part), `${before} ${disguised} ${after}`)).toEqual(["fail"]);
      }),
      { numRuns: 100 },
    );
  });
  test("kind text-normalisation: a character is not found in the half of another", async () => {
    expect(await on(checks.includes("\u{1f468}"), "a \u{1f468}\u200d\u{1f469}\u200d\u{1f467}", "a \u{1f468}!")).toEqual(["fail", "pass"]);
    expect(await on(checks.includes("x"), "x\u0302", "xy")).toEqual(["fail", "pass"]);
    expect(await on(checks.includes("\ud83d"), "\u{1f600}")).toEqual(["fail"]);
    expect(await on(checks.includes("STRASSE"), "Stra\u00dfe", "stra\u1e9ee")).toEqual(["pass", "pass"]);
    expect(await on(checks.includes("\u03bf\u03b4\u03bf\u03c2"), "\u039f\u0394\u039f\u03a3")).toEqual(["pass"]);
  });
  test.each(["\u00ad", "\u2060", "\u034f", "\u180e", "\u200b", "\u200d", "\u200c", "\ufe0f", "\u{e0061}", "\u{e0100}", "\u2064", "\u3164"])("kind text-normalisation: %j within a word hides it from no check", async (unseen) => {
    expect(await on(checks.excludes("secret"), `the sec${unseen}ret word`)).toEqual(["fail"]);
    expect(await on(checks.includes("secret"), `the sec${unseen}ret word`)).toEqual(["pass"]);
    expect(await on(checks.equals("the secret"), `the ${unseen}secret`)).toEqual(["pass"]);
  });
  test("kind text-normalisation: signs that are written with joiners and tags stay what they are", async () => {
    const [england, scotland] = ["\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}", "\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"];
    expect(await on(checks.equals(england), england, scotland, "\u{1f3f4}")).toEqual(["pass", "fail", "fail"]);
    expect(await on(checks.equals("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"), "\u0645\u06cc\u062e\u0648\u0627\u0647\u0645")).toEqual(["fail"]);
    expect(await on(checks.includes("\u2764"), "I \u2764\ufe0f it")).toEqual(["pass"]);
  });
  test.each(["", "   ", "\n\t", "\u200b", "\u00a0\ufeff", "\u00ad"])("kind vacuous-pass: %j says nothing, so no check and no negation of one passes on it", async (blank) => {
    for (const check of [checks.excludes("x"), checks.not(checks.includes("x")), checks.not(checks.equals("x")), checks.not(checks.matches(/x/)), checks.not(checks.numberEquals(5)), checks.includes("x")]) expect(await on(check, blank)).toEqual(["fail"]);
  });
  test("kind word-inside-word: a number alone is no piece of a longer one", async () => {
    expect(await on(checks.includes("5", { word: true }), "5.5", "1,5", "5,000", "15", "5.", "is 5, and", "5%")).toEqual(["fail", "fail", "fail", "fail", "pass", "pass", "pass"]);
  });
  test("kind number-compare: beside digits that may mean another number none is the one number", async () => {
    expect(await on(checks.numberEquals(5), "5 or 1,000", "5 \u00b7 10\u00b3", "5-6", "3-5", "5 or \u0666", "5 or .7", "on 2026-11-30", "5\u00bd")).toEqual(Array.from({ length: 8 }, () => "fail"));
    expect(await on(checks.numberEquals(2026), "2026-11-30")).toEqual(["fail"]);
    expect(await on(checks.numberEquals(5), "GPT-4 says 5", "the 3rd says 5", "H2O: 5", "v1.2 has 5.")).toEqual(["pass", "pass", "pass", "pass"]);
    expect(await on(checks.numberEquals(9007199254740992), "9007199254740992", "9007199254740993")).toEqual(["pass", "fail"]);
    for (const tolerance of [Number.NaN, -1, "1"]) expect(() => checks.numberEquals(5, { tolerance: tolerance as number })).toThrow(/tolerance must be a number/);
  });
  test.each([-1, -0.01, Number.NaN, Number.POSITIVE_INFINITY, "3", null])("kind bad-number: %j is no amount that a run took, so no limit holds of it", async (taken) => {
    const amount = taken as number;
    const runs: readonly (readonly [QuickCheck, Partial<ScorerRun>])[] = [[checks.maxLatency(5), { durationMs: amount }], [checks.maxCost(5), { usage: { cost: amount } }], [checks.maxTokens(500), { usage: { inputTokens: 400, outputTokens: amount } }], [checks.maxTokens(500), { usage: { inputTokens: amount, outputTokens: 4 } }]];
    for (const [check, more] of runs) expect(await verdictOn(check, { output: "x", ...more })).toBe("error");
  });
  test("kind stateful-check: a check answers alike however often and in whatever order it is asked", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom("order", "no", "order order", "x order"), { maxLength: 12 }), fc.constantFrom("g", "y", "gy", "gi", ""), async (texts, flags) => {
        const check = checks.matches(new RegExp("order", flags));
        expect(await on(check, ...texts)).toEqual(texts.map((text) => (text.includes("order") ? "pass" : "fail")));
      }),
      { numRuns: 40 },
    );
  });
  test("kind size-limits: patterns that backtrack are cut, and one that does not is answered on a long text", async () => {
    for (const pattern of ["(a+)+$", "(a|a)*b", "(a|aa)+$", "(.*a){20}$", "^(([a-z])+.)+[A-Z]([a-z])+$"]) {
      expect(() => matchWithin(new RegExp(pattern), `${"a".repeat(60)}!`, 30)).toThrow(expect.objectContaining({ code: "pattern_timeout" }));
    }
    expect([matchWithin(/b/y, "ab"), matchWithin(/b/gy, "ab"), matchWithin(/(b)+/y, "ab")]).toEqual([true, true, true]);
    expect(() => matchWithin(/a*b/, "a".repeat(200_000), 30)).toThrow(expect.objectContaining({ code: "pattern_timeout" }));
    expect(matchWithin(/needle$/, `${"hay".repeat(100_000)}needle`)).toBe(true);
  });
  test("kind number-compare: a number is equal to itself in every spelling, and to no other", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: -9999, max: 9999 }), fc.integer({ min: 1, max: 9999 }), async (number, step) => {
        expect(await on(checks.numberEquals(number), `It is ${number}.`, number.toExponential(), `${number}.0 km`, `${number + step}`, `v${number}`, `${number}%`)).toEqual(["pass", "pass", "pass", "fail", "fail", "pass"]);
      }),
      { numRuns: 50 },
    );
  });
  test("kind structural-equality: arguments equal exactly what is the same JSON", async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom("a", "b", "__proto__", "constructor"), fc.jsonValue()), fc.dictionary(fc.constantFrom("a", "b"), fc.jsonValue()), async (a, b) => {
        const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (_, inner: unknown) => (Number.isInteger(inner) && !Number.isSafeInteger(inner) ? 7 : inner)));
        const sorted = (value: unknown): string => JSON.stringify(value, (_, inner: unknown) => (typeof inner === "object" && inner !== null && !Array.isArray(inner) ? Object.fromEntries(Object.entries(inner).sort(([x], [y]) => (x < y ? -1 : 1))) : inner));
        const check = checks.calledToolWith("t", json(a) as Record<string, unknown>);
        expect(await verdictOn(check, { output: [assistant({ call: "t", args: json(a) })] })).toBe("pass");
        expect(await verdictOn(check, { output: [assistant({ call: "t", args: json(b) })] })).toBe(sorted(json(a)) === sorted(json(b)) ? "pass" : "fail");
      }),
      { numRuns: 60 },
    );
  });
  test("kind prototype-keys: tools and members with the names of Object's own are like any other", async () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"]) {
      const run = { output: [assistant({ call: name, args: { [name]: 1 } })] };
      expect(await verdictOn(checks.calledTool(name), run)).toBe("pass");
      expect(await verdictOn(checks.didNotCall(name), run)).toBe("fail");
      expect(await verdictOn(checks.jsonPath(`["${name}"]`), { output: "{}" })).toBe("fail");
      expect(await verdictOn(checks.jsonPath(`["${name}"]`, 1), { output: `{"${name}":1}` })).toBe("pass");
      expect(await verdictOn(checks.calledTool(name), { output: [assistant({ call: "other" })] })).toBe("fail");
    }
  });
  test("kind negation: for each check and its negation exactly one passes, or neither could be measured", async () => {
    const each = [checks.includes("a"), checks.excludes("a"), checks.equals("a"), checks.matches(/a/), checks.oneOf(["a", "b"]), checks.numberEquals(1), checks.similarity("a", { threshold: 0.5 }), checks.calledTool("a"), checks.didNotCall("a"), checks.toolOrder(["a", "b"]), checks.maxToolCalls(0), checks.usedNoTools(), checks.noToolErrors(), checks.calledToolWith("a", {}), checks.toolSucceeded("a"), checks.jsonPath("a", 1), checks.matchesSchema({ type: "object" }), checks.maxTokens(5), checks.maxLatency(5), checks.maxCost(1)];
    const runs: readonly ScorerRun[] = [{ output: [assistant("a")] }, { output: [assistant("b", { call: "a" })] }, { output: [assistant('{"a":1}')] }, { output: [{ nonsense: true }] }, { output: undefined }, { output: [assistant("a", { call: "a" }, { call: "b", state: "output-error", errorText: "no" })], usage: { inputTokens: 3, outputTokens: 9, cost: 0.1 }, durationMs: 3 }];
    for (const check of each) {
      for (const run of runs) {
        const pair = [await verdictOn(check, run), await verdictOn(checks.not(check), run)].sort();
        expect([["fail", "pass"], ["error", "error"]].map((each) => [check.id, run.output, each])).toContainEqual([check.id, run.output, pair]);
      }
    }
  });
  test("kind substring-false-hit: within a longer word a word is not found", async () => {
    expect(await on(checks.includes("cat", { word: true }), "concatenate", "cat", "a cat's", "cats", "cat_food", "the-cat-sat", "CAT!", "éCat")).toEqual(["fail", "pass", "pass", "fail", "fail", "pass", "pass", "fail"]);
    expect(await on(checks.includes("été", { word: true }), "étés", "l'été est là", "ete\u0301 ")).toEqual(["fail", "pass", "fail"]);
  });
  test("kind value-stringification: no value becomes the name of its kind", async () => {
    for (const output of [{ a: new Map([["k", "v"]]) }, { a: Object.create(null) as object }, { a: 10n }, { a: [{}, []] }, { a: new Error("e") }]) {
      expect(await verdictOn(checks.excludes("[object"), { output })).toBe("pass");
    }
  });
});

describe("nothing passes without having been shown", () => {
  const all: readonly QuickCheck[] = [checks.includes("a"), checks.excludes("zzz"), checks.equals("a"), checks.matches(/.*/), checks.similarity("a"), checks.calledTool("t"), checks.didNotCall("t"), checks.toolOrder(["t"]), checks.maxToolCalls(3), checks.usedNoTools(), checks.noToolErrors(), checks.oneOf(["a"]), checks.numberEquals(1), checks.calledToolWith("t", {}), checks.toolSucceeded("t"), checks.jsonPath("a"), checks.matchesSchema({}), checks.maxTokens(1), checks.maxLatency(1), checks.maxCost(1)];
  test("no check and no negation passes where there is no message, no output, or none that is understood", async () => {
    for (const output of [[], undefined, null, [{ foo: 1 }], [null], [{ role: "assistant", content: [{ type: "sparkle" }] }], [{ role: "elf", content: "a" }]]) {
      for (const check of all.flatMap((one) => [one, checks.not(one)])) {
        const seen = await verdictOn(check, { output });
        expect([check.id, output, seen]).not.toEqual([check.id, output, "pass"]);
        expect([check.id, output, seen]).not.toEqual([check.id, output, "between"]);
      }
    }
  });
  test("a check of calls is an error on an output that is no list of messages", async () => {
    for (const output of ["text", 7, true, { status: "done" }, undefined]) {
      for (const check of [checks.didNotCall("t"), checks.usedNoTools(), checks.maxToolCalls(9), checks.noToolErrors(), checks.calledTool("t"), checks.toolOrder(["t"])]) {
        expect([check.id, output, await verdictOn(check, { output })]).toEqual([check.id, output, "error"]);
      }
    }
  });
  const events = (ended: boolean): NonNullable<ScorerRun["evidence"]> => {
    const collector = createCollector();
    collector.consume({ type: "tool_start", runId: "r", toolCallId: "c", toolName: "t", args: { x: 1 } });
    collector.consume({ type: "tool_end", runId: "r", toolCallId: "c", toolName: "t", result: 1 });
    if (ended) {
      collector.consume({ type: "workflow", runId: "r", phase: "completed" });
      collector.consume({ type: "run_stream_end", runId: "r" });
    }
    return collector.finish();
  };
  test("evidence that cannot see calls makes a check of calls an error, whatever the messages say", async () => {
    const evidence = { ...events(true), observes: { ...events(true).observes, args: false, results: false } };
    for (const check of [checks.didNotCall("u"), checks.usedNoTools(), checks.noToolErrors(), checks.maxToolCalls(5)]) {
      expect(await outcome(check, { output: [assistant("done")], evidence })).toMatchObject({ kind: "errored", error: { code: "not_observable" } });
    }
  });
  test("where the run's end was not seen an absence is an error and a presence is not", async () => {
    const run = { output: [assistant({ call: "t" }, "done")], evidence: events(false) };
    expect(await outcome(checks.didNotCall("u"), run)).toMatchObject({ kind: "errored", error: { code: "evidence_incomplete" } });
    expect(await verdictOn(checks.excludes("secret"), run)).toBe("error");
    expect(await verdictOn(checks.calledTool("t"), run)).toBe("pass");
    expect(await verdictOn(checks.includes("done"), run)).toBe("pass");
    for (const check of [checks.equals("done"), checks.similarity("done"), checks.includes("more"), checks.matches(/^done$/, { exact: true }), checks.numberEquals(1), checks.jsonPath("a")]) expect([check.id, await verdictOn(check, run)]).toEqual([check.id, "error"]);
  });
  test("of an output that is a text the calls are those of the evidence", async () => {
    const run = { output: "done", evidence: events(true) };
    expect(await Promise.all([checks.calledToolWith("t", { x: 1 }), checks.usedNoTools(), checks.includes("done"), checks.toolSucceeded("t")].map((check) => verdictOn(check, run)))).toEqual(["pass", "fail", "pass", "pass"]);
  });
  test("a check that could only pass or only fail cannot be made", () => {
    for (const make of [() => checks.includes(""), () => checks.includes("\u200f"), () => checks.excludes(""), () => checks.equals(""), () => checks.similarity(""), () => checks.calledTool("t", { times: 0 }), () => checks.calledTool(""), () => checks.toolOrder([]), () => checks.maxToolCalls(-1), () => checks.similarity("a", { threshold: 2 }), () => checks.oneOf([]), () => checks.maxCost(Number.NaN), () => checks.jsonPath("a[")]) {
      expect(make).toThrow(expect.objectContaining({ code: "scorer_invalid" }));
    }
  });
  test("what a run took is held against a limit only where it is known", async () => {
    const output = [assistant("a")];
    expect(await outcome(checks.maxTokens(10), { output })).toMatchObject({ kind: "errored", error: { code: "not_observable" } });
    expect(await verdictOn(checks.maxTokens(10), { output, usage: { inputTokens: 4, outputTokens: 6 } })).toBe("pass");
    expect(await verdictOn(checks.maxTokens(9), { output, usage: { inputTokens: 4, outputTokens: 6 } })).toBe("fail");
    expect(await verdictOn(checks.maxTokens(10), { output, usage: { inputTokens: 4 } })).toBe("error");
    expect(await verdictOn(checks.maxTokens(10), { output, usage: { inputTokens: 1, outputTokens: 1, unknownRequests: 1 } })).toBe("error");
    expect(await verdictOn(checks.maxLatency(5), { output, durationMs: 5 })).toBe("pass");
    expect(await verdictOn(checks.maxLatency(5), { output, durationMs: 6 })).toBe("fail");
    expect(await verdictOn(checks.maxCost(0.5), { output, usage: { cost: 0.6 } })).toBe("fail");
  });
});

describe("ids and reasons", () => {
  test("the id holds the argument, and the base is Mastra's", () => {
    expect(checks.includes("Brooklyn")).toMatchObject({ id: "check-includes:brooklyn", base: "check-includes" });
    expect(checks.calledTool("get_weather", { times: 2 })).toMatchObject({ id: "check-called-tool:get_weather|x2", base: "check-called-tool" });
    expect(checks.usedNoTools()).toMatchObject({ id: "check-used-no-tools", base: "check-used-no-tools" });
    expect(checks.includes("a", { id: "mine" }).id).toBe("mine");
    expect([checks.excludes("a"), checks.equals("a"), checks.matches(/a/), checks.similarity("a"), checks.didNotCall("a"), checks.toolOrder(["a"]), checks.maxToolCalls(1), checks.noToolErrors()].map((check) => check.base)).toEqual(["check-excludes", "check-equals", "check-matches", "check-similarity", "check-did-not-call", "check-tool-order", "check-max-tool-calls", "check-no-tool-errors"]);
  });
  test("two long arguments that begin alike have two ids of one line", () => {
    const ids = ["x".repeat(200), `${"x".repeat(199)}y`, "a\nb", "a b"].map((text) => checks.includes(text).id);
    expect(new Set(ids).size).toBe(4);
    expect(ids.every((id) => id.length < 100 && !id.includes("\n"))).toBe(true);
  });
  test("the reason says in one line what was expected, what was found and where", async () => {
    const run: ScorerRun = { output: [assistant("one"), assistant("two", { call: "t", args: { a: 1 } })], turns: [{ turn: 0, input: "a", output: [assistant("one")] }, { turn: 1, input: "b", output: [assistant("two")] }] };
    expect(await reasonOf(checks.includes("two"), run)).toBe('found "two" in turn 2, message 2');
    expect(await reasonOf(checks.includes("three"), run)).toBe('expected "three", found "one two"');
    expect(await reasonOf(checks.excludes("two"), run)).toBe('expected no "two", found it in turn 2, message 2: "two"');
    expect(await reasonOf(checks.calledTool("t", { times: 2 }), run)).toBe("expected t to be called 2 times, found 1 among t");
    expect(await reasonOf(checks.didNotCall("t"), run)).toBe(String.raw`expected no call of t, found 1 in turn 2, message 2 with "{\"a\":1}"`);
    expect(await reasonOf(checks.usedNoTools(), run)).toBe("expected no call, found 1: t");
    expect(await reasonOf(checks.includes("TWO", { ignoreCase: false }), run)).toContain("in another case");
  });
  test("a long text is cut in a reason, and a reason is one line", async () => {
    const reason = await reasonOf(checks.includes("zzz"), agentRun("x", "line\n".repeat(500)));
    expect(reason.length).toBeLessThan(200);
    expect(reason).not.toContain("\n");
  });
  test("with scope final only what was said last in each turn counts", async () => {
    const run: ScorerRun = { output: [assistant("first", { call: "t" }, "second"), assistant("third", { call: "t" }, "fourth")], turns: [{ turn: 0, input: "a", output: [1] }, { turn: 1, input: "b", output: [1] }] };
    const texts = ["first", "second", "third", "fourth"];
    expect(await Promise.all(texts.map((text) => scoreOf(checks.includes(text), run)))).toEqual([1, 1, 1, 1]);
    expect(await Promise.all(texts.map((text) => scoreOf(checks.includes(text, { scope: "final" }), run)))).toEqual([0, 1, 0, 1]);
  });
  test("a text that came in parts is one text; one with a call between is two", async () => {
    expect(await scoreOf(checks.equals("Hello world"), { output: [assistant("Hello ", "world")] })).toBe(1);
    expect(await scoreOf(checks.matches(/^world$/m), { output: [assistant("Hello", { call: "t" }, "world")] })).toBe(1);
  });
});

describe("further checks", () => {
  test("toolOrder asks for each name after the one before it, whatever stands between", async () => {
    const taken = (...names: readonly string[]): ScorerRun => ({ output: [assistant(...names.map((call) => ({ call })))] });
    expect(await Promise.all([taken("a", "b"), taken("b", "a"), taken("a", "x", "b"), taken("a", "a"), taken("b", "a", "b")].map((run) => scoreOf(checks.toolOrder(["a", "b"]), run)))).toEqual([1, 0, 1, 0, 1]);
    expect(await reasonOf(checks.toolOrder(["a", "b"]), taken("b", "a"))).toBe("expected a, b, found b, a; b is missing after a");
  });
  test("jsonPath finds a value at its place and compares it as JSON", async () => {
    const run = agentRun("x", '{"items":[{"sku":"A1","n":null}],"total":2}');
    expect(await Promise.all([checks.jsonPath("items[0].sku", "A1"), checks.jsonPath("$.total", 2), checks.jsonPath("items[0].n", null), checks.jsonPath("items[1]"), checks.jsonPath("total", (n: number) => n > 5), checks.jsonPath("items", [{ n: null, sku: "A1" }])].map((check) => scoreOf(check, run)))).toEqual([1, 1, 1, 0, 0, 1]);
    expect(await scoreOf(checks.jsonPath("a"), agentRun("x", "no json"))).toBe(0);
    expect(await scoreOf(checks.jsonPath("a", 1), { output: { a: 1 } })).toBe(1);
  });
  test("matchesSchema names every fault with its path", async () => {
    const check = checks.matchesSchema({ type: "object", properties: { n: { type: "number" } }, required: ["n", "m"] });
    expect(await reasonOf(check, agentRun("x", '{"n":"1"}'))).toMatch(/n must be a number.*m is missing|m is missing.*n must be a number/);
    expect(await scoreOf(check, agentRun("x", '{"n":1,"m":2}'))).toBe(1);
  });
  test("calledTool with status succeeded leaves out calls that failed, were denied or never ended", async () => {
    const run = { output: [assistant({ call: "t", state: "output-error", errorText: "no" }, { call: "t", state: "call" }, { call: "t" })] };
    expect(await scoreOf(checks.calledTool("t", { times: 3 }), run)).toBe(1);
    expect(await scoreOf(checks.calledTool("t", { times: 2, status: "succeeded" }), run)).toBe(0);
    expect(await scoreOf(checks.toolSucceeded("t"), run)).toBe(0);
    expect(await scoreOf(checks.toolSucceeded("t"), { output: [assistant({ call: "t" })] })).toBe(1);
  });
  test("a predicate over arguments passes by true alone", async () => {
    const run = { output: [assistant({ call: "t", args: { a: 1 } })] };
    for (const [answer, score] of [[true, 1], [false, 0], ["wrong", 0], [undefined, 0], [1, 0], [Promise.resolve(true), 0]] as const) {
      expect(await scoreOf(checks.calledToolWith("t", (() => answer) as () => boolean), run)).toBe(score);
    }
  });
});
