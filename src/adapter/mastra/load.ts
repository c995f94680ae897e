// Owns the one import of the application's own @mastra/core, made only when a model is to be resolved by its name.

import { EntailError, messageOf } from "../../core/error.ts";
import { member } from "../../core/member.ts";

/** Loads a package by its name. `import`, when the application gives none of its own. */
export type Load = (name: string) => PromiseLike<unknown>;

const PACKAGE = "@mastra/core/llm";

const importPackage: Load = (name) => import(/* @vite-ignore */ name) as Promise<unknown>;

export type ResolveModelConfig = (config: unknown, requestContext?: unknown, mastra?: unknown) => unknown;

/** Mastra's own resolution of models. Throws `model_unresolved` where it cannot be had; `place` names the model. */
export async function loadResolution(place: string, load: Load = importPackage): Promise<ResolveModelConfig> {
  let loaded: unknown;
  try {
    loaded = await load(PACKAGE);
  } catch (thrown) {
    throw new EntailError("model_unresolved", `${place} cannot be resolved: @mastra/core could not be loaded (${messageOf(thrown)}); install @mastra/core in this application, or give a model of an AI SDK provider instead`, { cause: thrown });
  }
  const resolve = member(loaded, "resolveModelConfig");
  if (typeof resolve !== "function") {
    throw new EntailError("model_unresolved", `${place} cannot be resolved: this version of @mastra/core has no resolveModelConfig; install 1.0 or later, or give a model of an AI SDK provider instead`);
  }
  return resolve as ResolveModelConfig;
}
