// Owns the reading of a configuration: whatever form its module takes, and each member by its kind.

import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import { didYouMean } from "../core/nearest.ts";
import type { Config } from "../evaluation.ts";
import { REPORTER_NAMES } from "./reporters.ts";
import type { ModuleLoader, Namespace } from "./loading/load-module.ts";
import { displayPath } from "./path.ts";
import { inFile } from "./problem.ts";

const texts = (value: unknown): boolean => typeof value === "string" || (Array.isArray(value) && value.every((each) => typeof each === "string"));
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Each member, how it is recognised and what it must be. */
const MEMBERS: { readonly [K in keyof Required<Config>]: readonly [is: (value: unknown) => boolean, wanted: string] } = {
  design: [texts, "a path or a list of paths"],
  evals: [texts, "a path or a list of paths"],
  maxConcurrency: [(value) => Number.isSafeInteger(value) && Number(value) >= 1, "a whole number of 1 or more"],
  reporters: [(value) => Array.isArray(value) && value.every((each) => isObject(each) || REPORTER_NAMES.some((name) => name === each)), `a list of reporters or of ${REPORTER_NAMES.join(", ")}`],
  judge: [(value) => isObject(value) && typeof (value as { readonly judge?: unknown }).judge === "function", "a judge, as createJudge makes one"],
  measurements: [texts, "a path or a list of paths"],
  envFile: [(value) => typeof value === "string", "a path"],
  store: [(value) => value === false || (typeof value === "string" && value !== ""), "a path, an address such as sqlite:runs.db, or false"],
  secrets: [(value) => Array.isArray(value) && texts(value), "a list of names of environment variables"],
};

/** Loads and checks a configuration. Throws `config_invalid`, which names the file. */
export async function readConfig(file: string, modules: ModuleLoader, cwd: string): Promise<Config> {
  const name = displayPath(file, cwd);
  const refuse = (message: string, cause?: unknown): never => {
    throw inFile(new EntailError("config_invalid", message, { cause }), file);
  };
  let config: unknown;
  try {
    config = await defaultOf(await modules.load(file));
    if (typeof config === "function") config = await (config as () => unknown)();
  } catch (cause) {
    if (isEntailError(cause) && cause.code === "usage_invalid") throw cause;
    return refuse(`${name} cannot be loaded: ${messageOf(cause)}`, cause);
  }
  // What keeps its members elsewhere, a Map for one, would be read as an empty one.
  if (!isObject(config) || Object.prototype.toString.call(config) !== "[object Object]") {
    const given = config === undefined ? "exports nothing by default" : `exports ${config === null ? "null" : Array.isArray(config) ? "a list" : isObject(config) ? "no plain object" : `a ${typeof config}`} by default`;
    return refuse(`${name} ${given}; it needs export default defineConfig({ … }), or a function that returns such an object`);
  }
  for (const [member, value] of Object.entries(config)) {
    if (!Object.hasOwn(MEMBERS, member)) refuse(`${name} has an unknown member ${JSON.stringify(member)}${didYouMean(member, Object.keys(MEMBERS))}`);
    const [is, wanted] = MEMBERS[member as keyof Config];
    if (value !== undefined && !is(value)) refuse(`${name}: ${member} must be ${wanted}`);
  }
  return config;
}

/**
 * The default export of a module, also where a compiler made CommonJS of it: `module.exports` is then an object with the mark
 * `__esModule` and a `default` of its own. `undefined` where a module of names exports no default.
 */
export function defaultOf(namespace: Namespace): unknown {
  let value: unknown = namespace["default"];
  for (let depth = 0; depth < 3 && isObject(value) && (value as Namespace)["__esModule"] === true && "default" in value; depth++) value = (value as Namespace)["default"];
  return value;
}
