// Owns who runs an agent: the application's own runner, or one of the SDK's own that sends nothing to anybody but the model.

import { EntailError } from "../../core/error.ts";
import type { RunSource } from "./events.ts";

/** `Runner` of the SDK, or anything that runs an agent as it does. */
export interface RunnerLike {
  // `any`: the SDK's agents, inputs and options are generic, and only its own types can name them.
  run(agent: any, input: any, options: any): PromiseLike<RunSource> | RunSource;
}

const PACKAGES = ["@openai/agents", "@openai/agents-core"] as const;

interface Sdk {
  readonly Runner: new (config: object) => RunnerLike;
}

/** The SDK's own runner, without tracing. Throws `option_invalid` where the SDK cannot be found from here. */
export async function ownRunner(): Promise<RunnerLike> {
  let missing: unknown;
  for (const name of PACKAGES) {
    try {
      const sdk = (await import(name)) as Sdk;
      return new sdk.Runner({ tracingDisabled: true });
    } catch (thrown) {
      missing ??= thrown;
    }
  }
  throw new EntailError("option_invalid", "target() found no @openai/agents beside entail: install it, or give its runner, target(agent, { runner: new Runner({ tracingDisabled: true }) })", { cause: missing });
}
