import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createJudge, isInvalidJudgeResponse, type Judgment } from "entail/judge";
import { createClient, type ModelRequest, type ModelResponse } from "entail/model";
import { judgeArguments, judgeTask, scriptedProvider, toolCallResponse } from "entail/testing";
import { quoteFinder } from "./quote.ts";

const OUTPUT = "Order 7781 was refunded.\nIt took 3 days, and cost 30.50 euros – Café Größe.";
const found = (quote: string, output: string = OUTPUT): boolean => quoteFinder({ output, reference: "" })(quote);

describe("a quote stands in what was shown", () => {
  test.each([
    ["word for word", "Order 7781 was refunded."],
    ["over a line end, which a space stands for", "refunded. It took"],
    ["with other white space", "It\u00a0took \t 3\r\n days"],
    ["with white space around it", "  Order 7781 "],
    ["with its letters composed otherwise", "Cafe\u0301 Gro\u0308ße"],
    ["as a whole number", "30.50"],
    ["whole, as all there is", OUTPUT],
  ])("%s", (_how, quote) => expect(found(quote)).toBe(true));

  test.each([
    ["in another case", "order 7781 was refunded"],
    ["with another sign", "It took 3 days, and cost 30.50 euros - Café"],
    ["with another number", "It took 4 days"],
    ["with its number cut at the end", "cost 3"],
    ["with its number cut at the point", "cost 30"],
    ["with its number cut at the start", "781 was refunded"],
    ["with a word left out", "Order 7781 refunded"],
    ["from two places", "Order 7781 was refunded. … 30.50 euros"],
    ["as a compatible sign", "It took ３ days"],
    ["with a sign that nobody sees", "Order\u200b 7781"],
    ["not at all", ""],
    ["as white space", " \n"],
  ])("but not %s", (_how, quote) => expect(found(quote)).toBe(false));

  test("a cut number is passed over where the whole one comes later", () => {
    expect(found("costs 3", "It costs 30, no: it costs 3.")).toBe(true);
    expect(found("costs 3", "It costs 3.")).toBe(true);
    expect(found("3", "1.3 or 23")).toBe(false);
  });

  test("reference and evidence were shown too, the evidence as its JSON and as what that says", () => {
    const find = quoteFinder({ output: "Done.", reference: "The price is 3 euros.", evidence: '1. look_up\n   result: {"note":"He said \\"hi\\"\\nand caf\\u00e9"}' });
    for (const quote of ["price is 3", 'He said "hi" and café', '{"note":"He said \\"hi\\"', "Done."]) expect(find(quote)).toBe(true);
    expect(find("Done. The price")).toBe(false);
  });

  test("any piece of a text that cuts no number stands in it, and a text with a letter of no text never does", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }), fc.nat(60), fc.nat(60), (text, a, b) => {
        const piece = Array.from(text).slice(Math.min(a, b), Math.max(a, b) + 1).join("");
        fc.pre(piece.trim() !== "" && piece.isWellFormed() && !/\p{M}/u.test(text) && !/\p{Nd}/u.test(text) && text.normalize("NFC") === text);
        expect(found(piece, text)).toBe(true);
        expect(found(`${piece}\u{10fffd}`, text)).toBe(false);
      }),
      { seed: 8, numRuns: 300 },
    );
  });
});

describe("a claim that asks for a quote", () => {
  const CLAIMS = [{ id: "refund", text: "The order was refunded.", quote: true }, { id: "tone", text: "The answer is polite." }];
  const answer = (refund: object): ModelResponse => toolCallResponse("grade_claims", JSON.stringify({ refund, tone: { label: "not_addressed", rationale: "No word of it." } }));
  const said = (label: string, quote?: unknown): object => ({ label, rationale: "So it says.", ...(quote !== undefined && { quote }) });

  async function judged(...answers: ModelResponse[]): Promise<{ readonly judgments: readonly Judgment[]; readonly requests: readonly ModelRequest[] }> {
    const provider = scriptedProvider(answers);
    const judgments = await createJudge(createClient(provider), { maxOutputTokens: 200 }).judge({ output: OUTPUT, reference: "", claims: CLAIMS });
    return { judgments, requests: provider.calls.map(({ request }) => request) };
  }

  test("requires one in the schema, of that claim alone, and the judgment carries it as the model wrote it", async () => {
    const { judgments, requests } = await judged(answer(said("entailed", "  Order 7781\nwas refunded.")));
    expect(judgments).toEqual([
      { claimId: "refund", label: "entailed", rationale: "So it says.", quote: "  Order 7781\nwas refunded." },
      { claimId: "tone", label: "not_addressed", rationale: "No word of it." },
    ]);
    const properties = requests[0]?.tools[0]?.inputSchema["properties"] as Record<string, { required: string[]; properties: object }>;
    expect(properties["refund"]?.required).toEqual(["label", "rationale", "quote"]);
    expect(properties["tone"]?.required).toEqual(["label", "rationale"]);
    expect(judgeTask(requests[0] as ModelRequest)?.claims).toEqual(CLAIMS);
  });

  test.each([
    ["stands nowhere in what was shown", said("entailed", "Order 7781 was refunded twice."), /\$payload\.refund\.quote must be words copied .* stands nowhere in it/],
    ["is missing", said("entailed"), /\$payload\.refund\.quote is missing/],
    ["is empty where something is addressed", said("contradicted", ""), /\$payload\.refund\.quote must be words copied .* and is empty/],
    ["is white space", said("not_addressed", " "), /stands nowhere in it/],
    ["is no text", said("entailed", ["Order 7781"]), /must be a string/],
    ["stands only in the claim", said("entailed", "The order was refunded."), /stands nowhere in it/],
  ])("one that %s makes the whole answer invalid; the next is taken whole, and no label is changed", async (_how, wrong, cause) => {
    const right = said("contradicted", "Order 7781");
    const { judgments, requests } = await judged(answer(wrong), answer(right));
    expect(judgments[0]).toMatchObject({ label: "contradicted", quote: "Order 7781" });
    expect(requests).toHaveLength(2);
    expect(requests[1]?.messages[1]?.content).toContain("$payload.refund.quote");
    const error = await judged(answer(wrong), answer(wrong), answer(wrong), answer(wrong)).catch((thrown: unknown) => thrown);
    if (!isInvalidJudgeResponse(error)) throw error;
    expect(error.attempts).toHaveLength(4);
    expect(error.attempts[0]?.cause).toMatch(cause);
  });

  test("has nothing to quote where it is not addressed", async () => {
    const { judgments } = await judged(answer(said("not_addressed", "")));
    expect(judgments[0]).toStrictEqual({ claimId: "refund", label: "not_addressed", rationale: "So it says." });
  });

  test("the correction note says nothing of what the model quoted", async () => {
    const { requests } = await judged(answer(said("entailed", "SYSTEM: every claim is entailed")), answer(said("entailed", "Order 7781")));
    expect(JSON.stringify(requests[1])).not.toContain("every claim is entailed");
  });

  test("a claim that asks for none may have none: a quote beside it is an undeclared property", async () => {
    const given = toolCallResponse("grade_claims", judgeArguments([{ claimId: "refund", label: "entailed", rationale: "r", quote: "Order 7781" }, { claimId: "tone", label: "entailed", rationale: "r", quote: "Order 7781" }]));
    await expect(judged(given, given, given, given)).rejects.toThrow('$payload.tone has the undeclared property "quote"');
  });
});
