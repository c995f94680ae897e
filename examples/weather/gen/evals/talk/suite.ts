// Written by `entail gen`. Edit the design, not this file.
import { bindSuite, codec, type HookContext, type Result, type Suite } from "entail/generated";

export type City = {
  city: string;
};

export type ScenarioId = "follow_up" | "unknown_city";
export type Tag = never;

/** Conversations about the weather, driven by hooks. */
export interface Hooks {
  /** A follow-up question is about the city of the question before. */
  readonly followUp: (ctx: HookContext, input: City) => Result | Promise<Result>;
  /** A city without a forecast is said to have none, and no weather is invented. */
  readonly unknownCity: (ctx: HookContext, input: City) => Result | Promise<Result>;
}

export interface Inputs {
  readonly followUp: City;
  readonly unknownCity: City;
}

/** Suite "talk" with these hooks and inputs. Throws one error that names every fault of both. */
export function newSuite(hooks: Hooks, inputs: Inputs): Suite<ScenarioId, Tag> {
  return bindSuite<ScenarioId, Tag>(suite, hooks, inputs);
}

const $defs = {
  City: {
    type: "object",
    properties: { city: { type: "string", minLength: 1 } },
    required: ["city"],
    additionalProperties: false,
  },
};

const suite = {
  id: "talk",
  description: "Conversations about the weather, driven by hooks.",
  digest: "e91c01daef3bbaa3c80ae1756e795fdb",
  scenarios: [
    {
      id: "follow_up",
      hook: "followUp",
      description: "A follow-up question is about the city of the question before.",
      tags: [],
      timeoutMs: 30000,
      input: codec<City>({ $ref: "#/$defs/City", $defs }),
    },
    {
      id: "unknown_city",
      hook: "unknownCity",
      description: "A city without a forecast is said to have none, and no weather is invented.",
      tags: [],
      timeoutMs: 30000,
      input: codec<City>({ $ref: "#/$defs/City", $defs }),
    },
  ],
};
