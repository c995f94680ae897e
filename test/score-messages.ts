// Messages of agents as tests of checks and scorers write them: Mastra's stored form.

export type PartSpec = string | { readonly call: string; readonly args?: unknown; readonly result?: unknown; readonly state?: string; readonly errorText?: string; readonly id?: string } | { readonly reasoning: string };

let count = 0;

function partOf(part: PartSpec): Record<string, unknown> {
  if (typeof part === "string") return { type: "text", text: part };
  if ("reasoning" in part) return { type: "reasoning", reasoning: part.reasoning, details: [{ type: "text", text: part.reasoning }] };
  const { call, args = {}, state = "result", id = `call-${++count}`, result = "result" in part ? part.result : { ok: true }, errorText } = part;
  return { type: "tool-invocation", toolInvocation: { state, toolCallId: id, toolName: call, args, ...(state === "result" ? { result } : {}), ...(errorText === undefined ? {} : { errorText }) } };
}

/** One message of the assistant, as Mastra stores it. */
export function assistant(...parts: readonly PartSpec[]): Record<string, unknown> {
  const texts = parts.filter((part) => typeof part === "string");
  return { id: `m-${++count}`, role: "assistant", createdAt: new Date(0), content: { format: 2, parts: parts.map(partOf), ...(texts.length === 0 ? {} : { content: texts.at(-1) }) } };
}

export function user(text: string): Record<string, unknown> {
  return { id: `u-${++count}`, role: "user", createdAt: new Date(0), content: { format: 2, parts: [{ type: "text", text }], content: text } };
}

/** A run of an agent: what the user said, and the assistant's messages (a text is one of them). */
export function agentRun(input: string, ...messages: readonly (string | Record<string, unknown>)[]): { input: { inputMessages: unknown[]; rememberedMessages: unknown[]; systemMessages: unknown[]; taggedSystemMessages: Record<string, unknown[]> }; output: unknown[] } {
  return {
    input: { inputMessages: [user(input)], rememberedMessages: [], systemMessages: [], taggedSystemMessages: {} },
    output: messages.map((message) => (typeof message === "string" ? assistant(message) : message)),
  };
}
