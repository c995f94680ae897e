// Owns an invocation as one JUnit document: a suite each, and the files that could not be run as a suite of their own.

import { JUNIT_END, junitOpening, junitProblems, junitSuite } from "../report/format/junit.ts";
import { joinPartsSync } from "../report/format/parts.ts";
import type { InvocationReport } from "./report-parts.ts";

export function* junitChunks({ runs, problems, mask }: InvocationReport): Generator<string, void, undefined> {
  yield junitOpening(runs.map(({ head }) => head), problems);
  yield junitProblems(problems, { mask });
  for (const { head, scenarios } of runs) yield* joinPartsSync(junitSuite(head, { mask }), scenarios());
  yield JUNIT_END;
}
