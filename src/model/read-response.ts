// Owns what counts as a response: a provider's answer is read once, member by member, into a frozen copy, or refused.

import { EntailError, isEntailError } from "../core/error.ts";
import { STOP_REASONS, type ModelResponse, type Part, type StopReason } from "../core/model.ts";
import { USAGE_MEMBERS, type Usage } from "../core/usage.ts";

type Members = Readonly<Record<string, unknown>>;

function invalid(what: string, cause?: unknown): EntailError {
  return new EntailError("provider_response_invalid", `the provider gave no valid response: ${what}`, cause === undefined ? {} : { cause });
}

function members(value: unknown, what: string): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid(`${what} is no object`);
  return value as Members;
}

function filledText(value: unknown, what: string): string {
  if (typeof value !== "string") throw invalid(`${what} is no text`);
  if (value === "") throw invalid(`${what} is empty`);
  return value;
}

function readPart(value: unknown, index: number, callIds: Set<string>): Part {
  const place = `content[${index}]`;
  const part = members(value, place);
  const type = part["type"];
  if (type === "text") return Object.freeze({ type, text: filledText(part["text"], `${place}.text`) });
  if (type !== "tool_call") throw invalid(`${place}.type must be "text" or "tool_call"`);
  const id = filledText(part["id"], `${place}.id`);
  if (callIds.has(id)) throw invalid(`${place}.id names a tool call a second time`);
  callIds.add(id);
  const name = filledText(part["name"], `${place}.name`);
  const text = part["arguments"];
  // An empty or broken text is an answer, if a bad one; a value that is already parsed has lost what the model wrote.
  if (typeof text !== "string") throw invalid(`${place}.arguments must be the raw JSON text of the call, not a parsed value`);
  return Object.freeze({ type, id, name, arguments: text });
}

function readStopReason(value: unknown): StopReason {
  if (value === undefined || value === null || value === "") throw invalid("it has no stopReason");
  const known = STOP_REASONS.find((reason) => reason === value);
  if (known === undefined) throw invalid(`stopReason must be one of ${STOP_REASONS.join(", ")}`);
  return known;
}

function readUsage(value: unknown): Usage | undefined {
  if (value === undefined || value === null) return undefined;
  const given = members(value, "usage");
  const usage: { -readonly [Member in keyof Usage]: number } = {};
  for (const member of USAGE_MEMBERS) {
    const count = given[member];
    if (count === undefined || count === null) continue;
    if (typeof count !== "number" || !Number.isFinite(count)) throw invalid(`usage.${member} is no number; leave out what is unknown`);
    if (count < 0) throw invalid(`usage.${member} is negative`);
    if (member !== "cost" && !Number.isInteger(count)) throw invalid(`usage.${member} is no whole number`);
    usage[member] = count;
  }
  return Object.keys(usage).length === 0 ? undefined : Object.freeze(usage);
}

function readAll(value: unknown): ModelResponse {
  if (value === undefined || value === null) throw invalid("there is none");
  const given = members(value, "it");
  const stopReason = readStopReason(given["stopReason"]);
  const parts = given["content"];
  if (!Array.isArray(parts)) throw invalid("content is no list of parts");
  const callIds = new Set<string>();
  const content = Object.freeze(Array.from(parts, (part, index) => readPart(part, index, callIds)));
  if (content.length === 0 && (stopReason === "stop" || stopReason === "tool_calls")) throw invalid(`content is empty although stopReason is "${stopReason}"`);
  const usage = readUsage(given["usage"]);
  const model = given["model"];
  if (model !== undefined && model !== null && typeof model !== "string") throw invalid("model is no text");
  const settings = given["changedSettings"];
  if (settings !== undefined && (!Array.isArray(settings) || settings.some((setting) => typeof setting !== "string"))) {
    throw invalid("changedSettings is no list of texts");
  }
  return Object.freeze({
    content,
    stopReason,
    ...(usage === undefined ? {} : { usage }),
    ...(typeof model === "string" && model !== "" ? { model } : {}),
    ...(settings === undefined || settings.length === 0 ? {} : { changedSettings: Object.freeze([...(settings as readonly string[])]) }),
  });
}

/**
 * The response as a frozen copy that holds known members only; unknown counts are left out. Throws `provider_response_invalid` for
 * what is no response at all: none, no or an unknown stop reason, content that is no list, an empty text, an unknown part, a call
 * without id or name, an id used twice, arguments that are no text, a count that is negative or no number, and empty content where
 * the stop reason is `stop` or `tool_calls`.
 */
export function readResponse(value: unknown): ModelResponse {
  try {
    return readAll(value);
  } catch (thrown) {
    throw isEntailError(thrown) ? thrown : invalid("it cannot be read", thrown);
  }
}
