// The types that are printed are the types that the schema libraries infer, both ways.

import { createRunner, type HookContext, type HooksOf, type InputsOf, type Result } from "entail";
import { suite } from "entail/design";
import { describe, expectTypeOf, test } from "vitest";
import { newSuite, type ChatEvalInput, type Hooks as ChatHooks } from "../../test/fixture/codegen/chat/gen/evals/chat/suite.ts";
import { toolContract } from "../../test/fixture/codegen/chat/gen/evals/chat/contract.ts";
import { deleteAlarmTool, listAlarmsTool } from "../../test/fixture/codegen/chat/gen/toolsets/alarms.ts";
import type { Hooks as ArktypeHooks, Inputs as ArktypeInputs } from "../../test/fixture/codegen/shapes/gen/evals/of_arktype/suite.ts";
import type { Hooks as ValibotHooks, Inputs as ValibotInputs } from "../../test/fixture/codegen/shapes/gen/evals/of_valibot/suite.ts";
import type { Hooks as ZodHooks, Inputs as ZodInputs } from "../../test/fixture/codegen/shapes/gen/evals/of_zod/suite.ts";
import { ofArktype, ofValibot, ofZod } from "../../test/fixture/codegen/shapes/design/shapes.ts";

/** Each fits where the other is asked for. */
type Alike<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

const words = { description: "d", timeout: "1m" };

describe("inputs and hooks of generated code equal those of implement", () => {
  test("for zod", () => {
    const { text, names, counts, inline, first_custom, second_custom, people, tree, action, pair, sparse, rest, keyed, partly, loose, both, anything, settings, whole, json } = ofZod;
    const of = <Input>(input: Input): { readonly description: string; readonly input: Input } => ({ description: "d", input });
    const declared = suite("of_zod", {
      ...words,
      scenarios: {
        text: of(text),
        names: of(names),
        counts: of(counts),
        inline: of(inline),
        first_custom: of(first_custom),
        second_custom: of(second_custom),
        people: of(people),
        tree: of(tree),
        action: of(action),
        pair: of(pair),
        sparse: of(sparse),
        rest: of(rest),
        keyed: of(keyed),
        partly: of(partly),
        loose: of(loose),
        both: of(both),
        json: of(json),
        anything: of(anything),
        settings: of(settings),
        whole: of(whole),
      },
    });
    type Same = InputsOf<typeof declared>;
    expectTypeOf<ZodInputs["text"]>().toEqualTypeOf<Same["text"]>();
    expectTypeOf<ZodInputs["names"]>().toEqualTypeOf<Same["names"]>();
    expectTypeOf<ZodInputs["counts"]>().toEqualTypeOf<Same["counts"]>();
    expectTypeOf<ZodInputs["inline"]>().toEqualTypeOf<Same["inline"]>();
    expectTypeOf<ZodInputs["firstCustom"]>().toEqualTypeOf<Same["firstCustom"]>();
    expectTypeOf<ZodInputs["people"]>().toEqualTypeOf<Same["people"]>();
    expectTypeOf<ZodInputs["tree"]>().toEqualTypeOf<Same["tree"]>();
    expectTypeOf<ZodInputs["action"]>().toEqualTypeOf<Same["action"]>();
    expectTypeOf<ZodInputs["pair"]>().toEqualTypeOf<Same["pair"]>();
    expectTypeOf<ZodInputs["sparse"]>().toEqualTypeOf<Same["sparse"]>();
    expectTypeOf<ZodInputs["rest"]>().toEqualTypeOf<Same["rest"]>();
    expectTypeOf<ZodInputs["keyed"]>().toEqualTypeOf<Same["keyed"]>();
    expectTypeOf<ZodInputs["partly"]>().toEqualTypeOf<Same["partly"]>();
    expectTypeOf<ZodInputs["loose"]>().toEqualTypeOf<Same["loose"]>();
    expectTypeOf<Alike<ZodInputs["both"], Same["both"]>>().toEqualTypeOf<true>();
    expectTypeOf<Alike<ZodInputs["anything"], Same["anything"]>>().toEqualTypeOf<true>();
    expectTypeOf<ZodInputs["settings"]>().toEqualTypeOf<Same["settings"]>();
    expectTypeOf<ZodInputs["whole"]>().toEqualTypeOf<Same["whole"]>();
    expectTypeOf<Alike<ZodInputs, Same>>().toEqualTypeOf<true>();
    expectTypeOf<Parameters<ZodHooks["settings"]>[1]>().toEqualTypeOf<Parameters<HooksOf<typeof declared>["settings"]>[1]>();
    expectTypeOf<Parameters<ZodHooks["whole"]>[1]>().toEqualTypeOf<string>();
    expectTypeOf<Alike<ZodHooks, HooksOf<typeof declared>>>().toEqualTypeOf<true>();
  });

  test("for valibot", () => {
    const { v_object, v_tuple, v_variant, v_page } = ofValibot;
    const declared = suite("of_valibot", {
      ...words,
      scenarios: { v_object: { description: "d", input: v_object }, v_tuple: { description: "d", input: v_tuple }, v_variant: { description: "d", input: v_variant }, v_page: { description: "d", input: v_page } },
    });
    expectTypeOf<ValibotInputs>().toEqualTypeOf<InputsOf<typeof declared>>();
    expectTypeOf<ValibotHooks>().toEqualTypeOf<HooksOf<typeof declared>>();
  });

  test("for arktype, which knows no undefined beside an absent member", () => {
    const { a_object, a_union, a_record, a_tree } = ofArktype;
    const declared = suite("of_arktype", {
      ...words,
      scenarios: { a_object: { description: "d", input: a_object }, a_union: { description: "d", input: a_union }, a_record: { description: "d", input: a_record }, a_tree: { description: "d", input: a_tree } },
    });
    expectTypeOf<[InputsOf<typeof declared>] extends [ArktypeInputs] ? true : false>().toEqualTypeOf<true>();
    expectTypeOf<ArktypeInputs["aUnion"]>().toEqualTypeOf<InputsOf<typeof declared>["aUnion"]>();
    expectTypeOf<ArktypeInputs["aRecord"]>().toEqualTypeOf<InputsOf<typeof declared>["aRecord"]>();
    expectTypeOf<Parameters<ArktypeHooks["aObject"]>[1]["c"]>().toEqualTypeOf<string>();
    expectTypeOf<Parameters<ArktypeHooks["aObject"]>[1]["d"]>().toEqualTypeOf<"x" | "y">();
  });
});

describe("generated code is as strict as it can be", () => {
  const ok: Result = { checks: [{ name: "ok", passed: true }] };
  const hooks: ChatHooks = { alarmInventory: () => ok, healthCheck: () => ok, greeting: () => ok };
  const inputs = { alarmInventory: { user_id: "u", prompt: "p" } };

  test("hooks may be methods of a class", () => {
    class Hooks implements ChatHooks {
      async alarmInventory(_ctx: HookContext, input: ChatEvalInput): Promise<Result> {
        return { ...ok, output: input.prompt };
      }
      healthCheck(): Result {
        return ok;
      }
      greeting(_ctx: HookContext, text: string): Result {
        return { ...ok, output: text };
      }
    }
    expectTypeOf(newSuite(new Hooks(), inputs).scenarios[0]?.id).toEqualTypeOf<"alarm_inventory" | "health_check" | "greeting" | undefined>();
  });

  test("a missing, an extra and a wrong hook do not compile", () => {
    // @ts-expect-error healthCheck and greeting are missing
    newSuite({ alarmInventory: () => ok }, inputs);
    // @ts-expect-error no scenario has this hook
    newSuite({ ...hooks, farewell: () => ok }, inputs);
    // @ts-expect-error the hook asks for more than its input has
    newSuite({ ...hooks, alarmInventory: (_ctx: HookContext, _input: ChatEvalInput & { urgent: boolean }) => ok }, inputs);
    // @ts-expect-error prompt is missing
    newSuite(hooks, { alarmInventory: { user_id: "u" } });
    // @ts-expect-error inputs are missing
    newSuite(hooks);
    expectTypeOf(newSuite).parameter(0).toEqualTypeOf<ChatHooks>();
  });

  test("a misspelt scenario or tag in a selection does not compile", () => {
    const runner = createRunner({ maxConcurrency: 1 });
    const suite = newSuite(hooks, inputs);
    void runner.runScenarios(suite, ["alarm_inventory"]);
    void runner.runTags(suite, ["production"]);
    // @ts-expect-error did you mean alarm_inventory?
    void runner.runScenarios(suite, ["alarm_inventry"]);
    // @ts-expect-error no scenario carries it
    void runner.runTags(suite, ["smoke"]);
    expectTypeOf(suite.scenarios[0]?.tags).toEqualTypeOf<readonly ("alarm" | "production")[] | undefined>();
  });

  test("typed tools and contracts know names, arguments and results", () => {
    expectTypeOf(toolContract("list_alarms")).toEqualTypeOf(listAlarmsTool);
    expectTypeOf(listAlarmsTool.name).toEqualTypeOf<"list_alarms">();
    expectTypeOf(listAlarmsTool.args.decode).returns.toEqualTypeOf<{ window: string; cursor?: string | undefined }>();
    expectTypeOf(deleteAlarmTool.result.decode).returns.toEqualTypeOf<unknown>();
    // @ts-expect-error the agent reaches no such tool
    toolContract("list_alarm");
  });

  test("an input goes where plain data is asked for", () => {
    expectTypeOf<ChatEvalInput>().toExtend<Record<string, unknown>>();
  });
});
