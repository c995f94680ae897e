// Owns the resolution of a model as Mastra names it: by the application's own @mastra/core, to a model that can be called.

import { EntailError, messageOf } from "../../core/error.ts";
import { member, textMember } from "../../core/member.ts";
import { isLanguageModel, SPECIFICATION_VERSIONS, type LanguageModel } from "../../language-model/language-model.ts";
import { loadResolution, type Load } from "./load.ts";

/** A model that is named, with where and how it is reached. */
export type ModelConfig = { readonly id: string } | { readonly providerId: string; readonly modelId: string };

/** A model as an agent of Mastra's takes it: `"openai/gpt-4.1"`, a config with its address, or a model of an AI SDK provider. */
export type MastraModel = string | ModelConfig | LanguageModel;

export interface ResolveOptions {
  /** The application's `Mastra`, for the gateways that it registers. */
  readonly mastra?: unknown;
  /** Loads a package by its name; `import` when absent. */
  readonly load?: Load | undefined;
}

/** How a model is named: `openai/gpt-4.1`; `undefined` for what names none. */
export function modelName(model: unknown): string | undefined {
  if (typeof model === "string") return model;
  const providerId = textMember(model, "providerId");
  const modelId = textMember(model, "modelId");
  if (providerId !== undefined && modelId !== undefined) return `${providerId}/${modelId}`;
  return modelId ?? textMember(model, "id");
}

export function isMastraModel(value: unknown): value is MastraModel {
  return isLanguageModel(value) || (modelName(value) ?? "") !== "";
}

/**
 * The model that a name or a config stands for; a model that can be called already is given back as it is. Throws `model_unresolved`
 * where @mastra/core is not there or does not know the model, and `option_invalid` for what names none.
 */
export async function resolveModel(model: MastraModel, options: ResolveOptions = {}): Promise<LanguageModel> {
  if (isLanguageModel(model)) return model;
  const name = modelName(model) ?? "";
  if (name === "") throw new EntailError("option_invalid", 'a model is its name, such as "openai/gpt-4.1", a config of Mastra\'s with an id, or a model of an AI SDK provider');
  const place = `the model ${JSON.stringify(name)}`;
  const resolve = await loadResolution(place, options.load);
  let resolved: unknown;
  try {
    resolved = await resolve(model, undefined, options.mastra);
  } catch (thrown) {
    throw new EntailError("model_unresolved", `${place} cannot be resolved by @mastra/core: ${messageOf(thrown)}; write it as "provider/model", or give a model of an AI SDK provider instead`, { cause: thrown });
  }
  if (isLanguageModel(resolved) && SPECIFICATION_VERSIONS.includes(resolved.specificationVersion)) return resolved;
  const version = member(resolved, "specificationVersion");
  throw new EntailError("model_unresolved", `${place} is no model that Entail can call: @mastra/core resolved it to specification ${JSON.stringify(version) ?? "none"}, and Entail knows ${SPECIFICATION_VERSIONS.join(", ")}; name a newer model`);
}
