// Owns the note for a project whose compiler refuses imports that end in `.ts`, which generated and eval files have.

import { findTsconfig, readCompilerOptions } from "./loading/compiler-options.ts";
import { displayPath } from "./path.ts";
import type { Problem } from "./problem.ts";

/** `undefined` where the compiler takes them, or where there is none. */
export function tsImportNote(root: string, cwd: string): Problem | undefined {
  const file = findTsconfig(root);
  if (file === undefined) return undefined;
  const { allowImportingTsExtensions, rewriteRelativeImportExtensions } = readCompilerOptions(file);
  if (allowImportingTsExtensions === true || rewriteRelativeImportExtensions === true) return undefined;
  const name = displayPath(file, cwd);
  return {
    code: "import_extension_refused",
    file: name,
    message: `${name} refuses imports that end in .ts, which eval files need: add "rewriteRelativeImportExtensions": true to its compilerOptions, or "allowImportingTsExtensions": true where "noEmit" is set`,
  };
}
