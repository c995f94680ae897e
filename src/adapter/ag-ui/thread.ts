// Owns what a run that goes on must know of those before it on the same thread: what was said, and which calls somebody was asked to allow.

import type { Approval, Evidence } from "../../core/evidence.ts";
import type { Interrupt } from "./event.ts";
import type { AgUiMessage } from "./message.ts";

export interface Asked {
  readonly id: string;
  readonly rawId: string;
  readonly toolName: string;
  /** What the model wrote as arguments. */
  readonly text: string;
  readonly interruptId: string;
  state: Approval;
}

/** What a run leaves behind. */
export interface Left {
  readonly messages: readonly AgUiMessage[];
  readonly asked: readonly Asked[];
  /** Calls that were begun and have no end yet. */
  readonly open: readonly Omit<Asked, "interruptId" | "state">[];
  /** The ids of the calls that were told, in this run and in those that it went on with. */
  readonly told: readonly string[];
  readonly interrupts: readonly Interrupt[];
}

export function askedIn({ confirmation, toolCalls }: Evidence): readonly Asked[] {
  if (confirmation === undefined || toolCalls.some(({ toolCallId }) => toolCallId === confirmation.toolCallId)) return [];
  const { toolCallId, toolName, argsJson, id = "", state } = confirmation;
  return [{ id: toolCallId, rawId: toolCallId, toolName, text: argsJson, interruptId: id, state }];
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
      threads.delete(threadId);
      threads.set(threadId, left);
      for (const oldest of threads.keys()) {
        if (threads.size <= MAX_THREADS) break;
        threads.delete(oldest);
      }
    },
  };
}
