// Owns the judge made from a model: one request for all claims of an output, a strict answer, and a bounded number of corrections.

import { validateClaims, type Claim } from "../core/claim.ts";
import { systemClock, type Clock } from "../core/clock.ts";
import { wholeNanoseconds } from "../core/duration.ts";
import { EntailError, messageOf } from "../core/error.ts";
import type { Judge, JudgeAttempt, JudgeIdentity, JudgeRequest } from "../core/judge.ts";
import type { Judgment } from "../core/judgment.ts";
import { openClient, type ValidatedModel } from "../core/model-client.ts";
import { MODEL_CLASSES, type Client, type ModelClass, type ModelMessage, type ModelRequest, type ModelResponse } from "../core/model.ts";
import { didYouMean } from "../core/nearest.ts";
import { controlClaim, type ControlClaim } from "./control-claim.ts";
import { correctionNote } from "./correction-note.ts";
import { dataBlock } from "./data-block.ts";
import { judgeFingerprint } from "./fingerprint.ts";
import { gradingTool } from "./grading-tool.ts";
import { EVIDENCE_INSTRUCTIONS, INSTRUCTIONS } from "./instructions.ts";
import { invalidJudgeResponse, rejectedAnswer, type RejectedAnswer } from "./invalid-response.ts";
import { quoted } from "./payload-path.ts";
import { quoteFinder } from "./quote.ts";
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
  /**
   * True to show it the tool calls of the evidence, rendered and bounded, as untrusted data: like the reference they help to verify and never supply what
   * the output omits. False when absent.
   */
  readonly judgeEvidence?: boolean | undefined;
  /**
   * True to put into each request a control claim whose right label is known: an answer that gets it wrong is void (`judge_compromised`), and the report
   * counts it. False when absent.
   */
  readonly controls?: boolean | undefined;
  /**
   * True to have the exact tokens of each request's input: the provider counts them before it is asked, and the record holds its count. Throws at
   * construction where the provider cannot count. False when absent.
   */
  readonly requireInputTokens?: boolean | undefined;
  /** Measures how long requests take; the system's when absent. */
  readonly clock?: Clock | undefined;
}

const OPTIONS = ["maxOutputTokens", "modelClass", "maxCorrections", "judgeEvidence", "controls", "requireInputTokens", "clock"] as const satisfies readonly (keyof JudgeOptions)[];
const DEFAULT_CORRECTIONS = 3;
const TEMPERATURE = 0;

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
  for (const name of ["judgeEvidence", "controls", "requireInputTokens"] as const) {
    if (options[name] !== undefined && typeof options[name] !== "boolean") throw new EntailError("option_invalid", `createJudge: ${name} must be true or false, not ${typeof options[name]}`);
  }
}

function checkRequest({ output, claims, reference, evidence }: JudgeRequest): readonly Claim[] {
  if (typeof output !== "string") throw new EntailError("option_invalid", "judge needs output, the text to be judged", { stage: "judge" });
  if (typeof reference !== "string") throw new EntailError("option_invalid", 'judge needs reference, a text; give "" where there is none', { stage: "judge" });
  if (evidence !== undefined && typeof evidence !== "string") throw new EntailError("option_invalid", "judge takes evidence as a text, which renderEvidence makes of it", { stage: "judge" });
  if (!Array.isArray(claims) || claims.length === 0) throw new EntailError("judge_no_claims", "the judge was given no claims", { stage: "judge" });
  validateClaims(claims);
  return claims.map(({ id, text, quote }) => ({ id, text, ...(quote === true && { quote }) }));
}

interface Asked {
  /** What the model labels: the claims, and a control among them. */
  readonly all: readonly Claim[];
  readonly control: ControlClaim | undefined;
}

/** `given` are the claims with what they expect, which the model is not told. */
function withControl(claims: readonly Claim[], given: JudgeRequest, controls: boolean): Asked {
  if (!controls) return { all: claims, control: undefined };
  const control = controlClaim(given.claims, given);
  return { all: claims.toSpliced(control.position, 0, control.claim), control };
}

/** Takes the control out of an answer; throws `judge_compromised` where it is wrong. */
function checkControl(judgments: readonly Judgment[], control: ControlClaim | undefined): readonly Judgment[] {
  if (control === undefined) return judgments;
  const { claim, label } = control;
  const answer = judgments.find(({ claimId }) => claimId === claim.id);
  if (answer?.label === label) return judgments.filter((judgment) => judgment !== answer);
  throw new EntailError("judge_compromised", `the judge labelled its control claim ${quoted(claim.text)} ${answer?.label ?? "not at all"}, and ${label} is right: something in what it was shown may have talked it into its labels, so none of them counts`, { stage: "judge" });
}

function answered(response: ModelResponse): Partial<JudgeAttempt> {
  return { response, ...(response.usage === undefined ? {} : { usage: response.usage }), ...(response.model === undefined ? {} : { model: response.model }) };
}

function counting({ countTokens }: ValidatedModel): NonNullable<ValidatedModel["countTokens"]> {
  if (countTokens !== undefined) return countTokens;
  throw new EntailError("option_invalid", "createJudge: requireInputTokens needs a provider that counts tokens, such as countingRemoteProvider from \"entail/model\"");
}

/** What was counted beats what the response says: it is the exact number. */
function withInputTokens(response: ModelResponse, inputTokens: number | undefined): ModelResponse {
  return inputTokens === undefined ? response : Object.freeze({ ...response, usage: Object.freeze({ ...response.usage, inputTokens }) });
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
 * corrections are used up; with `judge_compromised` where a control claim got the wrong label, which is not asked again; and with the client's own
 * error, asked once, where there was no answer at all.
 */
export function createJudge(client: Client, options: JudgeOptions): Judge {
  checkOptions(options);
  const { maxOutputTokens, modelClass = "high-reasoning", maxCorrections = DEFAULT_CORRECTIONS, judgeEvidence = false, controls = false, requireInputTokens = false, clock = systemClock } = options;
  const model = openClient(client);
  const countTokens = requireInputTokens ? counting(model) : undefined;
  const modelName = model.modelName(modelClass);
  const identity: JudgeIdentity = Object.freeze({
    modelClass,
    ...(modelName === undefined ? {} : { model: modelName }),
    maxOutputTokens,
    maxCorrections,
    rawArguments: model.rawArguments,
    ...(judgeEvidence && { judgeEvidence }),
    ...(controls && { controls }),
    fingerprint: judgeFingerprint({ model: modelName, modelClass, temperature: TEMPERATURE, maxOutputTokens, maxCorrections, judgeEvidence, controls }),
  });

  async function judge(given: JudgeRequest): Promise<readonly Judgment[]> {
    const claims = checkRequest(given);
    const { all, control } = withControl(claims, given, controls);
    const tool = gradingTool(all);
    const showsEvidence = judgeEvidence || (given.evidence ?? "") !== "";
    const instructions: ModelMessage = Object.freeze({ role: "system", content: showsEvidence ? EVIDENCE_INSTRUCTIONS : INSTRUCTIONS });
    const data: ModelMessage = Object.freeze({ role: "user", content: dataBlock(given) });
    const findQuote = quoteFinder(given);
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
        temperature: TEMPERATURE,
        maxOutputTokens,
      });
      // Two equal notes make equal requests, which a recording tells apart by their ordinal.
      const equalBefore = note === undefined ? 0 : notes.filter((earlier) => earlier === note).length - 1;
      const scope = given.scope === undefined ? undefined : { ...given.scope, ordinal: given.scope.ordinal + equalBefore };

      const started = clock.elapsed();
      const spent = (): Pick<JudgeAttempt, "durationMs" | "request"> => ({ durationMs: wholeNanoseconds(clock.elapsed() - started), request });
      let response: ModelResponse;
      try {
        const inputTokens = await countTokens?.(request, { signal: given.signal, scope });
        response = withInputTokens(await model.complete(request, { signal: given.signal, scope }), inputTokens);
      } catch (error) {
        record({ ...spent(), cause: messageOf(error) });
        throw error;
      }
      if (response.stopReason === "error") {
        const error = new EntailError("provider_failed", `the provider ended its answer with the stop reason "error"${said(response)}`, { stage: "judge", cause: response });
        record({ ...spent(), ...answered(response), cause: error.message });
        throw error;
      }
      const answer = readAnswer(response, all, maxOutputTokens, findQuote);
      if ("judgments" in answer) {
        try {
          const judgments = checkControl(answer.judgments, control);
          record({ ...spent(), ...answered(response) });
          return judgments;
        } catch (error) {
          record({ ...spent(), ...answered(response), cause: messageOf(error) });
          throw error;
        }
      }
      const refused = rejectedAnswer(response, answer.faults);
      record({ ...spent(), ...answered(response), cause: refused.cause });
      rejected.push(refused);
      notes.push(correctionNote(answer.faults));
    }
    throw invalidJudgeResponse(rejected, maxCorrections);
  }

  return Object.freeze({ judge, identity, ...(judgeEvidence && { judgeEvidence }) });
}
