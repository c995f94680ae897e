// Owns the kind of modules that the package around a file declares.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The `type` of the nearest `package.json`; `undefined` where there is none or it does not say. */
export function packageType(file: string): "module" | "commonjs" | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    let text: string | undefined;
    try {
      text = readFileSync(join(folder, "package.json"), "utf8");
    } catch {
      if (folder === dirname(folder)) return undefined;
      continue;
    }
    return typeIn(text);
  }
}

function typeIn(text: string): "module" | "commonjs" | undefined {
  try {
    const { type } = JSON.parse(text) as { readonly type?: unknown };
    return type === "module" || type === "commonjs" ? type : undefined;
  } catch {
    return undefined;
  }
}
