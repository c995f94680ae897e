import { request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { createRunner, type Suite } from "entail";
import { createJudge } from "entail/judge";
import { countingRemoteProvider, createClient, createGateway, limited, remoteProvider, type GatewayMiddleware, type GatewayOptions, type ModelRequest, type ModelResponse, type ModelStreamPart, type Provider } from "entail/model";
import { fakeClock, judgeAnswer, scriptedProvider } from "entail/testing";
import { describe, expect, test } from "vitest";
import { openClient } from "../core/model-client.ts";

const TOKEN = "a-token-of-the-test";
const request: ModelRequest = {
  modelClass: "small",
  messages: [
    { role: "system", content: "You grade." },
    { role: "user", content: "caf\u00e9 \ud83d\ude00" },
    { role: "assistant", content: [{ type: "text", text: "I look." }, { type: "tool_call", id: "c1", name: "submit", arguments: '{"n": 9007199254740993, "n": 1}' }] },
    { role: "tool", toolCallId: "c1", content: "two" },
  ],
  tools: [{ name: "submit", description: "Submits.", inputSchema: { type: "object", properties: { n: { type: "integer" } } } }],
  toolChoice: { tool: "submit" },
  temperature: 0,
  maxOutputTokens: 513,
};
const answer: ModelResponse = { content: [{ type: "tool_call", id: "c1", name: "submit", arguments: '{"a":1,"a":2}' }], stopReason: "tool_calls", usage: { inputTokens: 31, outputTokens: 17 }, model: "m1" };
const scope = { suite: "chat", scenario: "greeting", trial: 2, purpose: "judge", ordinal: 0 };

interface Served extends AsyncDisposable {
  readonly url: string;
}

async function served(provider: Provider, options: Partial<GatewayOptions> = {}): Promise<Served> {
  const server = serve({ fetch: createGateway({ provider, authorize: TOKEN, ...options }), port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/models`,
    [Symbol.asyncDispose]: async () => {
      if ("closeAllConnections" in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const remote = ({ url }: Served): Provider => remoteProvider({ url, token: TOKEN });

async function thrownBy(work: () => unknown): Promise<any> {
  try {
    await work();
  } catch (thrown) {
    return thrown;
  }
  throw new Error("nothing was thrown");
}

async function partsOf(stream: AsyncIterable<ModelStreamPart> | undefined): Promise<readonly ModelStreamPart[]> {
  const parts: ModelStreamPart[] = [];
  for await (const part of stream ?? []) parts.push(part);
  return parts;
}

const streaming = (parts: readonly unknown[], after?: () => void): Provider => ({
  complete: () => Promise.reject(new Error("not asked")),
  async *stream() {
    for (const part of parts) yield part as ModelStreamPart;
    after?.();
  },
});
const STREAM: readonly ModelStreamPart[] = [{ type: "tool_call_delta", id: "c1", name: "submit", arguments: '{"a":1,' }, { type: "tool_call_delta", id: "c1", name: "submit", arguments: '"a":2}' }, { type: "response", response: answer }];

describe("over real HTTP", () => {
  test("a request and its answer arrive as they were: text, scope, raw arguments, usage", async () => {
    const provider = scriptedProvider([answer]);
    await using gateway = await served(provider);
    expect(await remote(gateway).complete(request, { scope })).toEqual(answer);
    expect(provider.calls).toHaveLength(1);
    expect(provider.calls[0]?.request).toEqual(request);
    expect(provider.calls[0]?.options.scope).toEqual(scope);
  });

  test("a stream arrives part by part", async () => {
    await using gateway = await served(streaming(STREAM));
    expect(await partsOf(remote(gateway).stream?.(request, {}))).toEqual(STREAM);
  });

  test("a judge behind it calibrates and judges, and the report says that a label given twice could not be seen unless that is known", async () => {
    const provider = scriptedProvider((asked) => judgeAnswer(asked, () => "entailed"), { calibrates: true });
    await using gateway = await served(provider);
    const suite: Suite = { id: "s", description: "S.", scenarios: [{ id: "one", description: "One.", tags: [], timeoutMs: 10_000, run: () => ({ claims: [{ id: "c", text: "It is so." }], output: "It is so." }) }] };
    for (const rawArguments of [false, true]) {
      const judge = createJudge(createClient(remoteProvider({ url: gateway.url, token: TOKEN, rawArguments, modelName: () => "far-model" })), { maxOutputTokens: 500 });
      expect(await createRunner({ judge, maxConcurrency: 1 }).run(suite)).toMatchObject({ passed: true, judge: { rawArguments, model: "far-model" } });
    }
    await using unseeing = await served(scriptedProvider([answer], { rawArguments: false }));
    expect(await thrownBy(() => remoteProvider({ url: unseeing.url, token: TOKEN, rawArguments: true }).complete(request, {}))).toMatchObject({ code: "gateway_request_invalid", message: expect.stringContaining("rawArguments") });
  });

  test("tokens are counted exactly, before each request, and recorded; without a provider that counts there is no such judge", async () => {
    const scripted = scriptedProvider((asked) => ({ ...judgeAnswer(asked, () => "entailed"), usage: { outputTokens: 9 } }));
    await using gateway = await served({ ...scripted, countTokens: async ({ messages }) => messages.length * 1000 });
    const counting = countingRemoteProvider({ url: gateway.url, token: TOKEN });
    expect(await counting.countTokens(request, {})).toBe(4000);
    const judge = createJudge(createClient(counting), { maxOutputTokens: 500, requireInputTokens: true });
    const usages: unknown[] = [];
    await judge.judge({ output: "x", claims: [{ id: "c", text: "It is so." }], reference: "", record: ({ usage }) => usages.push(usage) });
    expect(usages).toEqual([{ inputTokens: 2000, outputTokens: 9 }]);
    expect(() => createJudge(createClient(remote(gateway)), { maxOutputTokens: 500, requireInputTokens: true })).toThrow(expect.objectContaining({ code: "option_invalid", message: expect.stringContaining("countingRemoteProvider") }));
    await using plain = await served(scriptedProvider([]));
    expect(await thrownBy(() => countingRemoteProvider({ url: plain.url, token: TOKEN }).countTokens(request, {}))).toMatchObject({ code: "gateway_request_invalid", message: expect.stringContaining("cannot count") });
  });

  test.each([
    ["a rate limit", Object.assign(new Error("slow down"), { name: "AI_APICallError", statusCode: 429, responseHeaders: { "retry-after": "7" } }), { code: "provider_failed", cause: { name: "AI_APICallError", message: "slow down", statusCode: 429, retryAfterMs: 7000 } }],
    ["a failure of the server", Object.assign(new Error("down"), { status: 503 }), { code: "provider_failed", cause: { statusCode: 503 } }],
    ["a plain error", new Error("no idea"), { code: "provider_failed", message: "the provider failed: no idea", cause: { message: "no idea" } }],
    ["an error of ours", Object.assign(new Error("cap lowered"), { name: "EntailError", code: "model_setting_lost" }), { code: "model_setting_lost", message: "cap lowered" }],
    ["a refusal", Object.assign(new Error("who are you"), { status: 401 }), { code: "provider_failed", cause: { statusCode: 401 } }],
  ])("%s keeps its identity, whole and streamed", async (_what, error, expected) => {
    const failing: Provider = {
      complete: () => Promise.reject(error),
      // oxlint-disable-next-line require-yield
      async *stream() {
        throw error;
      },
    };
    await using gateway = await served(failing);
    expect(await thrownBy(() => remote(gateway).complete(request, {}))).toMatchObject(expected);
    expect(await thrownBy(() => partsOf(remote(gateway).stream?.(request, {})))).toMatchObject(expected);
    await using late = await served(streaming(STREAM.slice(0, 1), () => {
      throw error;
    }));
    expect(await thrownBy(() => partsOf(remote(late).stream?.(request, {})))).toMatchObject(expected);
  });

  test("a limit here waits for the Retry-After of the provider there", async () => {
    const clock = fakeClock({ auto: true });
    const provider = scriptedProvider([() => Promise.reject(Object.assign(new Error("slow down"), { statusCode: 429, responseHeaders: { "retry-after": "7" } })), answer]);
    await using gateway = await served(provider);
    expect(await limited(remote(gateway), { clock, random: () => 0 }).complete(request, {})).toEqual({ ...answer, usage: { ...answer.usage, requests: 2 } });
    expect(clock.elapsed()).toBe(7000);
  });

  test("an error that crosses holds no secret, no stack and no body", async () => {
    await using gateway = await served({ complete: () => Promise.reject(Object.assign(new Error("Incorrect API key provided: sk-0123456789abcdefghij"), { statusCode: 401, responseBody: "whole body", requestBodyValues: { secret: 1 } })) });
    const response = await fetch(`${gateway.url}/complete`, { method: "POST", headers: { authorization: `Bearer ${TOKEN}` }, body: JSON.stringify({ request }) });
    expect(response.status).toBe(502);
    const text = await response.text();
    expect(text).toContain("Incorrect API key provided");
    expect(text).not.toMatch(/0123456789|at .*\.ts|whole body|secret/);
  });

  test.each(["complete", "stream"] as const)("whoever leaves %s ends the call of the provider", async (kind) => {
    let ended: (() => void) | undefined;
    const closed = new Promise<void>((resolve) => (ended = resolve));
    let started: (() => void) | undefined;
    const begun = new Promise<void>((resolve) => (started = resolve));
    const hang = (signal: AbortSignal | undefined): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => {
          ended?.();
          reject(new Error("aborted"));
        });
        started?.();
      });
    await using gateway = await served({
      complete: (_request, { signal }) => hang(signal),
      async *stream(_request, { signal }) {
        yield { type: "text_delta", text: "1" };
        await hang(signal);
      },
    });
    const controller = new AbortController();
    const client = openClient(createClient(remote(gateway)));
    const call = kind === "complete" ? client.complete(request, { signal: controller.signal }) : partsOf(client.stream?.(request, { signal: controller.signal }));
    const outcome = call.then(() => "answered", (thrown: { code: string }) => thrown.code);
    await begun;
    controller.abort();
    expect(await outcome).toBe("cancelled");
    await closed;
  });

  test("a body over the limit is refused, told beforehand or not, and nothing is asked", async () => {
    const provider = scriptedProvider([answer]);
    await using gateway = await served(provider, { maxBodyBytes: 2000 });
    const large = { ...request, messages: [{ role: "user" as const, content: "x".repeat(3000) }] };
    expect(await thrownBy(() => remote(gateway).complete(large, {}))).toMatchObject({ code: "gateway_request_invalid", message: expect.stringContaining("2000 bytes") });
    expect(await chunked(`${gateway.url}/complete`, JSON.stringify({ request: large }))).toBe(413);
    expect(provider.calls).toHaveLength(0);
    expect(await remote(gateway).complete(request, {})).toEqual(answer);
  });

  test.each([
    ["no token", {}],
    ["another token", { authorization: "Bearer another-token" }],
    ["a beginning of it", { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ["more than it", { authorization: `Bearer ${TOKEN}x` }],
    ["another scheme", { authorization: `Basic ${TOKEN}` }],
  ])("%s is refused before anything is read", async (_what, headers: Record<string, string>) => {
    const provider = scriptedProvider([answer]);
    await using gateway = await served(provider);
    const response = await fetch(`${gateway.url}/complete`, { method: "POST", headers, body: JSON.stringify({ request }) });
    expect([response.status, ((await response.json()) as any).error.code]).toEqual([401, "gateway_unauthorized"]);
    expect(provider.calls).toHaveLength(0);
  });

  test("no token but its own opens it", async () => {
    const gateway = createGateway({ provider: scriptedProvider(() => answer), authorize: ["first-token-of-two", TOKEN] });
    const status = async (token: string): Promise<number> => (await gateway(new Request("https://x.example/complete", { method: "POST", headers: { authorization: `Bearer ${token}` }, body: JSON.stringify({ request }) }))).status;
    for (let at = 0; at < 600; at++) expect(await status(`wrong-token-${at}`)).toBe(401);
    expect([await status(TOKEN), await status("first-token-of-two")]).toEqual([200, 200]);
  });

  test("whoever stops reading a stream ends the call of the provider, also where no connection says so", async () => {
    let ended = false;
    const gateway = createGateway({
      provider: {
        complete: () => Promise.reject(new Error("not asked")),
        async *stream(_request, { signal }) {
          signal?.addEventListener("abort", () => (ended = true));
          yield { type: "text_delta", text: "1" };
          yield { type: "text_delta", text: "2" };
        },
      },
      authorize: TOKEN,
    });
    const { body } = await gateway(new Request("https://x.example/stream", { method: "POST", headers: { authorization: `Bearer ${TOKEN}` }, body: JSON.stringify({ request }) }));
    await body?.cancel();
    expect(ended).toBe(true);
  });

  test("what is no request is refused with its member, another path and another method too", async () => {
    const provider = scriptedProvider([]);
    await using gateway = await served(provider);
    const post = async (path: string, body: string, method = "POST"): Promise<readonly [number, string]> => {
      const response = await fetch(`${gateway.url}/${path}`, { method, headers: { authorization: `Bearer ${TOKEN}` }, ...(method === "POST" && { body }) });
      return [response.status, ((await response.json()) as any).error.message];
    };
    const sent = (over: object): string => JSON.stringify({ request: { ...request, ...over } });
    const expected: readonly (readonly [string, string])[] = [
      ["{", "no JSON"],
      ["null", "request is no object"],
      [sent({ modelClass: "huge" }), "request.modelClass"],
      [sent({ messages: {} }), "request.messages"],
      [sent({ messages: [{ role: "robot", content: "" }] }), "request.messages[0].role"],
      [sent({ messages: [{ role: "user", content: 5 }] }), "request.messages[0].content"],
      [sent({ messages: [{ role: "assistant", content: [{ type: "image" }] }] }), "request.messages[0].content[0].type"],
      [sent({ tools: [{ name: "a", description: "b", inputSchema: [] }] }), "request.tools[0].inputSchema"],
      [sent({ toolChoice: "any" }), "request.toolChoice"],
      [sent({ temperature: "0" }), "request.temperature"],
      [sent({ maxOutputTokens: 0 }), "request.maxOutputTokens"],
      [JSON.stringify({ request, scope: { suite: "a" } }), "scope.scenario"],
    ];
    for (const [body, why] of expected) {
      const [status, message] = await post("complete", body);
      expect([status, message]).toEqual([400, expect.stringContaining(why)]);
    }
    expect((await post("elsewhere", sent({})))[0]).toBe(404);
    expect((await post("complete", "", "GET"))[0]).toBe(405);
    expect((await post("stream", sent({})))[1]).toContain("does not stream");
    expect(provider.calls).toHaveLength(0);
  });
});

describe("middleware", () => {
  test("[193] the first is the outermost; none of it hides an invalid answer, repaired or swallowed; what breaks after the last part surfaces", async () => {
    const order: string[] = [];
    const named = (name: string): GatewayMiddleware => ({
      async complete(asked, _options, next) {
        order.push(`${name} in`);
        const response = await next({ ...asked, maxOutputTokens: asked.maxOutputTokens - 1 });
        order.push(`${name} out`);
        return response;
      },
    });
    const provider = scriptedProvider([answer]);
    await using gateway = await served(provider, { middleware: [named("outer"), named("inner")] });
    await remote(gateway).complete(request, {});
    expect(order).toEqual(["outer in", "inner in", "inner out", "outer out"]);
    expect(provider.calls[0]?.request.maxOutputTokens).toBe(511);

    const repairs: GatewayMiddleware = { complete: async (asked, _options, next) => next(asked).catch(() => answer) };
    await using repaired = await served({ complete: async () => ({ content: [], stopReason: "stop" }) }, { middleware: [repairs] });
    expect(await thrownBy(() => remote(repaired).complete(request, {}))).toMatchObject({ code: "provider_response_invalid" });

    const breaks: GatewayMiddleware = { complete: async () => ({ content: [], stopReason: "stop" }) };
    await using broken = await served(scriptedProvider([answer]), { middleware: [breaks] });
    const raw = await fetch(`${broken.url}/complete`, { method: "POST", headers: { authorization: `Bearer ${TOKEN}` }, body: JSON.stringify({ request }) });
    expect([raw.status, ((await raw.json()) as any).error.code]).toEqual([502, "provider_response_invalid"]);

    const swallows: GatewayMiddleware = {
      async *stream(asked, _options, next) {
        try {
          for await (const part of next(asked)) if (part.type === "text_delta") yield part;
        } catch {
          // The invalid part is gone.
        }
        yield { type: "response", response: answer };
      },
    };
    await using swallowing = await served(streaming([{ type: "text_delta", text: "1" }, { type: "tool_call_delta", id: "", name: "x", arguments: "" }, STREAM[2]]), { middleware: [swallows] });
    expect(await thrownBy(() => partsOf(remote(swallowing).stream?.(request, {})))).toMatchObject({ code: "provider_response_invalid" });

    const late: GatewayMiddleware = {
      async *stream(asked, _options, next) {
        yield { type: "response", response: answer };
        try {
          for await (const part of next(asked)) if (part.type === "response") break;
        } catch {
          // Nobody is to know.
        }
      },
    };
    await using tooLate = await served(streaming([{ type: "text_delta", text: "" }]), { middleware: [late] });
    expect(await thrownBy(() => partsOf(remote(tooLate).stream?.(request, {})))).toMatchObject({ code: "provider_response_invalid" });

    await using closing = await served(streaming(STREAM, () => {
      throw new Error("the connection could not be closed");
    }));
    expect(await thrownBy(() => partsOf(remote(closing).stream?.(request, {})))).toMatchObject({ code: "provider_failed", message: expect.stringContaining("could not be closed") });
  });

  test("a retry of its own is its right, and an error of the provider that it answers for is no invalid answer", async () => {
    const retries: GatewayMiddleware = { complete: async (asked, _options, next) => next(asked).catch(() => next(asked)) };
    await using gateway = await served(scriptedProvider([() => Promise.reject(new Error("500")), answer]), { middleware: [retries] });
    expect(await remote(gateway).complete(request, {})).toEqual(answer);
  });
});

describe("the other end", () => {
  const answering = (make: () => Response): Provider => remoteProvider({ url: "https://models.example.com/gateway/?v=1", token: TOKEN, fetch: async () => make() });

  test.each([
    ["a page of a proxy", () => new Response("<html>", { status: 502, headers: { "retry-after": "3" } }), { code: "provider_failed", cause: { statusCode: 502, responseHeaders: { "retry-after": "3" } } }],
    ["no JSON", () => new Response("{"), { code: "provider_failed", message: expect.stringContaining("broke off") }],
    ["no response", () => Response.json({}), { code: "provider_response_invalid" }],
    ["an unknown code", () => Response.json({ error: { code: "made_up", message: "x" } }, { status: 500 }), { code: "provider_failed", cause: { statusCode: 500 } }],
  ])("%s is an error", async (_what, make, expected) => {
    expect(await thrownBy(() => answering(make).complete(request, {}))).toMatchObject(expected);
  });

  test("a stream that is cut, or goes on after its response, is an error", async () => {
    const sse = (...parts: readonly unknown[]): (() => Response) => () => new Response(parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join(""));
    expect(await thrownBy(() => partsOf(answering(sse(STREAM[0])).stream?.(request, {})))).toMatchObject({ code: "provider_failed", message: expect.stringContaining("broke off") });
    expect(await thrownBy(() => partsOf(answering(sse(STREAM[2], STREAM[0])).stream?.(request, {})))).toMatchObject({ code: "provider_response_invalid" });
  });

  test("its address keeps its query and loses nothing of its path; its endpoint has no query", async () => {
    let asked = "";
    const provider = remoteProvider({ url: "https://models.example.com/gateway/?v=1", token: TOKEN, fetch: async (url) => ((asked = String(url instanceof Request ? url.url : url)), Response.json({ response: answer })) });
    await provider.complete(request, {});
    expect([asked, provider.endpoint?.("default")]).toEqual(["https://models.example.com/gateway/complete?v=1", "https://models.example.com/gateway"]);
  });

  test.each([[{ url: "models.example.com", token: TOKEN }], [{ url: "file:///x", token: TOKEN }], [{ url: "https://x.example", token: "" }], [{ url: "https://x.example", token: "a\nb" }], [{ url: "https://x.example", token: TOKEN, key: "x" }]])("%j is refused", (options) => {
    for (const make of [remoteProvider, countingRemoteProvider]) expect(() => make(options as never)).toThrow(expect.objectContaining({ code: "option_invalid" }));
  });

  test.each([[{ authorize: TOKEN }], [{ provider: scriptedProvider([]), authorize: "short" }], [{ provider: scriptedProvider([]), authorize: [] }], [{ provider: scriptedProvider([]) }], [{ provider: scriptedProvider([]), authorize: TOKEN, maxBodyBytes: 0 }], [{ provider: scriptedProvider([]), authorize: TOKEN, cors: true }]])("a gateway of %j is refused", (options) => {
    expect(() => createGateway(options as never)).toThrow(expect.objectContaining({ code: "option_invalid" }));
  });
});

/** Sends a body without telling its length. Gives the status. */
function chunked(url: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: "POST", headers: { authorization: `Bearer ${TOKEN}`, "transfer-encoding": "chunked" } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject);
    for (let at = 0; at < body.length; at += 500) sent.write(body.slice(at, at + 500));
    sent.end();
  });
}
