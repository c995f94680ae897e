// Owns what a run that goes on must know of those before it on the same thread: which calls were told already, and which of them somebody
// was asked to allow.

import type { Approval, Evidence } from "../../core/evidence.ts";
import type { Interrupt } from "./interrupt.ts";
import type { ArgumentMembers } from "./payload.ts";

export interface AskedCall {
  readonly id: string;
  readonly toolName: string;
  readonly args: unknown;
  readonly arguments: ArgumentMembers;
  readonly interruptId?: string | undefined;
  state: Approval;
}

export interface Earlier {
  /** The calls whose start was told, by their ids, and whether their end was told too. */
  readonly said: ReadonlyMap<string, { readonly ended: boolean }>;
  /** In the order in which they were asked for. */
  readonly asked: ReadonlyMap<string, AskedCall>;
  /** The evidence of this run continues that of the run before: an end may be told of a call that was begun there. */
  readonly continued: boolean;
}

/** What a run leaves behind. */
export interface Left extends Earlier {
  readonly interrupts: readonly Interrupt[];
}

export const NOTHING_EARLIER: Earlier = { said: new Map(), asked: new Map(), continued: false };

/** What `evidence` says of its own run; what came before that is in the evidence before it. */
export function earlierOf({ toolCalls, completions, confirmation }: Evidence): Earlier {
  const said = new Map([...toolCalls, ...(completions ?? []).map(({ call }) => call)].map(({ toolCallId, completed }) => [toolCallId, { ended: completed }]));
  const asked = new Map<string, AskedCall>();
  if (confirmation !== undefined && !said.has(confirmation.toolCallId)) {
    const { toolCallId: id, toolName, args, argsJson, state, id: interruptId } = confirmation;
    asked.set(id, { id, toolName, args, arguments: { argsJson }, ...(interruptId === undefined ? {} : { interruptId }), state });
  }
  return { said, asked, continued: true };
}

export interface ThreadMemory {
  recall(threadId: string): Left | undefined;
  keep(threadId: string, left: Left): void;
}

/** Threads of finished conversations are forgotten first. */
const MAX_THREADS = 10_000;

export function threadMemory(): ThreadMemory {
  const threads = new Map<string, Left>();
  return {
    recall: (threadId) => threads.get(threadId),
    keep(threadId, left) {
      const before = threads.get(threadId);
      threads.delete(threadId);
      threads.set(threadId, { ...left, said: new Map([...(before?.said ?? []), ...left.said]) });
      for (const oldest of threads.keys()) {
        if (threads.size <= MAX_THREADS) break;
        threads.delete(oldest);
      }
    },
  };
}
