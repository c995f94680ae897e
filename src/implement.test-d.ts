/* oxlint-disable vitest/expect-expect -- the compiler decides here, line by line */
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { implement, type HookContext, type HooksOf, type InputsOf, type Result, type Suite } from "entail";
import { agent, design, suite, tool, toolset, type AgentDesign } from "entail/design";
import * as v from "valibot";
import { describe, expectTypeOf, test } from "vitest";
import { z } from "zod";

const ChatEvalInput = z.object({ user_id: z.uuid(), prompt: z.string().min(1) }).meta({ id: "ImplementTypeTestInput" });

const chatSuite = suite("chat", {
  description: "Exercises production chat outcomes.",
  timeout: "2m",
  scenarios: {
    alarm_inventory: { description: "Retrieves every alarm.", input: ChatEvalInput, tags: ["production", "alarm"], timeout: "3m" },
    health_check: { description: "Verifies application-owned setup." },
    greeting: { description: "The older text form.", input: "Say hello." },
  },
});

const ok: Result = { checks: [{ name: "ok", passed: true }] };
const hooks = {
  alarmInventory: () => ok,
  healthCheck: () => ok,
  greeting: () => ok,
};
const inputs = { alarmInventory: { user_id: "u", prompt: "p" } };

describe("implement types hooks and inputs by inference", () => {
  test("each hook receives what its scenario declares, without an annotation", () => {
    const made = implement(
      chatSuite,
      {
        async alarmInventory(ctx, input) {
          expectTypeOf(ctx).toEqualTypeOf<HookContext>();
          expectTypeOf(input).toEqualTypeOf<{ user_id: string; prompt: string }>();
          return ok;
        },
        healthCheck(ctx) {
          expectTypeOf(ctx).toEqualTypeOf<HookContext>();
          return ok;
        },
        greeting(_ctx, text) {
          expectTypeOf(text).toEqualTypeOf<string>();
          return ok;
        },
      },
      { alarmInventory: { user_id: "u", prompt: "p" } },
    );
    expectTypeOf(made).toEqualTypeOf<Suite<"alarm_inventory" | "health_check" | "greeting">>();
  });

  test("a hook may be synchronous or not, and hooks may be methods of a class", () => {
    class ChatHooks implements HooksOf<typeof chatSuite> {
      async alarmInventory(_ctx: HookContext, input: { user_id: string; prompt: string }): Promise<Result> {
        return { ...ok, output: input.prompt };
      }
      healthCheck(): Result {
        return ok;
      }
      greeting(_ctx: HookContext, text: string): Result {
        return { ...ok, output: text };
      }
    }
    implement(chatSuite, new ChatHooks(), inputs);
    const written: InputsOf<typeof chatSuite> = inputs;
    implement(chatSuite, hooks, written);
  });

  test("a missing, an extra, a misspelt and a snake_case hook do not compile", () => {
    const { healthCheck, ...withoutHealthCheck } = hooks;
    // @ts-expect-error healthCheck is missing
    implement(chatSuite, withoutHealthCheck, inputs);
    // @ts-expect-error no scenario has this hook
    implement(chatSuite, { alarmInventory: () => ok, healthCheck, greeting: () => ok, farewell: () => ok }, inputs);
    // @ts-expect-error did you mean healthCheck?
    implement(chatSuite, { alarmInventory: () => ok, healthChek: () => ok, greeting: () => ok }, inputs);
    // @ts-expect-error did you mean alarmInventory?
    implement(chatSuite, { alarm_inventory: () => ok, healthCheck: () => ok, greeting: () => ok }, inputs);
  });

  test("a wrong parameter, a parameter where there is none and a hook that returns nothing do not compile", () => {
    // @ts-expect-error the input has no member of that type
    implement(chatSuite, { ...hooks, alarmInventory: (_ctx: HookContext, _input: { user_id: number }) => ok }, inputs);
    // @ts-expect-error the scenario declares no input
    implement(chatSuite, { ...hooks, healthCheck: (_ctx: HookContext, _input: string) => ok }, inputs);
    // @ts-expect-error nothing is returned
    implement(chatSuite, { ...hooks, healthCheck: () => {} }, inputs);
  });

  test("missing, wrong and extra inputs, and one for a literal, do not compile", () => {
    // @ts-expect-error inputs are needed
    implement(chatSuite, hooks);
    // @ts-expect-error alarmInventory is missing
    implement(chatSuite, hooks, {});
    // @ts-expect-error prompt is missing
    implement(chatSuite, hooks, { alarmInventory: { user_id: "u" } });
    // @ts-expect-error prompt is no text
    implement(chatSuite, hooks, { alarmInventory: { user_id: "u", prompt: 1 } });
    // @ts-expect-error urgent is not declared
    implement(chatSuite, hooks, { alarmInventory: { user_id: "u", prompt: "p", urgent: true } });
    // @ts-expect-error healthCheck takes nothing
    implement(chatSuite, hooks, { ...inputs, healthCheck: "x" });
    // @ts-expect-error the design holds the text
    implement(chatSuite, hooks, { alarmInventory: inputs.alarmInventory, greeting: "Hello." });
  });

  test("inputs may be left out where no scenario needs one", () => {
    const plain = suite("plain", { description: "d", timeout: "1m", scenarios: { health_check: { description: "d" }, greeting: { description: "d", input: "Hi." } } });
    implement(plain, { healthCheck: () => ok, greeting: () => ok });
    implement(plain, { healthCheck: () => ok, greeting: () => ok }, {});
    // @ts-expect-error no scenario takes one
    implement(plain, { healthCheck: () => ok, greeting: () => ok }, { healthCheck: 1 });
  });

  test("a default gives an optional input and a required parameter", () => {
    const paged = suite("paged", {
      description: "d",
      timeout: "1m",
      scenarios: { of_member: { description: "d", input: z.object({ limit: z.int().default(3) }) }, of_whole: { description: "d", input: z.string().default("all") } },
    });
    implement(
      paged,
      {
        ofMember(_ctx, input) {
          expectTypeOf(input).toEqualTypeOf<{ limit: number }>();
          return ok;
        },
        ofWhole(_ctx, input) {
          expectTypeOf(input).toEqualTypeOf<string>();
          return ok;
        },
      },
      { ofMember: {} },
    );
    expectTypeOf<InputsOf<typeof paged>["ofMember"]>().toEqualTypeOf<{ limit?: number | undefined }>();
  });

  test("zod, valibot and arktype infer alike", () => {
    const three = suite("three", {
      description: "d",
      timeout: "1m",
      scenarios: {
        of_zod: { description: "d", input: z.object({ name: z.string(), age: z.number() }) },
        of_valibot: { description: "d", input: toStandardJsonSchema(v.object({ name: v.string(), age: v.number() })) },
        of_arktype: { description: "d", input: type({ name: "string", age: "number" }) },
      },
    });
    implement(
      three,
      {
        ofZod(_ctx, input) {
          expectTypeOf(input).toEqualTypeOf<{ name: string; age: number }>();
          return ok;
        },
        ofValibot(_ctx, input) {
          expectTypeOf(input).toEqualTypeOf<{ name: string; age: number }>();
          return ok;
        },
        ofArktype(_ctx, input) {
          expectTypeOf(input).toEqualTypeOf<{ name: string; age: number }>();
          return ok;
        },
      },
      { ofZod: { name: "a", age: 1 }, ofValibot: { name: "a", age: 1 }, ofArktype: { name: "a", age: 1 } },
    );
    // @ts-expect-error age is missing in one, and no number in another
    implement(three, { ofZod: () => ok, ofValibot: () => ok, ofArktype: () => ok }, { ofZod: { name: "a" }, ofValibot: { name: "a", age: 1 }, ofArktype: { name: "a", age: "1" } });
  });
});

describe("a design that is written wrongly does not compile", () => {
  test("misspelt members of a scenario", () => {
    // @ts-expect-error did you mean tags?
    suite("s", { description: "d", timeout: "1m", scenarios: { a: { description: "d", tag: ["x"] } } });
    // @ts-expect-error did you mean input?
    suite("s", { description: "d", timeout: "1m", scenarios: { a: { description: "d", inputs: z.string() } } });
  });

  test("a missing description or timeout", () => {
    // @ts-expect-error the suite has no description
    suite("s", { timeout: "1m", scenarios: { a: { description: "d" } } });
    // @ts-expect-error the suite has no timeout
    suite("s", { description: "d", scenarios: { a: { description: "d" } } });
    // @ts-expect-error the scenario has no description
    suite("s", { description: "d", timeout: "1m", scenarios: { a: {} } });
  });

  test("an input that is no schema with a JSON Schema side", () => {
    // @ts-expect-error a bare valibot schema has none
    suite("s", { description: "d", timeout: "1m", scenarios: { a: { description: "d", input: v.string() } } });
    // @ts-expect-error a JSON Schema is no Standard Schema
    suite("s", { description: "d", timeout: "1m", scenarios: { a: { description: "d", input: { type: "string" } } } });
    // @ts-expect-error a number is none
    suite("s", { description: "d", timeout: "1m", scenarios: { a: { description: "d", input: 3 } } });
    // @ts-expect-error a literal beside a schema
    suite("s", { description: "d", timeout: "1m", scenarios: { a: { description: "d", input: [z.string(), "x"] } } });
  });

  test("members may be undefined, as computed ones are", () => {
    const tags: string[] | undefined = undefined;
    suite("s", { description: "d", timeout: "1m", scenarios: { a: { description: "d", input: undefined, tags, timeout: undefined, skip: undefined } } });
  });

  test("a scenario carries skip, knownFailure, revision, trials and require", () => {
    suite("s", {
      description: "d",
      timeout: "1m",
      scenarios: { a: { description: "d", skip: "waits for the new index", revision: "2" }, b: { description: "d", knownFailure: "#12", trials: 5, require: { passRate: 0.8 } } },
    });
    // @ts-expect-error a reason is a text
    suite("s", { description: "d", timeout: "1m", scenarios: { a: { description: "d", skip: true } } });
  });
});

describe("tools are typed by what they declare", () => {
  const alarms = toolset("alarms", {
    list_alarms: tool({
      description: "Lists alarms.",
      args: z.object({ window: z.string(), limit: z.int().default(10) }),
      result: toStandardJsonSchema(v.object({ ids: v.array(v.string()) })),
      bounded: true,
    }),
    delete_alarm: tool({ description: "Deletes one.", name: "alarms.delete", args: type({ id: "string" }), confirm: true, tags: ["write"] }),
  });

  test("the typed tool has the names and the types of its declaration", () => {
    expectTypeOf(alarms.tools.list_alarms.name).toEqualTypeOf<"list_alarms">();
    expectTypeOf(alarms.tools.list_alarms.args.decode).returns.toEqualTypeOf<{ window: string; limit: number }>();
    expectTypeOf(alarms.tools.list_alarms.result.decode).returns.toEqualTypeOf<{ ids: string[] }>();
    expectTypeOf(alarms.tools.delete_alarm.name).toEqualTypeOf<"alarms.delete">();
    expectTypeOf(alarms.tools.delete_alarm.args.decode).returns.toEqualTypeOf<{ id: string }>();
    expectTypeOf(alarms.tools.delete_alarm.result.decode).returns.toEqualTypeOf<unknown>();
  });

  test("a renamed tool does not compile", () => {
    // @ts-expect-error it is called list_alarms
    void alarms.tools.list_alarm;
  });

  test("an agent takes toolsets, agents and suites, each in its place", () => {
    const desk = agent("desk", { description: "d", exports: [alarms] });
    const chat = agent("chat", { description: "d", toolsets: [alarms], uses: [desk, { agent: desk, toolsets: ["alarms"] }], suites: [chatSuite] });
    design({ agents: [chat, desk], suites: [] });
    // @ts-expect-error a suite is no toolset
    agent("chat", { description: "d", toolsets: [chatSuite] });
    // @ts-expect-error a toolset is no agent
    design({ agents: [alarms] });
    // @ts-expect-error a tool needs a description
    tool({ args: z.string() });
    // @ts-expect-error a plain object is no tool
    toolset("t", { x: { description: "d" } });
  });

  test("agents may use each other", () => {
    const a = agent("a", {
      get uses(): AgentDesign[] {
        return [b];
      },
    });
    const b = agent("b", { uses: [a] });
    design({ agents: [a, b] });
  });
});
