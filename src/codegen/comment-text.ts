// Owns descriptions as comments: readable, and never the end of the comment nor an order to the compiler.

const LINE_END = /\r\n|[\n\r\u2028\u2029]/;
// Control characters but the tab, halves of surrogate pairs, and what turns the text around.
const UNSEEN = /(?!\t)[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;
const WIDTH = 150;

/** A doc comment that ends with a line end, or nothing where there is nothing to say. */
export function docComment(description: unknown, indent = ""): string {
  if (typeof description !== "string") return "";
  const lines = description.split(LINE_END).map(commentLine);
  while (lines.length > 0 && lines[0] === "") lines.shift();
  while (lines.length > 0 && lines.at(-1) === "") lines.pop();
  const [only = "", ...more] = lines;
  if (only === "" && more.length === 0) return "";
  if (more.length === 0 && indent.length + only.length <= WIDTH) return `${indent}/** ${only} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`;
}

/** One line of text as it may stand in a comment of either kind. */
export function commentLine(text: string): string {
  return (
    text
      .replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .replaceAll("*/", "*\\/")
      // At the start of a line `@ts-ignore` and its like speak to the compiler.
      .replace(/^[\s/*]*@/, (start) => `${start.slice(0, -1)}\\@`)
      .trimEnd()
  );
}
