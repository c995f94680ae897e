// Owns the conversation with a plain function: whatever it gives is read as an answer, and a thread that it keeps is not read twice.

import { functionTarget } from "../adapter/http/function-target.ts";
import type { TargetFunction } from "../core/any-target.ts";
import { isIterable } from "../core/iterate.ts";
import { listMember, listOf, member, recordOf, textMember } from "../core/member.ts";
import type { Target } from "../core/target.ts";
import { newMessages, valueText } from "./messages.ts";
import { targetSpeaker } from "./speak-target.ts";
import type { Speaker } from "./speaker.ts";

export function functionSpeaker(run: TargetFunction): Speaker {
  return targetSpeaker(() => {
    const fresh = newMessages();
    const given = new Map<number, readonly unknown[]>();
    let threw: { readonly thrown: unknown } | undefined;
    const target: Target = functionTarget(async (input: unknown, turn) => {
      let value: unknown;
      try {
        value = await run(input, turn);
      } catch (thrown) {
        threw = { thrown };
        throw thrown;
      }
      const messages = messagesOf(value);
      if (messages === undefined) return answerOf(value) as string;
      const own = fresh(messages);
      given.set(turn.turn ?? 0, own);
      return own;
    }, {});
    return { target, messages: (turn) => given.get(turn), threw: () => threw };
  });
}

/** The messages of a list, of `{ messages }` and of what the AI SDK's `generateText` gives. */
function messagesOf(value: unknown): readonly unknown[] | undefined {
  const list = listOf(value);
  if (list !== undefined) return list.length > 0 && list.every(isMessage) ? list : undefined;
  if (isIterable(value)) return undefined;
  const messages = listMember(value, "messages") ?? listMember(member(value, "response"), "messages");
  if (messages !== undefined) return messages;
  return textMember(value, "role") !== undefined && isMessage(value) ? [value] : undefined;
}

function isMessage(value: unknown): boolean {
  if (textMember(value, "role") !== undefined) return true;
  const type = textMember(value, "type");
  return type === "ai" || type === "human" || type === "tool" || type === "system" || type === "message" || type === "function_call" || type === "function_call_output";
}

/** Events and streams are the target's to read; an object with a text is that, and any other value its JSON. */
function answerOf(value: unknown): unknown {
  if (typeof value === "string" || value === undefined || value === null || isIterable(value)) return value;
  if (listOf(value)?.some((item) => textMember(item, "type") !== undefined) === true) return value;
  const text = recordOf(value) === undefined ? undefined : textMember(value, "text");
  return text ?? valueText(value);
}
