// Builds the viewer's page into `dist/viewer/app`: `index.html` with hashed files beside it for the server, and `file.js` with `file.css` for the one
// file of `entail export html`. Run by `script/build.ts`; by itself (`node script/build-viewer.ts`) it builds the page alone, if it is stale.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "src/viewer/app");
const target = join(root, "dist/viewer/app");
/** Everything that the page is made of: its own files, the answers, and the lower floors that it may import. */
const FROM = ["src/viewer/app", "src/viewer/answer", "src/core", "src/json", "src/stats", "src/report", "src/judge", "script/build-viewer.ts", "package.json"];

/** What every page needs: one file, because each one more is one more request before the first row. */
const BASE = /\/node_modules\/preact\/|\/src\/viewer\/app\/(?:[\w-]+\.tsx?$|frame\/|page\/(?:run|use-|list-|paths|peek|group|scenario-(?:list|group|pages))|part\/(?:alien|unseen|mark\.|sprite|small\.|number|problem|rate\.))|\/src\/viewer\/answer\/(?:outcome-letter|step)/;

function digestOfSources(): string {
  const hash = createHash("sha256");
  for (const path of FROM) {
    const whole = join(root, path);
    const files = path.includes(".") ? [whole] : readdirSync(whole, { recursive: true, encoding: "utf8" }).filter((name) => /\.(tsx?|css|html|js)$/.test(name) && !name.includes(".test")).sort().map((name) => join(whole, name));
    for (const file of files) hash.update(file.slice(root.length)).update(readFileSync(file));
  }
  return hash.digest("hex");
}

/** A package's licence file, or what its manifest says where it ships none. */
export function licenceOf(name: string): string {
  const folder = `${root}node_modules/${name}/`;
  const file = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each));
  const { license } = JSON.parse(readFileSync(`${folder}package.json`, "utf8")) as { license?: string };
  return `${name}\n\n${file === undefined ? `${license ?? "unknown"} licence` : readFileSync(`${folder}${file}`, "utf8").trim()}\n`;
}

/** Builds the page where its sources have changed since. */
export async function buildViewer(): Promise<void> {
  const digest = digestOfSources();
  const stamp = join(target, "built-from.txt");
  try {
    if (readFileSync(stamp, "utf8") === digest) return;
  } catch {
    // It was never built.
  }
  const made = join(root, "dist/viewer", `app-${process.pid}`);
  rmSync(made, { recursive: true, force: true });
  // Only whoever builds pays for loading it.
  const { build } = await import("vite");
  // What this package does in a browser is to have the HTML parser read the text of others.
  const resolve = { alias: { "decode-named-character-reference": join(root, "node_modules/decode-named-character-reference/index.js") } };
  const settings = { root: source, configFile: false, logLevel: "warn", clearScreen: false, resolve } as const;
  const output = { emptyOutDir: false, target: "es2022", modulePreload: false, sourcemap: false, reportCompressedSize: false, assetsInlineLimit: 0, chunkSizeWarningLimit: 1000 } as const;
  const used = new Set<string>();
  const keepsLicences = { name: "keeps-licences", generateBundle: (_: unknown, bundle: Readonly<Record<string, { readonly moduleIds?: readonly string[] }>>) => { for (const { moduleIds = [] } of Object.values(bundle)) for (const id of moduleIds) { const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(id)?.[1]; if (name !== undefined) used.add(name); } } };
  await build({ ...settings, plugins: [keepsLicences], oxc: { jsx: { runtime: "automatic", importSource: "preact" } }, base: "./", build: { ...output, outDir: made, assetsDir: "asset", rolldownOptions: { input: join(source, "index.html"), output: { codeSplitting: { groups: [{ name: "base", test: BASE }] } } } } });
  await build({
    ...settings,
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    publicDir: false,
    build: { ...output, outDir: made, cssCodeSplit: false, rolldownOptions: { input: join(source, "file.tsx"), onLog: (level, log, pass) => { if (log.code !== "EMPTY_IMPORT_META") pass(level, log); }, output: { format: "iife", codeSplitting: false, entryFileNames: "file.js", assetFileNames: "file[extname]" } } },
  });
  // Both stand within one HTML document: what would end their element, or begin a comment there, must not be in them.
  for (const name of ["file.js", "file.css"]) if (/<(!--|\/?script|\/style)/i.test(readFileSync(join(made, name), "utf8"))) throw new Error(`${name} holds a text that would end its element in the exported file`);
  writeFileSync(join(made, "licences.txt"), `The page holds code of these packages.\n\n${[...used].sort().map(licenceOf).join("\n\n")}`);
  writeFileSync(join(made, "built-from.txt"), digest);
  const old = `${target}-old-${process.pid}`;
  mkdirSync(join(root, "dist/viewer"), { recursive: true });
  try {
    renameSync(target, old);
  } catch {
    // There was none.
  }
  renameSync(made, target);
  rmSync(old, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildViewer();
