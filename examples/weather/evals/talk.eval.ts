// Conversations that a hook drives: `converse` sends the turns, and each turn's evidence can be asked on its own.
import { check, evaluation } from "entail";
import { target } from "entail/adapter/mastra";
import { converse } from "entail/conversation";
import { expectation, expectCall } from "entail/evidence";
import { weatherAgent } from "../agent.ts";
import { newSuite, type Hooks, type Inputs } from "../gen/evals/talk/suite.ts";
import { getWeatherTool } from "../gen/toolsets/weather.ts";
import { connect } from "../model.ts";

const connection = await connect();
const agent = target(weatherAgent({ model: connection.model }));

const hooks: Hooks = {
  async followUp(ctx, { city }) {
    const { turns, output, evidence } = await converse(agent, [`What is the weather in ${city}?`, "What about tomorrow?"], ctx);
    const ofTurn = (turn: number, day: "today" | "tomorrow") =>
      expectation({ name: `turn_${turn + 1}`, tools: [expectCall(getWeatherTool, { args: (args) => (args.city === city && args.day === day) || `asked for ${args.city}, ${args.day}` })] }).checks(turns[turn]!.evidence);
    return { checks: [...ofTurn(0, "today"), ...ofTurn(1, "tomorrow")], output, evidence };
  },

  async unknownCity(ctx, { city }) {
    const { output, evidence } = await converse(agent, [`What is the weather in ${city}?`], ctx);
    return {
      checks: [check("invents_nothing", !/°C/.test(output), () => `it gave a temperature: ${output}`), check("says_so", /no forecast/i.test(output), () => `it said: ${output}`)],
      output,
      evidence,
    };
  },
};

const inputs: Inputs = { followUp: { city: "Brooklyn" }, unknownCity: { city: "Atlantis" } };

export default evaluation({ suite: newSuite(hooks, inputs), maxConcurrency: 5, subject: `weather agent on ${connection.name}`, afterAll: () => connection.close() });
