// Owns how a graph that waits is told what was decided: the answer to each of its interrupts, in the form that the interrupt asks for it.

import { EntailError } from "../../core/error.ts";
import { listMember, listOf, member, recordMember } from "../../core/member.ts";
import { commandOf } from "./command.ts";
import type { Interrupt } from "./interrupt.ts";

/** Makes the answer to an interrupt of the application's own form; `undefined` leaves it to the forms that are known. */
export type AnswerOf = (interrupt: Interrupt, approved: boolean) => unknown;

export interface Going {
  /** What the graph is streamed with. */
  readonly input: unknown;
  readonly value: unknown;
}

/** The answer to `actionRequests` of LangChain's middleware, or to a list of LangGraph's `action_request`; `undefined` for another form. */
function knownAnswer({ value }: Interrupt, approved: boolean): unknown {
  const requests = listMember(value, "actionRequests") ?? listMember(value, "action_requests");
  if (requests !== undefined) return { decisions: requests.map(() => (approved ? { type: "approve" } : { type: "reject", message: "The call was refused." })) };
  const asked = listOf(value) ?? [];
  if (asked.length === 0 || !asked.every((one) => recordMember(one, "action_request") !== undefined)) return undefined;
  return asked.map((one) => {
    if (approved) return { type: "accept", args: null };
    return member(member(one, "config"), "allow_ignore") === false ? { type: "response", args: "The call was refused." } : { type: "ignore", args: null };
  });
}

/**
 * What lets a graph go on that stopped at `interrupts`, or without any where it was told to stop before or after a node. Throws `option_invalid` where
 * nobody knows how to say it.
 */
export function going(interrupts: readonly Interrupt[], approved: boolean, answer: AnswerOf | undefined): Going {
  if (interrupts.length === 0) {
    if (!approved) throw new EntailError("option_invalid", "the graph was told to stop before or after a node, and it can only go on there: a call cannot be refused; let a node or a tool ask by interrupt()");
    return { input: null, value: true };
  }
  const answers = interrupts.map((interrupt): readonly [string, unknown] => {
    const said = answer?.(interrupt, approved) ?? knownAnswer(interrupt, approved);
    if (said === undefined) {
      throw new EntailError("option_invalid", "the graph stopped at an interrupt() of the application's own form, and nobody knows what it takes for a yes or a no; say it: target(graph, { answer: (interrupt, approved) => (approved ? \"yes\" : \"no\") })");
    }
    return [interrupt.id ?? "", said];
  });
  const [first] = answers;
  // Of several interrupts the graph must be told which answer is whose.
  const value: unknown = answers.length === 1 ? first?.[1] : Object.fromEntries(answers);
  return { input: commandOf(value), value };
}
