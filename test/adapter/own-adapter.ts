// Owns the adapter of docs/guide/your-own-adapter.md: a made-up framework, its target, and what its contract needs to be brought about.
import type { Observes, StreamEvent, Target } from "entail/evidence";
import type { TargetHarness } from "entail/testing";

/** What the framework gives: a stream of notes. */
export interface Notes {
  run(question: string, options: { readonly signal: AbortSignal; readonly thread?: string | undefined }): AsyncIterable<Note>;
}
export type Note =
  | { readonly kind: "said"; readonly words: string }
  | { readonly kind: "used"; readonly id: string; readonly tool: string; readonly input: unknown }
  | { readonly kind: "got"; readonly id: string; readonly tool: string; readonly output: unknown }
  | { readonly kind: "over" };

// region target
const OBSERVES: Observes = { args: true, results: true, failureKinds: false, parents: false, approvals: false, bounds: false, deltas: false };

export function target(agent: Notes): Target<string> {
  return {
    observes: OBSERVES,
    memory: false,
    send(question, { signal, threadId }) {
      const run = { runId: crypto.randomUUID(), ...(threadId === undefined ? {} : { sessionId: threadId }) };
      return { observes: OBSERVES, [Symbol.asyncIterator]: () => events(agent.run(question, { signal, thread: threadId }), run) };
    },
  };
}

async function* events(notes: AsyncIterable<Note>, run: { readonly runId: string }): AsyncGenerator<StreamEvent, void> {
  for await (const note of notes) {
    if (note.kind === "said") yield { ...run, type: "assistant_reply", text: note.words };
    if (note.kind === "used") yield { ...run, type: "tool_start", toolCallId: note.id, toolName: note.tool, args: note.input };
    if (note.kind === "got") yield { ...run, type: "tool_end", toolCallId: note.id, toolName: note.tool, result: note.output };
    if (note.kind === "over") {
      yield { ...run, type: "workflow", phase: "completed" };
      // Only an end that was seen: a stream that merely stops proves no absence.
      yield { ...run, type: "run_stream_end" };
    }
  }
}
// endregion

// region harness
const notes = (...list: readonly Note[]): Notes => ({ run: async function* () { yield* list; } });
const waiting: Notes = { run: async function* (_question, { signal }) { await new Promise((_resolve, reject) => { signal.addEventListener("abort", () => reject(signal.reason)); }); yield { kind: "over" }; } };

export const harness: TargetHarness<string> = {
  answers: () => ({ target: target(notes({ kind: "said", words: "Hello." }, { kind: "over" })), input: "Hi.", answer: "Hello." }),
  waits: () => ({ target: target(waiting), input: "Hi." }),
  breaksOff: () => ({ target: target(notes({ kind: "said", words: "Your order" })), input: "Hi.", said: "Your order" }),
  calls: () => ({
    target: target(notes({ kind: "used", id: "1", tool: "look", input: { n: 1 } }, { kind: "got", id: "1", tool: "look", output: "seen" }, { kind: "over" })),
    input: "Look.", toolName: "look", args: { n: 1 }, result: "seen",
  }),
};
// endregion
