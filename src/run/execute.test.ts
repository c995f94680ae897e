import { createRunner, decodeReport, encodeReport, type Result, type Scenario } from "entail";
import { fakeClock, recordingReporter, scriptedJudge } from "entail/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const kinds = ["passes", "fails", "scores", "requires nothing", "throws", "rejects", "is invalid", "is judged well", "is judged badly", "hangs", "hangs politely", "is skipped", "throws then passes"] as const;

const did = fc.record({ kind: fc.constantFrom(...kinds), ms: fc.nat({ max: 300 }), timeoutMs: fc.integer({ min: 1, max: 400 }), known: fc.boolean() });

test("any suite, at any concurrency, cancelled at any moment: one report and one finished callback a scenario, in order, within the bound, the totals add up, it passed only if all did, and its JSON gives it back", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        dids: fc.array(did, { minLength: 1, maxLength: 10 }),
        maxConcurrency: fc.integer({ min: 1, max: 6 }),
        trials: fc.integer({ min: 1, max: 3 }),
        retries: fc.nat({ max: 2 }),
        cancelAt: fc.option(fc.nat({ max: 3_000 }), { nil: undefined }),
        strict: fc.boolean(),
        bail: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
        maxTimeMs: fc.option(fc.integer({ min: 1, max: 4_000 }), { nil: undefined }),
      }),
      async ({ dids, maxConcurrency, trials, retries, cancelAt, strict, bail, maxTimeMs }) => {
        const clock = fakeClock({ auto: true });
        const judge = scriptedJudge({ good: "entailed", bad: "contradicted" });
        const controller = new AbortController();
        const over = new AbortController();
        if (cancelAt !== undefined) void clock.sleep(cancelAt, over.signal).then(() => over.signal.aborted || controller.abort());
        let inFlight = 0;
        let most = 0;
        const claim = (id: string): Result => ({ output: "x", claims: [{ id, text: "x" }] });
        const runs: Record<(typeof kinds)[number], (signal: AbortSignal, attempt: number) => Result | Promise<Result>> = {
          "passes": () => ({ checks: [{ name: "a", passed: true }] }),
          "fails": () => ({ checks: [{ name: "a", passed: false, diagnostic: "x" }] }),
          "scores": () => ({ scores: [{ id: "s", score: 0, threshold: 1 }] }),
          "requires nothing": () => ({ scores: [{ id: "s", score: 0 }] }),
          "throws": () => { throw new Error("x"); },
          "rejects": () => Promise.reject(new Error("x")),
          "is invalid": () => ({ claim: [] }) as Result,
          "is judged well": () => claim("good"),
          "is judged badly": () => claim("bad"),
          "hangs": () => new Promise(() => {}),
          "hangs politely": (signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("x")))),
          "is skipped": () => { throw new Error("never"); },
          "throws then passes": (_signal, attempt) => { if (attempt === 1) throw new Error("x"); return { checks: [{ name: "a", passed: true }] }; },
        };
        const scenarios: readonly Scenario[] = dids.map(({ kind, ms, timeoutMs, known }, at) => ({
          id: `s${at}`,
          description: "A scenario.",
          tags: [],
          timeoutMs,
          ...(kind === "is skipped" && { skip: "x" }),
          ...(known && { knownFailure: "x" }),
          run: async ({ signal, attempt }) => {
            most = Math.max(most, ++inFlight);
            signal.addEventListener("abort", () => (inFlight -= 1));
            try {
              await clock.sleep(ms, signal);
              return await runs[kind](signal, attempt);
            } finally {
              if (!signal.aborted) inFlight -= 1;
            }
          },
        }));
        const reporter = recordingReporter();
        const runner = createRunner({ judge, maxConcurrency, trials, retries, strict, clock, reporter, bail, maxTimeMs });
        const report = await runner.run({ id: "chat", description: "A suite.", scenarios }, { signal: controller.signal });
        over.abort();

        expect(report.scenarios.map(({ id }) => id)).toEqual(scenarios.map(({ id }) => id));
        expect(reporter.finished.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)))).toEqual(report.scenarios);
        expect(new Set(reporter.started).size).toBe(reporter.started.length);
        expect(most).toBeLessThanOrEqual(maxConcurrency);
        const { scenarios: count, passed, scored, failed, errored, cancelled, skipped, errors } = report.totals;
        expect(count).toBe(scenarios.length);
        expect(passed + scored + failed + errored + cancelled + skipped).toBe(count);
        expect(Object.values(errors).reduce((sum, each) => sum + each, 0)).toBe(errored);
        const ran = report.scenarios.filter(({ skip }) => skip === undefined);
        const right = ran.every(({ outcome }) => outcome === "passed" || (outcome === "scored" && !strict));
        expect(report.passed).toBe(report.error === undefined && ran.length > 0 && right);
        expect(report.verdict !== "passed" || ran.every(({ outcome }) => outcome === "passed" || outcome === "scored")).toBe(true);
        expect(!controller.signal.aborted || report.error !== undefined).toBe(true);
        for (const [at, { outcome, error, startedAt, durationMs, trials: list }] of report.scenarios.entries()) {
          const kind = dids[at]!.kind;
          const possible: Partial<Record<typeof outcome, readonly string[]>> = { passed: ["passes", "is judged well", "throws then passes"], scored: ["scores", "requires nothing"], failed: ["fails", "is judged badly"] };
          expect(possible[outcome] ?? [kind]).toContain(kind);
          expect(error !== undefined).toBe(outcome === "errored" || outcome === "cancelled" || outcome === "skipped");
          expect(Number.isInteger(Math.round(durationMs * 1e6))).toBe(true);
          expect(list?.length ?? 1).toBe(startedAt === undefined ? 1 : trials);
        }
        expect(decodeReport(encodeReport(report))).toStrictEqual(report);
        // Only what sleeps by the clock of an abandoned hook may be left; nothing of the run itself.
        expect(clock.sleepers()).toBe(0);
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);
