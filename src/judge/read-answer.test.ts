import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LABELS, createJudge, isInvalidJudgeResponse, type Claim, type InvalidJudgeResponse, type Judgment } from "entail/judge";
import { createClient, type ModelResponse } from "entail/model";
import { judgeArguments, scriptedProvider, toolCallResponse, type ScriptedProvider } from "entail/testing";

const CLAIM: Claim = { id: "claim", text: "The answer names the price." };
const GOOD = '{"claim":{"label":"contradicted","rationale":" It names none. "}}';

/** A judge whose model always writes `text` as its arguments. */
function always(text: string, rest: Partial<ModelResponse> = {}): { provider: ScriptedProvider; ask: (claims?: readonly Claim[]) => Promise<readonly Judgment[]> } {
  const provider = scriptedProvider((request) => toolCallResponse(request.tools[0]?.name ?? "", text, rest));
  const judge = createJudge(createClient(provider), { maxOutputTokens: 1024 });
  return { provider, ask: (claims = [CLAIM]) => judge.judge({ output: "It costs something.", claims, reference: "" }) };
}

async function rejection(asked: Promise<unknown>): Promise<InvalidJudgeResponse> {
  const error: unknown = await asked.then(
    (judgments) => new Error(`no rejection, but ${JSON.stringify(judgments)}`),
    (thrown: unknown) => thrown,
  );
  if (!isInvalidJudgeResponse(error)) throw error;
  return error;
}

describe("an answer that is not exactly what was asked for is refused, four times, and never rewritten", () => {
  const inner = '{"label":"entailed","rationale":"ok"}';

  /** The causes of the four requests that `text` costs, once the cap, the causes and the exact text have been found in the error. */
  async function causes(text: string): Promise<string> {
    const { provider, ask } = always(text);
    const error = await rejection(ask());
    expect(provider.calls).toHaveLength(4);
    expect(error.message).toContain("in 4 requests (maxCorrections 3 is the cap)");
    const [first = "", ...others] = error.attempts.map((attempt) => attempt.cause);
    expect(others).toEqual([first, first, first]);
    expect(error.message).toContain(first);
    expect(error.attempts.map((attempt) => attempt.response.content)).toEqual(Array.from({ length: 4 }, () => [expect.objectContaining({ arguments: text })]));
    expect(error.faults.map((fault) => fault.place)).toEqual(["request 1", "request 2", "request 3", "request 4"]);
    return first;
  }

  test("[65] the right number of members under another name", async () => {
    expect(await causes(`{"other":${inner}}`)).toContain("$payload.claim is missing");
  });

  test("[66] an empty object", async () => {
    expect(await causes("{}")).toContain("$payload.claim is missing");
  });

  test("[67] a member beside the right one", async () => {
    expect(await causes(`{"claim":${inner},"extra":${inner}}`)).toContain('undeclared property "extra"');
  });

  test("[68] the old list of judgments", async () => {
    expect(await causes('{"judgments":[{"claim_id":"claim","label":"entailed","rationale":"ok"}]}')).toContain('undeclared property "judgments"');
  });

  test("[69] a list at the root", async () => {
    expect(await causes(`[${inner}]`)).toContain("$payload must be an object and is an array");
  });

  test("[70] a judgment without a label", async () => {
    expect(await causes('{"claim":{"rationale":"ok"}}')).toContain("$payload.claim.label is missing");
  });

  test("[71] the label supported", async () => {
    expect(await causes('{"claim":{"label":"supported","rationale":"ok"}}')).toContain('$payload.claim.label must be exactly one of entailed, contradicted, not_addressed, indeterminate and is "supported"');
  });

  test("[72] an empty rationale", async () => {
    expect(await causes('{"claim":{"label":"entailed","rationale":""}}')).toContain("$payload.claim.rationale must not be empty");
  });

  test("[73] a claim that stands twice", async () => {
    expect(await causes(`{"claim":{"label":"contradicted","rationale":"no"},"claim":${inner}}`)).toContain('the member "claim" stands more than once');
  });

  test("[74] a claim that stands twice, once escaped", async () => {
    expect(await causes(`{"claim":{"label":"contradicted","rationale":"no"},"cl\\u0061im":${inner}}`)).toContain('the member "claim" stands more than once');
  });

  test("[75] a label that stands twice", async () => {
    expect(await causes('{"claim":{"label":"contradicted","label":"entailed","rationale":"ok"}}')).toContain('the member "label" stands more than once');
  });

  test("[76] a label that stands twice, once escaped", async () => {
    expect(await causes('{"claim":{"label":"contradicted","l\\u0061bel":"entailed","rationale":"ok"}}')).toContain('the member "label" stands more than once');
  });

  test("[77] a rationale that stands twice", async () => {
    expect(await causes('{"claim":{"label":"entailed","rationale":"a","rationale":"b"}}')).toContain('the member "rationale" stands more than once');
  });

  test.each([
    ["text after the object", `${GOOD} {}`],
    ["a code fence around it", `\`\`\`json\n${GOOD}\n\`\`\``],
    ["a byte order mark before it", `\uFEFF${GOOD}`],
    ["a comma too many", '{"claim":{"label":"entailed","rationale":"ok",}}'],
    ["a comment", '{"claim":{"label":"entailed","rationale":"ok"}/* fine */}'],
    ["single quotes", "{'claim':{'label':'entailed','rationale':'ok'}}"],
    ["no text at all", ""],
    ["null", "null"],
    ["a judgment that is null", '{"claim":null}'],
    ["a judgment that is a list", '{"claim":["entailed","ok"]}'],
    ["a judgment that is a bare label", '{"claim":"entailed"}'],
    ["a label that is null", '{"claim":{"label":null,"rationale":"ok"}}'],
    ["a label in a list", '{"claim":{"label":["entailed"],"rationale":"ok"}}'],
    ["a rationale that is a number", '{"claim":{"label":"entailed","rationale":1}}'],
    ["no rationale", '{"claim":{"label":"entailed"}}'],
    ["a confidence beside the label", '{"claim":{"label":"entailed","rationale":"ok","confidence":1}}'],
    ["half a surrogate pair in the rationale", '{"claim":{"label":"entailed","rationale":"\\ud83d"}}'],
    ["a raw line end in the rationale", '{"claim":{"label":"entailed","rationale":"a\nb"}}'],
    ["the object as a JSON string", JSON.stringify(GOOD)],
  ])("%s is refused", async (_what, text) => {
    const { provider, ask } = always(text);
    await rejection(ask());
    expect(provider.calls).toHaveLength(4);
  });
});

test("[82] a name that stands twice is one issue, invalid_format, wherever it stands and however it is written", async () => {
  const twice = [
    '{"claim":{"label":"entailed","rationale":"ok","deep":{"deeper":{"x":1,"x":2}}}}',
    '{"claim":{"label":"entailed","rationale":"ok","list":[{"a":1},{"x":1,"x":1}]}}',
    '{"claim":{"label":"entailed","rationale":"ok","e":{"x":1,"\\u0078":2}}}',
    '{"claim":{"label":"entailed","rationale":"ok","n":{"\\u0000":1,"\\u0000":2}}}',
  ];
  for (const text of twice) {
    const error = await rejection(always(text).ask());
    expect(error.attempts[0]?.issues).toEqual([{ field: "$payload", constraint: "invalid_format", format: "unique JSON object member names" }]);
  }
});

test("[83] one name in two sibling objects, or names that differ by case or a space, are no duplicates", async () => {
  const claims = ["a", "A", " a", "a ", "label"].map((id) => ({ id, text: `Claim ${id}` }));
  const text = judgeArguments(claims.map(({ id }) => ({ claimId: id, label: "entailed", rationale: `about <${id}>` })));
  const judgments = await always(text).ask(claims);
  expect(judgments.map((judgment) => judgment.rationale)).toEqual(["about <a>", "about <A>", "about < a>", "about <a >", "about <label>"]);

  // In the elements of a list, too: what is at fault here is the member, not its names.
  const error = await rejection(always('{"claim":{"label":"entailed","rationale":"ok","list":[{"x":1},{"x":2}]}}').ask());
  expect(error.attempts[0]?.issues).toEqual([{ field: "$payload.claim.list", constraint: "unknown_field" }]);
});

test("[222] claims named __proto__, constructor and toString are judged like any other", async () => {
  const claims = ["__proto__", "constructor", "toString", "hasOwnProperty"].map((id) => ({ id, text: `About ${id}.` }));
  const labels = ["contradicted", "entailed", "not_addressed", "indeterminate"] as const;
  const given = claims.map(({ id }, index) => ({ claimId: id, label: labels[index] ?? "entailed", rationale: `r${index}` }));
  const { provider, ask } = always(judgeArguments(given));
  expect(await ask(claims)).toEqual(given);
  const schema = provider.calls[0]?.request.tools[0]?.inputSchema ?? {};
  expect(JSON.parse(JSON.stringify(schema["required"]))).toEqual(["__proto__", "constructor", "toString", "hasOwnProperty"]);
  expect(Object.keys(schema["properties"] as object)).toEqual(["__proto__", "constructor", "toString", "hasOwnProperty"]);
  expect(JSON.stringify(schema)).toContain('"__proto__":{"type":"object","description":"About __proto__."');

  const error = await rejection(always("{}").ask(claims));
  expect(error.attempts[0]?.issues.map((issue) => issue.field)).toEqual(["$payload.__proto__", "$payload.constructor", "$payload.toString", "$payload.hasOwnProperty"]);
  await rejection(always('{"claim":{"label":"entailed","rationale":"ok","__proto__":{}}}').ask());
});

test("[223] names that differ only by Unicode normalisation are different names", async () => {
  const composed = "caf\u00e9";
  const decomposed = "cafe\u0301";
  const claims = [composed, decomposed].map((id) => ({ id, text: `About ${id}.` }));
  const given = [
    { claimId: composed, label: "entailed", rationale: "one" },
    { claimId: decomposed, label: "contradicted", rationale: "two" },
  ] as const;
  expect(await always(judgeArguments(given)).ask(claims)).toEqual(given);
  const error = await rejection(always(judgeArguments([{ ...given[0], claimId: decomposed }])).ask([{ id: composed, text: "x" }]));
  expect(error.attempts[0]?.issues.map((issue) => issue.constraint)).toEqual(["unknown_field", "missing_field"]);
});

describe("how an answer stops, and what it calls", () => {
  test.each([
    ["length", "cut off"],
    ["content_filter", "filtered"],
    ["refusal", "refused"],
  ] as const)("the stop reason %s makes even a complete call invalid", async (stopReason, said) => {
    const error = await rejection(always(GOOD, { stopReason }).ask());
    expect(error.attempts[0]?.cause).toContain(said);
    expect(error.attempts[0]?.cause).toContain(`"${stopReason}"`);
  });

  test("a call is taken whether the stop reason is tool_calls or stop, and text beside it is ignored", async () => {
    for (const stopReason of ["tool_calls", "stop"] as const) {
      const provider = scriptedProvider((request) => ({
        content: [
          { type: "text", text: '{"claim":{"label":"entailed","rationale":"first thought"}}' },
          { type: "tool_call", id: "1", name: request.tools[0]?.name ?? "", arguments: GOOD },
          { type: "text", text: "I would rather say entailed." },
        ],
        stopReason,
      }));
      const judge = createJudge(createClient(provider), { maxOutputTokens: 10 });
      expect(await judge.judge({ output: "x", claims: [CLAIM], reference: "" })).toEqual([{ claimId: "claim", label: "contradicted", rationale: " It names none. " }]);
    }
  });

  test("no call, two calls, or a call of a tool that was not offered are invalid", async () => {
    const call = (id: string, name: string): ModelResponse["content"][number] => ({ type: "tool_call", id, name, arguments: GOOD });
    const answers: readonly (readonly [ModelResponse["content"], string])[] = [
      [[{ type: "text", text: GOOD }], "no call"],
      [[call("1", "grade_claims"), call("2", "grade_claims")], "2 calls"],
      [[call("1", "grade_claims"), call("2", "search")], "2 calls"],
      [[call("1", "Grade_Claims")], 'calls "Grade_Claims"'],
      [[call("1", "functions.grade_claims")], "not the grading tool"],
    ];
    for (const [content, cause] of answers) {
      const provider = scriptedProvider(() => ({ content, stopReason: "tool_calls" }));
      const error = await rejection(createJudge(createClient(provider), { maxOutputTokens: 10 }).judge({ output: "x", claims: [CLAIM], reference: "" }));
      expect(error.attempts[0]?.cause).toContain(cause);
      expect(provider.calls).toHaveLength(4);
    }
  });
});

describe("whatever happens to the text of a valid answer, it gives the same labels or none", () => {
  const judgmentOf = fc.record({ label: fc.constantFrom(...LABELS), rationale: fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).filter((text) => text.isWellFormed()) });
  const answerOf = fc.uniqueArray(fc.constantFrom("a", "b", "claim", "10", "2", "__proto__", "label", "é", 'q"', "\n"), { minLength: 1, maxLength: 4 }).chain((ids) =>
    fc.tuple(...ids.map((id) => judgmentOf.map((judgment) => ({ claimId: id, ...judgment })))),
  );
  type Mutation = (text: string) => string;
  const position = fc.double({ min: 0, max: 1, noNaN: true });
  const at = (text: string, share: number): number => Math.min(text.length, Math.floor(share * (text.length + 1)));
  const noise = fc.oneof(fc.constantFrom('"', "{", "}", "[", "]", ",", ":", "\\", " ", "\n", "\uFEFF", "\u200b", "e", "\\u0065", "/", "`", "null"), fc.string({ unit: "binary", minLength: 1, maxLength: 2 }));
  const mutation: fc.Arbitrary<Mutation> = fc.oneof(
    fc.tuple(position, noise).map(([share, piece]): Mutation => (text) => text.slice(0, at(text, share)) + piece + text.slice(at(text, share))),
    fc.tuple(position, noise).map(([share, piece]): Mutation => (text) => text.slice(0, at(text, share)) + piece + text.slice(at(text, share) + 1)),
    fc.tuple(position, fc.nat(30)).map(([share, length]): Mutation => (text) => text.slice(0, at(text, share)) + text.slice(at(text, share) + length)),
    fc.tuple(position, fc.nat(80)).map(([share, length]): Mutation => (text) => text.slice(0, at(text, share) + length) + text.slice(at(text, share))),
    position.map((share): Mutation => (text) => text.slice(0, at(text, share))),
    fc.constantFrom<Mutation>((text) => `\`\`\`json\n${text}\n\`\`\``, (text) => JSON.stringify(text), (text) => `[${text}]`, (text) => `{"input":${text}}`, (text) => ` ${text}\n`, (text) => text.toUpperCase()),
  );

  test("a random change of the text is taken with every label as before, or the whole answer is invalid", async () => {
    let taken = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(answerOf, fc.array(mutation, { minLength: 1, maxLength: 2 }), async (judgments, mutations) => {
        const text = mutations.reduce((current, mutate) => mutate(current), judgeArguments(judgments));
        const claims = judgments.map(({ claimId }) => ({ id: claimId, text: "t" }));
        const provider = scriptedProvider([toolCallResponse("grade_claims", text)]);
        const judge = createJudge(createClient(provider), { maxOutputTokens: 10, maxCorrections: 0 });
        let got: readonly Judgment[];
        try {
          got = await judge.judge({ output: "x", claims, reference: "" });
        } catch (error) {
          if (!isInvalidJudgeResponse(error)) throw error;
          refused++;
          return;
        }
        taken++;
        expect(got.map(({ claimId, label }) => [claimId, label])).toEqual(judgments.map(({ claimId, label }) => [claimId, label]));
        // What is taken is what the text says to any reader of JSON, member for member.
        const read = new Map(Object.entries(JSON.parse(text) as Record<string, unknown>));
        expect(read.size).toBe(claims.length);
        for (const { claimId, label, rationale } of got) expect(read.get(claimId)).toEqual({ label, rationale });
      }),
      { numRuns: 1500 },
    );
    expect(taken).toBeGreaterThan(20);
    expect(refused).toBeGreaterThan(500);
  });

  test("white space between the tokens, the order of the members and the way a character is escaped change nothing", async () => {
    const escaped = fc.func(fc.boolean());
    await fc.assert(
      fc.asyncProperty(answerOf, fc.infiniteStream(fc.constantFrom("", " ", "\n\t")), escaped, fc.boolean(), async (judgments, spaces, escape, swapped) => {
        const space = (): string => spaces.next().value ?? "";
        const word = (text: string): string => `"${Array.from(text, (c, i) => (escape(c, i) ? Array.from({ length: c.length }, (_, unit) => `\\u${c.charCodeAt(unit).toString(16).padStart(4, "0")}`).join("") : JSON.stringify(c).slice(1, -1))).join("")}"`;
        const member = (name: string, value: string): string => `${space()}${word(name)}${space()}:${space()}${value}${space()}`;
        const members = judgments.map(({ claimId, label, rationale }) => {
          const inside = [member("label", word(label)), member("rationale", word(rationale))];
          return member(claimId, `{${(swapped ? inside.toReversed() : inside).join(",")}}`);
        });
        const text = `${space()}{${(swapped ? members.toReversed() : members).join(",")}}${space()}`;
        expect(await always(text).ask(judgments.map(({ claimId }) => ({ id: claimId, text: "t" })))).toEqual(judgments);
      }),
      { numRuns: 300 },
    );
  });
});
