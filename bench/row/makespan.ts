// Owns the row about makespan: a mixed suite on its second run, when its durations are known, against max(longest, total ÷ slots).
import { systemClock, type ReportHead, type Suite } from "entail";
import { execute } from "../../src/run/execute.ts";
import { newRunId } from "../../src/run/run-id.ts";
import type { Figure } from "../figure.ts";

const SLOTS = 5;
/** Sixty scenarios of 5 to 400 ms, the longest declared last; the same on each run. */
const DURATIONS_MS = Array.from({ length: 60 }, (_, n) => 5 + ((n * 37) % 60) + (n % 15 === 14 ? 340 : 0));

const suite: Suite = {
  id: "mixed",
  description: "Short and long scenarios, all with the same declared timeout.",
  scenarios: DURATIONS_MS.map((ms, n) => ({
    id: `scenario_${n}`,
    description: `Takes ${ms} ms.`,
    tags: [],
    timeoutMs: 10_000,
    run: async (ctx) => {
      await systemClock.sleep(ms, ctx.signal);
      return { checks: [{ name: "slept", passed: true }] };
    },
  })),
};

async function run(measured: ReadonlyMap<string, number>): Promise<{ readonly head: ReportHead; readonly spent: ReadonlyMap<string, number> }> {
  const spent = new Map<string, number>();
  const plan = { suite, selection: { kind: "all" }, maxConcurrency: SLOTS, clock: systemClock, newRunId, reporters: [], durationOf: (id: string) => measured.get(id) } as const;
  const head = await execute(plan, { scenarioFinished: (_position, { id, durationMs }) => void spent.set(id, durationMs) });
  return { head, spent };
}

export async function* makespan(): AsyncGenerator<Figure> {
  const first = await run(new Map());
  const second = await run(first.spent);
  const spent = [...second.spent.values()];
  const bound = Math.max(...spent, spent.reduce((sum, ms) => sum + ms, 0) / SLOTS);
  const ms = second.head.durationMs;
  yield { name: "makespan against its lower bound", value: ms / bound, unit: "×", note: `${ms.toFixed(0)} ms against ${bound.toFixed(0)} ms; the first run took ${first.head.durationMs.toFixed(0)} ms` };
}
