import { describe, expect, test } from "vitest";
import { calibrate, createJudge, type Claim } from "entail/judge";
import { createClient, type ModelRequest } from "entail/model";
import { systemClock } from "entail";
import { calibrationAnswer, judgeAnswer, judgeArguments, judgeTask, scriptedJudge, scriptedProvider, toolCallResponse } from "entail/testing";

const CLAIMS: readonly Claim[] = [
  { id: "10", text: "First." },
  { id: "2", text: "Second." },
  { id: "__proto__", text: "Third." },
];
const REQUEST: ModelRequest = { modelClass: "default", messages: [{ role: "user", content: "hi" }], tools: [], toolChoice: "none", temperature: 0, maxOutputTokens: 1 };

/** A real request of a judge's. */
async function judgeRequest(correction = false): Promise<ModelRequest> {
  const provider = scriptedProvider([toolCallResponse("grade_claims", "{}"), (request) => judgeAnswer(request, () => "entailed")]);
  await createJudge(createClient(provider), { maxOutputTokens: 1 }).judge({ output: "out", claims: CLAIMS, reference: "ref" });
  const request = provider.calls[correction ? 1 : 0]?.request;
  if (request === undefined) throw new Error("no request");
  return request;
}

describe("a judge's request, read by a script", () => {
  test("gives output, reference, claims in their order, the tool, and the correction where there is one", async () => {
    expect(judgeTask(await judgeRequest())).toStrictEqual({ output: "out", reference: "ref", claims: CLAIMS, tool: "grade_claims" });
    expect(judgeTask(await judgeRequest(true))?.correction).toContain("Your previous call was rejected");
  });

  test("is told apart from any other request, also after a journey as JSON", async () => {
    expect(judgeTask(REQUEST)).toBeUndefined();
    const request = await judgeRequest();
    expect(judgeTask({ ...request, toolChoice: "auto" })).toBeUndefined();
    expect(judgeTask({ ...request, messages: [{ role: "user", content: "not json" }] })).toBeUndefined();
    expect(judgeTask({ ...request, messages: [{ role: "user", content: "{}" }] })).toBeUndefined();
    expect(judgeTask({ ...request, tools: [{ name: "t", description: "", inputSchema: {} }] })).toBeUndefined();
    expect(judgeTask(JSON.parse(JSON.stringify(request)) as ModelRequest)?.claims).toEqual(CLAIMS);
  });

  test("is answered by a record, a map or a function, in the order of the claims, and with every claim", async () => {
    const request = await judgeRequest();
    const text = '{"10":{"label":"entailed","rationale":"The script says entailed."},"2":{"label":"contradicted","rationale":"no"},"__proto__":{"label":"indeterminate","rationale":"The script says indeterminate."}}';
    const labels = { "2": { label: "contradicted", rationale: "no" }, "10": "entailed", ["__proto__"]: "indeterminate" } as const;
    for (const given of [labels, new Map(Object.entries(labels)), (claim: Claim) => new Map(Object.entries(labels)).get(claim.id) ?? "entailed"]) {
      expect(judgeAnswer(request, given, { usage: { outputTokens: 3 } })).toStrictEqual({ content: [{ type: "tool_call", id: "call_1", name: "grade_claims", arguments: text }], stopReason: "tool_calls", usage: { outputTokens: 3 } });
    }
    expect(() => judgeAnswer(request, { "10": "entailed", "2": "entailed" })).toThrow('the script has no label for the claim "__proto__"');
    expect(() => judgeAnswer(REQUEST, {})).toThrow("no judge made");
    expect(judgeArguments([])).toBe("{}");
  });
});

describe("a scripted provider", () => {
  test("answers a list in order, keeps every request, and complains about one too many", async () => {
    const provider = scriptedProvider([toolCallResponse("a", "{}"), () => toolCallResponse("b", "{}"), () => { throw new Error("scripted failure"); }]);
    expect(provider.remaining).toBe(3);
    expect((await provider.complete(REQUEST, {})).content).toMatchObject([{ name: "a" }]);
    expect((await provider.complete(REQUEST, { signal: AbortSignal.abort() })).content).toMatchObject([{ name: "b" }]);
    await expect(provider.complete(REQUEST, {})).rejects.toThrow("scripted failure");
    await expect(provider.complete(REQUEST, {})).rejects.toThrow("has 3 responses and was asked for one more");
    expect(provider.calls.map((call) => call.options.signal?.aborted)).toEqual([undefined, true, undefined, undefined]);
    expect(provider.remaining).toBe(0);
  });

  test("answers a calibration beside its script only where it is told to", async () => {
    const calibrated = scriptedProvider([], { calibrates: true });
    expect((await calibrate(createJudge(createClient(calibrated), { maxOutputTokens: 1 }), { clock: systemClock })).passed).toBe(true);
    const silent = scriptedProvider([]);
    expect((await calibrate(createJudge(createClient(silent), { maxOutputTokens: 1 }), { clock: systemClock })).error?.message).toContain("asked for one more");
    const request = calibrated.calls[0]?.request;
    expect(request && calibrationAnswer(request)?.content).toHaveLength(1);
    expect(calibrationAnswer(await judgeRequest())).toBeUndefined();
    expect(calibrationAnswer(REQUEST)).toBeUndefined();
  });
});

describe("a scripted judge", () => {
  test("labels by its script, passes its calibration, and keeps the two apart", async () => {
    const judge = scriptedJudge((claim, { output, reference }) => ({ label: "contradicted", rationale: `${claim.text} ${output} ${reference}` }));
    expect((await calibrate(judge, { clock: systemClock })).passed).toBe(true);
    expect(await judge.judge({ output: "out", claims: CLAIMS.slice(0, 1), reference: "ref" })).toEqual([{ claimId: "10", label: "contradicted", rationale: "First. out ref" }]);
    expect([judge.requests.length, judge.calibrations.length]).toEqual([1, 1]);
  });

  test("rejects for a claim that its script leaves out, and for a member that every object has", async () => {
    const judge = scriptedJudge({ a: "entailed" });
    await expect(judge.judge({ output: "x", claims: [{ id: "constructor", text: "t" }], reference: "" })).rejects.toThrow('no label for the claim "constructor"');
  });
});
