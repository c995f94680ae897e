import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createRunner, type Report, type Suite } from "entail";
import { createJudge } from "entail/judge";
import { createClient, recorded, recording, type ModelRequest, type ModelResponse, type Provider, type Scope } from "entail/model";
import { judgeAnswer, scriptedProvider } from "entail/testing";
import * as fc from "fast-check";
import { sameJson } from "../json/write-json.ts";

const folder = mkdtempSync(join(tmpdir(), "entail-recording-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = (): string => join(folder, `recording-${files++}.json`);

const scope = (over: Partial<Scope> = {}): Scope => ({ suite: "chat", scenario: "greeting", trial: 1, purpose: "judge", ordinal: 0, ...over });
const request = (over: Partial<ModelRequest> = {}): ModelRequest => ({
  modelClass: "default",
  messages: [{ role: "system", content: "You grade." }, { role: "user", content: "What is 6 by 7?" }],
  tools: [],
  toolChoice: "auto",
  temperature: 0,
  maxOutputTokens: 100,
  ...over,
});
const said = (text: string, over: Partial<ModelResponse> = {}): ModelResponse => ({ content: [{ type: "text", text }], stopReason: "stop", usage: { inputTokens: 3, outputTokens: 2 }, model: "m1-dated", ...over });
/** Answers with how often it was asked. */
const counting = (): Provider & { asked: number } => {
  const provider = {
    asked: 0,
    async complete(): Promise<ModelResponse> {
      provider.asked += 1;
      return said(`answer ${provider.asked}`);
    },
  };
  return provider;
};
const contentOf = (file: string): any => JSON.parse(readFileSync(file, "utf8"));
const textOf = (response: ModelResponse): string => (response.content[0]?.type === "text" ? response.content[0].text : "");

async function thrownBy(work: () => unknown): Promise<any> {
  try {
    await work();
  } catch (thrown) {
    return thrown;
  }
  throw new Error("nothing was thrown");
}

describe("modes", () => {
  test("auto asks for what the file does not hold and replays what it does, with usage, model and time kept", async () => {
    const file = newFile();
    const provider = counting();
    expect(await recorded(provider, { file }).complete(request(), { scope: scope() })).toEqual(said("answer 1"));
    expect(await recorded(provider, { file }).complete(request(), { scope: scope() })).toEqual(said("answer 1"));
    expect(provider.asked).toBe(1);
    expect(contentOf(file)).toEqual({ version: 1, recordings: [{ scope: scope(), kind: "response", request: expect.objectContaining({ temperature: 0 }), answer: expect.objectContaining({ usage: { inputTokens: 3, outputTokens: 2 }, model: "m1-dated" }), durationMs: expect.any(Number) }] });
  });

  test("record asks always and replaces what the trial held before, also what it does not ask any more", async () => {
    const file = newFile();
    const provider = counting();
    const first = recorded(provider, { file });
    await first.complete(request(), { scope: scope() });
    await first.complete(request({ temperature: 1 }), { scope: scope() });
    await first.complete(request(), { scope: scope({ trial: 2 }) });
    const again = recording({ file, mode: "record" });
    expect(textOf(await again.provider(provider).complete(request(), { scope: scope() }))).toBe("answer 4");
    again.flush();
    expect(contentOf(file).recordings.map((entry: any) => [entry.scope.trial, entry.answer.content[0].text])).toEqual([[1, "answer 4"], [2, "answer 3"]]);
  });

  test("strict never asks, and off never looks", async () => {
    const file = newFile();
    const provider = counting();
    await recorded(provider, { file }).complete(request(), { scope: scope() });
    expect(textOf(await recorded(provider, { file, mode: "strict" }).complete(request(), { scope: scope() }))).toBe("answer 1");
    expect(textOf(await recorded(provider, { file, mode: "off" }).complete(request(), { scope: scope() }))).toBe("answer 2");
    expect(await thrownBy(() => recorded(provider, { file: newFile(), mode: "strict" }).complete(request(), { scope: scope() }))).toMatchObject({ code: "recording_missing", message: expect.stringContaining("it holds nothing") });
    expect(provider.asked).toBe(2);
  });

  test("outside a trial a call without a scope is passed on and not kept, and a strict replay refuses it", async () => {
    const file = newFile();
    const provider = counting();
    expect(textOf(await recorded(provider, { file }).complete(request(), {}))).toBe("answer 1");
    expect(existsSync(file)).toBe(false);
    expect(await thrownBy(() => recorded(provider, { file, mode: "strict" }).complete(request(), {}))).toMatchObject({ code: "recording_scope_missing" });
    expect(provider.asked).toBe(1);
  });

  test("a stream is recorded by its response, and comes back as one from either kind of call", async () => {
    const file = newFile();
    const provider: Provider = {
      complete: () => Promise.reject(new Error("not asked")),
      async *stream() {
        yield { type: "text_delta", text: "4" };
        yield { type: "text_delta", text: "2" };
        yield { type: "response", response: said("42") };
      },
    };
    const parts: unknown[] = [];
    for await (const part of recorded(provider, { file }).stream?.(request(), { scope: scope() }) ?? []) parts.push(part);
    expect(parts).toHaveLength(3);
    const strict = recording({ file, mode: "strict" }).provider(provider);
    const replayed: unknown[] = [];
    for await (const part of strict.stream?.(request(), { scope: scope() }) ?? []) replayed.push(part);
    expect(replayed).toEqual([{ type: "text_delta", text: "42" }, { type: "response", response: said("42") }]);
    expect(textOf(await recorded(provider, { file, mode: "strict" }).complete(request(), { scope: scope() }))).toBe("42");
  });

  test.each([
    [{ file: "" }, "a file"],
    [{ file: "x", mode: "replay" }, "mode must be one of"],
    [{ file: "x", strict: true }, '"strict"'],
  ])("%j is refused", (options, why) => {
    expect(() => recording(options as never)).toThrow(expect.objectContaining({ code: "option_invalid", message: expect.stringContaining(why) }));
  });
});

describe("the scope of a call", () => {
  test("equal requests of one trial are told apart by their order, in parallel too", async () => {
    const file = newFile();
    const provider = counting();
    const first = recorded(provider, { file });
    const answers = (await Promise.all(Array.from({ length: 5 }, () => first.complete(request(), { scope: scope() })))).map(textOf);
    expect(answers).toEqual(["answer 1", "answer 2", "answer 3", "answer 4", "answer 5"]);
    const strict = recorded(provider, { file, mode: "strict" });
    expect((await Promise.all(Array.from({ length: 5 }, () => strict.complete(request(), { scope: scope() })))).map(textOf)).toEqual(answers);
    expect(await thrownBy(() => strict.complete(request(), { scope: scope() }))).toMatchObject({ code: "recording_missing", message: expect.stringContaining("not so often") });
    expect(provider.asked).toBe(5);
  });

  test("an equal request whose answer failed leaves no hole for the replay to fall into", async () => {
    const file = newFile();
    let asked = 0;
    const flaky: Provider = { complete: async () => ((asked += 1) === 1 ? Promise.reject(new Error("500")) : said(`answer ${asked}`)) };
    const first = recorded(flaky, { file });
    await first.complete(request(), { scope: scope() }).catch(() => undefined);
    await first.complete(request(), { scope: scope({ ordinal: 1 }) });
    expect(textOf(await recorded(flaky, { file, mode: "strict" }).complete(request(), { scope: scope() }))).toBe("answer 2");
  });
});

describe("kind cache-correctness", () => {
  test("case 241: a judge that was shown other tool calls is asked again", async () => {
    const file = newFile();
    const provider = scriptedProvider((asked) => judgeAnswer(asked, () => "entailed"));
    const judge = createJudge(createClient(recorded(provider, { file })), { maxOutputTokens: 500 });
    const asked = { output: "42", claims: [{ id: "looked", text: "The agent looked it up" }], reference: "", scope: scope() };
    await judge.judge({ ...asked, evidence: '[{"name":"search"}]' });
    await judge.judge({ ...asked, evidence: "[]" });
    expect(provider.calls).toHaveLength(2);
  });

  test("case 242: each of model, system, temperature, tools, prompt, address and prompt version is part of what is asked; the order of members is not", async () => {
    const file = newFile();
    const provider = counting();
    const at = (model: string, address: string): Provider => recorded({ ...provider, complete: (...given) => provider.complete(...given), modelName: () => model, endpoint: () => address }, { file });
    const tool = (version: string): ModelRequest["tools"] => [{ name: "submit", description: version, inputSchema: { type: "object", properties: { a: {}, b: {} } } }];
    const base = request({ tools: tool("v1") });
    const [system, prompt] = base.messages;
    const ask = (asked: ModelRequest, model = "m1", address = "https://one.example"): Promise<ModelResponse> => at(model, address).complete(asked, { scope: scope() });
    await ask(base);
    expect(provider.asked).toBe(1);
    // Equal but for the order of the members.
    await ask({ ...base, tools: [{ inputSchema: { properties: { b: {}, a: {} }, type: "object" }, description: "v1", name: "submit" }] });
    expect(provider.asked).toBe(1);
    await ask(base, "m2");
    await ask({ ...base, messages: [{ role: "system", content: "s2" }, ...(prompt ? [prompt] : [])] });
    await ask({ ...base, temperature: 0.1 });
    await ask({ ...base, tools: tool("v2") });
    await ask({ ...base, messages: [...(system ? [system] : []), { role: "user", content: "What is 6 by 8?" }] });
    await ask(base, "m1", "https://two.example");
    // The framework's own words are in the request as it is sent.
    await ask({ ...base, messages: [{ role: "system", content: "You grade. (2)" }, ...(prompt ? [prompt] : [])] });
    expect(provider.asked).toBe(8);
  });

  test.each([
    [["ab", "c"], ["a", "bc"], false],
    [[1, "1"], ["1", 1], false],
    [[null], ["null"], false],
    [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }], true],
    [[[1, 2], [3]], [[1], [2, 3]], false],
    [[{ a: { b: 1 } }], [{ "a.b": 1 }], false],
    [['","'], ["", ""], false],
    [[{}], [[]], false],
    [[0], [false], false],
    [["\u00e9"], ["e\u0301"], false],
    [[JSON.parse('{"__proto__":1}')], [{}], false],
  ])("case 243: %j and %j are the same call: %s", async (one, other, same) => {
    let called = 0;
    const tool = recording({ file: newFile() }).tool("look_up", (..._args: readonly unknown[]) => (called += 1), { key: (...args) => args });
    await runOnce(async () => {
      await tool(...one);
      return undefined;
    });
    await runOnce(async () => {
      await tool(...other);
      return undefined;
    });
    expect(called).toBe(same ? 1 : 2);
  });

  test("kind cache-correctness: two unnamed providers are told apart by the name that is given, and a tool's argument that is no data is refused", async () => {
    const file = newFile();
    const provider = counting();
    const all = recording({ file });
    for (const name of ["one", "two", "one"]) await all.provider(provider, { name }).complete(request(), { scope: scope({ ordinal: 0 }) });
    expect(provider.asked).toBe(3);
    const again = recording({ file, mode: "strict" });
    expect(textOf(await again.provider(provider, { name: "two" }).complete(request(), { scope: scope() }))).toBe("answer 2");
    let called = 0;
    const pages = all.tool("page", (_url: string, _options: object) => (called += 1));
    for (const options of [{ page: 1 }, { page: 2, signal: new AbortController().signal }, { page: 1, signal: new AbortController().signal }, { page: 2 }]) await runOnce(() => pages("https://x.example", options));
    await runOnce(() => pages("https://x.example", { toolCallId: "a", messages: [] }));
    await runOnce(() => pages("https://x.example", { toolCallId: "b", messages: ["more"], abortSignal: undefined }));
    expect(called).toBe(3);
    called = 0;
    const tool = all.tool("look_up", (_arg: unknown) => (called += 1));
    const report = await createRunner({ maxConcurrency: 1 }).run(suiteOf({ once: async () => (await tool(new Map([["a", 1]])), { checks: [{ name: "done", passed: true }] }) }));
    expect(report.scenarios[0]).toMatchObject({ outcome: "errored", error: { code: "recording_unreadable", message: expect.stringContaining("an instance of a class") } });
    expect(called).toBe(0);
  });

  test("kind cache-correctness: two requests share an answer exactly where they are the same JSON, whatever is in them", async () => {
    const file = newFile();
    const provider = counting();
    const one = recorded(provider, { file });
    let runs = 0;
    const value = fc.jsonValue({ maxDepth: 3 });
    const pair = fc.oneof(fc.tuple(value, value), value.map((each): [typeof each, typeof each] => [each, structuredClone(each)]), fc.tuple(fc.constantFrom<any>("", null, 0, false, [], {}, "0", [null], [[]], { "": "" }), fc.constantFrom<any>("", null, 0, false, [], {}, "0", [null], [[]], { "": "" })));
    await fc.assert(
      fc.asyncProperty(pair, async ([a, b]) => {
        runs += 1;
        const before = provider.asked;
        for (const each of [a, b]) await one.complete(request({ tools: [{ name: "t", description: "", inputSchema: { each } }] }), { scope: scope({ scenario: `s${runs}` }) });
        const again = recorded(provider, { file });
        const first = textOf(await again.complete(request({ tools: [{ name: "t", description: "", inputSchema: { each: a } }] }), { scope: scope({ scenario: `s${runs}` }) }));
        const second = textOf(await recorded(provider, { file }).complete(request({ tools: [{ name: "t", description: "", inputSchema: { each: b } }] }), { scope: scope({ scenario: `s${runs}` }) }));
        // Equal requests are told apart by their order alone, so a fresh replay gives both the first.
        expect(first === second).toBe(sameJson(a, b));
        expect(provider.asked - before).toBe(2);
      }),
      { numRuns: 100 },
    );
  });

  test("case 244: trials keep their own answers, and the second run of the command gives the same three", async () => {
    const file = newFile();
    let seed = 0;
    const provider: Provider = { complete: async () => said(`number ${(seed += 1)}`) };
    const outputs = async (): Promise<readonly (string | undefined)[]> => {
      const agent = recorded(provider, { file });
      const suite = suiteOf({ random: async () => ({ checks: [{ name: "answers", passed: true }], output: textOf(await agent.complete(request(), {})) }) });
      const report = await createRunner({ maxConcurrency: 2, trials: 3 }).run(suite);
      return report.scenarios[0]?.trials?.map(({ result }) => result?.output) ?? [];
    };
    const first = await outputs();
    expect(new Set(first).size).toBe(3);
    expect(await outputs()).toEqual(first);
    expect(seed).toBe(3);
  });

  test("case 247: of five replies over five runs only the good one is kept", async () => {
    const file = newFile();
    const replies: readonly (() => ModelResponse)[] = [
      () => {
        throw Object.assign(new Error("HTTP 500"), { statusCode: 500 });
      },
      () => ({ content: [], stopReason: "stop" }),
      () => said("It is", { stopReason: "length" }),
      () => said("I can't help with that.", { stopReason: "refusal" }),
      () => said("good"),
    ];
    const provider = scriptedProvider([...replies, () => said("never asked")]);
    for (let run = 0; run < 7; run++) await createOf(recorded(provider, { file })).catch(() => undefined);
    expect(provider.calls).toHaveLength(5);
    expect(contentOf(file).recordings.map((entry: any) => entry.answer.content[0].text)).toEqual(["good"]);
  });

  test("kind cache-correctness: a filter's cut, an error, a stream without its end and a tool that throws are never kept", async () => {
    const file = newFile();
    for (const stopReason of ["content_filter", "error"] as const) await createOf(recorded(scriptedProvider([said("x", { stopReason })]), { file }));
    const cut: Provider = {
      complete: () => Promise.reject(new Error()),
      async *stream() {
        yield { type: "text_delta", text: "4" };
      },
    };
    await thrownBy(async () => {
      const parts: unknown[] = [];
      for await (const part of recorded(cut, { file }).stream?.(request(), { scope: scope() }) ?? []) parts.push(part);
    });
    const tool = recording({ file }).tool("broken", () => Promise.reject(new Error("timeout")));
    await runOnce(() => tool().catch(() => undefined));
    expect(existsSync(file)).toBe(false);
  });

  test("kind cache-correctness: two suites, two scenarios and two purposes never share an answer", async () => {
    const file = newFile();
    const provider = counting();
    const one = recorded(provider, { file });
    const scopes = [scope(), scope({ suite: "other" }), scope({ scenario: "farewell" }), scope({ trial: 2 }), scope({ purpose: "subject" }), scope({ suite: "chat\u0000greeting", scenario: "" }), scope({ suite: "chat", scenario: 'greeting",1,"' })];
    for (const each of scopes) await one.complete(request(), { scope: each });
    expect(provider.asked).toBe(scopes.length);
    const strict = recorded(provider, { file, mode: "strict" });
    for (const [at, each] of scopes.entries()) expect(textOf(await strict.complete(request(), { scope: each }))).toBe(`answer ${at + 1}`);
  });
});

describe("a miss in a strict replay", () => {
  test("names the nearest recording and what differs, by its path", async () => {
    const file = newFile();
    const provider = counting();
    const first = recorded(provider, { file });
    await first.complete(request({ maxOutputTokens: 5 }), { scope: scope({ scenario: "farewell" }) });
    await first.complete(request(), { scope: scope() });
    await first.complete(request({ maxOutputTokens: 7 }), { scope: scope({ scenario: "farewell" }) });
    const changed = request({ messages: [{ role: "system", content: "You grade." }, { role: "user", content: "What is 6 by 8?" }] });
    const error = await thrownBy(() => recorded(provider, { file, mode: "strict" }).complete(changed, { scope: scope() }));
    expect(error).toMatchObject({ code: "recording_missing" });
    expect(error.message).toContain('scenario "greeting" of suite "chat", trial 1 (judge)');
    expect(error.message).toContain('messages[1].content: "What is 6 by 7?" was recorded, "What is 6 by 8?" was asked');
    expect(error.message).not.toContain("farewell");
    const elsewhere = await thrownBy(() => recorded(provider, { file, mode: "strict" }).complete(request(), { scope: scope({ trial: 2 }) }));
    expect(elsewhere.message).toContain("the nearest differs in trial 1 was recorded, 2 was asked");
    expect(provider.asked).toBe(3);
  });

  test("makes the trial errored, even where the agent swallows it", async () => {
    const tool = recording({ file: newFile(), mode: "strict" }).tool("look_up", () => "never called");
    const suite = suiteOf({
      swallows: async () => {
        await tool().catch(() => undefined);
        return { checks: [{ name: "went on", passed: true as const }] };
      },
    });
    const report = await createRunner({ maxConcurrency: 1, retries: 2 }).run(suite);
    expect(report.passed).toBe(false);
    expect(report.scenarios[0]).toMatchObject({ outcome: "errored", error: { code: "recording_missing", stage: "hook" } });
    expect(report.scenarios[0]?.attempts).toBeUndefined();
  });
});

describe("the file", () => {
  test("is the same text whatever order the calls came in, and each change of it is a whole file", async () => {
    const orders = [[0, 1, 2, 3], [3, 1, 0, 2]];
    const texts: string[] = [];
    for (const order of orders) {
      const file = newFile();
      const one = recording({ file, clock: { now: () => 0, elapsed: () => 0, sleep: () => Promise.resolve() } });
      for (const at of order) await one.provider({ complete: async () => said(`answer ${at}`) }).complete(request({ temperature: at }), { scope: scope({ scenario: `s${at % 2}` }) });
      one.flush();
      texts.push(readFileSync(file, "utf8"));
    }
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).toMatch(/\n$/);
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("takes a hundred concurrent trials without losing one", async () => {
    const file = newFile();
    const provider = counting();
    const one = recording({ file });
    await Promise.all(Array.from({ length: 100 }, (_, at) => one.provider(provider).complete(request(), { scope: scope({ trial: at + 1 }) })));
    one.flush();
    expect(contentOf(file).recordings).toHaveLength(100);
  });

  test("keeps what another process has written meanwhile", async () => {
    const file = newFile();
    const one = recording({ file });
    await one.provider(counting()).complete(request(), { scope: scope() });
    const other = contentOf(file);
    const add = (trial: number): void => {
      other.recordings.push({ ...other.recordings[0], scope: scope({ trial }) });
      writeFileSync(file, JSON.stringify(other));
    };
    add(7);
    await one.provider(counting()).complete(request(), { scope: scope({ trial: 2 }) });
    add(8);
    one.flush();
    expect(contentOf(file).recordings.map((entry: any) => entry.scope.trial)).toEqual([1, 2, 7, 8]);
  });

  test("holds no secret: those of the environment and well-known shapes are masked, and a run without them replays it", async () => {
    const file = newFile();
    process.env["SOME_TEST_TOKEN"] = "abcd-efgh-ijkl";
    const secret = request({ messages: [{ role: "user", content: "the key is abcd-efgh-ijkl, or sk-0123456789abcdefghij" }] });
    const answered = await recorded({ complete: async () => said("it is abcd-efgh-ijkl") }, { file }).complete(secret, { scope: scope() });
    expect(textOf(answered)).toBe("it is abcd-efgh-ijkl");
    expect(readFileSync(file, "utf8")).not.toMatch(/abcd-efgh|0123456789abc/);
    expect(textOf(await recorded(counting(), { file, mode: "strict" }).complete(secret, { scope: scope() }))).toBe("it is ‹masked›");
    delete process.env["SOME_TEST_TOKEN"];
    const other = request({ messages: [{ role: "user", content: "the key is another, or sk-0123456789abcdefghij" }] });
    expect(textOf(await recorded(counting(), { file, mode: "strict" }).complete(other, { scope: scope() }))).toBe("it is ‹masked›");
    const changed = request({ messages: [{ role: "user", content: "the lock is another, or sk-0123456789abcdefghij" }] });
    expect(await thrownBy(() => recorded(counting(), { file, mode: "strict" }).complete(changed, { scope: scope() }))).toMatchObject({ code: "recording_missing" });
  });

  test.each([
    ["{", "no JSON"],
    ["<<<<<<< HEAD\n{}\n=======\n", "merge conflict"],
    ['{"version":2,"recordings":[]}', "version 2"],
    ['{"version":1,"recordings":{}}', "no list"],
    ['{"version":1,"recordings":[{"kind":"response","scope":{"suite":"a","scenario":"b","trial":0,"purpose":"p","ordinal":0},"request":{},"answer":{}}]}', "recordings[0]"],
    ['{"version":1,"recordings":[{"kind":"answer"}]}', "recordings[0]"],
    ["[]", "version"],
  ])("%j is unreadable, and nothing is asked", async (text, why) => {
    const file = newFile();
    writeFileSync(file, text);
    const provider = counting();
    expect(await thrownBy(() => recorded(provider, { file }).complete(request(), { scope: scope() }))).toMatchObject({ code: "recording_unreadable", message: expect.stringContaining(why) });
    expect(provider.asked).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("that cannot be written is told with the first answer", async () => {
    mkdirSync(join(folder, "a-folder"));
    expect(await thrownBy(() => recorded(counting(), { file: join(folder, "a-folder") }).complete(request(), { scope: scope() }))).toMatchObject({ code: "recording_unreadable" });
  });
});

describe("a whole run", () => {
  test("model, tool and judge share one file, and a strict replay gives the same report but for times, without one call", async () => {
    const file = newFile();
    const calls = { agent: 0, tool: 0, judge: 0 };
    const run = async (mode: "record" | "strict"): Promise<Report> => {
      const all = recording({ file, mode });
      const agent = all.provider({ complete: async () => said(`It is sunny (${(calls.agent += 1)}).`) });
      const weather = all.tool("weather", (city: string) => ({ city, sky: "clear", call: (calls.tool += 1) }));
      const model = scriptedProvider((asked) => {
        calls.judge += 1;
        return { ...judgeAnswer(asked, (claim) => (claim.id.startsWith("calibration_") ? (claim.id.slice("calibration_".length) as "entailed") : "entailed")), usage: { inputTokens: 100, outputTokens: 9 } };
      });
      const judge = createJudge(createClient(all.provider(model)), { maxOutputTokens: 500 });
      const hook = async (): Promise<object> => {
        const found = await weather("Brooklyn");
        const { content, usage } = await agent.complete(request(), {});
        return { checks: [{ name: "sky", passed: true }], claims: [{ id: "sunny", text: "It says that it is sunny." }], output: `${content[0]?.type === "text" ? content[0].text : ""} ${JSON.stringify(found)}`, usage };
      };
      return createRunner({ judge, maxConcurrency: 3, trials: 2 }).run(suiteOf({ one: hook, two: hook, three: hook }));
    };
    const recordedReport = await run("record");
    expect(recordedReport).toMatchObject({ passed: true, usage: { judge: { requests: 7, inputTokens: 700 }, subject: { inputTokens: 18 } } });
    const asked = { ...calls };
    expect(asked).toEqual({ agent: 6, tool: 6, judge: 7 });
    const replayed = await run("strict");
    expect(calls).toEqual(asked);
    expect(withoutTimes(replayed)).toEqual(withoutTimes(recordedReport));
  });
});

function createOf(provider: Provider): Promise<ModelResponse> {
  return createClientAnd(provider);
}

/** Through a client, which refuses what is no response at all. */
async function createClientAnd(provider: Provider): Promise<ModelResponse> {
  const { openClient } = await import("../core/model-client.ts");
  return openClient(createClient(provider)).complete(request(), { scope: scope() });
}

function suiteOf(hooks: Readonly<Record<string, () => unknown>>): Suite {
  return { id: "chat", description: "Chats.", scenarios: Object.entries(hooks).map(([id, run]) => ({ id, description: "Asks.", tags: [], timeoutMs: 10_000, run: run as Suite["scenarios"][number]["run"] })) };
}

/** Calls `work` in a trial of its own. */
async function runOnce(work: () => Promise<unknown>): Promise<void> {
  const report = await createRunner({ maxConcurrency: 1 }).run(suiteOf({ once: async () => (await work(), { checks: [{ name: "done", passed: true }] }) }));
  expect(report.scenarios[0]?.error).toBeUndefined();
}

/** Everything but when it was and how long it took. */
function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (name, each: unknown) => (["runId", "startedAt", "durationMs"].includes(name) ? undefined : each)));
}
