// Owns the grammar of the stable identifiers that people type: suites, scenarios and tags.

const LOWER_SNAKE_CASE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

/** True for `alarm_inventory` or `evaporator_14c_pid`; false for an upper-case letter, a dash, a leading digit, a doubled or trailing `_`. */
export function isIdentifier(text: string): boolean {
  return LOWER_SNAKE_CASE.test(text);
}

/** True for the id of an item of data: 1 to 200 characters, none of them a control character. */
export function isItemId(text: string): boolean {
  return text !== "" && text.length <= 200 && !/[\p{Cc}\u2028\u2029]/u.test(text) && text.isWellFormed();
}
