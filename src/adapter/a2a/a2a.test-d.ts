import type { A2AClient } from "@a2a-js/sdk-v0_3/client";
import type { Message, StreamResponse, Task } from "@a2a-js/sdk-v1";
import type { Client } from "@a2a-js/sdk-v1/client";
import { events, target, type InputPart, type TaskSource, type TurnInput } from "entail/adapter/a2a";
import { expectTypeOf, test } from "vitest";
import type { EventStream } from "../../core/event.ts";
import type { Target } from "../../core/target.ts";

test("what the SDK's clients give is a source", () => {
  expectTypeOf<ReturnType<Client["sendMessageStream"]>>().toExtend<TaskSource>();
  expectTypeOf<ReturnType<Client["sendMessage"]>>().toExtend<PromiseLike<TaskSource>>();
  expectTypeOf<AsyncGenerator<StreamResponse>>().toExtend<TaskSource>();
  expectTypeOf<Task | Message>().toExtend<TaskSource>();
  expectTypeOf<ReturnType<A2AClient["sendMessageStream"]>>().toExtend<TaskSource>();
  expectTypeOf<ReturnType<A2AClient["sendMessage"]>>().toExtend<PromiseLike<TaskSource>>();
  expectTypeOf<Response>().toExtend<TaskSource>();
  expectTypeOf(events).returns.toExtend<EventStream>();
  // @ts-expect-error a text is no source
  void (() => events("text"));
});

test("an endpoint is a target", () => {
  expectTypeOf(target({ url: "https://agent.example" })).toExtend<Target<string>>();
  expectTypeOf(target({ url: new URL("https://agent.example"), protocol: "0.3" })).toEqualTypeOf<Target<TurnInput>>();
  expectTypeOf<{ text: string }[]>().toExtend<TurnInput>();
  expectTypeOf<{ data: { n: number } }>().toExtend<InputPart>();
  // @ts-expect-error an address is needed
  void (() => target({}));
  // @ts-expect-error a protocol that is none
  void (() => target({ url: "https://agent.example", protocol: "2.0" }));
});
