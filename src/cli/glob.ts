// Owns path patterns: `*`, `?`, `[ab]`, `{a,b}` within a folder's name and `**` over folders.

/** True for a text that is a pattern rather than a path. */
export function isPattern(text: string): boolean {
  return /[*?[\]{}]/.test(text);
}

/** The folders that a pattern begins with before its first wildcard: `packages` of `packages/a*.ts`, `""` of `*.ts`. */
export function patternBase(pattern: string): string {
  const parts = pattern.split("/");
  const first = parts.findIndex(isPattern);
  return parts.slice(0, first === -1 ? -1 : first).join("/");
}

/** A test for whole paths with `/`. What is no complete group or class stands for itself. */
export function patternTest(pattern: string): RegExp {
  let source = "";
  let depth = 0;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? "";
    if (char === "*" && pattern[at + 1] === "*") {
      const whole = (at === 0 || pattern[at - 1] === "/") && (pattern[at + 2] === "/" || at + 2 === pattern.length);
      if (whole && pattern[at + 2] === "/") [source, at] = [`${source}(?:[^/]+/)*`, at + 2];
      else [source, at] = [`${source}${whole ? ".*" : "[^/]*"}`, at + 1];
    } else if (char === "*") source += "[^/]*";
    else if (char === "?") source += "[^/]";
    else if (char === "[" && classAt(pattern, at) !== undefined) {
      const inside = classAt(pattern, at) ?? "";
      [source, at] = [`${source}(?!/)${inside}`, pattern.indexOf("]", at + 2)];
    } else if (char === "{" && pattern.indexOf("}", at) !== -1) [source, depth] = [`${source}(?:`, depth + 1];
    else if (char === "}" && depth > 0) [source, depth] = [`${source})`, depth - 1];
    else if (char === "," && depth > 0) source += "|";
    else source += char.replace(/[\\^$.|+()[\]{}/]/g, "\\$&");
  }
  return new RegExp(`^${source}${")".repeat(depth)}$`, "u");
}

/** The class that begins at `at`, as a regular expression has it; `undefined` where none does. */
function classAt(pattern: string, at: number): string | undefined {
  const end = pattern.indexOf("]", at + 2);
  if (end === -1) return undefined;
  const inside = `[${pattern.slice(at + 1, end).replace(/^!/, "^").replace(/[\\[\]]/g, "\\$&")}]`;
  try {
    return new RegExp(inside, "u").source;
  } catch {
    return undefined;
  }
}
