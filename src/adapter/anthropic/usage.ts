// Owns the usage of a run: the sum over its messages, each of which tells running totals that are not to be added up.

import { countMember, namesOf, member } from "../../core/member.ts";
import { addUsage, type Usage } from "../../core/usage.ts";
import { readUsage } from "../../message/usage.ts";

/** The totals of one message: what came later stands for what came before. */
export function laterUsage(before: object | undefined, usage: unknown): object | undefined {
  if (typeof usage !== "object" || usage === null) return before;
  const told = namesOf(usage).filter((name) => member(usage, name) !== null && member(usage, name) !== undefined);
  return { ...before, ...Object.fromEntries(told.map((name) => [name, member(usage, name)])) };
}

export interface RunUsage {
  /** Counts a message, once. `whole` where its last word about usage was heard: the count of the answer is otherwise not yet one. */
  message(usage: object | undefined, whole: boolean): void;
  sum(): Usage | undefined;
}

/** The tokens of one message. Anthropic counts what was read from a cache apart from `input_tokens`, and so does this. */
export function messageUsage(usage: object | undefined, whole: boolean): Usage | undefined {
  const told = usage === undefined || whole ? usage : { ...usage, output_tokens: undefined };
  const read = readUsage(told);
  if (read === undefined) return undefined;
  const { requests: _requests, ...tokens } = read;
  const reasoningTokens = countMember(member(told, "output_tokens_details"), "thinking_tokens");
  return { ...tokens, ...(reasoningTokens === undefined ? {} : { reasoningTokens }) };
}

export function runUsage(): RunUsage {
  let tokens: Usage | undefined;
  let requests = 0;
  let unknownRequests = 0;
  return {
    message(usage, whole) {
      const read = messageUsage(usage, whole);
      requests += 1;
      if (read === undefined) unknownRequests += 1;
      tokens = addUsage(tokens, read);
    },
    sum: () => (tokens === undefined ? undefined : { ...tokens, requests, ...(unknownRequests === 0 ? {} : { unknownRequests }) }),
  };
}
