// Owns the reading of foreign objects: members by name, never trusting their kind, never throwing for a hostile one.

export type Members = Readonly<Record<string, unknown>>;

/** `value` where it is an object; an empty one otherwise. */
export function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null ? (value as Members) : {};
}

/** A member, or `undefined` where reading it throws. */
export function member(value: unknown, name: string): unknown {
  try {
    return membersOf(value)[name];
  } catch {
    return undefined;
  }
}

export function textMember(value: unknown, name: string): string | undefined {
  const read = member(value, name);
  return typeof read === "string" ? read : undefined;
}

/** A count: a whole number, not negative; anything else is unknown. */
export function countMember(value: unknown, name: string): number | undefined {
  const read = member(value, name);
  return typeof read === "number" && Number.isSafeInteger(read) && read >= 0 ? read : undefined;
}

export function flagMember(value: unknown, name: string): boolean {
  return member(value, name) === true;
}

/** `value instanceof Error`, which throws for a revoked proxy. */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error;
  } catch {
    return false;
  }
}
