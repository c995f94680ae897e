import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { type countingRemoteProvider, createGateway, limited, priced, recorded, recording, remoteProvider, type Provider } from "entail/model";
import { expectTypeOf, test } from "vitest";

const all = recording({ file: "x.json" });

test("a recorded model keeps its type, whichever SDK it is of", () => {
  const openai = createOpenAI({ apiKey: "x" })("gpt-4.1-mini");
  expectTypeOf(all.model(openai)).toEqualTypeOf<typeof openai>();
  const anthropic = createAnthropic({ apiKey: "x" })("claude-sonnet-4-5");
  expectTypeOf(all.model(anthropic)).toEqualTypeOf<typeof anthropic>();
  const google = createGoogle({ apiKey: "x" })("gemini-2.5-flash");
  expectTypeOf(all.model(google)).toEqualTypeOf<typeof google>();
  // @ts-expect-error a name is no model
  all.model("openai/gpt-4.1-mini");
});

test("a recorded tool takes what the tool takes and gives a promise of what it gives", () => {
  const look = all.tool("look_up", (city: string, _options?: { readonly abortSignal?: AbortSignal }): { city: string; sky: string } => ({ city, sky: "clear" }));
  expectTypeOf(look).toBeCallableWith("Brooklyn", { abortSignal: new AbortController().signal });
  expectTypeOf(look("Brooklyn")).toEqualTypeOf<Promise<{ city: string; sky: string }>>();
  const late = all.tool("later", async () => 5);
  expectTypeOf(late()).toEqualTypeOf<Promise<number>>();
  // @ts-expect-error a city is a text
  void look(5);
});

test("what stands around a provider is a provider, and only the counting one must count", () => {
  expectTypeOf(recorded(priced(limited(remoteProvider({ url: "https://x.example", token: "t" }))), { file: "x.json", mode: "strict" })).toExtend<Provider>();
  expectTypeOf<ReturnType<typeof countingRemoteProvider>["countTokens"]>().not.toEqualTypeOf<Provider["countTokens"]>();
  // @ts-expect-error there is no such mode
  recording({ file: "x.json", mode: "replay" });
  // @ts-expect-error a gateway lets in only whom it knows
  createGateway({ provider: remoteProvider({ url: "https://x.example", token: "t" }) });
});
