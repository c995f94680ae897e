import { expect, test } from "vitest";
import type { LabelledRow } from "../../judge/labelled-row.ts";
import { askLabels } from "./ask-labels.ts";

const row = (output: string, more: Partial<LabelledRow> = {}): LabelledRow => ({ output, reference: "", claim: { id: "c", text: "It names the price." }, judged: { label: "entailed", rationale: "So it says." }, ...more });

async function asked(rows: readonly LabelledRow[], typed: readonly string[]): Promise<{ readonly rows: readonly LabelledRow[]; readonly shown: string; readonly questions: number; readonly kept: (string | undefined)[][] }> {
  let shown = "";
  let questions = 0;
  const kept: (string | undefined)[][] = [];
  const ask = (text: string): Promise<string | undefined> => {
    shown += text;
    return Promise.resolve(typed[questions++]);
  };
  return { rows: await askLabels(rows, { ask, show: (text) => void (shown += text), mask: (text) => text.replaceAll("s3cr3t", "***"), by: "ann", keep: (all) => void kept.push(all.map(({ label }) => label)) }), shown, questions, kept };
}

test("each row without a label is asked for by number or name, until it is one; labelled ones stay as they are", async () => {
  const { rows, questions } = await asked([row("a"), row("b", { label: "contradicted", by: "bob" }), row("c"), row("d")], ["2", "maybe", "", "indeterminate", "s"]);
  expect(rows.map(({ label, by }) => [label, by])).toEqual([["contradicted", "ann"], ["contradicted", "bob"], ["indeterminate", "ann"], [undefined, undefined]]);
  expect(questions).toBe(5);
});

test("after each label all rows are kept, so that an interrupt costs none", async () => {
  expect((await asked([row("a"), row("b"), row("c")], ["1", "s", "3"])).kept).toEqual([["entailed", undefined, undefined], ["entailed", undefined, "not_addressed"]]);
});

test("q and the end of the input end it, and what was labelled is kept", async () => {
  expect((await asked([row("a"), row("b"), row("c")], ["1", "q"])).rows.map(({ label }) => label)).toEqual(["entailed", undefined, undefined]);
  expect((await asked([row("a"), row("b")], [])).rows.map(({ label }) => label)).toEqual([undefined, undefined]);
});

test("what the judge said is told only after a person has said theirs", async () => {
  const { shown } = await asked([row("a"), row("b")], ["4"]);
  expect(shown.slice(0, shown.indexOf(" > "))).not.toContain("So it says");
  expect(shown).toContain("the judge says entailed: So it says.");
  expect(shown.slice(shown.lastIndexOf("2 of 2"))).not.toContain("entailed: So it says");
});

test("a row is shown with its reference and evidence, masked, and nothing in it moves the cursor", async () => {
  const { shown } = await asked([row("an \u001b[2Janswer\nwith s3cr3t", { reference: "r\u202e", evidence: "1. look_up" })], ["1"]);
  expect(shown).toContain("    1. look_up");
  expect(shown).toContain("    an \\x1b[2Janswer\n    with ***");
  expect(shown).toContain("r\\u202e");
});
