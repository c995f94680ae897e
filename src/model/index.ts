// The door "entail/model": a client made from a provider, and what stands around a provider: recordings, limits, prices, the gateway.
// Applications implement `Provider`, never `Client`.

export type { Authorize } from "./bearer.ts";
export { createClient } from "./create-client.ts";
export { createGateway, type Gateway, type GatewayOptions } from "./gateway.ts";
export { limited, type LimitedOptions } from "./limited.ts";
export { createLimiter, type Limiter, type LimiterOptions, type RequestEnd } from "./limiter.ts";
export type { GatewayMiddleware } from "./middleware.ts";
export { costOf, type ModelPrice, type PriceTable } from "./price.ts";
export { priced } from "./priced.ts";
export { RECORDING_MODES, type RecordingMode } from "./recorded-call.ts";
export type { RecordableModel } from "./recorded-language-model.ts";
export type { RecordedProviderOptions } from "./recorded-provider.ts";
export type { RecordedToolOptions } from "./recorded-tool.ts";
export { recorded, recording, type Recording, type RecordingOptions } from "./recording.ts";
export { countingRemoteProvider, remoteProvider, type CountingProvider, type RemoteProviderOptions } from "./remote-provider.ts";
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
