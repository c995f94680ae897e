// Written by `entail gen`. Edit the design, not this file.
import { codec, type TypedTool } from "entail/generated";

export type GetWeatherArgs = {
  city: string;
  day?: "today" | "tomorrow" | undefined;
};

export type GetWeatherResult = {
  city: string;
  day: string;
  sky: string;
  celsius: number;
};

const $defs = {
  GetWeatherArgs: {
    type: "object",
    properties: { city: { type: "string" }, day: { type: "string", enum: ["today", "tomorrow"] } },
    required: ["city"],
  },
  GetWeatherResult: {
    type: "object",
    properties: {
      city: { type: "string" },
      day: { type: "string" },
      sky: { type: "string" },
      celsius: { type: "number" },
    },
    required: ["city", "day", "sky", "celsius"],
  },
};

/** Gives the weather of a city, for today or tomorrow. */
export const getWeatherTool: TypedTool<GetWeatherArgs, GetWeatherResult, "get_weather"> = {
  name: "get_weather",
  args: codec<GetWeatherArgs>({ $ref: "#/$defs/GetWeatherArgs", $defs }),
  result: codec<GetWeatherResult>({ $ref: "#/$defs/GetWeatherResult", $defs }),
};
