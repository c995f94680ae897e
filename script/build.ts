// Builds `dist` from `src`: the compiler writes the declarations and checks them, rolldown writes the code in few files, because loading
// 150 small ones costs a third of a short run. Run by `npm ci` (through `prepare`) and by `npm pack`.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { buildViewer } from "./build-viewer.ts";
import { BUNDLED } from "./bundled.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { exports: Record<string, string | { "entail-source": string; default: string }>; dependencies: Record<string, string>; peerDependencies: Record<string, string> };

rmSync(`${root}dist`, { recursive: true, force: true });
try {
  execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", `${root}tsconfig.build.json`], { stdio: "inherit" });
} catch {
  // The compiler has said what is wrong.
  process.exit(1);
}

/** What the root door and every run load anyway: together in one file, for each file costs a third of a millisecond to find. */
const BASE = /\/src\/(?:core|json|schema|report\/(?:(?:en|de)code-report|form|goa-scenario|[a-z]+-forms?|totals|number-text|reason|summary|sign)\.ts|run|design|generated|stats\/(?:wilson|distributions))|\/src\/(?:evaluation|implement)\.ts|cfworker/;

/** commander can run other programs as its verbs. Ours are none, and Node's module for that is one of the slowest to load. */
const withoutChildProcess = {
  name: "without-child-process",
  transform: (code: string, id: string) => (id.includes("/node_modules/commander/") ? code.replace("import childProcess from 'node:child_process';", "const childProcess = undefined;") : null),
};

const doors = Object.values(manifest.exports).flatMap((door) => (typeof door === "string" ? [] : [[door.default.slice("./dist/".length, -".js".length), root + door["entail-source"].slice(2)]]));
const bundle = await rolldown({
  input: { ...Object.fromEntries(doors), "cli/main": `${root}src/cli/main.ts` },
  platform: "node",
  // What the application brings, if it does, is imported by name and late; what is not listed here is either ours or bundled.
  external: [/^node:/, ...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies).map((name) => new RegExp(`^${name}(/|$)`))],
  plugins: [withoutChildProcess],
  preserveEntrySignatures: "strict",
});
await bundle.write({ dir: `${root}dist`, format: "esm", comments: false, entryFileNames: "[name].js", chunkFileNames: "chunk/[name]-[hash].js", codeSplitting: { groups: [{ name: "base", test: BASE }] } });
await bundle.close();
chmodSync(`${root}dist/cli/main.js`, 0o755);

/** A package's licence file, or what its manifest says where it ships none. */
function licence(name: string): string {
  const folder = `${root}node_modules/${name}/`;
  const { license, author } = JSON.parse(readFileSync(`${folder}package.json`, "utf8")) as { license: string; author?: string | { name: string } };
  const by = typeof author === "object" ? author.name : author;
  const text = existsSync(`${folder}LICENSE`) ? readFileSync(`${folder}LICENSE`, "utf8").trim() : `${license} licence${by === undefined ? "" : `, ${by}`}`;
  return `${name}\n\n${text}\n`;
}

writeFileSync(`${root}dist/licences.txt`, `The code in this folder holds code of these packages.\n\n${BUNDLED.map(licence).join("\n\n")}`);
await buildViewer();
