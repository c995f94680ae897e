// Owns the freezing of plain data, so that nobody who is handed it can change it for the others.

/** Freezes a tree of plain data and gives it back. What is frozen already is taken to be so to its depth. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) freezeDeep(member);
  }
  return value;
}
