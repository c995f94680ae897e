// What the weather agent can do, and what its evaluation asks of it. Values stand in evals/.
import { agent, design, suite, tool, toolset } from "entail/design";
import { z } from "zod";

export const City = z.object({ city: z.string().min(1) }).meta({ id: "City" });

export const weather = toolset("weather", {
  get_weather: tool({
    description: "Gives the weather of a city, for today or tomorrow.",
    args: z.object({ city: z.string(), day: z.enum(["today", "tomorrow"]).optional() }),
    result: z.object({ city: z.string(), day: z.string(), sky: z.string(), celsius: z.number() }),
  }),
});

export const talk = suite("talk", {
  description: "Conversations about the weather, driven by hooks.",
  timeout: "30s",
  scenarios: {
    follow_up: { description: "A follow-up question is about the city of the question before.", input: City },
    unknown_city: { description: "A city without a forecast is said to have none, and no weather is invented.", input: City },
  },
});

export const weatherAgent = agent("weather", { description: "Tells the weather.", toolsets: [weather], suites: [talk] });

export default design({ agents: [weatherAgent] });
