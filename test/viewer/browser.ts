// Owns a real browser for tests and pictures: Chromium from the registry, unpacked once, with the libraries that it brings along.

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { type Browser, chromium } from "playwright-core";

const require = createRequire(import.meta.url);

/** The folder with `chromium`, its libraries and a font; unpacked where it is not there. */
function unpacked(): string {
  const packed = join(dirname(require.resolve("@sparticuz/chromium")), "..", "bin");
  const manifest = JSON.parse(readFileSync(join(packed, "..", "package.json"), "utf8")) as { version: string };
  const folder = join(tmpdir(), `entail-chromium-${manifest.version}`);
  if (existsSync(folder)) return folder;
  const made = `${folder}-${process.pid}`;
  mkdirSync(made, { recursive: true });
  writeFileSync(join(made, "chromium"), brotliDecompressSync(readFileSync(join(packed, "chromium.br"))));
  chmodSync(join(made, "chromium"), 0o755);
  for (const name of ["al2023", "fonts", "swiftshader"]) {
    writeFileSync(join(made, `${name}.tar`), brotliDecompressSync(readFileSync(join(packed, `${name}.tar.br`))));
    execFileSync("tar", ["xf", join(made, `${name}.tar`), "-C", made]);
    rmSync(join(made, `${name}.tar`));
  }
  const alias = (family: string, prefer: string): string => `<alias binding="same"><family>${family}</family><prefer><family>${prefer}</family></prefer></alias>`;
  writeFileSync(join(made, "fonts.xml"), `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${folder}/font-cache</cachedir>${alias("system-ui", "Open Sans")}${alias("sans-serif", "Open Sans")}${alias("ui-monospace", "DejaVu Sans Mono")}${alias("monospace", "DejaVu Sans Mono")}</fontconfig>`);
  try {
    renameSync(made, folder);
  } catch {
    // Another process was faster.
    rmSync(made, { recursive: true, force: true });
  }
  return folder;
}

export async function openBrowser(): Promise<Browser> {
  const folder = unpacked();
  const libraries = [join(folder, "al2023", "lib"), join(folder, "lib"), process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(":");
  return chromium.launch({ executablePath: join(folder, "chromium"), headless: true, args: ["--no-sandbox", "--no-zygote", "--disable-gpu", "--disable-dev-shm-usage"], env: { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: join(folder, "fonts.xml") } });
}
