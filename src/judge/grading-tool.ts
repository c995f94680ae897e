// Owns the one tool that a judge's model must call: one required property for each claim, its text as the description.

import type { Claim } from "../core/claim.ts";
import { EntailError } from "../core/error.ts";
import { freezeDeep } from "../core/freeze-deep.ts";
import { LABELS } from "../core/label.ts";
import type { ModelTool } from "../core/model.ts";
import { quoted } from "./payload-path.ts";

export const GRADING_TOOL = "grade_claims";

/** The largest schema that is sent, in bytes of its JSON text. It is never cut or split. */
export const MAX_SCHEMA_BYTES = 1_048_576;

/** What the root of an answer must be, in words that hold for any claims. */
export const ROOT_DESCRIPTION = "One object that holds exactly the required claim properties as its own members, with nothing wrapped around them and nothing beside them.";

const JUDGMENT_FORM = {
  additionalProperties: false,
  required: ["label", "rationale"],
  properties: { label: { type: "string", enum: [...LABELS] }, rationale: { type: "string", minLength: 1 } },
} as const;

const QUOTING_FORM = {
  additionalProperties: false,
  required: ["label", "rationale", "quote"],
  properties: {
    ...JUDGMENT_FORM.properties,
    quote: {
      type: "string",
      description: "The words that show it, copied character for character from one place of the data block, most of all from its output; empty only where the label is not_addressed and there is nothing to copy.",
    },
  },
} as const;

/**
 * The grading tool for `claims`, frozen. `required` holds the ids in the claims' order. So does `properties`, but for ids that
 * JavaScript takes for array indexes (`"10"`): the language moves those to the front of every object and sorts them, and their
 * order carries no meaning, since answers are looked up by name. A claim that asks for a quote requires one. A claim's `expect` is left out: it must
 * not sway the judge.
 * Throws `json_lone_surrogate` for an id that no JSON text can hold, `judge_schema_too_large` above 1 MiB.
 */
export function gradingTool(claims: readonly Claim[]): ModelTool {
  for (const { id } of claims) {
    if (!id.isWellFormed()) throw new EntailError("json_lone_surrogate", `the claim id ${quoted(id)} holds half of a surrogate pair, so no answer could name it`, { stage: "judge" });
  }
  const inputSchema = {
    type: "object",
    description: ROOT_DESCRIPTION,
    additionalProperties: false,
    required: claims.map((claim) => claim.id),
    // `fromEntries` makes `__proto__` a member like any other.
    properties: Object.fromEntries(claims.map((claim) => [claim.id, { type: "object", description: claim.text, ...structuredClone(claim.quote === true ? QUOTING_FORM : JUDGMENT_FORM) }])),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(inputSchema)).length;
  if (bytes > MAX_SCHEMA_BYTES) {
    throw new EntailError("judge_schema_too_large", `the schema of these ${claims.length} claims has ${bytes} bytes, and at most ${MAX_SCHEMA_BYTES} are sent; shorten the claims or judge them in several scenarios`, { stage: "judge" });
  }
  return freezeDeep({ name: GRADING_TOOL, description: "Takes the label and the rationale of every claim.", inputSchema });
}
