import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agentInput, evidenceMessages, inputText, newMessages } from "./messages.ts";
import { joinEvidence } from "./join-evidence.ts";
import { collect } from "../evidence/collect.ts";
import { eventsFromMessages } from "../evidence/message-events.ts";
import type { Evidence } from "../core/evidence.ts";

describe("the messages of a turn, where a target gives its whole thread", () => {
  const call = (id: string, name: string): object => ({ role: "assistant", content: "", tool_calls: [{ id, type: "function", function: { name, arguments: "{}" } }] });
  const end = (id: string): object => ({ role: "tool", tool_call_id: id, content: "ok" });

  test("kind state-leak: a thread without ids is the same as far as it was given before", () => {
    const fresh = newMessages();
    const first = [call("c1", "login"), end("c1")];
    expect(fresh(first)).toEqual(first);
    expect(fresh([...structuredClone(first), call("c2", "logout")])).toEqual([call("c2", "logout")]);
    expect(fresh([...structuredClone(first), call("c2", "logout"), end("c2"), { role: "assistant", content: "bye" }])).toEqual([end("c2"), { role: "assistant", content: "bye" }]);
  });

  test("kind state-leak: a message with the id of an earlier one is that one, wherever it stands and whatever became of it", () => {
    const fresh = newMessages();
    fresh([{ ...call("c1", "login"), id: "m1" }, { role: "assistant", content: "hello", id: "m2" }]);
    expect(fresh([{ role: "user", content: "again", id: "u1" }, { ...call("c1", "login"), id: "m1", status: "done" }, { role: "assistant", content: "new", id: "m3" }])).toEqual([{ role: "user", content: "again", id: "u1" }, { role: "assistant", content: "new", id: "m3" }]);
  });

  test("kind state-leak: turns that give only their own messages keep all of them, also where they are alike", () => {
    const fresh = newMessages();
    const same = [{ role: "assistant", content: "yes" }];
    expect(fresh([{ role: "assistant", content: "yes", id: "a" }])).toHaveLength(1);
    expect(fresh([{ role: "assistant", content: "yes", id: "b" }])).toHaveLength(1);
    expect([fresh(same), fresh(structuredClone(same)), fresh([{ role: "assistant", content: "yes", id: "b" }])]).toEqual([same, same, [{ role: "assistant", content: "yes", id: "b" }]]);
    // Without ids nobody can tell a thread that grew from an answer that begins alike: it is taken for the thread.
    expect([newMessages(), fresh].map((one) => (one(same), one([...same, { role: "assistant", content: "no" }])))).toEqual([[{ role: "assistant", content: "no" }], [{ role: "assistant", content: "no" }]]);
  });

  test("kind state-leak: however a thread grows, each message is new exactly once", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 }), fc.boolean(), (sizes, withIds) => {
        const fresh = newMessages();
        const thread: object[] = [];
        const seen = sizes.flatMap((size) => {
          for (let at = 0; at < size; at++) thread.push({ role: "assistant", content: `message ${thread.length}`, ...(withIds && { id: `m${thread.length}` }) });
          return fresh(structuredClone(thread));
        });
        expect(seen).toEqual(thread);
      }),
    );
  });
});

test("an input is told in an agent's form, and in words", () => {
  expect(agentInput("hi").inputMessages).toEqual([{ role: "user", content: { format: 2, parts: [{ type: "text", text: "hi" }], content: "hi" } }]);
  expect(agentInput(["a", { role: "user", content: "b" }]).inputMessages).toHaveLength(2);
  expect([inputText("hi"), inputText(["a", "b"]), inputText([{ role: "user", content: "c" }]), inputText({ city: "Ulm" }), inputText(undefined)]).toEqual(["hi", "a\nb", "c", '{"city":"Ulm"}', "null"]);
});

describe("the evidence of a conversation", () => {
  const of = (...messages: readonly object[]): Promise<Evidence> => collect(eventsFromMessages(messages));
  const call = (name: string): object => ({ role: "assistant", content: `calls ${name}`, tool_calls: [{ id: "c1", type: "function", function: { name, arguments: "{}" } }] });

  test("kind state-leak: calls of two turns with one id stay two calls, each with its own end", async () => {
    const joined = joinEvidence([await of(call("login"), { role: "tool", tool_call_id: "c1", content: "first" }), await of(call("logout"), { role: "tool", tool_call_id: "c1", content: "second" })]);
    expect(joined?.toolCalls.map(({ toolCallId, toolName, result }) => [toolCallId, toolName, result])).toEqual([["c1", "login", "first"], ["c1#2", "logout", "second"]]);
    expect([joined?.answer, joined?.ended]).toEqual(["calls login\n\ncalls logout", true]);
    expect(evidenceMessages(joined as Evidence)).toEqual([expect.objectContaining({ role: "assistant" })]);
  });

  test("a turn without evidence leaves nothing to be said of the whole, and what one turn could not show the whole does not", async () => {
    const seen = await of(call("login"));
    expect([joinEvidence([seen, undefined]), joinEvidence([])]).toEqual([undefined, undefined]);
    expect(joinEvidence([seen])).toBe(seen);
    const blind = { ...seen, observes: { ...seen.observes, results: false, failures: false } };
    expect(joinEvidence([seen, blind])?.observes).toMatchObject({ args: true, results: false, failures: false });
  });
});
