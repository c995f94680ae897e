// Owns the holding of a regular expression against a text within a time: by `node:vm` where Node is, which can cut it, and plainly in a browser.

import { EntailError } from "../core/error.ts";

/** What one expression may take of one text. */
export const PATTERN_TIMEOUT_MS = 1000;

interface VmScript {
  runInContext(context: object, options: { readonly timeout: number }): unknown;
}
interface VmModule {
  readonly Script: new (code: string) => VmScript;
  createContext(sandbox: object): object;
}

let opened: { readonly script: VmScript; readonly sandbox: Record<string, unknown>; readonly context: object } | null | undefined;

function cutter(): NonNullable<typeof opened> | null {
  if (opened === undefined) {
    const vm = globalThis.process?.getBuiltinModule?.("vm") as VmModule | undefined;
    if (vm === undefined) return (opened = null);
    const sandbox: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    opened = { script: new vm.Script("new RegExp(source, flags).test(text)"), sandbox, context: vm.createContext(sandbox) };
  }
  return opened;
}

/** What cannot backtrack without end needs no guard: no repetition of a group, and no two repetitions, in a text of any length. */
const HARMLESS = /^(?:\\[dDwWsSbBnrt]|[^\\()[\]{}*+?|])*(?:[*+?](?:\\[dDwWsSbBnrt]|[^\\()[\]{}*+?|])*)?$/;

/**
 * True where `pattern` matches somewhere in `text`. The pattern keeps no state: its flags `g` and `y` are left out. Throws `pattern_timeout` where
 * it took longer than `ms` and could be cut, which is an error and no answer.
 */
export function matchWithin(pattern: RegExp, text: string, ms: number = PATTERN_TIMEOUT_MS): boolean {
  const { source } = pattern;
  const flags = pattern.flags.replace(/[gy]/g, "");
  const guarded = HARMLESS.test(source) && text.length < 10_000 ? null : cutter();
  if (guarded === null) return new RegExp(source, flags).test(text);
  Object.assign(guarded.sandbox, { source, flags, text });
  try {
    return guarded.script.runInContext(guarded.context, { timeout: ms }) === true;
  } catch (thrown) {
    if ((thrown as { readonly code?: unknown } | null)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw thrown;
    throw new EntailError("pattern_timeout", `the pattern /${source.slice(0, 200)}/${flags} took more than ${ms} ms on a text of ${text.length} characters and was cut; write it without one repetition inside another`, { stage: "score", cause: thrown });
  } finally {
    guarded.sandbox["text"] = "";
  }
}
