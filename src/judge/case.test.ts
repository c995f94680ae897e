// Troubles that other judges have had, told in our protocol: one forced tool, one member a claim. Where a case allows a repaired or a
// partial answer, ours is refused whole.

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRunner, type Suite } from "entail";
import { createJudge, isInvalidJudgeResponse, LABELS, type Claim, type InvalidJudgeResponse, type Judgment } from "entail/judge";
import { createClient, type ModelRequest, type ModelResponse } from "entail/model";
import { judgeAnswer, judgeArguments, judgeTask, scriptedProvider, toolCallResponse } from "entail/testing";

const PARCEL: readonly Claim[] = [{ id: "c1", text: "The agent told the customer the parcel arrives on Tuesday." }];
const ORDER: readonly Claim[] = [
  { id: "c1", text: "The agent looked the order up before answering." },
  { id: "c2", text: "The agent offered a refund." },
  { id: "c3", text: "The agent never asked for a card number." },
];

type Reply = string | ModelResponse;

function responseOf(reply: Reply): ModelResponse {
  return typeof reply === "string" ? toolCallResponse("grade_claims", reply) : reply;
}

/** What becomes of a model that always gives this reply. */
async function replied(reply: Reply, claims: readonly Claim[] = PARCEL, maxOutputTokens = 512): Promise<{ judgments: readonly Judgment[] } | { error: InvalidJudgeResponse; requests: readonly ModelRequest[] }> {
  const provider = scriptedProvider(() => responseOf(reply));
  try {
    return { judgments: await createJudge(createClient(provider), { maxOutputTokens }).judge({ output: "It arrives on Tuesday.", claims, reference: "" }) };
  } catch (error) {
    if (!isInvalidJudgeResponse(error)) throw error;
    return { error, requests: provider.calls.map((call) => call.request) };
  }
}

/** The error of a reply that must give no judgment at all, after 4 requests. */
async function refused(reply: Reply, claims: readonly Claim[] = PARCEL, maxOutputTokens = 512): Promise<InvalidJudgeResponse> {
  const outcome = await replied(reply, claims, maxOutputTokens);
  if ("judgments" in outcome) throw new Error(`taken as ${JSON.stringify(outcome.judgments)}: ${JSON.stringify(reply)}`);
  expect(outcome.requests).toHaveLength(4);
  return outcome.error;
}

/** True where every one of these replies is refused. */
async function allRefused(replies: Iterable<Reply>, claims: readonly Claim[] = PARCEL): Promise<boolean> {
  for (const reply of replies) await refused(reply, claims);
  return true;
}

async function taken(reply: Reply, claims: readonly Claim[] = PARCEL): Promise<readonly Judgment[]> {
  const outcome = await replied(reply, claims);
  if ("error" in outcome) throw outcome.error;
  return outcome.judgments;
}

const VALID = '{"c1":{"label":"entailed","rationale":"It says Tuesday."}}';
const judgment = (claimId: string, label: string, rationale = "because"): Judgment => ({ claimId, label: label as Judgment["label"], rationale });

describe("kind judge-reply-wrapping", () => {
  test("case 001: arguments in a Markdown fence are refused after 4 requests, and the claim has no label", async () => {
    const error = await refused(`\`\`\`json\n${VALID}\n\`\`\``);
    expect(error.attempts[0]?.cause).toContain("code fence");
  });

  test("case 002: a label in prose is not read out of it", async () => {
    const error = await refused({ content: [{ type: "text", text: `Happy to help! My view: ${VALID} Hope that is useful.` }], stopReason: "stop" });
    expect(error.attempts[0]?.cause).toContain("no call of the grading tool");
  });

  test("kind judge-reply-wrapping: nothing may stand around the object but JSON's white space", async () => {
    const around = fc.string({ unit: "binary", minLength: 1, maxLength: 6 }).filter((text) => !/^[ \t\r\n]*$/.test(text));
    await fc.assert(
      fc.asyncProperty(around, fc.boolean(), async (text, before) => void (await refused(before ? text + VALID : VALID + text))),
      { numRuns: 300 },
    );
    for (const wrapped of [`<json>${VALID}</json>`, `{"arguments":${VALID}}`, `{"claims":${VALID}}`, `[${VALID}]`, `${VALID};`, `const x = ${VALID}`, `(${VALID})`, `~~~\n${VALID}\n~~~`, `\u00a0${VALID}`, `${VALID}\u0000`]) await refused(wrapped);
    expect(await taken(` \n\t\r${VALID}\n`)).toHaveLength(1);
  });
});

describe("kind over-eager-repair", () => {
  test("case 005: commas and brackets in a rationale are left as they are", async () => {
    const rationale = "The answer ends with [a, b,] and {x: 1,} which is odd";
    expect(await taken(judgeArguments([judgment("c1", "contradicted", rationale)]))).toEqual([judgment("c1", "contradicted", rationale)]);
  });

  test("kind over-eager-repair: every rationale comes back character for character", async () => {
    const piece = fc.oneof(fc.constantFrom(",]", ",}", "```json", "```", "// x", "/* y */", "'", "NaN", "True", "\\", '"', "\n", "\t", "{", "}", "<b>", "  ", "\u200b", "\u2028", "é", "e\u0301"), fc.string({ unit: "grapheme", maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join("")), fc.constantFrom(...LABELS), async (rationale, label) => {
        fc.pre(rationale !== "" && rationale.isWellFormed());
        expect(await taken(judgeArguments([judgment("c1", label, rationale)]))).toEqual([judgment("c1", label, rationale)]);
      }),
      { numRuns: 300 },
    );
  });
});

describe("kind double-encoding", () => {
  test("case 007: a value sent as a JSON string is refused, and named", async () => {
    const error = await refused(JSON.stringify({ c1: '{"label":"entailed","rationale":"fine"}' }));
    expect(error.attempts[0]?.cause).toContain("$payload.c1 must be an object and is a string");
    const list = await refused(JSON.stringify({ verdicts: '[{"claim_id":"c1","label":"entailed","reason":"fine"}]' }));
    expect(list.attempts[0]?.cause).toContain("verdicts");
  });

  test.each([
    ["the whole object", JSON.stringify(VALID)],
    ["the whole object, twice", JSON.stringify(JSON.stringify(VALID))],
    ["the label", '{"c1":{"label":"\\"entailed\\"","rationale":"ok"}}'],
    ["the label in a list in a string", '{"c1":{"label":"[\\"entailed\\"]","rationale":"ok"}}'],
    ["one of two judgments", '{"c1":{"label":"entailed","rationale":"ok"},"c2":"{\\"label\\":\\"entailed\\",\\"rationale\\":\\"ok\\"}"}'],
    ["the object, escaped for a URL", encodeURIComponent(VALID)],
  ])("kind double-encoding: %s as a string is refused", async (_what, text) => {
    expect(await allRefused([text], text.includes("c2") ? ORDER.slice(0, 2) : PARCEL)).toBe(true);
  });
});

describe("kind judge-reply-incomplete", () => {
  test("case 009: an answer that was cut is not closed for the model: no claim has a label, and the limit is named", async () => {
    const error = await refused(toolCallResponse("grade_claims", '{"c1":{"label":"entailed","rationale":"yes"},"c2":{"label":"entailed","rationale":"it off', { stopReason: "length" }), ORDER);
    expect(error.attempts[0]?.cause).toContain("the token limit");
    expect(error.attempts[0]?.cause).toContain("a string has no end");
  });

  test("case 011: one judgment for three claims is no answer, and the two others are named", async () => {
    const error = await refused('{"c3":{"label":"entailed","rationale":"never asked"}}', ORDER);
    expect(error.attempts[0]?.issues).toEqual([
      { field: "$payload.c1", constraint: "missing_field", expectedJsonType: "object" },
      { field: "$payload.c2", constraint: "missing_field", expectedJsonType: "object" },
    ]);
  });

  test("case 013: a judgment without a label has none: neither entailed nor contradicted by default", async () => {
    const error = await refused('{"c1":{"rationale":"I forgot to decide."}}');
    expect(error.attempts[0]?.cause).toContain("$payload.c1.label is missing");
  });

  test("case 014: thinking that used up the limit is an error that names the limit and the option", async () => {
    const error = await refused({ content: [], stopReason: "length", usage: { outputTokens: 512, reasoningTokens: 512 } }, [{ id: "c1", text: "The agent apologised." }], 512);
    expect(error.message).toContain("maxOutputTokens 512");
    expect(error.message).toContain("raise maxOutputTokens");
  });

  test("kind judge-reply-incomplete: no proper beginning of a valid answer is an answer, whatever the stop reason says", async () => {
    const whole = judgeArguments(ORDER.map(({ id }, index) => judgment(id, LABELS[index] ?? "entailed", 'so "it" is {1}')));
    const beginnings = Array.from({ length: whole.length }, (_, length) => whole.slice(0, length));
    for (const stopReason of ["tool_calls", "length"] as const) {
      expect(await allRefused(beginnings.map((text) => toolCallResponse("grade_claims", text, { stopReason })), ORDER)).toBe(true);
    }
    expect(await taken(whole, ORDER)).toHaveLength(3);
  });

  test("kind judge-reply-incomplete: an answer that leaves out any claim, or any part of a judgment, is none", async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(["c1", "c2", "c3"], { maxLength: 2 }), async (ids) => {
        const error = await refused(judgeArguments(ids.map((id) => judgment(id, "entailed"))), ORDER);
        expect(error.attempts[0]?.issues).toHaveLength(3 - ids.length);
      }),
      { numRuns: 20 },
    );
    for (const text of ['{"c1":{}}', '{"c1":{"label":"entailed"}}', '{"c1":{"label":"entailed","rationale":""}}', '{"c1":{"label":"","rationale":"ok"}}', '{"c1":{"label":null,"rationale":null}}', '{"":{"label":"entailed","rationale":"ok"}}']) await refused(text);
  });
});

describe("kind judge-reply-ambiguous", () => {
  test("case 015: a label that stands twice is neither its first nor its last value", async () => {
    const error = await refused('{"c1":{"label":"contradicted","label":"entailed","rationale":"hm"}}');
    expect(error.attempts[0]?.cause).toContain('"label" stands more than once');
  });

  const call = (id: string, text: string): ModelResponse["content"][number] => ({ type: "tool_call", id, name: "grade_claims", arguments: text });

  test("case 016: of two calls that disagree, neither is picked", async () => {
    const error = await refused({ content: [call("t1", judgeArguments([judgment("c1", "entailed", "a")])), call("t2", judgeArguments([judgment("c1", "contradicted", "b")]))], stopReason: "tool_calls" });
    expect(error.attempts[0]?.cause).toContain("2 calls");
  });

  test("case 017: two calls that say the same are still two", async () => {
    const error = await refused({ content: [call("t1", '{"c1":{"label":"entailed","rationale":"same"}}'), call("t2", '{"c1":{"rationale":"same","label":"entailed"}}')], stopReason: "tool_calls" });
    expect(error.attempts[0]?.cause).toContain("2 calls");
  });

  test("case 019: a pass flag beside a score of 0 is no label, and never passes", async () => {
    await refused('{"pass":true,"score":0,"reason":"The reply insults the customer."}');
    await refused('{"c1":{"pass":true,"score":0,"rationale":"The reply insults the customer."}}');
    const error = await refused('{"c1":{"label":"contradicted","pass":true,"rationale":"The reply insults the customer."}}');
    expect(error.attempts[0]?.cause).toContain('$payload.c1 has the undeclared property "pass"');
  });

  test("kind judge-reply-ambiguous: whatever is said twice, wherever and in whatever order, is not said", async () => {
    const labels = fc.constantFrom(...LABELS);
    const spelling = (name: string): fc.Arbitrary<string> => fc.tuple(...Array.from(name, (c) => fc.constantFrom(c, `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`))).map((parts) => parts.join(""));
    const member = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.tuple(spelling(name), value).map(([written, text]) => `"${written}":${text}`);
    const label = member("label", labels.map((text) => `"${text}"`));
    const rationale = member("rationale", fc.constantFrom('"a"', '"b"'));
    const object = (members: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> => fc.tuple(...members).chain((texts) => fc.shuffledSubarray(texts, { minLength: texts.length })).map((texts) => `{${texts.join(",")}}`);
    const sound = object([label, rationale]);
    const twice = fc.oneof(object([member("c1", object([label, label, rationale]))]), object([member("c1", object([label, rationale, rationale]))]), object([member("c1", sound), member("c1", sound)]));
    await fc.assert(fc.asyncProperty(twice, async (text) => void (await refused(text))), { numRuns: 200 });
    // The same making of texts without the second member is taken, so it is the second member that is refused.
    await fc.assert(fc.asyncProperty(object([member("c1", sound)]), async (text) => {
        expect(await taken(text)).toHaveLength(1);
      }), { numRuns: 50 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 5 }), labels, async (count, chosen) => void (await refused({ content: Array.from({ length: count }, (_, index) => call(`t${index}`, judgeArguments([judgment("c1", chosen)]))), stopReason: "tool_calls" }))),
      { numRuns: 10 },
    );
  });
});

describe("kind judge-label-mapping", () => {
  test("case 020: a label in other case, or with white space, is no label: the whole answer is refused, and nothing becomes a fail", async () => {
    const error = await refused('{"c1":{"label":"Entailed","rationale":"a"},"c2":{"label":"CONTRADICTED","rationale":"b"},"c3":{"label":" entailed\\n","rationale":"c"}}', ORDER);
    expect(error.attempts[0]?.issues.map((issue) => issue.constraint)).toEqual(["invalid_enum_value", "invalid_enum_value", "invalid_enum_value"]);
  });

  test("case 021: a word that holds a label is not that label", async () => {
    const labels = ["INCORRECT", "correct", "incorrect ", "not correct", "not entailed", "unentailed", "entailed?", "contradicted: not entailed", "not_addressed_entailed"];
    expect(await allRefused(labels.map((label) => judgeArguments([judgment("c1", label)])))).toBe(true);
  });

  test("case 023: no truth value, as a text, a number or itself, is a label", async () => {
    const values = ['"false"', '"FALSE"', "0", "null", "false", "true", '"true"', "1", "[]", "{}"];
    expect(await allRefused(values.map((value) => `{"c1":{"label":${value},"rationale":"r"}}`))).toBe(true);
    expect(await allRefused(['{"c1":{"rationale":"no verdict"}}', '{"c1":false}', '{"c1":true}'])).toBe(true);
  });

  test("case 024: invisible characters around a label make it none, and no label is looked for elsewhere", async () => {
    const error = await refused({ content: [{ type: "text", text: "label: contradicted (first thought)" }, { type: "tool_call", id: "t1", name: "grade_claims", arguments: judgeArguments([judgment("c1", "\u200bentailed\ufeff", "ok")]) }], stopReason: "tool_calls" });
    expect(error.attempts[0]?.cause).toContain('"\\u200bentailed\\ufeff"');
  });

  test("kind judge-label-mapping: one of the four texts is a label, and no other text is", async () => {
    const near = fc.constantFrom(...LABELS).chain((label) =>
      fc.oneof(
        fc.constantFrom(label.toUpperCase(), label.replaceAll("_", " "), label.replaceAll("_", "-"), `${label}.`, `"${label}"`, label.normalize("NFKD").replaceAll("e", "е"), label.slice(1), label.slice(0, -1), `not ${label}`, `${label} ${label}`, label.replace("e", "é")),
        fc.tuple(fc.nat(label.length), fc.constantFrom("\u200b", "\u00ad", "\ufeff", " ", "\u0000", "_", "\u0301")).map(([at, mark]) => label.slice(0, at) + mark + label.slice(at)),
      ),
    );
    const text = fc.oneof(near, fc.string({ unit: "grapheme", maxLength: 14 })).filter((label) => label.isWellFormed());
    await fc.assert(
      fc.asyncProperty(text, async (label) => {
        const outcome = await replied(judgeArguments([judgment("c1", label)]));
        expect("judgments" in outcome ? outcome.judgments : []).toEqual((LABELS as readonly string[]).includes(label) ? [judgment("c1", label)] : []);
      }),
      { numRuns: 300 },
    );
    for (const label of LABELS) expect(await taken(judgeArguments([judgment("c1", label)]))).toEqual([judgment("c1", label)]);
  });
});

describe("kind judge-identity-mismatch", () => {
  test("case 025: a claim id in other case is another id: both are named, and no claim is dropped in silence", async () => {
    const claims = [
      { id: "uses-RL", text: "The plan uses RL." },
      { id: "low-cost", text: "The plan is cheap." },
    ];
    const error = await refused('{"uses-rl":{"label":"entailed","rationale":"a"},"low-cost":{"label":"contradicted","rationale":"b"}}', claims);
    expect(error.attempts[0]?.cause).toContain('"uses-rl"');
    expect(error.attempts[0]?.cause).toContain('$payload["uses-RL"] is missing');
  });

  test("kind judge-identity-mismatch: an id answers for itself alone, and by name, never by position", async () => {
    const id = fc.oneof(fc.constantFrom("Claim", "café", "ﬁ", "a b", "a_b", "İ", "ß", "1", "01", "A"), fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 })).filter((text) => text.isWellFormed());
    const variant = fc.constantFrom<(text: string) => string>((t) => t.toLowerCase(), (t) => t.toUpperCase(), (t) => t.normalize("NFD"), (t) => t.normalize("NFKC"), (t) => ` ${t}`, (t) => `${t} `, (t) => t.replaceAll(" ", "_"), (t) => t.replaceAll("_", " "), (t) => `${t}\u200b`, (t) => `0${t}`);
    let differed = 0;
    await fc.assert(
      fc.asyncProperty(id, variant, async (asked, change) => {
        const named = change(asked);
        if (named !== asked) differed++;
        expect("judgments" in (await replied(judgeArguments([judgment(named, "entailed")]), [{ id: asked, text: "t" }]))).toBe(named === asked);
      }),
      { numRuns: 300 },
    );
    expect(differed).toBeGreaterThan(50);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(["c1", "c2", "c3"], { minLength: 3 }), async (order) => {
        const judgments = await taken(judgeArguments(order.map((claimId) => judgment(claimId, "entailed", `about ${claimId}`))), ORDER);
        expect(judgments.map(({ claimId, rationale }) => [claimId, rationale])).toEqual([["c1", "about c1"], ["c2", "about c2"], ["c3", "about c3"]]);
      }),
      { numRuns: 20 },
    );
  });
});

describe("kind infra-error-not-a-verdict", () => {
  test("case 027: a judge that refuses gives no label, neither a pass nor a fail", async () => {
    const error = await refused({ content: [{ type: "text", text: "I can't help with that." }], stopReason: "refusal" });
    expect(error.attempts[0]?.cause).toContain("refused");
    expect(error.attempts[0]?.response.content).toEqual([{ type: "text", text: "I can't help with that." }]);
  });

  test("case 029: with the account out of credit from the fifth scenario on, 4 scenarios pass, 5 are errors and never labels, and each cost one request", async () => {
    const broke = Object.assign(new Error("Your credit balance is too low"), { status: 400 });
    const provider = scriptedProvider(
      (request) => {
        if (Number(judgeTask(request)?.output) > 4) throw broke;
        return judgeAnswer(request, () => "entailed");
      },
      { calibrates: true },
    );
    const claims = Array.from({ length: 5 }, (_, index) => ({ id: `c${index}`, text: `Claim ${index}` }));
    const suite: Suite = {
      id: "credit",
      description: "Nine outputs with five claims each.",
      scenarios: Array.from({ length: 9 }, (_, index) => ({ id: `case_${index + 1}`, description: "One output.", tags: [], timeoutMs: 10_000, run: () => ({ claims, output: String(index + 1) }) })),
    };
    const report = await createRunner({ judge: createJudge(createClient(provider), { maxOutputTokens: 500 }), maxConcurrency: 3 }).run(suite);
    expect(report.passed).toBe(false);
    expect(report.totals).toMatchObject({ scenarios: 9, passed: 4, failed: 0, errored: 5, errors: { judge: 5 } });
    expect(report.scenarios.flatMap((scenario) => scenario.judgments ?? [])).toHaveLength(20);
    const errored = report.scenarios.slice(4).map(({ outcome, judgments, error }) => ({ outcome, judgments, code: error?.code, message: error?.message }));
    expect(errored).toEqual(Array.from({ length: 5 }, () => ({ outcome: "errored", judgments: undefined, code: "provider_failed", message: expect.stringContaining("credit balance is too low") })));
    // One for the calibration, one a scenario, and no correction.
    expect(provider.calls).toHaveLength(10);
  });

  test("kind infra-error-not-a-verdict: whatever a provider throws is an error asked for once, with what was thrown as its cause", async () => {
    const thrown = fc.oneof(
      fc.record({ status: fc.constantFrom(400, 401, 402, 403, 404, 408, 429, 500, 503, 529), message: fc.string() }).map(({ status, message }) => Object.assign(new Error(message), { status })),
      fc.constantFrom<unknown>(new TypeError("fetch failed"), new DOMException("timed out", "TimeoutError"), "just text", 0, null, undefined, false, { label: "entailed" }, new AggregateError([new Error("a")])),
    );
    await fc.assert(
      fc.asyncProperty(thrown, async (error) => {
        let requests = 0;
        const client = createClient({
          complete: () => {
            requests++;
            throw error;
          },
        });
        const caught: unknown = await createJudge(client, { maxOutputTokens: 5 }).judge({ output: "x", claims: PARCEL, reference: "" }).catch((reason: unknown) => reason);
        expect(caught).toMatchObject({ code: "provider_failed" });
        expect((caught as Error).cause).toBe(error);
        expect(requests).toBe(1);
      }),
      { numRuns: 60 },
    );
  });
});

describe("kind judge-request-shape", () => {
  test("case 030: a model that cannot be forced to call answers in prose or refuses the request; both are errors before any label", async () => {
    // The setting was dropped on the way, and the model only talks.
    await refused({ content: [{ type: "text", text: "After some thought: entailed." }], stopReason: "stop" });
    // The provider rejects the request: its own words end the run before the first hook, at the cost of one request.
    const rejected = Object.assign(new Error("Thinking may not be enabled when tool_choice forces tool use."), { status: 400 });
    const provider = scriptedProvider(() => Promise.reject(rejected));
    let hooks = 0;
    const suite: Suite = {
      id: "thinking",
      description: "Two scenarios with a claim.",
      scenarios: ["one", "two"].map((id) => ({ id, description: "One output.", tags: [], timeoutMs: 10_000, run: () => (hooks++, { claims: PARCEL, output: "x" }) })),
    };
    const report = await createRunner({ judge: createJudge(createClient(provider), { maxOutputTokens: 5 }), maxConcurrency: 2 }).run(suite);
    expect(report).toMatchObject({ passed: false, error: { code: "calibration_failed", stage: "calibration", message: expect.stringContaining("Thinking may not be enabled") } });
    expect([hooks, provider.calls.length]).toEqual([0, 1]);
  });

  test("kind judge-request-shape: whatever is judged, every request forces its one tool at temperature 0 with the budget as given", async () => {
    const claimsOf = fc.uniqueArray(fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }).filter((id) => id.isWellFormed()), { minLength: 1, maxLength: 6 }).map((ids) => ids.map((id) => ({ id, text: `Claim ${id}` })));
    await fc.assert(
      fc.asyncProperty(claimsOf, fc.string(), fc.string(), fc.integer({ min: 1, max: 1e6 }), fc.constantFrom("high-reasoning" as const, "default" as const, "small" as const), async (claims, output, reference, maxOutputTokens, modelClass) => {
        const provider = scriptedProvider((request) => (judgeTask(request)?.correction === undefined ? toolCallResponse("grade_claims", "[]") : judgeAnswer(request, () => "entailed")));
        await createJudge(createClient(provider), { maxOutputTokens, modelClass }).judge({ output, claims, reference });
        expect(provider.calls).toHaveLength(2);
        for (const { request } of provider.calls) {
          expect(request).toMatchObject({ temperature: 0, maxOutputTokens, modelClass, toolChoice: { tool: request.tools[0]?.name } });
          expect(request.tools).toHaveLength(1);
          expect(judgeTask(request)).toMatchObject({ output, reference, claims });
        }
      }),
      { numRuns: 100 },
    );
  });
});
