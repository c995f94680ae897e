// Conversations from a table, scored against what each row says is right.
import { evaluation } from "entail";
import { checks, createScorer, dataset } from "entail/conversation";
import { weatherAgent } from "../agent.ts";
import { connect } from "../model.ts";

const connection = await connect();

/** 1 where the last answer names the sky that the row gives. */
const rightSky = createScorer({ id: "right-sky", description: "The last answer names the sky of the row." }).generateScore(({ run }) => {
  const last = run.turns?.at(-1)?.evidence?.answer ?? "";
  return last.includes(String(run.groundTruth)) ? 1 : 0;
});

export default evaluation({
  name: "weather_cities",
  target: weatherAgent({ model: connection.model }),
  data: dataset(new URL("../cities.csv", import.meta.url)),
  gates: [checks.calledTool("get_weather"), rightSky],
  subject: `weather agent on ${connection.name}`,
  afterAll: () => connection.close(),
});
