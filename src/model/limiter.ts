// Owns the limiter: how many requests to one account of one provider may be on their way, found out by asking and by being refused.

import { abortError } from "../core/abort.ts";
import { systemClock, type Clock } from "../core/clock.ts";
import { EntailError } from "../core/error.ts";
import { didYouMean } from "../core/nearest.ts";

export interface LimiterOptions {
  /** How many requests may be on their way to begin with; 20 when absent. */
  readonly startConcurrency?: number | undefined;
  /** Never fewer than this; 10 when absent, or the start where that is less. */
  readonly minConcurrency?: number | undefined;
  /** Never more than this; 100 when absent, or the start where that is more. */
  readonly maxConcurrency?: number | undefined;
  /** The system's when absent. */
  readonly clock?: Clock | undefined;
}

/** What came of a request, as far as the limit is concerned. `ignored`: a replay, an answer to a second try, or a cancelled call. */
export type RequestEnd =
  | { readonly kind: "answered" | "failed" | "ignored" }
  | { readonly kind: "refused"; readonly retryAfterMs?: number | undefined };

/** One for each account of a provider: whoever shares the account shares the limiter. */
export interface Limiter {
  /** Waits for a place. Rejects with the signal's `cancelled` as soon as it is aborted. `onWait` is called where there is none at once. */
  take(signal: AbortSignal | undefined, onWait?: () => void): Promise<(end: RequestEnd) => void>;
  /** The limit now. */
  readonly concurrency: () => number;
  readonly inFlight: () => number;
}

const OPTIONS = ["startConcurrency", "minConcurrency", "maxConcurrency", "clock"] as const satisfies readonly (keyof LimiterOptions)[];
/** A round counts only where so much of the limit was in use: what was never needed has not been shown to hold. */
const SATURATION = 0.8;
const CUT = 0.8;
const GROWTH = 0.05;
const COOLDOWN_MS = 15_000;

interface Waiting {
  readonly start: () => void;
}

/**
 * The rules, after Inspect AI's adaptive concurrency: the limit doubles with each clean round (as many answers as the limit) until the
 * first 429, then grows by 5 %, at least 1, a round; a 429 cuts it by a fifth, at most once in 15 s or in its `Retry-After`, and answers
 * in that time do not count; a server's failure stops the round and cuts nothing. Throws `option_invalid`.
 */
export function createLimiter(options: LimiterOptions = {}): Limiter {
  const { start, least, most, clock } = readOptions(options);
  const queue = new Set<Waiting>();
  let limit = start;
  let inFlight = 0;
  let slowStart = true;
  let cooldownUntil = -Infinity;
  let answers = 0;
  let busiest = 0;

  function newRound(): void {
    answers = 0;
    busiest = inFlight;
  }

  function grow(): void {
    limit = Math.min(most, slowStart ? limit * 2 : limit + Math.max(1, Math.floor(limit * GROWTH)));
    newRound();
  }

  function ended(end: RequestEnd): void {
    switch (end.kind) {
      case "answered":
        if (clock.elapsed() < cooldownUntil) return;
        answers += 1;
        if (answers < limit) return;
        if (busiest >= limit * SATURATION) grow();
        else newRound();
        return;
      case "failed":
        newRound();
        return;
      case "refused":
        slowStart = false;
        newRound();
        if (clock.elapsed() < cooldownUntil) return;
        limit = Math.max(least, Math.floor(limit * CUT));
        cooldownUntil = clock.elapsed() + Math.max(end.retryAfterMs ?? COOLDOWN_MS, 0);
        return;
      case "ignored":
        return;
      default:
        end satisfies never;
    }
  }

  function place(): (end: RequestEnd) => void {
    inFlight += 1;
    busiest = Math.max(busiest, inFlight);
    let open = true;
    return (end) => {
      if (!open) return;
      open = false;
      ended(end);
      inFlight -= 1;
      for (const next of queue) {
        if (inFlight >= limit) break;
        queue.delete(next);
        next.start();
      }
    };
  }

  return {
    take(signal, onWait) {
      if (signal?.aborted === true) return Promise.reject(abortError(signal, "the wait for the model"));
      if (inFlight < limit) return Promise.resolve(place());
      onWait?.();
      return new Promise((resolve, reject) => {
        const aborted = (): void => {
          queue.delete(waiting);
          if (signal !== undefined) reject(abortError(signal, "the wait for the model"));
        };
        const waiting: Waiting = {
          start() {
            signal?.removeEventListener("abort", aborted);
            resolve(place());
          },
        };
        signal?.addEventListener("abort", aborted, { once: true });
        queue.add(waiting);
      });
    },
    concurrency: () => limit,
    inFlight: () => inFlight,
  };
}

function readOptions(options: LimiterOptions): { readonly start: number; readonly least: number; readonly most: number; readonly clock: Clock } {
  for (const name of Object.keys(options)) {
    if (!(OPTIONS as readonly string[]).includes(name)) throw new EntailError("option_invalid", `createLimiter has no option ${JSON.stringify(name)}${didYouMean(name, OPTIONS)}`);
  }
  const { startConcurrency, minConcurrency, maxConcurrency, clock = systemClock } = options;
  for (const [name, value] of Object.entries({ startConcurrency, minConcurrency, maxConcurrency })) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) throw new EntailError("option_invalid", `createLimiter: ${name} must be a positive whole number, not ${String(value)}`);
  }
  const start = startConcurrency ?? Math.min(Math.max(20, minConcurrency ?? 0), maxConcurrency ?? 20);
  const least = minConcurrency ?? Math.min(10, start);
  const most = maxConcurrency ?? Math.max(100, start);
  if (least > start || start > most) throw new EntailError("option_invalid", `createLimiter needs minConcurrency ≤ startConcurrency ≤ maxConcurrency, not ${least}, ${start}, ${most}`);
  return { start, least, most, clock };
}
