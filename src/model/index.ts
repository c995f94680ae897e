// The door "entail/model": a client made from a provider. Applications implement `Provider`, never `Client`.

export { createClient } from "./create-client.ts";
export {
  MODEL_CLASSES,
  STOP_REASONS,
  type CallOptions,
  type Client,
  type ModelClass,
  type ModelMessage,
  type ModelRequest,
  type ModelResponse,
  type ModelStreamPart,
  type ModelTool,
  type Part,
  type Provider,
  type StopReason,
  type TextPart,
  type ToolCallPart,
} from "../core/model.ts";
export type { Scope } from "../core/scope.ts";
export type { Usage } from "../core/usage.ts";
