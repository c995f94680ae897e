// Owns the strict reading of a judge's answer: exactly the judgments that were asked for, or the list of everything at fault. Nothing
// is trimmed, folded, repaired or guessed.

import type { Claim } from "../core/claim.ts";
import { isEntailError, messageOf } from "../core/error.ts";
import type { Judgment } from "../core/judgment.ts";
import { isLabel } from "../core/label.ts";
import type { ModelResponse, ToolCallPart } from "../core/model.ts";
import { readJson, type JsonNode } from "../json/read-json.ts";
import { answerFault, badQuote, badText, emptyText, missing, undeclared, UNIQUE_NAMES, unknownLabel, wrongType, type AnswerFault } from "./answer-fault.ts";
import { GRADING_TOOL } from "./grading-tool.ts";
import { quoted } from "./payload-path.ts";

export type Answer = { readonly judgments: readonly Judgment[] } | { readonly faults: readonly AnswerFault[] };

const JUDGMENT_MEMBERS = ["label", "rationale"] as const;
const QUOTING_MEMBERS = [...JUDGMENT_MEMBERS, "quote"] as const;

/** Whether a quote stands in what the judge was shown. */
export type FindQuote = (quote: string) => boolean;
const MENTIONABLE = /^[A-Za-z_][A-Za-z0-9_]{0,39}$/;

function stopFault(response: ModelResponse, maxOutputTokens: number): AnswerFault | undefined {
  const spent = response.usage?.outputTokens;
  switch (response.stopReason) {
    case "length":
      return answerFault(
        `the answer was cut off at the token limit (stop reason "length", ${spent === undefined ? "" : `${spent} output tokens used, `}maxOutputTokens ${maxOutputTokens})`,
        `the answer was cut off: a complete one must fit into ${maxOutputTokens} output tokens, so keep every rationale short`,
      );
    case "content_filter":
      return answerFault('the answer was filtered by the provider (stop reason "content_filter")', "the answer was withheld by a content filter");
    case "refusal":
      return answerFault('the model refused to answer (stop reason "refusal")', "the call was refused: grading the data does not carry out anything that it says");
    case "stop":
    case "tool_calls":
    case "error":
      return undefined;
    default:
      return response.stopReason satisfies never;
  }
}

function callFault(calls: readonly ToolCallPart[]): AnswerFault | undefined {
  const [call] = calls;
  if (call === undefined) return answerFault("the answer holds no call of the grading tool", "the supplied tool was not called: call it exactly once");
  if (calls.length > 1) return answerFault(`the answer holds ${calls.length} calls, and exactly one was asked for`, `there were ${calls.length} calls: call the supplied tool exactly once`);
  if (call.name !== GRADING_TOOL) return answerFault(`the answer calls ${quoted(call.name)}, which is not the grading tool`, "a tool was called that was not supplied: call the supplied tool exactly once");
  return undefined;
}

const LONGEST_CAUSE = 600;

function textFault(error: unknown): AnswerFault {
  const said = messageOf(error);
  const cause = `the arguments of the call cannot be taken: ${said.length > LONGEST_CAUSE ? `${said.slice(0, LONGEST_CAUSE)}…` : said}`;
  const code = isEntailError(error) ? error.code : "json_invalid";
  if (code === "json_duplicate_member") return badText(cause, `$payload must have ${UNIQUE_NAMES}, at every depth`, UNIQUE_NAMES);
  if (code === "json_lone_surrogate") return badText(cause, "$payload must be well-formed Unicode", "well-formed Unicode");
  return badText(cause, "$payload must be one complete JSON object, with nothing before or after it", "one JSON object");
}

/** Reads one claim's judgment; adds to `faults` and gives nothing where it is no judgment. */
function readJudgment(claim: Claim, node: JsonNode | undefined, faults: AnswerFault[], mentionable: (name: string) => boolean, findQuote: FindQuote): Judgment | undefined {
  if (node === undefined) {
    faults.push(missing([claim.id], "object"));
    return undefined;
  }
  if (node.kind !== "object") {
    faults.push(wrongType([claim.id], "object", node.kind));
    return undefined;
  }
  const names: readonly string[] = claim.quote === true ? QUOTING_MEMBERS : JUDGMENT_MEMBERS;
  for (const name of node.members.keys()) {
    if (!names.includes(name)) faults.push(undeclared([claim.id, name], mentionable(name)));
  }
  const [label, rationale, quote] = names.map((name) => {
    const member = node.members.get(name);
    if (member === undefined) faults.push(missing([claim.id, name], "string"));
    else if (member.kind !== "string") faults.push(wrongType([claim.id, name], "string", member.kind));
    else return member.value;
    return undefined;
  });
  if (label !== undefined && !isLabel(label)) faults.push(unknownLabel([claim.id, "label"], label));
  if (rationale === "") faults.push(emptyText([claim.id, "rationale"]));
  // What is not addressed has no words to show.
  if (quote !== undefined && !(quote === "" && label === "not_addressed") && !findQuote(quote)) faults.push(badQuote([claim.id, "quote"], quote));
  return isLabel(label) && rationale !== undefined ? { claimId: claim.id, label, rationale, ...(quote !== undefined && quote !== "" && { quote }) } : undefined;
}

function readArguments(text: string, claims: readonly Claim[], findQuote: FindQuote): Answer {
  let root: JsonNode;
  try {
    root = readJson(text);
  } catch (error) {
    return { faults: [textFault(error)] };
  }
  if (root.kind !== "object") return { faults: [wrongType([], "object", root.kind)] };
  const faults: AnswerFault[] = [];
  const ids = new Set(claims.map((claim) => claim.id));
  const texts = new Set(claims.map((claim) => claim.text));
  const mentionable = (name: string): boolean => MENTIONABLE.test(name) && !texts.has(name);
  for (const name of root.members.keys()) {
    if (!ids.has(name)) faults.push(undeclared([name], mentionable(name)));
  }
  const judgments: Judgment[] = [];
  for (const claim of claims) {
    const judgment = readJudgment(claim, root.members.get(claim.id), faults, mentionable, findQuote);
    if (judgment !== undefined) judgments.push(judgment);
  }
  return faults.length > 0 || judgments.length !== claims.length ? { faults } : { judgments };
}

/**
 * The judgments of `response` in the order of `claims`, labels and rationales as the model wrote them; or everything at fault. An
 * answer is taken whole or not at all: one that was cut, filtered or refused is at fault even where its one call is complete. Text
 * beside the call is ignored. A quote that `findQuote` does not find is a fault like any other: no label is changed for it.
 */
export function readAnswer(response: ModelResponse, claims: readonly Claim[], maxOutputTokens: number, findQuote: FindQuote = () => true): Answer {
  const stopped = stopFault(response, maxOutputTokens);
  const calls = response.content.filter((part) => part.type === "tool_call");
  const [call] = calls;
  const miscalled = callFault(calls);
  const answer: Answer = call === undefined || miscalled !== undefined ? { faults: miscalled === undefined ? [] : [miscalled] } : readArguments(call.arguments, claims, findQuote);
  if (stopped === undefined) return answer;
  return { faults: [stopped, ...("faults" in answer ? answer.faults : [])] };
}
