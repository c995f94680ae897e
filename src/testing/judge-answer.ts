// Owns the two halves of a scripted judge's model: what a judge's request asks, and the raw answer to it.

import type { Claim } from "../core/claim.ts";
import type { Judgment } from "../core/judgment.ts";
import type { Label } from "../core/label.ts";
import type { ModelRequest, ModelResponse } from "../core/model.ts";
import { CALIBRATION_CLAIMS, CALIBRATION_OUTPUT, controlLabel } from "../judge/index.ts";

/** What a judge's request asks, read from the request alone. */
export interface JudgeTask {
  readonly output: string;
  /** `""` where there is none. */
  readonly reference: string;
  /** In the order asked for. */
  readonly claims: readonly Claim[];
  /** The name of the tool that must be called. */
  readonly tool: string;
  /** The correction note, where the request replaces a refused answer. */
  readonly correction?: string;
}

/** A label, with a rationale where it matters. */
export type ScriptedLabel = Label | { readonly label: Label; readonly rationale: string; readonly quote?: string };

/** By claim id, or decided claim by claim from what is judged. */
export type ScriptedLabels =
  | Readonly<Record<string, ScriptedLabel>>
  | ReadonlyMap<string, ScriptedLabel>
  | ((claim: Claim, asked: { readonly output: string; readonly reference: string }) => ScriptedLabel);

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function said(request: ModelRequest, role: "system" | "user"): readonly string[] {
  return request.messages.flatMap((message) => (message.role === role && typeof message.content === "string" ? message.content : []));
}

/** Reads a request of `createJudge`'s; `undefined` for any other request. */
export function judgeTask(request: ModelRequest): JudgeTask | undefined {
  const [tool] = request.tools;
  const block = said(request, "user").at(-1);
  if (tool === undefined || block === undefined || typeof request.toolChoice !== "object" || request.toolChoice.tool !== tool.name) return undefined;
  const { required, properties } = tool.inputSchema;
  if (!Array.isArray(required) || !isObject(properties)) return undefined;
  let data: unknown;
  try {
    data = JSON.parse(block);
  } catch {
    return undefined;
  }
  if (!isObject(data) || typeof data["output"] !== "string") return undefined;
  const claims: Claim[] = [];
  for (const id of required as readonly unknown[]) {
    const property = typeof id === "string" && Object.hasOwn(properties, id) ? properties[id] : undefined;
    if (typeof id !== "string" || !isObject(property) || typeof property["description"] !== "string") return undefined;
    const { required: members } = property;
    claims.push({ id, text: property["description"], ...(Array.isArray(members) && members.includes("quote") && { quote: true }) });
  }
  const [, correction] = said(request, "system");
  return {
    output: data["output"],
    reference: typeof data["reference"] === "string" ? data["reference"] : "",
    claims,
    tool: tool.name,
    ...(correction === undefined ? {} : { correction }),
  };
}

/**
 * The judgment that a script gives of one claim. A claim that asks for a quote gets the whole output where the script gives none. Throws where it has no
 * label: a script that is silent about a claim is a mistake in the test.
 */
export function scriptedJudgment(claim: Claim, labels: ScriptedLabels, asked: { readonly output: string; readonly reference: string }): Judgment {
  const lookUp = (): ScriptedLabel | undefined => {
    if (typeof labels === "function") return labels(claim, asked);
    if (labels instanceof Map) return (labels as ReadonlyMap<string, ScriptedLabel>).get(claim.id);
    return Object.hasOwn(labels, claim.id) ? (labels as Readonly<Record<string, ScriptedLabel>>)[claim.id] : undefined;
  };
  const scripted = lookUp();
  if (scripted === undefined) throw new Error(`the script has no label for the claim ${JSON.stringify(claim.id)}`);
  const said = typeof scripted === "string" ? { label: scripted, rationale: `The script says ${scripted}.` } : scripted;
  const quote = claim.quote === true && said.quote === undefined && said.label !== "not_addressed" ? { quote: asked.output } : {};
  return { claimId: claim.id, ...said, ...quote };
}

/** The raw argument text of a grading call. It is written by hand, so members keep their order whatever their names. */
export function judgeArguments(judgments: Iterable<Judgment>): string {
  const members = Array.from(judgments, ({ claimId, label, rationale, quote }) => `${JSON.stringify(claimId)}:${JSON.stringify({ label, rationale, quote })}`);
  return `{${members.join(",")}}`;
}

/** A response that is one call of a tool, its arguments as the raw text given. */
export function toolCallResponse(tool: string, argumentsText: string, rest: Partial<Omit<ModelResponse, "content">> = {}): ModelResponse {
  return { content: [{ type: "tool_call", id: "call_1", name: tool, arguments: argumentsText }], stopReason: "tool_calls", ...rest };
}

/** A valid answer to a judge's request, which gets a control claim right. Throws where the request is none, or where `labels` leaves a claim out. */
export function judgeAnswer(request: ModelRequest, labels: ScriptedLabels, rest: Partial<Omit<ModelResponse, "content">> = {}): ModelResponse {
  const task = judgeTask(request);
  if (task === undefined) throw new Error("judgeAnswer was given a request that no judge made");
  return toolCallResponse(task.tool, judgeArguments(task.claims.map((claim) => answerOf(claim, labels, task))), rest);
}

function answerOf(claim: Claim, labels: ScriptedLabels, task: JudgeTask): Judgment {
  const control = controlLabel(claim.text);
  const judgment = control === undefined ? scriptedJudgment(claim, labels, task) : scriptedJudgment(claim, () => control, task);
  // The schema requires the member, also where there is nothing to quote.
  return claim.quote === true && judgment.quote === undefined ? { ...judgment, quote: "" } : judgment;
}

/** True for the one example that a judge is calibrated with. */
export function isCalibration(asked: { readonly output: string; readonly claims: readonly Claim[] }): boolean {
  const claims = asked.claims.filter(({ text }) => controlLabel(text) === undefined);
  return asked.output === CALIBRATION_OUTPUT && claims.length === CALIBRATION_CLAIMS.length && CALIBRATION_CLAIMS.every(({ id }, index) => claims[index]?.id === id);
}

/** The right label of each calibration claim. */
export const CALIBRATION_LABELS: ReadonlyMap<string, ScriptedLabel> = new Map(CALIBRATION_CLAIMS.map(({ id, label }) => [id, label]));

/** The right answer to the calibration of a judge; `undefined` for any other request. */
export function calibrationAnswer(request: ModelRequest): ModelResponse | undefined {
  const task = judgeTask(request);
  return task !== undefined && isCalibration(task) ? judgeAnswer(request, CALIBRATION_LABELS) : undefined;
}
