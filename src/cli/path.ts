// Owns paths as people read and type them: relative to the working folder where they lie below it, always with `/`.

import { isAbsolute, relative, sep } from "node:path";

/** `evals/chat.eval.ts` for a file below `from` or near it, the whole path for one that lies elsewhere. */
export function displayPath(file: string, from: string): string {
  const path = relative(from, file);
  if (path === "") return ".";
  const far = isAbsolute(path) || path.split(sep).filter((part) => part === "..").length > 3;
  return (far ? file : path).replaceAll(sep, "/");
}
