// Owns `toolError`: an error function for an application's tools that keeps what was thrown for evidence.

import { member } from "../../core/member.ts";

const thrown = new WeakMap<object, { readonly error: unknown }>();

/** The SDK's own answer to the model where a tool has thrown and says nothing itself. */
export const RUN_FAILED = "An error occurred while running the tool. Please try again.";

/** As the SDK calls it: the run's context, what was thrown, and the call. */
export type ErrorFunction = (context: any, error: any, details?: any) => string | Promise<string>;

/**
 * Makes a tool's `errorFunction`, with which evidence shows what the tool threw: `tool({ …, errorFunction: toolError() })`. The model is told what
 * `answer` says, or what the SDK tells it by itself. Without it the SDK hides the error behind a text: its own text is known to be a failure of
 * unknown kind, but that of an application's `errorFunction` cannot be told from a result.
 */
export function toolError(answer?: ErrorFunction): ErrorFunction {
  return (context, error, details) => {
    const call = member(details, "toolCall");
    if (typeof call === "object" && call !== null) thrown.set(call, { error });
    return answer === undefined ? RUN_FAILED : answer(context, error, details);
  };
}

/** What the tool of this call threw, where `toolError` has seen it. */
export function thrownBy(call: object): { readonly error: unknown } | undefined {
  return thrown.get(call);
}
