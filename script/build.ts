// Builds `dist` from `src`: the compiler writes the declarations and checks them, rolldown writes the code in few files, because loading
// 150 small ones costs a third of a short run. Run by `npm ci` (through `prepare`) and by `npm pack`.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { buildViewer } from "./build-viewer.ts";
import { BUNDLED } from "./bundled.ts";
import { loadedWith } from "./loaded-with.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { exports: Record<string, string | { "entail-source": string; default: string }>; dependencies: Record<string, string>; peerDependencies: Record<string, string> };

rmSync(`${root}dist`, { recursive: true, force: true });
try {
  execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", `${root}tsconfig.build.json`], { stdio: "inherit" });
} catch {
  // The compiler has said what is wrong.
  process.exit(1);
}

// Each file costs a third of a millisecond to find: what is loaded together stands together.
/** What the root door loads, and so every eval file. */
const base = loadedWith(`${root}src/index.ts`);
/** What every `entail run` loads beside it. */
const command = loadedWith(`${root}src/cli/entail.ts`, `${root}src/cli/command/run.ts`);
/** What it keeps its runs with. */
const store = loadedWith(`${root}src/cli/run-store.ts`, `${root}src/store/sqlite-store.ts`);

/** Node's own modules by `getBuiltinModule`, which every Node that may run this has: an import would make a module of each first, five milliseconds of every run. */
const builtins = {
  name: "builtins",
  renderChunk: (code: string) =>
    code.replace(/^import (?:(\w[\w$]*)|\* as (\w[\w$]*))?(?:, )?(?:\{([^}]*)\})? from "(node:[\w/]+)";$/gm, (_, own?: string, all?: string, names?: string, from = "") => {
      const given = `process.getBuiltinModule(${JSON.stringify(from)})`;
      const whole = own ?? all;
      return [whole === undefined ? "" : `const ${whole} = ${given};`, names === undefined ? "" : `const {${names.replaceAll(" as ", ": ")}} = ${given};`].join("");
    }),
};

/** commander can run other programs as its verbs. Ours are none, and Node's module for that is one of the slowest to load. */
const withoutChildProcess = {
  name: "without-child-process",
  transform: (code: string, id: string) => (id.includes("/node_modules/commander/") ? code.replace("import childProcess from 'node:child_process';", "const childProcess = undefined;") : null),
};

// A group takes along what its modules import, so the one whose thread is started before anything else is loaded comes first.
const groups = [
  { name: "watchdog", priority: 4, test: /\/process\/watchdog\.ts$/ },
  { name: "base", priority: 3, test: (id: string) => base.has(id) || id.includes("/node_modules/@cfworker/") },
  { name: "command", priority: 2, test: (id: string) => command.has(id) || id.includes("/node_modules/commander/") },
  { name: "store", priority: 1, test: (id: string) => store.has(id) },
];

const doors = Object.values(manifest.exports).flatMap((door) => (typeof door === "string" ? [] : [[door.default.slice("./dist/".length, -".js".length), root + door["entail-source"].slice(2)]]));
const bundle = await rolldown({
  input: { ...Object.fromEntries(doors), "cli/main": `${root}src/cli/main.ts` },
  platform: "node",
  // What the application brings, if it does, is imported by name and late; what is not listed here is either ours or bundled.
  external: [/^node:/, ...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies).map((name) => new RegExp(`^${name}(/|$)`))],
  plugins: [withoutChildProcess, builtins],
  // What is imported late stands with what is loaded at once where both need it.
  checks: { ineffectiveDynamicImport: false },
  preserveEntrySignatures: "strict",
});
await bundle.write({ dir: `${root}dist`, format: "esm", comments: false, entryFileNames: "[name].js", chunkFileNames: "chunk/[name]-[hash].js", codeSplitting: { groups } });
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
