// The types that are printed are the types that the schema libraries infer, both ways.

import type { InputsOf, HooksOf } from "entail";
import { suite } from "entail/design";
import { describe, expectTypeOf, test } from "vitest";
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
