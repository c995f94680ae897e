// Owns the reading of bounds and of a result that was left out.

import type { Bounds, ResultOmitted } from "../core/evidence.ts";
import { isRecord, malformed, optionalText } from "./malformed.ts";

/** A copy of an event's bounds. Throws `event_invalid`. */
export function readBounds(value: unknown, where: string): Bounds {
  if (!isRecord(value)) throw malformed(where, "bounds must be an object", value);
  const { returned, total, truncated, nextCursor, refinementHint } = value;
  if (!isCount(returned)) throw malformed(where, "bounds.returned must be a whole number, 0 or more", returned);
  if (total !== undefined && total !== null && !isCount(total)) throw malformed(where, "bounds.total must be a whole number, 0 or more", total);
  if (typeof truncated !== "boolean") throw malformed(where, "bounds.truncated must be true or false", truncated);
  const cursor = optionalText(nextCursor, "bounds.nextCursor", where);
  const hint = optionalText(refinementHint, "bounds.refinementHint", where);
  return Object.freeze({
    returned,
    ...(isCount(total) && { total }),
    truncated,
    ...(cursor !== undefined && { nextCursor: cursor }),
    ...(hint !== undefined && { refinementHint: hint }),
  });
}

/** A copy of why a result was left out. Throws `event_invalid`. */
export function readOmitted(value: unknown, where: string): ResultOmitted {
  if (!isRecord(value)) throw malformed(where, "resultOmitted must be an object", value);
  const reason = optionalText(value["reason"], "resultOmitted.reason", where);
  const bytes = value["bytes"];
  if (bytes !== undefined && bytes !== null && !isCount(bytes)) throw malformed(where, "resultOmitted.bytes must be a whole number, 0 or more", bytes);
  return Object.freeze({ ...(reason !== undefined && { reason }), ...(isCount(bytes) && { bytes }) });
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
