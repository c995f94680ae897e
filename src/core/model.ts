// Owns the model port: what an application implements (`Provider`), what is asked and answered, and the opaque client.

import type { Scope } from "./scope.ts";
import type { Usage } from "./usage.ts";

export const MODEL_CLASSES = ["high-reasoning", "default", "small"] as const;
export type ModelClass = (typeof MODEL_CLASSES)[number];

export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

export interface ToolCallPart {
  readonly type: "tool_call";
  readonly id: string;
  readonly name: string;
  /** The raw JSON text, exactly as the model wrote it. */
  readonly arguments: string;
}

export type Part = TextPart | ToolCallPart;

export type ModelMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: readonly Part[] }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: string };

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. Sent as it is. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly modelClass: ModelClass;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly toolChoice: { readonly tool: string } | "auto" | "none";
  readonly temperature: number;
  /** The inclusive cap on the tokens of one complete response. A provider that cannot keep it throws. */
  readonly maxOutputTokens: number;
}

export const STOP_REASONS = ["stop", "tool_calls", "length", "content_filter", "refusal", "error"] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export interface ModelResponse {
  readonly content: readonly Part[];
  readonly stopReason: StopReason;
  /** Absent where it is unknown; never zero for unknown. */
  readonly usage?: Usage | undefined;
  /** The model that answered, in its provider's words. */
  readonly model?: string | undefined;
  /** Settings that the provider changed on the way, in words. */
  readonly changedSettings?: readonly string[] | undefined;
}

export type ModelStreamPart =
  | { readonly type: "text_delta"; readonly text: string }
  | { readonly type: "tool_call_delta"; readonly id: string; readonly name: string; readonly arguments: string }
  | { readonly type: "response"; readonly response: ModelResponse };

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly scope?: Scope | undefined;
}

/** What an application implements to give Entail a model. It must stand concurrent calls. */
export interface Provider {
  complete(request: ModelRequest, options: CallOptions): Promise<ModelResponse>;
  stream?(request: ModelRequest, options: CallOptions): AsyncIterable<ModelStreamPart>;
  countTokens?(request: ModelRequest, options: CallOptions): Promise<number>;
  /** False where the raw text of a tool call's arguments cannot be had, so that a duplicated member would go unseen. */
  readonly rawArguments?: boolean | undefined;
  /** How the provider names the model of a class, where it knows. */
  readonly modelName?: ((modelClass: ModelClass) => string | undefined) | undefined;
  /** Where the requests for a class go, where the provider knows: an address without user, query and key. It tells recordings of two servers apart. */
  readonly endpoint?: ((modelClass: ModelClass) => string | undefined) | undefined;
}

declare const clientBrand: unique symbol;

/** A validated model. Only `createClient` makes one: applications implement `Provider`, never `Client`. */
export interface Client {
  readonly [clientBrand]: true;
}
