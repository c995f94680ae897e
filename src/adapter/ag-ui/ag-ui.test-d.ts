import type { AGUIEvent, Interrupt as RealInterrupt, Message, ResumeEntry as RealResumeEntry, RunAgentInput, Tool } from "@ag-ui/core";
import { events, target, type AgUiMessage, type EventSource, type Fetch, type FetchResponse, type FrontendTool, type Interrupt, type ResumeEntry } from "entail/adapter/ag-ui";
import type { EventStream, Evidence } from "entail/evidence";
import { describe, expectTypeOf, test } from "vitest";
import type { Target } from "../../core/target.ts";

describe("the protocol's own types fit", () => {
  test("its events are a source, and so is the platform's response", () => {
    expectTypeOf<AsyncIterable<AGUIEvent>>().toExtend<EventSource>();
    expectTypeOf<ReadableStream<AGUIEvent>>().toExtend<EventSource>();
    expectTypeOf<Response>().toExtend<EventSource>();
    expectTypeOf(events).toBeCallableWith(null as unknown as Promise<Response>, { frontendTools: ["pay"], runId: "r" });
    expectTypeOf(events).returns.toExtend<EventStream>();
    // @ts-expect-error a text is no stream
    void (() => events("text"));
  });

  test("its messages, answers and tools are ours, and an interrupt of ours is one of its", () => {
    expectTypeOf<Extract<Message, { role: "assistant" | "user" | "tool" | "system" }>>().toExtend<AgUiMessage>();
    expectTypeOf<RealResumeEntry>().toExtend<ResumeEntry>();
    expectTypeOf<ResumeEntry>().toExtend<RealResumeEntry>();
    expectTypeOf<Tool>().toExtend<Pick<FrontendTool, "name" | "description">>();
    expectTypeOf<Pick<Interrupt, "id" | "reason" | "toolCallId">>().toExtend<Pick<RealInterrupt, "id" | "reason" | "toolCallId">>();
    expectTypeOf<keyof RunAgentInput>().toEqualTypeOf<"threadId" | "runId" | "protocolVersion" | "parentRunId" | "state" | "messages" | "tools" | "context" | "forwardedProps" | "resume">();
  });
});

test("the platform's fetch is a fetch", () => {
  expectTypeOf<Response>().toExtend<FetchResponse>();
  expectTypeOf<typeof fetch>().toExtend<Fetch>();
});

test("an address is a target, whose turns are texts, messages and answers", () => {
  const agent = target({ url: "http://localhost:8000", headers: { authorization: "Bearer x" }, tools: [{ name: "pay", execute: ({ amount }: { amount: number }) => amount }] });
  expectTypeOf(agent).toExtend<Target<string>>();
  void (() => agent.send({ resume: [{ interruptId: "i", status: "cancelled" }] }, { signal: new AbortController().signal }));
  // @ts-expect-error no address
  void (() => target({}));
  // @ts-expect-error no kind of failure
  void (() => target({ url: "x", failureKind: () => "weird" }));
  expectTypeOf<Evidence["confirmation"]>().not.toBeAny();
});
