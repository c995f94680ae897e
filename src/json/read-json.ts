// Owns the strict reading of JSON text: what `JSON.parse` would pass over in silence (a member that stands twice, half a surrogate pair, digits
// that no number holds) is kept or refused here.

import { EntailError, type Fault } from "../core/error.ts";
import { atPath, itemPath, memberPath } from "../core/json-path.ts";

export type JsonNode =
  | { readonly kind: "object"; readonly members: ReadonlyMap<string, JsonNode> }
  | { readonly kind: "array"; readonly items: readonly JsonNode[] }
  | { readonly kind: "string"; readonly value: string }
  /** The digits as they stood in the text. */
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "null" };

/** Objects and lists within one another, at most. */
export const MAX_JSON_DEPTH = 1000;
/** Faults that are named one by one; the sentence counts the others. */
const MAX_FAULTS = 100;

/**
 * Reads one JSON value (RFC 8259) and nothing beside it. Throws `json_invalid` for what is not JSON: an empty text, a code fence, a byte order
 * mark, text after the value, more than 1,000 levels. Throws `json_duplicate_member` for a member name that stands twice in one object (compared
 * after unescaping) and `json_lone_surrogate` for half a surrogate pair in a string, escaped or raw; `faults` then names each of them with its
 * path. Every message says line, column and path. Takes time in proportion to the text.
 */
export function readJson(text: string): JsonNode {
  const faults: Fault[] = [];
  let unnamed = 0;
  /** Names and indexes from the root to where the reading stands. */
  const path: (string | number)[] = [];
  let at = 0;

  const here = (): string => path.reduce<string>((above, step) => (typeof step === "number" ? itemPath(above, step) : memberPath(above, step)), "");
  const where = (position: number): string => `${lineAndColumn(text, position)}, ${atPath(here())}`;
  const invalid = (what: string, position = at): never => {
    throw new EntailError("json_invalid", `not JSON: ${what} (${where(position)})`);
  };
  const fault = (code: Fault["code"], message: string, position: number): void => {
    if (faults.length >= MAX_FAULTS) unnamed++;
    else faults.push({ code, place: here(), message: `${message} (${where(position)})` });
  };

  const skipSpace = (): void => {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      at++;
    }
  };

  const readString = (): string => {
    const start = at++;
    let value = "";
    for (;;) {
      const plain = matchAt(PLAIN_TEXT, text, at);
      value += plain;
      at += plain.length;
      const character = text[at];
      if (character === '"') break;
      if (character === undefined) return invalid("a string has no end", start);
      if (character !== "\\") return invalid(`a string holds the control character ${codePoint(character)}; write it as an escape`);
      value += readEscape();
    }
    at++;
    // `isWellFormed` reads the text once more, which is still cheaper than looking at each character.
    if (!value.isWellFormed()) fault("json_lone_surrogate", `a string holds half a surrogate pair, ${codePoint(HALF_PAIR.exec(value)?.[0] ?? "")}`, start);
    return value;
  };

  const readEscape = (): string => {
    const letter = text[at + 1] ?? "";
    const single = ESCAPES.get(letter);
    if (single !== undefined) {
      at += 2;
      return single;
    }
    const digits = text.slice(at + 2, at + 6);
    if (letter !== "u" || !HEX.test(digits)) return invalid(`the escape ${JSON.stringify(text.slice(at, at + (letter === "u" ? 6 : 2)))} is not one of JSON's`);
    at += 6;
    return String.fromCharCode(Number.parseInt(digits, 16));
  };

  const readNumber = (): JsonNode => {
    const digits = matchAt(NUMBER, text, at);
    const word = matchAt(WORD, text, at);
    if (digits === "" || word.length > digits.length) return invalid(`${JSON.stringify(brief(word))} is no number as JSON writes it`);
    at += digits.length;
    return { kind: "number", text: digits };
  };

  const readWord = (): JsonNode => {
    const word = matchAt(WORD, text, at);
    const node = WORDS.get(word);
    if (node === undefined) return invalid(word === "" ? `${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))} begins no value` : `${JSON.stringify(brief(word))} is no value`);
    at += word.length;
    return node;
  };

  const enter = (): void => {
    if (path.length >= MAX_JSON_DEPTH) invalid(`more than ${MAX_JSON_DEPTH} objects and lists within one another`);
    at++;
    skipSpace();
  };

  const readArray = (): JsonNode => {
    enter();
    const items: JsonNode[] = [];
    if (text[at] === "]") {
      at++;
      return { kind: "array", items };
    }
    for (;;) {
      path.push(items.length);
      skipSpace();
      items.push(readValue());
      path.pop();
      skipSpace();
      const character = text[at];
      if (character !== "," && character !== "]") return invalid(character === undefined ? "a list has no end" : 'a list needs "," or "]" here');
      at++;
      if (character === "]") return { kind: "array", items };
    }
  };

  const readObject = (): JsonNode => {
    enter();
    const members = new Map<string, JsonNode>();
    /** Names that were already said to stand twice. */
    let repeated: Set<string> | undefined;
    if (text[at] === "}") {
      at++;
      return { kind: "object", members };
    }
    for (;;) {
      skipSpace();
      if (text[at] !== '"') return invalid(text[at] === undefined ? "an object has no end" : "a member needs a name in double quotes here");
      const start = at;
      const name = readString();
      path.push(name);
      if (members.has(name) && repeated?.has(name) !== true) {
        (repeated ??= new Set()).add(name);
        fault("json_duplicate_member", `the member ${JSON.stringify(brief(name))} stands more than once in one object`, start);
      }
      skipSpace();
      if (text[at] !== ":") return invalid('a member needs ":" after its name');
      at++;
      skipSpace();
      members.set(name, readValue());
      path.pop();
      skipSpace();
      const character = text[at];
      if (character !== "," && character !== "}") return invalid(character === undefined ? "an object has no end" : 'an object needs "," or "}" here');
      at++;
      if (character === "}") return { kind: "object", members };
    }
  };

  const readValue = (): JsonNode => {
    const character = text[at];
    if (character === undefined) return invalid("the text ends where a value must stand");
    if (character === "{") return readObject();
    if (character === "[") return readArray();
    if (character === '"') return { kind: "string", value: readString() };
    if (character === "-" || (character >= "0" && character <= "9")) return readNumber();
    return readWord();
  };

  if (text.startsWith("\uFEFF")) return invalid("the text begins with a byte order mark");
  skipSpace();
  if (at === text.length) return invalid("the text is empty");
  if (text.startsWith("```", at)) return invalid("the text stands in a code fence; only the JSON itself may be there");
  const node = readValue();
  skipSpace();
  if (at < text.length) return invalid("there is text after the value");

  const [first] = faults;
  if (first !== undefined) {
    const others = faults.length + unnamed - 1;
    throw new EntailError(first.code, others === 0 ? first.message : `${first.message}, and ${others} more like it`, { faults });
  }
  return node;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** All but `"`, `\` and the control characters. */
const PLAIN_TEXT = /[ !#-[\]-\uFFFF]*/y;
const WORD = /[A-Za-z0-9_$+.-]*/y;
const HEX = /^[0-9a-fA-F]{4}$/;
const HALF_PAIR = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);
const WORDS: ReadonlyMap<string, JsonNode> = new Map<string, JsonNode>([
  ["true", { kind: "boolean", value: true }],
  ["false", { kind: "boolean", value: false }],
  ["null", { kind: "null" }],
]);

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

function lineAndColumn(text: string, position: number): string {
  const before = text.slice(0, position);
  const lines = before.split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
}

function codePoint(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** What is quoted from the text stays short, whatever the text is. */
function brief(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}
