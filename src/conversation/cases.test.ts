import { checks, converse, createScorer, cutStopWord, runEvals, type ConversationSoFar, type TurnPlayer } from "entail/conversation";
import { check, systemClock, type Suite } from "entail";
import type { Evidence, TargetOptions } from "entail/evidence";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { execute } from "../run/execute.ts";
import type { Plan } from "../run/plan.ts";

type History = NonNullable<TargetOptions["history"]>;

/** Gives back every user's message that it was given, this turn's last. */
const recaller = (): { readonly target: (input: string, turn: TargetOptions) => string; readonly seen: Map<string, string[][]> } => {
  const seen = new Map<string, string[][]>();
  return {
    seen,
    target(input, { threadId = "", history = [] }) {
      const said = [...history.filter(({ role }) => role === "user").map(({ content }) => content), input];
      seen.set(threadId, [...(seen.get(threadId) ?? []), said]);
      return said.join(" | ");
    },
  };
};
/** A target that keeps its threads by itself, as a server does. */
const keeper = (): { readonly target: (input: string, turn: TargetOptions) => string; readonly threads: Map<string, string[]> } => {
  const threads = new Map<string, string[]>();
  return {
    threads,
    target(input, { threadId = "" }) {
      const said = [...(threads.get(threadId) ?? []), input];
      threads.set(threadId, said);
      return said.join(" | ");
    },
  };
};
const look = createScorer({ id: "look", description: "always 1" }).generateScore(() => 1);

describe("state that leaks", () => {
  test("case 146: a second conversation begins with its own first turn alone, one after the other and at once", async () => {
    for (const concurrency of [1, 4]) {
      const { target, seen } = recaller();
      const { items } = await runEvals({ target, data: [{ id: "a", inputs: ["My name is Ada", "What is my name?"] }, { id: "b", inputs: ["What is my name?"] }], scorers: [look], concurrency });
      expect(seen.get(items[1]?.threadId ?? "")).toEqual([["What is my name?"]]);
      expect(seen.get(items[0]?.threadId ?? "")).toEqual([["My name is Ada"], ["My name is Ada", "What is my name?"]]);
    }
  });

  test("case 147: three conversations whose names could be glued together to one have three histories", async () => {
    const { target, threads } = keeper();
    const result = await runEvals({ target, data: [{ id: "a:b/c", inputs: ["1", "x"] }, { id: "a/b:c", inputs: ["2", "x"] }, { id: "a", inputs: ["3", "x"], trials: 2 }], scorers: [look], concurrency: 3 });
    expect([...threads.values()].map((said) => said.join()).sort()).toEqual(["1,x", "2,x", "3,x", "3,x"]);
    expect(new Set(result.items.map(({ threadId }) => threadId)).size).toBe(3);
  });

  test("case 148: a thread that gives all of its messages with each turn shows a call in the turn that made it alone", async () => {
    const first = [{ type: "ai", id: "m1", content: "", tool_calls: [{ id: "c1", name: "login", args: {} }] }, { type: "tool", tool_call_id: "c1", content: "ok" }];
    const second = [...first, { type: "human", id: "h2", content: "and?" }, { type: "ai", id: "m2", content: "done", tool_calls: [] }];
    const states = [first, second];
    const target = (_input: string, { turn = 0 }: TargetOptions): unknown => structuredClone(states[turn]);
    const result = await runEvals({ target, data: [{ turns: [{ input: "log in", gates: [checks.calledTool("login")] }, { input: "and?", gates: [checks.didNotCall("login"), checks.includes("done")] }] }], gates: [checks.calledTool("login"), checks.maxToolCalls(1)] });
    expect(result.verdict).toBe("passed");
    expect(result.report.scenarios[0]?.turns?.map(({ toolCalls }) => toolCalls)).toEqual([1, 0]);
    const spoken = await converse(target, ["log in", "and?"]);
    expect(spoken.turns.map(({ evidence }) => evidence.toolCalls.map(({ toolName }) => toolName))).toEqual([["login"], []]);
    expect(spoken.evidence.toolCalls.map(({ toolName }) => toolName)).toEqual(["login"]);
  });

  test("case 149: an agent that changes its input finds it as it was in every trial, and the report holds it so", async () => {
    const target = (input: { items: number[] }): number => input.items.push(3);
    const data = [{ id: "r", input: { items: [1, 2] } }];
    const result = await runEvals({ target, data, trials: 3, gates: [checks.equals("3")] });
    expect(result.report.scenarios[0]?.trials?.map((trial) => trial.result?.output)).toEqual(["3", "3", "3"]);
    expect(result.report.scenarios[0]?.trials?.map((trial) => trial.result?.metadata?.["input"])).toEqual([{ items: [1, 2] }, { items: [1, 2] }, { items: [1, 2] }]);
    expect(data).toEqual([{ id: "r", input: { items: [1, 2] } }]);
  });

  test("kind state-leak: no conversation sees another's words, whatever runs at once and however items are alike", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(fc.constantFrom("a", "b", "same"), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }), async (conversations, concurrency, trials) => {
        const { target, threads } = keeper();
        await runEvals({ target, data: conversations.map((inputs) => ({ inputs })), scorers: [look], concurrency, trials });
        const wanted = conversations.flatMap((inputs) => Array.from({ length: trials }, () => inputs.join()));
        expect([...threads.values()].map((said) => said.join()).sort()).toEqual(wanted.sort());
      }),
      { numRuns: 30 },
    );
  });

  test("kind state-leak: a player is told only of the conversation that it plays", async () => {
    const player: TurnPlayer = { maxTurns: 3, next: ({ turns }: ConversationSoFar) => ({ message: `turn ${turns.length}` }) };
    const { target, threads } = keeper();
    await runEvals({ target, data: [{ user: player }, { user: player }], scorers: [look], concurrency: 2, trials: 2 });
    expect([...threads.values()]).toEqual(Array.from({ length: 4 }, () => ["turn 0", "turn 1", "turn 2"]));
  });

  test("kind state-leak: a scorer that changes the messages or the ground truth changes nothing for the next, nor for the report", async () => {
    const spoil = createScorer({ id: "spoil", description: "spoils" }).generateScore(({ run }) => {
      (run.output as unknown[]).length = 0;
      (run.turns as unknown as { output: unknown[] }[])[0]?.output.splice(0);
      (run.groundTruth as { city: string }).city = "spoilt";
      return 1;
    });
    const truth = createScorer({ id: "truth", description: "looks" }).generateScore(({ run }) => ((run.groundTruth as { city: string }).city === "Ulm" ? 1 : 0));
    const groundTruth = { city: "Ulm" };
    const result = await runEvals({ target: (input: string) => `Echo: ${input}`, data: [{ inputs: ["a", "b"], groundTruth }], gates: [spoil, checks.includes("Echo: a"), truth] });
    expect(result.verdict).toBe("passed");
    expect([groundTruth, result.items[0]?.messages.length]).toEqual([{ city: "Ulm" }, 2]);
  });

  test("kind state-leak: a retry begins its conversation anew", async () => {
    const { target, threads } = keeper();
    let failed = false;
    const once = (input: string, turn: TargetOptions): string => {
      const said = target(input, turn);
      if (input === "two" && !failed) { failed = true; throw new Error("once"); }
      return said;
    };
    const result = await runEvals({ target: once, data: [{ inputs: ["one", "two"] }], retries: 1, gates: [checks.includes("one | two")] });
    expect(result.verdict).toBe("passed");
    expect([...threads.values()]).toEqual([["one", "two"], ["one", "two"]]);
  });
});

/** Says its lines in order, whatever is answered. */
const lines = (replies: readonly string[], more: Partial<TurnPlayer> = {}): TurnPlayer & { readonly asked: number } => {
  const player = { asked: 0, maxTurns: 10, ...more, next: () => ({ message: replies[player.asked++] ?? "" }) };
  return player;
};
/** Refuses what an agent of a provider refuses. */
const strict = (): { readonly target: (input: string, turn: TargetOptions) => string; readonly heard: string[] } => {
  const heard: string[] = [];
  return {
    heard,
    target(input) {
      if (input.trim() === "") throw new Error("content must not be empty");
      heard.push(input);
      return `Heard: ${input}`;
    },
  };
};

describe("whose turn it is", () => {
  test("case 151: the opening line is the first of the user's turns, and counts for the cap", async () => {
    const { target, heard } = strict();
    const roles: string[][] = [];
    const tell = (input: string, turn: TargetOptions): string => (roles.push([...(turn.history as History).map(({ role }) => role), "user"]), target(input, turn));
    const result = await runEvals({ target: tell, data: [{ input: "Hello", user: lines(["I want a refund"], { maxTurns: 2 }) }], scorers: [look] });
    expect(heard).toEqual(["Hello", "I want a refund"]);
    expect([...(roles.at(-1) ?? []), "assistant"]).toEqual(["user", "assistant", "user", "assistant"]);
    expect(result.items[0]?.end).toBe("max_turns");
    expect(result.report.scenarios[0]?.turns?.map(({ played }) => played)).toEqual([undefined, true]);
  });

  test("case 152: a player that says nothing is asked once more, then the conversation ends; nothing empty is sent and nobody is blamed", async () => {
    const { target, heard } = strict();
    const result = await runEvals({ target, data: [{ user: lines(["I want a refund", "", "   "]) }], gates: [checks.includes("Heard")] });
    expect(heard).toEqual(["I want a refund"]);
    expect([result.items[0]?.end, result.verdict]).toEqual(["nothing_said", "passed"]);
  });

  test("case 153: a stop word at the end of a sentence ends the conversation after that sentence, and is never sent", async () => {
    const { target, heard } = strict();
    const result = await runEvals({ target, data: [{ user: lines(["Thanks, that is all. ###STOP###", "never reached"], { stopWord: "###STOP###" }) }], scorers: [look] });
    expect([heard, result.items[0]?.end]).toEqual([["Thanks, that is all."], "stop_word"]);
    expect(cutStopWord("bye ###stop###", "###STOP###")).toEqual({ message: "bye", stopped: true });
    expect(cutStopWord("I did not say ###STOPPED###", "###STOP###")).toEqual({ message: "I did not say ###STOPPED###", stopped: false });
  });

  test("kind turn-protocol: users and answers take turns, nothing empty and no stop word is sent, and the cap holds, whatever is played", async () => {
    const reply = fc.constantFrom("hi", "", "  ", "more?", "STOP", "done. STOP", "stop", "nonstop talk", "STOPPED?", "\n");
    await fc.assert(
      fc.asyncProperty(fc.array(reply, { maxLength: 8 }), fc.integer({ min: 1, max: 4 }), fc.option(fc.constant("Hello"), { nil: undefined }), async (replies, maxTurns, opening) => {
        const { target, heard } = strict();
        const shape: string[] = [];
        const tell = (input: string, { history = [] }: TargetOptions): string => (shape.splice(0, shape.length, ...history.map(({ role }) => role), "user", "assistant"), target(input, {} as TargetOptions));
        const user = lines(replies, { maxTurns, stopWord: "STOP" });
        const result = await runEvals({ target: tell, data: [{ user, ...(opening !== undefined && { input: opening }) }], scorers: [look] });
        expect(heard.length).toBeLessThanOrEqual(maxTurns);
        expect(heard.every((text) => text.trim() !== "" && !/\bstop\b/i.test(text))).toBe(true);
        expect(shape.every((role, at) => role === (at % 2 === 0 ? "user" : "assistant"))).toBe(true);
        const [item] = result.items;
        // Who ends before anything was said is the player's fault, never a score.
        expect(heard.length === 0 ? ["simulated_user_failed"] : ["max_turns", "stop_word", "nothing_said"]).toContain(heard.length === 0 ? item?.error?.code : item?.end);
      }),
      { numRuns: 60 },
    );
  });

  test("kind turn-protocol: a player that throws, or answers with something else, is no fault of the agent", async () => {
    for (const next of [() => { throw new Error("no model"); }, () => ({}), () => "hello", () => ({ message: 7 }), () => ({ message: "hi", end: "" })]) {
      const result = await runEvals({ target: strict().target, data: [{ input: "Hello", user: { maxTurns: 3, next: next as never } }], gates: [checks.includes("Heard")] });
      expect(result.items[0]).toMatchObject({ outcome: "errored", error: { code: "simulated_user_failed" } });
      expect(result.items[0]?.turns.map(({ outcome }) => outcome)).toEqual(["scored"]);
    }
  });

  test("kind turn-protocol: the player's own reason to end is kept, with its last words or without, and what it cost", async () => {
    const { target, heard } = strict();
    const player: TurnPlayer = { maxTurns: 5, next: ({ turns }) => (turns.length === 0 ? { message: "one", usage: { inputTokens: 3 } } : { message: "bye", end: "goal", usage: { inputTokens: 4 } }) };
    const result = await runEvals({ target, data: [{ user: player }, { input: "Hello", user: { maxTurns: 5, next: () => ({ end: "gave_up" }) } }], scorers: [look] });
    expect(heard).toEqual(["one", "bye", "Hello"]);
    expect(result.items.map(({ end }) => end)).toEqual(["goal", "gave_up"]);
    expect(result.usage?.judge).toEqual({ inputTokens: 7 });
  });

  test("kind turn-protocol: a turn's input may be made of what was answered, and one that cannot be made is told as that", async () => {
    const { target, heard } = strict();
    const result = await runEvals({ target, data: [{ inputs: ["one", ({ output, turns, threadId }: ConversationSoFar) => `${output} / ${turns.length} / ${typeof threadId}`] }, { turns: [{ input: "a" }, { input: () => { throw new Error("no idea"); } }, { input: "c" }] }], scorers: [look] });
    expect(heard).toEqual(["one", "Heard: one / 1 / string", "a"]);
    expect(result.items[1]?.error).toMatchObject({ code: "hook_threw", message: expect.stringContaining("the input of turn 2 could not be made: no idea") as unknown });
    expect(result.items[1]?.turns.map(({ outcome }) => outcome)).toEqual(["scored", "errored", "not_reached"]);
  });
});

describe("a conversation within a hook", () => {
  test("converse gives each turn, all of them together, and the thread that they share", async () => {
    const { target } = recaller();
    const spoken = await converse(target, ["one", { input: ({ output }: ConversationSoFar) => `after ${output}` }]);
    expect(spoken.turns.map(({ input, output }) => [input, output])).toEqual([["one", "one"], ["after one", "one | after one"]]);
    expect(spoken.output).toBe("one\n\none | after one");
    expect([typeof spoken.threadId, spoken.evidence.ended]).toEqual(["string", true]);
  });

  test("an agent of which only messages or a text are known has evidence of just that", async () => {
    const call = { role: "assistant", content: "", tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: "{}" } }] };
    const agent = { generate: (input: string) => (input === "look" ? { text: "seen", scoringData: { input: {}, output: [call, { role: "tool", tool_call_id: "c", content: "ok" }, { role: "assistant", content: "seen" }] } } : { text: "just words", messages: [{ role: "assistant", content: [{ type: "sparkle" }] }] }) };
    const { turns } = await converse(agent, ["look", "words"]);
    expect(turns.map(({ output, evidence }) => [output, evidence.toolCalls.length, evidence.observes.args, evidence.ended])).toEqual([["seen", 1, true, true], ["just words", 0, false, true]]);
    await expect(converse({ generate: () => ({}) }, ["a"])).rejects.toThrow("gave nothing that can be scored");
    await expect(converse(agent, [])).rejects.toMatchObject({ code: "option_invalid" });
  });

  test("a deadline ends it, and what was seen of its turns is kept", async () => {
    const target = (input: string): Promise<unknown> => (input === "slow" ? new Promise(() => undefined) : Promise.resolve([{ role: "assistant", content: "", tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: "{}" } }] }, { role: "tool", tool_call_id: "c", content: "ok" }, { role: "assistant", content: "seen" }]));
    const kept: (Evidence | undefined)[] = [];
    const suite: Suite = { id: "talk", description: "", scenarios: [{ id: "one", description: "", tags: [], timeoutMs: 40, run: async (ctx) => ({ checks: [check("told", (await converse(target, ["fast", "slow"], ctx)).turns.length === 2, "two turns")] }) }] };
    const plan: Plan = { suite, selection: { kind: "all" }, maxConcurrency: 1, clock: systemClock, newRunId: () => "run", reporters: [] };
    await execute(plan, { trialFinished: (_position, _id, _trial, evidence) => void kept.push(evidence), scenarioFinished: (_position, { error }) => expect(error).toMatchObject({ code: "deadline_exceeded", stage: "hook" }) });
    expect(kept.map((evidence) => evidence?.toolCalls.map(({ toolName }) => toolName))).toEqual([["look"]]);
  });

  test("a target that stops for approval is approved or rejected where it can go on, and told where it cannot", async () => {
    const observes = { args: true, results: true, failureKinds: true, parents: true, approvals: true, bounds: true, deltas: false };
    const asked = { type: "await_confirmation", toolCallId: "c1", toolName: "remove", prompt: "sure?", args: { id: 7 } } as const;
    const end = (runId: string, phase: string): readonly object[] => [{ type: "workflow", phase, runId }, { type: "run_stream_end", runId }];
    async function* stream(...events: readonly object[]): AsyncGenerator<never, void> { yield* events as readonly never[]; }
    const target = {
      observes,
      memory: true,
      send: () => stream({ ...asked, runId: "r1" }, ...end("r1", "suspended")),
      resume: (decision: { readonly approved: boolean; readonly confirmation: { readonly toolName: string } }) =>
        decision.approved
          ? stream({ type: "tool_authorization", toolCallId: "c1", toolName: decision.confirmation.toolName, approved: true, runId: "r2" }, { type: "tool_start", toolCallId: "c1", toolName: "remove", args: { id: 7 }, runId: "r2" }, { type: "tool_end", toolCallId: "c1", toolName: "remove", result: { ok: true }, runId: "r2" }, { type: "assistant_reply", text: "removed", runId: "r2" }, ...end("r2", "completed"))
          : stream({ type: "tool_authorization", toolCallId: "c1", toolName: "remove", approved: false, runId: "r2" }, { type: "assistant_reply", text: "left alone", runId: "r2" }, ...end("r2", "completed")),
    };
    const approved = await converse(target, [{ input: "remove 7", approvals: "approve" }]);
    expect([approved.output, approved.evidence.toolCalls[0]?.completed, approved.evidence.toolCalls[0]?.approval]).toEqual(["removed", true, "approved"]);
    const result = await runEvals({ target, data: [{ turns: [{ input: "a", approvals: "approve", gates: [checks.toolSucceeded("remove")] }, { input: "b", approvals: "reject", gates: [checks.includes("left alone")] }, { input: "c", approvals: "expect" }] }] });
    expect(result.verdict).toBe("passed");
    const { resume: _resume, ...mute } = target;
    const told = await runEvals({ target: mute, data: [{ input: "a", approvals: "approve" }], gates: [look] });
    expect(told.items[0]?.error?.message).toContain("this target cannot go on from there");
    // What stops for something else is no approval that could be given.
    const silent = await runEvals({ target: { ...target, send: () => stream(...end("r1", "suspended")) }, data: [{ input: "a", approvals: "approve" }], gates: [look] });
    expect(silent.items[0]?.error?.message).toContain("no approval of a call");
    // An agent that takes no for an invitation is not asked for ever.
    let asks = 0;
    const stubborn = { ...target, resume: () => stream({ ...asked, toolCallId: `c${++asks}`, runId: "r2" }, ...end("r2", "suspended")) };
    const endless = await runEvals({ target: stubborn, data: [{ input: "a", approvals: "reject" }], gates: [look] });
    expect(endless.items[0]?.error?.message).toContain("again after 100 decisions in one turn");
    expect(asks).toBe(100);
  });
});
