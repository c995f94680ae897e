// Ten thousand single inputs, an agent that answers at once and one check, through Entail's `runEvals` or through Mastra's: SIDE says whose.
import type { Agent } from "@mastra/core/agent";

const count = Number(process.env["CASES"]);
const answer = (input: string): object => ({ id: "m", role: "assistant", createdAt: new Date(0), content: { format: 2, parts: [{ type: "text", text: `Echo: ${input}` }], content: `Echo: ${input}` } });
const said = (input: string): object => ({ id: "u", role: "user", createdAt: new Date(0), content: { format: 2, parts: [{ type: "text", text: input }], content: input } });

/** What Mastra's `runEvals` asks of an agent, and nothing else. */
const agent = {
  id: "instant",
  name: "instant",
  getModel: () => ({ specificationVersion: "v2" }),
  getMemory: () => undefined,
  getMastraInstance: () => undefined,
  generate: (input: string) =>
    Promise.resolve({ text: `Echo: ${input}`, scoringData: { input: { inputMessages: [said(input)], rememberedMessages: [], systemMessages: [], taggedSystemMessages: {} }, output: [answer(input)] } }),
};
const data = Array.from({ length: count }, (_, at) => ({ input: `question ${at}` }));

async function result(): Promise<{ readonly verdict?: string | undefined; readonly summary: { readonly totalItems: number } }> {
  if (process.env["SIDE"] === "mastra") {
    const { createScorer, runEvals } = await import("@mastra/core/evals");
    // The check of `@mastra/evals`, which is this.
    const includes = createScorer({ id: "check-includes", description: "includes Echo" })
      .preprocess(({ run }) => ({ found: JSON.stringify(run.output).toLowerCase().includes("echo") }))
      .generateScore(({ results }) => (results.preprocessStepResult.found ? 1 : 0));
    return runEvals({ target: agent as unknown as Agent, data, gates: [includes], scorers: [] });
  }
  const { checks, runEvals } = await import("entail/conversation");
  return runEvals({ target: agent, data, gates: [checks.includes("Echo")] });
}

const { verdict, summary } = await result();
if (verdict !== "passed" || summary.totalItems !== count) throw new Error(`the run came to ${verdict} over ${summary.totalItems} items`);
