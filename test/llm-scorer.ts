// Owns the scripted model of the prebuilt scorers' tests: it fills in forms and labels claims as a row of a table says, and keeps what it was asked.

import type { ModelRequest } from "entail/model";
import { runScorer, type Scorer, type ScorerResult, type ScorerRun } from "entail/score";
import { judgeAnswer, judgeTask, scriptedProvider, toolCallResponse, type ScriptedLabels, type ScriptedProvider } from "entail/testing";

/** The letters of labels, in the order of the claims: e, c, n (not addressed), i. */
export type Letters = string;

export interface Script {
  /** The forms, in the order in which they are asked for. */
  readonly forms?: readonly unknown[] | undefined;
  /** The labels of each judging, as letters. */
  readonly labels?: readonly Letters[];
}

const LABELS = { e: "entailed", c: "contradicted", n: "not_addressed", i: "indeterminate" } as const;

/** Throws for a request that the script does not foresee, and for one with another number of claims than letters. */
export function scriptedModel({ forms = [], labels = [] }: Script): ScriptedProvider {
  let [form, judging] = [0, 0];
  return scriptedProvider((request) => {
    const task = gradingOf(request);
    if (task === undefined) {
      if (form >= forms.length) throw new Error(`the script has ${forms.length} forms and one more was asked for`);
      return toolCallResponse("answer", JSON.stringify(forms[form++]), { usage: { inputTokens: 10, outputTokens: 5 } });
    }
    const letters = labels[judging++];
    if (letters?.length !== task.claims.length) throw new Error(`the script has the labels ${JSON.stringify(letters)} for ${task.claims.length} claims`);
    const chosen: ScriptedLabels = new Map(task.claims.map(({ id }, at) => [id, LABELS[letters[at] as keyof typeof LABELS]]));
    return judgeAnswer(request, chosen, { usage: { inputTokens: 10, outputTokens: 5 } });
  });
}

export function gradingOf(request: ModelRequest): ReturnType<typeof judgeTask> {
  return typeof request.toolChoice === "object" && request.toolChoice.tool === "grade_claims" ? judgeTask(request) : undefined;
}

export interface Seen {
  /** The score, `not scorable: why`, or the error's code. */
  readonly value: number | string;
  readonly reason: string | undefined;
  readonly requests: number;
  readonly result: ScorerResult | undefined;
  readonly message: string;
  readonly model: ScriptedProvider;
}

/** Makes the scorer with the scripted model and runs it. */
export async function measured(make: (model: ScriptedProvider) => Scorer, run: ScorerRun, script: Script = {}): Promise<Seen> {
  const model = scriptedModel(script);
  const seen = await runScorer(make(model), run);
  const value = seen.kind === "scored" ? seen.score : seen.kind === "errored" ? seen.error.code : `not scorable: ${seen.reason}`;
  return { value, reason: seen.kind === "scored" ? seen.reason : undefined, requests: model.calls.length, result: seen.result, message: seen.kind === "errored" ? seen.error.message : "", model };
}

export type Make = (model: ScriptedProvider) => Scorer;
export type Row = readonly [name: string, run: ScorerRun, script: Script, value: number | string, make?: Make];

/** Each row as it came out, and as it was wanted: its value to 1e-9, and every request that the script foresees made. */
export async function held(make: Make, rows: readonly Row[]): Promise<{ readonly found: unknown; readonly wanted: unknown }> {
  const found: unknown[] = [];
  for (const [name, run, script, wanted, own] of rows) {
    const { value, requests, message } = await measured(own ?? make, run, script);
    const near = typeof value === "number" && typeof wanted === "number" && Math.abs(value - wanted) <= 1e-9;
    found.push({ name, value: near ? wanted : value, requests, ...(near || value === wanted ? {} : { message }) });
  }
  return { found, wanted: rows.map(([name, , { forms = [], labels = [] }, value]) => ({ name, value, requests: forms.length + labels.length })) };
}

/** What a request shows its model of the data, read back. */
export function shownIn(request: ModelRequest | undefined): unknown {
  const content = request?.messages.at(-1)?.content;
  const data: unknown = JSON.parse(typeof content === "string" ? content : "null");
  const grading = request === undefined ? undefined : gradingOf(request);
  return grading === undefined ? data : JSON.parse(grading.output);
}
