// Owns where the requests of an AI SDK model go, as far as the model lets it be seen.

import { member, textMember } from "../core/member.ts";
import type { LanguageModel } from "./language-model.ts";

/**
 * The base address, without user, query and fragment; `undefined` where the model does not tell. The providers keep it in `config`: as
 * `baseURL`, or as a function that makes an address of a path.
 */
export function endpointOf(model: LanguageModel): string | undefined {
  const config = member(model, "config");
  const url = member(config, "url");
  let address = textMember(config, "baseURL");
  if (address === undefined && typeof url === "function") {
    try {
      const made: unknown = url.call(config, { path: "/", modelId: model.modelId });
      if (typeof made === "string") address = made;
    } catch {
      // It needs more than a path, so where it goes stays unknown.
    }
  }
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname.replace(/\/+$/, "")}`;
}
