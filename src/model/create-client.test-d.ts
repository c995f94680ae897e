import { expectTypeOf, test } from "vitest";
import type { Judge } from "entail";
import { createJudge } from "entail/judge";
import { createClient, type Client, type ModelResponse, type Provider } from "entail/model";

declare const provider: Provider;

test("a client comes from createClient alone", () => {
  expectTypeOf(createClient(provider)).toEqualTypeOf<Client>();
  // @ts-expect-error a provider is no client
  createJudge(provider, { maxOutputTokens: 1 });
  // @ts-expect-error nor is an object of an application's own
  const own: Client = { complete: provider };
  void own;
});

test("a judge needs its budget, and knows its classes", () => {
  const client = createClient(provider);
  expectTypeOf(createJudge(client, { maxOutputTokens: 1 })).toEqualTypeOf<Judge>();
  // @ts-expect-error there is no default budget
  createJudge(client, {});
  // @ts-expect-error no such class
  createJudge(client, { maxOutputTokens: 1, modelClass: "huge" });
});

test("a provider answers with raw text", () => {
  // @ts-expect-error parsed arguments have lost what the model wrote
  const parsed: ModelResponse = { content: [{ type: "tool_call", id: "1", name: "t", arguments: {} }], stopReason: "tool_calls" };
  void parsed;
  expectTypeOf<{ complete: () => Promise<ModelResponse> }>().toExtend<Provider>();
});
