import { describe, expect, test } from "vitest";
import { type CollectContext, collect, type CollectableStream, type Evidence, OBSERVES_EVERYTHING, type StreamEvent } from "entail/evidence";
import { EntailError } from "entail";
import { asks, call, end, inOrder, phase, reply, ROOT, start, streamEnd, type Told } from "../../test/agent-events.ts";

async function* stream(...told: readonly Told[]): AsyncGenerator<StreamEvent> {
  for (const event of inOrder(told)) {
    await Promise.resolve();
    yield event;
  }
}
/** Gives these events, then never anything again. */
async function* hanging(...told: readonly Told[]): AsyncGenerator<StreamEvent> {
  yield* stream(...told);
  await new Promise(() => undefined);
}
const whole = [call("a", "list_alarms"), reply("done"), phase("completed"), streamEnd];
const broken = async (collecting: Promise<unknown>): Promise<EntailError & { readonly evidence: Evidence }> => {
  const error = await collecting.then(() => undefined, (thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(EntailError);
  return error as EntailError & { readonly evidence: Evidence };
};
function context(): CollectContext & { readonly controller: AbortController; readonly attached: Evidence[] } {
  const controller = new AbortController();
  const attached: Evidence[] = [];
  return { controller, attached, signal: controller.signal, attach: ({ evidence }) => void (evidence !== undefined && attached.push(evidence)) };
}

test("a stream that ends gives its evidence, with all that its source can see", async () => {
  const evidence = await collect(stream(...whole));
  expect(evidence).toMatchObject({ runId: "root", answer: "done", terminalPhase: "completed", ended: true, observes: OBSERVES_EVERYTHING });
  expect(evidence.toolCalls).toHaveLength(1);
});

test("what the source cannot see is read off the stream", async () => {
  const observes = { ...OBSERVES_EVERYTHING, bounds: false };
  expect((await collect(Object.assign(stream(...whole), { observes }))).observes).toEqual(observes);
});

test("the reading stops at the run's end, lets the source end its work, and takes nothing that comes later", async () => {
  let closed = false;
  async function* shared(): AsyncGenerator<StreamEvent> {
    try {
      yield* stream(...whole, reply("of somebody else"));
      await new Promise(() => undefined);
    } finally {
      closed = true;
    }
  }
  expect((await collect(shared())).answer).toBe("done");
  expect(closed).toBe(true);
});

test("a list of events is a stream too", async () => {
  expect((await collect(inOrder(whole))).ended).toBe(true);
});

describe("a stream that stops before its end", () => {
  test("is no evidence; what was seen is kept on the error", async () => {
    const error = await broken(collect(stream(start("a", "x"), reply("Your order is"))));
    expect(error.code).toBe("stream_incomplete");
    expect(error.evidence).toMatchObject({ answer: "Your order is", ended: false });
    expect(error.evidence.toolCalls).toHaveLength(1);
  });

  test("is the same where the root alone did not end", async () => {
    expect((await broken(collect(stream(phase("completed"), { type: "run_stream_end", runId: "child" })))).code).toBe("stream_incomplete");
    expect((await broken(collect(stream()))).code).toBe("stream_incomplete");
  });

  test("is the same where it breaks, with why", async () => {
    async function* breaks(): AsyncGenerator<StreamEvent> {
      yield reply("Hel");
      throw new Error("upstream 529");
    }
    const error = await broken(collect(breaks()));
    expect(error.code).toBe("stream_incomplete");
    expect(error.message).toBe("the stream broke before the run's end: upstream 529");
    expect((error.cause as Error).message).toBe("upstream 529");
    expect(error.evidence.answer).toBe("Hel");
  });

  test("keeps the code of an error of ours", async () => {
    async function* breaks(): AsyncGenerator<StreamEvent> {
      yield reply("Hel");
      throw new EntailError("provider_failed", "no answer from the model");
    }
    const error = await broken(collect(breaks()));
    expect([error.code, error.message, error.evidence.answer]).toEqual(["provider_failed", "no answer from the model", "Hel"]);
  });
});

test("an event that cannot be taken ends the reading, closes the source and keeps what was seen", async () => {
  let closed = false;
  async function* twice(): AsyncGenerator<StreamEvent> {
    try {
      yield* stream(call("a", "x"), end("a", "x"), ...whole);
    } finally {
      closed = true;
    }
  }
  const error = await broken(collect(twice()));
  expect(error.code).toBe("tool_end_duplicate");
  expect(error.evidence.toolCalls).toHaveLength(1);
  expect(closed).toBe(true);
});

test("calls without a root are refused at the end, and still shown on the error", async () => {
  const error = await broken(collect(stream(start("a", "x", {}, { parentToolCallId: "lost" }), phase("completed"), streamEnd)));
  expect(error.code).toBe("causal_orphan");
  expect(error.evidence.toolCalls[0]?.parentToolCallId).toBe("lost");
});

describe("with a context", () => {
  test("what was seen is attached as it goes", async () => {
    const ctx = context();
    await collect(stream(...whole), ctx);
    expect(ctx.attached.map((evidence) => [evidence.toolCalls.length, evidence.answer, evidence.ended])).toEqual([
      [1, "", false],
      [1, "", false],
      [1, "done", false],
      [1, "done", false],
      [1, "done", true],
    ]);
  });

  test("an abort ends the reading at once, with the signal's own error, and the last event is attached", async () => {
    const ctx = context();
    const reading = collect(hanging(call("a", "x"), reply("so far")), ctx);
    await new Promise((resolve) => setTimeout(resolve, 5));
    ctx.controller.abort(new EntailError("deadline_exceeded", "the deadline of 2m has passed"));
    const error = await broken(reading);
    expect(error.code).toBe("deadline_exceeded");
    expect(error.evidence.answer).toBe("so far");
    expect(ctx.attached.at(-1)).toMatchObject({ answer: "so far", ended: false });
  });

  test("an abort of another kind is a cancellation", async () => {
    const ctx = context();
    ctx.controller.abort("enough");
    expect((await broken(collect(hanging(), ctx))).code).toBe("cancelled");
  });

  test("everything is attached when the signal is aborted, however many events came since", async () => {
    const ctx = context();
    const many = Array.from({ length: 200 }, (_, at) => call(`${at}`, "x"));
    const reading = collect(hanging(...many, reply("last")), ctx);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(ctx.attached.length).toBeLessThan(100);
    let seen: Evidence | undefined;
    // The runner's own listener may come after ours or before: what it finds then must be whole.
    ctx.signal?.addEventListener("abort", () => (seen = ctx.attached.at(-1)));
    ctx.controller.abort();
    expect(seen).toMatchObject({ answer: "last" });
    expect(seen?.toolCalls).toHaveLength(200);
    await broken(reading);
  });

  test("a source that answers at once, for ever, does not hold up the clock", async () => {
    const ctx = context();
    function* endless(): Generator<StreamEvent> {
      for (;;) yield { type: "planner_thought", ...ROOT };
    }
    setTimeout(() => ctx.controller.abort(), 10);
    expect((await broken(collect(endless(), ctx))).code).toBe("cancelled");
  });

  test("a context that takes nothing more does not end the reading", async () => {
    const attach = (): void => {
      throw new Error("the trial is over");
    };
    expect((await collect(stream(...whole), { attach })).ended).toBe(true);
  });

  test("attaching stays cheap for a run of many calls", async () => {
    const ctx = context();
    const many = Array.from({ length: 5000 }, (_, at) => call(`${at}`, "x"));
    const evidence = await collect(stream(...many, phase("completed"), streamEnd), ctx);
    expect(evidence.toolCalls).toHaveLength(5000);
    expect(ctx.attached.length).toBeLessThan(200);
    expect(ctx.attached.at(-1)).toEqual(evidence);
  });
});

test("what is no stream is said at once", async () => {
  expect((await broken(collect(Promise.resolve(stream()) as unknown as CollectableStream))).message).toMatch(/a promise: await it first/);
  expect((await broken(collect(undefined as unknown as CollectableStream))).code).toBe("event_invalid");
  expect((await broken(collect({} as unknown as CollectableStream))).code).toBe("event_invalid");
});

test("a suspended run is read to its end, its confirmation pending", async () => {
  const evidence = await collect(stream(asks("a", "wire"), phase("suspended"), streamEnd));
  expect(evidence).toMatchObject({ terminalPhase: "suspended", ended: true, confirmation: { state: "pending" } });
});

test("a source whose clean-up throws has still told everything", async () => {
  async function* untidy(): AsyncGenerator<StreamEvent> {
    try {
      yield* stream(...whole);
    } finally {
      // eslint-disable-next-line no-unsafe-finally
      throw new Error("already closed");
    }
  }
  expect((await collect(untidy())).ended).toBe(true);
});
