// Owns variants: the values that an eval file names for what may differ (models, prompts, versions of the agent), and their combinations.

import { EntailError } from "./error.ts";

/** By what differs, the names of its values: `{ model: ["small", "large"], prompt: ["v13", "v14"] }`. The first of each is the usual one. */
export type Variants = Readonly<Record<string, readonly string[]>>;

/** One combination. */
export interface Variant {
  /** `model=small,prompt=v13`. */
  readonly name: string;
  /** `{ model: "small", prompt: "v13" }` */
  readonly values: Readonly<Record<string, string>>;
}

/** More are a mistake: each is a run of the whole suite. */
const MAX_COMBINATIONS = 200;
const NAME = /^[^\p{Cc}\p{Zl}\p{Zp}\p{Cs},=]{1,100}$/v;

/** Every combination; the last member changes fastest. Throws `option_invalid`, its sentence beginning with `what`. */
export function variantsOf(variants: Variants, what: string): readonly Variant[] {
  const given: unknown = variants;
  if (typeof given !== "object" || given === null || Array.isArray(given) || Object.keys(given).length === 0) throw invalid(`${what} needs an object of lists as its variants, such as { model: ["small", "large"] }`);
  let combinations: readonly (readonly (readonly [string, string])[])[] = [[]];
  for (const [axis, values] of Object.entries(given as Readonly<Record<string, unknown>>)) {
    if (!NAME.test(axis)) throw invalid(`${what} has a variant of the name ${JSON.stringify(axis)}: a name has 1 to 100 characters, none of them a comma, an equals sign or a control character`);
    if (!Array.isArray(values) || values.length === 0) throw invalid(`${what} needs a list of at least one name as its variants.${axis}`);
    const list = values as readonly unknown[];
    for (const [at, value] of list.entries()) {
      if (typeof value !== "string" || !NAME.test(value)) throw invalid(`${what} has ${typeof value === "string" ? JSON.stringify(value) : `a ${typeof value}`} as its variants.${axis}[${at}]: a name has 1 to 100 characters, none of them a comma, an equals sign or a control character`);
      if (list.indexOf(value) !== at) throw invalid(`${what} names ${JSON.stringify(value)} twice in its variants.${axis}`);
    }
    if (combinations.length * list.length > MAX_COMBINATIONS) throw invalid(`${what} has more than ${MAX_COMBINATIONS} combinations of variants, and each would run the whole suite`);
    combinations = combinations.flatMap((before) => (list as readonly string[]).map((value) => [...before, [axis, value] as const]));
  }
  return combinations.map((pairs) => Object.freeze({ name: pairs.map(([axis, value]) => `${axis}=${value}`).join(","), values: Object.freeze(Object.fromEntries(pairs)) }));
}

function invalid(message: string): EntailError {
  return new EntailError("option_invalid", message);
}
