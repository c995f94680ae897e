// Owns the neutral form of a conversation's messages: what was said, which tools were called and how each call ended, and what was not understood.

import type { Approval } from "../core/evidence.ts";
import type { Usage } from "../core/usage.ts";

/** `system` is also for instructions of a developer and for signals that nobody said. */
export type MessageRole = "system" | "user" | "assistant";

/** One text of a message. A message may hold several, with calls between them. */
export interface MessageText {
  readonly kind: "text";
  readonly role: MessageRole;
  readonly text: string;
  /** The place of its message in the list, from 0. */
  readonly index: number;
}

/** What a model thought; no part of what it said. */
export interface MessageReasoning {
  readonly kind: "reasoning";
  readonly text: string;
  readonly index: number;
}

/** An error that ended the run, kept among its messages. */
export interface MessageError {
  readonly kind: "error";
  readonly message: string;
  readonly index: number;
}

/**
 * `called`: issued, and no end was seen. `succeeded` and `failed`: it ended. `denied`: somebody refused it, so it never ran.
 * `pending`: it waits for somebody to allow it. A call whose arguments were still being written was never issued and is left out.
 */
export type CallState = "called" | "succeeded" | "failed" | "denied" | "pending";

export interface MessageCall {
  readonly kind: "call";
  /** As the message has it; made up (`made-up:1`) where it has none. Two messages may use one id for two calls. */
  readonly toolCallId: string;
  /** Empty where only the end of the call was seen, without a name. */
  readonly toolName: string;
  /** The parsed arguments, frozen; the raw text where they are not JSON. */
  readonly args: unknown;
  /** Their canonical JSON text, with every digit where the message holds text; the raw text where they are not JSON. */
  readonly argsJson: string;
  /** How the arguments came, where `args` is `{}` only because there were none. */
  readonly argsRaw?: "absent" | "null" | "empty" | undefined;
  readonly state: CallState;
  /** What came back, also beside a failure where the message holds one. Where the message holds text, a JSON object or list is read. */
  readonly result?: unknown;
  readonly resultJson?: string | undefined;
  /** Why it failed; set exactly where it did. */
  readonly error?: string | undefined;
  /** Set where somebody was asked, or decided. */
  readonly approval?: { readonly state: Approval; readonly id?: string | undefined; readonly reason?: string | undefined } | undefined;
  /** The model's provider ran it, not the application. */
  readonly providerExecuted?: true | undefined;
  /** The end named no call, and only this one could be meant. */
  readonly inferred?: true | undefined;
  /** The place of the message that issued it, from 0. */
  readonly index: number;
}

export type MessageItem = MessageText | MessageReasoning | MessageCall | MessageError;

/** Something that was not understood, so that nothing can be said of what it may have held. */
export interface UnreadMessage {
  /** The place of the message in the list, from 0. */
  readonly index: number;
  /** The place within the message: `content[2]`; empty for the whole. */
  readonly path: string;
  /** What stands there, for the middle of a sentence: `a part of the type "sparkle"`. */
  readonly what: string;
}

export interface ReadMessages {
  /** In the order in which they were said and issued. */
  readonly items: readonly MessageItem[];
  readonly unread: readonly UnreadMessage[];
  /** What the messages themselves say that they cost; each message once. */
  readonly usage?: Usage | undefined;
}
