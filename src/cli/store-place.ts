// Owns where the project's store is: what a flag names, else the configuration, else `.entail/entail.db` in the project's root.

import { existsSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeFolder } from "../store/make-folder.ts";
import type { FlagValues } from "./command-line.ts";
import type { Project } from "./project.ts";

export interface StorePlace {
  /** As `openStore` takes it. */
  readonly url: string;
  /** Whether a person named it: then it has to be what they say. */
  readonly named: boolean;
}

/** `undefined` where nothing is to be kept. */
export function storePlace(flags: FlagValues, { cwd, root, config }: Pick<Project, "cwd" | "root" | "config">): StorePlace | undefined {
  const flag = flags["store"];
  if (flag === false || (flag === undefined && config.store === false)) return undefined;
  if (typeof flag === "string") return { url: absolute(flag, cwd), named: true };
  if (typeof config.store === "string") return { url: absolute(config.store, root), named: true };
  return { url: join(root, ".entail", "entail.db"), named: false };
}

/** An address keeps its kind; a path is made whole. */
function absolute(url: string, from: string): string {
  if (/^sqlite:/i.test(url)) return `sqlite:${resolve(from, url.slice("sqlite:".length))}`;
  // One letter before a colon is a drive.
  return /^[a-z][a-z0-9+.-]+:/i.test(url) ? url : resolve(from, url);
}

/** The folder of the default place, which keeps itself out of version control. Never throws: the store tells what is wrong. */
export function makeOwnFolder({ url, named }: StorePlace): void {
  if (named) return;
  const folder = dirname(url);
  if (existsSync(folder)) return;
  try {
    makeFolder(folder);
    writeFileSync(join(folder, ".gitignore"), "*\n");
  } catch {
    // It is told when the store is opened.
  }
}
