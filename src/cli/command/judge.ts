// Owns the verb `judge`: from judgments nobody has looked at to a judge whose errors are known, in four words.

import { EntailError } from "../../core/error.ts";
import { didYouMean } from "../../core/nearest.ts";
import type { FlagValues } from "../command-line.ts";
import { lazyStore } from "../compared-run.ts";
import type { Desk } from "../desk.ts";
import { projectOf } from "./compare.ts";

const WORDS = { test: "a file of labels, or nothing for those that the store keeps", sample: "a run", label: "a file of labels", rates: "a run" } as const;
type Word = keyof typeof WORDS;

const isWord = (word: string): word is Word => Object.hasOwn(WORDS, word);

/** Returns the exit code. Throws `usage_invalid`, and what the word that follows cannot go on for. */
export async function judge(operands: readonly string[], flags: FlagValues, desk: Desk): Promise<number> {
  const [word = "", operand, ...more] = operands;
  const words = Object.keys(WORDS);
  if (!isWord(word)) throw new EntailError("usage_invalid", word === "" ? `judge takes a word: ${words.join(", ")}` : `judge takes ${words.join(", ")}, not ${JSON.stringify(word)}${didYouMean(word, words)}`);
  if (more.length > 0 || (operand === undefined && word === "label")) throw new EntailError("usage_invalid", `judge ${word} takes ${WORDS[word]}`);
  const project = await projectOf(flags, desk);
  const store = lazyStore(flags, project);
  try {
    switch (word) {
      case "test":
        return await (await import("../judging/test-judge.ts")).testJudge(operand, flags, project, store, desk);
      case "label":
        return await (await import("../judging/label-file.ts")).labelFile(operand ?? "", flags, project, desk);
      case "sample":
        return await (await import("../judging/sample-run.ts")).sampleRun(operand ?? "last", flags, project, store, desk);
      case "rates":
        return await (await import("../judging/run-rates.ts")).runRates(operand ?? "last", flags, project, store, desk);
      default:
        return word satisfies never;
    }
  } finally {
    await store.close();
  }
}
