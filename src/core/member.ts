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

/** What nobody reads to the end; a list that claims to be longer is hostile. */
const MAX_ITEMS = 100_000;

/** A copy of `value` where it is a list, items that cannot be read being `undefined`; `undefined` for anything else. Never more than 100,000 items. */
export function listOf(value: unknown): readonly unknown[] | undefined {
  try {
    if (!Array.isArray(value)) return undefined;
    return Array.from({ length: Math.min(value.length, MAX_ITEMS) }, (_, at) => member(value, String(at)));
  } catch {
    return undefined;
  }
}

export function listMember(value: unknown, name: string): readonly unknown[] | undefined {
  return listOf(member(value, name));
}

/** `value` where it has members: an object that is no list. */
export function recordOf(value: unknown): object | undefined {
  return typeof value === "object" && value !== null && listOf(value) === undefined ? value : undefined;
}

export function recordMember(value: unknown, name: string): object | undefined {
  return recordOf(member(value, name));
}

/** The names of the own members; none where they cannot be listed. */
export function namesOf(value: unknown): readonly string[] {
  try {
    return Object.keys(membersOf(value));
  } catch {
    return [];
  }
}
