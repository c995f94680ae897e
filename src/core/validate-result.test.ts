import { check, isEntailError, validateResult } from "entail";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readResult } from "./read-result.ts";

function codeOf(result: unknown): string {
  try {
    validateResult(result);
    return "valid";
  } catch (error) {
    return isEntailError(error) ? error.code : "no EntailError";
  }
}

function messageOf(result: unknown): string {
  try {
    validateResult(result);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

const passed = { name: "a", passed: true };

describe("facts", () => {
  test("[1] one passed check alone is a valid result", () => {
    expect(codeOf({ checks: [passed] })).toBe("valid");
  });
  test("[2] one claim with an output and a complete artifact is valid without checks", () => {
    expect(codeOf({ claims: [{ id: "c", text: "It is so." }], output: "so", artifacts: [{ name: "log", uri: "file:///log" }] })).toBe("valid");
  });
  test("[3] an empty result is refused: it has no check, claim or score", () => {
    for (const empty of [{}, { checks: [], claims: [] }, { output: "words alone" }, { artifacts: [{ name: "log", uri: "x" }] }]) expect(codeOf(empty)).toBe("result_empty");
  });
  test("[4] a failed check without a diagnostic is refused", () => {
    expect(codeOf({ checks: [{ name: "a", passed: false }] })).toBe("check_failed_without_diagnostic");
    expect(codeOf({ checks: [{ name: "a", passed: false, diagnostic: "" }] })).toBe("check_failed_without_diagnostic");
  });
  test("[5] a passed check with a diagnostic is refused", () => {
    expect(codeOf({ checks: [{ name: "a", passed: true, diagnostic: "why" }] })).toBe("check_passed_with_diagnostic");
  });
  test("[6] two checks of one name are refused", () => {
    expect(codeOf({ checks: [passed, passed] })).toBe("check_duplicate");
  });
  test("[7] a claim without an output is valid", () => {
    expect(codeOf({ claims: [{ id: "c", text: "It is so." }] })).toBe("valid");
  });
  test("[8] two claims of one id are refused", () => {
    expect(codeOf({ claims: [{ id: "c", text: "One." }, { id: "c", text: "Two." }] })).toBe("claim_duplicate");
  });
  test("[9] an artifact with a name and no uri is refused", () => {
    expect(codeOf({ checks: [passed], artifacts: [{ name: "log", uri: "" }] })).toBe("artifact_incomplete");
    expect(codeOf({ checks: [passed], artifacts: [{ name: "log" }] })).toBe("artifact_incomplete");
  });
  test("[209] a check and a claim may share a name", () => {
    expect(codeOf({ checks: [{ name: "same", passed: true }], claims: [{ id: "same", text: "It is so." }], artifacts: [{ name: "same", uri: "x" }] })).toBe("valid");
  });
});

describe("the first fault wins, in the order of the kinds", () => {
  const wrong = [
    ["check_name_missing", { checks: [{ name: "", passed: true }] }],
    ["check_duplicate", { checks: [passed, passed] }],
    ["check_passed_with_diagnostic", { checks: [{ name: "a", passed: true, diagnostic: "x" }] }],
    ["check_failed_without_diagnostic", { checks: [{ name: "a", passed: false }] }],
    ["claim_incomplete", { claims: [{ id: "", text: "x" }] }],
    ["claim_incomplete", { claims: [{ id: "a", text: " \n" }] }],
    ["claim_duplicate", { claims: [{ id: "c", text: "x" }, { id: "c", text: "y" }] }],
    ["artifact_incomplete", { artifacts: [{ name: "", uri: "x" }] }],
    ["artifact_duplicate", { artifacts: [{ name: "l", uri: "x" }, { name: "l", uri: "y" }] }],
    ["score_invalid", { scores: [{ id: "", score: 1 }] }],
    ["score_duplicate", { scores: [{ id: "s", score: 1 }, { id: "s", score: 1 }] }],
  ] as const;

  test("each fault has its own code", () => {
    for (const [code, result] of wrong) expect(codeOf({ scores: [{ id: "filler", score: 1 }], ...result })).toBe(code);
  });

  test("of two faults of different kinds the earlier kind is named: checks, claims, artifacts, scores", () => {
    for (const [first, a] of wrong) {
      for (const [second, b] of wrong) {
        if (Object.keys(a)[0] === Object.keys(b)[0]) continue;
        const order = ["checks", "claims", "artifacts", "scores"];
        const earlier = order.indexOf(Object.keys(a)[0] ?? "") < order.indexOf(Object.keys(b)[0] ?? "") ? first : second;
        expect(codeOf({ scores: [{ id: "filler", score: 1 }], ...a, ...b })).toBe(earlier);
      }
    }
  });

  test("an unknown member comes before every other fault, so that a misspelt one is not called missing", () => {
    expect(codeOf({ checks: [], claim: [{ id: "c", text: "x" }] })).toBe("result_member_unknown");
  });
});

describe("unknown members", () => {
  test("`claim` for `claims` is refused, and the right word is named", () => {
    expect(messageOf({ checks: [passed], claim: [{ id: "c", text: "x" }] })).toBe('the result has a member "claim" that Entail does not know; did you mean "claims"?');
  });
  test("they are refused at a check, a claim, an artifact and a score too", () => {
    expect(messageOf({ checks: [{ ...passed, diagnostics: "x" }] })).toBe('checks[0] has a member "diagnostics" that Entail does not know; did you mean "diagnostic"?');
    expect(codeOf({ claims: [{ id: "c", text: "x", expects: "entailed" }] })).toBe("result_member_unknown");
    expect(codeOf({ checks: [passed], artifacts: [{ name: "l", url: "x" }] })).toBe("result_member_unknown");
    expect(codeOf({ scores: [{ id: "s", score: 1, treshold: 0.5 }] })).toBe("result_member_unknown");
    expect(codeOf({ checks: [passed], gates: [] })).toBe("result_member_unknown");
  });
});

describe("wrong kinds of members", () => {
  test("a promise says that it must be awaited", () => {
    expect(messageOf({ checks: [{ name: "a", passed: Promise.resolve(true) }] })).toBe("checks[0].passed must be true or false; it is a promise: await it");
    expect(messageOf({ checks: Promise.resolve([]) })).toBe("checks must be a list; it is a promise: await it");
    expect(messageOf({ checks: [passed], evidence: Promise.resolve({}) })).toContain("await it");
    expect(messageOf({ checks: [Promise.resolve(check("a", true, ""))] })).toContain("await it");
  });
  test.each([
    ["an object as the output", { checks: [passed], output: { text: "x" } }],
    ["null as the output", { checks: [passed], output: null }],
    ["a bigint as the output", { checks: [passed], output: 1n }],
    ["a text as passed", { checks: [{ name: "a", passed: "true" }] }],
    ["no passed at all", { checks: [{ name: "a" }] }],
    ["a set of checks", { checks: new Set([passed]) }],
    ["a hole in a list", { checks: Object.assign([passed], { length: 2 }) }],
    ["a label that is none", { claims: [{ id: "c", text: "x", expect: "supported" }] }],
    ["a text as a score", { scores: [{ id: "s", score: "1" }] }],
    ["a list as metadata", { checks: [passed], metadata: [1] }],
    ["a negative usage", { checks: [passed], usage: { inputTokens: -1 } }],
    ["NaN as a usage", { checks: [passed], usage: { cost: Number.NaN } }],
    ["half a token as a usage", { checks: [passed], usage: { inputTokens: 1.5 } }],
  ])("%s is result_member_invalid", (_what, result) => {
    expect(codeOf(result)).toBe("result_member_invalid");
  });
  test.each([null, undefined, true, 1, "text", 1n, Symbol("x"), () => 0, [], Promise.resolve({})])("%o is no result", (value) => {
    expect(codeOf(value)).toBe("result_not_an_object");
  });
});

describe("scores", () => {
  test("one outside 0 to 1, or not finite, is score_invalid and says the number", () => {
    for (const score of [-0.1, 1.01, 98_989_898, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(codeOf({ scores: [{ id: "s", score }] })).toBe("score_invalid");
      expect(codeOf({ scores: [{ id: "s", score: 1, threshold: score }] })).toBe("score_invalid");
    }
    expect(messageOf({ scores: [{ id: "s", score: 98_989_898 }] })).toContain("98989898");
  });
  test("one that leaves its range by less than 1e-9 is the bound itself", () => {
    expect(readResult({ scores: [{ id: "s", score: 1.000_000_000_000_000_2 }] }).result.scores).toEqual([{ id: "s", score: 1 }]);
    expect(readResult({ scores: [{ id: "s", score: -1e-12 }] }).result.scores).toEqual([{ id: "s", score: 0 }]);
  });
});

describe("hostile results", () => {
  const throwing = (member: string): object => Object.defineProperty({}, member, { enumerable: true, get: () => { throw new Error("no entry"); } });
  test("a getter that throws is result_unreadable and names its member", () => {
    expect(messageOf(throwing("checks"))).toBe('the result cannot be read: its member "checks" throws: no entry');
    expect(codeOf({ checks: [throwing("name")] })).toBe("result_unreadable");
  });
  test("proxies are read or refused, never followed into a throw of their own", () => {
    const hostile = new Proxy({}, { ownKeys: () => { throw new Error("keys"); } });
    expect(codeOf(hostile)).toBe("result_unreadable");
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    expect(codeOf({ checks: proxy })).toBe("result_unreadable");
    expect(codeOf(new Proxy({ checks: [passed] }, {}))).toBe("valid");
    expect(codeOf({ checks: new Proxy([passed], { get: (list, key) => (key === "length" ? Number.MAX_SAFE_INTEGER : Reflect.get(list, key)) }) })).toBe("result_unreadable");
  });
  test("each member is read once, so that it cannot be one thing when checked and another when graded", () => {
    let reads = 0;
    const turncoat = { name: "a", get passed() { reads += 1; return reads === 1; } };
    expect(readResult({ checks: [turncoat] }).result.checks).toEqual([passed]);
    expect(reads).toBe(1);
  });
  test("what was read is a frozen copy that later changes do not reach", () => {
    const mine = { checks: [{ name: "a", passed: true }], metadata: { list: [1] } };
    const { result } = readResult(mine);
    mine.checks[0]!.passed = false;
    mine.metadata.list.push(2);
    expect(result).toEqual({ checks: [passed], metadata: { list: [1] } });
    expect(() => { (result.checks as unknown as { passed: boolean }[])[0]!.passed = false; }).toThrow(TypeError);
    expect(Object.isFrozen(result.metadata?.["list"])).toBe(true);
  });
  test("metadata takes anything and holds plain data: cycles, bigints, throwing getters, the same object twice", () => {
    const shared = { n: 1 };
    const circular: Record<string, unknown> = { big: 12_345_678_901_234_567_890n, once: shared, twice: shared };
    circular["self"] = circular;
    const { result } = readResult({ checks: [passed], metadata: { circular, bad: throwing("x") } });
    expect(result.metadata).toEqual({ circular: { big: "12345678901234567890", once: { n: 1 }, twice: { n: 1 }, self: "[circular]" }, bad: { x: "[unreadable: no entry]" } });
  });
  test("an instance of a class is read by its members, inherited getters too", () => {
    class Answer {
      readonly checks = [passed];
      get output(): string {
        return "from a getter";
      }
    }
    expect(readResult(new Answer()).result).toEqual({ checks: [passed], output: "from a getter" });
  });
  test("a result of any shape is read, or refused with an EntailError", () => {
    const member = fc.constantFrom("checks", "claims", "output", "artifacts", "scores", "evidence", "usage", "metadata", "name", "passed", "id", "text", "score", "extra");
    const anything = fc.anything({ key: member, withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true, withSparseArray: true, maxDepth: 4 });
    fc.assert(fc.property(fc.oneof(anything, fc.dictionary(member, anything)), (value) => { expect(codeOf(value)).not.toBe("no EntailError"); }));
  });
});

test("empty lists and texts are left out of what was read, `undefined` is absent", () => {
  expect(readResult({ checks: [passed], claims: [], output: "", reference: "", artifacts: undefined, usage: {}, metadata: {} }).result).toEqual({ checks: [passed] });
});

test("usage keeps what Entail can add up and leaves the rest", () => {
  expect(readResult({ checks: [passed], usage: { inputTokens: 3, outputTokens: undefined, totalTokens: 9 } }).result.usage).toEqual({ inputTokens: 3 });
});
