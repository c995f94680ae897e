// Holds the prebuilt scorers whose claims are statements: each by a table, its values to 1e-9, an empty output among its inputs.
import { describe, expect, test } from "vitest";
import {
  createAnswerRelevancyScorer,
  createAnswerSimilarityScorer,
  createBiasScorer,
  createContextPrecisionScorer,
  createContextRecallScorer,
  createFaithfulnessScorer,
  createHallucinationScorer,
  createSummarizationScorer,
  createToxicityScorer,
  type ScorerRun,
} from "entail/score";
import { gradingOf, held, type Make, measured, type Script, shownIn } from "../../../test/llm-scorer.ts";
import { agentRun, assistant } from "../../../test/score-messages.ts";

const empty: ScorerRun = { ...agentRun("What is the weather?"), output: [] };
const weather = agentRun("What is the weather in Brooklyn?", assistant({ call: "get_weather", args: { city: "Brooklyn" }, result: { sky: "clear", celsius: 21 } }, "It is clear in Brooklyn, at 21 degrees."));
const listed = (...output: readonly string[]): Script["forms"] => [{ output }];
const threeClaims = listed("The sky over Brooklyn is clear.", "Brooklyn has 21 degrees.", "It will rain tomorrow.");

describe("faithfulness is the share of statements that the context supports", () => {
  test("by a table", async () => {
    const { found, wanted } = await held((model) => createFaithfulnessScorer({ model }), [
      ["all supported", weather, { forms: threeClaims, labels: ["eee"] }, 1],
      ["one of three unsupported", weather, { forms: threeClaims, labels: ["een"] }, 2 / 3],
      ["contradicted and undecided ones are not supported", weather, { forms: threeClaims, labels: ["eci"] }, 1 / 3],
      ["none", weather, { forms: threeClaims, labels: ["ncn"] }, 0],
      ["a given context is used instead", agentRun("q", "a"), { forms: threeClaims, labels: ["enn"] }, 1 / 3, (model) => createFaithfulnessScorer({ model, options: { context: ["The sky is clear."] } })],
      ["no context at all supports nothing", agentRun("q", "It rains."), { forms: listed("It rains.") }, 0],
      ["nothing stated", weather, { forms: listed() }, "not scorable: the answer states nothing"],
      ["a scale of a half", weather, { forms: threeClaims, labels: ["een"] }, 1 / 3, (model) => createFaithfulnessScorer({ model, options: { scale: 0.5 } })],
      ["an empty output", empty, {}, 0],
      ["an output of blanks", agentRun("q", "  \n"), {}, 0],
    ]);
    expect(found).toEqual(wanted);
  });

  test("the tools' results are the context, in two requests, and the reason names what is not supported", async () => {
    const seen = await measured((model) => createFaithfulnessScorer({ model }), weather, { forms: threeClaims, labels: ["een"] });
    const task = seen.model.calls.flatMap(({ request }) => gradingOf(request) ?? [])[0];
    expect(JSON.parse(task?.output ?? "")).toEqual({ context: ['{"celsius":21,"sky":"clear"}'], statements: [1, 2, 3].map((number) => ({ number, text: expect.any(String) })) });
    expect(seen.reason).toBe('2 of 3 statements are supported; not supported: "It will rain tomorrow." (The script says not_addressed.)');
    expect(seen.result).toMatchObject({ preprocessStepResult: { claims: { length: 3 } }, judge: { preprocess: { executions: [{ status: "success", usage: { inputTokens: 10 } }] }, analyze: { executions: [{ status: "success", attemptCount: 1, usage: { outputTokens: 5 } }] } } });
  });
});

describe("hallucination is the share of statements that the context contradicts, lower being better", () => {
  const make: Make = (model) => createHallucinationScorer({ model, options: { context: ["The sky is clear."] } });
  test("by a table", async () => {
    const { found, wanted } = await held(make, [
      ["none contradicted", weather, { forms: threeClaims, labels: ["ccn"] }, 0],
      ["one of three", weather, { forms: threeClaims, labels: ["ecn"] }, 1 / 3],
      ["an undecided one counts against the answer", weather, { forms: threeClaims, labels: ["ein"] }, 2 / 3],
      ["all", weather, { forms: threeClaims, labels: ["eee"] }, 1],
      ["getContext wins", weather, { forms: listed("It rains."), labels: ["e"] }, 1, (model) => createHallucinationScorer({ model, options: { context: [], getContext: ({ run, step }) => [`${step}: ${String(run.groundTruth)}`] } })],
      ["without context there is nothing to contradict", agentRun("q", "It rains."), { forms: listed("It rains.") }, "not scorable: there is no context that the answer could contradict", (model) => createHallucinationScorer({ model })],
      ["nothing stated", weather, { forms: listed() }, "not scorable: the answer states nothing"],
      ["an empty output is never the best", empty, {}, "not scorable: the assistant said nothing"],
    ]);
    expect(found).toEqual(wanted);
  });
});

describe("answer relevancy is the share of statements that answer what was asked", () => {
  const make: Make = (model) => createAnswerRelevancyScorer({ model });
  test("by a table", async () => {
    const { found, wanted } = await held(make, [
      ["all relevant", weather, { forms: threeClaims, labels: ["eee"] }, 1],
      ["an undecided one counts 0.3", weather, { forms: threeClaims, labels: ["eei"] }, 2.3 / 3],
      ["a part of the options leaves the other defaults", weather, { forms: threeClaims, labels: ["ein"] }, 1.3 / 3, (model) => createAnswerRelevancyScorer({ model, options: { scale: 1 } })],
      ["another weight", weather, { forms: threeClaims, labels: ["iin"] }, 1 / 3, (model) => createAnswerRelevancyScorer({ model, options: { uncertaintyWeight: 0.5 } })],
      ["none relevant", weather, { forms: threeClaims, labels: ["ncn"] }, 0],
      ["nothing stated answers nothing", weather, { forms: listed() }, 0],
      ["nothing asked", { output: [assistant("Hello.")] }, {}, "not scorable: the user asked nothing"],
      ["an empty output", empty, {}, 0],
    ]);
    expect(found).toEqual(wanted);
  });

  test("in a conversation the user's words are those of every turn, and the answer is all that was said", async () => {
    const turns = [agentRun("My city is Brooklyn.", "Noted."), agentRun("What is the weather there?", "Clear.")];
    const run = { input: turns[0]?.input, output: turns.flatMap(({ output }) => output), turns: turns.map((each, turn) => ({ ...each, turn })) };
    const seen = await measured(make, run, { forms: listed("The sky is clear."), labels: ["e"] });
    const [form, judging] = seen.model.calls.map(({ request }) => request);
    expect(shownIn(form)).toEqual({ output: "Noted. Clear." });
    expect(shownIn(judging)).toMatchObject({ input: "My city is Brooklyn.\n\nWhat is the weather there?" });
    expect(seen.value).toBe(1);
  });
});

describe("answer similarity is how much of the ground truth is said, less what is against and beside it", () => {
  const make: Make = (model) => createAnswerSimilarityScorer({ model });
  const run = { ...agentRun("q", "Paris is the capital. It is big."), groundTruth: "Paris is the capital. It lies on the Seine." };
  const form = (output: readonly string[], groundTruth: readonly string[]): Script["forms"] => [{ output, groundTruth }];
  const facts = form(["Paris is the capital.", "Paris is big."], ["Paris is the capital.", "Paris lies on the Seine."]);
  test("by a table", async () => {
    const { found, wanted } = await held(make, [
      ["both in their own words", run, { forms: form(["A.", "B."], ["a", "b."]), labels: ["eeccee"] }, 1],
      ["one literal, one missing, one beside them", run, { forms: facts, labels: ["ennnen"] }, (1.2 - 0.15) / 2.4 - 0.05],
      ["one literal, one in other words", run, { forms: facts, labels: ["eennee"] }, (1.2 + 0.8) / 2.4],
      ["an undecided one is half of one in other words", run, { forms: facts, labels: ["einnee"] }, (1.2 + 0.4) / 2.4],
      ["a contradiction costs 1", run, { forms: facts, labels: ["ecneec"] }, 0],
      ["a lesser penalty", run, { forms: facts, labels: ["ecneec"] }, (1.2 - 0.15) / 2.4 - 0.1 - 0.05, (model) => createAnswerSimilarityScorer({ model, options: { contradictionPenalty: 0.1 } })],
      ["what is beside them costs at most 0.2", run, { forms: form(["A.", "b", "c", "d", "e", "f", "g"], ["A."]), labels: ["ecennnnnn"] }, 0.8],
      ["no ground truth is an error", agentRun("q", "a"), {}, "scorer_failed"],
      ["no ground truth, none required", agentRun("q", "a"), {}, "not scorable: the item has no ground truth", (model) => createAnswerSimilarityScorer({ model, options: { requireGroundTruth: false } })],
      ["an empty output", { ...empty, groundTruth: "Paris" }, {}, 0],
    ]);
    expect(found).toEqual(wanted);
  });
});

describe("context precision is the mean average precision of the pieces", () => {
  const options = { context: ["one", "two", "three"] };
  const make: Make = (model) => createContextPrecisionScorer({ model, options });
  test("by a table", async () => {
    const { found, wanted } = await held(make, [
      ["all of use", weather, { labels: ["eee"] }, 1],
      ["the first and the third", weather, { labels: ["ene"] }, (1 + 2 / 3) / 2],
      ["the last alone", weather, { labels: ["nne"] }, 1 / 3],
      ["none", weather, { labels: ["nic"] }, 0],
      ["an extractor, which may be asynchronous", weather, { labels: ["ne"] }, 0.5, (model) => createContextPrecisionScorer({ model, options: { contextExtractor: async () => ["a", "b"] } })],
      ["nothing was found", weather, {}, "not scorable: no context was found", (model) => createContextPrecisionScorer({ model, options: { contextExtractor: () => [] } })],
      ["an empty output", empty, {}, 0],
    ]);
    expect(found).toEqual(wanted);
  });
});

describe("context recall is the share of the ground truth that the context holds", () => {
  const make: Make = (model) => createContextRecallScorer({ model, options: { context: ["The sky is clear."] } });
  const run = { ...weather, groundTruth: "Clear, 21 degrees." };
  const forms = [{ groundTruth: ["The sky is clear.", "It has 21 degrees."] }];
  test("by a table", async () => {
    const { found, wanted } = await held(make, [
      ["all", run, { forms, labels: ["ee"] }, 1],
      ["a half", run, { forms, labels: ["en"] }, 0.5],
      ["none", run, { forms, labels: ["ci"] }, 0],
      ["no ground truth is not a score of 0", weather, {}, "not scorable: the item has no ground truth"],
      ["ground truth that is no text", { ...weather, groundTruth: { sky: "clear" } }, { forms, labels: ["ee"] }, 1],
      ["no context was found", run, {}, 0, (model) => createContextRecallScorer({ model, options: { contextExtractor: () => [] } })],
      ["an empty output", { ...empty, groundTruth: "Clear." }, {}, 0],
    ]);
    expect(found).toEqual(wanted);
  });
});

describe("toxicity is the share of sentences that are toxic, lower being better", () => {
  const make: Make = (model) => createToxicityScorer({ model });
  test("by a table", async () => {
    const { found, wanted } = await held(make, [
      ["none of two", agentRun("q", "You are kind. It is clear."), { labels: ["nc"] }, 0],
      ["one of two", agentRun("q", "You fool. It is clear."), { labels: ["en"] }, 0.5],
      ["an undecided one counts against the answer", agentRun("q", "Hm.\nYou fool.\nGo."), { labels: ["ien"] }, 2 / 3],
      ["all", agentRun("q", "You fool."), { labels: ["e"] }, 1],
      ["blank lines are no sentences", agentRun("q", "You fool.\n\n  \nGo."), { labels: ["en"] }, 0.5],
      ["three sentences on two lines", agentRun("q", "A. B.\nC."), { labels: ["nne"] }, 1 / 3],
      ["an empty output is neither the best nor the worst", empty, {}, "not scorable: the assistant said nothing"],
    ]);
    expect(found).toEqual(wanted);
  });
});

describe("bias is the share of opinions that are biased, lower being better", () => {
  const make: Make = (model) => createBiasScorer({ model });
  const two = agentRun("q", "Cats are better. It is clear.");
  test("by a table", async () => {
    const { found, wanted } = await held(make, [
      ["one opinion, not biased", two, { labels: ["ennn"] }, 0],
      ["one of two opinions", two, { labels: ["eeen"] }, 0.5],
      ["a biased sentence is an opinion", two, { labels: ["nnen"] }, 1],
      ["an undecided one counts against the answer", two, { labels: ["eiin"] }, 0.5],
      ["no opinion", two, { labels: ["nnnc"] }, 0],
      ["an empty output is never the best", empty, {}, "not scorable: the assistant said nothing"],
    ]);
    expect(found).toEqual(wanted);
  });
});

describe("summarization is the lesser of alignment and coverage", () => {
  const make: Make = (model) => createSummarizationScorer({ model, options: { source: "A long text." } });
  const forms = [{ claims: ["a", "b"], questions: ["x?", "y?", "z?", "w?"] }];
  const run = agentRun("Sum it up.", "A and b.");
  test("by a table", async () => {
    const { found, wanted } = await held(make, [
      ["whole and true", run, { forms, labels: ["ee", "eeee"] }, 1],
      ["true and thin", run, { forms, labels: ["ee", "ennn"] }, 0.25],
      ["whole and half false", run, { forms, labels: ["ec", "eeee"] }, 0.5],
      ["nothing stated", run, { forms: [{ claims: [], questions: ["x?"] }] }, 0],
      ["the user's words are the source where none is given", run, { forms, labels: ["ee", "eeei"] }, 0.75, (model) => createSummarizationScorer({ model })],
      ["no source", { output: [assistant("A.")] }, {}, "not scorable: there is no source that was summarized", (model) => createSummarizationScorer({ model })],
      ["an empty output", empty, {}, 0],
    ]);
    expect(found).toEqual(wanted);
  });

  test("coverage is judged without the source, and more questions than asked for are refused", async () => {
    const seen = await measured(make, run, { forms, labels: ["ee", "eeee"] });
    const judged = seen.model.calls.flatMap(({ request }) => gradingOf(request) ?? []).map(({ output }) => Object.keys(JSON.parse(output) as object));
    expect(judged).toEqual([["source", "claims"], ["summary", "questions"]]);
    const many = await measured((model) => createSummarizationScorer({ model, judge: { maxCorrections: 0 }, options: { source: "s", maxQuestions: 2 } }), run, { forms });
    expect(many.value).toBe("scorer_answer_invalid");
  });
});
