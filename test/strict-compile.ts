// Owns the compiling of generated texts by the real compiler under every strict flag, many at once.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const compiler = join(root, "node_modules/typescript/bin/tsc");

/** The compiler's complaints about a project, a line each; none where it compiles. */
export function compileProject(tsconfig: string): readonly string[] {
  const { stdout, stderr } = spawnSync(process.execPath, [compiler, "-p", tsconfig, "--pretty", "false"], { encoding: "utf8" });
  return `${stdout}${stderr}`.split("\n").filter((line) => line.trim() !== "");
}

/** The same for texts by path, in a folder of their own that sees the source of `entail`. Complaints name the paths as given. */
export function compileTexts(files: ReadonlyMap<string, string>): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "entail-compile-"));
  try {
    const { compilerOptions } = JSON.parse(readFileSync(join(root, "test/fixture/codegen/tsconfig.json"), "utf8")) as { readonly compilerOptions: object };
    const paths = { entail: [join(root, "src/index.ts")], "entail/*": [join(root, "src/*/index.ts")] };
    const options = { ...compilerOptions, paths, typeRoots: [join(root, "node_modules/@types")] };
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["**/*.ts"] }));
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return compileProject(join(folder, "tsconfig.json")).map((line) => line.replace(`${folder}/`, ""));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
