// Owns how a place inside a JSON value is written: `user_id`, `items[2].name`, `["a key"]`; the value itself is the empty text.

const PLAIN_NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** The place of a member. A name that is no identifier is quoted, so that no two places are written alike. */
export function memberPath(path: string, name: string): string {
  if (!PLAIN_NAME.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}

export function itemPath(path: string, index: number): string {
  return `${path}[${index}]`;
}

/** For the middle of a sentence: `at items[2].name`, or `at the root`. */
export function atPath(path: string): string {
  return path === "" ? "at the root" : `at ${path}`;
}
