// Holds the prebuilt scorers whose claims are criteria, calls and steps, or that fill in a form: each by a table, its values to 1e-9.
import { describe, expect, test } from "vitest";
import {
  createContextRelevanceScorerLLM,
  createMultiTurnJudgeScorer,
  createNoiseSensitivityScorerLLM,
  createPromptAlignmentScorerLLM,
  createRubricScorer,
  createToolCallAccuracyScorerLLM,
  createTrajectoryAccuracyScorerLLM,
  type ScorerRun,
} from "entail/score";
import { gradingOf, held, type Make, measured, type Script, shownIn } from "../../../test/llm-scorer.ts";
import { agentRun, assistant } from "../../../test/score-messages.ts";

const empty: ScorerRun = { ...agentRun("What is the weather?"), output: [] };
const run = agentRun("What is the weather?", "It is clear.");

describe("context relevance weighs the levels of the pieces, what was not used and what is missing", () => {
  const options = { context: ["one", "two"] };
  const make: Make = (model) => createContextRelevanceScorerLLM({ model, options });
  const piece = (relevanceLevel: string, wasUsed = true): object => ({ relevanceLevel, wasUsed, reasoning: "so" });
  const form = (one: object, two: object, ...missingContext: readonly string[]): Script => ({ forms: [{ piece_1: one, piece_2: two, missingContext }] });
  test("by a table", async () => {
    const { found, wanted } = await held(make, [
      ["both high and used", run, form(piece("high"), piece("high")), 1],
      ["high and medium", run, form(piece("high"), piece("medium")), 0.85],
      ["high unused costs 0.1", run, form(piece("high", false), piece("low", false)), 0.65 - 0.1],
      ["one thing missing costs 0.15", run, form(piece("high"), piece("none"), "a"), 0.5 - 0.15],
      ["what is missing costs at most 0.5", run, form(piece("high"), piece("high"), "a", "b", "c", "d", "e"), 0.5],
      ["never below 0", run, form(piece("none"), piece("none"), "a"), 0],
      ["other penalties", run, form(piece("high", false), piece("high"), "a"), 1 - 0.25 - 0.05, (model) => createContextRelevanceScorerLLM({ model, options: { ...options, penalties: { unusedHighRelevanceContext: 0.25, missingContextPerItem: 0.05 } } })],
      ["no context is not the best", run, {}, "not scorable: no context was found", (model) => createContextRelevanceScorerLLM({ model, options: { contextExtractor: () => [] } })],
      ["an empty output", empty, {}, 0],
    ]);
    expect(found).toEqual(wanted);
  });

  test("an answer that leaves a piece out, or makes up a level, is refused", async () => {
    for (const answer of [{ piece_1: piece("high"), missingContext: [] }, { piece_1: piece("high"), piece_2: piece("very"), missingContext: [] }]) {
      const seen = await measured((model) => createContextRelevanceScorerLLM({ model, options, judge: { maxCorrections: 0 } }), run, { forms: [answer] });
      expect([seen.value, seen.message]).toEqual(["scorer_answer_invalid", expect.stringContaining("piece_2")]);
    }
  });
});

describe("noise sensitivity is the model's mark, held against five dimensions", () => {
  const options = { baselineResponse: "It is clear.", noisyQuery: "What is the weather, by the way I like cats?" };
  const make: Make = (model) => createNoiseSensitivityScorerLLM({ model, options });
  const names = ["accuracy", "completeness", "relevance", "consistency", "invention"];
  const form = (robustnessScore: number, levels: readonly string[], ...majorIssues: readonly string[]): Script => ({
    forms: [{ dimensions: Object.fromEntries(names.map((name, at) => [name, { impactLevel: levels[at] ?? "none", specificChanges: "so" }])), majorIssues, robustnessScore }],
  });
  test("by a table", async () => {
    const { found, wanted } = await held(make, [
      ["no impact", run, form(1, []), 1],
      ["a mark near the mean stands", run, form(0.9, ["minimal"]), 0.9],
      ["a mark that differs by more than 0.2 gives way to a lower mean", run, form(1, ["severe", "severe", "significant"]), (0.1 + 0.1 + 0.3 + 1 + 1) / 5],
      ["a lower mark stands", run, form(0.3, []), 0.3],
      ["a difference of 0.2 is not more than 0.2, and other weights count", run, form(1, ["severe"]), 1, (model) => createNoiseSensitivityScorerLLM({ model, options: { ...options, scoring: { impactWeights: { severe: 0 } } } })],
      ["major issues cost 0.1 each, at most 0.3", run, form(1, [], "a", "b", "c", "d"), 0.7],
      ["never below 0", run, form(0.1, ["severe", "severe", "severe", "severe", "severe"], "a", "b"), 0],
      ["a mark above 1 is refused, and asked for again", run, { forms: [{ ...(form(7, []).forms?.[0] as object) }, form(0.9, []).forms?.[0]] }, 0.9],
      ["an empty output", empty, {}, 0],
    ]);
    expect(found).toEqual(wanted);
  });
});

describe("prompt alignment weighs intent, requirements, completeness, form and tone", () => {
  const make: Make = (model) => createPromptAlignmentScorerLLM({ model, options: { evaluationMode: "user" } });
  const forms = [{ userPrompt: ["The answer is in English.", "The answer is short."] }];
  const instructed = { ...run, input: { ...run.input, systemMessages: [{ role: "system", content: "Be brief." }] } };
  const both = [{ userPrompt: ["a"], systemPrompt: ["b"] }];
  test("by a table", async () => {
    const { found, wanted } = await held(make, [
      ["all of it", run, { forms, labels: ["eeeeee"] }, 1],
      ["one requirement of two", run, { forms, labels: ["eeeeen"] }, 0.4 + 0.15 + 0.2 + 0.1],
      ["the intent undecided, the tone wrong", run, { forms, labels: ["ieecee"] }, 0.2 + 0.3 + 0.2 + 0.05],
      ["no requirement: the others share its weight", run, { forms: [{ userPrompt: [] }], labels: ["enee"] }, (0.4 + 0.1) / 0.7],
      ["the instructions alone", instructed, { forms: [{ systemPrompt: ["b"] }], labels: ["eneen"] }, 0.35 + 0.15, (model) => createPromptAlignmentScorerLLM({ model, options: { evaluationMode: "system" } })],
      ["both, each with its own labels", instructed, { forms: both, labels: ["eeeeennnnn"] }, 0.7, (model) => createPromptAlignmentScorerLLM({ model })],
      ["both, where the agent has no instructions, is the user's", run, { forms, labels: ["eeeeee"] }, 1, (model) => createPromptAlignmentScorerLLM({ model })],
      ["no instructions to hold it to", run, {}, "not scorable: the agent has no instructions", (model) => createPromptAlignmentScorerLLM({ model, options: { evaluationMode: "system" } })],
      ["an empty output", empty, {}, 0],
    ]);
    expect(found).toEqual(wanted);
  });

  test("the requirements are listed without the answer, and the history is shown where it is asked for", async () => {
    const remembering = { ...run, input: { ...run.input, rememberedMessages: [{ role: "user", content: "I live in Brooklyn." }] } };
    const seen = await measured((model) => createPromptAlignmentScorerLLM({ model, options: { evaluationMode: "user", includeConversationHistory: true } }), remembering, { forms, labels: ["eeeeee"] });
    const [form, judging] = seen.model.calls.map(({ request }) => request);
    expect(shownIn(form)).toEqual({ userPrompt: "What is the weather?" });
    expect(shownIn(judging)).toMatchObject({ history: [{ role: "user", text: "I live in Brooklyn." }], answer: "It is clear." });
  });
});

describe("a rubric is satisfied where every required criterion is", () => {
  const make: Make = (model) => createRubricScorer({ model, criteria: [{ description: "Names the sky." }, { description: "Is polite.", required: false }] });
  test("by a table", async () => {
    const { found, wanted } = await held(make, [
      ["both", run, { labels: ["ee"] }, 1],
      ["the required one alone", run, { labels: ["en"] }, 1],
      ["the required one is missed", run, { labels: ["ne"] }, 0],
      ["undecided is not satisfied", run, { labels: ["ie"] }, 0],
      ["a text, one criterion a line", run, { labels: ["ene"] }, 0, (model) => createRubricScorer({ model, criteria: "- Names the sky.\n\n2. Is short.\n* Is polite." })],
      ["none required: all count", run, { labels: ["en"] }, 0, (model) => createRubricScorer({ model, criteria: ["a", "b"].map((description) => ({ description, required: false })) })],
      ["the run's own rubric", { ...run, requestContext: new Map([["rubric", "Names the sky."]]) }, { labels: ["e"] }, 1, (model) => createRubricScorer({ model })],
      ["no rubric passes nothing", run, {}, "not scorable: there is no rubric", (model) => createRubricScorer({ model })],
      ["an empty output", empty, {}, 0],
    ]);
    expect(found).toEqual(wanted);
  });

  test("the reason names what is unmet, and the claims are the author's words", async () => {
    const seen = await measured(make, run, { labels: ["ne"] });
    expect(seen.reason).toBe('0 of 1 required criteria are satisfied; unmet: "Names the sky." (The script says not_addressed.)');
    const [task] = seen.model.calls.flatMap(({ request }) => gradingOf(request) ?? []);
    expect(task?.claims[0]?.text).toContain("Names the sky.");
    expect(JSON.parse(task?.output ?? "")).toEqual({ task: "What is the weather?", answer: "It is clear." });
  });
});

describe("the multi-turn judge decides one criterion over the whole conversation", () => {
  const make: Make = (model) => createMultiTurnJudgeScorer({ model, criterion: "The agent named the weather of both cities." });
  const first = agentRun("How is it in Brooklyn?", assistant({ call: "get_weather", args: { city: "Brooklyn" }, result: { sky: "clear" } }, "Clear."));
  const second = agentRun("And in Rome?", "Rainy.");
  const conversation: ScorerRun = { input: first.input, output: [...first.output, ...second.output], turns: [{ turn: 0, ...first }, { turn: 1, ...second }] };
  test("by a table", async () => {
    const { found, wanted } = await held(make, [
      ["satisfied", conversation, { labels: ["e"] }, 1],
      ["contradicted", conversation, { labels: ["c"] }, 0],
      ["undecided", conversation, { labels: ["i"] }, 0],
      ["not addressed", conversation, { labels: ["n"] }, 0],
      ["a single input", first, { labels: ["e"] }, 1],
      ["a scale", conversation, { labels: ["e"] }, 0.5, (model) => createMultiTurnJudgeScorer({ model, criterion: "c", options: { scale: 0.5 } })],
      ["an empty output", empty, {}, 0],
      ["turns in which the agent did nothing", { ...conversation, output: [], turns: [{ turn: 0, input: first.input, output: [] }] }, {}, 0],
    ]);
    expect(found).toEqual(wanted);
  });

  test("it sees the user's turns, the calls and what came back", async () => {
    const seen = await measured(make, conversation, { labels: ["e"] });
    const [task] = seen.model.calls.flatMap(({ request }) => gradingOf(request) ?? []);
    expect(JSON.parse(task?.output ?? "")).toEqual({
      conversation: [
        { turn: 1, role: "user", text: "How is it in Brooklyn?" },
        { turn: 1, role: "tool", name: "get_weather", args: { city: "Brooklyn" }, state: "succeeded", result: { sky: "clear" } },
        { turn: 1, role: "assistant", text: "Clear." },
        { turn: 2, role: "user", text: "And in Rome?" },
        { turn: 2, role: "assistant", text: "Rainy." },
      ],
    });
  });

  test("a conversation that could not be read whole is an error, not a score", async () => {
    const seen = await measured(make, { ...first, output: [...first.output, { role: "assistant", content: [{ type: "sparkle" }] }] });
    expect([seen.value, seen.requests]).toEqual(["message_unreadable", 0]);
  });
});

describe("tool-call accuracy is the share of calls that were right", () => {
  const availableTools = [{ id: "get_weather", description: "The weather of a city." }, { name: "search" }];
  const make: Make = (model) => createToolCallAccuracyScorerLLM({ model, availableTools });
  const calls = (...names: readonly string[]): ScorerRun => agentRun("What is the weather?", assistant(...names.map((call) => ({ call })), "Clear."));
  test("by a table", async () => {
    const { found, wanted } = await held(make, [
      ["both right", calls("get_weather", "search"), { labels: ["ee"] }, 1],
      ["one of two", calls("get_weather", "search"), { labels: ["en"] }, 0.5],
      ["one of three, one undecided", calls("get_weather", "search", "search"), { labels: ["eic"] }, 1 / 3],
      ["no call, and none was needed", calls(), { labels: ["e"] }, 1],
      ["no call, and one was needed", calls(), { labels: ["c"] }, 0],
      ["a call without a word", agentRun("q", assistant({ call: "search" })), { labels: ["e"] }, 1],
      ["a value that is no conversation is an error", { input: "q", output: { answer: 1 } }, {}, "message_unreadable"],
      ["an empty output", empty, {}, 0],
    ]);
    expect(found).toEqual(wanted);
  });
});

describe("trajectory accuracy weighs needed steps, their places and what is missing", () => {
  const make: Make = (model) => createTrajectoryAccuracyScorerLLM({ model });
  const expecting: Make = (model) => createTrajectoryAccuracyScorerLLM({ model, expectedTrajectory: [{ name: "search" }, { name: "get_weather" }] });
  const steps = (...names: readonly string[]): ScorerRun => agentRun("q", assistant(...names.map((call) => ({ call })), "Clear."));
  test("by a table", async () => {
    const { found, wanted } = await held(make, [
      ["a perfect trajectory is 1", steps("search", "get_weather"), { labels: ["eeeee"] }, 1],
      ["one of two not needed", steps("search", "get_weather"), { labels: ["eneee"] }, 0.3 + 0.3 + 0.1],
      ["one out of place, one missing", steps("search", "get_weather"), { labels: ["eeein"] }, 0.6 + 0.15 + 0.1 * (1 - 1 / 3)],
      ["none needed", steps("search"), { labels: ["nnn"] }, 0.05],
      ["as expected", steps("search", "get_weather"), { labels: ["eeeeee"] }, 1, expecting],
      ["one expected step is missing", steps("search"), { labels: ["eeen"] }, 0.6 + 0.3 + 0.05, expecting],
      ["the item's expectation", { ...steps("search"), expectedTrajectory: { steps: [{ name: "search" }] } }, { labels: ["eee"] }, 1],
      ["a trajectory as output", { ...run, output: { steps: [{ name: "search", stepType: "tool_call" }], rawOutput: steps("search").output } }, { labels: ["eee"] }, 1],
      ["no step where steps are expected", steps(), {}, 0, expecting],
      ["no step, and none was needed", steps(), { labels: ["e"] }, 1],
      ["no step, and one was needed", steps(), { labels: ["c"] }, 0],
      ["an empty output", empty, {}, 0],
      ["an empty trajectory", { ...empty, output: { steps: [], rawOutput: [] } }, {}, 0],
    ]);
    expect(found).toEqual(wanted);
  });
});
