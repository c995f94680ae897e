// Owns the choice of a model by its class: one model for all, or one for each class.

import { EntailError } from "./error.ts";
import { MODEL_CLASSES, type ModelClass } from "./model.ts";

/** A model for each class; none may be left out. */
export type ByModelClass<Model> = Readonly<Record<ModelClass, Model>>;

/**
 * Reads one model, or a map with one for each class. `isModel` tells a model from a map; `read` gives the model, or throws in its own words what is
 * wrong with what stands at `place`. Throws `model_class_missing` for a map without a model for each class and `option_invalid` for a class that is none.
 */
export function modelsByClass<Model>(given: unknown, isModel: (value: unknown) => boolean, read: (value: unknown, place: string) => Model): ByModelClass<Model> {
  if (isModel(given) || typeof given !== "object" || given === null) {
    const model = read(given, "the model given to provider()");
    return { "high-reasoning": model, default: model, small: model };
  }
  const models = given as Partial<ByModelClass<unknown>>;
  const missing = MODEL_CLASSES.filter((modelClass) => !Object.hasOwn(models, modelClass) || models[modelClass] === undefined);
  if (missing.length > 0) {
    throw new EntailError("model_class_missing", `provider() has no model for the class ${missing.map((name) => JSON.stringify(name)).join(" and ")}; give one model, or one for each of ${MODEL_CLASSES.join(", ")}`);
  }
  const unknown = Object.keys(models).find((name) => !(MODEL_CLASSES as readonly string[]).includes(name));
  if (unknown !== undefined) throw new EntailError("option_invalid", `provider() was given a model for ${JSON.stringify(unknown)}, which is no model class; the classes are ${MODEL_CLASSES.join(", ")}`);
  const of = (modelClass: ModelClass): Model => read(models[modelClass], `the model given to provider() for ${JSON.stringify(modelClass)}`);
  return { "high-reasoning": of("high-reasoning"), default: of("default"), small: of("small") };
}

/** The model of a class. Throws `model_class_missing` for what is none. */
export function modelOfClass<Model>(models: ByModelClass<Model>, modelClass: ModelClass): Model {
  if (Object.hasOwn(models, modelClass)) return models[modelClass];
  throw new EntailError("model_class_missing", `${JSON.stringify(modelClass)} is no model class; the classes are ${MODEL_CLASSES.join(", ")}`);
}
