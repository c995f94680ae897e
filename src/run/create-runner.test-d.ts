import { createRunner, implement, type Report, type Result, type Runner, type Suite } from "entail";
import { design, agent, suite } from "entail/design";
import { expectTypeOf, test } from "vitest";

const runner = createRunner({ maxConcurrency: 1 });
declare const known: Suite<"alarm_inventory" | "health_check", "smoke" | "slow">;
declare const made: Suite;

test("a misspelt scenario does not compile where the suite knows its ids", () => {
  expectTypeOf(runner.runScenarios(known, ["alarm_inventory"])).resolves.toEqualTypeOf<Report>();
  // @ts-expect-error: did you mean "alarm_inventory"?
  void runner.runScenarios(known, ["alarm_inventry"]);
  // @ts-expect-error
  void runner.runScenarios(known, ["alarm_inventory", "smoke"]);
});

test("a misspelt tag does not compile where the suite knows its tags", () => {
  expectTypeOf(runner.runTags(known, ["slow", "smoke"])).resolves.toEqualTypeOf<Report>();
  // @ts-expect-error: did you mean "smoke"?
  void runner.runTags(known, ["smok"]);
});

test("a suite made by hand takes any text", () => {
  expectTypeOf(runner.runScenarios(made, ["whatever"])).resolves.toEqualTypeOf<Report>();
  void runner.runTags(made, ["whatever"]);
  void runner.run(known);
});

test("implement knows its ids", () => {
  const chat = suite("chat", { description: "d", timeout: "1m", scenarios: { health_check: { description: "d" } } });
  design({ agents: [agent("chat", { description: "d", suites: [chat] })], suites: [] });
  const implemented = implement(chat, { healthCheck: (): Result => ({ checks: [{ name: "ok", passed: true }] }) });
  expectTypeOf(runner.runScenarios(implemented, ["health_check"])).resolves.toEqualTypeOf<Report>();
  // @ts-expect-error
  void runner.runScenarios(implemented, ["health_chek"]);
});

test("options are typed: what is misspelt or has no bound does not compile", () => {
  expectTypeOf(createRunner({ maxConcurrency: 1, retries: 2 })).toEqualTypeOf<Runner>();
  // @ts-expect-error
  createRunner({});
  // @ts-expect-error
  createRunner({ maxConcurrency: 1, retry: 2 });
});

test("every member of a scenario's report can be read on the union, and a switch on its outcome is complete", () => {
  const of = (scenario: Report["scenarios"][number]): string => {
    expectTypeOf(scenario.error?.code).toEqualTypeOf<string | undefined>();
    switch (scenario.outcome) {
      case "passed":
      case "scored":
      case "failed":
        expectTypeOf(scenario.startedAt).toEqualTypeOf<string>();
        return scenario.id;
      case "errored":
      case "cancelled":
      case "skipped":
        return scenario.error.code;
      default:
        return scenario satisfies never;
    }
  };
  expectTypeOf(of).returns.toEqualTypeOf<string>();
});
