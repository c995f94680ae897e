// Owns what the compiler must accept and refuse of the evidence door.

import * as v from "valibot";
import { type } from "arktype";
import { describe, expectTypeOf, test } from "vitest";
import * as z from "zod";
import {
  asserts,
  atLeast,
  atMost,
  type Bounds,
  calls,
  type Codec,
  collect,
  createCollector,
  decoded,
  type Evidence,
  exactly,
  expectation,
  expectCall,
  expectConfirmation,
  expectFailure,
  type Predicate,
  type StreamEvent,
  type ToolCall,
  type ToolExpectation,
  type TypedTool,
  unordered,
} from "entail/evidence";

interface ListArgs {
  readonly window: string;
  readonly cursor?: string;
}
interface ListResult {
  readonly alarms: readonly { readonly id: string; readonly severity: string }[];
}
declare const listAlarms: TypedTool<ListArgs, ListResult, "list_alarms">;
/** A side that the design leaves out. */
declare const ping: TypedTool<unknown, unknown, "ping">;
declare const empty: TypedTool<{}, string, "empty">;
declare const open: TypedTool<Record<string, any>, Record<string, unknown>, "open">;
declare const listArgs: Codec<ListArgs>;
declare const evidence: Evidence;

describe("the predicates of a typed tool", () => {
  test("see its arguments, its result and its bounds", () => {
    const expected = expectCall(listAlarms, {
      args: (args) => {
        expectTypeOf(args).toEqualTypeOf<ListArgs>();
        return args.window === "24h" || "asked for the wrong window";
      },
      result: (result) => {
        expectTypeOf(result).toEqualTypeOf<ListResult>();
        return result.alarms.length === 3;
      },
      bounds: (bounds) => {
        expectTypeOf(bounds).toEqualTypeOf<Bounds | undefined>();
        return bounds?.truncated === false;
      },
      requireAllAttemptsSuccessful: true,
      forbidFailureKinds: ["timeout"],
    });
    expectTypeOf(expected).toEqualTypeOf<ToolExpectation>();
    expectFailure(listAlarms, "invalid_call", { args: (args) => args.window === "" });
    expectConfirmation(listAlarms, { args: (args) => args.cursor === undefined });
  });

  test("see unknown on a side that the design leaves out", () => {
    expectCall(ping, {
      args: (args) => {
        expectTypeOf(args).toEqualTypeOf<unknown>();
        return true;
      },
    });
    expectCall({ name: "found_by_a_registry", args: decoded(listArgs, (args) => args.window === "24h") });
    expectCall(
      { name: "found_by_a_registry" },
      {
        args: (args) => {
          expectTypeOf(args).toEqualTypeOf<unknown>();
          return true;
        },
      },
    );
  });

  test("must answer: a forgotten return does not compile", () => {
    expectTypeOf<() => void>().not.toExtend<Predicate<unknown>>();
    // @ts-expect-error void is no answer
    expectCall(listAlarms, { args: (args) => void (args.window === "24h") });
    // @ts-expect-error a forgotten return
    expectCall(listAlarms, { args: (args) => { args.window.startsWith("24h"); } });
    // @ts-expect-error undefined where there are no bounds
    expectCall(listAlarms, { bounds: (bounds) => bounds?.truncated });
    // @ts-expect-error void is no answer, also where the arguments are unknown
    expectCall(ping, { args: () => {} });
    // @ts-expect-error void is no answer, also where there are no arguments
    expectCall(empty, { args: () => {} });
    // @ts-expect-error void is no answer, also where any argument may stand
    expectCall(open, { args: () => {}, result: () => {} });
    // @ts-expect-error nor of a confirmation
    expectConfirmation(listAlarms, { args: () => {} });
    // @ts-expect-error nor of a bare tool
    expectCall({ name: "x", args: () => {} });
    // @ts-expect-error nor of a decoded side
    decoded(listArgs, () => {});
  });

  test("must answer at once", () => {
    expectTypeOf<() => Promise<boolean>>().not.toExtend<Predicate<unknown>>();
    // @ts-expect-error a promise is no answer
    expectCall(listAlarms, { args: async (args) => args.window === "24h" });
    // @ts-expect-error a promise is no answer
    expectCall(ping, { args: async () => true });
    // @ts-expect-error a promise is no answer
    expectCall(listAlarms, { bounds: async () => true });
    // @ts-expect-error a promise is no answer
    decoded(listArgs, async () => true);
  });

  test("may be assertions that return nothing, wrapped", () => {
    expectCall(listAlarms, { args: asserts((args) => { if (args.window !== "24h") throw new Error(args.cursor); }) });
    expectTypeOf(asserts((value: string) => void value)).toEqualTypeOf<Predicate<string>>();
  });
});

describe("plain values and schemas", () => {
  test("stand for a predicate, typed by the tool", () => {
    expectTypeOf(expectCall(listAlarms, { args: { window: "24h" }, result: { alarms: [] } })).toEqualTypeOf<ToolExpectation>();
    expectCall(ping, { args: { any: ["json", 1, null] } });
    expectCall(ping, { args: {} });
    expectCall(empty, { args: {}, result: "pong" });
    expectCall(open, { args: { whatever: 1 } });
    expectCall({ name: "x" }, { args: {} });
    // @ts-expect-error a misspelt member
    expectCall(listAlarms, { args: { windw: "24h" } });
    // @ts-expect-error a missing member: no call with it could ever be equal
    expectCall(listAlarms, { args: {} });
    // @ts-expect-error a value of another type
    expectCall(listAlarms, { args: { window: 24 } });
  });

  test("are those of zod, valibot and arktype alike", () => {
    expectTypeOf(expectCall(listAlarms, { args: z.object({ window: z.literal("24h") }) })).toEqualTypeOf<ToolExpectation>();
    expectCall(listAlarms, { args: v.object({ window: v.literal("24h") }) });
    expectCall(listAlarms, { args: type({ window: "'24h'" }) });
    expectCall(ping, { args: z.object({ window: z.literal("24h") }), result: type("string") });
  });
});

describe("misspelt members do not compile", () => {
  test("of options and of expectations", () => {
    expectTypeOf<TypedTool>().not.toExtend<ToolExpectation>();
    // @ts-expect-error arg
    expectCall(listAlarms, { arg: () => true });
    // @ts-expect-error requireAllAttemptSuccessful
    expectCall(listAlarms, { requireAllAttemptSuccessful: true });
    // @ts-expect-error an unknown kind of failure
    expectCall(listAlarms, { forbidFailureKinds: ["time_out"] });
    // @ts-expect-error an unknown kind of failure
    expectFailure(listAlarms, "time_out");
    // @ts-expect-error a failure has no result
    expectFailure(listAlarms, "timeout", { result: () => true });
    // @ts-expect-error a confirmation has no result
    expectConfirmation(listAlarms, { result: () => true });
    // @ts-expect-error forbidTool
    expectation({ forbidTool: [listAlarms] });
    // @ts-expect-error tool
    expectation({ tool: [expectCall(listAlarms)] });
    // @ts-expect-error a typed tool is no expectation
    expectation({ tools: [listAlarms] });
    // @ts-expect-error nor is a name
    expectation({ tools: ["list_alarms"] });
    // @ts-expect-error nor does an unordered group hold tools
    unordered(listAlarms);
    // @ts-expect-error a collector's option
    createCollector({ rootRunID: "a" });
  });
});

test("tools are named by descriptors and by names where either will do", () => {
  expectation({
    name: "refund",
    exact: true,
    tools: [
      { name: "bare", args: decoded(listArgs, (args) => args.window === "24h"), failureKind: "timeout" },
      unordered(expectCall(listAlarms), { name: "other" }),
      atLeast(1, listAlarms),
      atMost(2, "search"),
      exactly(1, expectCall(ping)),
    ],
    forbidTools: [listAlarms, "delete_alarm", { name: "other" }],
    confirmation: expectConfirmation({ name: "bare" }),
  });
  expectTypeOf(calls(evidence, listAlarms)).toEqualTypeOf<readonly ToolCall[]>();
  calls(evidence, "list_alarms");
  expectTypeOf(collect([] as StreamEvent[])).toEqualTypeOf<Promise<Evidence>>();
  const bare: TypedTool = listAlarms;
  expectCall(bare, { args: (args) => args.anything === 1 });
});
