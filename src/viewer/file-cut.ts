// Owns how much of a run goes into one file: whole where it fits, else with its longest texts cut, the same way everywhere and always said.

import type { ScenarioReport } from "../core/report.ts";
import { type EncodeOptions, scenarioToWire } from "../report/encode-report.ts";

/** An exported file is at most about so large, with 32 MB more at the very most for evidence and for runs of a hundred thousand scenarios. */
export const FILE_BYTES = 32_000_000;

/** What is tried, in characters a text. */
const CUTS = [Number.POSITIVE_INFINITY, 65_536, 16_384, 4_096, 1_024, 256] as const;

/** What is said at the end of a text that was cut, in characters. */
const SAID = 60;

export interface FileCut {
  /** The characters that are left of a text; absent where all are. */
  readonly characters?: number | undefined;
  /** Of scenarios that passed only their line is in the file. */
  readonly passedInShort: boolean;
}

/** Adds up what every cut would leave of a run, in one pass and without holding it. */
export interface Scale {
  add(scenario: ScenarioReport): void;
  cut(limit: number): FileCut;
}

export function openScale(options: EncodeOptions): Scale {
  const sums = CUTS.map(() => 0);
  return {
    add(scenario) {
      weigh(scenarioToWire(scenario, options), sums);
    },
    cut(limit) {
      const at = sums.findIndex((sum) => sum <= limit);
      const characters = CUTS[at === -1 ? CUTS.length - 1 : at];
      return { characters: characters === Number.POSITIVE_INFINITY ? undefined : characters, passedInShort: at === -1 };
    },
  };
}

/** About the bytes of its JSON. */
function weigh(value: unknown, sums: number[]): void {
  if (typeof value === "string") {
    for (const [at, most] of CUTS.entries()) sums[at] = (sums[at] ?? 0) + Math.min(value.length, most + SAID) + 2;
  } else if (Array.isArray(value)) {
    for (const each of value) weigh(each, sums);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      for (const at of CUTS.keys()) sums[at] = (sums[at] ?? 0) + name.length + 4;
      weigh(each, sums);
    }
  } else for (const at of CUTS.keys()) sums[at] = (sums[at] ?? 0) + 8;
}

/** A text as it stands in the file. It says what is missing. */
export function cutText(text: string, { characters }: FileCut): string {
  if (characters === undefined || text.length <= characters + SAID) return text;
  return `${text.slice(0, characters).toWellFormed()} … (cut in this file: ${text.length} characters)`;
}

/** The scenario as it stands in the file. */
export function cutScenario(scenario: ScenarioReport, cut: FileCut): ScenarioReport {
  if (cut.passedInShort && scenario.outcome === "passed") {
    // Its line and no more.
    const { id, tags, startedAt, durationMs, outcome, passed } = scenario;
    return { id, ...(tags !== undefined && { tags }), startedAt, durationMs, outcome, passed, result: {} };
  }
  return cut.characters === undefined ? scenario : (cutValue(scenario, cut) as ScenarioReport);
}

function cutValue(value: unknown, cut: FileCut): unknown {
  if (typeof value === "string") return cutText(value, cut);
  if (Array.isArray(value)) return value.map((each) => cutValue(each, cut));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cutValue(each, cut)]));
}
