import { describe, expect, test } from "vitest";
import { isEntailError, type Clock } from "entail";
import { createJudge, isInvalidJudgeResponse, type Claim, type JudgeAttempt, type JudgeOptions, type Judgment } from "entail/judge";
import { createClient, type Client, type ModelRequest } from "entail/model";
import { judgeAnswer, judgeTask, scriptedProvider, toolCallResponse } from "entail/testing";

const CLAIM: Claim = { id: "claim", text: "The answer names the price." };
const entailed = (request: ModelRequest): ReturnType<typeof judgeAnswer> => judgeAnswer(request, () => "entailed");

function claimsUpTo(count: number): readonly Claim[] {
  return Array.from({ length: count }, (_, index) => ({ id: `claim_${index}`, text: `Fact number ${index} is stated.` }));
}

function codeOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return isEntailError(error) ? error.code : `no EntailError: ${String(error)}`;
  }
  return undefined;
}

describe("the budget", () => {
  test.each([[-1], [0], [1.5], [Number.NaN], [Number.POSITIVE_INFINITY], ["512"], [undefined], [null], [2 ** 60]])("[84] a budget of %s is refused when the judge is made, and nothing is requested", (maxOutputTokens) => {
    const provider = scriptedProvider([]);
    expect(codeOf(() => createJudge(createClient(provider), { maxOutputTokens } as JudgeOptions))).toBe("judge_budget_not_positive");
    expect(provider.calls).toHaveLength(0);
  });

  test("[85] a budget of 1 makes a judge, and nothing is requested yet", () => {
    const provider = scriptedProvider([]);
    const judge = createJudge(createClient(provider), { maxOutputTokens: 1 });
    expect(judge.identity?.maxOutputTokens).toBe(1);
    expect(provider.calls).toHaveLength(0);
  });

  test("[86] concurrent batches of 1, 4 and 100 claims all carry the budget 2048, the output word for word, and answer in claim order", async () => {
    const output = 'Line one\nline "two"\r\n\ttabs, ünïcödé, 雪, 😀 and \\ backslash  ';
    const provider = scriptedProvider(async (request) => {
      await Promise.resolve();
      // The answer names its members backwards; the judgments come in the order of the claims.
      const reversed = { ...request, tools: request.tools.map((tool) => ({ ...tool, inputSchema: { ...tool.inputSchema, required: (tool.inputSchema["required"] as string[]).toReversed() } })) };
      return judgeAnswer(reversed, (claim) => ({ label: "not_addressed", rationale: `about ${claim.id}` }));
    });
    const judge = createJudge(createClient(provider), { maxOutputTokens: 2048 });
    const batches = await Promise.all([1, 4, 100].map((count) => judge.judge({ output, claims: claimsUpTo(count), reference: "" })));
    expect(batches.map((batch) => batch.map((judgment) => judgment.claimId))).toEqual([1, 4, 100].map((count) => claimsUpTo(count).map((claim) => claim.id)));
    expect(batches.flat().every((judgment) => judgment.rationale === `about ${judgment.claimId}`)).toBe(true);
    expect(provider.calls.map(({ request }) => request.maxOutputTokens)).toEqual([2048, 2048, 2048]);
    expect(provider.calls.map(({ request }) => judgeTask(request)?.output)).toEqual([output, output, output]);
  });

  test("[87] with a provider that allows 512, the budgets 511 and 512 pass and 513 is the provider's own error, asked once", async () => {
    const tooMuch = new RangeError("at most 512 output tokens");
    for (const budget of [511, 512, 513]) {
      const provider = scriptedProvider((request) => {
        if (request.maxOutputTokens > 512) throw tooMuch;
        return entailed(request);
      });
      const [outcome] = await Promise.allSettled([createJudge(createClient(provider), { maxOutputTokens: budget }).judge({ output: "x", claims: [CLAIM], reference: "" })]);
      const right = budget <= 512 ? { value: [{ claimId: "claim" }] } : { reason: { code: "provider_failed", cause: tooMuch, message: "the provider failed: at most 512 output tokens" } };
      expect(outcome).toMatchObject(right);
      expect(provider.calls).toHaveLength(1);
      expect(provider.calls[0]?.request.maxOutputTokens).toBe(budget);
    }
  });

  test("[88] answers that used 32 and 300 tokens of a budget one larger are taken, a long rationale untouched", async () => {
    for (const outputTokens of [32, 300]) {
      const rationale = "because ".repeat(outputTokens);
      const provider = scriptedProvider((request) => judgeAnswer(request, () => ({ label: "entailed", rationale }), { usage: { outputTokens } }));
      const judgments = await createJudge(createClient(provider), { maxOutputTokens: outputTokens + 1 }).judge({ output: "x", claims: [CLAIM], reference: "" });
      expect(judgments).toEqual([{ claimId: "claim", label: "entailed", rationale }]);
    }
  });
});

describe("options and requests that are no use", () => {
  test("an unknown model class, option or number of corrections is refused when the judge is made", () => {
    const client = createClient(scriptedProvider([]));
    const make = (options: object): (() => unknown) => () => createJudge(client, { maxOutputTokens: 1, ...options });
    expect(codeOf(make({ modelClass: "huge" }))).toBe("option_invalid");
    for (const maxCorrections of [-1, 0.5, Number.NaN, "3", null]) expect(codeOf(make({ maxCorrections }))).toBe("option_invalid");
    expect(make({ maxCorrection: 1 })).toThrow('createJudge has no option "maxCorrection"; did you mean "maxCorrections"?');
  });

  test("only createClient makes a client", () => {
    for (const client of [undefined, null, {}, scriptedProvider([]), "client"]) expect(codeOf(() => createJudge(client as Client, { maxOutputTokens: 1 }))).toBe("option_invalid");
  });

  test("a model class without a model is the provider's own error when the judge is made", () => {
    const missing = new Error("no model for small");
    const provider = scriptedProvider([], {
      modelName: (modelClass) => {
        if (modelClass === "small") throw missing;
        return "big-1";
      },
    });
    expect(() => createJudge(createClient(provider), { maxOutputTokens: 1, modelClass: "small" })).toThrow(expect.objectContaining({ code: "provider_failed", cause: missing }));
    expect(createJudge(createClient(provider), { maxOutputTokens: 1 }).identity?.model).toBe("big-1");
  });

  test.each([
    ["no claims", [], "judge_no_claims"],
    ["a claim without a text", [{ id: "a", text: "" }], "claim_incomplete"],
    ["a claim without an id", [{ id: "", text: "a" }], "claim_incomplete"],
    ["two claims of one id", [CLAIM, CLAIM], "claim_duplicate"],
  ])("%s: refused before any request", async (_what, claims, code) => {
    const provider = scriptedProvider([]);
    await expect(createJudge(createClient(provider), { maxOutputTokens: 1 }).judge({ output: "x", claims, reference: "" })).rejects.toMatchObject({ code });
    expect(provider.calls).toHaveLength(0);
  });

  test("an output or a reference that is no text is refused before any request", async () => {
    const provider = scriptedProvider([]);
    const judge = createJudge(createClient(provider), { maxOutputTokens: 1 });
    await expect(judge.judge({ output: undefined as unknown as string, claims: [CLAIM], reference: "" })).rejects.toMatchObject({ code: "option_invalid" });
    await expect(judge.judge({ output: "x", claims: [CLAIM], reference: undefined as unknown as string })).rejects.toMatchObject({ code: "option_invalid" });
    expect(provider.calls).toHaveLength(0);
  });

  test("[80] a claim id with half a surrogate pair is refused before any request", async () => {
    for (const id of ["\ud83d", "a\udc00b", "\udc00\ud800"]) {
      const provider = scriptedProvider([]);
      await expect(createJudge(createClient(provider), { maxOutputTokens: 1 }).judge({ output: "x", claims: [{ id, text: "x" }], reference: "" })).rejects.toMatchObject({ code: "json_lone_surrogate" });
      expect(provider.calls).toHaveLength(0);
    }
  });

  test("[81] a schema of 1 MiB or a byte less is sent whole; a byte more is refused and nothing is requested", async () => {
    const provider = scriptedProvider(entailed);
    const judge = createJudge(createClient(provider), { maxOutputTokens: 1 });
    const sizeOf = (request: ModelRequest | undefined): number => new TextEncoder().encode(JSON.stringify(request?.tools[0]?.inputSchema)).length;
    // Two bytes a character, so that bytes and characters are told apart.
    const textOf = (bytes: number): string => "é".repeat(Math.floor(bytes / 2)) + "x".repeat(bytes % 2);
    await judge.judge({ output: "x", claims: [{ id: "c", text: "x" }], reference: "" });
    const frame = sizeOf(provider.calls[0]?.request) - 1;
    for (const size of [1_048_575, 1_048_576]) {
      await judge.judge({ output: "x", claims: [{ id: "c", text: textOf(size - frame) }], reference: "" });
      expect(sizeOf(provider.calls.at(-1)?.request)).toBe(size);
    }
    expect(provider.calls).toHaveLength(3);
    await expect(judge.judge({ output: "x", claims: [{ id: "c", text: textOf(1_048_577 - frame) }], reference: "" })).rejects.toMatchObject({
      code: "judge_schema_too_large",
      message: expect.stringContaining("the schema of these 1 claims has 1048577 bytes"),
    });
    expect(provider.calls).toHaveLength(3);
  });
});

describe("a provider that does not answer", () => {
  test("[90] a cancelled call is one request, its own reason stays the cause, and there are no judgments", async () => {
    const reason = new Error("the caller went home");
    const controller = new AbortController();
    const provider = scriptedProvider(() => {
      controller.abort(reason);
      throw reason;
    });
    const judge = createJudge(createClient(provider), { maxOutputTokens: 513 });
    await expect(judge.judge({ output: "x", claims: [CLAIM], reference: "", signal: controller.signal })).rejects.toMatchObject({ code: "cancelled", cause: reason });
    expect(provider.calls).toHaveLength(1);

    // A provider that gives up by itself is an error of the provider's, and no less final.
    const own = new DOMException("aborted upstream", "AbortError");
    const quitter = scriptedProvider(() => Promise.reject(own));
    await expect(createJudge(createClient(quitter), { maxOutputTokens: 513 }).judge({ output: "x", claims: [CLAIM], reference: "" })).rejects.toMatchObject({ code: "provider_failed", cause: own });
    expect(quitter.calls).toHaveLength(1);
  });

  test("a signal that is aborted already means no request, and one aborted between answers means no further request", async () => {
    const early = scriptedProvider([]);
    await expect(createJudge(createClient(early), { maxOutputTokens: 1 }).judge({ output: "x", claims: [CLAIM], reference: "", signal: AbortSignal.abort("stop") })).rejects.toMatchObject({ code: "cancelled", cause: "stop" });
    expect(early.calls).toHaveLength(0);

    const controller = new AbortController();
    const provider = scriptedProvider(() => toolCallResponse("grade_claims", "{}"));
    const asked = createJudge(createClient(provider), { maxOutputTokens: 1 }).judge({ output: "x", claims: [CLAIM], reference: "", signal: controller.signal, record: () => controller.abort() });
    await expect(asked).rejects.toMatchObject({ code: "cancelled" });
    expect(provider.calls).toHaveLength(1);
  });

  test("a provider that never answers is left behind as soon as the signal is aborted", async () => {
    const controller = new AbortController();
    const provider = scriptedProvider(() => new Promise(() => undefined));
    const asked = createJudge(createClient(provider), { maxOutputTokens: 1 }).judge({ output: "x", claims: [CLAIM], reference: "", signal: controller.signal });
    controller.abort();
    await expect(asked).rejects.toMatchObject({ code: "cancelled" });
  });

  test("the stop reason error is the provider's failure: asked once, never corrected, however good the call beside it looks", async () => {
    const attempts: JudgeAttempt[] = [];
    const provider = scriptedProvider((request) => ({ ...entailed(request), content: [{ type: "text", text: "overloaded" }, ...entailed(request).content], stopReason: "error" }));
    const asked = createJudge(createClient(provider), { maxOutputTokens: 1 }).judge({ output: "x", claims: [CLAIM], reference: "", record: (attempt) => attempts.push(attempt) });
    await expect(asked).rejects.toMatchObject({ code: "provider_failed", message: expect.stringContaining("overloaded") });
    expect(provider.calls).toHaveLength(1);
    expect(attempts).toMatchObject([{ cause: expect.stringContaining('stop reason "error"'), response: { stopReason: "error" } }]);
  });

  test("what is no response at all is no answer either: asked once", async () => {
    const provider = scriptedProvider([undefined as never, null as never]);
    const asked = createJudge(createClient({ complete: async () => undefined as never }), { maxOutputTokens: 1 }).judge({ output: "x", claims: [CLAIM], reference: "" });
    await expect(asked).rejects.toMatchObject({ code: "provider_response_invalid" });
    await expect(createJudge(createClient(provider), { maxOutputTokens: 1 }).judge({ output: "x", claims: [CLAIM], reference: "" })).rejects.toMatchObject({ code: "provider_failed" });
    expect(provider.calls).toHaveLength(1);
  });
});

describe("what a judge keeps of its requests", () => {
  test("each request is recorded with its answer, cause, usage, model and duration, and no member is undefined", async () => {
    let elapsed = 0;
    const clock: Clock = { now: () => elapsed, elapsed: () => elapsed, sleep: async () => undefined };
    const attempts: JudgeAttempt[] = [];
    const provider = scriptedProvider([
      () => {
        elapsed += 1500;
        return toolCallResponse("grade_claims", "{}", { usage: { inputTokens: 10, outputTokens: 2 }, model: "m-1" });
      },
      (request) => {
        elapsed += 20;
        return entailed(request);
      },
    ]);
    const judge = createJudge(createClient(provider), { maxOutputTokens: 64, clock });
    await judge.judge({ output: "x", claims: [CLAIM], reference: "", record: (attempt) => attempts.push(attempt) });
    expect(attempts).toStrictEqual([
      {
        durationMs: 1500,
        request: provider.calls[0]?.request,
        response: { content: [{ type: "tool_call", id: "call_1", name: "grade_claims", arguments: "{}" }], stopReason: "tool_calls", usage: { inputTokens: 10, outputTokens: 2 }, model: "m-1" },
        usage: { inputTokens: 10, outputTokens: 2 },
        model: "m-1",
        cause: "$payload.claim is missing: it is required and must be an object",
      },
      { durationMs: 20, request: provider.calls[1]?.request, response: { content: [expect.anything()], stopReason: "tool_calls" } },
    ]);
  });

  test("a recorder that throws or rejects costs no judgment", async () => {
    const judge = createJudge(createClient(scriptedProvider(entailed)), { maxOutputTokens: 1 });
    const throwing = (): never => {
      throw new Error("disk full");
    };
    const rejecting = (async () => throwing()) as unknown as () => void;
    for (const record of [throwing, rejecting]) expect(await judge.judge({ output: "x", claims: [CLAIM], reference: "", record })).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 0));
  });

  test("the identity says what shapes the answers", () => {
    const plain = createJudge(createClient(scriptedProvider([])), { maxOutputTokens: 7 });
    expect(plain.identity).toStrictEqual({ modelClass: "high-reasoning", maxOutputTokens: 7, maxCorrections: 3, rawArguments: true, fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const other = createJudge(createClient(scriptedProvider([], { rawArguments: false, modelName: (modelClass) => `vendor/${modelClass}` })), { maxOutputTokens: 7, modelClass: "small", maxCorrections: 0 });
    expect(other.identity).toStrictEqual({ modelClass: "small", model: "vendor/small", maxOutputTokens: 7, maxCorrections: 0, rawArguments: false, fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test("the number of corrections is the caller's: with 0 there is one request, with 1 there are two", async () => {
    for (const maxCorrections of [0, 1, 5]) {
      const provider = scriptedProvider(() => toolCallResponse("grade_claims", "{}"));
      const error: unknown = await createJudge(createClient(provider), { maxOutputTokens: 1, maxCorrections }).judge({ output: "x", claims: [CLAIM], reference: "" }).catch((thrown: unknown) => thrown);
      expect(isInvalidJudgeResponse(error) && error.attempts.length).toBe(maxCorrections + 1);
      expect(provider.calls).toHaveLength(maxCorrections + 1);
    }
  });

  test("equal correction requests of one judgment have the ordinals that tell a recording which is which", async () => {
    const provider = scriptedProvider(() => toolCallResponse("grade_claims", "{}"));
    const scope = { suite: "s", scenario: "c", trial: 1, purpose: "judge", ordinal: 0 };
    await createJudge(createClient(provider), { maxOutputTokens: 1 }).judge({ output: "x", claims: [CLAIM], reference: "", scope }).catch(() => undefined);
    expect(provider.calls.map(({ options }) => options.scope?.ordinal)).toEqual([0, 0, 1, 2]);
    expect(provider.calls.every(({ options }) => options.scope?.scenario === "c")).toBe(true);
  });
});

test("[100] twelve judgments at once, each with a reference of its own, never mix", async () => {
  const provider = scriptedProvider(async (request) => {
    const task = judgeTask(request);
    await new Promise((resolve) => setTimeout(resolve, Number(task?.reference.slice(-2)) % 5));
    // The first answer of every second call is refused, so that corrections are interleaved too.
    if (Number(task?.reference.slice(-2)) % 2 === 0 && task?.correction === undefined) return toolCallResponse("grade_claims", "{}");
    return judgeAnswer(request, (claim) => ({ label: "entailed", rationale: `${task?.output} ${task?.reference} ${claim.text}` }));
  });
  const judge = createJudge(createClient(provider), { maxOutputTokens: 100 });
  const numbers = Array.from({ length: 12 }, (_, index) => String(10 + index));
  const answers = await Promise.all(numbers.map((n): Promise<readonly Judgment[]> => judge.judge({ output: `output ${n}`, reference: `reference ${n}`, claims: [{ id: `claim_${n}`, text: `text ${n}` }] })));
  expect(answers).toEqual(numbers.map((n) => [{ claimId: `claim_${n}`, label: "entailed", rationale: `output ${n} reference ${n} text ${n}` }]));
  expect(provider.calls).toHaveLength(18);
});
