// Written by `entail gen`. Edit the design, not this file.
import { codec, reachableTool, type TypedTool } from "entail/generated";

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

interface Tools {
  /** Gives the weather of a city, for today or tomorrow. */
  readonly get_weather: TypedTool<GetWeatherArgs, GetWeatherResult, "get_weather">;
}

export type ToolName = keyof Tools;

/** The typed tool of that name, of all that agent "weather" reaches. Throws `tool_unreachable` for any other name. */
export function toolContract<Name extends ToolName>(name: Name): Tools[Name] {
  return reachableTool<Tools, Name>("weather", tools, name);
}

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

const tools: readonly TypedTool[] = [
  {
    name: "get_weather",
    args: codec<GetWeatherArgs>({ $ref: "#/$defs/GetWeatherArgs", $defs }),
    result: codec<GetWeatherResult>({ $ref: "#/$defs/GetWeatherResult", $defs }),
  },
];
