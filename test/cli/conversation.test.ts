// Proves with the real command that an eval file of data runs like any other: found, listed, selected, run, told and ended.
import { expect, test } from "vitest";
import { createProject } from "./project.ts";

const file = (data: string, more = ""): string => `
import { evaluation } from "entail";
import { checks } from "entail/conversation";
export default evaluation({ name: "weather talk", target: (question: string) => "Sunny in " + question, data: ${data}, gates: [checks.includes("sunny")]${more} });
`;
const SIMILAR = `, scorers: [{ scorer: checks.similarity("Sunny in Ulm"), threshold: 0.8 }]`;

interface Wire {
  readonly suite_id: string;
  readonly verdict?: string;
  readonly passed: boolean;
  readonly scenarios: readonly { readonly id: string; readonly outcome: string; readonly turns?: readonly { readonly outcome: string; readonly input: unknown }[] }[];
}

test("a conversation file is found, listed and run, each item a scenario with its own id and turns", async () => {
  const project = createProject({ "evals/talk.eval.ts": file(`[{ id: "One city", input: "Ulm" }, { turns: [{ input: "Ulm", gates: [checks.includes("Ulm")] }, { input: "Bonn", gates: [checks.includes("Ulm")] }] }]`) });
  const ran = await project.entail(["run"]);
  const report = JSON.parse(ran.stdout) as Wire;
  expect([ran.code, report.suite_id, report.verdict, report.passed]).toEqual([1, "weather talk", "failed", false]);
  expect(report.scenarios.map(({ id, outcome }) => [id.replace(/[0-9a-f]{12}$/, "#"), outcome])).toEqual([["One city", "passed"], ["item_#", "failed"]]);
  expect(report.scenarios[1]?.turns?.map(({ outcome, input }) => [outcome, input])).toEqual([["passed", "Ulm"], ["failed", "Bonn"]]);
  expect(ran.stderr).toContain("check-includes:ulm");
  expect((await project.entail(["list"])).stdout).toContain("One city");
  const one = await project.entail(["run", "--scenario", "One city"]);
  expect([one.code, (JSON.parse(one.stdout) as Wire).scenarios.map(({ id }) => id)]).toEqual([0, ["One city"]]);
});

test("with --strict the verdict of all items decides, not a threshold that one of them missed", async () => {
  const project = createProject({ "good.eval.ts": file(`[{ input: "Ulm" }, { input: "Ulm, far away" }]`, SIMILAR), "bad.eval.ts": file(`[{ input: "Ulm" }, { input: "a place far away from there" }]`, SIMILAR) });
  const good = await project.entail(["run", "good.eval.ts", "--strict"]);
  const report = JSON.parse(good.stdout) as Wire;
  expect([good.code, report.verdict, report.passed, report.scenarios.map(({ outcome }) => outcome)]).toEqual([0, "passed", true, ["passed", "scored"]]);
  expect((await project.entail(["run", "bad.eval.ts"])).code).toBe(0);
  expect((await project.entail(["run", "bad.eval.ts", "--strict"])).code).toBe(1);
});

test("data that cannot run ends with 2, naming the file and the item", async () => {
  const project = createProject({ "talk.eval.ts": file(`[{ input: "Ulm" }, { inputs: [] }]`) });
  const { code, stderr } = await project.entail(["run"]);
  expect(code).toBe(2);
  expect(stderr).toContain("talk.eval.ts: data[1] needs as 'inputs' a non-empty array");
});
