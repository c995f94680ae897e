// Owns what became of the settings of a call: which were lost on the way to the model, and which were changed.

import { EntailError } from "../core/error.ts";
import type { LanguageModel, LanguageModelCall } from "./language-model.ts";
import { countMember, member, textMember } from "../core/member.ts";

const CAP = /max[_\s-]?(?:(?:completion|output)[_\s-]?)?tokens/i;

interface Warned {
  readonly about: string;
  readonly words: string;
}

/** A warning in any of the three specifications. A deprecation changes nothing, so it is no change of a setting. */
function readWarning(warning: unknown): Warned | undefined {
  const type = textMember(warning, "type");
  if (type === "deprecated") return undefined;
  const about = textMember(warning, "feature") ?? textMember(warning, "setting") ?? textMember(member(warning, "tool"), "name") ?? "";
  const details = textMember(warning, "details") ?? textMember(warning, "message") ?? "";
  const words = about !== "" && details !== "" ? `${about}: ${details}` : about !== "" ? `${about}: ${type ?? "changed"}` : details;
  return words === "" ? undefined : { about, words };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The names under which the known protocols send the cap, at the root of the body or in Google's `generationConfig`. */
function sentCap(requestBody: unknown): number | undefined {
  const body = typeof requestBody === "string" ? parsed(requestBody) : requestBody;
  for (const name of ["max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens"]) {
    const cap = countMember(body, name) ?? countMember(member(body, "generationConfig"), name);
    if (cap !== undefined) return cap;
  }
  return undefined;
}

function lost(model: LanguageModel, call: LanguageModelCall, why: string): EntailError {
  return new EntailError("model_setting_lost", `the model ${model.modelId} cannot keep maxOutputTokens ${call.maxOutputTokens}: ${why}; ask for fewer tokens or use another model`);
}

/**
 * The settings that were changed for a call, in words. Throws `model_setting_lost` where the cap on the answer's tokens was lowered
 * or dropped: an answer cut short for that reason would be blamed on the model. A cap that was raised, as for thinking, is a change.
 */
export function changedSettings(model: LanguageModel, call: LanguageModelCall, warnings: unknown, requestBody: unknown): readonly string[] {
  const changed: string[] = [];
  for (const warning of Array.isArray(warnings) ? (warnings as unknown[]) : []) {
    const warned = readWarning(warning);
    if (warned === undefined) continue;
    if (CAP.test(warned.about) || (warned.about === "" && CAP.test(warned.words))) throw lost(model, call, warned.words);
    changed.push(warned.words);
  }
  const cap = sentCap(requestBody);
  if (cap !== undefined && cap < call.maxOutputTokens) throw lost(model, call, `the request went out with ${cap}`);
  if (cap !== undefined && cap > call.maxOutputTokens) changed.push(`maxOutputTokens: the request went out with ${cap} instead of ${call.maxOutputTokens}`);
  return changed;
}
