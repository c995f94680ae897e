// Owns the items of OpenAI's Responses protocol, and of OpenAI's agents, which write the same in camelCase: calls of the application's
// functions, of the provider's own tools and of MCP servers, and their ends.

import { flagMember, member, recordMember, textMember } from "../core/member.ts";
import type { EndedCall, Journal } from "./journal.ts";
import type { Payload } from "./payload.ts";
import { plainText, reasoningText } from "./text-part.ts";

/** Known, and neither text, nor a call, nor its end. */
const WEIGHTLESS: ReadonlySet<string> = new Set(["compaction", "compaction_trigger", "item_reference", "mcp_list_tools", "additional_tools", "configuration_update"]);

/** The provider's own tools, which end in the item that issues them: the members with their arguments and with their result. */
const HOSTED: ReadonlyMap<string, HostedMembers> = new Map([
  ["web_search_call", { args: ["action"], result: "results" }],
  ["file_search_call", { args: ["queries"], result: "results" }],
  ["code_interpreter_call", { args: ["code"], result: "outputs" }],
  ["image_generation_call", { args: ["prompt", "action"], result: "result" }],
  ["hosted_tool_call", { args: ["arguments"], result: "output" }],
]);

/** Tools that the model's provider defines and the application runs; their ends are items of their own. */
const DEFINED: ReadonlyMap<string, string> = new Map([
  ["computer_call", "action"],
  ["local_shell_call", "action"],
  ["shell_call", "action"],
  ["apply_patch_call", "operation"],
  ["tool_search_call", "arguments"],
  ["program", "code"],
]);

/** Reads one item; says whether it is one of this dialect. Messages are read elsewhere. */
export function readResponsesItem(type: string, item: unknown, path: string, journal: Journal): boolean {
  if (WEIGHTLESS.has(type)) return true;
  const id = textMember(item, "call_id") ?? textMember(item, "callId") ?? textMember(item, "id") ?? "";
  const name = textMember(item, "name") ?? "";
  const hosted = HOSTED.get(type);
  if (hosted !== undefined) {
    readHosted(type, id, item, hosted, path, journal);
    return true;
  }
  const defined = DEFINED.get(type);
  if (defined !== undefined) {
    journal.call({ id, name: toolOf(type), args: defined === "code" ? { value: { code: member(item, defined) } } : textOrValue(member(item, defined)), providerExecuted: member(item, "execution") === "server" });
    return true;
  }
  switch (type) {
    case "reasoning":
      journal.reasoning(reasoningText(item));
      return true;
    case "function_call":
      journal.call({ id, name, args: textOrValue(member(item, "arguments")) });
      return true;
    case "custom_tool_call":
      journal.call({ id, name, args: textOrValue(member(item, "input")) });
      return true;
    case "mcp_call":
      readMcpCall(item, id, name, path, journal);
      return true;
    case "mcp_approval_request":
      journal.ask(id, { id, name, args: textOrValue(member(item, "arguments")) });
      return true;
    case "mcp_approval_response":
      journal.decide({ approved: flagMember(item, "approve"), approvalId: textMember(item, "approval_request_id"), reason: textMember(item, "reason") }, path);
      return true;
    default:
      if (!/_(?:output|result)$/.test(type)) return false;
      journal.end({ id, ...(name === "" ? {} : { name }), ...endOf(item) }, path);
      return true;
  }
}

/** `web_search_call` is a call of `web_search`. */
function toolOf(type: string): string {
  return type.replace(/_call$/, "");
}

function textOrValue(value: unknown): Payload {
  return typeof value === "string" ? { text: value } : { value };
}

interface HostedMembers {
  readonly args: readonly string[];
  readonly result: string;
}

function readHosted(type: string, id: string, item: unknown, { args, result }: HostedMembers, path: string, journal: Journal): void {
  journal.call({ id, name: textMember(item, "name") ?? toolOf(type), args: hostedArguments(item, args), providerExecuted: true });
  const status = textMember(item, "status");
  // Absent where a finished item was stored without it.
  if (status === "failed") journal.end({ id, error: "the provider's tool failed" }, path);
  else if (status === "completed" || status === undefined) journal.end({ id, result: textOrValue(member(item, result) ?? undefined) }, path);
}

/** An action or a text of arguments is them; members of the item itself are put together. */
function hostedArguments(item: unknown, names: readonly string[]): Payload {
  const given = names.filter((name) => member(item, name) !== undefined);
  const [first] = given;
  if (given.length === 1 && (first === "action" || first === "arguments")) return textOrValue(member(item, first));
  return { value: given.length === 0 ? undefined : Object.fromEntries(given.map((name) => [name, member(item, name)])) };
}

/** The call of an MCP server's tool; one that was asked for is the same call as its request. */
function readMcpCall(item: unknown, id: string, name: string, path: string, journal: Journal): void {
  const asked = textMember(item, "approval_request_id");
  const of = asked === undefined || asked === "" ? id : asked;
  const output = member(item, "output");
  const error = member(item, "error");
  if (of === id) journal.call({ id, name, args: textOrValue(member(item, "arguments")), providerExecuted: true });
  if (error !== undefined && error !== null) journal.end({ id: of, name, error: typeof error === "string" ? error : (textMember(error, "message") ?? textMember(error, "type") ?? ""), providerExecuted: true }, path);
  else if (typeof output === "string") journal.end({ id: of, name, result: { text: output }, providerExecuted: true }, path);
}

function endOf(item: unknown): Pick<EndedCall, "result" | "error"> {
  const output = member(item, "output") ?? member(item, "result");
  const text = plainText(output) ?? (member(output, "type") === "text" ? textMember(recordMember(item, "output"), "text") : undefined);
  const result: Payload = text === undefined ? { value: output } : { text };
  return textMember(item, "status") === "failed" ? { result, error: text ?? "" } : { result };
}
