// Owns which variants of which suites a run is about: all of them, those that were named, or the usual one.

import { EntailError } from "../core/error.ts";
import { type Variant, variantsOf } from "../core/variant.ts";
import { didYouMean } from "../core/nearest.ts";
import type { EvaluationOptions } from "../evaluation.ts";

export interface VariantSelection {
  /** Every combination runs. */
  readonly matrix: boolean;
  /** `model=small`: only combinations with this value. */
  readonly named: readonly string[];
}

/**
 * Each item once for each of its variants that were chosen; one whose eval file names no variants once, without any. Throws `usage_invalid` for
 * `--matrix` where no file names variants, and for a variant that no file has.
 */
export function chooseVariants<Item>(items: readonly Item[], optionsOf: (item: Item) => EvaluationOptions, { matrix, named }: VariantSelection): readonly { readonly item: Item; readonly variant?: Variant | undefined }[] {
  const all = items.map((item) => ({ item, variants: ((variants) => (variants === undefined ? [] : variantsOf(variants, "evaluation()")))(optionsOf(item).variants) }));
  const known = new Set(all.flatMap(({ variants }) => variants.flatMap(pairsOf)));
  if (matrix && known.size === 0) throw new EntailError("usage_invalid", '--matrix needs an eval file that names variants: evaluation({ variants: { model: ["small", "large"] }, … })');
  for (const name of named) {
    if (!known.has(name)) throw new EntailError("usage_invalid", `--variant ${JSON.stringify(name)}: no eval file has this variant${didYouMean(name, known) || (known.size === 0 ? "" : `; there are ${[...known].slice(0, 8).join(", ")}`)}`);
  }
  return all.flatMap(({ item, variants }) => {
    if (variants.length === 0) return [{ item }];
    const own = new Set(variants.flatMap(pairsOf));
    const asked = named.filter((name) => own.has(name));
    const matching = variants.filter((variant) => asked.every((name) => pairsOf(variant).includes(name)));
    if (matching.length === 0) throw new EntailError("usage_invalid", `--variant ${asked.map((name) => JSON.stringify(name)).join(" and ")} exclude each other`);
    return (matrix ? matching : matching.slice(0, 1)).map((variant) => ({ item, variant }));
  });
}

function pairsOf({ values }: Variant): readonly string[] {
  return Object.entries(values).map(([axis, value]) => `${axis}=${value}`);
}
