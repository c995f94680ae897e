// Owns the limited provider: requests wait for their place and are made again where there was no answer. What was answered is never asked twice.

import { abortError, untilAborted } from "../core/abort.ts";
import { systemClock, type Clock } from "../core/clock.ts";
import { currentTrial } from "../core/current-trial.ts";
import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import type { CallOptions, ModelResponse, ModelStreamPart, Provider } from "../core/model.ts";
import { didYouMean } from "../core/nearest.ts";
import { createLimiter, type Limiter, type LimiterOptions, type RequestEnd } from "./limiter.ts";
import { factsOf } from "./provider-facts.ts";
import { isReplayed } from "./recorded-provider.ts";
import { readFault } from "./transport-fault.ts";

export interface LimitedOptions extends LimiterOptions {
  /** Shared by every provider of the same account; its own when absent. */
  readonly limiter?: Limiter | undefined;
  /** How often a request without an answer is made again; 5 when absent. 0 makes it once. */
  readonly retries?: number | undefined;
  /** The wait before the first of them, doubled each time; 1 s when absent. A part of it is left to chance. */
  readonly backoffMs?: number | undefined;
  /** No wait is longer; 2 minutes when absent. A `Retry-After` beyond it ends the call instead. */
  readonly maxWaitMs?: number | undefined;
  /** From 0 to below 1; `Math.random` when absent. */
  readonly random?: (() => number) | undefined;
}

const OPTIONS = ["limiter", "retries", "backoffMs", "maxWaitMs", "random", "startConcurrency", "minConcurrency", "maxConcurrency", "clock"] as const satisfies readonly (keyof LimitedOptions)[];
const WAIT = "the wait for the model";

/**
 * Bounds how many requests of `provider` are on their way, and makes a request again after a 429, a 408, a failure of the server, a broken
 * connection or a body that is cut or no JSON; at most `retries` times, each after `Retry-After` or a doubling wait, with a random part
 * so that not all come back at once. An answer is never asked for again, however bad it is, and an empty account is not waited for.
 * While something waits, the clock of its trial stands still; an aborted signal ends a wait at once.
 *
 * The adapters' providers make one request a call, so nothing is retried twice. Around an SDK client of your own, turn its retries off.
 */
export function limited(provider: Provider, options: LimitedOptions = {}): Provider {
  const { limiter, retries, backoffMs, maxWaitMs, random, clock } = readOptions(options);

  async function take(signal: AbortSignal | undefined): Promise<(end: RequestEnd) => void> {
    let goOn: (() => void) | undefined;
    try {
      return await limiter.take(signal, () => (goOn = currentTrial()?.pause()));
    } finally {
      goOn?.();
    }
  }

  /** How long to wait before the next request; `undefined` where there is to be none. */
  function waitMs(tries: number, retryAfterMs: number | undefined): number | undefined {
    if (tries > retries) return undefined;
    const backoff = Math.min(maxWaitMs, backoffMs * 2 ** (tries - 1));
    // Never before the time that was asked for, and never all at the same moment.
    if (retryAfterMs !== undefined) return retryAfterMs > maxWaitMs ? undefined : retryAfterMs + random() * Math.max(backoff, retryAfterMs / 4);
    return backoff / 2 + (random() * backoff) / 2;
  }

  async function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const goOn = currentTrial()?.pause();
    try {
      await clock.sleep(ms, signal);
    } finally {
      goOn?.();
    }
    if (signal?.aborted === true) throw abortError(signal, WAIT);
  }

  /** Ends the request that threw; returns once it may be made again, else throws. */
  async function nextTry(thrown: unknown, tries: number, { signal }: CallOptions, end: (how: RequestEnd) => void, given: boolean): Promise<void> {
    const fault = readFault(thrown, clock.now());
    if (signal?.aborted === true) {
      end({ kind: "ignored" });
      throw thrown;
    }
    end(fault.kind === "rate_limit" ? { kind: "refused", retryAfterMs: fault.retryAfterMs } : { kind: fault.kind === "server" ? "failed" : "ignored" });
    const ms = fault.kind === "none" || given ? undefined : waitMs(tries, fault.retryAfterMs);
    if (ms === undefined) throw tries === 1 || isEntailError(thrown) ? thrown : new EntailError("provider_failed", `the provider failed ${tries} times, the last time: ${messageOf(thrown)}`, { cause: thrown });
    await pauseFor(ms, signal);
  }

  async function call<Value>(options: CallOptions, work: () => Promise<Value>, replayed: (value: Value) => boolean, told: (value: Value, tries: number) => Value): Promise<Value> {
    for (let tries = 1; ; tries++) {
      const end = await take(options.signal);
      let value: Value;
      try {
        value = await untilAborted(work(), options.signal, WAIT);
      } catch (thrown) {
        await nextTry(thrown, tries, options, end, false);
        continue;
      }
      end({ kind: tries > 1 || replayed(value) ? "ignored" : "answered" });
      return told(value, tries);
    }
  }

  const stream = provider.stream?.bind(provider);
  const countTokens = provider.countTokens?.bind(provider);

  async function* streamed(request: Parameters<Provider["complete"]>[0], options: CallOptions, open: NonNullable<Provider["stream"]>): AsyncGenerator<ModelStreamPart, void> {
    for (let tries = 1; ; tries++) {
      const end = await take(options.signal);
      let given = false;
      try {
        for await (const part of open(request, options)) {
          given = true;
          yield part.type === "response" ? { type: "response", response: withRequests(part.response, tries) } : part;
        }
      } catch (thrown) {
        // What was handed on cannot be taken back.
        await nextTry(thrown, tries, options, end, given);
        continue;
      } finally {
        // Whoever stops reading leaves the place too.
        end({ kind: given && tries === 1 ? "answered" : "ignored" });
      }
      return;
    }
  }

  return {
    complete: (request, callOptions) => call(callOptions, async () => provider.complete(request, callOptions), (response) => typeof response === "object" && isReplayed(response), withRequests),
    ...(stream !== undefined && { stream: (request, callOptions) => streamed(request, callOptions, stream) }),
    ...(countTokens !== undefined && { countTokens: (request, callOptions) => call(callOptions, async () => countTokens(request, callOptions), () => false, (count) => count) }),
    ...factsOf(provider),
  };
}

interface Settings {
  readonly limiter: Limiter;
  readonly retries: number;
  readonly backoffMs: number;
  readonly maxWaitMs: number;
  readonly random: () => number;
  readonly clock: Clock;
}

/** How often it was asked for is part of what an answer consumed. What is no response is the client's to refuse. */
function withRequests(response: ModelResponse, tries: number): ModelResponse {
  if (tries === 1 || typeof response !== "object" || response === null) return response;
  return { ...response, usage: { ...response.usage, requests: tries } };
}

function readOptions(options: LimitedOptions): Settings {
  for (const name of Object.keys(options)) {
    if (!(OPTIONS as readonly string[]).includes(name)) throw new EntailError("option_invalid", `limited() has no option ${JSON.stringify(name)}${didYouMean(name, OPTIONS)}`);
  }
  const { limiter, retries = 5, backoffMs = 1_000, maxWaitMs = 120_000, random = Math.random, clock = systemClock, ...bounds } = options;
  if (!(Number.isSafeInteger(retries) && retries >= 0)) throw new EntailError("option_invalid", `limited(): retries must be a whole number, 0 or more, not ${String(retries)}`);
  for (const [name, ms] of Object.entries({ backoffMs, maxWaitMs })) {
    if (!(typeof ms === "number" && ms > 0 && ms <= 3_600_000)) throw new EntailError("option_invalid", `limited(): ${name} must be a positive number of milliseconds, an hour at most, not ${String(ms)}`);
  }
  if (limiter !== undefined && Object.values(bounds).some((bound) => bound !== undefined)) throw new EntailError("option_invalid", "limited() has either a limiter or bounds of its own: give the bounds to createLimiter");
  return { limiter: limiter ?? createLimiter({ ...bounds, clock }), retries, backoffMs, maxWaitMs, random, clock };
}
