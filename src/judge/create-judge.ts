// Owns the judge made from a model: one request for all claims of an output, a strict answer, and a bounded number of corrections.

import { validateClaims, type Claim } from "../core/claim.ts";
import { systemClock, type Clock } from "../core/clock.ts";
import { wholeNanoseconds } from "../core/duration.ts";
import { EntailError, messageOf } from "../core/error.ts";
import type { Judge, JudgeAttempt, JudgeIdentity, JudgeRequest } from "../core/judge.ts";
import type { Judgment } from "../core/judgment.ts";
import { openClient } from "../core/model-client.ts";
import { MODEL_CLASSES, type Client, type ModelClass, type ModelMessage, type ModelRequest, type ModelResponse } from "../core/model.ts";
import { didYouMean } from "../core/nearest.ts";
import { correctionNote } from "./correction-note.ts";
import { dataBlock } from "./data-block.ts";
import { gradingTool } from "./grading-tool.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { invalidJudgeResponse, rejectedAnswer, type RejectedAnswer } from "./invalid-response.ts";
import { quoted } from "./payload-path.ts";
import { readAnswer } from "./read-answer.ts";
import { recorder } from "./recorder.ts";

export interface JudgeOptions {
  /**
   * The inclusive cap on the output tokens of one complete response, all judgments together. It has no default, and is sent as it
   * is with every request, corrections too, however many claims there are.
   */
  readonly maxOutputTokens: number;
  /** `high-reasoning` when absent. */
  readonly modelClass?: ModelClass | undefined;
  /** How many replacements of an invalid answer may be asked for; 3 when absent, so at most 4 requests. */
  readonly maxCorrections?: number | undefined;
  /** Measures how long requests take; the system's when absent. */
  readonly clock?: Clock | undefined;
}

const OPTIONS = ["maxOutputTokens", "modelClass", "maxCorrections", "clock"] as const satisfies readonly (keyof JudgeOptions)[];
const DEFAULT_CORRECTIONS = 3;

function checkOptions(options: JudgeOptions): void {
  for (const name of Object.keys(options)) {
    if (!(OPTIONS as readonly string[]).includes(name)) throw new EntailError("option_invalid", `createJudge has no option ${quoted(name)}${didYouMean(name, OPTIONS)}`);
  }
  const { maxOutputTokens, modelClass, maxCorrections } = options;
  if (!Number.isSafeInteger(maxOutputTokens) || maxOutputTokens <= 0) {
    throw new EntailError("judge_budget_not_positive", `createJudge needs maxOutputTokens, the most tokens that one answer of the judge's model may have, as a positive whole number, not ${String(maxOutputTokens)}`);
  }
  if (modelClass !== undefined && !MODEL_CLASSES.includes(modelClass)) {
    throw new EntailError("option_invalid", `createJudge: modelClass must be one of ${MODEL_CLASSES.join(", ")}`);
  }
  if (maxCorrections !== undefined && (!Number.isSafeInteger(maxCorrections) || maxCorrections < 0)) {
    throw new EntailError("option_invalid", `createJudge: maxCorrections must be a whole number, 0 or more, not ${String(maxCorrections)}`);
  }
}

function checkRequest({ output, claims, reference }: JudgeRequest): readonly Claim[] {
  if (typeof output !== "string") throw new EntailError("option_invalid", "judge needs output, the text to be judged", { stage: "judge" });
  if (typeof reference !== "string") throw new EntailError("option_invalid", 'judge needs reference, a text; give "" where there is none', { stage: "judge" });
  if (!Array.isArray(claims) || claims.length === 0) throw new EntailError("judge_no_claims", "the judge was given no claims", { stage: "judge" });
  validateClaims(claims);
  return claims.map(({ id, text }) => ({ id, text }));
}

function answered(response: ModelResponse): Partial<JudgeAttempt> {
  return { response, ...(response.usage === undefined ? {} : { usage: response.usage }), ...(response.model === undefined ? {} : { model: response.model }) };
}

function said(response: ModelResponse): string {
  const text = response.content.find((part) => part.type === "text")?.text;
  return text === undefined ? "" : `: ${quoted(text)}`;
}

/**
 * Makes a judge from a client. It keeps no state, stands concurrent calls, and makes no request before it is asked to judge.
 *
 * Throws `judge_budget_not_positive` or `option_invalid` for the options, and what the provider says of a model class it has no
 * model for. `judge` rejects without a request with `judge_no_claims`, `claim_incomplete`, `claim_duplicate`,
 * `json_lone_surrogate` or `judge_schema_too_large`; with `judge_invalid_response` (see `InvalidJudgeResponse`) once the
 * corrections are used up; and with the client's own error, asked once, where there was no answer at all.
 */
export function createJudge(client: Client, options: JudgeOptions): Judge {
  checkOptions(options);
  const { maxOutputTokens, modelClass = "high-reasoning", maxCorrections = DEFAULT_CORRECTIONS, clock = systemClock } = options;
  const model = openClient(client);
  const modelName = model.modelName(modelClass);
  const identity: JudgeIdentity = Object.freeze({
    modelClass,
    ...(modelName === undefined ? {} : { model: modelName }),
    maxOutputTokens,
    maxCorrections,
    rawArguments: model.rawArguments,
  });

  async function judge(given: JudgeRequest): Promise<readonly Judgment[]> {
    const claims = checkRequest(given);
    const tool = gradingTool(claims);
    const instructions: ModelMessage = Object.freeze({ role: "system", content: INSTRUCTIONS });
    const data: ModelMessage = Object.freeze({ role: "user", content: dataBlock(given.output, given.reference) });
    const record = recorder(given.record);
    const rejected: RejectedAnswer[] = [];
    const notes: string[] = [];

    while (rejected.length <= maxCorrections) {
      const note = notes.at(-1);
      // The note stands before the data: system messages stay together, as some providers want them.
      const messages = note === undefined ? [instructions, data] : [instructions, Object.freeze({ role: "system" as const, content: note }), data];
      const request: ModelRequest = Object.freeze({
        modelClass,
        messages: Object.freeze(messages),
        tools: Object.freeze([tool]),
        toolChoice: Object.freeze({ tool: tool.name }),
        temperature: 0,
        maxOutputTokens,
      });
      // Two equal notes make equal requests, which a recording tells apart by their ordinal.
      const equalBefore = note === undefined ? 0 : notes.filter((earlier) => earlier === note).length - 1;
      const scope = given.scope === undefined ? undefined : { ...given.scope, ordinal: given.scope.ordinal + equalBefore };

      const started = clock.elapsed();
      const spent = (): Pick<JudgeAttempt, "durationMs" | "request"> => ({ durationMs: wholeNanoseconds(clock.elapsed() - started), request });
      let response: ModelResponse;
      try {
        response = await model.complete(request, { signal: given.signal, scope });
      } catch (error) {
        record({ ...spent(), cause: messageOf(error) });
        throw error;
      }
      if (response.stopReason === "error") {
        const error = new EntailError("provider_failed", `the provider ended its answer with the stop reason "error"${said(response)}`, { stage: "judge", cause: response });
        record({ ...spent(), ...answered(response), cause: error.message });
        throw error;
      }
      const answer = readAnswer(response, claims, maxOutputTokens);
      if ("judgments" in answer) {
        record({ ...spent(), ...answered(response) });
        return answer.judgments;
      }
      const refused = rejectedAnswer(response, answer.faults);
      record({ ...spent(), ...answered(response), cause: refused.cause });
      rejected.push(refused);
      notes.push(correctionNote(answer.faults));
    }
    throw invalidJudgeResponse(rejected, maxCorrections);
  }

  return Object.freeze({ judge, identity });
}
