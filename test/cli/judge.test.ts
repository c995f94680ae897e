// Proves with the real command how a judge is measured, how rows are drawn and labelled, and what claims are warned of.
import { expect, test } from "vitest";
import { createProject, evalFile, type Project } from "./project.ts";

/** A judge that knows the calibration, and says of an output what stands in it after a colon. `print` names its fingerprint. */
const JUDGE = `import { CALIBRATION_CLAIMS } from "entail/judge";
export const judgeOf = (print, calibrates = true) => ({
  identity: { model: "own-1", ...(print === "" ? {} : { fingerprint: print }) },
  judge: async ({ output, claims }) => claims.map(({ id }) => ({
    claimId: id,
    label: CALIBRATION_CLAIMS.find((claim) => claim.id === id && calibrates)?.label ?? output.split(": ")[1] ?? "entailed",
    rationale: "So it reads.",
  })),
});
export default judgeOf("print-1");
`;
const EVALS = evalFile("chat", Array.from({ length: 12 }, (_, at) => `scenario("s${at}", () => ({ output: "answer ${at}: ${at % 4 === 0 ? "not_addressed" : "entailed"}", claims: [{ id: "c", text: "The answer names the price and the date." }] }))`).join(", "), "judge", 'import judge from "./judge.mjs";');
const project = (more: Readonly<Record<string, string>> = {}): Project => createProject({ "judge.mjs": JUDGE, "chat.eval.mjs": EVALS, ...more });
const row = (output: string, label: string, more: object = {}): string => JSON.stringify({ output, claim: "The answer names the price.", label, split: "test", ...more });

test("rows are drawn from a report file or the last run, never over labels that are there, and the judge's own words go with them", async () => {
  const folder = project();
  const ran = await folder.entail(["run", "--output", "report.json"]);
  expect(ran.stderr).toContain("9 of 12 passed, 75%, by a judge that is unmeasured");
  const drawn = await folder.entail(["judge", "sample", "report.json", "--count", "5", "--output", "labels.jsonl"]);
  expect([drawn.code, drawn.stdout]).toEqual([0, ""]);
  expect(drawn.stderr).toContain("5 judgments of 12, 3 drawn at random and 2 from what passed and what failed");
  const rows = folder.read("labels.jsonl").trim().split("\n").map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(rows).toHaveLength(5);
  expect(rows[0]).toMatchObject({ label: "", claim: { id: "c" }, judged: { rationale: "So it reads.", fingerprint: "print-1" }, from: { suite_id: "chat", trial: 1 } });
  const again = await folder.entail(["judge", "sample", "--output", "labels.jsonl"]);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("labels.jsonl is there already, and may hold labels: name another file")]);
  const rates = await folder.entail(["judge", "rates", "report.json", "--labels", "labels.jsonl"]);
  expect([rates.code, rates.stderr]).toEqual([0, expect.stringContaining("labels.jsonl corrects nothing: none of its 5 rows has a label yet")]);
  folder.write({ "other.jsonl": row("elsewhere", "entailed") });
  expect((await folder.entail(["judge", "rates", "report.json", "--labels", "other.jsonl"])).stderr).toContain("other.jsonl corrects nothing: no label of its 1 labelled row is of a judgment of report.json");
  folder.write({ "labels.jsonl": folder.read("labels.jsonl").replace('"label":""', '"label":"entailed"') });
  const labelled = await folder.entail(["judge", "label", "labels.jsonl", "--by", "ann"]);
  expect([labelled.code, labelled.stderr]).toEqual([0, expect.stringMatching(/1 label of 5 rows kept; the judge had said the same of [01] of 1[\s\S]*4 rows have no label yet/)]);
  const linted = await folder.entail(["lint", "report.json", "--strict"]);
  expect([linted.code, linted.stdout.split("\n")[0]]).toEqual([1, 'report.json, chat, scenario s0, claim c: compound: it joins two facts with "and": make a claim of each, so that a wrong one shows which']);
});

test("a measurement is JSON on demand, is kept with its fingerprint, and corrects the runs that come after", async () => {
  const labels = Array.from({ length: 30 }, (_, at) => row(`o ${at}: ${at % 10 === 0 ? "entailed" : at % 2 === 0 ? "contradicted" : "entailed"}`, at % 2 === 0 ? "contradicted" : "entailed")).join("\n");
  const folder = project({ "labels.jsonl": labels });
  const tested = await folder.entail(["judge", "test", "labels.jsonl", "--repeats", "1", "--json", "--output", "quality.json"]);
  expect(tested.code).toBe(0);
  expect(JSON.parse(tested.stdout)).toMatchObject({ rows: 30, table: [[15, 0, 0, 0], [3, 12, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], figures: { kappa: { value: expect.closeTo(0.8, 9) } } });
  expect(JSON.parse(folder.read("quality.json"))).toMatchObject({ fingerprint: "print-1", body: { rows: 30 } });
  const ran = await folder.entail(["run"]);
  expect(JSON.parse(ran.stdout)).toMatchObject({ judge: { measurement: { measured: true, labels: 30 }, rates: [{ corrected: [{ method: "rogan_gladen", labels: 30 }] }] } });
});

test("what was tuned on is kept nowhere, and a judge without a fingerprint is told that nothing can be tied to it", async () => {
  const folder = project({ "own.mjs": 'import { judgeOf } from "./judge.mjs";\nexport default judgeOf("");\n', "labels.jsonl": [row("a: entailed", "entailed", { split: "dev" }), row("b: entailed", "entailed")].join("\n") });
  const dev = await folder.entail(["judge", "test", "labels.jsonl", "--split", "dev", "--repeats", "1"]);
  expect([dev.code, dev.stdout, dev.stderr]).toEqual([0, expect.stringContaining("this says nothing of its quality, and is not kept"), expect.not.stringContaining("kept in")]);
  const own = await folder.entail(["judge", "test", "labels.jsonl", "--judge", "own.mjs", "--repeats", "1"]);
  expect([own.code, own.stdout, own.stderr]).toEqual([0, expect.stringContaining("the judge has no fingerprint, so no run can be tied to this"), expect.not.stringContaining("kept in")]);
});

test("a judge that fails its calibration is not measured, and nothing is concluded: exit code 3", async () => {
  const folder = project({ "bad.mjs": 'import { judgeOf } from "./judge.mjs";\nexport default judgeOf("p", false);\n', "labels.jsonl": row("a: entailed", "entailed") });
  const { code, stdout, stderr } = await folder.entail(["judge", "test", "labels.jsonl", "--judge", "bad.mjs"]);
  expect([code, stdout, stderr]).toEqual([3, "", expect.stringContaining("the calibration of the judge failed")]);
});

test("what cannot be gone on with is one sentence and exit code 2", async () => {
  const folder = project({
    "labels.jsonl": row("a: entailed", "entailed"),
    "other.eval.mjs": evalFile("other", `scenario("s", pass)`, `judge: judgeOf("print-2")`, 'import { judgeOf } from "./judge.mjs";'),
  });
  const told: [args: readonly string[], sentence: string][] = [
    [["judge", "test", "labels.jsonl"], "the eval files have different judges: name the file of one with --judge"],
    [["judge", "rates", "nothing.json"], "there is no run"],
  ];
  for (const [args, sentence] of told) {
    const { code, stdout, stderr } = await folder.entail(args);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(sentence)]);
  }
});

test("lint reads the claims of data in eval files, of items and of turns, and names where each stands", async () => {
  const folder = createProject({
    "data.eval.mjs": `import { evaluation } from "entail";
export default evaluation({ name: "talk", target: async () => "hi", data: [
  { input: "a", claims: [{ id: "fine", text: "The answer names the price." }, { id: "vague", text: "It is polite." }] },
  { turns: [{ input: "b", claims: [{ id: "denies", text: "The answer does not promise a date." }] }] },
] });
`,
  });
  const { code, stdout, stderr } = await folder.entail(["lint"]);
  expect([code, stdout, stderr]).toEqual([
    0,
    `data.eval.mjs, data[0], claim vague: pronoun: nothing in the claim says what "It" is: name it, since the judge reads each claim by itself
    It is polite.
data.eval.mjs, data[1].turns[0], claim denies: negation: it says what is not so, with "not": say what would be wrong, and let the claim expect "not_addressed" or "contradicted"
    The answer does not promise a date.
`,
    expect.stringContaining("3 claims, 2 warnings"),
  ]);
});
