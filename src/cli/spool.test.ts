import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ScenarioReport } from "entail";
import { createSpool } from "./spool.ts";

const report = (id: string, output: string): ScenarioReport => ({ id, outcome: "passed", passed: true, startedAt: "2026-11-30T00:00:00Z", durationMs: 1, result: { output } });

test("scenarios come back in the order of their positions, whatever order they finished in", () => {
  const spool = createSpool();
  for (const position of [2, 0, 3, 1]) void spool.sink.scenarioFinished(position, report(`s_${position}`, "é\n🌍"));
  expect([...spool.scenarios()]).toEqual([0, 1, 2, 3].map((at) => report(`s_${at}`, "é\n🌍")));
  expect([spool.scenario(2)?.id, spool.scenario(4)]).toEqual(["s_2", undefined]);
  spool.close();
});

test("what is too much for memory goes to a file and comes back whole", () => {
  const spool = createSpool();
  const order = Array.from({ length: 60 }, (_, at) => (at * 37) % 60);
  for (const position of order) void spool.sink.scenarioFinished(position, report(`s_${position}`, String(position).padEnd(300_000, "ü")));
  let at = 0;
  for (const each of spool.scenarios()) {
    if (each.id !== `s_${at}` || each.result?.output !== String(at).padEnd(300_000, "ü")) throw new Error(`scenario ${at} came back as another`);
    at++;
  }
  expect(at).toBe(60);
  // A second reading gives the same.
  expect([...spool.scenarios()].length).toBe(60);
  spool.close();
});

test("any report comes back as it was", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (outputs) => {
      const spool = createSpool();
      for (const [at, output] of outputs.entries()) void spool.sink.scenarioFinished(at, report(`s_${at}`, output));
      expect([...spool.scenarios()].map((each) => each.result?.output)).toEqual(outputs);
      spool.close();
    }),
  );
});
