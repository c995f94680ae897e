// Holds that a file of items runs as it is read, through the door a user imports.
import { expect, test } from "vitest";
import { checks, dataset, runEvals } from "entail/conversation";
import { createMultiTurnJudgeScorer } from "entail/score";
import { scriptedModel } from "../../../test/llm-scorer.ts";

test("a table of single and several inputs is run, each row an item of its id, scored by code and by a model", async () => {
  const text = "id,input,inputs.1,inputs.2,groundTruth\n1,Hello Pip,,,Pip\n2,,Hello,Pip again,Pip\n";
  const model = scriptedModel({ labels: ["e", "e"] });
  const result = await runEvals({
    target: (input: unknown) => `You said: ${String(input)}`,
    data: await dataset({ text, name: "cases.csv" }, { format: "csv" }),
    gates: [checks.includes("Pip")],
    scorers: [{ scorer: createMultiTurnJudgeScorer({ model, criterion: "The agent repeats what the user says." }), threshold: 1 }],
  });
  expect(result.verdict).toBe("passed");
  expect(result.items.map(({ id }) => id)).toEqual(["1", "2"]);
  expect(result.scores).toEqual({ "multi-turn-judge-scorer": 1 });
  expect(JSON.stringify(model.calls.at(-1)?.request.messages)).toContain("Pip again");
});

test("a dataset may be given as it is; what is wrong with its file is told before the target is called", async () => {
  let called = 0;
  const target = (input: unknown): string => `${++called} ${String(input)}`;
  const given = (text: string) => runEvals({ target, data: dataset({ text, name: "cases.csv" }, { format: "csv" }), gates: [checks.includes("Pip")], concurrency: Number.POSITIVE_INFINITY });
  expect((await given("input\nPip\nPip too\n")).items.map(({ outcome }) => outcome)).toEqual(["passed", "passed"]);
  await expect(given("input\nPip\n\"open\n")).rejects.toMatchObject({ code: "dataset_invalid", message: expect.stringContaining("cases.csv") as unknown });
  expect(called).toBe(2);
});

test("in YAML an id keeps its text, and binary values are refused", async () => {
  const read = (text: string) => dataset({ text, name: "cases.yaml" }, { format: "yaml" });
  expect((await read("- { id: 1.10, input: a }\n- { id: 1.1, input: b }\n- { id: 1e3, input: c }\n")).map(({ id }) => id)).toEqual(["1.10", "1.1", "1e3"]);
  await expect(read("- input: !!binary aGk=\n")).rejects.toMatchObject({ code: "dataset_invalid", message: expect.stringContaining("line 1") as unknown });
});
