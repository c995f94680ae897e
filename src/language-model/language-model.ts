// Owns the shape of an AI SDK language model (specifications v2, v3 and v4) as far as Entail calls one. Borrowed by shape: the
// packages are not imported; `ai-sdk.test-d.ts` holds it against the real types.

/** What a message holds when it is sent to a model. */
export type PromptPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool-call"; readonly toolCallId: string; readonly toolName: string; readonly input: unknown };

export interface PromptToolResult {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: { readonly type: "text"; readonly value: string };
}

export type PromptMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: { type: "text"; text: string }[] }
  | { role: "assistant"; content: PromptPart[] }
  | { role: "tool"; content: PromptToolResult[] };

export interface FunctionTool {
  type: "function";
  name: string;
  description: string;
  // `any`: the SDK wants its own JSON Schema type here, and Entail hands on whatever the application declared.
  inputSchema: any;
}

/** The options of one call, in the members that all three specifications share. */
export interface LanguageModelCall {
  prompt: PromptMessage[];
  maxOutputTokens: number;
  temperature: number;
  tools?: FunctionTool[];
  toolChoice?: { type: "auto" } | { type: "none" } | { type: "tool"; toolName: string };
  abortSignal?: AbortSignal;
}

/** An AI SDK model: `openai("…")`, `anthropic("…")`, a wrapped one. Answers are read by shape, so none of them is trusted. */
export interface LanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: LanguageModelCall): PromiseLike<unknown>;
  doStream(options: LanguageModelCall): PromiseLike<unknown>;
}

export const SPECIFICATION_VERSIONS: readonly string[] = ["v2", "v3", "v4"];

export function isLanguageModel(value: unknown): value is LanguageModel {
  if (typeof value !== "object" || value === null) return false;
  const model = value as Partial<Record<keyof LanguageModel, unknown>>;
  return typeof model.doGenerate === "function" && typeof model.doStream === "function" && typeof model.modelId === "string";
}

/**
 * True where a unary answer holds the arguments of a call as the text that the model wrote. OpenAI's protocol sends that text itself;
 * Anthropic's unary answer is parsed JSON that the SDK prints anew, so that a member given twice is gone.
 */
export function unaryIsRaw(model: LanguageModel): boolean {
  return named(model, ["openai", "azure"]);
}

/** True where a streamed answer is known to hold that text. Google's protocol sends the arguments parsed, so it never can. */
export function streamIsRaw(model: LanguageModel): boolean {
  return named(model, ["openai", "azure", "anthropic"]);
}

/** `provider` is a dotted path: `openai.chat`, `azure.responses`, `anthropic.messages`, `vertex.anthropic.messages`. */
function named(model: LanguageModel, names: readonly string[]): boolean {
  return typeof model.provider === "string" && model.provider.split(".").some((segment) => names.includes(segment));
}
