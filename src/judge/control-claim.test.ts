import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { calibrate, controlLabel, createJudge, LABELS, type Claim, type Label } from "entail/judge";
import { createClient, type ModelRequest } from "entail/model";
import { fakeClock, judgeArguments, judgeAnswer, judgeTask, scriptedProvider, toolCallResponse } from "entail/testing";
import { controlClaim } from "./control-claim.ts";

const CLAIMS: readonly Claim[] = [{ id: "price_stated", text: "The answer states the price." }, { id: "polite", text: "The answer is polite." }];
const OUTPUT = "It costs 3 euros.";
const SHOWN = { output: OUTPUT, reference: "" };

describe("the control claim of a request", () => {
  test("is the same for the same request, and varies in place and label with it", () => {
    expect(controlClaim(CLAIMS, SHOWN)).toEqual(controlClaim(CLAIMS, SHOWN));
    const many = Array.from({ length: 300 }, (_, at) => controlClaim(CLAIMS, { ...SHOWN, output: `Answer ${at} is here.` }));
    expect(new Set(many.map(({ position }) => position))).toEqual(new Set([0, 1, 2]));
    expect(new Set(many.map(({ label }) => label))).toEqual(new Set(["contradicted", "not_addressed"]));
    expect(new Set(many.map(({ claim }) => claim.text)).size).toBeGreaterThan(20);
  });

  test("has a right label that no claim hopes for, whatever they expect, and that its text alone gives", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ id: fc.string({ minLength: 1 }), text: fc.constant("t"), expect: fc.constantFrom(undefined, ...LABELS) }), { minLength: 1, maxLength: 4 }), fc.lorem(), (given, output) => {
        const claims = given.map((claim, at) => ({ ...claim, id: `${claim.id}${at}` }));
        const { claim, label, position } = controlClaim(claims, { output, reference: "" });
        const hoped = new Set(claims.map(({ expect: wanted = "entailed" }) => wanted));
        const free = (["entailed", "contradicted", "not_addressed"] as const).some((each) => !hoped.has(each));
        expect(hoped.has(label)).toBe(!free);
        expect(controlLabel(claim.text)).toBe(label);
        expect(claims.map(({ id }) => id)).not.toContain(claim.id);
        expect(position).toBeLessThanOrEqual(claims.length);
      }),
      { seed: 6, numRuns: 300 },
    );
  });

  test("of a text without a letter is one that nothing speaks of, and never one whose subject is spoken of", () => {
    for (const output of ["12 + 3", " ", "!?"]) expect(controlClaim(CLAIMS, { ...SHOWN, output }).label).toBe("not_addressed");
    for (let at = 0; at < 100; at++) {
      const { claim } = controlClaim([{ id: "a", text: `A ${at}.` }], { output: `${at}`, reference: "The lighthouse of Quorvik, the ferry to Hamblesund and the clock tower of Brennavale." });
      expect(claim.text).not.toMatch(/Quorvik|Hamblesund|Brennavale/);
    }
  });
});

describe("a judge with controls", () => {
  const judgeOf = (labelOf: (claim: Claim) => Label): { readonly judge: ReturnType<typeof createJudge>; readonly requests: () => readonly ModelRequest[] } => {
    const provider = scriptedProvider((request: ModelRequest) => {
      const task = judgeTask(request);
      return toolCallResponse(task?.tool ?? "", judgeArguments((task?.claims ?? []).map((claim) => ({ claimId: claim.id, label: labelOf(claim), rationale: "r" }))));
    });
    return { judge: createJudge(createClient(provider), { maxOutputTokens: 100, controls: true }), requests: () => provider.calls.map(({ request }) => request) };
  };
  const right = (claim: Claim): Label => controlLabel(claim.text) ?? "entailed";

  test("asks for one claim more, in the schema like the others, and gives the judgments of the caller's claims alone", async () => {
    const { judge, requests } = judgeOf(right);
    expect((await judge.judge({ ...SHOWN, claims: CLAIMS })).map(({ claimId }) => claimId)).toEqual(["price_stated", "polite"]);
    const schema = requests()[0]?.tools[0]?.inputSchema as { required: string[]; properties: Record<string, object> };
    expect(schema.required).toHaveLength(3);
    const [control] = schema.required.filter((id) => !CLAIMS.some((claim) => claim.id === id));
    expect(Object.keys(schema.properties[control ?? ""] ?? {})).toEqual(Object.keys(schema.properties["polite"] ?? {}));
    expect(judge.identity).toMatchObject({ controls: true });
  });

  test("gives no judgment where every claim got the label that passes: judge_compromised, asked once, recorded with its cause", async () => {
    const { judge, requests } = judgeOf(() => "entailed");
    const causes: (string | undefined)[] = [];
    await expect(judge.judge({ ...SHOWN, claims: CLAIMS, record: ({ cause }) => void causes.push(cause) })).rejects.toMatchObject({ code: "judge_compromised", stage: "judge" });
    expect(requests()).toHaveLength(1);
    expect(causes).toEqual([expect.stringContaining("none of them counts")]);
  });

  test("is calibrated with a control too, and fails with it", async () => {
    const provider = scriptedProvider([], { calibrates: true });
    const report = await calibrate(createJudge(createClient(provider), { maxOutputTokens: 100, controls: true }), { clock: fakeClock() });
    expect(report).toMatchObject({ passed: true });
    expect(judgeTask(provider.calls[0]?.request as ModelRequest)?.claims).toHaveLength(5);
    const wrong = await calibrate(judgeOf(() => "entailed").judge, { clock: fakeClock() });
    expect(wrong.error?.message).toContain("control claim");
  });

  test("asks again for an answer that is invalid, with the same control", async () => {
    const provider = scriptedProvider([toolCallResponse("grade_claims", "{}"), (request) => judgeAnswer(request, () => "entailed")]);
    const judge = createJudge(createClient(provider), { maxOutputTokens: 100, controls: true });
    expect(await judge.judge({ ...SHOWN, claims: CLAIMS })).toHaveLength(2);
    expect(provider.calls[0]?.request.tools).toEqual(provider.calls[1]?.request.tools);
  });
});
