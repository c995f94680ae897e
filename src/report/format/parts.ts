// Owns the shape that every form of a report is written in: an opening, a part for each scenario, a closing, so that no run needs to be held.

import type { ReportHead, ScenarioReport } from "../../core/report.ts";

export interface ReportParts {
  opening(): string;
  /** The part of one scenario; an empty text where it has none. */
  scenario(report: ScenarioReport): string;
  closing(): string;
}

/** What every form takes. */
export interface FormatOptions {
  /** Applied to every text that a person, a model or a program wrote: secrets go before anything is written. */
  readonly mask?: ((text: string) => string) | undefined;
}

/** A file that could not be run, which no suite tells of. */
export interface FileProblem {
  readonly code: string;
  readonly message: string;
  readonly file?: string | undefined;
}

export type FormatRun<Options extends FormatOptions = FormatOptions> = (head: ReportHead, options?: Options) => ReportParts;

/** One signature for every form: the text of a run in parts, as its scenarios come. */
export type WriteFormat<Options extends FormatOptions = FormatOptions> = (
  head: ReportHead,
  scenarios: Iterable<ScenarioReport> | AsyncIterable<ScenarioReport>,
  options?: Options,
) => AsyncGenerator<string, void, undefined>;

export async function* joinParts(parts: ReportParts, scenarios: Iterable<ScenarioReport> | AsyncIterable<ScenarioReport>): AsyncGenerator<string, void, undefined> {
  yield* whole(parts.opening());
  for await (const report of scenarios) yield* whole(parts.scenario(report));
  yield* whole(parts.closing());
}

/** `joinParts` for scenarios that are at hand. */
export function* joinPartsSync(parts: ReportParts, scenarios: Iterable<ScenarioReport>): Generator<string, void, undefined> {
  yield* whole(parts.opening());
  for (const report of scenarios) yield* whole(parts.scenario(report));
  yield* whole(parts.closing());
}

function* whole(part: string): Generator<string, void, undefined> {
  if (part !== "") yield part;
}
