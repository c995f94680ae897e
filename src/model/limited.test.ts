import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { createRunner, type Suite } from "entail";
import { createJudge } from "entail/judge";
import { createClient, createLimiter, limited, type Limiter, type ModelRequest, type ModelResponse, type Provider, type RequestEnd } from "entail/model";
import { fakeClock, judgeAnswer, judgeTask, scriptedProvider } from "entail/testing";
import { createRandom } from "../stats/random.ts";
import { readFault } from "./transport-fault.ts";

const request: ModelRequest = { modelClass: "default", messages: [{ role: "user", content: "x" }], tools: [], toolChoice: "auto", temperature: 0, maxOutputTokens: 5 };
const good: ModelResponse = { content: [{ type: "text", text: "fine" }], stopReason: "stop" };
const status = (code: number, headers: Record<string, string> = {}): Error => Object.assign(new Error(`HTTP ${code}`), { statusCode: code, responseHeaders: headers });
const throwing = (error: unknown) => (): never => {
  throw error;
};

const ofSeed = (seed: number): (() => number) => {
  const random = createRandom(seed);
  return () => random.next();
};

async function thrownBy(work: () => unknown): Promise<any> {
  try {
    await work();
  } catch (thrown) {
    return thrown;
  }
  throw new Error("nothing was thrown");
}

describe("kind retry-policy", () => {
  const named = (name: string, message: string, more: object = {}): Error => Object.assign(new Error(message), { name }, more);
  test.each<readonly [string, unknown, string]>([
    ["an SDK's own timeout", named("Error", "Request timed out."), "server"],
    ["a timeout of fetch", named("TimeoutError", "The operation was aborted due to timeout"), "server"],
    ["an overloaded model told without a status", named("Error", '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'), "server"],
    ["the last of several tries", named("AI_RetryError", "Failed after 3 attempts", { lastError: status(429) }), "rate_limit"],
    ["several addresses that refuse", Object.assign(new AggregateError([Object.assign(new Error("x"), { code: "ECONNREFUSED" })])), "server"],
    ["a throttled call of Bedrock", named("ThrottlingException", "Too many requests", { $metadata: { httpStatusCode: 429 } }), "rate_limit"],
    ["a quota of gRPC", named("Error", "8 RESOURCE_EXHAUSTED: quota", { code: 8 }), "rate_limit"],
    ["a status written as a text", named("Error", "x", { status: "503" }), "server"],
    ["a mistake in code", new TypeError("x is not a function"), "none"],
    ["an output that speaks of timeouts", named("Error", "the tool said: request timed out"), "none"],
  ])("kind retry-policy: %s is read for what it is", (_what, thrown, kind) => {
    expect(readFault(thrown, 0).kind).toBe(kind);
  });
  test("kind retry-policy: Retry-After is found in whatever case, as a number and in a list", () => {
    for (const headers of [{ "RETRY-AFTER": "3" }, { "Retry-after": 3 }, { "retry-after": ["3"] }, new Headers({ "Retry-After": "3" })]) expect(readFault(Object.assign(new Error("x"), { status: 429, headers }), 0).retryAfterMs).toBe(3000);
  });
  test("case 032: a rate-limited judge is asked three times, each after its Retry-After and not all at one moment; the scenarios pass", async () => {
    const clock = fakeClock({ auto: true });
    const random = createRandom(32);
    const asked = new Map<string, number[]>();
    // Each of four workers is refused twice and then answered.
    const provider = scriptedProvider(
      (each) => {
        const output = judgeTask(each)?.output ?? "";
        const times = [...(asked.get(output) ?? []), clock.elapsed()];
        asked.set(output, times);
        if (times.length < 3) throw status(429, { "retry-after": "2" });
        return judgeAnswer(each, () => "entailed");
      },
      { calibrates: true },
    );
    const judge = createJudge(createClient(limited(provider, { retries: 5, clock, random: () => random.next() })), { maxOutputTokens: 500, clock });
    const report = await createRunner({ judge, maxConcurrency: 4, clock }).run(judgedSuite(4));
    expect(report.totals).toMatchObject({ passed: 4, failed: 0, errored: 0 });
    const waits = [...asked.values()].map(([a = 0, b = 0, c = 0, ...more]) => [b - a, c - b, more.length]);
    expect(waits).toHaveLength(4);
    for (const [first, second, more] of waits) {
      expect(first).toBeGreaterThanOrEqual(2000);
      expect(second).toBeGreaterThanOrEqual(2000);
      expect(more).toBe(0);
    }
    expect(new Set(waits.map(([first]) => first)).size).toBe(4);
    // One for the calibration, three for each scenario; the report counts them all.
    expect(provider.calls).toHaveLength(13);
    expect(report.usage?.judge).toMatchObject({ requests: 13 });
  });

  test("case 032: with no retries a rate-limited judge is asked once, and the scenario is an error at stage judge, no failure", async () => {
    const provider = scriptedProvider(throwing(status(429, { "retry-after": "2" })), { calibrates: true });
    const report = await createRunner({ judge: createJudge(createClient(limited(provider, { retries: 0 })), { maxOutputTokens: 500 }), maxConcurrency: 1 }).run(judgedSuite(1));
    expect(provider.calls).toHaveLength(2);
    expect(report.totals).toMatchObject({ failed: 0, errored: 1, errors: { judge: 1 } });
    expect(report.scenarios[0]?.judgments).toBeUndefined();
  });

  test("an answer is a verdict and never asked for again: refusals, cuts, filters and prose", async () => {
    for (const stopReason of ["refusal", "length", "content_filter", "error", "stop"] as const) {
      const provider = scriptedProvider([{ ...good, stopReason }]);
      expect((await limited(provider).complete(request, {})).stopReason).toBe(stopReason);
      expect(provider.calls).toHaveLength(1);
    }
    const invalid = scriptedProvider(() => ({ content: "none" }) as never);
    expect(await thrownBy(() => createJudge(createClient(limited(invalid)), { maxOutputTokens: 5 }).judge({ output: "x", claims: [{ id: "a", text: "A." }], reference: "" }))).toMatchObject({ code: "provider_response_invalid" });
    expect(invalid.calls).toHaveLength(1);
  });

  test.each([
    ["a 400", status(400)],
    ["a 401", status(401)],
    ["a 404", status(404)],
    ["a 501", status(501)],
    ["an empty account behind a 429", Object.assign(status(429), { responseBody: '{"error":{"code":"insufficient_quota"}}' })],
    ["a setting that was lost", Object.assign(new Error("cap lowered"), { name: "EntailError", code: "model_setting_lost" })],
    ["a fault of our own", new TypeError("x is not a function")],
    ["an abort", new DOMException("gone", "AbortError")],
    ["a text", "no"],
    ["nothing", undefined],
  ])("%s is told at once", async (_what, error) => {
    const provider = scriptedProvider(throwing(error));
    expect(await limited(provider).complete(request, {}).then(() => "answered", (thrown: unknown) => thrown)).toBe(error);
    expect(provider.calls).toHaveLength(1);
  });

  test.each([
    ["a 429", status(429)],
    ["a 408", status(408)],
    ["a 500", status(500)],
    ["a 529", Object.assign(new Error("overloaded"), { status: 529 })],
    ["a status two causes down", new Error("a", { cause: new Error("b", { cause: status(503) }) })],
    ["a refused connection", new TypeError("fetch failed", { cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }) })],
    ["a cut answer", Object.assign(new Error("the answer of the model m broke off: it ended without saying why it stopped"), { name: "EntailError", code: "provider_failed" })],
    ["a body that is empty", Object.assign(new Error("no body"), { name: "AI_EmptyResponseBodyError" })],
    ["a body that is no JSON", Object.assign(new Error("Invalid JSON response"), { name: "AI_APICallError", statusCode: 200, cause: Object.assign(new Error("JSON parsing failed"), { name: "AI_JSONParseError" }) })],
  ])("%s is asked again, a number of times and no more, each later than the last", async (_what, error) => {
    const clock = fakeClock({ auto: true });
    const times: number[] = [];
    const provider = scriptedProvider(() => {
      times.push(clock.elapsed());
      throw error;
    });
    const thrown = await thrownBy(() => limited(provider, { retries: 3, clock, random: () => 0.5 }).complete(request, {}));
    expect(times).toEqual([0, 750, 2250, 5250]);
    expect(thrown === error || thrown.cause === error).toBe(true);
  });

  test("kind retry-policy: never before Retry-After, never more than asked for, never longer than the longest wait", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 4 }), fc.array(fc.option(fc.integer({ min: 0, max: 90 })), { minLength: 5, maxLength: 5 }), fc.integer({ min: 0 }), async (retries, waits, seed) => {
        const clock = fakeClock({ auto: true });
        const times: number[] = [];
        const provider: Provider = {
          async complete() {
            const wait = waits[times.length] ?? null;
            times.push(clock.elapsed());
            throw status(429, wait === null ? {} : { "retry-after": String(wait) });
          },
        };
        await limited(provider, { retries, clock, random: ofSeed(seed), maxWaitMs: 60_000 }).complete(request, {}).catch(() => undefined);
        const refusedToWait = waits.findIndex((wait) => wait !== null && wait > 60);
        expect(times.length).toBe(Math.min(retries + 1, refusedToWait === -1 ? Infinity : refusedToWait + 1));
        for (let at = 1; at < times.length; at++) expect((times[at] ?? 0) - (times[at - 1] ?? 0)).toBeGreaterThanOrEqual((waits[at - 1] ?? 0) * 1000);
      }),
      { numRuns: 40 },
    );
  });

  test("Retry-After is read as seconds, as a date, in milliseconds, from plain and from Headers, and nonsense is none", () => {
    const now = Date.UTC(2030, 0, 1);
    const after = (headers: unknown): number | undefined => readFault(Object.assign(new Error("x"), { status: 429, headers }), now).retryAfterMs;
    expect(after({ "retry-after": "3" })).toBe(3000);
    expect(after(new Headers({ "retry-after": "0.5" }))).toBe(500);
    expect(after({ "Retry-After": new Date(now + 7000).toUTCString() })).toBe(7000);
    expect(after({ "retry-after": new Date(now - 7000).toUTCString() })).toBe(0);
    expect(after({ "retry-after-ms": "250", "retry-after": "1" })).toBe(250);
    for (const nonsense of ["soon", "-1", "", undefined]) expect(after({ "retry-after": nonsense })).toBeUndefined();
  });
});

describe("waiting", () => {
  test("an aborted signal ends a wait at once, in the queue and before a retry, and gives the place back", async () => {
    const limiter = createLimiter({ startConcurrency: 1 });
    const hanging: Provider = { complete: () => new Promise(() => {}) };
    const first = new AbortController();
    const holding = limited(hanging, { limiter }).complete(request, { signal: first.signal });
    const second = new AbortController();
    const queued = limited(scriptedProvider([good]), { limiter }).complete(request, { signal: second.signal });
    second.abort();
    await expect(queued).rejects.toMatchObject({ code: "cancelled" });
    first.abort();
    await expect(holding).rejects.toMatchObject({ code: "cancelled" });
    expect(limiter.inFlight()).toBe(0);
    const clock = fakeClock();
    const third = new AbortController();
    const waiting = limited(scriptedProvider(throwing(status(500))), { clock }).complete(request, { signal: third.signal });
    await clock.advance(10);
    third.abort();
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
    expect(clock.sleepers()).toBe(0);
  });

  test("stops the clock of the trial: two waits of a minute fit in a timeout of a second", async () => {
    const clock = fakeClock({ auto: true });
    const provider = scriptedProvider([throwing(status(429, { "retry-after": "60" })), throwing(status(429, { "retry-after": "60" })), good]);
    const model = limited(provider, { clock, random: () => 0 });
    const suite: Suite = { id: "s", description: "S.", scenarios: [{ id: "waits", description: "Waits.", tags: [], timeoutMs: 1000, run: async ({ signal }) => ({ checks: [{ name: "answered", passed: true }], output: JSON.stringify(await model.complete(request, { signal })) }) }] };
    const report = await createRunner({ maxConcurrency: 1, clock }).run(suite);
    expect(report.scenarios[0]?.error).toBeUndefined();
    expect(clock.elapsed()).toBeGreaterThanOrEqual(120_000);
  });

  test("a stream is opened again only where nothing of it was handed on", async () => {
    let opened = 0;
    const at = (failAfter: number): Provider => ({
      complete: () => Promise.reject(new Error("not asked")),
      async *stream() {
        opened += 1;
        if (opened === 1 && failAfter === 0) throw status(503);
        yield { type: "text_delta", text: "fi" };
        if (opened === 1 && failAfter === 1) throw status(503);
        yield { type: "response", response: good };
      },
    });
    const read = async (provider: Provider): Promise<number> => {
      const parts: unknown[] = [];
      for await (const part of limited(provider, { clock: fakeClock({ auto: true }) }).stream?.(request, {}) ?? []) parts.push(part);
      return parts.length;
    };
    expect(await read(at(0))).toBe(2);
    expect(opened).toBe(2);
    opened = 0;
    expect(await thrownBy(() => read(at(1)))).toMatchObject({ statusCode: 503 });
    expect(opened).toBe(1);
  });
});

describe("the limiter", () => {
  const clock = fakeClock();
  const made = (): Limiter => createLimiter({ startConcurrency: 20, minConcurrency: 10, maxConcurrency: 100, clock });
  /** Fills the limit, then ends every request so. */
  async function round(limiter: Limiter, end: RequestEnd = { kind: "answered" }, share = 1): Promise<void> {
    const places = await Promise.all(Array.from({ length: Math.ceil(limiter.concurrency() * share) }, () => limiter.take(undefined)));
    for (const leave of places) leave(end);
  }

  test("doubles with each clean round until the first 429, and never passes its bounds", async () => {
    const limiter = made();
    const limits: number[] = [];
    for (let at = 0; at < 4; at++) {
      await round(limiter);
      limits.push(limiter.concurrency());
    }
    expect(limits).toEqual([40, 80, 100, 100]);
  });

  test("a 429 cuts it by a fifth, once in 15 s; after that it grows by a twentieth, at least one", async () => {
    const limiter = made();
    await round(limiter, { kind: "refused" });
    expect(limiter.concurrency()).toBe(16);
    await round(limiter);
    expect(limiter.concurrency()).toBe(16);
    await clock.advance(15_001);
    await round(limiter);
    expect(limiter.concurrency()).toBe(17);
    for (let at = 0; at < 30; at++) {
      await round(limiter, { kind: "refused" });
      await clock.advance(15_001);
    }
    expect(limiter.concurrency()).toBe(10);
  });

  test("Retry-After sets how long no second cut is made", async () => {
    const limiter = made();
    await round(limiter, { kind: "refused", retryAfterMs: 1000 });
    await clock.advance(1001);
    await round(limiter, { kind: "refused", retryAfterMs: 1000 });
    expect(limiter.concurrency()).toBe(12);
  });

  test("a round that never used four fifths of the limit does not count, nor do failures of the server, second tries and replays", async () => {
    const limiter = made();
    for (let at = 0; at < 4; at++) await round(limiter, { kind: "answered" }, 0.5);
    expect(limiter.concurrency()).toBe(20);
    for (const kind of ["failed", "ignored"] as const) {
      for (let at = 0; at < 4; at++) await round(limiter, { kind });
      expect(limiter.concurrency()).toBe(20);
    }
  });

  test("a failure of the server begins the round anew", async () => {
    const limiter = made();
    const places = await Promise.all(Array.from({ length: 20 }, () => limiter.take(undefined)));
    for (const [at, leave] of places.entries()) leave({ kind: at === 10 ? "failed" : "answered" });
    (await limiter.take(undefined))({ kind: "answered" });
    expect(limiter.concurrency()).toBe(20);
  });

  test("holds, first come, first served, whatever ends in whatever order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom<RequestEnd["kind"]>("answered", "failed", "ignored", "refused"), { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), async (ends, start) => {
        const limiter = createLimiter({ startConcurrency: start, minConcurrency: 1, maxConcurrency: 8, clock });
        let running = 0;
        const order: number[] = [];
        await Promise.all(
          ends.map(async (kind, at) => {
            const leave = await limiter.take(undefined);
            order.push(at);
            running += 1;
            expect(running).toBeLessThanOrEqual(8);
            await Promise.resolve();
            running -= 1;
            leave({ kind });
          }),
        );
        expect(order).toEqual(ends.map((_, at) => at));
        expect(limiter.inFlight()).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  test.each([[{ startConcurrency: 0 }], [{ minConcurrency: 1.5 }], [{ minConcurrency: 5, startConcurrency: 3 }], [{ maxConcurrency: 5, startConcurrency: 9 }], [{ concurrency: 5 }]])("%j is refused", (options) => {
    expect(() => createLimiter(options as never)).toThrow(expect.objectContaining({ code: "option_invalid" }));
  });

  test.each([[{ retries: -1 }], [{ retries: 1.5 }], [{ backoffMs: 0 }], [{ maxWaitMs: Infinity }], [{ maxRetries: 2 }], [{ limiter: createLimiter(), maxConcurrency: 3 }]])("limited refuses %j", (options) => {
    expect(() => limited(scriptedProvider([]), options as never)).toThrow(expect.objectContaining({ code: "option_invalid" }));
  });
});

function judgedSuite(count: number): Suite {
  return { id: "judged", description: "Judged.", scenarios: Array.from({ length: count }, (_, at) => ({ id: `case_${at}`, description: "One.", tags: [], timeoutMs: 10_000, run: () => ({ claims: [{ id: "c", text: "It is so." }], output: `output ${at}` }) })) };
}
