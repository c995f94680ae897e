import * as fc from "fast-check";
import type { Report } from "entail";
import { githubParts } from "entail/report";
import { expect, test } from "vitest";
import { hostileReport, joined, reportOf, sample } from "../../../test/report-samples.ts";

const written = (report: Report, file?: string): Promise<string> => joined(githubParts(report, report.scenarios, { file }));
/** As GitHub's runner reads a line: a command, its properties, its data. */
const COMMAND = /^::(error|warning) title=([^,:]*)(?:,file=([^,:]*))?::([^\r\n]*)$/;
const unescaped = (text: string): string => text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%25", "%");

test("a failure and an error are annotations beside the eval file, a missed threshold is a warning, a pass is nothing", async () => {
  expect(await written(reportOf([sample("a"), sample("b", "failed"), sample("c", "errored", "no database"), sample("d", "scored"), sample("e", "skipped")]), "evals/chat.eval.ts")).toBe(
    [
      "::error title=failed%3A chat › b,file=evals/chat.eval.ts::right: wrong answer%0A%0Acomplete: contradicted%0Aclaim: wrong answer%0Awhy: wrong answer%0Aquote: “wrong answer”",
      "::error title=errored%3A chat › c,file=evals/chat.eval.ts::hook_threw at hook%0Ano database",
      "::warning title=scored%3A chat › d,file=evals/chat.eval.ts::similarity: 0.20, below 0.50; wrong answer",
      "",
    ].join("\n"),
  );
});

test("kind unescaped-output: every line is one command of ours, whatever texts hold, and reads back", async () => {
  await fc.assert(
    fc.asyncProperty(hostileReport, fc.constantFrom("a.eval.ts", "a b:c,d%.ts", "x\n::error::y"), async (report, file) => {
      const text = await written(report, file);
      const lines = text.split("\n").slice(0, -1);
      expect(lines.filter((line) => !COMMAND.test(line))).toEqual([]);
      // Characters that a terminal or a reader of lines obeys.
      expect(text.replaceAll("\n", "")).not.toMatch(/[[\p{Cc}\u2028\u2029\u202e]--\t]/v);
      for (const line of lines) expect(unescaped(COMMAND.exec(line)?.[3] ?? "")).toBe(file.replace(/\s+/g, " "));
    }),
    { numRuns: 80 },
  );
});

test("a text that is written like GitHub's own escapes stays that text", async () => {
  expect(await written(reportOf([sample("a%0A::error::x", "errored", "100%0A::error::forged")]))).toBe("::error title=errored%3A chat › a%250A%3A%3Aerror%3A%3Ax::hook_threw at hook%0A100%250A::error::forged\n");
});

test("kind size-limits: GitHub shows ten of a kind, so the tenth says how many more there are", async () => {
  const lines = (await written(reportOf(Array.from({ length: 120 }, (_, at) => sample(`s_${at}`, "failed", "x".repeat(30_000)))))).split("\n").slice(0, -1);
  expect(lines).toHaveLength(10);
  expect(lines[9]).toBe("::error title=chat%3A 111 more scenarios did not pass::The summary of the job and the JSON report have them all.");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(5_000);
});
