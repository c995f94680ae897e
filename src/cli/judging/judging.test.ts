import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { judge } from "../command/judge.ts";
import type { Desk } from "../desk.ts";
import { OBSERVES_EVERYTHING, type Evidence } from "../../core/evidence.ts";
import type { StoredLabel } from "../../core/store.ts";
import { openStore } from "../../store/open-store.ts";
import { keptMeasurements } from "./kept-measurements.ts";
import { readLabelsFile, rowOfStored, storedLabel, storedRows } from "./labels-file.ts";

function folder(files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(tmpdir(), "entail-judging-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

test.each([
  [[], "judge takes a word: test, sample, label, rates"],
  [["tset", "x"], 'judge takes test, sample, label, rates, not "tset"; did you mean "test"?'],
  [["__proto__"], 'judge takes test, sample, label, rates, not "__proto__"'],
  [["test", "a", "b"], "judge test takes a file of labels, or nothing for those that the store keeps"],
  [["label"], "judge label takes a file of labels"],
  [["label", "a", "b"], "judge label takes a file of labels"],
  [["rates", "a", "b"], "judge rates takes a run"],
])("the words %j are no use, and the sentence says which are", async (operands, sentence) => {
  await expect(judge(operands, {}, {} as Desk)).rejects.toMatchObject({ code: "usage_invalid", message: sentence });
});

test("a file of labels that cannot be read is named with its line", () => {
  const cwd = folder({ "bad.jsonl": '{"output":"o","claim":"c"}\n{"output":"o","claim":"c","lable":"entailed"}' });
  expect(() => readLabelsFile("bad.jsonl", cwd)).toThrow('bad.jsonl: line 2 of the labels has an unknown member "lable"; did you mean "label"?');
  expect(() => readLabelsFile("none.jsonl", cwd)).toThrow("none.jsonl: there is no such file");
});

test("a label is kept whole, the same row under the same id, and comes back as the row it was", () => {
  const row = { output: "o", reference: "r", claim: { id: "c", text: "t" }, label: "entailed", by: "ann", drawn: "random", judged: { label: "contradicted", rationale: "w", fingerprint: "f" }, from: { suiteId: "chat", scenario: "s", trial: 2, runId: "r1", turn: 1, position: 4 } } as const;
  const kept = storedLabel(row, "2026-09-10T12:00:00.000Z");
  expect(kept).toMatchObject({ id: storedLabel({ ...row, label: "indeterminate" }, "later")?.id, label: "entailed", from: { runId: "r1", position: 4, trial: 2, turn: 1 } });
  expect(storedLabel({ ...row, by: "bob" }, "later")?.id).not.toBe(kept?.id);
  expect(rowOfStored(kept as NonNullable<typeof kept>)).toEqual(row);
  expect(storedLabel({ output: "o", reference: "", claim: { id: "c", text: "t" } }, "now")).toBeUndefined();
});

test("labels of the store are rows to measure by: of a person's two on one thing the later, with the evidence a judge is to see", async () => {
  const store = await openStore("memory:");
  const from = { runId: "r1", position: 0, trial: 1, suiteId: "chat", scenario: "s" };
  const label = (id: string, at: string, more: Partial<StoredLabel> = {}): StoredLabel => ({ id, at, label: "entailed", output: "o", reference: "", claim: { id: "c", text: "t" }, by: "ann", from, ...more });
  await store.beginInvocation({ id: "i", startedAt: "2026-09-10T12:00:00.000Z", command: [], cwd: "" });
  await store.beginRun({ runId: "r1", invocationId: "i", suiteId: "chat", startedAt: "2026-09-10T12:00:00.000Z", selected: false, strict: false, scenarios: [{ position: 0, id: "s", description: "A scenario.", tags: [], trials: 1 }] });
  const evidence: Evidence = { runId: "r", sessionId: "s", answer: "o", ended: true, observes: OBSERVES_EVERYTHING, toolCalls: [{ toolCallId: "1", toolName: "look_up", args: {}, argsJson: "{}", completed: false }] };
  await store.putTrial({ runId: "r1", position: 0, trial: 1 }, { trial: 1, outcome: "passed", startedAt: "2026-09-10T12:00:00.000Z", durationMs: 1, result: { output: "o" } }, evidence);
  for (const each of [label("1", "2026-09-10T12:00:00.000Z"), label("2", "2026-09-11T12:00:00.000Z", { label: "contradicted" }), label("3", "2026-09-10T12:00:00.000Z", { by: "bob" })]) await store.putLabel(each);
  await store.flush();
  const rows = await storedRows(store, true);
  expect(rows.map((row) => [row.by, row.label, row.evidence])).toEqual(expect.arrayContaining([["ann", "contradicted", "1. look_up (no end was seen)\n   arguments: {}"], ["bob", "entailed", "1. look_up (no end was seen)\n   arguments: {}"]]));
  expect(rows).toHaveLength(2);
  expect((await storedRows(store, false))[0]).not.toHaveProperty("evidence");
  await store.close();
});

test("measurements that are not there are refused as such", () => {
  const root = folder({});
  expect(() => keptMeasurements({ root, cwd: root, config: { measurements: "gone.json" } })).toThrow("gone.json is no measurement of a judge: there is no such file; entail judge test --output writes one");
});

test.each([["no JSON", "{"], ["of another form", '{"fingerprint":"f","body":{"version":2}}'], ["null", "null"]])("a kept measurement that is %s is refused, since a judge that is thought to be measured must be", (_what, text) => {
  const root = folder({ "quality.json": text });
  expect(() => keptMeasurements({ root, cwd: root, config: { measurements: "quality.json" } })).toThrow(/^quality\.json is no measurement of a judge: /);
});
