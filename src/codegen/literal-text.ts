// Owns JavaScript values as source text: texts, keys and plain data, whatever they hold.

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
// Line ends that JSON leaves as they are, and characters that nobody sees or that turn the text around.
const INVISIBLE = /[\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/g;
const WIDTH = 110;

/** A string literal in double quotes, in printable characters and on one line. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A member's name in a type. */
export function typeKey(name: string): string {
  return IDENTIFIER.test(name) ? name : quoted(name);
}

/** A member's name in an object: a bare `__proto__` would set the prototype instead. */
export function objectKey(name: string): string {
  return name === "__proto__" ? '["__proto__"]' : typeKey(name);
}

/** Source text of plain data (JSON values), broken into lines where one would be too long. `indent` is that of the line it starts on. */
export function literalText(value: unknown, indent = "", before = 0): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const flat = flatText(value);
  if (indent.length + before + flat.length <= WIDTH) return flat;
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[\n${value.map((item) => `${inner}${literalText(item, inner)},\n`).join("")}${indent}]`;
  const lines = Object.entries(value).map(([name, member]) => {
    const key = `${objectKey(name)}: `;
    return `${inner}${key}${literalText(member, inner, key.length)},\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

function flatText(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(flatText).join(", ")}]`;
  const members = Object.entries(value).map(([name, member]) => `${objectKey(name)}: ${flatText(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
