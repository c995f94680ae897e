// Conversations as data: what to say, and what must hold of the whole and of each turn.
import { evaluation } from "entail";
import { checks } from "entail/conversation";
import { weatherAgent } from "../agent.ts";
import { connect } from "../model.ts";

const connection = await connect();

export default evaluation({
  name: "weather_conversation",
  target: weatherAgent({ model: connection.model }),
  data: [
    { id: "one_question", input: "What is the weather in Brooklyn?" },
    { id: "remembers_the_city", turns: [{ input: "My favorite city is Brooklyn." }, { input: "What is the weather in my favorite city?", gates: [checks.calledToolWith("get_weather", { city: "Brooklyn", day: "today" })] }] },
    {
      id: "calls_again",
      turns: [
        { input: "What is the weather in Brooklyn?", gates: [checks.calledTool("get_weather")] },
        // The call of the first turn cannot stand in for one of this turn.
        { input: "What about tomorrow?", gates: [checks.calledTool("get_weather")], scorers: [{ scorer: checks.similarity("The weather in Brooklyn tomorrow"), threshold: 0.5 }] },
        { input: "Compare the two forecasts.", gates: [checks.didNotCall("get_weather"), checks.includes("warmer")] },
      ],
    },
  ],
  gates: [checks.includes("Brooklyn"), checks.noToolErrors()],
  subject: `weather agent on ${connection.name}`,
  afterAll: () => connection.close(),
});
