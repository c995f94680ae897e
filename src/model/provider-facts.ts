// Owns what a wrapped provider still says of itself: all that is not a call.

import type { Provider } from "../core/model.ts";

export function factsOf(provider: Provider): Pick<Provider, "rawArguments" | "modelName" | "endpoint"> {
  return {
    ...(provider.rawArguments !== undefined && { rawArguments: provider.rawArguments }),
    ...(provider.modelName !== undefined && { modelName: (modelClass) => provider.modelName?.(modelClass) }),
    ...(provider.endpoint !== undefined && { endpoint: (modelClass) => provider.endpoint?.(modelClass) }),
  };
}
