// The agent under test, as a product would write it: a Mastra agent with one tool, and memory unless it is left out.
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { LibSQLStore } from "@mastra/libsql";
import { Memory } from "@mastra/memory";
import { z } from "zod";
import { forecast } from "./forecasts.ts";
import type { Connection } from "./model.ts";

const get_weather = createTool({
  id: "get_weather",
  description: "Gives the weather of a city, for today or tomorrow.",
  inputSchema: z.object({ city: z.string(), day: z.enum(["today", "tomorrow"]).optional() }),
  execute: ({ city, day }) => Promise.resolve(forecast(city, day)),
});

export interface WeatherAgentOptions {
  readonly model: Connection["model"];
  /** Whether it remembers what was said before. It does when absent, unless `WEATHER_MEMORY` is `off`: to see who notices. */
  readonly memory?: boolean;
}

export function weatherAgent({ model, memory = process.env["WEATHER_MEMORY"] !== "off" }: WeatherAgentOptions): Agent {
  return new Agent({
    id: "weather",
    name: "Weather",
    instructions: "You tell the weather. Use get_weather; never guess. Ask which city is meant where nobody has said it.",
    model,
    tools: { get_weather },
    ...(memory && { memory: new Memory({ storage: new LibSQLStore({ id: "weather", url: ":memory:" }) }) }),
  });
}
