// Owns the calls of one answer as they are issued: each with an id of its own, and its arguments as the text that the model wrote.

import type { StreamWarnings } from "../../core/stream-warning.ts";
import type { CompletionCall } from "./completion.ts";
import type { StreamWarning } from "./warning.ts";

export interface IssuedCall {
  /** The id in evidence, and the one that the endpoint is told. */
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** `taken` are the ids of the whole run; those of `calls` are added. */
export function issueCalls(calls: readonly CompletionCall[], taken: Set<string>, warnings: StreamWarnings<StreamWarning["code"]>): readonly IssuedCall[] {
  return calls.map((call) => {
    let id = call.id;
    if (id === "") warnings.add("call_id_missing", `a call of ${JSON.stringify(call.name)} came without an id; it was given one that begins with "made-up:"`);
    else if (taken.has(id)) warnings.add("call_id_reused", `the call id ${JSON.stringify(id)} was used again for another call of ${JSON.stringify(call.name)}; that one was given an id that begins with "made-up:"`);
    for (let count = taken.size + 1; id === "" || taken.has(id); count++) id = `made-up:${count}${call.id === "" ? "" : `:${call.id}`}`;
    taken.add(id);
    return { id, name: call.name, arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments) };
  });
}
