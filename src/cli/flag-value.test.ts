import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isEntailError } from "entail";
import { type CommandLine, readCommandLine, readFlags } from "./command-line.ts";
import { VERBS } from "./flag.ts";
import { duration, wholeNumber } from "./flag-value.ts";

const read = (...argv: string[]): CommandLine => readCommandLine(argv, () => "1.2.3");
const flags = (...argv: string[]): Readonly<Record<string, unknown>> => {
  const line = read("run", ...argv);
  return line.kind === "verb" ? line.flags : {};
};
const outcomeOf = (read: () => number): number | string => {
  try {
    return read();
  } catch (error) {
    return (error as Error).message;
  }
};
const refusal = (...argv: string[]): string => {
  try {
    read(...argv);
  } catch (error) {
    if (isEntailError(error) && error.code === "usage_invalid") return error.message;
    throw error;
  }
  return "accepted";
};

test("case 214: a number that is none is refused with the flag, what was given and what is accepted", () => {
  expect(refusal("run", "--trials", "abc")).toBe('--trials takes a whole number from 1 to 10000, not "abc"');
  expect(refusal("run", "--trials=")).toBe('--trials takes a whole number from 1 to 10000, not ""');
  expect(refusal("run", "--trials", "NaN")).toBe('--trials takes a whole number from 1 to 10000, not "NaN"');
  expect(refusal("run", "--trials", "-1")).toBe('--trials takes a whole number from 1 to 10000, not "-1"');
  expect(refusal("run", "--max-concurrency", "0")).toBe('--max-concurrency takes a whole number from 1 to 10000, not "0"');
  expect(refusal("run", "--max-concurrency", "2.5")).toBe('--max-concurrency takes a whole number from 1 to 10000, not "2.5"');
  expect(refusal("run", "--retries", "1e9x")).toBe('--retries takes a whole number from 0 to 100, not "1e9x"');
  expect(refusal("run", "--timeout", "soon")).toBe('--timeout takes a duration such as 90s, 1h30m or 500ms, above 0 and at most 576h00m (24 days), not "soon"');
});

test("kind cli-validation: no text that is not exactly a number of the range ever becomes one", () => {
  const given = fc.oneof(fc.string(), fc.double().map(String), fc.constantFrom("1_000", "0x10", "1e3", "+5", " 5", "5 ", "٣", "Infinity", "-0", "1.0", "true", "１"));
  fc.assert(
    fc.property(given, (text) => {
      const meant = /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 100;
      expect(outcomeOf(() => wholeNumber(1, 100)("--n", text))).toBe(meant ? Number(text) : `--n takes a whole number from 1 to 100, not ${JSON.stringify(text)}`);
    }),
  );
});

test("kind cli-validation: a duration is above 0, finite and at most 24 days, or refused", () => {
  const given = fc.oneof(fc.string(), fc.double().map((n) => `${n}s`), fc.constantFrom("0", "0s", "-5s", "24", "577h", "576h", "1h30m", "500ms", "1e3s", "90", "NaNs", "Infinitys"));
  fc.assert(
    fc.property(given, (text) => {
      const outcome = outcomeOf(() => duration("--timeout", text));
      expect(typeof outcome === "number" ? outcome > 0 && outcome <= 24 * 86_400_000 : outcome.endsWith(`not ${JSON.stringify(text)}`)).toBe(true);
    }),
  );
  expect([duration("-", "90s"), duration("-", "1h30m"), duration("-", "500ms"), duration("-", "576h")]).toEqual([90_000, 5_400_000, 500, 24 * 86_400_000]);
});

test("an unknown flag, verb or word is refused with the one that was meant", () => {
  expect(refusal("run", "--scenari", "x")).toBe('there is no flag --scenari for run; did you mean "--scenario"?');
  expect(refusal("run", "--max-concurency=3")).toBe('there is no flag --max-concurency for run; did you mean "--max-concurrency"?');
  expect(refusal("run", "--loader", "jitti")).toBe('--loader takes one of auto, node, jiti, tsx; did you mean "jiti", not "jitti"');
  expect(refusal("rnu")).toBe('there is no verb "rnu"; did you mean "run"?');
  expect(refusal("worker")).toBe('there is no verb "worker"; entail --help lists them');
  expect(refusal("run", "--scenario")).toBe("--scenario needs a value: --scenario <id>");
  expect(refusal("run", "--scenario", "")).toBe('--scenario takes a text that is not empty, not ""');
});

test("every verb gets its flags and its operands, whether it takes operands or not", () => {
  expect(read("view", "--port", "4777", "--store", "runs.db")).toEqual({ kind: "verb", verb: "view", operands: [], flags: { port: 4777, store: "runs.db" } });
  expect(read("view", "last")).toMatchObject({ operands: ["last"] });
  expect(read("run", "evals", "more", "--trials", "2")).toEqual({ kind: "verb", verb: "run", operands: ["evals", "more"], flags: { trials: 2 } });
});

test("flags of later parts are refused, not passed over", () => {
  for (const flag of ["--distribute", "--shard"]) {
    expect(refusal("run", flag)).toContain(`there is no flag ${flag} for run`);
  }
});

test("--baseline stands alone, takes a path that looks like one of its own, and leaves any other to the run", () => {
  const given = (...argv: string[]): unknown => {
    const line = read("run", ...argv);
    return line.kind === "verb" ? [line.flags["baseline"], line.operands] : line;
  };
  expect(given("--baseline")).toEqual(["baselines", []]);
  expect(given("--baseline", "evals/chat.eval.ts")).toEqual(["baselines", ["evals/chat.eval.ts"]]);
  expect(given("--baseline", "old/chat.json")).toEqual(["old/chat.json", []]);
  expect(given("--baseline", "old/baselines/")).toEqual(["old/baselines/", []]);
  expect(given("--baseline=kept", "--json")).toEqual(["kept", []]);
});

test("--margin takes points and --level a confidence in percent, and what could be meant otherwise is refused", () => {
  expect(flags("--margin", "3", "--level", "99.5")).toEqual({ margin: 0.03, level: 0.995 });
  expect(flags("--margin", "0")).toEqual({ margin: 0 });
  for (const wrong of ["-1", "100", "3%", "1e1", "NaN", ""]) expect(refusal("run", `--margin=${wrong}`)).toContain("points of the pass rate from 0 to below 100");
  for (const wrong of ["5", "0.95", "100", "49", "95%", ""]) expect(refusal("run", `--level=${wrong}`)).toContain("a confidence in percent from 50 to below 100");
});

test("--max-cost takes dollars in plain digits, and nothing else", () => {
  expect(flags("--max-cost", "0.25", "--max-tokens", "2000000", "--replay")).toEqual({ maxCost: 0.25, maxTokens: 2_000_000, replay: true });
  for (const wrong of ["0", "-1", "1e3", "NaN", "five", "$5", "0.0000001", "1,5", ""]) expect(refusal("run", "--max-cost", wrong)).toContain("an amount of US dollars above 0");
  expect(refusal("run", "--max-tokens", "1.5")).toContain("--max-tokens takes a whole number");
});

test("flags that repeat are all kept, others take their last value", () => {
  expect(flags("--tag", "a", "--tag=b", "--trials", "2", "--trials", "3", "--exclude-tag", "c")).toEqual({ tag: ["a", "b"], trials: 3, excludeTag: ["c"] });
});

test("--bail takes its number only where the next word is one", () => {
  expect(read("run", "--bail", "evals/")).toMatchObject({ operands: ["evals/"], flags: { bail: 1 } });
  expect(read("run", "--bail", "3", "evals/")).toMatchObject({ operands: ["evals/"], flags: { bail: 3 } });
  expect(flags("--bail")).toEqual({ bail: 1 });
  expect(refusal("run", "--bail", "0")).toContain("--bail takes a whole number from 1");
});

test("help and version are texts for standard output, a missing verb is answered with help and exit code 2", () => {
  expect(read("--version")).toEqual({ kind: "text", text: "1.2.3\n", code: 0 });
  expect(read("run", "--version")).toEqual({ kind: "text", text: "1.2.3\n", code: 0 });
  expect(read("run", "--help")).toMatchObject({ kind: "text", code: 0, text: expect.stringContaining("--max-concurrency <n>") as string });
  expect(read()).toMatchObject({ kind: "text", code: 2, text: expect.stringContaining("gen [file...]") as string });
});

test("a file that is run directly takes flags alone", () => {
  const [run] = VERBS.filter(({ name }) => name === "run");
  if (run === undefined) throw new Error("there is no verb run");
  expect(readFlags(run, "node x.eval.ts", ["--tag", "a"], () => "1")).toEqual({ kind: "verb", verb: "run", operands: [], flags: { tag: ["a"] } });
  expect(() => readFlags(run, "node x.eval.ts", ["other.eval.ts"], () => "1")).toThrow("a file that is run directly takes flags alone; entail run takes paths");
});
