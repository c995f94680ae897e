// Owns the forms of what is kept of a judge: who it is, its requests and answers, its calibration.

import type { JudgeAttempt, JudgeIdentity } from "../core/judge.ts";
import { MODEL_CLASSES, STOP_REASONS, type ModelMessage, type ModelRequest, type ModelResponse, type ModelTool, type Part } from "../core/model.ts";
import type { CalibrationReport, JudgeReport } from "../core/report.ts";
import { memberPath } from "../core/json-path.ts";
import { count, duration, type FieldsOf, flag, type Form, json, list, number, objectAt, optional, plainText, record, required, text, unreadable, word } from "./form.ts";
import { judgedRateForm, measurementForm } from "./rate-forms.ts";
import { errorField, judgmentForm, usageForm } from "./record-forms.ts";

const textPartForm = record<Extract<Part, { type: "text" }>>({ type: required("type", word(["text"])), text: required("text", text) });
const toolCallPartForm = record<Extract<Part, { type: "tool_call" }>>({
  type: required("type", word(["tool_call"])),
  id: required("id", text),
  name: required("name", text),
  arguments: required("arguments", text),
});
const partForm: Form<Part> = {
  write: (part, options) => (part.type === "text" ? textPartForm.write(part, options) : toolCallPartForm.write(part, options)),
  read: (wire, path) => (objectAt(wire, path)["type"] === "text" ? textPartForm.read(wire, path) : toolCallPartForm.read(wire, path)),
};

const spokenForm = record<Extract<ModelMessage, { role: "system" | "user" }>>({ role: required("role", word(["system", "user"])), content: required("content", text) });
const assistantForm = record<Extract<ModelMessage, { role: "assistant" }>>({ role: required("role", word(["assistant"])), content: required("content", list(partForm)) });
const toolMessageForm = record<Extract<ModelMessage, { role: "tool" }>>({
  role: required("role", word(["tool"])),
  toolCallId: required("tool_call_id", text),
  content: required("content", text),
});
const messageForm: Form<ModelMessage> = {
  write: (message, options) => {
    if (message.role === "assistant") return assistantForm.write(message, options);
    return message.role === "tool" ? toolMessageForm.write(message, options) : spokenForm.write(message, options);
  },
  read: (wire, path) => {
    const { role } = objectAt(wire, path);
    if (role === "assistant") return assistantForm.read(wire, path);
    return role === "tool" ? toolMessageForm.read(wire, path) : spokenForm.read(wire, path);
  },
};

const schemaForm: Form<ModelTool["inputSchema"]> = { write: json.write, read: objectAt };
const toolForm = record<ModelTool>({
  name: required("name", text),
  description: required("description", text),
  inputSchema: required("input_schema", schemaForm),
});

const choiceForm: Form<ModelRequest["toolChoice"]> = {
  write: (choice, options) => (typeof choice === "string" ? choice : { tool: options.mask(choice.tool) }),
  read: (wire, path) => {
    if (wire === "auto" || wire === "none") return wire;
    return { tool: required("tool", text).read(objectAt(wire, path), path) ?? unreadable(memberPath(path, "tool"), "is missing") };
  },
};

const requestForm = record<ModelRequest>({
  modelClass: required("model_class", word(MODEL_CLASSES)),
  messages: required("messages", list(messageForm)),
  tools: required("tools", list(toolForm)),
  toolChoice: required("tool_choice", choiceForm),
  temperature: required("temperature", number),
  maxOutputTokens: required("max_output_tokens", count),
});

const responseForm = record<ModelResponse>({
  content: required("content", list(partForm)),
  stopReason: required("stop_reason", word(STOP_REASONS)),
  usage: optional("usage", usageForm),
  model: optional("model", text),
  changedSettings: optional("changed_settings", list(text)),
});

export const attemptForm: Form<JudgeAttempt> = record<JudgeAttempt>({
  durationMs: required("duration", duration),
  request: optional("request", requestForm),
  response: optional("response", responseForm),
  cause: optional("cause", text),
  usage: optional("usage", usageForm),
  model: optional("model", text),
  member: optional("member", count),
});

const calibrationForm: Form<CalibrationReport> = record<CalibrationReport>({
  passed: required("passed", flag),
  durationMs: required("duration", duration),
  judgments: optional("judgments", list(judgmentForm)),
  attempts: optional("attempts", list(attemptForm)),
  error: errorField(),
});

const identityFields: FieldsOf<Omit<JudgeIdentity, "members">> = {
  modelClass: optional("model_class", plainText),
  model: optional("model", text),
  maxOutputTokens: optional("max_output_tokens", count),
  maxCorrections: optional("max_corrections", count),
  rawArguments: optional("raw_arguments", flag),
  judgeEvidence: optional("judge_evidence", flag),
  controls: optional("controls", flag),
  fingerprint: optional("fingerprint", plainText),
};
const members = optional("members", list(record<Omit<JudgeIdentity, "members">>(identityFields)));

export const judgeForm: Form<JudgeReport> = record<JudgeReport>({
  ...identityFields,
  members,
  calibration: optional("calibration", calibrationForm),
  measurement: optional("measurement", measurementForm),
  rates: optional("rates", list(judgedRateForm)),
  compromised: optional("compromised", count),
});
