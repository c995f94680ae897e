// Owns the probe of a judge for liking its own model's answers.

import { requireFinite } from "./argument.ts";

/**
 * The difference of differences: how much more the judge prefers its own model's answers over another's than a reference (people, another judge)
 * does: `(own on own - own on other) - (reference on own - reference on other)`, in the unit of the rates. Above 0 it prefers itself. Never `null`.
 * Throws `value_invalid` for a rate that is not finite.
 */
export function selfPreference(rates: { readonly own: { readonly onOwn: number; readonly onOther: number }; readonly reference: { readonly onOwn: number; readonly onOther: number } }): number {
  for (const side of ["own", "reference"] as const) {
    requireFinite("selfPreference", `${side}.onOwn`, rates[side].onOwn);
    requireFinite("selfPreference", `${side}.onOther`, rates[side].onOther);
  }
  return rates.own.onOwn - rates.own.onOther - (rates.reference.onOwn - rates.reference.onOther);
}
