// Owns the copy of a request context: Mastra writes thread and resource into the one that it is given.

import { EntailError, messageOf } from "../../core/error.ts";
import { member } from "../../core/member.ts";

/** A context like `context`, of its own class, that nobody else holds. Throws `option_invalid` for what cannot be copied. */
export function copyRequestContext(context: unknown): unknown {
  const entries = member(context, "entries");
  const constructor = member(context, "constructor");
  if (typeof entries !== "function" || typeof constructor !== "function") {
    throw new EntailError("option_invalid", "requestContext must be a RequestContext of Mastra's: new RequestContext() from \"@mastra/core/request-context\"");
  }
  try {
    return Reflect.construct(constructor, [(entries as () => unknown).call(context)]);
  } catch (thrown) {
    throw new EntailError("option_invalid", `requestContext cannot be copied for a turn of its own: ${messageOf(thrown)}`, { cause: thrown });
  }
}
