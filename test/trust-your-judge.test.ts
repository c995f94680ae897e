// Runs every command of docs/guide/trust-your-judge.md with the real binary, in the order of the page, against a stand-in for the judge's model that errs now and then.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LLMock, type ChatCompletionRequest, type FixtureResponse } from "@copilotkit/aimock";
import { expect, onTestFinished, test } from "vitest";
import { CALIBRATION_CLAIMS, controlLabel, readLabelledRows, writeLabelledRow, type JudgeOptions, type Label, type LabelledRow } from "entail/judge";
import { CORRECTIONS } from "../src/core/report.ts";
import { decodeReport } from "entail";
import { createProject } from "./cli/project.ts";
import { read, root } from "./source.ts";
import { compileProject } from "./strict-compile.ts";

const fences = [...read("docs/guide/trust-your-judge.md").matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({ kind: match[1] ?? "", text: match[2] ?? "" }));
const nameOf = (text: string): string => /^\/\/ (\S+)\n/.exec(text)?.[1] ?? "unnamed";

/** What a person says of an answer of the page. */
function personSays(output: string): Label {
  if (/refunded\.|refunded to|paid back/.test(output)) return /cannot/.test(output) ? "contradicted" : "entailed";
  return "not_addressed";
}

/** Mostly the same; it does not understand every payment, and takes a note for a refund now and then. */
function modelSays(output: string): Label {
  const order = Number(/\d+/.exec(output)?.[0]);
  if (/paid back/.test(output) && order % 2 === 1) return "not_addressed";
  if (/noted/.test(output) && order % 40 === 4) return "entailed";
  return personSays(output);
}

function judgeAnswer(request: ChatCompletionRequest): FixtureResponse {
  const tool = request.tools?.[0]?.function;
  if (tool === undefined) throw new Error("the judge asks for a tool");
  const { required, properties } = tool.parameters as { readonly required: readonly string[]; readonly properties: Readonly<Record<string, { readonly description: string }>> };
  const { output } = JSON.parse(request.messages.find(({ role }) => role === "user")?.content as string) as { readonly output: string };
  const labels = required.map((id) => {
    const text = properties[id]?.description ?? "";
    const label = controlLabel(text) ?? CALIBRATION_CLAIMS.find((claim) => claim.id === id)?.label ?? modelSays(output);
    return [id, { label, rationale: "So it reads." }] as const;
  });
  return { toolCalls: [{ name: tool.name, arguments: JSON.stringify(Object.fromEntries(labels)) }] };
}

test("every command of the page ends as the page says, and the corrected rate holds what people say", async () => {
  const server = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
  server.on({ predicate: () => true }, judgeAnswer);
  await server.start();
  onTestFinished(() => server.stop());
  const project = createProject({});
  const env = { JUDGE_URL: `${server.url}/v1`, JUDGE_KEY: "none" };
  const label = (file: string): void => project.write({ [file]: readLabelledRows(project.read(file)).map((row) => `${writeLabelledRow({ ...row, label: personSays(row.output) })}\n`).join("") });
  const outputs: Record<string, { readonly stdout: string; readonly stderr: string }[]> = {};
  for (const { kind, text } of fences) {
    if (kind === "ts") project.write({ [nameOf(text)]: text });
    if (kind !== "sh") continue;
    for (const line of text.trim().split("\n")) {
      const [, words = "", exit = ""] = /^npx entail (.*?) +# exit (\d)$/.exec(line) ?? [];
      if (/judge label|more\.jsonl # /.test(line)) label("labels.jsonl");
      if (line.includes("--labels more.jsonl")) label("more.jsonl");
      const { code, stdout, stderr } = await project.entail(words.split(" "), { env });
      expect(`${line}: ${code} ${code === Number(exit) ? "" : stderr}`).toBe(`${line}: ${exit} `);
      (outputs[words.split(" --")[0] ?? ""] ??= []).push({ stdout, stderr });
    }
  }

  const [first, second] = outputs["run"] ?? [];
  // What the page shows is what the command says.
  const shown = fences.find(({ kind }) => kind === "text")?.text.trim() ?? "";
  const spaced = (text: string): string => text.replace(/\s+/g, " ");
  expect(spaced(first?.stderr ?? "")).toContain(spaced(shown));
  expect(spaced(second?.stderr ?? "")).toMatch(/claims \d+ of 80 passed, [\d.]+%; corrected for the judge's errors [\d.]+% \([\d.]+% to [\d.]+%, \d+ labels\)/);

  expect(outputs["judge label labels.jsonl"]?.[0]?.stderr).toMatch(/60 labels of 60 rows kept; the judge had said the same of \d+ of 60/);
  const quality = outputs["judge test labels.jsonl"]?.[0]?.stdout ?? "";
  expect(quality).toMatch(/^gpt-4\.1-mini, measured by \d+ human labels of the split "test", each judged 3 times\n/);
  expect(quality).toMatch(/\nkappa +0\.\d{3} \(/);
  expect(quality).toMatch(/\nnote +\d+ labelled rows belong to the other split/);

  const rates = outputs["judge rates last"] ?? [];
  expect(rates[0]?.stdout).toMatch(/^refunds: the judge is measured by \d+ labels: accuracy [\d.]+%/);
  expect(rates[0]?.stdout).toContain("corrected for the judge's errors: ");
  expect(rates[1]?.stdout).toMatch(/corrected by labels of this run drawn at random: .*, 12 labels\)/);
  expect(rates[1]?.stdout).toMatch(/audited by labels of this run, .*, 20 labels\)/);

  const { judge } = decodeReport(second?.stdout ?? "");
  const [rate] = judge?.rates ?? [];
  const truth = Array.from({ length: 80 }, (_, at) => at % 5).filter((wording) => wording < 3).length / 80;
  const [corrected] = rate?.corrected ?? [];
  expect(rate?.raw.rate).not.toBe(truth);
  expect(corrected?.interval[0]).toBeLessThan(truth);
  expect(corrected?.interval[1]).toBeGreaterThan(truth);
  expect(judge).toMatchObject({ controls: true, measurement: { measured: true } });

  // The file in the repository does for others what the store does here.
  const elsewhere = await project.entail(["run", "--no-store"], { env });
  expect(decodeReport(elsewhere.stdout).judge?.rates?.[0]?.corrected?.[0]).toEqual(corrected);
}, 60_000);

test("the files of the page compile under the strictest flags", () => {
  const folder = mkdtempSync(join(root, "test/fixture/guide-"));
  try {
    const { compilerOptions } = JSON.parse(read("tsconfig.json")) as { readonly compilerOptions: object };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...compilerOptions, noUnusedLocals: true, noEmit: true }, include: ["**/*.ts"] }));
    for (const { text } of fences.filter(({ kind }) => kind === "ts")) {
      mkdirSync(dirname(join(folder, nameOf(text))), { recursive: true });
      writeFileSync(join(folder, nameOf(text)), text);
    }
    expect(compileProject(join(folder, "tsconfig.json")).map((line) => line.replaceAll(folder, ""))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("docs/reference/judge.md names every member of a row of labels, every option of createJudge and every correction, and no other", () => {
  const page = read("docs/reference/judge.md");
  const firstCells = (heading: string): readonly string[] => [...(page.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "").matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1] ?? "");
  const whole: Required<LabelledRow> = { output: "o", reference: "r", evidence: "e", claim: { id: "c", text: "t" }, label: "entailed", secondLabel: "entailed", split: "dev", by: "b", note: "n", drawn: "random", judged: { label: "entailed", rationale: "r" }, from: { suiteId: "s", scenario: "s", trial: 1 } };
  expect(firstCells("A row of labels").toSorted()).toEqual(Object.keys(JSON.parse(writeLabelledRow(whole)) as object).toSorted());
  const options: { readonly [Name in keyof JudgeOptions]-?: true } = { maxOutputTokens: true, modelClass: true, maxCorrections: true, judgeEvidence: true, controls: true, requireInputTokens: true, clock: true };
  expect(firstCells("Options of `createJudge`").toSorted()).toEqual(Object.keys(options).toSorted());
  expect(firstCells("In the report").filter((name) => (CORRECTIONS as readonly string[]).includes(name))).toEqual(CORRECTIONS);
});
