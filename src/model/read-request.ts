// Owns what counts as a request that came over the wire: read once, member by member, into a frozen copy, or refused.

import { EntailError } from "../core/error.ts";
import { MODEL_CLASSES, type ModelMessage, type ModelRequest, type ModelTool, type Part } from "../core/model.ts";
import type { Scope } from "../core/scope.ts";

type Members = Readonly<Record<string, unknown>>;

export function invalidRequest(what: string, cause?: unknown): EntailError {
  return new EntailError("gateway_request_invalid", `the gateway was sent no valid request: ${what}`, cause === undefined ? {} : { cause });
}

function members(value: unknown, place: string): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalidRequest(`${place} is no object`);
  return value as Members;
}

function list(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidRequest(`${place} is no list`);
  return value;
}

function text(value: unknown, place: string): string {
  if (typeof value !== "string") throw invalidRequest(`${place} is no text`);
  return value;
}

function whole(value: unknown, least: number, place: string): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least) throw invalidRequest(`${place} is no whole number of ${least} or more`);
  return value;
}

function readPart(value: unknown, place: string): Part {
  const part = members(value, place);
  switch (part["type"]) {
    case "text":
      return { type: "text", text: text(part["text"], `${place}.text`) };
    case "tool_call":
      return { type: "tool_call", id: text(part["id"], `${place}.id`), name: text(part["name"], `${place}.name`), arguments: text(part["arguments"], `${place}.arguments`) };
    default:
      throw invalidRequest(`${place}.type must be "text" or "tool_call"`);
  }
}

function readMessage(value: unknown, place: string): ModelMessage {
  const message = members(value, place);
  const { role } = message as { readonly role?: unknown };
  switch (role) {
    case "system":
    case "user":
      return { role, content: text(message["content"], `${place}.content`) };
    case "assistant":
      return { role, content: list(message["content"], `${place}.content`).map((part, at) => readPart(part, `${place}.content[${at}]`)) };
    case "tool":
      return { role, toolCallId: text(message["toolCallId"], `${place}.toolCallId`), content: text(message["content"], `${place}.content`) };
    default:
      throw invalidRequest(`${place}.role must be "system", "user", "assistant" or "tool"`);
  }
}

function readTool(value: unknown, place: string): ModelTool {
  const tool = members(value, place);
  return { name: text(tool["name"], `${place}.name`), description: text(tool["description"], `${place}.description`), inputSchema: members(tool["inputSchema"], `${place}.inputSchema`) };
}

/** Throws `gateway_request_invalid`, which names the member. */
export function readRequest(value: unknown): ModelRequest {
  const request = members(value, "request");
  const modelClass = MODEL_CLASSES.find((each) => each === request["modelClass"]);
  if (modelClass === undefined) throw invalidRequest(`request.modelClass must be one of ${MODEL_CLASSES.join(", ")}`);
  const choice = request["toolChoice"];
  const { temperature } = request as { readonly temperature?: unknown };
  if (typeof temperature !== "number" || !Number.isFinite(temperature)) throw invalidRequest("request.temperature is no number");
  return Object.freeze({
    modelClass,
    messages: list(request["messages"], "request.messages").map((message, at) => readMessage(message, `request.messages[${at}]`)),
    tools: list(request["tools"], "request.tools").map((tool, at) => readTool(tool, `request.tools[${at}]`)),
    toolChoice: choice === "auto" || choice === "none" ? choice : { tool: text(members(choice, "request.toolChoice")["tool"], "request.toolChoice.tool") },
    temperature,
    maxOutputTokens: whole(request["maxOutputTokens"], 1, "request.maxOutputTokens"),
  });
}

/** Throws `gateway_request_invalid`. */
export function readScope(value: unknown): Scope | undefined {
  if (value === undefined || value === null) return undefined;
  const scope = members(value, "scope");
  return Object.freeze({
    suite: text(scope["suite"], "scope.suite"),
    scenario: text(scope["scenario"], "scope.scenario"),
    trial: whole(scope["trial"], 1, "scope.trial"),
    purpose: text(scope["purpose"], "scope.purpose"),
    ordinal: whole(scope["ordinal"], 0, "scope.ordinal"),
  });
}
