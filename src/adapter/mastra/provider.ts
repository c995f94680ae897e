// Owns the provider: a model as Mastra names it, or one for each model class, behind Entail's model port.

import { EntailError, messageOf } from "../../core/error.ts";
import { MODEL_CLASSES, type CallOptions, type ModelClass, type ModelRequest, type ModelStreamPart, type Provider } from "../../core/model.ts";
import { isLanguageModel, streamIsRaw, type LanguageModel } from "../../language-model/language-model.ts";
import { provider as languageModelProvider, type ProviderOptions as LanguageModelOptions } from "../../language-model/provider.ts";
import { isMastraModel, modelName, resolveModel, type MastraModel, type ResolveOptions } from "./model.ts";

/** A model for each class; none may be left out. */
export type ModelsByClass = Readonly<Record<ModelClass, MastraModel>>;

export interface ProviderOptions extends ResolveOptions, LanguageModelOptions {}

function readModels(models: MastraModel | ModelsByClass): ModelsByClass {
  if (isMastraModel(models)) return { "high-reasoning": models, default: models, small: models };
  const given: Partial<Record<ModelClass, unknown>> = typeof models === "object" && models !== null ? models : {};
  const missing = MODEL_CLASSES.filter((modelClass) => !Object.hasOwn(given, modelClass) || given[modelClass] === undefined);
  if (missing.length > 0) {
    throw new EntailError("model_class_missing", `provider() has no model for the class ${missing.map((name) => JSON.stringify(name)).join(" and ")}; give one model, such as "openai/gpt-4.1", or one for each of ${MODEL_CLASSES.join(", ")}`);
  }
  const unknown = Object.keys(given).find((name) => !(MODEL_CLASSES as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new EntailError("option_invalid", `provider() was given a model for ${JSON.stringify(unknown)}, which is no model class; the classes are ${MODEL_CLASSES.join(", ")}`);
  }
  const wrong = MODEL_CLASSES.find((modelClass) => !isMastraModel(given[modelClass]));
  if (wrong !== undefined) {
    throw new EntailError("option_invalid", `the model given to provider() for ${JSON.stringify(wrong)} is none: give its name, such as "openai/gpt-4.1", a config of Mastra's with an id, or a model of an AI SDK provider`);
  }
  return given as ModelsByClass;
}

/** Told by the name alone, before anything is loaded. */
function isRaw(model: MastraModel): boolean {
  if (isLanguageModel(model)) return streamIsRaw(model);
  const provider = (modelName(model) ?? "").split("/")[0] ?? "";
  return streamIsRaw({ provider } as LanguageModel);
}

/** Mastra looks a provider up only when its model is called. */
function explained(thrown: unknown, model: MastraModel): unknown {
  if (isLanguageModel(model) || !messageOf(thrown).startsWith("Could not find config for provider")) return thrown;
  return new EntailError("model_unresolved", `the model ${JSON.stringify(modelName(model))} cannot be resolved by @mastra/core: ${messageOf(thrown)}; give the name of a provider that it knows, or a model of an AI SDK provider instead`, { cause: thrown });
}

/**
 * Makes a provider of a model as Mastra names it. @mastra/core is loaded, and the model resolved, with the first request; a request throws
 * `model_unresolved` where that fails, and else what the provider of an AI SDK model throws. Throws `model_class_missing` for a map
 * without a model for each class, and `option_invalid` for what is no model.
 */
export function provider(models: MastraModel | ModelsByClass, options: ProviderOptions = {}): Provider {
  const byClass = readModels(models);
  const rawArguments = options.rawArguments ?? MODEL_CLASSES.every((modelClass) => isRaw(byClass[modelClass]));
  const resolving = new Map<MastraModel, Promise<Provider>>();
  const modelFor = ({ modelClass }: ModelRequest): MastraModel => {
    if (Object.hasOwn(byClass, modelClass)) return byClass[modelClass];
    throw new EntailError("model_class_missing", `${JSON.stringify(modelClass)} is no model class; the classes are ${MODEL_CLASSES.join(", ")}`);
  };
  const resolved = (model: MastraModel): Promise<Provider> => {
    const known = resolving.get(model) ?? resolveModel(model, options).then((found) => languageModelProvider(found, { rawArguments }));
    resolving.set(model, known);
    // What failed once may be there later: a gateway that answers again.
    known.catch(() => resolving.delete(model));
    return known;
  };
  return {
    async complete(request: ModelRequest, callOptions: CallOptions) {
      const model = modelFor(request);
      try {
        return await (await resolved(model)).complete(request, callOptions);
      } catch (thrown) {
        throw explained(thrown, model);
      }
    },
    async *stream(request: ModelRequest, callOptions: CallOptions): AsyncGenerator<ModelStreamPart, void> {
      const model = modelFor(request);
      try {
        yield* (await resolved(model)).stream?.(request, callOptions) ?? [];
      } catch (thrown) {
        throw explained(thrown, model);
      }
    },
    rawArguments,
    modelName: (modelClass) => (Object.hasOwn(byClass, modelClass) ? modelName(byClass[modelClass]) : undefined),
  };
}
