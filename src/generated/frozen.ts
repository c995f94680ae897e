// Owns the freezing of plain data, all the way down.

/** The same value, which nobody can change any more. For JSON values: trees without cycles. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) frozen(item);
  }
  return value;
}
