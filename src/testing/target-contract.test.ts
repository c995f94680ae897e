import { target as httpTarget, type TargetFunction } from "entail/adapter/http";
import { OBSERVES_EVERYTHING, type Observes, type StreamEvent } from "entail/evidence";
import { targetContract, type TargetHarness } from "entail/testing";
import { describe, expect, test } from "vitest";
import type { Target } from "../core/target.ts";

const NOTHING: Observes = { args: false, results: false, failureKinds: false, parents: false, approvals: false, bounds: false, deltas: false };
const RUN = { type: "workflow", phase: "completed" } as const;
const END = { type: "run_stream_end" } as const;
const waiting = (signal: AbortSignal): Promise<never> => new Promise((_resolve, reject) => { signal.addEventListener("abort", () => reject(signal.reason as Error)); });

/** A target whose runs say these events, each in the run's own name. */
function telling(events: readonly object[], over: Partial<Target<string>> = {}): Target<string> {
  let runs = 0;
  return {
    observes: OBSERVES_EVERYTHING,
    memory: false,
    send(_input, turn) {
      const base = { runId: `run-${++runs}`, sessionId: turn.threadId };
      return { observes: OBSERVES_EVERYTHING, async *[Symbol.asyncIterator]() { for (const event of events) yield { ...base, ...event } as StreamEvent; } };
    },
    ...over,
  };
}

const say = (text: string): object => ({ type: "assistant_reply", text });
const start = { type: "tool_start", toolCallId: "c", toolName: "look", args: { n: 1 } };
const end = (rest: object): object => ({ type: "tool_end", toolCallId: "c", toolName: "look", ...rest });
const input = "Go.";

const ASKS = [{ type: "await_confirmation", toolCallId: "c", toolName: "look", prompt: "May I?" }, { type: "workflow", phase: "suspended" }, END];
/** A target whose run goes on with these events after a decision; `decide` may make the call. */
function going(events: (approved: boolean) => readonly object[], decide: (approved: boolean) => number = (approved) => (approved ? 1 : 0)): ReturnType<NonNullable<TargetHarness<string>["decides"]>> {
  let made = 0;
  let decided = false;
  const resume: Target<string>["resume"] = async function* ({ approved }) {
    if (decided) throw new Error("it was decided");
    decided = events(approved).length > 0;
    made += decide(approved);
    for (const event of [{ type: "tool_authorization", toolCallId: "c", toolName: "look", approved }, ...events(approved)]) yield { runId: "next", ...event } as StreamEvent;
  };
  return { target: telling(ASKS, { resume }), input, toolName: "look", made: () => made };
}
const whole = (approved: boolean): readonly object[] => [start, ...(approved ? [end({ result: 1 })] : []), RUN, END];

/** A target that keeps every promise, and sees everything. */
const HARNESS: TargetHarness<string> = {
  answers: () => ({ target: telling([say("Hi."), RUN, END]), input, answer: "Hi." }),
  waits: () => ({ target: httpTarget((_input: string, { signal }) => waiting(signal)), input }),
  breaksOff: () => ({ target: telling([say("Your order")]), input, said: "Your order" }),
  calls: () => ({ target: telling([start, end({ result: { m: 2 } }), RUN, END]), input, toolName: "look", args: { n: 1 }, result: { m: 2 } }),
  fails: () => ({ target: telling([start, end({ failure: { kind: "timeout", error: { message: "late" } } }), RUN, END]), input, toolName: "look", kind: "timeout" }),
  asks: () => ({ target: telling([{ type: "await_confirmation", toolCallId: "c", toolName: "look", prompt: "May I?" }, { type: "workflow", phase: "suspended" }, END]), input, toolName: "look" }),
  decides: () => going(whole),
  nests: () => ({ target: telling([start, { ...start, toolCallId: "d", toolName: "inner", parentToolCallId: "c" }, { type: "tool_end", toolCallId: "d", toolName: "inner", result: 1 }, end({ result: 1 }), RUN, END]), input, parent: "look", child: "inner" }),
  bounded: () => ({ target: telling([start, end({ result: [], bounds: { returned: 0, truncated: false } }), RUN, END]), input, toolName: "look", bounds: { returned: 0, truncated: false } }),
  remembers: () => ({ target: httpTarget((asked: string, { history }) => (asked === "What did I say?" ? (history ?? []).map(({ content }) => content).join(" ") : "Noted.")), input: "Brooklyn.", next: "What did I say?", shows: (answer) => answer.includes("Brooklyn") }),
};

const options = { patienceMs: 300 };

describe("a target that keeps its promises", () => {
  test.each(targetContract(HARNESS, options))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  test("closes each situation, whatever came of it", async () => {
    let closed = 0;
    const harness = { ...HARNESS, answers: () => ({ target: telling([]), input, answer: "Hi.", close: () => { closed += 1; } }) };
    const checks = targetContract(harness, options).filter(({ name }) => name.includes("a run that answers"));
    await expect(checks[0]?.run()).rejects.toMatchObject({ code: "contract_broken" });
    expect(closed).toBe(1);
  });
});

/** The checks that a harness does not pass, with what they say. */
async function failing(over: Partial<TargetHarness<string>>): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, run } of targetContract({ ...HARNESS, ...over }, options)) {
    await run().catch((thrown: unknown) => failed.push(`${name}: ${(thrown as { code: string }).code}: ${(thrown as Error).message}`));
  }
  return failed;
}

const answers = (target: Target<string>): Partial<TargetHarness<string>> => ({ answers: () => ({ target, input, answer: "Hi." }) });
const blind = (events: readonly object[]): Target<string> => {
  const target = telling(events, { observes: NOTHING });
  return { ...target, send: (...asked) => Object.assign({ observes: NOTHING, [Symbol.asyncIterator]: () => target.send(...asked)[Symbol.asyncIterator]() }) };
};

/** Says what it has gathered in a place that all of its runs share. */
function mixing(): Target<string> {
  const shared: string[] = [];
  return httpTarget(async () => {
    shared.push("Hi.");
    await new Promise((resolve) => setImmediate(resolve));
    return shared.splice(0).join("");
  });
}

describe("a target that breaks a promise is found out", () => {
  test.each<[string, Partial<TargetHarness<string>>, string]>([
    ["it declares no whole observes", answers(telling([say("Hi."), RUN, END], { observes: { args: true } as Observes })), "observes.results must be true or false; it is undefined"],
    ["it says nothing of its memory", answers(telling([say("Hi."), RUN, END], { memory: undefined as unknown as boolean })), "memory must be true or false"],
    ["it declares what nothing shows", { bounded: undefined }, "it declares to observe bounds, so the harness needs the situation bounded"],
    ["its answer is another", answers(telling([say("Hello."), RUN, END])), 'the answer should be "Hi."; it is "Hello."'],
    ["it never says that it completed", answers(telling([say("Hi."), END])), "its phase is undefined"],
    ["it has no end", answers(telling([say("Hi."), RUN])), "the run should have given evidence, and it was refused: the stream stopped"],
    ["its runs share an id", answers(telling([{ ...say("Hi."), runId: "r" }, { ...RUN, runId: "r" }, { ...END, runId: "r" }])), 'both runs have the id "r"'],
    ["its runs have no id", answers(telling([say("Hi."), RUN, END].map((event) => ({ ...event, runId: undefined })))), "the run needs an id"],
    ["it says things that nobody knows", answers(telling([{ type: "sparkle" }, say("Hi."), RUN, END])), "events that Entail does not know: sparkle"],
    ["its session is another", answers(telling([say("Hi."), RUN, END].map((event) => ({ ...event, sessionId: "mine" })))), 'it is "mine"'],
    ["its run observes less than it declares", answers({ ...blind([say("Hi."), RUN, END]), observes: OBSERVES_EVERYTHING }), "and its run does not"],
    ["it makes a call up", answers(telling([start, end({ result: 1 }), say("Hi."), RUN, END])), "it is failed"],
    ["it does not stop when it is aborted", { waits: () => ({ target: { ...telling([]), send: () => ({ async *[Symbol.asyncIterator]() { await new Promise(() => undefined); yield END; } }) }, input }) }, "an aborted run took longer than 300 ms"],
    ["it completes when it is aborted", { waits: () => ({ target: { ...telling([]), send: (_input, { signal }) => ({ async *[Symbol.asyncIterator]() { await waiting(signal).catch(() => undefined); yield RUN; yield END; } }) }, input }) }, "an aborted run completed"],
    ["it makes an end up for what broke off", { breaksOff: () => ({ target: telling([say("Your order"), RUN, END]), input, said: "Your order" }) }, "it gives evidence as of a whole run"],
    ["it loses what was said before it broke off", { breaksOff: () => ({ target: telling([]), input, said: "Your order" }) }, 'what was said should be kept, "Your order"'],
    ["it tells a call twice", { calls: () => ({ target: telling([start, { ...start, toolCallId: "d" }, end({ result: 1 }), RUN, END]), input, toolName: "look", args: { n: 1 }, result: 1 }) }, "seen were look, look"],
    ["its arguments are others", { calls: () => ({ target: telling([{ ...start, args: { n: 2 } }, end({ result: 1 }), RUN, END]), input, toolName: "look", args: { n: 1 }, result: 1 }) }, 'its arguments should be {"n":1}'],
    ["its result is another", { calls: () => ({ target: telling([start, end({ result: 2 }), RUN, END]), input, toolName: "look", args: { n: 1 }, result: 1 }) }, "its result should be 1; it is 2"],
    ["its call never ended", { calls: () => ({ target: telling([start, RUN, END]), input, toolName: "look", args: { n: 1 }, result: 1 }) }, "the call should have succeeded"],
    ["a failure is a success", { fails: () => ({ target: telling([start, end({ result: 1 }), RUN, END]), input, toolName: "look", kind: "timeout" }) }, "it is seen to have succeeded"],
    ["a failure is of another kind", { fails: () => ({ target: telling([start, end({ failure: { kind: "internal", error: { message: "x" } } }), RUN, END]), input, toolName: "look", kind: "timeout" }) }, "of the kind timeout; it is internal"],
    ["it goes on without being allowed to", { asks: () => ({ target: telling([start, end({ result: 1 }), RUN, END]), input, toolName: "look" }) }, "the run should be suspended"],
    ["it is suspended and asks for nothing", { asks: () => ({ target: telling([{ type: "workflow", phase: "suspended" }, END]), input, toolName: "look" }) }, "a pending confirmation of look should be seen"],
    ["its runs mix when they are two", answers(mixing()), "one run's words are in the other's answer"],
    ["it has done what it asks for", { asks: () => ({ target: telling([{ type: "await_confirmation", toolCallId: "c", toolName: "look", prompt: "May I?" }, start, end({ result: 1 }), { type: "workflow", phase: "suspended" }, END]), input, toolName: "look" }) }, "before anybody allowed it"],
    ["it cannot go on", { decides: () => ({ target: telling(ASKS), input, toolName: "look", made: () => 0 }) }, "the target has no resume()"],
    ["it makes a call that was refused", { decides: () => going(whole, () => 1) }, "the tool should have run not at all; it ran 1 times"],
    ["it makes a call twice", { decides: () => going(whole, () => 2) }, "the tool should have run once; it ran 2 times"],
    ["it can be decided twice", { decides: () => { let made = 0; return { target: telling(ASKS, { resume: async function* ({ approved }) { if (approved) made++; for (const event of [{ type: "tool_authorization", toolCallId: "c", toolName: "look", approved }, ...whole(approved)]) yield { runId: "next", ...event } as StreamEvent; } }), input, toolName: "look", made: () => made }; } }, "was decided a second time"],
    ["it makes another call than the one that was asked for", { decides: () => going(() => [{ ...start, toolCallId: "d" }, { ...end({ result: 1 }), toolCallId: "d" }, RUN, END]) }, "the one that was asked for; seen were d (nobody was asked)"],
    ["it stops again", { decides: () => going(() => [start, { type: "workflow", phase: "suspended" }, END]) }, "the run that goes on should complete; its phase is suspended"],
    ["it goes on without an end", { decides: () => going(() => [start]) }, "the run that goes on should have given evidence"],
    ["it loses the end of the call", { decides: () => going(() => [start, RUN, END]) }, "the approved call should have succeeded"],
    ["a nested call stands beside its parent", { nests: () => ({ target: telling([start, { ...start, toolCallId: "d", toolName: "inner" }, RUN, END]), input, parent: "look", child: "inner" }) }, "should stand below"],
    ["its bounds are others", { bounded: () => ({ target: telling([start, end({ result: [], bounds: { returned: 1, truncated: false } }), RUN, END]), input, toolName: "look", bounds: { returned: 0, truncated: false } }) }, "the bounds of look should be"],
    ["it forgets", { remembers: () => ({ target: httpTarget(() => "Noted."), input: "Brooklyn.", next: "What did I say?", shows: (answer) => answer.includes("Brooklyn") }) }, "the second turn should know the first"],
    ["it tells one thread of another", { remembers: () => { const said: string[] = []; return { target: httpTarget((asked: string) => { said.push(asked); return said.join(" "); }), input: "Brooklyn.", next: "What did I say?", shows: (answer) => answer.includes("Brooklyn") }; } }, "another thread knows the first turn"],
  ])("%s", async (_what, over, message) => {
    const failed = await failing(over);
    expect(failed.join("\n")).toContain(message);
    expect(failed.every((line) => line.includes(": contract_broken: "))).toBe(true);
  });

  test("an input that a run changes", async () => {
    const changing: TargetFunction<{ list: number[] }> = (given) => { given.list.push(1); return "Hi."; };
    const harness: TargetHarness<{ list: number[] }> = { answers: () => ({ target: httpTarget(changing), input: { list: [] }, answer: "Hi." }), waits: () => ({ target: httpTarget((_input: { list: number[] }, { signal }) => waiting(signal)), input: { list: [] } }) };
    const outcomes = await Promise.allSettled(targetContract(harness, options).map(({ run }) => run()));
    expect(outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [(outcome.reason as Error).message] : []))).toEqual(["the run changed its input"]);
  });

  test("a blind target is held to what it says: that it saw no call decides nothing", async () => {
    expect(await failing({ ...answers(blind([say("Hi."), RUN, END])) })).toEqual([]);
    expect((await failing({ ...answers({ ...telling([say("Hi."), RUN, END]), observes: NOTHING }) })).join()).toBe("");
  });
});
