// Owns `target`: a chat endpoint, or a plain function, behind Entail's target port.

import type { Target } from "../../core/target.ts";
import { chatTarget, type ChatInput, type ChatTargetOptions } from "./chat-target.ts";
import { functionTarget, type FunctionTargetOptions, type TargetFunction } from "./function-target.ts";

/**
 * Makes a target of an endpoint that speaks OpenAI's chat protocol, over the platform's own `fetch`. With `tools`, their calls are run here and their
 * results sent back until the model answers; without them the endpoint is taken for an agent whose calls nobody sees. What was said before is sent
 * again with each turn, unless it has `memory`. Throws `option_invalid`.
 */
export function target(endpoint: ChatTargetOptions): Target<ChatInput>;
/**
 * Makes a target of a function `(input, { signal, threadId }) => text | messages | events`, which may be asynchronous and may stream. What can be seen
 * of a run is what the function gives: of a text nothing but the answer, so that no expectation about calls can be decided on it.
 * What the function throws breaks the run, unless the turn was aborted.
 */
export function target<Input = string>(run: TargetFunction<Input>, options?: FunctionTargetOptions): Target<Input>;
export function target(subject: TargetFunction | ChatTargetOptions, options: FunctionTargetOptions = {}): Target<never> {
  return typeof subject === "function" ? functionTarget(subject, options) : chatTarget(subject);
}
