import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createJudge, LABELS, measureJudge, panel, qualityFigures, qualityJson, qualityText, readLabelledRows, readQuality, splitOf, writeLabelledRow, type Judge, type Label, type LabelledRow, type MeasureOptions } from "entail/judge";
import { createClient } from "entail/model";
import { fakeClock, judgeAnswer, scriptedJudge, scriptedProvider } from "entail/testing";

const row = (output: string, label: Label, more: Partial<LabelledRow> = {}): LabelledRow => ({ output, reference: "", claim: { id: "c", text: "It names the price." }, label, split: "test", ...more });
const measure = (judge: Judge, rows: readonly LabelledRow[], options: Partial<MeasureOptions> = {}) => measureJudge(judge, rows, { clock: fakeClock(), repeats: 1, ...options });
/** Says of an output what stands in it after a colon. */
const reader: Judge = scriptedJudge((_claim, { output }) => output.split(": ")[1] as Label);

describe("a judge is measured", () => {
  test("by the table of people's labels and its own, from which all else follows", async () => {
    // The table of the anchors: rows are people's.
    const counts = [[50, 2, 6, 2], [1, 18, 3, 1], [5, 2, 40, 3], [1, 1, 2, 3]];
    const order = ["entailed", "contradicted", "not_addressed", "indeterminate"] as const;
    const rows = counts.flatMap((line, human) => line.flatMap((count, judged) => Array.from({ length: count }, (_, at) => row(`${human} ${judged} ${at}: ${order[judged]}`, order[human] as Label))));
    const quality = await measure(reader, rows);
    expect(quality.table).toEqual(counts);
    const { kappa, ac1, confusion, labels, abstention } = qualityFigures(quality);
    expect(kappa?.value).toBeCloseTo(0.6886025464, 9);
    expect(ac1?.value).toBeCloseTo(0.7338606592, 9);
    expect(confusion.accuracy).toMatchObject({ count: 111, of: 140 });
    expect(labels[0]).toMatchObject({ label: "entailed", recall: { count: 50, of: 60 }, precision: { count: 50, of: 57 } });
    expect(abstention).toMatchObject({ count: 9, of: 140 });
    expect(readQuality(JSON.parse(JSON.stringify(quality)))).toEqual(quality);
    const text = qualityText(quality);
    expect(text).toContain("measured by 140 human labels");
    expect(text).toContain("kappa            0.689");
    expect(text).toMatch(/entailed +50 +2 +6 +2\n/);
    expect(qualityJson(quality)).toMatchObject({ figures: { kappa: { value: expect.any(Number) } }, labels: LABELS });
  });

  test("by the rows of the test split alone, whatever it does on the others", async () => {
    const quality = await measure(reader, [row("a: entailed", "entailed"), row("b: entailed", "contradicted", { split: "dev" })]);
    expect(quality).toMatchObject({ rows: 1, otherSplit: 1, split: "test" });
    expect(await measure(reader, [row("a: entailed", "entailed"), row("b: entailed", "contradicted", { split: "dev" })], { split: "dev" })).toMatchObject({ rows: 1, split: "dev" });
    await expect(measure(reader, [row("b: entailed", "entailed", { split: "dev" })])).rejects.toMatchObject({ code: "labels_invalid", message: expect.stringContaining('no labelled row belongs to the split "test"; 1 belong to the other') });
  });

  test("with the claims of one output in one request, as a run asks them", async () => {
    const judge = scriptedJudge(() => "entailed");
    const claim = (id: string): Partial<LabelledRow> => ({ claim: { id, text: `It names ${id}.` } });
    await measure(judge, [row("one", "entailed", claim("a")), row("two", "entailed", claim("a")), row("one", "entailed", { ...claim("b"), claim: { id: "a", text: "It names b." } })]);
    expect(judge.requests.map(({ output, claims }) => [output, claims.map(({ id }) => id)])).toEqual([["one", ["a", "a_"]], ["two", ["a"]]]);
  });

  test("several times: the table counts the first, and a row is a flip once any answer differs", async () => {
    let asked = 0;
    const wavering = scriptedJudge((_claim, { output }) => (output === "b" && asked++ > 0 ? "contradicted" : "entailed"));
    const quality = await measure(wavering, [row("a", "entailed"), row("b", "entailed")], { repeats: 3, maxConcurrency: 1 });
    expect(quality).toMatchObject({ repeats: 3, flips: { count: 1, of: 2 } });
    expect(quality.table[0]).toEqual([2, 0, 0, 0]);
    expect(await measure(wavering, [row("a", "entailed")])).not.toHaveProperty("flips");
  });

  test("a row without an answer is in no rate and is told; what it cost is counted", async () => {
    const provider = scriptedProvider((request) => {
      if (JSON.stringify(request.messages).includes("broken")) throw new Error("no connection");
      return { ...judgeAnswer(request, () => "entailed"), usage: { inputTokens: 10, outputTokens: 2 }, model: "m-0914" };
    });
    const judge = createJudge(createClient(provider), { maxOutputTokens: 100 });
    const quality = await measure(judge, [row("fine", "entailed"), row("broken", "entailed")]);
    expect(quality).toMatchObject({ rows: 1, unanswered: 1, models: ["m-0914"], usage: { requests: 2, inputTokens: 10, unknownRequests: 1 }, judge: { fingerprint: judge.identity?.fingerprint } });
    expect(qualityText(quality)).toContain("1 rows got no valid answer and are in no rate");
  });

  test("people are measured beside it: two labels of one row, or two people's rows of one thing", async () => {
    const quality = await measure(reader, [
      row("a: entailed", "entailed", { secondLabel: "entailed" }),
      row("b: entailed", "entailed", { secondLabel: "contradicted" }),
      row("c: entailed", "entailed", { by: "ann" }),
      row("c: entailed", "entailed", { by: "bob" }),
      row("d: entailed", "entailed", { by: "ann" }),
      row("d: entailed", "contradicted", { by: "bob" }),
    ]);
    expect(quality).toMatchObject({ rows: 3, unsettled: 1 });
    expect(qualityFigures(quality).people?.agreed).toMatchObject({ count: 2, of: 4 });
    expect(qualityText(quality)).toContain("the judge agrees with the labels more than people do with each other");
  });

  test("by more than half of the people where three labelled one thing", async () => {
    const people = (["entailed", "contradicted", "entailed"] as const).map((label, at) => row("a: entailed", label, { by: `${at}` }));
    expect(await measure(reader, people)).toMatchObject({ rows: 1, unsettled: 0 });
  });

  test("the same row twice by one person is refused, and so are repeats of none", async () => {
    await expect(measure(reader, [row("a: entailed", "entailed"), row("a: entailed", "contradicted")])).rejects.toMatchObject({ code: "labels_invalid" });
    await expect(measure(reader, [row("a: entailed", "entailed")], { repeats: 0 })).rejects.toMatchObject({ code: "option_invalid" });
  });

  test("an aborted signal ends it as cancelled", async () => {
    const controller = new AbortController();
    const judge: Judge = { judge: () => (controller.abort(), Promise.reject(new Error("gone"))) };
    await expect(measure(judge, [row("a", "entailed")], { signal: controller.signal })).rejects.toMatchObject({ code: "cancelled" });
  });

  test("a panel is measured as one judge", async () => {
    expect(await measure(panel([scriptedJudge(() => "entailed"), scriptedJudge(() => "contradicted")]), [row("a", "entailed")])).toMatchObject({ table: [[0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]] });
  });
});

describe("the split of rows", () => {
  test("follows from the output: it stays whatever is added, and about seven in ten are for tests", () => {
    const rows = Array.from({ length: 1_000 }, (_, at): LabelledRow => ({ output: `Answer ${at}.`, reference: "", claim: { id: "c", text: `Claim ${at}.` } }));
    const tests = rows.filter((each) => splitOf(each) === "test").length;
    expect(tests).toBeGreaterThan(650);
    expect(tests).toBeLessThan(750);
    expect(rows.map((each) => splitOf({ ...each, reference: "r", label: "entailed", claim: { id: "d", text: "Other." } }))).toEqual(rows.map(splitOf));
  });

  test("sends what was drawn by the judge's own label to dev, unless the row itself says otherwise", () => {
    const drawn = { output: "a", reference: "", claim: { id: "c", text: "t" }, drawn: "by_label" } as const;
    expect(splitOf(drawn)).toBe("dev");
    expect(splitOf({ ...drawn, split: "test" })).toBe("test");
  });
});

describe("rows of labels", () => {
  test("are read from lines as they were written, whatever their texts", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
    const word = fc.constantFrom(...LABELS);
    const rowOf = fc.record(
      {
        output: text, reference: fc.string(), evidence: text, claim: fc.record({ id: text, text }), label: word, secondLabel: word, split: fc.constantFrom("dev" as const, "test" as const), by: text, note: text,
        drawn: fc.constantFrom("random" as const, "by_label" as const), judged: fc.record({ label: word, rationale: text, fingerprint: text }), from: fc.record({ suiteId: text, scenario: text, trial: fc.nat(), runId: text, turn: fc.nat() }),
      },
      { requiredKeys: ["output", "reference", "claim"], noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.array(rowOf), (rows) => {
        expect(readLabelledRows(rows.map(writeLabelledRow).join("\r\n\n"))).toEqual(rows);
      }),
      { seed: 4, numRuns: 100 },
    );
  });

  test("a claim may be its text alone", () => {
    expect(readLabelledRows('{"output":"o","claim":"It is polite.","label":"entailed"}')).toEqual([{ output: "o", reference: "", claim: { id: expect.stringMatching(/^claim_[0-9a-f]{8}$/), text: "It is polite." }, label: "entailed" }]);
  });

  test.each([
    ["{", /^line 1 of the labels is no JSON object/],
    ['{"output":"o","claim":"c","label":"entailed"}\n[1]', /^line 2 of the labels must be a JSON object/],
    ['{"claim":"c","label":"entailed"}', /needs "output"/],
    ['{"output":"","claim":"c"}', /an empty one is not judged at all/],
    ['{"output":"o","label":"entailed"}', /needs "claim"/],
    ['{"output":"o","claim":{"id":"c"}}', /has a claim without a text/],
    ['{"output":"o","claim":"c","label":"Entailed"}', /has "label", which must be one of entailed, .* not "Entailed"/],
    ['{"output":"o","claim":"c","label":"entailed","label":"contradicted"}', /stands more than once in one object/],
    ['{"output":"o","claim":"c","lable":"entailed"}', /unknown member "lable"; did you mean "label"\?/],
    ['{"output":"o","claim":"c","judged":{"label":"yes"}}', /has "judged", whose label is none/],
  ])("%s is refused with its line and the mend", (text, message) => {
    expect(() => readLabelledRows(text)).toThrow(message);
  });
});
