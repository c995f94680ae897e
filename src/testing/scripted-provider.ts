// Owns the scripted provider: a model that answers as a test says, and complains about every request that the test did not foresee.

import type { CallOptions, ModelClass, ModelRequest, ModelResponse, Provider } from "../core/model.ts";
import { calibrationAnswer } from "./judge-answer.ts";

/** A response, or how to make one from the request; a function may throw what a provider would throw. */
export type ScriptedResponse = ModelResponse | ((request: ModelRequest, options: CallOptions) => ModelResponse | Promise<ModelResponse>);

export interface ScriptedCall {
  readonly request: ModelRequest;
  readonly options: CallOptions;
}

export interface ScriptedProvider extends Provider {
  /** Every request, in the order of arrival; answered calibrations too. */
  readonly calls: readonly ScriptedCall[];
  /** How many responses of a list were not asked for. 0 for a function. */
  readonly remaining: number;
}

export interface ScriptedProviderOptions {
  /** Answers the calibration of a judge correctly, beside the script. False when absent. */
  readonly calibrates?: boolean;
  readonly rawArguments?: boolean;
  readonly modelName?: (modelClass: ModelClass) => string | undefined;
}

/**
 * Answers the first request with the first response of `script`, and so on, and throws once the list is used up; or, for a function,
 * answers every request by it.
 */
export function scriptedProvider(script: readonly ScriptedResponse[] | ((request: ModelRequest, options: CallOptions) => ModelResponse | Promise<ModelResponse>), options: ScriptedProviderOptions = {}): ScriptedProvider {
  const calls: ScriptedCall[] = [];
  let taken = 0;

  async function complete(request: ModelRequest, callOptions: CallOptions): Promise<ModelResponse> {
    calls.push({ request, options: callOptions });
    const calibration = options.calibrates === true ? calibrationAnswer(request) : undefined;
    if (calibration !== undefined) return calibration;
    if (typeof script === "function") return script(request, callOptions);
    const step = script[taken++];
    if (step === undefined) throw new Error(`the scripted provider has ${script.length} responses and was asked for one more`);
    return typeof step === "function" ? step(request, callOptions) : step;
  }

  return {
    complete,
    calls,
    get remaining(): number {
      return typeof script === "function" ? 0 : Math.max(0, script.length - taken);
    },
    ...(options.rawArguments === undefined ? {} : { rawArguments: options.rawArguments }),
    ...(options.modelName === undefined ? {} : { modelName: options.modelName }),
  };
}
