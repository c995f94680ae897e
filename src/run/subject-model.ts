// Owns the question whether a judge's model is the model under test.

import type { Judge } from "../core/judge.ts";

/** The models that a result's metadata names: `model`, one or a list, or `models`. */
export function subjectModels(metadata: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  return [metadata?.["model"], metadata?.["models"]].flat().filter((model) => typeof model === "string" && model !== "") as readonly string[];
}

/** The models that a judge names, a panel's members included. */
export function judgeModels(judge: Judge | undefined): readonly string[] {
  try {
    const identity = judge?.identity;
    return [identity, ...(identity?.members ?? [])].flatMap((each) => each?.model ?? []);
  } catch {
    // A judge that cannot say who it is.
    return [];
  }
}

/** Whether two names are of one model: a provider's prefix (`openai/…`) and the case of letters say nothing. */
export function sameModel(a: string, b: string): boolean {
  const bare = (name: string): string => name.toLowerCase().split("/").at(-1) ?? name;
  return bare(a) === bare(b);
}
